"""Baking: the solved pose as keys of the bones, few of them, within a tolerance."""

from __future__ import annotations

import dataclasses
import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from limb_rigs import KEYED, LOWER, arm, arm_bones, constraint, distance, tip

import elbowroom as er
from elbowroom.kernel.angles import unwrap
from elbowroom.rig import affine
from elbowroom.rig.animation import Animation, TargetKeys
from elbowroom.rig.frames import FrameSpec
from elbowroom.rig.keys import Track
from elbowroom.rig.record import Leg
from elbowroom.rig.track import SampledTrack
from elbowroom.solve.reduce import reduced

seeds = st.integers(0, 2**32 - 1)
HAND = [*arm_bones(), {"name": "hand", "parent": "lower", "x": LOWER, "length": 15}]


def track(rng, low, high, *, keys=4, span=1.0, curved=True):
    """Random keys of one value, some of their ways curved or stepped."""
    curves = [None, "stepped"] if curved else [None]
    times = np.sort(rng.choice(np.arange(1, 60), keys - 2, replace=False)) / 60 * span
    ways = tuple(curves[rng.integers(len(curves))] for _ in range(keys))
    return Track(np.concatenate([[0.0], times, [span]]), rng.uniform(low, high, keys), ways)


def path(rng, size=70.0):
    """A point that goes somewhere in a second."""
    times = np.array([0.0, 0.3, 0.55, 1.0])
    return TargetKeys(Track(times, rng.uniform(-size, size, (4, 2))))


def random_rig(rng):
    """A limb that may stretch on a body that moves, a hand that aims, and a clip that keys everything."""
    limb = constraint(on_miss="stretch", max_stretch=0.2, softness=0.03, bend=int(rng.choice([-1, 1])))
    bones = {
        "body": {"x": track(rng, -20, 20), "rotation_deg": track(rng, -40, 40)},
        "upper": {"rotation_deg": track(rng, -300, 300)},
        "hand": {"rotation_deg": track(rng, -90, 90), "scale_y": track(rng, 0.5, 1.5)},
    }
    clip = Animation("move", bones=bones, targets={"arm": path(rng)},
                     mix={"arm": track(rng, 0, 1)}, bend={"arm": Track([0.0, 0.5], [1.0, -1.0])})  # fmt: skip
    aim = constraint("hand", ("hand",), (80.0, 80.0), mix=0.5)
    return arm(limb, aim, bones=HAND, animations={"move": clip})


def played(rig, name="move", fps=60):
    """A clip as a player without inverse kinematics shows it."""
    return rig.clip(name, fps)


def solved(rig, name="move", fps=60, targets=None):
    """A clip solved."""
    return er.solve(rig, rig.clip(name, fps), targets)[0]


def keys(rig, name="move"):
    """Bone and channel -> Track, of everything a clip keys."""
    return {(bone, c): t for bone, tracks in rig.animation(name).bones.items() for c, t in tracks.items()}


# The same pose ---------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=30)
@given(seeds, st.sampled_from([0.01, 0.1, 3.0]))
def test_every_tip_stays_within_the_tolerance(seed, tolerance):
    """At every sample no bone's tip is farther off the solved pose than asked, whatever moves the rig."""
    rig = random_rig(np.random.default_rng(seed))
    baked = er.bake(rig, tolerance=tolerance)
    off = distance(played(baked).tips(), solved(rig).tips())
    assert off.max() <= tolerance * (1 + 1e-9)
    assert not baked.constraints


@settings(deadline=None, max_examples=10)
@given(seeds)
def test_tolerance_0_keeps_the_pose(seed):
    """Every sample is a key, and the pose is the solved one but for the rounding of degrees."""
    rig = random_rig(np.random.default_rng(seed))
    baked = er.bake(rig, tolerance=0)
    wanted, got = solved(rig), played(baked)
    for name in KEYED:
        if name != "rotation":
            np.testing.assert_allclose(getattr(got, name), getattr(wanted, name), rtol=0, atol=1e-12, err_msg=name)
    turns = (got.rotation - wanted.rotation) / (2 * math.pi)
    np.testing.assert_allclose(turns, np.rint(turns), atol=1e-12)
    assert distance(got.tips(), wanted.tips()).max() < 1e-9


def smooth_rig(**more):
    """One arm and one slow way of its target."""
    t = np.linspace(0, 2, 9)
    way = Track(t, np.stack([40 + 25 * np.cos(t), 30 + 20 * np.sin(t)], -1))
    clip = Animation("move", targets={"arm": TargetKeys(way)}, **more)
    return arm(bones=HAND, animations={"move": clip})


