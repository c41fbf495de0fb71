"""Targets in their spaces while a clip is solved: who moves with whom, changes of space, smoothing."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from limb_rigs import LOWER, UPPER, arm, arm_bones, constraint, distance, keyed, tip

import elbowroom as er
from elbowroom.rig import affine
from elbowroom.rig.animation import Animation, TargetKeys
from elbowroom.rig.frames import FrameSpec
from elbowroom.rig.keys import Track
from elbowroom.rig.track import SampledTrack

FRAMES = {
    "door": FrameSpec(x=40, y=30, rotation_deg=20, scale=(1.5, 0.5)),
    "knob": FrameSpec("door", x=5, y=-3, rotation_deg=-70),
    "cup": FrameSpec("body", x=10, y=2),
    "tray": FrameSpec("cup", rotation_deg=Track([0.0, 0.2], [0.0, 90.0]), y=4),
}
seeds = st.integers(0, 2**32 - 1)


def moving(rig, frames=7, **more):
    """A clip in which the body wanders, turns and grows."""
    t = np.arange(frames) / frames
    return keyed(rig, frames, x={"body": 15 * t}, y={"body": 6 * t * t}, rotation={"body": 0.4 * t},
                 scale_x={"body": 1 + 0.2 * t}, **more)  # fmt: skip


def rig_with(space, position=(18.0, 13.0), **more):
    """An arm that reaches for a point of a space."""
    return arm(constraint(position=position, space=space), frames=FRAMES, **more)


# Every space -----------------------------------------------------------------------------------------


def places(rig, clip, space, handed):
    """world_from_space (T, 2, 3) by the words of the record: a second way to it."""
    body = clip.world()[:, rig.skeleton.index("body")]
    turn = np.minimum(clip.times, 0.2) / 0.2 * math.pi / 2
    door = affine.from_parts(40, 30, math.radians(20), 1.5, 0.5)
    cup = affine.compose(body, affine.from_parts(10, 2, 0, 1, 1))
    known = {
        "world": affine.IDENTITY, "character": body, "body": body, "door": door, "cup": cup,
        "knob": affine.compose(door, affine.from_parts(5, -3, math.radians(-70), 1, 1)),
        "tray": affine.compose(cup, affine.from_parts(0, 4, turn, 1, 1)),
    }  # fmt: skip
    return np.broadcast_to((known | handed)[space], (len(clip), 2, 3))


@pytest.mark.parametrize("space", ["world", "character", "body", "door", "knob", "cup", "tray", "boat"])
def test_a_target_moves_with_its_space(space):
    """World, character, bone, fixed and keyed frames, frames on frames, the caller's frames: the hand stays on it."""
    point = (28.0, 35.0) if space == "world" else (18.0, 13.0)
    rig = rig_with("world" if space == "boat" else space, point)  # a record knows no frames of the caller
    handed = {"boat": affine.from_parts(np.linspace(20, 50, 7), 10, 0.3, 1, -1)}
    clip = moving(rig)
    goals = affine.apply(places(rig, clip, space, handed), point)
    solved, solutions = er.solve(rig, clip, {"arm": er.Target(point, space)}, frames=handed)
    assert solutions["arm"].reached.all()
    np.testing.assert_allclose(tip(rig, solved), goals, atol=1e-9)
    np.testing.assert_allclose(solutions["arm"].error, distance(tip(rig, solved), goals), atol=1e-12)
    if space != "boat":
        np.testing.assert_array_equal(er.solve(rig, clip)[0].rotation, solved.rotation)


def test_the_callers_frame_goes_before_the_records():
    """A frame handed to solve replaces the one of that name, also under what hangs on it."""
    rig = rig_with("knob", (0.0, 0.0))
    handed = {"door": affine.from_parts(50, 20, 0, 1, 1)}
    solved, _ = er.solve(rig, rig.skeleton.rest_pose(), frames=handed)
    np.testing.assert_allclose(tip(rig, solved), (55, 17), atol=1e-9)


def test_a_pose_sees_keyed_frames_at_time_0():
    """Without a clock the rig's frames stand as at the start."""
    rig = rig_with("tray", (20.0, 0.0))
    solved, _ = er.solve(rig, rig.skeleton.rest_pose())
    np.testing.assert_allclose(tip(rig, solved), (30, 6), atol=1e-9)


