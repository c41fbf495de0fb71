"""Compare a two-bone answer with expected values as the case files write them."""

from __future__ import annotations

import math

import numpy as np
import pytest

import elbowroom as er

EXACT = 1e-6  # what "exact" means for two-bone values: they are written with ten digits


def limb(values, target, lengths, *, bend=1, root=(0.0, 0.0), **options):
    """Solve one limb of a case; `values` may override root and bend."""
    bend, root = values.get("bend", bend), values.get("root", root)
    if not {"elbow_limit_deg", "elbow_limit_rad", "upper_world_limit_deg"}.isdisjoint(values):
        options["limits"] = limits(values)
    return er.two_bone(root, target, *lengths, bend=bend, **options)


def limits(values):
    """The limits [rad] of both joints of a case; the whole circle where it gives none."""
    elbow = values.get("elbow_limit_rad") or [math.radians(x) for x in values.get("elbow_limit_deg", (-180, 180))]
    return [math.radians(x) for x in values.get("upper_world_limit_deg", (-180, 180))], elbow


def binding(solution):
    """Which joints the unlimited answer has outside their limits, by name."""
    return [name for name, over in zip(("upper", "elbow"), solution.over, strict=True) if over != 0.0]


def degrees(solution):
    """Angles (..., n) in degrees: the first against the world, the others against the bone before."""
    return np.degrees(np.asarray(solution.angles))


def turned(measured, wanted):
    """By how many degrees two directions differ, 0 to 180."""
    return np.abs((np.asarray(measured) - np.asarray(wanted) + 180.0) % 360.0 - 180.0)


def agrees(solution, wanted):
    """Every value that the case expects of one answer, to 1e-6; and the angles rebuild the joints."""
    joints, angles = np.asarray(solution.joints), degrees(solution)
    if "upper_deg" in wanted:
        assert turned(angles[0], wanted["upper_deg"]) < EXACT
    if "lower_rel_deg" in wanted:
        assert turned(angles[1], wanted["lower_rel_deg"]) < EXACT
    for name, joint in (("elbow", joints[1]), ("end", joints[2])):
        if name in wanted:
            assert joint == pytest.approx(wanted[name], abs=EXACT)
    if "gap" in wanted:
        assert solution.error == pytest.approx(wanted["gap"], abs=EXACT)
    if wanted.get("finite"):
        assert np.isfinite(joints).all()
        assert np.isfinite(angles).all()
        assert math.isfinite(solution.error)


def rebuilds(solution, lengths):
    """Walking the angles forward lands on the joints: a wrong sign of the lower angle cannot pass."""
    scaled = [length * solution.stretch for length in lengths]
    walked = er.fk(solution.joints[0], solution.angles, scaled)
    size = max(sum(scaled), np.abs(np.asarray(solution.joints)).max(), 1e-300)
    assert np.abs(np.asarray(walked) - np.asarray(solution.joints)).max() < 1e-9 * size


def series(text):
    """The numbers of a text such as '-240 to -320 step -1' or '0..30 step 3', both ends included."""
    span, step = text.split(" step ")
    start, end = (float(part) for part in span.replace("..", " to ").split(" to "))
    count = round((end - start) / float(step)) + 1
    return [start + i * float(step) for i in range(count)]