def test_smooth_motion_needs_few_keys_and_a_looser_tolerance_fewer():
    """Keys are thinned out; with 0 every sample is one."""
    rig = smooth_rig()
    counts = [sum(map(len, keys(er.bake(rig, tolerance=t)).values())) for t in (0, 0.01, 0.1, 1.0)]
    assert counts[0] == 2 * 121
    assert counts == sorted(counts, reverse=True)
    assert counts[2] < counts[0] / 4
    assert len(set(counts)) == 4


def test_what_solving_did_not_change_keeps_its_own_keys():
    """Curves of other bones, and other channels of the same bone, come through as they were."""
    own = Track([0.0, 1.0], [0.0, 5.0], ((0.2, 1.0, 0.8, 4.0), None))
    rig = smooth_rig(bones={"body": {"x": own}, "hand": {"rotation_deg": own}, "upper": {"scale_y": own}})
    baked = keys(er.bake(rig))
    for place in (("body", "x"), ("hand", "rotation_deg"), ("upper", "scale_y")):
        assert baked[place].to_keys() == own.to_keys()
    assert set(baked) == {("body", "x"), ("hand", "rotation_deg"), ("upper", "scale_y"),
                          ("upper", "rotation_deg"), ("lower", "rotation_deg")}  # fmt: skip


def test_angles_do_not_spin_between_keys():
    """A hand that circles its shoulder four times turns on and on: no step of more than half a turn, none back."""
    t = np.linspace(0, 2, 121)
    turn = 8 * math.pi * t / 2
    way = Track(t, np.stack([60 * np.cos(turn), 60 * np.sin(turn)], -1))
    rig = arm(animations={"move": Animation("move", targets={"arm": TargetKeys(way)})})
    upper = keys(er.bake(rig))["upper", "rotation_deg"].values[:, 0]
    assert upper[-1] - upper[0] == pytest.approx(4 * 360, abs=0.5)
    fine = er.bake(rig).clip("move", 960).rotation[:, 1]
    assert np.abs(np.diff(fine)).max() < 0.1


def test_stretch_is_keyed_where_it_is_written():
    """The lower bone's offset and scale_x carry the stretch; the player's arm is as long as the solved one."""
    limb = constraint(on_miss="stretch", max_stretch=0.2)
    way = TargetKeys(Track([0.0, 1.0], [[60.0, 10.0], [105.0, 10.0]]))
    rig = arm(limb, bones=[*arm_bones()[:2], arm_bones()[2] | {"y": 5.0}],
              animations={"move": Animation("move", targets={"arm": way})})  # fmt: skip
    baked = er.bake(rig, tolerance=0.01)
    assert {("lower", "x"), ("lower", "y"), ("lower", "scale_x")} <= set(keys(baked))
    assert distance(tip(rig, played(baked)), tip(rig, solved(rig))).max() <= 0.01
    assert played(baked).scale_x[-1, 2] == pytest.approx(105.47 / 90.25, abs=0.01)


def test_a_limb_above_another_limb_is_baked_with_it():
    """A finger that reaches for a fixed point on an arm that moves stays on it in the player."""
    bones = [*arm_bones(), {"name": "finger", "parent": "lower", "x": LOWER, "length": 30},
             {"name": "nail", "parent": "finger", "x": 30, "length": 25}]  # fmt: skip
    rig = arm(constraint(), constraint("finger", ("finger", "nail"), (30.0, 40.0)), bones=bones,
              animations={"move": Animation("move", targets={"arm": path(np.random.default_rng(1), 40)})})  # fmt: skip
    baked = er.bake(rig, tolerance=0.05)
    assert distance(played(baked).tips(), solved(rig).tips()).max() <= 0.05
    assert {bone for bone, _ in keys(baked)} == {"upper", "lower", "finger", "nail"}


def test_a_held_limb_bakes_finite_keys():
    """A body that is squashed for some frames: keys without gaps, the held angles among them."""
    body = {"scale_x": Track([0.0, 0.5, 0.6], [1.0, 0.0, 1.0], ("stepped", "stepped", None))}
    way = path(np.random.default_rng(2))
    rig = arm(animations={"move": Animation("move", bones={"body": body}, targets={"arm": way})})
    baked = er.bake(rig, tolerance=0)
    np.testing.assert_allclose(unwrap(played(baked).rotation), unwrap(solved(rig).rotation), atol=1e-12)


