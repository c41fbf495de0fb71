"""The pose of least change: it reaches, keeps limits, closes loops, and no search finds a nearer or a smaller one."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import optimize

from elbowroom import Why, fk
from elbowroom.kernel.arc import arc_pose
from elbowroom.kernel.engine import has_lanes
from elbowroom.kernel.least_change import least_change
from elbowroom.kernel.solution import FIELDS

needs_numba = pytest.mark.skipif(not has_lanes(), reason='needs Numba: pip install "elbowroom[fast]"')
ENGINE = "numba" if has_lanes() else "numpy"
SETTINGS = ((3, None), (3, 100), (10, None), (10, 45), (50, None), (50, 12))
LOOPS = ((0.5, 0.15), (0.75, 0.15), (0.0, 0.4), (0.45, 0.25))
FRAMES = 1200
UNREACHABLE = [(3, 100, 10), (10, 45, 10)] + [
    pytest.param(n, m, 100, marks=pytest.mark.full) for n, m in SETTINGS[1:4:2]
]


def drawn(count):
    """Bones and the drawn pose of the target sets: reach 1, the first joint at 0.3 rad, an even bend after it."""
    pose = np.full(count, math.radians({3: 15.0, 10: 5.0, 50: 1.2}[count]))
    pose[0] = 0.3
    return np.full(count, 1.0 / count), pose


def ranges(count, degrees):
    """Limits (n, 2) of ± degrees at all joints but the first; None without."""
    if degrees is None:
        return None
    limits = np.tile(np.radians([-degrees, degrees]), (count, 1))
    limits[0] = -math.pi, math.pi
    return limits


def targets(count, degrees, number, seed=5):
    """Reachable targets: all over the disc without limits; with, half evenly in the ranges, half bent to one side."""
    rng = np.random.default_rng(seed)
    if degrees is None:
        d, angle = 0.999 * np.sqrt(rng.random(number)), rng.uniform(-math.pi, math.pi, number)
        return np.stack([d * np.cos(angle), d * np.sin(angle)], axis=-1)
    low, high = ranges(count, degrees).T
    pose = rng.uniform(low, high, (number, count))
    pose[1::2, 1:] = rng.uniform(-0.2, 1.0, (len(pose[1::2]), count - 1)) * high[1:]
    return fk(np.zeros(2), pose, np.full(count, 1.0 / count))[:, -1]


def wrapped(angle):
    """Angles in [-pi, pi)."""
    return (angle + math.pi) % (2.0 * math.pi) - math.pi


def loop(centre, radius):
    """Targets (FRAMES + 1, 2) around a circle, the last as the first."""
    angle = np.append(np.arange(FRAMES), 0) * (2.0 * math.pi / FRAMES)
    return np.stack([centre + radius * np.cos(angle), radius * np.sin(angle)], axis=-1)


@pytest.mark.parametrize(("count", "degrees"), SETTINGS)
def test_reaches_every_target_from_the_drawn_pose(count, degrees):
    """2000 of 2000 reachable targets to 1e-6 of reach, within the ranges, half of them within 15 steps."""
    number = 2000 if has_lanes() else 20
    bones, pose = drawn(count)
    limits = ranges(count, degrees)
    got = least_change(
        np.zeros(2), targets(count, degrees, number), bones, pose, limits=limits, engine=ENGINE, iterations=100
    )
    assert got.error.max() <= 1e-6
    assert got.reached.all()
    assert np.median(got.iterations) <= 15
    assert np.percentile(got.iterations, 95) <= 60
    if degrees is not None:
        assert (got.angles >= limits[:, 0]).all()
        assert (got.angles <= limits[:, 1]).all()


@needs_numba
@pytest.mark.parametrize("count", [2, 3, 10])
@pytest.mark.parametrize("kind", ["one side only", "curls up", "far from the drawn pose"])
def test_reaches_where_all_joints_are_limited(count, kind):
    """Ranges of one side, wide ones and ones that leave out the drawn pose, the root limited too: all 1000."""
    rng = np.random.default_rng(count)
    middle = rng.uniform(-1.0, 1.0, (1000, count))
    low, high = {
        "one side only": (np.full_like(middle, -0.01), rng.uniform(0.05, 2.5, middle.shape) * 3.0 / (count + 1)),
        "curls up": (np.full_like(middle, -0.2), np.full_like(middle, 2.5)),
        "far from the drawn pose": (middle - 0.5, middle + 0.5),
    }[kind]
    bones, pose = rng.uniform(0.2, 1.0, middle.shape), rng.normal(0.0, 0.1, middle.shape)
    target = fk(np.zeros(2), rng.uniform(low, high), bones)[:, -1]
    limits = np.stack([low, high], axis=-1)
    got = least_change(np.zeros(2), target, bones, pose, limits=limits, engine=ENGINE)
    assert got.reached.all()
    assert ((got.angles >= low) & (got.angles <= high)).all()


@needs_numba
@pytest.mark.parametrize(("centre", "radius"), LOOPS)
def test_closed_loops_close_and_move_no_faster_than_the_arc(centre, radius):
    """A lap ends in the pose it began with, and no joint steps 1.1 times as far as in the equal-bend arc."""
    bones, pose = drawn(10)
    path = loop(centre, radius)
    mine = least_change(np.zeros(2), path, bones, pose, engine=ENGINE).angles
    arc = np.zeros_like(mine)
    for point, row in zip(path, arc, strict=True):
        arc_pose(*point.tolist(), bones.tolist(), -1.0, row)
    step, arc_step = (np.abs(wrapped(np.diff(q, axis=0))).max() for q in (mine, arc))
    assert math.degrees(np.abs(wrapped(mine[-1] - mine[0])).max()) <= 1e-6
    assert step <= 1.1 * arc_step


@needs_numba
def test_second_lap_repeats_the_first_and_order_does_not_matter():
    """Nothing is kept between calls: the frames of a loop backwards give the same bits."""
    bones, pose = drawn(10)
    path = loop(0.5, 0.15)
    forth, back = (least_change(np.zeros(2), p, bones, pose, engine=ENGINE).angles for p in (path, path[::-1].copy()))
    assert (forth == back[::-1]).all()


def ends(pose, bones):
    """End (2,) of a pose, by NumPy's own functions."""
    angle = np.cumsum(pose)
    return np.array([bones @ np.cos(angle), bones @ np.sin(angle)])


