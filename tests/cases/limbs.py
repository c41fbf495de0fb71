"""Cases of one limb alone, or of many at once: each function is one `op` of the case files."""

from __future__ import annotations

import math

import numpy as np
import pytest

import elbowroom as er
from cases import limited
from cases.answers import EXACT, agrees, degrees, limb, rebuilds, series, turned
from elbowroom.rig import affine


def two_bone(values, wanted, _):
    """One answer."""
    options = {"max_stretch": values.get("stretch", 0.0), "softness": values.get("softness", 0.0)}
    if "previous_direction_deg" in values:
        turn = math.radians(values["previous_direction_deg"])
        options["fallback"] = (math.cos(turn), math.sin(turn))
    solution = limb(values, values["target"], values["lengths"], **options)
    agrees(solution, wanted)
    rebuilds(solution, values["lengths"])
    assert solution.reached == wanted.get("reached", wanted.get("reached_within_tol", solution.reached))
    if "elbow_limit_deg" in values:
        limited.bound(solution, values, wanted)
    assert solution.error <= wanted.get("gap_max", math.inf)
    if "scale" in wanted:
        assert solution.stretch == pytest.approx(wanted["scale"], abs=1e-12)
        assert er.Why.STRETCH in solution.why


def two_bone_many(values, wanted, _):
    """Several answers, a sweep between them, or only bounds on their ends."""
    if "elbow_limit_deg" in values or "elbow_limit_rad" in values:
        return limited.many(values, wanted)
    found = []
    for item in values["items"]:
        lengths = item.get("lengths") or values["lengths"]
        found.append(limb(values, item["target"], lengths))
        agrees(found[-1], {"finite": True})
        rebuilds(found[-1], lengths)
    for solution, answer in zip(found, wanted.get("results", found), strict=True):
        agrees(solution, answer if "results" in wanted else {})
    for solution, end, gap in zip(found, wanted.get("ends", ()), wanted.get("gaps", ()), strict=False):
        agrees(solution, {"end": end, "gap": gap})
    if "end_error_max_relative" in wanted:
        for solution, item in zip(found, values["items"], strict=True):
            assert solution.error <= wanted["end_error_max_relative"] * sum(item["lengths"])
        assert abs(found[1].joints[1][1]) <= wanted["second_elbow_offset_max"]
    if "extra" in values:
        no_turning_over(values, wanted)


def no_turning_over(values, wanted):
    """Direction 90..100 deg in steps of 0.05 at distance 6: small steps, and no bone is mirrored."""
    turn = np.radians(90.0 + 0.05 * np.arange(201))
    targets = 6.0 * np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    solution = limb(values, targets, values["lengths"])
    assert turned(degrees(solution)[1:], degrees(solution)[:-1]).max() <= wanted["max_step_deg"]
    pair = er.Skeleton(("upper", "lower"), [-1, 0], values["lengths"], {"x": [0.0, values["lengths"][0]]})
    pose = er.Pose(pair, rotation=solution.angles)
    assert (affine.determinant(pose.world()) > 0.0).all()
    assert pose.tips()[:, 1] == pytest.approx(targets, abs=EXACT)


def two_bone_pair(values, wanted, _):
    """The same target with either bend: two answers that mirror each other in the line to the target."""
    root, target = np.array(values["root"]), np.array(values["target"])
    plus, minus = (limb(values, target.tolist(), values["lengths"], bend=b) for b in values["bends"])
    for solution, answer in ((plus, wanted["plus"]), (minus, wanted["minus"])):
        agrees(solution, answer)
        rebuilds(solution, values["lengths"])
        assert solution.error <= wanted.get("miss_max", EXACT)
    along = (target - root) / np.linalg.norm(target - root)
    one, other = (np.array(solution.joints[1]) - root for solution in (plus, minus))
    assert other == pytest.approx(2.0 * (one @ along) * along - one, abs=1e-9)


def two_bone_sweep(values, wanted, _):
    """Distances that are neighbouring floats of both bounds, in some directions, with either bend."""
    around = [0.1 + 0.2, 0.1, 0.3]
    for distance in (d for centre in around for d in neighbours(centre, 11)):
        for direction in np.radians(values["direction_deg"]):
            target = (distance * math.cos(direction), distance * math.sin(direction))
            for bend in values["bend"]:
                solution = er.two_bone(values["root"], target, *values["lengths"], bend=bend)
                agrees(solution, {"finite": True})
                assert solution.error <= wanted["end_error_max"]