# Which clips, which targets ----------------------------------------------------------------------------


def two_clips():
    """A rig with two animations of different length."""
    rng = np.random.default_rng(3)
    clips = {
        "walk": Animation("walk", fps=30, loop=True, targets={"arm": path(rng)}),
        "wave": Animation("wave", targets={"arm": TargetKeys(Track([0.0, 0.5], [[20.0, 50.0], [60.0, 20.0]]))}),
    }
    return arm(animations=clips)


def test_all_clips_or_the_named_ones_are_baked():
    """None means all; one name or several leave out the others, which nothing could play any more."""
    rig = two_clips()
    assert er.bake(rig).clips == ("walk", "wave")
    assert er.bake(rig, "wave").clips == ("wave",)
    assert er.bake(rig, ["wave", "walk"]).clips == ("wave", "walk")
    kept = er.bake(rig, "wave", keep_constraints=True)
    assert kept.clips == ("walk", "wave")
    assert kept.animation("walk") is rig.animation("walk")
    for name in rig.clips:
        assert distance(played(er.bake(rig), name).tips(), solved(rig, name).tips()).max() <= 0.1
    with pytest.raises(er.RigError, match=r'clip "wafe" does not exist \(did you mean "wave"\?\)'):
        er.bake(rig, ["walk", "wafe"])


def test_a_loop_stays_a_loop_and_lasts_as_long():
    """loop and duration are kept; fps becomes that of the samples."""
    baked = er.bake(two_clips(), fps=24)
    walk, wave = baked.animation("walk"), baked.animation("wave")
    assert (walk.loop, wave.loop) == (True, False)
    assert (walk.duration, wave.duration) == (1.0, 0.5)
    assert (walk.fps, wave.fps) == (24.0, 24.0)
    times = keys(er.bake(two_clips(), fps=24, tolerance=0), "walk")["upper", "rotation_deg"].times
    np.testing.assert_array_equal(times, np.arange(25) / 24)


WILD = ((0.1, 500.0, 0.3, -500.0), (0.6, 500.0, 0.9, -500.0))  # of which the second leads nowhere


@pytest.mark.parametrize("tracks", [{}, {"upper": {"rotation_deg": Track([0.0, 0.5], [10.0, 30.0], WILD)}}])
def test_a_clip_that_only_a_target_held_open_lasts_as_long(tracks):
    """Keys of mix and target that move nothing still took time: two seconds stay two seconds."""
    for mix in (0.0, 1.0):
        clip = Animation("move", bones=tracks, mix={"arm": Track([0.0, 2.0], [mix, mix])})
        rig = arm(animations={"move": clip})
        baked = er.bake(rig)
        assert baked.animation("move").duration == 2.0
        np.testing.assert_allclose(played(baked).tips(), solved(rig).tips(), atol=0.1)


def test_a_rig_without_clips_is_baked_at_rest_while_its_targets_move():
    """Keys, positions and fixed targets; the clip is called "targets" and lasts as long as the longest of them."""
    rig = arm(constraint(), constraint("hand", ("hand",)), bones=HAND)
    moved = TargetKeys(Track([0.0, 0.5], [[60.0, 0.0], [20.0, 60.0]]))
    spots = np.stack([np.linspace(60, 20, 13), np.linspace(0, 60, 13)], -1)
    for given_target, duration in ((moved, 0.5), (spots, 12 / 30), (er.Target(spots), 12 / 30), ((30.0, 60.0), 0.0)):
        targets = {"arm": given_target, "hand": er.Target((90.0, 90.0))}
        baked = er.bake(rig, targets=targets, fps=30, tolerance=0.01)
        assert baked.clips == ("targets",)
        assert baked.animation("targets").duration == duration
        got = tip(rig, played(baked, "targets", 30))
        ends = spots if duration else [(30.0, 60.0)]
        np.testing.assert_allclose(got[[0, -1]], np.asarray(ends, dtype=float)[[0, -1]], atol=0.01)
    both = er.bake(rig, targets={"arm": moved, "hand": spots[:4]}, fps=30)
    assert both.animation("targets").duration == 0.5


