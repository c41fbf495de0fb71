"""Moving the root: the least shift that lets every limb reach, what caps and smooths it, and what it leaves alone."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from limb_rigs import KEYED, constraint, distance, keyed
from scipy.optimize import minimize_scalar

import elbowroom as er
from elbowroom.formats.tracks import load_targets
from elbowroom.kernel.reach import soften
from elbowroom.rig import affine
from elbowroom.rig.rig import Rig
from elbowroom.rig.track import SampledTrack
from elbowroom.solve.root import shifts, windowed

TURN = 2.0 * np.pi
UPPER, LOWER = 50.0, 40.0


def legs(count, roots, *, sizes=None, root=None, settings=(), **every):
    """A hip with `count` legs at `roots` (count, 2), whose constraints all move it."""
    bones = [{"name": "body", **(root or {})}, {"name": "hip", "parent": "body"}]
    limbs = []
    for i in range(count):
        a, b = (UPPER, LOWER) if sizes is None else sizes[i]
        x, y = roots[i]
        bones += [
            {"name": f"thigh{i}", "parent": "hip", "x": x, "y": y, "length": a},
            {"name": f"shin{i}", "parent": f"thigh{i}", "x": a, "length": b},
        ]
        more = {"on_miss": "move_root", "root": "hip", **every, **(settings[i] if settings else {})}
        limbs.append(constraint(f"leg{i}", (f"thigh{i}", f"shin{i}"), **more))
    return Rig(er.Skeleton.from_bones(bones), tuple(limbs))


def moved(rig, targets, keyed_pose=None):
    """The shift of the hip, (..., 2), and the solutions of legs 0, 1, … with targets (count, ..., 2)."""
    pose = rig.skeleton.rest_pose() if keyed_pose is None else keyed_pose
    solved, solutions = er.solve(rig, pose, {f"leg{i}": np.asarray(at) for i, at in enumerate(targets)})
    return shifts(rig, pose, solved)["hip"], [solutions[f"leg{i}"] for i in range(len(targets))]


# The least shift, against a search that shares nothing with it ---------------------------------------


def reaches(step, a, b, limits, bend, slack=0.0):
    """Whether limbs reach points (..., 2) from their root within limits, on the bend's side, by the law of cosines."""
    d = np.linalg.norm(step, axis=-1)
    inside = (d <= a + b + slack) & (d >= abs(a - b) - slack)
    cosine = np.clip((d * d - a * a - b * b) / (2 * a * b), -1.0, 1.0)
    ok = np.zeros(d.shape, dtype=bool)
    for side in (1, -1) if bend == 0 else (bend,):
        elbow = -side * np.arccos(cosine)
        first = np.arctan2(step[..., 1], step[..., 0]) - np.arctan2(b * np.sin(elbow), a + b * np.cos(elbow))
        fits = np.ones(d.shape, dtype=bool)
        for angle, (low, high) in zip((first, elbow), limits, strict=True):
            fits &= (angle - low + slack) % TURN <= high - low + 2 * slack
        ok |= fits
    return ok & inside


def all_reach(shift, roots, targets, sizes, settings):
    """Whether every leg reaches after shifts (..., 2)."""
    parts = zip(targets, roots, sizes, settings, strict=True)
    return np.all([reaches(t - r - shift, *size, s["limits"], s["bend"]) for t, r, size, s in parts], axis=0)


def searched(roots, targets, sizes, settings):
    """The least shift by looking: rays in every direction, their first points that suit all, the best one refined."""

    def first(angle, scan):
        along = np.stack([np.cos(angle), np.sin(angle)], -1)
        ok = all_reach(along[..., None, :] * scan[:, None], roots, targets, sizes, settings)
        hit = np.argmax(ok, -1)
        low, high = scan[np.maximum(hit - 1, 0)], scan[hit]
        for _ in range(60):
            middle = 0.5 * (low + high)
            suits = all_reach(along * middle[..., None], roots, targets, sizes, settings)
            low, high = np.where(suits, low, middle), np.where(suits, middle, high)
        return np.where(ok.any(-1), high, np.inf)

    scan, angles = np.linspace(0.0, 260.0, 521), np.linspace(0.0, TURN, 721)
    found = first(angles, scan)
    if not np.isfinite(found).any():
        return np.inf
    best = float(angles[np.argmin(found)])
    near = np.linspace(max(found.min() - 2.0, 0.0), found.min() + 2.0, 401)

    def at(angle):
        return min(float(first(np.array([angle]), near)[0]), 1e3)

    around = minimize_scalar(at, bounds=(best - 0.02, best + 0.02), method="bounded", options={"xatol": 1e-13})
    return min(float(around.fun), float(found.min()))


