"""Affine transforms of the plane as arrays (..., 2, 3): [[a, b, x], [c, d, y]].

The columns (a, c) and (b, d) are the images of the x and y axis, (x, y) is the image of the origin.
Every product is written out in one fixed order: a frame alone and the same frame inside a batch have the
same bits, which a call into a matrix library does not promise.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from elbowroom.errors import RigError
from elbowroom.kernel.engine import rows

Array: TypeAlias = npt.NDArray[np.float64]

IDENTITY: Array = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
IDENTITY.setflags(write=False)

_FLAT = 1e-14  # sine of the angle between the axes below which they are one direction, rounding aside


class Parts(NamedTuple):
    """A transform taken apart, in the order of `skeleton.CHANNELS`: (...) [length], [rad], factors, [rad]."""

    x: Array
    y: Array
    rotation: Array
    scale_x: Array
    scale_y: Array
    shear_x: Array
    shear_y: Array


def entries(matrix: npt.ArrayLike) -> tuple[Array, Array, Array, Array, Array, Array]:
    """The six entries a, b, x, c, d, y of (..., 2, 3), each (...)."""
    m = np.asarray(matrix, dtype=np.float64)
    return m[..., 0, 0], m[..., 0, 1], m[..., 0, 2], m[..., 1, 0], m[..., 1, 1], m[..., 1, 2]


def pack(*six: npt.ArrayLike) -> Array:
    """The matrix (..., 2, 3) of entries a, b, x, c, d, y that broadcast against each other."""
    out = np.empty((*np.broadcast_shapes(*(np.shape(entry) for entry in six)), 2, 3))
    for place, entry in zip(np.ndindex(2, 3), six, strict=True):
        out[(..., *place)] = entry
    return out


def compose(outer: npt.ArrayLike, inner: npt.ArrayLike) -> Array:
    """The transform that applies `inner` first: compose(world_from_hip, hip_from_thigh) = world_from_thigh.

    outer, inner : (..., 2, 3), batch axes broadcast.  Returns (..., 2, 3).
    """
    a, b, x, c, d, y = entries(outer)
    e, f, u, g, h, v = entries(inner)
    return pack(
        a * e + b * g, a * f + b * h, a * u + b * v + x,
        c * e + d * g, c * f + d * h, c * u + d * v + y,
    )  # fmt: skip


def apply(matrix: npt.ArrayLike, points: npt.ArrayLike) -> Array:
    """Points (..., 2) [length] of the inner space, written in the outer one; batch axes broadcast."""
    a, b, x, c, d, y = entries(matrix)
    p = np.asarray(points, dtype=np.float64)
    px, py = p[..., 0], p[..., 1]
    out = np.empty((*np.broadcast_shapes(a.shape, px.shape), 2))
    out[..., 0] = a * px + b * py + x
    out[..., 1] = c * px + d * py + y
    return out


def determinant(matrix: npt.ArrayLike) -> Array:
    """ad − bc, (...): the factor on areas; negative where the transform mirrors."""
    a, b, _, c, d, _ = entries(matrix)
    return a * d - b * c


def singular(matrix: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    """Where a transform squashes the plane to a line or a point, (...) bool.

    Judged beside the length of its axes: a scale of 1e-9 has an inverse, a shear by 90° has none.
    """
    a, b, _, c, d, _ = entries(matrix)
    flat: npt.NDArray[np.bool_] = np.abs(a * d - b * c) <= _FLAT * _length(a, c) * _length(b, d)
    return flat


def check_invertible(matrix: npt.ArrayLike, what: str) -> None:
    """Raise the RigError that names `what` if any transform of (..., 2, 3) has no inverse."""
    flat = singular(matrix)
    if not np.any(flat):
        return
    where = np.argwhere(flat)[0].tolist()
    axes = np.asarray(matrix)[..., :2].reshape(-1, 2, 2)[np.flatnonzero(flat)[0]]
    point = not np.any(axes)
    at = f" at frame {', '.join(map(str, where))}" if where else ""
    raise RigError(
        f"{what} is squashed to a {'point' if point else 'line'}{at}: "
        "it has no inverse (give it a scale other than 0)"
    )


def invert(matrix: npt.ArrayLike, what: str = "the transform") -> Array:
    """The inverse of (..., 2, 3): world_from_hip -> hip_from_world.

    Raises RigError beginning with `what` (such as 'bone "hip"') where there is none; ask `singular` first
    to go on without those.
    """
    check_invertible(matrix, what)
    a, b, x, c, d, y = entries(matrix)
    area = a * d - b * c
    return pack(
        d / area, (0.0 - b) / area, (b * y - d * x) / area,
        (0.0 - c) / area, a / area, (c * x - a * y) / area,
    )  # fmt: skip


def from_parts(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    rotation: npt.ArrayLike,
    scale_x: npt.ArrayLike,
    scale_y: npt.ArrayLike,
    shear_x: npt.ArrayLike = 0.0,
    shear_y: npt.ArrayLike = 0.0,
) -> Array:
    """The transform of a bone's seven channels, (..., 2, 3).

    x, y : (...) [length];  rotation, shear_x, shear_y : (...) [rad];  scale_x, scale_y : (...) factors
    Columns: scale_x·(cos, sin) of rotation + shear_x, and scale_y·(−sin, cos) of rotation + shear_y.
    """
    turn = np.asarray(rotation, dtype=np.float64)
    angle_x = turn + np.asarray(shear_x, dtype=np.float64)
    angle_y = turn + np.asarray(shear_y, dtype=np.float64)
    sin_x, cos_x = rows().sincos(angle_x)
    sin_y, cos_y = (sin_x, cos_x) if np.array_equal(angle_x, angle_y) else rows().sincos(angle_y)
    sx, sy = np.asarray(scale_x, dtype=np.float64), np.asarray(scale_y, dtype=np.float64)
    return pack(cos_x * sx, (0.0 - sin_y) * sy, x, sin_x * sx, cos_y * sy, y)


def parts_from(matrix: npt.ArrayLike, mirror: Literal["x", "y"] = "y") -> Parts:
    """Take (..., 2, 3) apart into channels that `from_parts` puts together again; shear_x is 0.

    mirror : which scale carries the minus sign of a mirrored transform ("x" turns the rotation by 180°).
    A squashed axis has scale 0; with the x axis gone the rotation is that of the y axis.
    Source: the y axis (b, d) seen from the unit x axis is scale_y·(−sin, cos) of shear_y.
    """
    a, b, x, c, d, y = entries(matrix)
    long_x, long_y = _length(a, c), _length(b, d)
    area, dot = a * d - b * c, a * b + c * d
    sign = np.where(area < 0.0, -1.0, 1.0)
    sign_x, sign_y = (sign, 1.0) if mirror == "x" else (1.0, sign)
    gone = long_x == 0.0
    # with no x axis take the y axis turned by -90° for it
    along, across = np.where(gone, d, a) * sign_x, np.where(gone, 0.0 - b, c) * sign_x
    rotation = rows().atan2(across + 0.0, along + 0.0)
    shear = np.where(long_y == 0.0, 0.0, rows().atan2((0.0 - sign * dot) + 0.0, np.abs(area)))
    zero = np.zeros_like(long_x)
    return Parts(x + 0.0, y + 0.0, rotation, sign_x * long_x, sign_y * long_y, zero, shear)


def reparent(
    world_from_bone: npt.ArrayLike,
    world_from_parent: npt.ArrayLike,
    what: str = "the new parent",
    mirror: Literal["x", "y"] = "y",
) -> Parts:
    """The channels that leave a bone where it is under another parent (inherit "normal").

    A mirrored parent gives a mirrored local transform, so the picture on the bone does not flip.
    Raises RigError naming `what` where the parent has no inverse.
    """
    return parts_from(compose(invert(world_from_parent, what), world_from_bone), mirror)


def _length(x: Array, y: Array) -> Array:
    length: Array = np.sqrt(x * x + y * y)
    return length