def test_targets_are_played_on_each_clips_clock():
    """Keys of a call go before the clip's own, and a Target or a row of positions works as in solve."""
    rig = two_clips()
    moved = TargetKeys(Track([0.0, 1.0], [[30.0, 40.0], [60.0, 30.0]]))
    baked = er.bake(rig, targets={"arm": moved}, tolerance=0.001)
    for name in rig.clips:
        t = played(rig, name).times
        np.testing.assert_allclose(tip(rig, played(baked, name)), np.stack([30 + 30 * t, 40 - 10 * t], -1), atol=0.002)
    fixed = er.bake(rig, "wave", targets={"arm": er.Target((50.0, 30.0))}, tolerance=0.001)
    np.testing.assert_allclose(tip(rig, played(fixed, "wave")), np.tile([50.0, 30.0], (31, 1)), atol=0.002)
    spots = np.stack([np.linspace(60, 20, 31), np.linspace(0, 60, 31)], -1)
    np.testing.assert_allclose(tip(rig, played(er.bake(rig, "wave", targets={"arm": spots}), "wave")), spots, atol=0.1)


def test_frames_and_body_stay_and_the_callers_frames_are_used():
    """A target in a frame of the record or of the call is baked where that frame is; record frames are kept."""
    frames = {"door": FrameSpec(x=Track([0.0, 1.0], [30.0, 50.0]), y=30)}
    limb = constraint(position=(5.0, 0.0), space="door")
    clip = Animation("move", bones={"body": {"x": Track([0.0, 1.0], [0.0, 9.0])}})
    rig = arm(limb, frames=frames, body="body", animations={"move": clip})
    baked = er.bake(rig, tolerance=0.001)
    t = played(rig).times
    np.testing.assert_allclose(tip(rig, played(baked)), np.stack([35 + 20 * t, 30 + 0 * t], -1), atol=0.002)
    assert baked.frames == rig.frames
    assert baked.body == "body"
    boat = er.bake(rig, frames={"door": affine.from_parts(10, 50, 0, 1, 1)}, tolerance=0.001)
    np.testing.assert_allclose(tip(rig, played(boat)), np.tile([15.0, 50.0], (61, 1)), atol=0.002)


# With constraints, or without -------------------------------------------------------------------------


def test_constraints_and_legs_go_together():
    """Without constraints there is nothing a leg could be made of; both go, silently, as documented."""
    rig = dataclasses.replace(smooth_rig(), legs=(Leg(constraint="arm"),))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        baked = er.bake(rig)
    assert (baked.constraints, baked.legs) == ((), ())
    move = baked.animation("move")
    assert [move.targets, move.mix, move.bend] == [{}, {}, {}]
    kept = er.bake(rig, keep_constraints=True)
    assert (kept.constraints, kept.legs) == (rig.constraints, rig.legs)


def test_kept_constraints_play_the_same_with_and_without_solving():
    """At mix 1 and 0 the keys hold what solving gives; targets of the call are keyed along with them."""
    rig, way = random_rig(np.random.default_rng(4)), path(np.random.default_rng(5))
    clip = dataclasses.replace(rig.animation("move"), mix={"arm": Track([0.0, 0.5], [1.0, 0.0], ("stepped", None))})
    rig = dataclasses.replace(rig, animations={"move": clip}, constraints=(constraint(softness=0.03),))
    spots = np.stack([np.linspace(60, 20, 61), np.linspace(0, 60, 61)], -1)
    for targets in ({}, {"arm": way}, {"arm": er.Target((20.0, 60.0), "body")}, {"arm": spots}):
        kept = er.bake(rig, targets=targets, tolerance=0.001, keep_constraints=True)
        wanted = solved(rig, targets=targets).tips()
        assert distance(played(kept).tips(), wanted).max() < 0.0011
        assert distance(solved(kept).tips(), wanted).max() < 0.01
    assert kept.animation("move").mix is clip.mix


def test_a_kept_constraint_does_not_stretch_twice():
    """Solving a baked rig whose constraints were kept gives the pose that solving the rig itself gives."""
    rig = smooth_rig()
    limb = constraint(on_miss=["stretch"], max_stretch=0.2, softness=0.05)
    spots = np.stack([np.linspace(40, 160, 121), np.linspace(0, 30, 121)], -1)
    rig = dataclasses.replace(rig, constraints=(limb,))
    wanted, found = er.solve(rig, rig.clip("move"), {"arm": spots})
    assert found["arm"].stretch.max() > 1.1
    kept = er.bake(rig, targets={"arm": spots}, tolerance=0, keep_constraints=True)
    again, same = er.solve(kept, kept.clip("move"))
    assert distance(again.tips(), wanted.tips()).max() < 1e-9
    np.testing.assert_allclose(same["arm"].stretch, found["arm"].stretch, atol=1e-12)


