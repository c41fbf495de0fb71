"""Where the art of a Spine rig is: the borders of its regions and meshes in the world, without any texture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from elbowroom.kernel.trig import sincos
from elbowroom.rig.pose import Pose
from elbowroom.rig.spine.records import Array, Attachment, Spine, Vertices
from elbowroom.rig.units import RADIANS

CORNERS = np.array([(-0.5, -0.5), (-0.5, 0.5), (0.5, 0.5), (0.5, -0.5)])  # [fraction of width and height]
Shown = tuple[int, Attachment]


def outlines(spine: Spine, pose: Pose) -> list[Array]:
    """The borders of what every slot shows, back to front, (k, 2) [length] each, of one frame in the world."""
    world = pose.world()
    if world.ndim != 3:
        raise ValueError("outlines: one frame at a time")
    found = []
    for slot, attachment in _shown(spine, pose):
        if attachment.kind == "region":
            found.append(region(attachment.data, world[spine.slots[slot].bone]))
        elif attachment.kind in ("mesh", "linkedmesh") and attachment.vertices is not None:
            points = placed(attachment.vertices, world, spine.slots[slot].bone, _deform(pose, slot, attachment))
            found.append(points[: _hull(attachment.data, len(points))])
    return [points for points in found if len(points) > 2]


def region(data: Mapping[str, Any], world: Array) -> Array:
    """The four corners (4, 2) of a rectangle of art on a bone whose world_from_bone is (2, 3)."""
    size = (data.get("width", 0.0) * data.get("scaleX", 1.0), data.get("height", 0.0) * data.get("scaleY", 1.0))
    sin, cos = sincos(float(data.get("rotation", 0.0)) * RADIANS)
    turned = (CORNERS * size) @ np.array([[cos, sin], [-sin, cos]])
    local = turned + np.array([data.get("x", 0.0), data.get("y", 0.0)])
    return np.asarray(local @ world[:, :2].T + world[:, 2])


def placed(vertices: Vertices, world: Array, bone: int, deform: Array | None = None) -> Array:
    """Vertices in the world, (..., V, 2) [length].

    world : (..., n, 2, 3) world_from_bone;  bone : the slot's
    deform : (..., V, 2) absolute where unweighted, else (..., Σ, 2) added to what each influence says; None: setup
    """
    local = vertices.numbers
    if vertices.counts is None or vertices.bones is None or vertices.weights is None:
        local = local if deform is None else deform
        m = world[..., bone, :, :]
        return np.asarray(local @ np.swapaxes(m[..., :2], -1, -2) + m[..., np.newaxis, :, 2])
    local = local if deform is None else local + deform
    m = world[..., vertices.bones, :, :]
    pulled = (m[..., :2] @ local[..., np.newaxis])[..., 0] + m[..., 2]
    starts = np.append(0, np.cumsum(vertices.counts)[:-1])
    return np.asarray(np.add.reduceat(pulled * vertices.weights[:, np.newaxis], starts, axis=-2))


def _shown(spine: Spine, pose: Pose) -> list[Shown]:
    state, found = pose.state, []
    for i, slot in enumerate(spine.slots):
        name = slot.attachment
        if state is not None and i in state.shown:
            names, which = state.shown[i]
            name = names[int(which)] if int(which) >= 0 else None
        shown = None if name is None else spine.attachment(None if state is None else state.skin, i, name)
        if shown is not None:
            found.append((i, shown))
    return found


def _deform(pose: Pose, slot: int, attachment: Attachment) -> Array | None:
    """The deform in force, in the shape `placed` takes, or None."""
    key = attachment.timelines
    if pose.state is None or key is None or key not in pose.state.deforms:
        return None
    on, values = pose.state.deforms[key]
    return np.reshape(values, (-1, 2)) if bool(on) else None


def _hull(data: Mapping[str, Any], points: int) -> int:
    """How many of a mesh's vertices are its border; they come first."""
    return min(int(data.get("hull", 0)) or points, points)
