"""Degrees where people write, radians inside."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

RADIANS = math.pi / 180.0  # [rad] of one degree


def radians(degrees: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """(...) [deg] -> (...) [rad], one product."""
    return np.asarray(degrees, dtype=np.float64) * RADIANS


def degrees(angle: float, written: Iterable[float] = ()) -> float:
    """The degrees a person would write for an angle [rad]: `radians` of them is the angle again, exactly.

    written : [deg] candidates that come first, such as the number in the file the angle was read from
    Otherwise the shortest decimal number that leads back.
    """
    near = angle / RADIANS
    for candidate in (*written, *(round(near, digits) for digits in range(17)), near):
        if candidate * RADIANS == angle:
            return candidate
    # the quotient may be one step off
    return next(
        (
            c
            for c in (math.nextafter(near, math.inf), math.nextafter(near, -math.inf))
            if c * RADIANS == angle
        ),
        near,
    )