def test_a_kept_target_does_not_outlast_its_clip():
    """Target keys that go on after the clip are cut where it ends, and the pose is the same."""
    rig = smooth_rig()
    long = TargetKeys(Track([0.0, 5.0], [[20.0, 60.0], [90.0, 10.0]]), [0.0, 4.0], ("world", "body"), 0.1)
    kept = er.bake(rig, targets={"arm": long}, tolerance=0, keep_constraints=True)
    assert kept.animation("move").duration == rig.animation("move").duration
    wanted = er.solve(rig, rig.clip("move"), {"arm": long})[0].tips()
    assert distance(er.solve(kept, kept.clip("move"))[0].tips(), wanted).max() < 1e-9


def test_a_rig_without_constraints_comes_back_as_it_is():
    """There is nothing to bake; a clip or a target that does not exist is still said."""
    rig = er.Rig(er.Skeleton.from_bones(arm_bones()), animations={"move": Animation("move")})
    assert er.bake(rig) is rig
    with pytest.raises(er.RigError, match='clip "mofe" does not exist'):
        er.bake(rig, "mofe")
    with pytest.raises(er.InputError, match='targets: constraint "arm" does not exist'):
        er.bake(rig, targets={"arm": (1, 2)})


def fading(mix, target, *, fk=(-80.0, 10.0)):
    """Two bones of 60, keyed at angles of their own, and a mix for each frame at 10 frames a second."""
    bones = [{"name": "body"}, {"name": "upper", "parent": "body", "length": 60},
             {"name": "lower", "parent": "upper", "x": 60, "length": 60}]  # fmt: skip
    t = np.arange(len(mix)) / 10
    held = {bone: {"rotation_deg": Track([0.0], [angle])} for bone, angle in zip(("upper", "lower"), fk, strict=True)}
    clip = Animation("move", bones=held, mix={"arm": Track(t, np.array(mix, dtype=float))},
                     targets={"arm": TargetKeys(Track(t, np.array(target, dtype=float)))})  # fmt: skip
    return arm(bones=bones, animations={"move": clip})


def test_match_keeps_the_pose_of_the_last_full_mix_frame():
    """Without it a fading mix drops back to the keyed angles; with it frames 3 to 5 keep those of frame 2."""
    rig = fading([1, 1, 1, 0.5, 0, 0], [[90, 20]] * 6)
    plain = np.degrees(played(er.bake(rig, fps=10, tolerance=0), fps=10).rotation[:, 1:])
    np.testing.assert_allclose(plain[4:], np.tile([-80.0, 10.0], (2, 1)), atol=1e-9)
    np.testing.assert_allclose(plain[3], (plain[2] + plain[4]) / 2, atol=1e-9)
    baked = er.bake(rig, fps=10, tolerance=0.001, match=True)
    matched = played(baked, fps=10)
    np.testing.assert_allclose(np.degrees(matched.rotation[3:, 1:]), np.tile(plain[2], (3, 1)), atol=0.01)
    np.testing.assert_allclose(tip(rig, matched), np.tile([90.0, 20.0], (6, 1)), atol=0.01)
    kept = er.bake(rig, fps=10, tolerance=0, match=True, keep_constraints=True)
    off = er.solve(kept, kept.clip("move", 10))[0]
    np.testing.assert_allclose(np.degrees(off.rotation[:, 1:]), np.degrees(matched.rotation[:, 1:]), atol=0.01)


def test_match_holds_a_moved_root():
    """Where the mix ends the body stays where "move_root" has put it, by the keyed way it goes on from there."""
    rig = fading([1, 1, 1, 0.5, 0, 0], [[140, 20]] * 6)
    limb = dataclasses.replace(rig.constraints[0], on_miss=("move_root",), root="body", shift_half_life=0.05)
    sway = {"body": {"y": Track([0.0, 0.5], [0.0, 5.0])}}
    clip = dataclasses.replace(rig.animations["move"], bones={**rig.animations["move"].bones, **sway})
    rig = dataclasses.replace(rig, constraints=(limb,), animations={"move": clip})
    baked = er.bake(rig, fps=10, tolerance=0, match=True)
    matched, keyed = played(baked, fps=10), played(rig, fps=10)
    solved = er.solve(rig, keyed)[0]
    shift = np.stack([getattr(matched, c)[:, 0] - getattr(keyed, c)[:, 0] for c in "xy"], axis=-1)
    assert np.abs(shift[2]).max() > 5.0
    np.testing.assert_allclose(shift[3:], np.tile(shift[2], (3, 1)), atol=1e-9)
    np.testing.assert_allclose(matched.tips()[:3], solved.tips()[:3], atol=1e-9)