def nearest(target, bones, limits, rng, starts=50):
    """Least distance from the target that L-BFGS-B finds from so many random poses."""

    def half_square(pose):
        angle = np.cumsum(pose)
        c, s = bones * np.cos(angle), bones * np.sin(angle)
        ex, ey = c.sum() - target[0], s.sum() - target[1]
        slope = ey * np.cumsum(c[::-1])[::-1] - ex * np.cumsum(s[::-1])[::-1]
        return 0.5 * (ex * ex + ey * ey), slope

    found = [
        optimize.minimize(
            half_square, rng.uniform(*limits.T), jac=True, bounds=limits, method="L-BFGS-B",
            options={"maxiter": 500, "ftol": 1e-15, "gtol": 1e-10},
        ).fun
        for _ in range(starts)
    ]  # fmt: skip
    return math.sqrt(2.0 * min(found))


@needs_numba
@pytest.mark.parametrize("first", ["first joint free", "first joint limited"])
@pytest.mark.parametrize(("count", "degrees", "number"), UNREACHABLE)
def test_unreachable_with_limits_is_as_near_as_a_search_from_50_poses(count, degrees, number, first):
    """What limits keep out of reach is approached as far as L-BFGS-B does from 50 starts, and why says LIMIT or FAR."""
    bones, pose = drawn(count)
    limits = ranges(count, degrees)
    if first == "first joint limited":
        limits[0] = limits[1]
    rng = np.random.default_rng(3)
    d, angle = 1.5 * np.sqrt(rng.random(40 * number)), rng.uniform(-math.pi, math.pi, 40 * number)
    around = np.stack([d * np.cos(angle), d * np.sin(angle)], axis=-1)
    got = least_change(np.zeros(2), around, bones, pose, limits=limits, engine=ENGINE)
    missed = np.flatnonzero(got.error > 1e-6)[:number]
    assert len(missed) == number
    assert (got.angles >= limits[:, 0]).all()
    assert (got.angles <= limits[:, 1]).all()
    assert (got.why[missed] & int(Why.LIMIT | Why.FAR) != 0).all()
    worse = [got.error[i] - nearest(around[i], bones, limits, rng) for i in missed]
    assert max(worse) <= 1e-6


