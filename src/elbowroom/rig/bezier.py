"""Cubic Bézier segments between two keys, exact to double precision.

Everything is elementwise in a fixed order: one time alone and the same among a thousand have the same bits.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

_ROUNDS = 80  # bisection alone ends after 54, and a Newton step is taken only when it gains more


def parameter(progress: Array, first: Array, second: Array) -> Array:
    """Where on the curve a segment is at a time: u with 3·first·u(1−u)² + 3·second·u²(1−u) + u³ = progress.

    progress : (k,) in [0, 1], the time as a part of the segment
    first, second : (k,) in [0, 1], the times of the two control points as parts of the segment, so that time
    never runs backwards along the curve
    Returns (k,) in [0, 1]. Newton's steps, and half the bracket where a step leaves it or gains too little.
    """
    found = progress.copy()
    left = np.arange(len(progress))  # the elements still on their way; dropping one changes no other
    u, low, high, last = progress, np.zeros_like(progress), np.ones_like(progress), np.ones_like(progress)
    for _ in range(_ROUNDS):
        miss = _time(u, first, second) - progress
        low, high = np.where(miss <= 0.0, u, low), np.where(miss >= 0.0, u, high)
        following = _next(u, miss, _speed(u, first, second), (low, high, last))
        going = (following != u) & (miss != 0.0)
        found[left] = u
        left, last, u = left[going], np.abs(following - u)[going], following[going]
        if not left.size:
            break
        progress, first, second, low, high = (x[going] for x in (progress, first, second, low, high))
    return found


def _next(u: Array, miss: Array, slope: Array, bounds: tuple[Array, Array, Array]) -> Array:
    """One step of a bracketed Newton search."""
    low, high, last = bounds
    step = miss / np.where(slope > 0.0, slope, 1.0)
    newton = u - step
    good = (slope > 0.0) & (newton > low) & (newton < high) & (np.abs(step) <= 0.5 * last)
    return np.where(good, newton, 0.5 * (low + high))


def blend(u: Array, start: Array, first: Array, second: Array, end: Array) -> Array:
    """The value at u of the cubic through start and end with two control values; all (...).

    Written as start plus what is added, so that a curve between equal values is exactly that value.
    """
    v = 1.0 - u
    early, late = 3.0 * u * v * v, 3.0 * u * u * v
    return start + (early * (first - start) + late * (second - start) + u * u * u * (end - start))


def _time(u: Array, first: Array, second: Array) -> Array:
    v = 1.0 - u
    return 3.0 * first * u * v * v + 3.0 * second * u * u * v + u * u * u


def _speed(u: Array, first: Array, second: Array) -> Array:
    v = 1.0 - u
    return 3.0 * (first * v * v + 2.0 * (second - first) * u * v + (1.0 - second) * u * u)
