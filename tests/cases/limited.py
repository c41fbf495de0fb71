"""Cases of limbs whose joints have limits."""

from __future__ import annotations

import math

import numpy as np
import pytest

import elbowroom as er
from cases import rigs
from cases.answers import EXACT, agrees, binding, degrees, limb, rebuilds, turned


def bound(solution, values, wanted):
    """A limit moved the answer: which one is told, it is kept, and the rest is measured where the limb ended up."""
    low, high = values["elbow_limit_deg"]
    assert er.Why.LIMIT in solution.why
    assert not solution.reached
    assert low - EXACT <= degrees(solution)[1] <= high + EXACT
    assert binding(solution) == wanted.get("binding", ["elbow"])
    assert solution.error == pytest.approx(math.dist(solution.joints[2], values["target"]), abs=1e-12)
    if "bend" in wanted:
        assert math.copysign(1.0, -degrees(solution)[1]) == wanted["bend"]


def many(values, wanted):
    """By what the case compares: two bends, two sides of a limit, or targets from any start."""
    if "bends" in values:
        return either_bend(values, wanted)
    found = [limb(values | item, item["target"], values["lengths"]) for item in values["items"]]
    for solution in found:
        agrees(solution, {"finite": True})
        rebuilds(solution, values["lengths"])
    return cold(values, wanted, found) if "results" in wanted else shut_side(wanted, found)


def either_bend(values, wanted):
    """A symmetric limit binds both bends alike: not while the elbow needs less, then at the limit itself."""
    (inner, outer), a = [item["target_dist"] for item in values["items"]], wanted["second"]
    for distance, item in zip((inner, outer), values["items"], strict=True):
        plain = er.two_bone((0.0, 0.0), (distance, 0.0), *values["lengths"])
        assert plain.angles[1] == pytest.approx(-item["need_rad"], abs=EXACT)
    pairs = [[limb(values, (d, 0.0), values["lengths"], bend=b) for b in values["bends"]] for d in (inner, outer)]
    for (reaches, misses), bend in zip(zip(*pairs, strict=True), values["bends"], strict=True):
        assert reaches.reached is wanted["first"]["reached"]
        assert (misses.reached, misses.why) == (a["reached"], er.Why.LIMIT)
        assert misses.angles[1] == pytest.approx(-bend * a["elbow_rad"], abs=1e-12)
        assert math.dist(*misses.joints[::2]) == pytest.approx(a["end_distance"], abs=EXACT)
        assert misses.error == pytest.approx(a["gap"], abs=EXACT)
    assert wanted["both_signs_symmetric"]
    for plus, minus in pairs:
        assert np.asarray(minus.joints) == pytest.approx(np.asarray(plus.joints) * [1.0, -1.0], abs=1e-12)


def shut_side(wanted, found):
    """Limits that leave nothing of the bend's side win, and the answer says so."""
    agrees(found[0], wanted["first"])
    assert wanted["second"].endswith("the limit wins: lower_rel -120, elbow [0.5, 0.866025]")
    agrees(found[1], {"lower_rel_deg": -120.0, "elbow": [0.5, math.sqrt(0.75)], "gap": 0.0})
    assert er.Why.LIMIT in found[1].why


def cold(values, wanted, found):
    """The reachable targets are reached whatever the pose was before; of the last one the reason is told."""
    assert wanted["same_from_any_start_pose"]
    for item, solution, answer in zip(values["items"], found, wanted["results"], strict=True):
        agrees(solution, answer)
        assert solution.reached == answer["reached"]
        for turn in (0.0, 2.0, 4.0):
            start = (math.cos(turn), math.sin(turn))
            again = limb(values, item["target"], values["lengths"], fallback=start)
            assert again.joints == solution.joints
    assert wanted["results"][-1]["reason"] == "upper would be -145.54 deg, outside 0..180"
    free = er.two_bone(values["root"], values["items"][-1]["target"], *values["lengths"])
    assert degrees(free)[0] == pytest.approx(-145.54, abs=0.005)
    assert math.degrees(found[-1].over[0]) == pytest.approx(degrees(free)[0] + 360.0 - 180.0, abs=EXACT)
    assert er.Why.LIMIT in found[-1].why


def mirror_pair(values, wanted, folder):
    """Under a mirrored parent the limits mirror too: the same pose in the mirror, the same miss, the same cause."""
    told = "world pose B is pose A with x negated; same gap; same limit reported as binding"
    assert wanted["for_each_target"] == told
    limited = rigs.constraint("arm", (0.0, 0.0), limits_deg=[[-180, 180], values["elbow_limit_deg"]])
    arms = rigs.bones("arm", values["lengths"], at=values["root"])
    told = []
    for parent, sign in zip(values["parents"], (1.0, -1.0), strict=True):
        body = dict(zip(("scale_x", "scale_y"), parent["scale"], strict=True))
        rig, answers = rigs.load(folder, arms, [limited], body=body), []
        for x, y in values["targets"]:
            pose, solutions = er.solve(rig, rig.skeleton.rest_pose(), {"arm": er.Target((sign * x, y))})
            low, high = values["elbow_limit_deg"]
            assert low - EXACT <= math.degrees(rigs.rotations(rig, pose, "arm")[1]) <= high + EXACT
            answers.append((pose, solutions["arm"]))
        told.append(answers)
    for (one, a), (other, b) in zip(*told, strict=True):
        assert np.asarray(b.joints) == pytest.approx(np.asarray(a.joints) * [-1.0, 1.0], abs=1e-9)
        assert turned(np.degrees(other.rotation), np.degrees(one.rotation)).max() < EXACT
        assert float(b.error) == pytest.approx(float(a.error), abs=1e-9)
        assert int(a.why) == int(b.why)
        assert binding(a) == binding(b)
    assert [binding(a) for _, a in told[0]] == [[], [], [], ["elbow"]]