def random_case(rng, count):
    """Legs of any size and limits, with targets that one shift at least brings within reach of all."""
    sizes, roots, shift = rng.uniform(25, 60, (count, 2)), rng.uniform(-15, 15, (count, 2)), rng.uniform(-40, 40, 2)
    settings, targets = [], []
    for (a, b), root in zip(sizes, roots, strict=True):
        bend = int(rng.choice([1, -1, 0]))
        low, width = rng.uniform(-4, 3), rng.uniform(0.8, 5)
        inner, outer = np.sort(rng.uniform(0, 3.1, 2))
        elbow = {1: (-outer, -inner), -1: (inner, outer), 0: (-inner, outer)}[bend]
        settings.append({"bend": bend, "limits": [(low, low + width), elbow]})
        first, second = low + rng.uniform(0, width), rng.uniform(*elbow)
        turned = np.array([[np.cos(first), np.sin(first)], [np.cos(first + second), np.sin(first + second)]])
        targets.append(root + shift + (a, b) @ turned)
    return roots, np.array(targets), sizes, settings


@pytest.mark.parametrize(("count", "cases"), [(1, 6), (2, 6), (3, 6), (4, 6)])
def test_the_shift_of_limited_legs_is_the_least(count, cases):
    """1 to 4 limited legs: all reach, and a dense search with refinement finds no shift less by 1e-9 of the reach."""
    rng, feasible = np.random.default_rng(count), 0
    for _ in range(cases):
        roots, targets, sizes, settings = random_case(rng, count)
        least = searched(roots, targets, sizes, settings)
        if not np.isfinite(least):
            continue
        feasible += 1
        shift, solutions = moved(legs(count, roots, sizes=sizes, settings=settings), targets)
        slack = 1e-9 * sizes.sum(-1)
        assert all(s.error <= most for s, most in zip(solutions, slack, strict=True))
        assert np.linalg.norm(shift) <= least + slack.max()
    assert feasible > cases // 2


def test_legs_without_limits_meet_the_same_search():
    """Two annuli: the shift is the search's to 1e-7 in both directions."""
    rng = np.random.default_rng(7)
    free = [{"bend": 1, "limits": [(-10.0, 10.0), (-10.0, 10.0)]}] * 2
    for _ in range(6):
        roots, targets = rng.uniform(-15, 15, (2, 2)), rng.uniform(-110, 110, (2, 2))
        sizes = rng.uniform(40, 70, (2, 2))
        least = searched(roots, targets, sizes, free)
        shift, solutions = moved(legs(2, roots, sizes=sizes), targets)
        if np.isfinite(least):
            assert max(float(s.error) for s in solutions) <= 1e-7
            assert np.linalg.norm(shift) == pytest.approx(least, abs=1e-7)


def test_one_leg_moves_by_what_it_misses():
    """The least shift of one limb is its miss, with limits and without, and closes it."""
    rng = np.random.default_rng(3)
    targets = rng.uniform(-150, 150, (200, 2))
    for limits in (None, [(-2.5, 0.5), (-2.0, -0.2)]):
        missing = legs(1, [(0, 0)], limits=limits, on_miss="accept")
        error = er.solve(missing, missing.skeleton.rest_pose(), {"leg0": targets})[1]["leg0"].error
        shift, (solution,) = moved(legs(1, [(0, 0)], limits=limits), [targets])
        np.testing.assert_allclose(distance(shift, 0.0), np.where(error > 9e-8, error, 0.0), rtol=0, atol=2e-7)
        assert solution.reached.all()


def test_the_hip_drops_for_a_low_foot():
    """Two legs on one hip: a foot on a lower step pulls the hip straight down when the other allows it."""
    rig = legs(2, [(0, 0), (0, 0)])
    shift, solutions = moved(rig, [(0.0, -60.0), (0.0, -100.0)])
    np.testing.assert_allclose(shift, [0.0, -10.0], atol=1e-9)
    assert all(s.reached for s in solutions)


