"""Small rigs made in the test: a body with a limb or two, and random poses of them."""

from __future__ import annotations

import numpy as np

import elbowroom as er
from elbowroom.rig.rig import Rig

UPPER, LOWER = 50.0, 40.0
ARM = ("upper", "lower")


def constraint(name="arm", bones=ARM, position=(60.0, 30.0), space="world", on_miss="accept", **more):
    """A limb's constraint with a target of its own."""
    return er.IKConstraint(name, bones, er.Target(position, space), on_miss, **more)


def arm_bones(**upper):
    """A body without length, an upper arm on it and a lower arm; `upper` are more values of the upper one."""
    return [
        {"name": "body"},
        {"name": "upper", "parent": "body", "length": UPPER, **upper},
        {"name": "lower", "parent": "upper", "x": UPPER, "length": LOWER},
    ]


def arm(*constraints, bones=None, **more):
    """A rig of `arm_bones`; without constraints it gets a plain one."""
    skeleton = er.Skeleton.from_bones(bones or arm_bones())
    return Rig(skeleton, constraints or (constraint(),), **more)


def keyed(rig, frames=None, fps=30, tracks=None, **channels):
    """The rig's rest pose with some channels of some bones: name -> bone -> number or (frames,)."""
    shape = () if frames is None else (frames,)
    values = {}
    for name, bones in channels.items():
        table = np.tile(rig.skeleton.rest[name], (*shape, 1))
        for bone, value in bones.items():
            table[..., rig.skeleton.index(bone)] = value
        values[name] = table
    pose = er.Pose(rig.skeleton, **values)
    if frames is None:
        return pose
    clip = pose if pose.shape else er.Clip.from_pose(pose, frames, fps)
    return er.Clip(**{name: getattr(clip, name) for name in KEYED}, skeleton=rig.skeleton, fps=fps, tracks=tracks)


KEYED = ("x", "y", "rotation", "scale_x", "scale_y", "shear_x", "shear_y", "inherit")


def random_pose(rng, skeleton, shape=(), *, even=False):
    """Poses of any rotation, offset, scale, mirror and shear; `even`: scales that keep shapes, no shear."""
    full = (*shape, len(skeleton))
    mirror = rng.choice([-1.0, 1.0], full)
    scale = rng.uniform(0.4, 2.0, full)
    other = scale if even else rng.uniform(0.4, 2.0, full)
    shear = np.zeros(full) if even else rng.uniform(-0.6, 0.6, (2, *full))
    return er.Pose(
        skeleton,
        x=skeleton.rest["x"] + rng.uniform(-20, 20, full), y=skeleton.rest["y"] + rng.uniform(-20, 20, full),
        rotation=rng.uniform(-4, 4, full), scale_x=scale * mirror, scale_y=other * rng.choice([-1.0, 1.0], full),
        shear_x=shear[0] if not even else shear, shear_y=shear[1] if not even else shear,
    )  # fmt: skip


def tip(rig, pose, bone="lower"):
    """Where a bone ends in the world, (..., 2)."""
    return pose.tips()[..., rig.skeleton.index(bone), :]


def distance(a, b):
    """Lengths (...) of the differences of points (..., 2)."""
    return np.linalg.norm(np.asarray(a) - b, axis=-1)


def side(points):
    """+1 where the middle of three points (..., 3, 2) is to the left of the way from the first to the last."""
    (px, py), (qx, qy) = (np.moveaxis(points[..., i, :] - points[..., 0, :], -1, 0) for i in (1, 2))
    return np.sign(qx * py - qy * px)
