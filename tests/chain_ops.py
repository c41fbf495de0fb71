"""What the collected cases about chains ask for: each `op` solves the input with one method and checks the outcome."""

from __future__ import annotations

import math

import numpy as np
import pytest

from elbowroom.kernel.ccd import ccd
from elbowroom.kernel.fabrik import fabrik
from elbowroom.kernel.fk import fk
from elbowroom.kernel.least_change import least_change
from elbowroom.kernel.solution import Why
from elbowroom.kernel.two_bone import two_bone

# A method is solve(root, target, lengths, angles, **options) -> Solution; further ones are added here.
METHODS = {"ccd": ccd, "fabrik": fabrik, "least_change": least_change}


def _start(values, key="start_relative_deg"):
    """The pose a case starts from; a slight bend where it gives none."""
    if key in values:
        return [math.radians(x) for x in values[key]]
    return values.get("start_rad", [0.3] + [0.2] * (len(values["lengths"]) - 1))


def _options(values):
    """Limits, bend, tolerance and budget of a case."""
    found = {"iterations": values.get("max_iterations", 1000), "bend": values.get("bend_hint", 1)}
    if "limits_rad" in values:
        found["limits"] = values["limits_rad"]
    if "tolerance" in values:
        found["tolerance"] = values["tolerance"] / sum(values["lengths"])
    return found


def _sizes(solution):
    return np.linalg.norm(np.diff(np.asarray(solution.joints), axis=-2), axis=-1)


def chain(values, wanted, solve):
    """One chain, one target or several."""
    if "items" in values:
        return _its_own_end(values, wanted, solve)
    angles = _start(values, "rest_relative_deg" if "rest_relative_deg" in values else "start_relative_deg")
    target = values.get("target")
    if "move" in values:
        x, y = fk(values["root"], angles, values["lengths"])[-1]
        target = [x, y - 100.0]
    found = solve(values["root"], target, values["lengths"], angles, **_options(values))
    assert found.iterations <= values.get("max_iterations", 1000)
    if "gap_max" in wanted:
        assert found.error <= wanted["gap_max"]
    assert _sizes(found) == pytest.approx(values["lengths"], rel=wanted.get("lengths_rel_error_max", 1e-12))
    if "report" in wanted and "best_possible_gap" not in wanted:
        assert found.reached == (found.error <= 1e-6 * sum(values["lengths"]))
        assert found.iterations == wanted["report"]["iterations"]
        assert found.reached or Why.BUDGET in found.why
    if "limits_rad" in values:
        assert all(low <= q <= high for q, (low, high) in zip(found.angles, values["limits_rad"], strict=True))
        assert found.error >= wanted["best_possible_gap"] - 1e-6
        assert Why.LIMIT in found.why
    if "bent_side" in wanted:
        assert found.angles == solve(values["root"], target, values["lengths"], angles, **_options(values)).angles
        assert sum(y for _, y in found.joints[1:-1]) * values["bend_hint"] > 0.0


def _its_own_end(values, wanted, solve):
    first, second = values["items"]
    lengths, angles = values["lengths"], tuple(_start(first))
    own = solve(values["root"], fk(values["root"], angles, lengths)[-1], lengths, angles)
    assert own.angles == angles
    assert own.error <= wanted["first"]["gap_max"]
    moved = solve(values["root"], second["target"], lengths, tuple(_start(second)), iterations=1000)
    assert moved.error <= wanted["second"]["gap_max"]
    assert all(one != other for one, other in zip(moved.angles, _start(second), strict=True))


def many_instances(values, wanted, solve):
    """Several chains of one kind, each fed its own output."""
    poses = np.tile(_start(values), (values["n"], 1))
    for frame in range(values["frames"]):
        found = solve(values["root"], np.array(values["target"], dtype=float), values["lengths"], poses)
        if frame > 50:
            assert np.degrees(np.abs(found.angles - poses)).max() <= wanted["frame_to_frame_change_after_50_deg_max"]
        poses = found.angles
    assert (poses == poses[0]).all()
    assert np.linalg.norm(found.joints[:, -1] - wanted["end"], axis=-1).max() <= wanted["end_tol"]