def test_nothing_moves_while_all_reach():
    """Limbs that reach leave the root where it is keyed, to the bit."""
    rig = legs(2, [(-5, 0), (5, 0)])
    pose, _ = er.solve(rig, rig.skeleton.rest_pose(), {"leg0": (10, -60), "leg1": (-20, -70)})
    np.testing.assert_array_equal(pose.x, rig.skeleton.rest["x"])
    np.testing.assert_array_equal(pose.y, rig.skeleton.rest["y"])


def test_a_leg_that_cannot_join_keeps_its_miss():
    """The first limb that leaves no shift for those before it is left out; the others move as without it."""
    roots = [(-5, 0), (5, 0), (0, 0)]
    targets = [(-60.0, -80.0), (30.0, -90.0), (40.0, 200.0)]
    alone, _ = moved(legs(2, roots[:2]), targets[:2])
    shift, solutions = moved(legs(3, roots), targets)
    np.testing.assert_allclose(shift, alone, atol=1e-9)
    assert [bool(s.reached) for s in solutions] == [True, True, False]
    assert solutions[2].error > 50.0
    assert er.Why.FAR in er.Why(int(solutions[2].why))


def test_a_leg_after_the_one_left_out_still_counts():
    """Order is that of the constraints: the second leaves no shift, the third still pulls."""
    roots = [(0, 0)] * 3
    _, solutions = moved(legs(3, roots), [(0.0, -95.0), (0.0, 200.0), (30.0, -100.0)])
    assert [bool(s.reached) for s in solutions] == [True, False, True]


# What frames, mirrors and turns do to it -------------------------------------------------------------


@pytest.mark.parametrize("mirror", [1.0, -1.0])
def test_the_shift_turns_and_mirrors_with_the_parent(mirror):
    """Under a parent that is turned, scaled and mirrored the shift is the image of the one without it."""
    rng = np.random.default_rng(11)
    limits = [(-2.5, 0.5), (-2.0, -0.2)]
    roots, local = [(-5, 0), (5, 0)], rng.uniform(-90, 90, (2, 40, 2))
    there = {"x": 30.0, "y": -8.0, "rotation": 0.7, "scale_x": 1.5, "scale_y": 1.5 * mirror}
    frame = affine.from_parts(*there.values())
    plain, before = moved(legs(2, roots, limits=limits), local)
    shift, after = moved(legs(2, roots, limits=limits, root=there), affine.apply(frame, local))
    frame[..., 2] = 0.0
    np.testing.assert_allclose(shift, affine.apply(frame, plain), atol=1e-8)
    for one, other in zip(before, after, strict=True):
        np.testing.assert_array_equal(one.reached, other.reached)


def test_a_target_that_rides_on_the_root_takes_no_part():
    """A target in the hip's space keeps its miss; one in the character's space does not move with the shift."""
    own = [{"space": "hip"}, {}]
    rig = legs(2, [(0, 0), (0, 0)], settings=own)
    targets = {"leg0": er.Target((200, 0), "hip"), "leg1": (0.0, -100.0)}
    pose, solutions = er.solve(rig, rig.skeleton.rest_pose(), targets)
    np.testing.assert_allclose(shifts(rig, rig.skeleton.rest_pose(), pose)["hip"], [0.0, -10.0], atol=1e-9)
    assert solutions["leg1"].reached
    assert solutions["leg0"].error == pytest.approx(110.0)
    whole = legs(1, [(0, 0)], settings=[{"root": "body"}])
    pose, solutions = er.solve(whole, whole.skeleton.rest_pose(), {"leg0": er.Target((0, -100), "character")})
    np.testing.assert_allclose(shifts(whole, whole.skeleton.rest_pose(), pose)["body"], [0.0, -10.0], atol=1e-9)
    assert solutions["leg0"].reached


def test_a_clip_s_frame_takes_part_only_while_its_target_does_not_ride():
    """A keyed target that changes from the hip's space to the world pulls from then on."""
    rig = legs(1, [(0, 0)], shift_half_life=0.0)
    track = SampledTrack([[0, -120.0]] * 4, ["hip", "hip", "world", "world"])
    clip = keyed(rig, 4, tracks={"leg0": track})
    solved, _ = er.solve(rig, clip)
    np.testing.assert_allclose(shifts(rig, clip, solved)["hip"][:, 1], [0, 0, -30, -30], atol=1e-9)


# Order of strategies, softness, cap, mix -------------------------------------------------------------