@pytest.mark.parametrize("degrees", [None, 60])
def test_changes_the_drawn_pose_no_more_than_a_general_search(degrees):
    """No pose that SLSQP finds from the answer or from the drawn pose reaches the target with less change."""
    rng = np.random.default_rng(2)
    for _ in range(8):
        bones = rng.uniform(0.3, 1.0, 5)
        bones /= bones.sum()
        pose = rng.normal(0.0, 0.4, 5)
        widest = math.radians(degrees or 400.0)
        bounds = [(-9.0, 9.0), *[(-widest, widest)] * 4]
        pose = np.clip(pose, -widest, widest)
        target = ends(pose + rng.uniform(-0.5, 0.5, 5).clip(-widest - pose, widest - pose), bones)
        limits = None if degrees is None else [(-math.pi, math.pi), *bounds[1:]]
        got = least_change((0, 0), target.tolist(), bones.tolist(), pose.tolist(), limits=limits)
        assert got.reached
        mine = np.array(got.angles)
        change = ((wrapped(mine - pose)[1:]) ** 2).sum()
        for start in (mine, pose):
            other = optimize.minimize(
                lambda q, pose=pose: ((q - pose)[1:] ** 2).sum(), start, bounds=bounds, method="SLSQP",
                constraints={"type": "eq", "fun": lambda q, b=bones, t=target: ends(q, b) - t},
                options={"ftol": 1e-14, "maxiter": 300},
            )  # fmt: skip
            assert np.abs(ends(other.x, bones) - target).max() > 1e-6 or change <= other.fun + 1e-6


@pytest.mark.parametrize("bend", [1, -1, 0])
@pytest.mark.parametrize("limits", [None, [(-3.0, 3.0), (-2.0, 2.0), (-2.0, 2.0)]])
def test_straight_chain_bends_to_the_side_asked_for(bend, limits):
    """A chain drawn straight reaches a target on its own line, all joints on the side of `bend`."""
    got = least_change((0, 0), (100, 0), [40, 40, 40], [0.0, 0.0, 0.0], bend=bend, limits=limits)
    side = bend or 1
    assert got.reached
    assert got.error <= 1e-9 * 120
    assert got.iterations <= 15
    assert all(side * y > 1.0 for _, y in got.joints[1:-1])


def test_limits_that_close_the_side_asked_for_win():
    """A straight chain whose ranges leave the other side only bends there, and reaches."""
    limits = [(-3.0, 3.0), (0.0, 2.0), (0.0, 2.0)]
    got = least_change((0, 0), (100, 0), [40, 40, 40], [0.0, 0.0, 0.0], bend=1, limits=limits)
    assert got.reached
    assert all(y < -1.0 for _, y in got.joints[1:-1])


def test_a_target_at_the_drawn_end_changes_nothing():
    """The drawn pose comes back bit for bit, after no step."""
    pose = (-1.0, 0.7, 0.2)
    end = fk((0, 0), pose, [60, 60, 40])[-1]
    got = least_change((0, 0), end, [60, 60, 40], pose)
    assert got.angles == pose
    assert got.iterations == 0
    assert got.why == Why(0)


def test_out_of_reach_is_the_straight_chain_and_the_dead_zone_the_folded_one():
    """Without limits the nearest poses are known: on the line to the target, FAR and NEAR told."""
    far = least_change((0, 0), (30, 40), [10, 10, 5], [0.3, 0.4, 0.5])
    near = least_change((0, 0), (3, 1), [10, 2], [0.3, 0.4])
    assert far.joints[-1] == pytest.approx((15.0, 20.0), abs=1e-12)
    assert (far.error, far.why, far.reached) == (pytest.approx(25.0), Why.FAR, False)
    assert near.joints[-1] == pytest.approx((7.589466384, 2.529822128), abs=1e-9)
    assert (near.error, near.why, near.reached) == (pytest.approx(4.83772234), Why.NEAR, False)


def test_a_budget_too_small_is_told_and_never_overdrawn():
    """iterations counts every step; BUDGET where they ended above the tolerance, not where they sufficed."""
    bones, pose = (part.tolist() for part in drawn(10))
    for most in range(12):
        got = least_change((0, 0), (-0.2, 0.3), bones, pose, iterations=most)
        assert got.iterations <= most
        assert (Why.BUDGET in got.why) == (not got.reached)
    assert got.reached
    limited = least_change((0, 0), (0.01, 0.0), [1.0, 0.8, 1.0], [0.1, 0.1, 0.1], limits=[(-1, 1)] * 3)
    assert limited.iterations <= 100
    assert Why.LIMIT in limited.why


@pytest.mark.parametrize("scale", [1e-150, 1e-61, 1.0, 1e61, 1e149])
def test_any_scale_gives_the_same_angles(scale):
    """Sizes of 1e-150 and of 1e149 are solved as size 1 is."""
    one = least_change((0, 0), (1.2, 0.9), [1.0, 0.5, 0.7], [0.3, 0.4, 0.5])
    got = least_change((0, 0), (1.2 * scale, 0.9 * scale), [1.0 * scale, 0.5 * scale, 0.7 * scale], [0.3, 0.4, 0.5])
    assert got.reached
    assert got.angles == pytest.approx(one.angles, abs=1e-9)


