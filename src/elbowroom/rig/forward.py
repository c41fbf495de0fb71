"""Forward kinematics: world transforms from local channels, parents first, under the five inherit modes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from elbowroom.kernel.engine import rows
from elbowroom.rig import affine
from elbowroom.rig.affine import Array
from elbowroom.rig.skeleton import CHANNELS, Codes, Indexes, Skeleton

ONLY_TRANSLATION, NO_ROTATION, NO_SCALE, NO_SCALE_OR_REFLECTION = 1, 2, 3, 4

# An x axis this much shorter than the y axis, squared, says nothing about the parent's rotation any more.
_GONE = 1e-10


def evaluate(
    skeleton: Skeleton,
    channels: Mapping[str, Array],
    inherit: Codes,
    world: Array,
    which: npt.NDArray[np.bool_],
) -> None:
    """Write the world transforms of the bones in `which` into `world`; their parents' are there already.

    channels : the seven of CHANNELS, (..., n)
    inherit : (..., n) codes
    world : (..., n, 2, 3)
    which : (n,)
    """
    picked = np.flatnonzero(which)
    local = np.empty_like(world)
    local[..., picked, :, :] = affine.from_parts(*(channels[c][..., picked] for c in CHANNELS))
    roots, *levels = (level[which[level]] for level in skeleton.levels)
    world[..., roots, :, :] = local[..., roots, :, :]  # a bone without a parent has nothing to inherit
    for bones in levels:
        parent = world[..., skeleton.parents[bones], :, :]
        world[..., bones, :, :] = affine.compose(parent, local[..., bones, :, :])
        if inherit[..., bones].any():
            _inherit(channels, inherit, world, local, bones, parent)


def _inherit(
    channels: Mapping[str, Array],
    inherit: Codes,
    world: Array,
    local: Array,
    bones: Indexes,
    parent: Array,
) -> None:
    """Replace the axes of bones that do not inherit everything; their origins are right already."""
    codes = inherit[..., bones]
    for code in np.unique(codes[codes != 0]).tolist():
        some = (codes == code).any(axis=tuple(range(codes.ndim - 1)))
        those, above = bones[some], parent[..., some, :, :]
        if code == ONLY_TRANSLATION:
            axes = local[..., those, :, :]
        elif code == NO_ROTATION:
            axes = affine.compose(_without_rotation(above), local[..., those, :, :])
        else:
            unturned = {c: channels[c][..., those] for c in CHANNELS} | {"rotation": np.zeros(1)}
            frame = _without_scale(above, channels["rotation"][..., those], code == NO_SCALE)
            axes = affine.compose(frame, affine.from_parts(**unturned))
        chosen = (codes[..., some] == code)[..., np.newaxis, np.newaxis]
        old = world[..., those, :, :2]
        world[..., those, :, :2] = np.where(chosen, axes[..., :2], old)


def _without_rotation(parent: Array) -> Array:
    """The parent's scale along its own world direction u, without its rotation and reflection.

    |q|·(u uᵀ + s w wᵀ), q the x axis, u = q/|q|, w ⟂ u, s = |det|/|q|²: the stretch of [q, s·q⟂] turned back
    by the angle of q. With no x axis left Spine's stand-in is used: the stretch along (−b, d).
    """
    a, b, _, c, d, _ = affine.entries(parent)
    gone = a * a + c * c <= _GONE * (b * b + d * d)
    ux, uy = np.where(gone, 0.0 - b, a), np.where(gone, d, c)
    length = np.sqrt(ux * ux + uy * uy)
    safe = np.where(length > 0.0, length, 1.0)
    ux, uy = ux / safe, uy / safe
    across = np.where(gone, 0.0, np.abs(a * d - b * c) / safe)
    slant = (length - across) * (ux * uy)
    zero = np.zeros_like(length)
    along_x, along_y = ux * ux, uy * uy
    return affine.pack(
        length * along_x + across * along_y, slant, zero,
        slant, length * along_y + across * along_x, zero,
    )  # fmt: skip


def _without_scale(parent: Array, rotation: Array, mirrors: bool) -> Array:
    """The bone's own direction as the parent turns it, as unit axes; a mirroring parent flips y if `mirrors`.

    Where the parent squashes that direction to nothing, both axes are zero.
    """
    a, b, _, c, d, _ = affine.entries(parent)
    sine, cosine = rows().sincos(rotation)
    zx, zy = a * cosine + b * sine, c * cosine + d * sine
    length = np.sqrt(zx * zx + zy * zy)
    safe = np.where(length > 0.0, length, 1.0)
    zx, zy = zx / safe, zy / safe
    side = np.where(a * d - b * c < 0.0, -1.0, 1.0) if mirrors else 1.0
    zero = np.zeros_like(length)
    return affine.pack(zx, (0.0 - zy) * side, zero, zy, zx * side, zero)