def test_stretch_before_the_root_enters_with_all_it_can_reach():
    """["stretch", "move_root"]: the root closes what the capped stretch leaves; the other way round none is left."""
    first, (one,) = moved(legs(1, [(0, 0)], on_miss=["stretch", "move_root"], max_stretch=0.1), [(0.0, -120.0)])
    np.testing.assert_allclose(first, [0.0, -21.0], atol=1e-9)
    assert one.reached
    assert one.stretch == pytest.approx(1.1)
    later, (two,) = moved(legs(1, [(0, 0)], on_miss=["move_root", "stretch"], max_stretch=0.1), [(0.0, -120.0)])
    np.testing.assert_allclose(later, [0.0, -30.0], atol=1e-9)
    assert two.reached
    assert two.stretch == pytest.approx(1.0)


def test_stretch_takes_over_what_the_cap_leaves():
    """A later stretch closes the rest of a capped shift, with the least factor."""
    more = {"on_miss": ["move_root", "stretch"], "max_stretch": 0.5, "max_shift": 12.0}
    shift, (solution,) = moved(legs(1, [(0, 0)], **more), [(0.0, -120.0)])
    np.testing.assert_allclose(shift, [0.0, -12.0], atol=1e-9)
    assert solution.reached
    assert solution.stretch == pytest.approx(108.0 / 90.0)


def test_the_root_goes_to_where_softening_begins():
    """Softness: unstretched to L − s, with an earlier stretch to the d where d / softened d is 1 + max_stretch."""
    reach = UPPER + LOWER
    shift, (solution,) = moved(legs(1, [(0, 0)], softness=0.1), [(0.0, -120.0)])
    np.testing.assert_allclose(shift, [0.0, 0.9 * reach - 120.0], atol=1e-9)
    assert solution.reached
    more = {"on_miss": ["stretch", "move_root"], "max_stretch": 0.08, "softness": 0.1}
    shift, (solution,) = moved(legs(1, [(0, 0)], **more), [(0.0, -120.0)])
    d = 120.0 + float(shift[1])
    assert d / soften(d, reach, 0.1) == pytest.approx(1.08, abs=1e-9)
    assert solution.error <= 1e-9 * reach


def test_the_dead_zone_pushes_the_root_away():
    """A target inside the dead zone is cured by the shortest way out, as far as inner softness asks."""
    for inner, out in ((0.0, 30.0), (0.1, 38.0)):
        rig = legs(1, [(0, 0)], sizes=[(55.0, 25.0)], inner_softness=inner)
        shift, (solution,) = moved(rig, [(0.0, -10.0)])
        np.testing.assert_allclose(shift, [0.0, out - 10.0], atol=1e-9)
        assert solution.reached


def test_stretch_with_limits_before_the_root_reaches():
    """A limited leg that may stretch and then move its root reaches all, with no more shift than unstretched."""
    rng = np.random.default_rng(5)
    targets = rng.uniform(-120, 120, (60, 2))
    limits = [(-2.5, 0.5), (-2.0, -0.2)]
    most, _ = moved(legs(1, [(0, 0)], limits=limits), [targets])
    more = {"on_miss": ["stretch", "move_root"], "max_stretch": 0.1}
    shift, (solution,) = moved(legs(1, [(0, 0)], limits=limits, **more), [targets])
    assert solution.reached.all()
    assert (distance(shift, 0.0) <= distance(most, 0.0) + 1e-7).all()


def test_the_cap_holds():
    """|shift| never exceeds max_shift, and is exactly that where more was asked."""
    rng = np.random.default_rng(2)
    targets = rng.uniform(-200, 200, (2, 100, 2))
    free, _ = moved(legs(2, [(-5, 0), (5, 0)]), targets)
    shift, _ = moved(legs(2, [(-5, 0), (5, 0)], max_shift=6.0), targets)
    np.testing.assert_allclose(distance(shift, 0), np.minimum(distance(free, 0), 6.0), atol=1e-9)


def test_mix_scales_the_shift():
    """Half the mix is half the shift, after the cap; without mix nothing moves; the shift fades with who needs it."""
    for mix in (1.0, 0.5, 0.0):
        shift, _ = moved(legs(1, [(0, 0)], mix=mix, max_shift=20.0), [(0.0, -120.0)])
        np.testing.assert_allclose(shift, [0.0, -20.0 * mix], atol=1e-9)
    for mix in (1.0, 0.25, 0.0):
        rig = legs(2, [(0, 0), (0, 0)], settings=[{}, {"mix": mix}])
        shift, _ = moved(rig, [(0.0, -80.0), (0.0, -100.0)])
        np.testing.assert_allclose(shift, [0.0, -10.0 * mix], atol=1e-9)


