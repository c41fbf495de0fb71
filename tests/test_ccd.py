"""Cyclic coordinate descent: how many targets it reaches, how it moves, and that nothing winds up."""

from __future__ import annotations

import math

import numpy as np
import pytest
from chain_sets import SETTINGS, target_set

from elbowroom.errors import InputError
from elbowroom.kernel.ccd import ccd
from elbowroom.kernel.solution import Why
from elbowroom.kernel.two_bone import two_bone

AT_LEAST = {(3, None): 0.98, (3, 100): 0.96, (10, None): 0.98, (10, 45): 0.96, (50, None): 0.98, (50, 12): 0.96}


def success(bones: int, half: int | None, count: int, **given):
    """The answers of a target set."""
    target, lengths, rest, limits = target_set(bones, half, count)
    found = ccd((0.0, 0.0), target, lengths, rest, limits=limits, **given)
    if limits is not None:
        assert (found.angles >= limits[:, 0]).all()
        assert (found.angles <= limits[:, 1]).all()
    return found


@pytest.mark.parametrize(("bones", "half"), SETTINGS)
def test_success_of_a_share(bones, half):
    """From cold, of every setting, nearly all of 200 targets are reached, and no limit is passed."""
    pytest.importorskip("numba")
    assert success(bones, half, 200, iterations=1000).reached.mean() >= AT_LEAST[bones, half] - 0.02


@pytest.mark.full
@pytest.mark.parametrize(("bones", "half"), SETTINGS)
def test_success(bones, half):
    """At 1000 sweeps at least 98 % of 2000 targets, and 96 % with limits, to 1e-6 of the reach."""
    assert success(bones, half, 2000, iterations=1000).reached.mean() >= AT_LEAST[bones, half]


def test_the_order_from_the_root_is_the_better_one():
    """Ten bones, 50 sweeps: more targets than in the classic order."""
    better, classic = (success(10, None, 200, order=order).reached.mean() for order in ("root_to_tip", "tip_to_root"))
    assert better > classic + 0.2


def textbook(tx: float, ty: float, lengths: list[float], q: list[float], outward: bool) -> list[float]:
    """One sweep written down joint by joint."""
    q = list(q)
    order = range(len(q)) if outward else reversed(range(len(q)))
    for i in order:
        points, turn = [(0.0, 0.0)], 0.0
        for bone, angle in zip(lengths, q, strict=True):
            turn += angle
            points.append((points[-1][0] + bone * math.cos(turn), points[-1][1] + bone * math.sin(turn)))
        (px, py), (ex, ey) = points[i], points[-1]
        q[i] += math.atan2(ty - py, tx - px) - math.atan2(ey - py, ex - px)
    return [math.remainder(angle, 2 * math.pi) for angle in q]


@pytest.mark.parametrize("order", ["root_to_tip", "tip_to_root"])
def test_a_sweep_is_that_of_the_textbook(order):
    """Sweep by sweep the angles are those of forward kinematics at every joint."""
    lengths, start, target = [1.0, 0.8, 0.7, 0.4], [0.4, 0.6, -0.9, 0.3], (-0.7, 1.1)
    wanted = start
    for sweeps in (1, 2, 3):
        wanted = textbook(*target, lengths, wanted, order == "root_to_tip")
        found = ccd((0.0, 0.0), target, lengths, start, iterations=sweeps, tolerance=0.0, order=order)
        assert found.iterations == sweeps
        assert found.angles == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("order", ["root_to_tip", "tip_to_root"])
def test_the_error_never_grows(order):
    """More sweeps are never worse, with and without limits."""
    limits = [[-3.0, 3.0], [0.0, 1.5], [-0.5, 0.5], [0.0, 2.0]]
    for given in ({}, {"limits": limits}):
        errors = [
            ccd((0.0, 0.0), (-0.9, 0.4), [1.0, 0.8, 0.7, 0.4], [0.4, 0.6, 0.1, 0.3], iterations=n, order=order, **given)
            for n in range(1, 40)
        ]
        steps = np.diff([found.error for found in errors])
        assert (steps <= 1e-15).all()


def warm_steps(upper: float, lower: float, count: int):
    """Poses of a limb of two bones, at all distances where it bends well, and targets 1 unit away in any direction."""
    rng = np.random.default_rng(5)
    near, far = 1.2 * abs(upper - lower), 0.98 * (upper + lower)
    d, angle = rng.uniform(near, far, count), rng.uniform(-np.pi, np.pi, count)
    end = np.stack([d * np.cos(angle), d * np.sin(angle)], axis=-1)
    step = rng.uniform(-np.pi, np.pi, count)
    target = end + np.stack([np.cos(step), np.sin(step)], axis=-1)
    d = np.linalg.norm(target, axis=-1)
    inside = (near <= d) & (d <= far)
    return target[inside], two_bone((0.0, 0.0), end[inside], upper, lower).angles


