"""FABRIK: how many targets it reaches, and the poses that stop it as usually written."""

from __future__ import annotations

import math

import numpy as np
import pytest
from chain_sets import SETTINGS, target_set

from elbowroom.kernel.fabrik import fabrik
from elbowroom.kernel.solution import Why

AT_50 = {3: 0.90, 10: 0.82, 50: 0.58}
AT_1000 = {(3, None): 0.995, (3, 100): 0.98, (10, None): 0.98, (10, 45): 0.93, (50, None): 0.95, (50, 12): 0.75}


def answers(bones: int, half: int | None, count: int, **given):
    """The answers of a target set, none beyond a limit."""
    target, lengths, rest, limits = target_set(bones, half, count)
    found = fabrik((0.0, 0.0), target, lengths, rest, limits=limits, **given)
    if limits is not None:
        assert (found.angles >= limits[:, 0]).all()
        assert (found.angles <= limits[:, 1]).all()
    return found


@pytest.mark.parametrize("bones", [3, 10, 50])
def test_success_of_a_share(bones):
    """At 50 iterations from cold most of 200 targets are reached."""
    pytest.importorskip("numba")
    assert answers(bones, None, 200).reached.mean() >= AT_50[bones] - 0.08


@pytest.mark.full
@pytest.mark.parametrize("bones", [3, 10, 50])
def test_success(bones):
    """At 50 iterations, of 2000 targets without limits."""
    assert answers(bones, None, 2000).reached.mean() >= AT_50[bones]


@pytest.mark.full
@pytest.mark.parametrize(("bones", "half"), SETTINGS)
def test_success_in_the_long_run(bones, half):
    """At 1000 iterations, with and without limits, and no limit is passed."""
    assert answers(bones, half, 2000, iterations=1000).reached.mean() >= AT_1000[bones, half]


def test_limits_hold_in_a_share():
    """Ten bones with limits: most of 200 targets, no limit passed."""
    assert answers(10, 45, 200, iterations=200).reached.mean() >= 0.85


def test_one_iteration_is_a_backward_and_a_forward_sweep():
    """The joints after one iteration are those of the two sweeps written down."""
    lengths, start, (tx, ty) = [1.0, 0.8, 0.7], [0.4, 0.6, -0.9], (-0.7, 1.1)
    turns = np.cumsum(start)
    bones = np.array(lengths)[:, None] * np.c_[np.cos(turns), np.sin(turns)]
    points = np.vstack([[0.0, 0.0], np.cumsum(bones, axis=0)])
    points[-1] = tx, ty
    for i in (2, 1, 0):
        way = points[i] - points[i + 1]
        points[i] = points[i + 1] + way * lengths[i] / np.linalg.norm(way)
    points[0] = 0.0
    for i in range(3):
        way = points[i + 1] - points[i]
        points[i + 1] = points[i] + way * lengths[i] / np.linalg.norm(way)
    found = fabrik((0.0, 0.0), (tx, ty), lengths, start, iterations=1)
    assert found.iterations == 1
    assert np.abs(np.array(found.joints) - points).max() <= 1e-14


def test_tolerance_zero_ends():
    """Tolerance 0 stops at the budget or where nothing moves, with an error of rounding."""
    found = fabrik((0.0, 0.0), (15.0, 5.0), [10.0] * 3, [0.0] * 3, iterations=100, tolerance=0.0)
    assert found.iterations <= 100
    assert found.error <= 1e-6


@pytest.mark.parametrize("bend", [1, -1])
@pytest.mark.parametrize("distance", [119.9, 100.0, 60.0, 5.0])
def test_a_straight_chain_leaves_its_line(bend, distance):
    """A straight chain reaches a target on its own line, ahead or straight behind, bent to the side of `bend`."""
    for target in ((distance, 0.0), (-distance, 0.0)):
        found = fabrik((0.0, 0.0), target, [40.0] * 3, [0.0] * 3, bend=bend, iterations=1000)
        assert found.reached
        assert sum(y for _, y in found.joints[1:-1]) * math.copysign(1.0, target[0]) * bend > 0.0


def test_coincident_joints_are_safe():
    """A chain folded onto itself, with a target on one of its joints, is solved and finite."""
    for target in ((1.0, 0.0), (0.0, 0.0), (0.5, 0.5), (-1.0, 0.0)):
        found = fabrik((0.0, 0.0), target, [1.0] * 4, [0.0, math.pi, math.pi, math.pi], iterations=200)
        assert np.isfinite(found.joints).all()
        assert found.reached, target


def test_the_best_pose_is_kept():
    """With limits that make it wander, more iterations are never worse."""
    limits = [[-3.0, 3.0], [0.0, 1.0], [-0.2, 0.2], [0.0, 1.2]]
    errors = [
        fabrik((0.0, 0.0), (-0.9, 0.4), [1.0, 0.8, 0.7, 0.4], [0.4, 0.6, 0.1, 0.3], limits=limits, iterations=n).error
        for n in range(60)
    ]
    assert (np.diff(errors) <= 1e-15).all()


def test_fifty_turns_do_not_wind_up():
    """The target goes around the root 50 times; angles stay within half a turn."""
    angles = (0.1, 0.5, 0.5)
    for k in range(50 * 36):
        turn = 2.0 * math.pi * k / 36
        found = fabrik((0.0, 0.0), (120.0 * math.cos(turn), 120.0 * math.sin(turn)), [60.0] * 3, angles)
        angles = found.angles
        assert found.reached
        assert all(-math.pi < angle <= math.pi for angle in angles)


def test_leaving_reach_and_coming_back_keeps_the_side():
    """Out of reach and back again the knee is on the side of `bend`."""
    for bend in (1, -1):
        angles = (0.5 * bend, -1.0 * bend)
        for d, turn in [(80, 0.0), (95, 0.0), (95, 0.2), (89, 0.21), (80, 0.22), (95, 0.4), (85, 0.1)]:
            target = (d * math.cos(turn), d * math.sin(turn))
            found = fabrik((0.0, 0.0), target, [50.0, 40.0], angles, bend=bend, iterations=200)
            angles = found.angles
            assert angles[1] * bend <= 0.0
            assert (found.why == Why.FAR) == (d > 90)