def test_one_bone_that_aims_moves_its_root_onto_the_target():
    """A single bone, with and without limits: the shift closes its error with the least way."""
    bones = [{"name": "hip"}, {"name": "beak", "parent": "hip", "length": 30.0}]
    skeleton = er.Skeleton.from_bones(bones)
    for limits, wanted in ((None, (10.0, 0.0)), ([(0.5 * np.pi, np.pi)], (40.0, -30.0))):
        rig = Rig(skeleton, (constraint("peck", ("beak",), on_miss="move_root", root="hip", limits=limits),))
        pose, solutions = er.solve(rig, skeleton.rest_pose(), {"peck": (40.0, 0.0)})
        np.testing.assert_allclose(shifts(rig, skeleton.rest_pose(), pose)["hip"], wanted, atol=1e-9)
        assert solutions["peck"].error <= 1e-9


# Clips -----------------------------------------------------------------------------------------------


def busy_clip(rig, rng, frames=9):
    """A clip whose hip is keyed here and there, and targets for two legs."""
    channels = {"x": {"hip": rng.uniform(-9, 9, frames)}, "rotation": {"body": rng.uniform(-1, 1, frames)}}
    return keyed(rig, frames, **channels), rng.uniform(-90, 90, (2, frames, 2))


def test_without_smoothing_a_frame_of_a_clip_is_that_frame_alone():
    """shift_half_life 0: every frame has the bits of the single pose."""
    rng = np.random.default_rng(4)
    rig = legs(2, [(-5, 0), (5, 0)], limits=[(-2.5, 0.5), (-2.0, -0.2)], shift_half_life=0.0)
    clip, targets = busy_clip(rig, rng)
    whole, _ = er.solve(rig, clip, {"leg0": targets[0], "leg1": targets[1]})
    for i in range(len(clip)):
        alone, _ = er.solve(rig, clip[i], {"leg0": targets[0, i], "leg1": targets[1, i]})
        for name in KEYED:
            np.testing.assert_array_equal(getattr(whole, name)[i], getattr(alone, name), err_msg=name)


def test_a_single_pose_is_not_smoothed():
    """shift_half_life is of clips; a pose gets the whole shift."""
    shift, (solution,) = moved(legs(1, [(0, 0)], shift_half_life=2.0), [[(0.0, -100.0), (0.0, -50.0)]])
    np.testing.assert_allclose(shift, [[0.0, -10.0], [0.0, 0.0]], atol=1e-9)
    assert solution.reached.all()


def test_the_window_is_the_one_that_is_written_down():
    """Weights 2^(−|t|/h) to five half-lives, normalised, ends held: against a sum written out."""
    values, h = np.random.default_rng(1).normal(size=(40, 2)), 3.0
    away = np.arange(-15, 16)
    weights = 2.0 ** (-np.abs(away) / h)
    wanted = [
        sum(w * values[min(max(i + k, 0), 39)] for w, k in zip(weights, away, strict=True)) / weights.sum()
        for i in range(40)
    ]
    np.testing.assert_allclose(windowed(values, h), wanted, atol=1e-12)
    np.testing.assert_array_equal(windowed(values[::-1], h), windowed(values, h)[::-1])


def test_the_cap_comes_after_the_window():
    """A short jolt is spread first and only then capped; what is left is error."""
    rig = legs(1, [(0, 0)], max_shift=4.0, shift_half_life=0.1)
    targets = np.tile([0.0, -80.0], (60, 1))
    targets[30] = 0.0, -120.0
    clip = keyed(rig, 60, fps=30)
    shift, (solution,) = moved(rig, [targets], clip)
    raw = np.zeros((60, 2))
    raw[30] = 0.0, -30.0
    np.testing.assert_allclose(shift, windowed(raw, 3.0), atol=1e-9)
    assert solution.error[30] == pytest.approx(30.0 - abs(shift[30, 1]))
    tighter = dataclasses.replace(rig, constraints=legs(1, [(0, 0)], max_shift=2.0).constraints)
    capped, _ = moved(tighter, [targets], clip)
    np.testing.assert_allclose(distance(capped, 0), np.minimum(distance(shift, 0), 2.0), atol=1e-9)