@pytest.mark.parametrize("count", [2000, pytest.param(100_000, marks=pytest.mark.full)])
def test_two_bones_follow_a_target_in_a_sweep(count):
    """Warm, 1 px a step, to 0.5 px: one sweep in the median, at most eight in 99 of 100 steps."""
    target, angles = warm_steps(150.0, 125.0, count)
    found = ccd((0.0, 0.0), target, [150.0, 125.0], angles, tolerance=0.5 / 275.0)
    assert found.reached.all()
    assert np.median(found.iterations) == 1
    assert np.percentile(found.iterations, 99) <= 8


@pytest.mark.parametrize("order", ["root_to_tip", "tip_to_root"])
def test_fifty_turns_do_not_wind_up(order):
    """The target goes around the root 50 times; angles stay within half a turn, and it is reached throughout."""
    angles = (0.1, 0.5, 0.5)
    for k in range(50 * 36):
        turn = 2.0 * math.pi * k / 36
        target = (120.0 * math.cos(turn), 120.0 * math.sin(turn))
        found = ccd((0.0, 0.0), target, [60.0, 60.0, 60.0], angles, order=order, iterations=200)
        angles = found.angles
        assert found.error <= 0.1
        assert all(-math.pi < angle <= math.pi for angle in angles)


@pytest.mark.parametrize("order", ["root_to_tip", "tip_to_root"])
@pytest.mark.parametrize("bend", [1, -1])
@pytest.mark.parametrize("distance", [115.0, 100.0, 60.0, 30.0])
def test_a_straight_chain_leaves_its_line(order, bend, distance):
    """A straight chain reaches a target on its own line, ahead or behind, bent to the side of `bend`."""
    for target in ((distance, 0.0), (-distance, 0.0)):
        found = ccd((0.0, 0.0), target, [40.0] * 3, [0.0] * 3, bend=bend, order=order, iterations=1000)
        assert found.reached
        side = math.copysign(1.0, target[0]) * bend
        assert sum(y for _, y in found.joints[1:-1]) * side > 0.0


@pytest.mark.parametrize("bend", [1, -1])
def test_leaving_reach_and_coming_back_keeps_the_side(bend):
    """Out of reach and back again, along a line and off it: the knee is on its side again."""
    lengths, angles = [50.0, 40.0], (0.5 * bend, -1.0 * bend)
    for d, turn in [(80, 0.0), (89, 0.0), (95, 0.0), (95, 0.2), (89, 0.21), (80, 0.22), (95, 0.4), (85, 0.1)]:
        target = (d * math.cos(turn), d * math.sin(turn))
        found = ccd((0.0, 0.0), target, lengths, angles, bend=bend, iterations=200)
        angles = found.angles
        assert angles[1] * bend <= 0.0
        assert (angles[1] == 0.0) == (d > 90.0)


def test_damping_bounds_every_turn():
    """With damping no joint turns further in a sweep; without, one does."""
    given = (0.0, 0.0), (-1.5, -0.4), [1.0, 0.8, 0.7], [0.4, 0.6, 0.3]
    for order in ("root_to_tip", "tip_to_root"):
        slow = ccd(*given, iterations=1, damping=0.1, order=order)
        turns = np.abs(np.subtract(slow.angles, given[3]))
        assert turns.max() == pytest.approx(0.1, abs=1e-14)
        assert np.abs(np.subtract(ccd(*given, iterations=1, order=order).angles, given[3])).max() > 1.0
        assert ccd(*given, iterations=200, damping=0.1, order=order).reached


def test_a_leg_walks_without_bending_backwards():
    """Thigh, shin and foot with a knee limit follow a step; the knee stays in its range and moves smoothly."""
    lengths, angles = [50.0, 45.0, 15.0], (-1.9, -0.5, 0.9)
    limits = np.radians([(-170.0, -10.0), (-150.0, 0.0), (20.0, 110.0)]).tolist()
    knees = []
    for k in range(240):
        phase = (k % 120) / 120.0
        x = 25.0 - 100.0 * phase if phase < 0.5 else -25.0 + 100.0 * (phase - 0.5)
        y = -95.0 if phase < 0.5 else -95.0 + 15.0 * math.sin(2.0 * math.pi * (phase - 0.5)) ** 2
        found = ccd((0.0, 0.0), (x, y), lengths, angles, bend=1, limits=limits, iterations=400)
        angles = found.angles
        assert found.error <= 0.1, k
        assert -math.radians(150.0) <= angles[1] <= 0.0
        knees.append(angles[1])
    assert np.abs(np.diff(knees[5:])).max() < math.radians(10.0)


def test_a_spent_budget_is_told():
    """Two sweeps over six bones do not do, and the answer says so."""
    found = ccd((0.0, 0.0), (40.0, 60.0), [20.0] * 6, [0.0] * 6, iterations=2)
    assert found.iterations == 2
    assert not found.reached
    assert found.why == Why.BUDGET


@pytest.mark.parametrize(
    ("change", "words"),
    [({"order": "root_to_top"}, "root_to_tip"), ({"damping": 0.0}, "damping"), ({"damping": math.nan}, "damping")],
)
def test_what_is_wrong_is_named(change, words):
    """An unknown order or a damping that lets nothing move is refused."""
    with pytest.raises(InputError, match=words):
        ccd((0.0, 0.0), (1.0, 0.5), [1.0, 1.0], [0.0, 0.0], **change)
