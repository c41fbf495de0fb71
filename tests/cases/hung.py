"""Cases of a limb that hangs on something: parents, spaces, two constraints. One function an `op`."""

from __future__ import annotations

import math

import numpy as np
import pytest

import elbowroom as er
from cases import rigs
from cases.answers import EXACT, turned
from elbowroom.rig import affine, space


def world_to_local(values, _, __):
    """There is no way into the space of a bone squashed to a point: the error names the bone."""
    scale = values["matrix"][0][0]
    squashed = er.Skeleton(("hip", "lamp"), [-1, 0], 10.0, {"scale_x": [1.0, scale], "scale_y": [1.0, scale]})
    with pytest.raises(er.RigError, match='bone "lamp" is squashed to a point'):
        space.space_from_world("lamp", squashed.rest_pose())


def two_bone_in_parent(values, wanted, folder):
    """A scaled or mirrored parent: the world target is met, the bend is meant in its space."""
    parent = values["parent"]
    (scale_x, scale_y), turn = parent["scale"], parent["rotation_deg"]
    body = {"x": parent["x"], "y": parent["y"], "rotation_deg": turn, "scale_x": scale_x, "scale_y": scale_y}
    reach_for = rigs.constraint("arm", values["world_target"], bend=values["bend"])
    rig = rigs.load(folder, rigs.bones("arm", values["lengths"]), [reach_for], body=body)
    pose, solutions = er.solve(rig, rig.skeleton.rest_pose())
    assert rigs.tips(rig, pose, "arm") == pytest.approx(wanted["world_end"], abs=EXACT)
    joints = np.asarray(er.fk((0, 0), rigs.rotations(rig, pose, "arm"), values["lengths"]))
    assert joints[2] == pytest.approx(wanted["local_target"], abs=EXACT)
    assert side(joints) == values["bend"]
    assert side(np.asarray(solutions["arm"].joints)) == values["bend"] * math.copysign(1, scale_x * scale_y)
    if "local" in wanted:
        found = np.degrees(rigs.rotations(rig, pose, "arm"))
        assert turned(found, [wanted["local"]["upper_deg"], wanted["local"]["lower_rel_deg"]]).max() < EXACT
        assert joints[1] == pytest.approx(wanted["local"]["elbow"], abs=EXACT)


def side(joints):
    """+1 where the elbow is to the left of root -> end, -1 to the right."""
    (ex, ey), (tx, ty) = joints[1] - joints[0], joints[2] - joints[0]
    return math.copysign(1, tx * ey - ty * ex)


def reparent(values, wanted, _):
    """Under a mirrored parent a bone keeps its place in the world by a mirrored local transform."""
    bone, parent = values["bone"], values["new_parent"]
    placed = affine.from_parts(*bone["world"], math.radians(bone["world_rotation_deg"]), *bone["world_scale"])
    over = affine.from_parts(parent["x"], parent["y"], math.radians(parent["rotation_deg"]), *parent["scale"])
    local = affine.reparent(placed, over)
    assert (local.x, local.y) == pytest.approx((wanted["local"]["x"], wanted["local"]["y"]), abs=EXACT)
    assert affine.determinant(affine.from_parts(*local)) == pytest.approx(-1.0, abs=1e-12)
    rest = {name: [own, value] for (name, own), value in zip(mirrored(parent).items(), local, strict=True)}
    world = er.Skeleton(("parent", "bone"), [-1, 0], 1.0, rest).rest_pose().world()[1]
    assert world == pytest.approx(placed, abs=1e-12)
    assert world[:, 2] == pytest.approx(wanted["world_after"], abs=EXACT)
    assert affine.determinant(world) == pytest.approx(wanted["world_determinant"], abs=1e-12)


def mirrored(parent):
    """The channels of a parent as the case gives it."""
    turn, (sx, sy) = math.radians(parent["rotation_deg"]), parent["scale"]
    names = ("x", "y", "rotation", "scale_x", "scale_y", "shear_x", "shear_y")
    return dict(zip(names, (parent["x"], parent["y"], turn, sx, sy, 0.0, 0.0), strict=True))