@pytest.mark.parametrize(
    ("space", "frames", "kind", "text"),
    [
        ("dor", {}, er.RigError, r'space "dor" does not exist \(did you mean "door"\? known: world, character'),
        ("lower", {}, er.RigError, 'target of "arm": space "lower" moves with bone "upper", which this target drives'),
        ("ring", {}, er.RigError, 'target of "arm": space "ring" moves with bone "upper"'),
        ("box", {"box": np.zeros((3, 2, 3))}, er.RigError, 'space "box" is squashed to a point at frame 0'),
        ("box", {"box": np.tile(affine.IDENTITY, (3, 1, 1))}, er.InputError,
         r'frames: "box" has shape \(3, 2, 3\) \(give \(2, 3\) or \(7, 2, 3\)\)'),
        ("box", {"box": np.eye(2)}, er.InputError, r'space "box": shape \(2, 2\)'),
        ("world", {"body": affine.IDENTITY}, er.InputError, 'frames: "body" is a space already'),
    ],
)  # fmt: skip
def test_spaces_that_do_not_fit_are_named(space, frames, kind, text):
    """Unknown, moved by the limb itself, squashed, not one a frame, taken: said with the name."""
    rig = arm(frames=FRAMES | {"ring": FrameSpec("lower")}, bones=[*arm_bones(), {"name": "prop", "parent": "body"}])
    with pytest.raises(kind, match=text):
        er.solve(rig, moving(rig), {"arm": er.Target((5.0, 0.0), space)}, frames=frames)


def test_the_limbs_own_space_is_free_when_the_caller_hands_it_in():
    """A frame of the record that would ride on the limb can be replaced by one that does not."""
    rig = arm(frames={"ring": FrameSpec("lower")})
    handed = {"ring": affine.from_parts(30, 40, 0, 1, 1)}
    solved, _ = er.solve(rig, rig.skeleton.rest_pose(), {"arm": er.Target((0.0, 0.0), "ring")}, frames=handed)
    np.testing.assert_allclose(tip(rig, solved), (30, 40), atol=1e-9)


# Changes of space ------------------------------------------------------------------------------------


def switching(blend, *, smooth=None):
    """A clip of one second: the hand goes from the world to the door and on to the body, positions keyed in each."""
    keys = TargetKeys(
        Track([0.0, 0.2, 0.4, 0.55, 0.7, 1.0], [[20, 50], [60, 30], [10, 5], [12, -6], [40, 20], [30, 40]]),
        [0.0, 0.4, 0.7], ("world", "door", "body"), blend,
    )  # fmt: skip
    body = {"x": Track([0.0, 1.0], [0.0, 30.0]), "rotation_deg": Track([0.0, 1.0], [0.0, 25.0])}
    clip = Animation("reach", bones={"body": body}, targets={"arm": keys})
    return arm(constraint(smooth=smooth), frames=FRAMES, animations={"reach": clip})


def test_a_blended_change_of_space_does_not_pop():
    """Sampled finely enough no step of the hand is larger than the speed allows; without a blend it does jump."""
    for blend, pops in ((0.15, False), (0.0, True)):
        rig = switching(blend)
        solved, solutions = er.solve(rig, rig.clip("reach", 600))
        assert solutions["arm"].reached.all()
        steps = distance(tip(rig, solved)[1:], tip(rig, solved)[:-1])
        assert (steps.max() > 5.0) == pops
        assert steps.max() < 2.0 or pops


def test_before_a_blend_and_after_it_the_hand_is_exactly_in_its_space():
    """Weight 0 is the old space's point, weight 1 the new one's, between them a point on the way."""
    rig = switching(0.15)
    solved, _ = er.solve(rig, clip := rig.clip("reach", 100))
    hand, t = tip(rig, solved), clip.times
    world_from_door = rig.local_frames()["door"][1]
    old = np.stack([np.interp(t, [0, 0.2], [20, 60]), np.interp(t, [0, 0.2], [50, 30])], -1)
    new = np.stack([np.interp(t, [0.4, 0.55], [10, 12]), np.interp(t, [0.4, 0.55], [5, -6])], -1)
    new = affine.apply(world_from_door, new)
    before, after = t <= 0.4, (t > 0.549) & (t < 0.7)
    np.testing.assert_allclose(hand[before], old[before], atol=1e-9)
    np.testing.assert_allclose(hand[after], new[after], atol=1e-9)
    half = np.flatnonzero(np.isclose(t, 0.475))
    weight = 0.5**2 * (3 - 2 * 0.5)
    for i in half:
        np.testing.assert_allclose(hand[i], (1 - weight) * old[i] + weight * new[i], atol=1e-9)