def neighbours(centre, count):
    """`count` floats in a row, with `centre` in the middle."""
    low = centre
    for _ in range(count // 2):
        low = math.nextafter(low, -math.inf)
    found = [low]
    while len(found) < count:
        found.append(math.nextafter(found[-1], math.inf))
    return found


def translate_pair(values, wanted, _):
    """The same limb far from the origin has the same angles."""
    found = []
    for root in values["roots"]:
        target = np.add(root, values["local_target"])
        found.append(degrees(limb(values, target.tolist(), values["lengths"], root=root)))
    for angles, margin in zip(found, wanted["angles_equal_to_first_deg"], strict=True):
        assert turned(angles, found[0]).max() <= margin


def y_down_pair(values, wanted, _):
    """Solving y down with the other bend is solving y up and negating y and every angle."""
    up = er.two_bone((0, 0), values["target_y_up"], *values["lengths"], bend=values["bend_y_up"])
    down = er.two_bone((0, 0), values["target_y_down"], *values["lengths"], bend=-values["bend_y_up"])
    agrees(down, wanted["y_down"])
    assert down.angles == pytest.approx([-angle for angle in up.angles], abs=1e-12)
    assert down.joints[1] == pytest.approx((up.joints[1][0], -up.joints[1][1]), abs=1e-12)


def report(values, wanted, _):
    """Each answer says whether it reached, by how far it missed, and why."""
    flags = {"ok": er.Why(0), "too_far": er.Why.FAR, "too_near": er.Why.NEAR}
    for i, item in enumerate(values["items"]):
        solution = er.two_bone((0, 0), item["target"], *item["lengths"])
        assert solution.reached == wanted["reached"][i]
        assert solution.why == flags[wanted["status"][i]]
        assert solution.error == pytest.approx(wanted["gap"][i], abs=1e-9)


def aim(values, wanted, _):
    """A target on the joint keeps the last direction and says that it is arbitrary."""
    last = math.radians(values["previous_deg"])
    solution = er.aim(values["joint"], values["target"], 10.0, fallback=(math.cos(last), math.sin(last)))
    assert math.degrees(solution.angles[0]) == pytest.approx(wanted["angle_deg"], abs=EXACT)
    assert er.Why.DEGENERATE in solution.why
    assert np.isfinite(np.asarray(solution.joints)).all()


def soft_validate(values, _, __):
    """Softness is a fraction of reach, 0 to 1; bands too wide for the ring are scaled down to fit."""
    reach = values["a"] + values["b"]
    ring = {"reach": reach, "dead_zone": abs(values["a"] - values["b"])}
    hard, wide, negative, most = values["items"]
    assert er.soften(hard["d"], softness=hard["s"] / reach, **ring) == reach
    for item in (wide, negative):
        with pytest.raises(er.InputError, match=r"soften softness: .*give 0 to 1"):
            er.soften(item["d"], softness=item["s"] / reach, **ring)
    assert ring["dead_zone"] <= er.soften(most["d"], softness=most["s"] / reach, **ring) <= most["d"]


def sequence(values, wanted, _):
    """One limb over frames: values by frame, steps between frames, and bounds."""
    roots, targets = path(values)
    softness = values.get("s", 0.0) / sum(values["lengths"])
    solution = er.two_bone(roots, targets, *values["lengths"], bend=values["bend"], softness=softness)
    joints, angles = np.asarray(solution.joints), degrees(solution)
    assert np.isfinite(joints).all()
    if "elbow_y" in wanted:
        assert joints[:, 1, 1] == pytest.approx(wanted["elbow_y"], abs=EXACT)
        assert joints[:, 1, 1].min() >= wanted["elbow_y_min"]
        assert np.array_equal(joints, joints[::-1])
    if "upper_deg" in wanted:
        assert turned(angles, np.stack([wanted["upper_deg"], wanted["lower_rel_deg"]], -1)).max() < EXACT
        assert turned(angles[1:], angles[:-1]).max() <= wanted["max_step_deg"] + EXACT
    if "lower_rel_deg_const" in wanted:
        assert turned(angles[:, 1], wanted["lower_rel_deg_const"]).max() < EXACT
        assert turned(angles[1:, 0] - angles[:-1, 0], wanted["upper_step_deg_mod360"]).max() < EXACT
        assert np.max(solution.error) <= wanted["gap_max"]
    if "elbow_step_deg_max" in wanted:
        assert turned(angles[1:, 1], angles[:-1, 1]).max() <= wanted["elbow_step_deg_max"]
        solved = np.linalg.norm(joints[:, 2] - joints[:, 0], axis=-1)
        assert (np.diff(solved) >= 0.0).all()


def path(values):
    """Roots and targets of every frame of a sequence."""
    if "root_x_by_frame" in values:
        return [[x, 0.0] for x in series(values["root_x_by_frame"])], values["target"]
    if isinstance(values["targets"], list):
        return values["root"], values["targets"]
    distance, directions = 200.0, np.radians(series("0..720 step 5"))
    assert values["targets"] == "distance 200, direction 0..720 deg step 5"
    return values["root"], (distance * np.stack([np.cos(directions), np.sin(directions)], -1)).tolist()


def drag_sequence(values, wanted, _):
    """A spiral through the root and both bounds: finite, and the miss is the distance to the ring."""
    frame = np.arange(400)
    radius = np.abs(110.0 - 220.0 * frame / 399.0)
    radius[200] = 0.0
    turn = 2.0 * np.pi * 4.0 * frame / 399.0
    targets = radius[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    solution = er.two_bone(values["root"], targets, *values["lengths"], bend=values["bend"])
    assert np.isfinite(solution.joints).all()
    assert np.isfinite(solution.angles).all()
    inner, outer = er.annulus(values["lengths"])
    missed = np.maximum(0.0, np.maximum(radius - outer, inner - radius))
    assert solution.error == pytest.approx(missed, abs=wanted["gap_tol"])