def two_bone_rest_offset(values, wanted, folder):
    """A child off its parent's axis: lengths join the joints, rotations leave out the rest angle.

    A rig's last bone ends on its own axis, so the second bone lies along the case's offset here.
    """
    (ox, oy), last = (bone["child_offset"] for bone in values["bones"])
    limb_bones = rigs.bones("arm", (0.0, math.hypot(*last)))
    limb_bones[1] |= {"x": ox, "y": oy}
    rig = rigs.load(folder, limb_bones, [rigs.constraint("arm", values["target"], bend=values["bend"])])
    pose, solutions = er.solve(rig, rig.skeleton.rest_pose())
    joints = np.asarray(solutions["arm"].joints)
    steps = np.diff(joints, axis=0)
    assert np.linalg.norm(steps, axis=-1) == pytest.approx(wanted["lengths"], abs=EXACT)
    assert rigs.tips(rig, pose, "arm") == pytest.approx(wanted["end"], abs=EXACT)
    segment = math.degrees(math.atan2(steps[0, 1], steps[0, 0]))
    own = math.degrees(rigs.rotations(rig, pose, "arm")[0])
    assert segment == pytest.approx(wanted["segment_upper_deg"], abs=EXACT)
    assert turned(own, wanted["bone_rotation_deg"][0]) < EXACT
    assert segment - own == pytest.approx(wanted["rest_angle_deg"][0], abs=EXACT)


def two_constraints(values, wanted, folder):
    """A constraint of mix 0 leaves the bones where the one before it put them, to the bit."""
    limb_bones = rigs.bones("arm", values["lengths"], at=values["root"])
    both = [rigs.constraint(ik["name"], ik["target"], limb="arm", mix=ik["mix"]) for ik in values["ik"]]
    rig = rigs.load(folder, limb_bones, both)
    pose, _ = er.solve(rig, rig.skeleton.rest_pose())
    assert rigs.tips(rig, pose, "arm") == pytest.approx(wanted["end"], abs=EXACT)
    found = np.degrees(rigs.rotations(rig, pose, "arm"))
    assert turned(found, [wanted["pose"]["upper_deg"], wanted["pose"]["lower_rel_deg"]]).max() < EXACT
    alone = rigs.load(folder, limb_bones, both[:1])
    assert np.array_equal(er.solve(alone, alone.skeleton.rest_pose())[0].rotation, pose.rotation)


def blend(values, wanted, folder):
    """Between FK and IK the angles are blended, so that the bones keep their lengths."""
    lengths = values["lengths"]
    target = er.fk((0, 0), np.radians(values["ik_relative_deg"]).tolist(), lengths)[-1]
    for weight, relative in zip(values["weights"], wanted["relative_deg"], strict=True):
        rig = rigs.load(folder, rigs.bones("arm", lengths), [rigs.constraint("arm", target, mix=weight)])
        pose, _ = er.solve(rig, rig.skeleton.rest_pose())
        assert turned(np.degrees(rigs.rotations(rig, pose, "arm")), relative).max() < EXACT
        joints = np.vstack([pose.world()[1:, :, 2], rigs.tips(rig, pose, "arm")])
        assert np.linalg.norm(np.diff(joints, axis=0), axis=-1) == pytest.approx(lengths, abs=1e-12)


def multi(values, wanted, folder):
    """Two limbs of one rig, each with its bend, reach their own targets as mirror pictures of each other."""
    names, limbs, goals = ("left", "right"), [], []
    for name, one in zip(names, values["limbs"], strict=True):
        limbs += rigs.bones(name, one["lengths"], at=one["root"])
        goals.append(rigs.constraint(name, one["target"], bend=one["bend"]))
    rig = rigs.load(folder, limbs, goals)
    pose, solutions = er.solve(rig, rig.skeleton.rest_pose())
    for name, one, end in zip(names, values["limbs"], wanted["ends"], strict=True):
        assert rigs.tips(rig, pose, name) == pytest.approx(end, abs=EXACT)
        assert side(np.asarray(solutions[name].joints)) == one["bend"]
    left, right = (np.asarray(solutions[name].joints) for name in names)
    assert wanted["elbows_mirror_in_x"]
    assert left == pytest.approx(right * [-1.0, 1.0], abs=EXACT)