def test_match_leaves_the_character_where_it_was():
    """A root that was moved does not take a target in "character" with it, matched or not."""
    legs = [{"name": "thigh", "parent": "body", "length": 60, "rotation": -1.5},
            {"name": "shin", "parent": "thigh", "x": 60, "length": 60}]  # fmt: skip
    reaching = constraint(position=(100, 60), on_miss="move_root", root="body", shift_half_life=0.0)
    standing = constraint("leg", ("thigh", "shin"), (20, -80), "character")
    fade = Animation("move", mix={"arm": Track([0.0, 0.2, 0.4], [1.0, 1.0, 0.0])})
    rig = arm(reaching, standing, bones=[*arm_bones(), *legs], animations={"move": fade})
    assert np.abs(solved(rig).x[0, 0]) > 10.0
    for match in (False, True):
        feet = tip(rig, played(er.bake(rig, tolerance=0, match=match)), "shin")
        np.testing.assert_allclose(feet, np.tile([20.0, -80.0], (len(feet), 1)), atol=1e-9)


def test_match_fades_between_the_held_pose_and_the_target():
    """A target that goes on moving pulls as far as the mix says, out of the held pose, and in again without a pop."""
    mix = [0, 0.5, 1, 1, 0.5, 0, 0.5, 1]
    spots = np.stack([np.linspace(90, 60, 8), np.linspace(20, 80, 8)], -1)
    rig = fading(mix, spots)
    full = solved(fading([1] * 8, spots), fps=10)
    got = played(er.bake(rig, fps=10, tolerance=0, match=True), fps=10).rotation[:, 1:]
    keyed_pose = np.radians([-80.0, 10.0])
    ik = full.rotation[:, 1:]
    for i, (amount, base) in enumerate(zip(mix, [keyed_pose] * 2 + [ik[3]] * 6, strict=True)):
        np.testing.assert_allclose(got[i], base + amount * (ik[i] - base), atol=1e-9, err_msg=str(i))


# Files -----------------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=5)
@given(seed=seeds)
def test_a_baked_rig_is_saved_and_read_without_loss(seed, tmp_path_factory):
    """The file read again plays the same bits, and baking is done with: nothing is left to solve."""
    rng = np.random.default_rng(seed)
    baked = er.bake(random_rig(rng))
    file = tmp_path_factory.mktemp("baked") / "arm.rig.json"
    er.save(baked, file)
    again = er.load(file)
    one, other = played(baked), played(again)
    for name in KEYED:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    assert er.solve(again, other)[1] == {}


def test_arguments_that_do_not_fit_are_named():
    """An odd tolerance or fps, a target for nothing, a track where keys are needed."""
    rig = arm()
    for tolerance in (-1, math.nan, "0.1", None):
        with pytest.raises(er.InputError, match=r"tolerance: .* \(a length, 0 or more\)"):
            er.bake(rig, tolerance=tolerance)
    with pytest.raises(er.InputError, match=r"fps: 0 \(frames a second, above 0\)"):
        er.bake(rig, fps=0, targets={"arm": np.zeros((3, 2))})
    with pytest.raises(er.InputError, match='targets: constraint "leg" does not exist'):
        er.bake(rig, targets={"leg": (1, 2)})
    with pytest.raises(er.InputError, match='target of "arm": a sampled track is no keys'):
        er.bake(rig, targets={"arm": SampledTrack([[1, 2]])})
    with pytest.raises(er.RigError, match='clip "move" does not exist'):
        er.bake(rig, "move")


# Fewer keys ------------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=50)
@given(st.lists(st.floats(-100, 100), min_size=1, max_size=60), st.floats(0, 20))
def test_reduced_keys_stay_within_the_tolerance(values, tolerance):
    """A straight line between the keys that are left is nowhere farther off a sample than asked; ends are kept."""
    times, given_values = np.arange(len(values)) / 30, np.array(values)
    track = reduced(times, given_values, tolerance)
    assert np.abs(track.sample(times)[:, 0] - given_values).max() <= tolerance + 1e-12
    assert track.times[0] == times[0]
    assert set(track.times) <= set(times)


def test_a_straight_line_needs_two_keys_and_a_constant_one():
    """What says nothing new is left out."""
    times = np.arange(50) / 30
    assert len(reduced(times, 3 * times, 1e-9)) == 2
    assert len(reduced(times, np.full(50, 7.0), 0.0)) == 1
    assert len(reduced(times, np.abs(times - times[20]), 1e-9)) == 3