@settings(deadline=None, max_examples=20)
@given(seeds)
def test_any_track_is_between_its_two_points(seed):
    """A sampled track with any weights: the hand is at (1 − w)·before + w·position, both carried to the world."""
    rng = np.random.default_rng(seed)
    rig = arm(constraint(), frames=FRAMES)
    clip, names = moving(rig), rng.choice(["world", "door", "body", "tray"], (2, 7))
    position, before = rng.uniform(0, 25, (2, 7, 2))
    weight = rng.choice([0.0, 1.0, 0.25, 0.7], 7)
    track = SampledTrack(position, names[0].tolist(), before, names[1].tolist(), weight)
    new, old = (
        affine.apply(np.stack([places(rig, clip, name, {})[i] for i, name in enumerate(row)]), points)
        for row, points in zip(names, (position, before), strict=True)
    )
    goals = weight[:, None] * new + (1 - weight[:, None]) * old
    solved, solutions = er.solve(rig, clip, {"arm": track})
    np.testing.assert_allclose(solutions["arm"].error, distance(tip(rig, solved), goals), atol=1e-9)
    assert solutions["arm"].reached.sum() > 2


# Things that move in the same frame -------------------------------------------------------------------


def test_a_target_on_a_bone_that_a_constraint_moved_is_where_the_bone_is_now():
    """One hand holds a sword whose hilt the other hand drives: no frame late, whatever is keyed."""
    bones = [
        *arm_bones(), {"name": "sword", "parent": "lower", "x": LOWER, "length": 60},
        {"name": "left", "parent": "body", "x": 10, "length": 40},
        {"name": "left-lower", "parent": "left", "x": 40, "length": 40},
    ]  # fmt: skip
    left = constraint("left", ("left", "left-lower"), (20.0, 0.0), "sword")
    rig = arm(constraint(), left, bones=bones)
    goals = np.stack([np.linspace(20, 40, 7), np.linspace(0, 45, 7)], axis=-1)
    solved, solutions = er.solve(rig, moving(rig), {"arm": goals})
    assert solutions["left"].reached.all()
    sword = solved.world()[:, rig.skeleton.index("sword")]
    np.testing.assert_allclose(tip(rig, solved, "left-lower"), affine.apply(sword, (20.0, 0.0)), atol=1e-9)


def test_a_limb_that_hangs_on_another_limb_starts_from_where_that_is():
    """A finger on a hand: solved after it, it begins on the moved hand; solved before it, it loses its target."""
    bones = [*arm_bones(), {"name": "finger", "parent": "lower", "x": LOWER, "length": 9},
             {"name": "nail", "parent": "finger", "x": 9, "length": 6}]  # fmt: skip
    finger = constraint("finger", ("finger", "nail"), (10.0, 60.0))
    rig = arm(constraint(position=(0.0, 58.0)), finger, bones=bones)
    solved, solutions = er.solve(rig, rig.skeleton.rest_pose())
    np.testing.assert_allclose(solutions["finger"].joints[0], tip(rig, solved), atol=1e-12)
    assert solutions["finger"].reached
    turned = er.solve(arm(finger, constraint(position=(0.0, 58.0)), bones=bones), rig.skeleton.rest_pose())[1]
    assert not turned["finger"].reached
    assert turned["finger"].why != 0


# Smoothing -------------------------------------------------------------------------------------------


def noisy(frames, rng, around):
    """A point that trembles."""
    return np.asarray(around) + rng.normal(0.0, 0.5, (frames, 2))


def test_smoothing_happens_in_the_declared_space():
    """A foot planted in the world stays planted under a shaking hip; a hand held to the body rides with it."""
    rig = arm(constraint(smooth="savgol"))
    rng, frames = np.random.default_rng(2), 40
    clip = keyed(rig, frames, x={"body": rng.normal(0, 4, frames)}, rotation={"body": rng.normal(0, 0.2, frames)})
    solved, _ = er.solve(rig, clip, {"arm": np.tile([50.0, 30.0], (frames, 1))})
    assert distance(tip(rig, solved), (50.0, 30.0)).max() < 1e-9
    held = er.Target(np.tile([50.0, 30.0], (frames, 1)), "body")
    solved, _ = er.solve(rig, clip, {"arm": held})
    body = clip.world()[:, 0]
    assert distance(tip(rig, solved), affine.apply(body, (50.0, 30.0))).max() < 1e-9


