"""Angles as the runtimes of Spine have them: degrees, turned into radians and back by a π of seven decimals."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from elbowroom.kernel.engine import rows

Row: TypeAlias = npt.NDArray[np.float64]
Where: TypeAlias = npt.NDArray[np.bool_]

PI = 3.1415927
RAD = PI / 180.0  # [rad] of a degree
DEG = 180.0 / PI  # [deg] of a radian
HALF_TURN = 3.141592653589793  # of atan2, which knows the true one


def sincos_deg(deg: npt.ArrayLike) -> tuple[Row, Row]:
    """(sine, cosine) (...) of angles (...) [deg]."""
    sine, cosine = rows().sincos(np.asarray(deg, dtype=np.float64) * RAD)
    return sine, cosine


def sincos(rad: npt.ArrayLike) -> tuple[Row, Row]:
    """(sine, cosine) (...) of angles (...) [rad]."""
    sine, cosine = rows().sincos(np.asarray(rad, dtype=np.float64))
    return sine, cosine


def angle(y: npt.ArrayLike, x: npt.ArrayLike) -> Row:
    """atan2 (...) [rad], −π to π, with the signs of zeros that IEEE 754 gives it."""
    y, x = np.asarray(y, dtype=np.float64), np.asarray(x, dtype=np.float64)
    flat = np.copysign(np.where(np.signbit(x), HALF_TURN, 0.0), y)
    turned: Row = np.where(y == 0.0, flat, rows().atan2(y, x))
    return turned


def angle_deg(y: npt.ArrayLike, x: npt.ArrayLike) -> Row:
    """Angle (...) [deg] of vectors."""
    return angle(y, x) * DEG


def wrap_once(rad: Row) -> Row:
    """Angles (...) [rad] with one turn taken off or added where they are beyond a half."""
    wrapped: Row = np.where(rad > PI, rad - 2.0 * PI, np.where(rad < -PI, rad + 2.0 * PI, rad))
    return wrapped


def wrap_once_deg(deg: Row, *, at_minus: bool = False) -> Row:
    """The same in degrees; at_minus: −180 becomes 180 as well (4.3)."""
    low = deg <= -180.0 if at_minus else deg < -180.0
    wrapped: Row = np.where(deg > 180.0, deg - 360.0, np.where(low, deg + 360.0, deg))
    return wrapped


def size(x: Row, y: Row) -> Row:
    """Length (...) of vectors."""
    length: Row = np.sqrt(x * x + y * y)
    return length


def arccos(cosine: Row) -> Row:
    """Angle (...) [rad], 0 to π, of a cosine from −1 to 1."""
    return angle(np.sqrt((1.0 - cosine) * (1.0 + cosine)), cosine)
