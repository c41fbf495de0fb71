"""Cases of `op` "bake": rigs that move, solved on a clip and baked into keys."""

from __future__ import annotations

import numpy as np
import pytest

import elbowroom as er
from cases import rigs
from cases.answers import EXACT, series, turned
from elbowroom.rig import affine


def bake(values, wanted, folder):
    """By what the case keys: the body, the scale of the root, or the thing that is held."""
    if "root_scale_by_frame" in values:
        return squashed_for_a_frame(values, wanted, folder)
    if "weapon_x_by_frame" in values:
        return held_thing(values, wanted, folder)
    return planted_foot(values, wanted, folder) if "hip_y" in values else two_spaces(values, wanted, folder)


def planted_foot(values, wanted, folder):
    """A foot in world space stays while the body moves, and says FAR where the leg is too short."""
    limit = wanted["reach_limit_x"]
    hip_x = [*series(values["body_x_by_frame"]), limit - 1e-6, limit + 1e-6, 60.0]
    foot = rigs.constraint("foot", values["targets"][0]["point"], values["targets"][0]["space"])
    limbs, keyed = rigs.bones("foot", values["lengths"]), {"body": {"x": hip_x}}
    rig = rigs.load(folder, limbs, [foot], body={"y": values["hip_y"]}, keyed=keyed)
    solved, solutions = er.solve(rig, rig.clip("clip", rigs.FPS))
    drift = np.linalg.norm(rigs.tips(rig, solved, "foot") - values["targets"][0]["point"], axis=-1)
    far = np.array(hip_x) > limit
    assert drift[~far].max() <= wanted["foot_drift_max"]
    assert np.array_equal(np.asarray(solutions["foot"].why) == er.Why.FAR, far)
    assert solutions["foot"].error == pytest.approx(drift, abs=1e-9)
    baked = er.bake(rig, "clip", fps=rigs.FPS, tolerance=1e-7).clip("clip", rigs.FPS)
    assert rigs.tips(rig, baked, "foot") == pytest.approx(rigs.tips(rig, solved, "foot"), abs=1e-6)


def two_spaces(values, wanted, folder):
    """A world target stays, a character target rides with the body."""
    goals = [rigs.constraint(t["name"], t["point"], t["space"]) for t in values["targets"]]
    lengths, hip = values["lengths"], values["hip_offset"]
    limbs = [bone for t in values["targets"] for bone in rigs.bones(t["name"], lengths, at=hip)]
    rig = rigs.load(folder, limbs, goals, keyed={"body": {"x": values["body_x_by_frame"]}})
    solved, solutions = er.solve(rig, rig.clip("clip", rigs.FPS))
    for name in ("foot", "hand"):
        assert rigs.tips(rig, solved, name) == pytest.approx(np.array(wanted[f"{name}_end"]), abs=EXACT)
        assert np.max(solutions[name].error) <= wanted["gap_max"]


def held_thing(values, wanted, folder):
    """A hand that holds a moving thing is where the thing is in this frame, whoever moves the thing."""
    grip, xs = values["targets"][0], values["weapon_x_by_frame"]
    goal = rigs.constraint(grip["name"], grip["point"], grip["space"])
    limbs = rigs.bones(grip["name"], values["lengths"], at=values["root"])
    weapon = {"name": grip["space"], "length": 10}
    rig = rigs.load(folder, [*limbs, weapon], [goal], keyed={grip["space"]: {"x": xs}})
    solved, solutions = er.solve(rig, rig.clip("clip", rigs.FPS))
    assert rigs.tips(rig, solved, grip["name"])[:, 0] == pytest.approx(wanted["end_x"], abs=EXACT)
    assert np.max(solutions[grip["name"]].error) <= wanted["gap_max"]
    bare = rigs.load(folder, limbs, [goal], frames={grip["space"]: {"parent": "world"}})
    handed = {grip["space"]: affine.from_parts(np.array(xs, dtype=float), 0.0, 0.0, 1.0, 1.0)}
    clip = er.Clip.from_pose(bare.skeleton.rest_pose(), len(xs), rigs.FPS)
    solved, _ = er.solve(bare, clip, frames=handed)
    assert rigs.tips(bare, solved, grip["name"])[:, 0] == pytest.approx(wanted["end_x"], abs=EXACT)


def squashed_for_a_frame(values, wanted, folder):
    """While the parent has scale 0 the angles of the frame before are held, and the answer says so."""
    scale = values["root_scale_by_frame"]
    arm, keyed = rigs.constraint("arm", values["target"]), {"body": {"scale_x": scale, "scale_y": scale}}
    rig = rigs.load(folder, rigs.bones("arm", values["lengths"]), [arm], keyed=keyed)
    solved, solutions = er.solve(rig, rig.clip("clip", rigs.FPS))
    angles, why = rigs.rotations(rig, solved, "arm"), np.asarray(solutions["arm"].why)
    first = wanted["frame0"]
    assert turned(np.degrees(angles[0]), [first["upper_deg"], first["lower_rel_deg"]]).max() < EXACT
    assert rigs.tips(rig, solved, "arm")[0] == pytest.approx(first["end"], abs=EXACT)
    assert angles[1] == pytest.approx(angles[0], abs=1e-12)
    assert [bool(flags & er.Why.DEGENERATE) for flags in why] == [s == 0 for s in scale]
    assert np.array_equal(angles[2], angles[0])
    baked = er.bake(rig, "clip", fps=rigs.FPS).clip("clip", rigs.FPS)
    assert np.isfinite(baked.rotation).all()
    assert rigs.tips(rig, baked, "arm")[[0, 2]] == pytest.approx(np.array([first["end"]] * 2), abs=0.1)
