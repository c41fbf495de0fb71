"""Which way the hand looks when the arm has turned: the orientation of what hangs on a limb.

"free"    it turns with the limb
"keep"    it keeps the direction in the world that it had before the limb was solved
"follow"  its own rotation counts in the space of the target and not against the limb: a foot on a platform
"""

from __future__ import annotations

import numpy as np

from elbowroom.kernel.engine import rows
from elbowroom.rig import affine
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.pose import Pose
from elbowroom.rig.target import Target
from elbowroom.solve.geometry import Array, along, angle, between, linear, norm, own_axes, turned
from elbowroom.solve.goal import Goal, Resolve

AHEAD = np.array([1.0, 0.0])


def orientation(
    constraint: IKConstraint, pose: Pose, worlds: tuple[Array, Array], mix: Array, wanted: Goal, resolve: Resolve
) -> dict[str, dict[int, Array]]:
    """The channels of the bones that hang on a limb's last one.

    worlds : (..., n, 2, 3) before the limb was solved, and after, of the pose with its answer
    mix : (...);  wanted : the limb's target;  resolve : the way from a space to the world
    Bones that do not inherit a rotation keep their own; as does everything where the last bone is squashed.
    """
    if constraint.orientation == "free":
        return {}
    last, (before, after) = pose.skeleton.index(constraint.bones[-1]), worlds
    space = None if constraint.orientation == "keep" else _space(wanted, resolve, pose)
    found = {}
    for bone in np.flatnonzero(pose.skeleton.parents == last).tolist():
        own = angle(along(own_axes(pose, bone), AHEAD))  # where its x axis lies at rotation 0
        was = pose.rotation[..., bone]
        look = before[..., bone, :, 0] if space is None else along(space, turned(AHEAD, was + own))
        parent = after[..., last, :, :]
        stuck = affine.singular(parent) | (norm(look) == 0.0) | (pose.inherit[..., bone] != 0)
        safe = np.where(stuck[..., np.newaxis, np.newaxis], affine.IDENTITY, linear(parent))
        turn = angle(along(affine.invert(safe), look)) - own
        found[bone] = np.where(stuck | (mix == 0.0), was, was + mix * rows().wrap(turn - was))
    return {"rotation": found} if found else {}


def _space(wanted: Goal, resolve: Resolve, pose: Pose) -> Array:
    """The space of a target as (..., 2, 3); while it changes to another one, turned by as much as it has moved."""
    if isinstance(wanted, Target):
        return np.asarray(resolve(wanted.space))
    new, old = (_each(names or (), resolve, pose) for names in (wanted.space, wanted.before_space))
    weight = np.reshape(1.0 if wanted.weight is None else wanted.weight, (-1, *[1] * (len(pose.shape) - 1)))
    look = old[..., :, 0]
    turn = weight * between(look, new[..., :, 0])
    x = turned(look, turn)
    return np.stack([x, np.stack([-x[..., 1], x[..., 0]], axis=-1), np.zeros_like(x)], axis=-1)


def _each(names: tuple[str, ...], resolve: Resolve, pose: Pose) -> Array:
    """The space (T, ..., 2, 3) of each sample."""
    out = np.zeros((*pose.shape, 2, 3))
    for name in dict.fromkeys(names):
        here = np.array([each == name for each in names])
        out[here] = np.broadcast_to(resolve(name), out.shape)[here]
    return out