def compare(values, wanted, solve):
    """The same limb in closed form and by the method."""
    root, lengths = values["root"], values["lengths"]
    limits = None
    if "elbow_limit_deg" in values:
        limits = [[-math.pi, math.pi], [math.radians(x) for x in values["elbow_limit_deg"]]]
    for target in values.get("targets") or [values["target"]]:
        bend = -1 if limits else 1
        exact = two_bone(root, target, *lengths, bend=bend, limits=limits)
        found = solve(root, target, lengths, [0.3, 0.4], bend=bend, limits=limits, iterations=20000)
        assert found.joints[-1] == pytest.approx(exact.joints[-1], abs=wanted.get("end_agree", 2e-3))
        if "gap_max" in wanted:
            assert found.error <= wanted["gap_max"]
        if "gap" in wanted:
            assert found.error == pytest.approx(wanted["gap"], abs=1e-6)
            assert found.joints[-1] == pytest.approx(wanted["end"], abs=1e-6)
        if limits:
            assert limits[1][0] <= found.angles[1] <= limits[1][1]
            assert found.angles[1] * exact.angles[1] > 0.0


def repeat(values, wanted, solve):
    """A pose fed back into the solver for a long time; stateless use starts from the drawn pose each time."""
    pose, early = [math.radians(x) for x in values["base_relative_deg"]], None
    drawn = tuple(pose)
    for frame in range(1, values["frames"] + 1):
        found = solve(values["root"], values["target"], values["lengths"], pose, iterations=200)
        pose = found.angles
        early = pose if frame == 20 else early
    assert pose == pytest.approx(early, abs=wanted["pose_at_1000_equals_pose_at_20"])
    assert _sizes(found) == pytest.approx(values["lengths"], rel=wanted["lengths_rel_error_max"])
    assert found.error <= wanted["gap_max"]
    one, other = (solve(values["root"], values["target"], values["lengths"], drawn) for _ in range(2))
    assert one.angles == other.angles


def sequence(values, wanted, solve):
    """Fifty turns of a target around the root, the pose carried over."""
    low, high = (math.radians(x) for x in wanted["each_angle_in_deg"])
    angles = [0.1, 0.5, 0.5]
    for k in range(50 * 36):
        turn = math.tau * k / 36
        target = [120.0 * math.cos(turn), 120.0 * math.sin(turn)]
        found = solve(values["root"], target, values["lengths"], angles, iterations=200)
        angles = found.angles
        assert all(low <= angle <= high for angle in angles)
        assert found.error <= wanted["gap_max"]


def chain_in_parent(values, wanted, solve):
    """A chain below a parent that moves, turns or scales: solved in the parent's space, by its inverse."""
    parent = values.get("parent", {})
    turn = math.radians(parent.get("rotation_deg", 0.0))
    scale = np.array(parent.get("scale", values.get("parent_scale", (1.0, 1.0))))
    matrix = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]]) * scale
    origin, root = np.array([parent.get("x", 0.0), parent.get("y", 0.0)]), values.get("root_local", [0.0, 0.0])
    world = values.get("world_target", values.get("target_world"))
    target = np.linalg.solve(matrix, np.subtract(world, origin)).tolist()
    limits = [[math.radians(x) for x in pair] for pair in values["limits_deg"]] if "limits_deg" in values else None
    pose, poses = [0.1, 0.3], []
    for _ in range(values.get("frames", 1)):
        found = solve(root, target, values["lengths"], pose, limits=limits, iterations=1000)
        pose = found.angles
        poses.append(pose)
    end = matrix @ found.joints[-1] + origin
    assert np.isfinite(end).all()
    assert found.joints[0] == tuple(root)
    assert _sizes(found) == pytest.approx(values["lengths"], rel=1e-12)
    if "end" in wanted or "world_end" in wanted:
        assert end == pytest.approx(wanted.get("end", wanted.get("world_end")), abs=1e-3)
    if "pose_constant_after_frame" in wanted:
        assert poses[-1] == pytest.approx(poses[wanted["pose_constant_after_frame"]], abs=1e-12)
    if "same_local_pose_as" in wanted:
        turned = np.array(world) @ (matrix / scale) / 10.0
        assert solve(root, turned.tolist(), values["lengths"], [0.1, 0.3]).angles == pytest.approx(pose, abs=1e-5)


OPS = {f.__name__: f for f in (chain, many_instances, compare, repeat, sequence, chain_in_parent)}