@pytest.mark.parametrize("method", ["savgol", {"method": "savgol", "window": 7, "order": 2}])
def test_smoothing_is_the_public_filter_and_error_counts_from_its_result(method):
    """Target, array and track are smoothed alike, by `smooth`; a pose, having no time, is not."""
    rig, plain = arm(constraint(smooth=method)), arm()
    points = noisy(30, np.random.default_rng(4), (55, 25))
    options = method if isinstance(method, dict) else {"method": method}
    wanted = er.smooth(points, 30, **options)
    clip = moving(rig, 30)
    for given_target in (points, er.Target(points), SampledTrack(points)):
        solved, solutions = er.solve(rig, clip, {"arm": given_target})
        np.testing.assert_allclose(tip(rig, solved), wanted, atol=1e-9)
        assert solutions["arm"].reached.all()
    pose = er.Pose(rig.skeleton, x=clip.x)
    np.testing.assert_array_equal(
        er.solve(rig, pose, {"arm": points})[0].rotation, er.solve(plain, pose, {"arm": points})[0].rotation
    )


def test_smoothing_never_reaches_across_a_change_of_space():
    """Each run in a space is filtered by itself: numbers of one space have no business in the other."""
    rig, rng = arm(constraint(smooth="savgol"), frames=FRAMES), np.random.default_rng(5)
    points = np.concatenate([noisy(20, rng, (55, 25)), noisy(20, rng, (6, 4))])
    track = SampledTrack(points, ["world"] * 20 + ["door"] * 20)
    clip = moving(rig, 40)
    solved, _ = er.solve(rig, clip, {"arm": track})
    door = rig.local_frames()["door"][1]
    wanted = np.concatenate([er.smooth(points[:20], 30), affine.apply(door, er.smooth(points[20:], 30))])
    np.testing.assert_allclose(tip(rig, solved), wanted, atol=1e-9)


def test_a_smoothed_target_changes_space_without_a_pop():
    """A blend begins where the smoothed run before it has ended, also when it goes from a space to itself."""
    rng, frames = np.random.default_rng(6), 40
    for second in ("door", "world"):
        rig = arm(constraint(smooth="savgol"), frames=FRAMES)
        first = noisy(20, rng, (55, 25))
        new = noisy(20, rng, (6, 4) if second == "door" else (30, 50))
        points = np.concatenate([first, new])
        before = np.concatenate([first, np.tile(first[-1], (20, 1))])
        weight = np.ones(frames)
        weight[20:30] = np.linspace(0, 1, 10)
        track = SampledTrack(points, ["world"] * 20 + [second] * 20, before, "world", weight)
        solved, _ = er.solve(rig, keyed(rig, frames), {"arm": track})
        hand = tip(rig, solved)
        np.testing.assert_allclose(hand[19], er.smooth(first, 30)[-1], atol=1e-9)
        np.testing.assert_allclose(hand[20], hand[19], atol=1e-9)


def test_a_smoother_that_cannot_work_names_its_constraint():
    """An even window is refused with the limb it was meant for."""
    rig = arm(constraint(smooth={"method": "savgol", "window": 4}))
    with pytest.raises(er.RigError, match=r'^constraint "arm": smooth window: 4 \(give an odd number'):
        er.solve(rig, moving(rig, 20), {"arm": np.zeros((20, 2))})


def test_reach_grows_with_the_body():
    """A target at the reach of an unscaled limb is near for one whose body is twice as big."""
    rig = arm()
    clip = keyed(rig, 2, scale_x={"body": [1.0, 2.0]}, scale_y={"body": [1.0, 2.0]})
    solution = er.solve(rig, clip, {"arm": (UPPER + LOWER + 10.0, 0.0)})[1]["arm"]
    np.testing.assert_array_equal(solution.why, [er.Why.FAR, 0])
    np.testing.assert_allclose(solution.error, [10.0, 0.0], atol=1e-9)
