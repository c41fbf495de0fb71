"""Cases of others about chains that hang on something, or that carry something: played on rigs."""

from __future__ import annotations

import json

import numpy as np
import pytest

import elbowroom as er
from elbowroom.rig.rig import Rig


@pytest.fixture(scope="session")
def cases(shared):
    """All cases by id."""
    return {case["id"]: case for case in json.loads((shared / "cases.json").read_text("utf-8"))}


def rig_of(parent, lengths, target, *, root=(0.0, 0.0), **more):
    """Bones of these lengths in a row on a parent, and one constraint on all of them."""
    bones = [{"name": "parent", **parent}]
    for i, length in enumerate(lengths):
        at = {"x": root[0], "y": root[1]} if i == 0 else {"x": lengths[i - 1]}
        bones.append({"name": f"b{i}", "parent": bones[-1]["name"], "length": length, **at})
    names = [bone["name"] for bone in bones[1 : 1 + len(lengths)]]
    limb = er.IKConstraint("limb", names, er.Target(target), "accept", **more)
    return Rig(er.Skeleton.from_bones(bones), (limb,))


def solved(rig):
    """The rest pose solved, and the answer."""
    pose, found = er.solve(rig, rig.skeleton.rest_pose())
    return pose, found["limb"]


def solver_of(method):
    """A method's name as a constraint has it, and the default beside it."""
    return None if method == "two_bone" else method


def scaled_model(values, wanted):
    """A scaled and turned parent changes nothing but the numbers the target is written in."""
    parent = {"rotation": np.radians(values["parent"]["rotation_deg"])}
    sx, sy = values["parent"]["scale"]
    for method in (*values["methods"], "least_change"):
        more = {"solver": solver_of(method), "iterations": 2000, "tolerance": 1e-12}
        more = {k: v for k, v in more.items() if k == "solver" or method != "two_bone"}
        big = rig_of(parent | {"scale_x": sx, "scale_y": sy}, values["lengths"], values["world_target"], **more)
        small = rig_of(parent, values["lengths"], np.divide(values["world_target"], sx), **more)
        (one, answer), (other, _) = solved(big), solved(small)
        assert np.allclose(np.asarray(answer.joints)[-1], wanted["world_end"], atol=1e-6 * sx)
        assert np.allclose(one.rotation, other.rotation, atol=1e-6), method


def limit_switched_on(values, wanted):
    """A limited chain under an uneven parent stays finite, keeps its lengths, and its pose at rest."""
    sx, sy = values["parent_scale"]
    for method in (values["method"], "least_change"):
        rig = rig_of({"scale_x": sx, "scale_y": sy}, values["lengths"], values["target_world"], solver=method,
                     limits=np.radians(values["limits_deg"]))  # fmt: skip
        clip = er.Clip.from_pose(rig.skeleton.rest_pose(), values["frames"], 30)
        pose, _ = er.solve(rig, clip)
        assert np.isfinite(pose.world()).all() == wanted["finite"]
        assert (pose.x == clip.x).all() == wanted["lengths_kept_local"]
        later = pose.rotation[wanted["pose_constant_after_frame"] :]
        assert (later == later[0]).all()


def root_stays(values, wanted):
    """The first bone keeps its place in its parent's space."""
    parent = {"x": values["parent"]["x"], "y": values["parent"]["y"],
              "rotation": np.radians(values["parent"]["rotation_deg"])}  # fmt: skip
    for method in (*values["methods"], "least_change"):
        more = {} if method == "two_bone" else {"iterations": 500, "tolerance": 1e-10}
        rig = rig_of(parent, values["lengths"], values["world_target"], root=values["root_local"],
                     solver=solver_of(method), **more)  # fmt: skip
        pose, answer = solved(rig)
        assert [pose.x[1], pose.y[1]] == wanted["root_local_after"]
        assert np.allclose(np.asarray(answer.joints)[-1], wanted["end"], atol=1e-6)


def tool_angle(values, wanted):
    """A hand of a given direction: the wrist is the hand's length before the target, and both sides reach it."""
    *arm, hand = values["lengths"]
    look = np.radians(values["end_world_deg"])
    wrist = np.subtract(values["target"], [hand * np.cos(look), hand * np.sin(look)])
    assert np.allclose(wrist, wanted["wrist"])
    for bend, expected in zip((1, -1), wanted["solutions"], strict=True):
        bones = [
            {"name": "body"},
            {"name": "upper", "parent": "body", "length": arm[0]},
            {"name": "lower", "parent": "upper", "x": arm[0], "length": arm[1]},
            {"name": "hand", "parent": "lower", "x": arm[1], "length": hand, "rotation": look},
        ]
        limb = er.IKConstraint("arm", ["upper", "lower"], er.Target(wrist), "accept", bend=bend, orientation="follow")
        rig = Rig(er.Skeleton.from_bones(bones), (limb,))
        pose, found = er.solve(rig, rig.skeleton.rest_pose())
        assert found["arm"].reached
        assert np.allclose(pose.tips()[3], values["target"], atol=1e-9)
        assert np.degrees(pose.rotation[1]) == pytest.approx(expected["upper_deg"], abs=1e-6)
        assert np.degrees(pose.rotation[2]) == pytest.approx(expected["lower_rel_deg"], abs=1e-6)


def foot_sweep(values, wanted):
    """A foot that turns in the world by a degree a frame does not jump, and the leg stands still."""
    look = np.radians(np.append(np.arange(0.0, 181.0), 91.068))
    look.sort()
    upper, lower = values["lengths"]
    bones = [
        {"name": "hip", "x": values["root"][0], "y": values["root"][1]},
        {"name": "thigh", "parent": "hip", "length": upper},
        {"name": "shin", "parent": "thigh", "x": upper, "length": lower},
        {"name": "foot", "parent": "shin", "x": lower, "length": 10.0},
    ]
    limb = er.IKConstraint("leg", ["thigh", "shin"], er.Target(values["target"]), "accept", bend=values["bend"],
                           orientation="follow")  # fmt: skip
    rig = Rig(er.Skeleton.from_bones(bones), (limb,))
    clip = er.Clip.from_pose(rig.skeleton.rest_pose(), len(look), 30)
    rotation = np.array(clip.rotation)
    rotation[:, 3] = look
    pose, _ = er.solve(rig, clip.replace(rotation=rotation))
    x = pose.world()[:, 3, :, 0]
    found = np.unwrap(np.arctan2(x[:, 1], x[:, 0]))
    assert np.abs(found - look).max() < 1e-9
    assert np.degrees(np.abs(np.diff(er.unwrap(pose.rotation[:, 3])))).max() <= wanted["max_step_deg"]
    assert (pose.rotation[:, 1:3] == pose.rotation[0, 1:3]).all() == wanted["upper_and_lower_constant"]


CASES = {"C01": scaled_model, "L13": limit_switched_on, "S08": root_stays, "E08": tool_angle, "F07": foot_sweep}


@pytest.mark.parametrize("name", CASES)
def test_case(name, cases):
    """The case comes out as its expected values say."""
    CASES[name](cases[name]["input"], cases[name]["expected"])