def test_frames_without_mix_lend_nothing_to_their_neighbours():
    """A target that is switched off does not pull the frames before and after it."""
    rig = legs(1, [(0, 0)])
    on = np.where(np.arange(40) < 20, 1.0, 0.0)
    place = np.where(on[:, None] > 0, [0.0, -95.0], [900.0, 0.0])
    clip = keyed(rig, 40, tracks={"leg0": SampledTrack(place, "world", mix=on)})
    shift = shifts(rig, clip, er.solve(rig, clip)[0])["hip"]
    np.testing.assert_allclose(shift, np.where(on[:, None] > 0, [0.0, -5.0], 0.0), atol=1e-9)


def climbing(project, half_life):
    """The scout climbing the bundled stairs: its rig with root moves, the keyed clip, the tracks."""
    rig = er.load(project / "examples" / "rigs" / "scout.rig.json")
    tracks = dict(load_targets(project / "examples" / "tracks" / "stairs.csv", rig).tracks)
    limbs = [c for c in rig.constraints if c.name.startswith("leg")]
    more = {"on_miss": ("move_root", "accept"), "root": "hip", "shift_half_life": half_life}
    rig = dataclasses.replace(
        rig, constraints=tuple(er.IKConstraint(**{**_fields(c), **more}) for c in limbs), animations={}, legs=()
    )
    end = max(float(keys.position.times[-1]) for keys in tracks.values())
    frames = round(end * 60) + 1
    clock = np.clip((np.arange(frames) / 60 - 0.3) / (end - 0.7), 0.0, 1.0)
    clip = keyed(rig, frames, fps=60, x={"hip": 180.0 * clock}, y={"hip": 88.5 + 70.0 * clock})
    return rig, clip, tracks


def _fields(limb):
    return {f.name: getattr(limb, f.name) for f in dataclasses.fields(limb)}


def test_on_stairs_the_smoothed_shift_obeys_its_bound(project):
    """Per frame and axis at most (max − min of the raw shift) · ln 2 / (2 h fps) · 1.02, and the raw one does not."""
    rig, clip, tracks = climbing(project, 0.0)
    raw = shifts(rig, clip, er.solve(rig, clip, tracks)[0])["hip"]
    assert np.ptp(raw, axis=0).max() > 5.0
    for half_life in (0.05, 0.1, 0.2):
        rig, clip, tracks = climbing(project, half_life)
        smooth = shifts(rig, clip, er.solve(rig, clip, tracks)[0])["hip"]
        most = np.ptp(raw, axis=0) * np.log(2.0) / (2.0 * half_life * clip.fps) * 1.02
        assert (np.abs(np.diff(smooth, axis=0)).max(axis=0) <= most).all()
    assert (np.abs(np.diff(raw, axis=0)).max(axis=0) > most).any()


def test_on_stairs_every_foot_arrives_when_nothing_is_smoothed(project):
    """Climbing with the hip keyed along a straight line: the feet miss, and with root moves they do not."""
    rig, clip, tracks = climbing(project, 0.0)
    still = dataclasses.replace(
        rig, constraints=tuple(er.IKConstraint(**{**_fields(c), "on_miss": "accept"}) for c in rig.constraints)
    )
    assert max(s.error.max() for s in er.solve(still, clip, tracks)[1].values()) > 1.0
    assert all(s.reached.all() for s in er.solve(rig, clip, tracks)[1].values())


def test_a_baked_root_move_plays_without_solving():
    """Baking keys the moved root: played back, the tips are where they were solved."""
    rig = legs(2, [(-5, 0), (5, 0)])
    t = np.linspace(0, 1, 31)
    place = np.stack([20 * np.sin(6 * t), -80 - 25 * t], -1)
    baked = er.bake(rig, targets={"leg0": place, "leg1": place - 4.0}, fps=30, tolerance=0.05)
    assert not baked.constraints
    assert "y" in baked.animations["targets"].bones["hip"]
    clip = keyed(rig, 31, fps=30)
    solved, _ = er.solve(rig, clip, {"leg0": place, "leg1": place - 4.0})
    played = baked.clip("targets", 30)
    np.testing.assert_allclose(played.tips(), solved.tips(), atol=0.051)