@pytest.mark.parametrize(
    "lengths", [[0.0] * 4, [0.0, 1.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], [1.0] * 4]
)
@pytest.mark.parametrize("target", [(0.0, 0.0), (1.0, 0.0), (0.3, -0.2), (-1e-300, 0.0), (5.0, 5.0)])
@pytest.mark.parametrize("pose", [[0.0] * 4, [0.3, 0.2, -0.1, 0.4], [math.pi] * 4])
@pytest.mark.parametrize("limits", [None, [(-0.5, 0.5)] * 4, [(0.2, 0.2)] * 4])
def test_degenerate_chains_stay_finite(lengths, target, pose, limits):
    """Zero lengths, the target on the root, collinear and folded poses, ranges of width zero: finite, in range."""
    got = least_change((0, 0), target, lengths, pose, limits=limits)
    assert all(math.isfinite(x) for joint in got.joints for x in joint)
    assert all(math.isfinite(x) for x in (*got.angles, got.error, *got.direction))
    if limits is None:
        reach, longest = sum(lengths), max(lengths)
        d = math.hypot(*target)
        assert got.error == pytest.approx(max(0.0, d - reach, 2 * longest - reach - d), abs=1e-6 * max(reach, 1e-300))
    else:
        assert all(low <= x <= high for x, (low, high) in zip(got.angles, limits, strict=True))


def mixture(count, number, seed):
    """Arguments of many chains: reachable and not, on the root, straight, with zero bones and narrow ranges."""
    rng = np.random.default_rng(seed)
    bones = rng.uniform(0.2, 1.0, (number, count)) * (rng.random((number, count)) > 0.1)
    pose = rng.normal(0.0, 0.5, (number, count)) * (rng.random((number, 1)) > 0.2)
    target = rng.uniform(-1.2, 1.2, (number, 2)) * bones.sum(axis=-1, keepdims=True) * (rng.random((number, 1)) > 0.05)
    middle, half = rng.uniform(-0.5, 0.5, (number, count)), rng.choice([0.05, 0.5, 1.5, 4.0], (number, count))
    return rng.uniform(-1, 1, (number, 2)), target, bones, pose, np.stack([middle - half, middle + half], axis=-1)


@needs_numba
@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_floats_numpy_and_numba_give_the_same_bits_and_batches_equal_singles(count):
    """Every field of every chain, reachable or not, agrees to the last bit however it is called."""
    root, target, bones, pose, limits = mixture(count, 24, count)
    for ranges_given in (None, limits):
        options = {"base": 0.4, "limits": ranges_given, "iterations": 40}
        numba, numpy = (least_change(root, target, bones, pose, engine=e, **options) for e in ("numba", "numpy"))
        for name in FIELDS:
            assert np.array_equal(getattr(numba, name), getattr(numpy, name)), name
        for i in range(len(root)):
            if ranges_given is not None:
                options["limits"] = limits[i].tolist()
            one = least_change(root[i].tolist(), target[i].tolist(), bones[i].tolist(), pose[i].tolist(), **options)
            for name in FIELDS:
                assert np.array_equal(np.asarray(getattr(one, name)), np.asarray(getattr(numba, name)[i])), name


@pytest.mark.parametrize("count", [1, 2, 3, 7, 20])
def test_the_arc_reaches_every_distance_with_bones_of_any_lengths(count):
    """Random, zero and dominating bones: the end is at the target, from the dead zone's edge to the reach."""
    rng = np.random.default_rng(count)
    for k in range(60):
        bones = rng.random(count) ** 3 * (rng.random(count) > 0.2)
        bones[rng.integers(count)] += 0.1
        bones /= bones.sum()
        inner = max(0.0, 2.0 * bones.max() - 1.0)
        d = inner if k % 10 == 0 else (1.0 if k % 10 == 1 else rng.uniform(inner, 1.0))
        angle = rng.uniform(-math.pi, math.pi)
        target, pose = np.array([d * math.cos(angle), d * math.sin(angle)]), [0.0] * count
        arc_pose(*target.tolist(), bones.tolist(), 1.0, pose)
        assert np.abs(ends(pose, bones) - target).max() <= 1e-12


def test_the_arc_bends_alike_to_the_side_asked_for():
    """Equal bones: every relative angle is the same, <= 0 for bend +1 and >= 0 for -1."""
    for bend in (1.0, -1.0):
        pose = [0.0] * 6
        arc_pose(0.5, 0.0, [1 / 6] * 6, bend, pose)
        assert len(set(pose[1:])) == 1
        assert -bend * pose[1] > 0.1
