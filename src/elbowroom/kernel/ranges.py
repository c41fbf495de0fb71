"""Ranges of joint angles as the unit vectors that the limit leaves work on."""

from __future__ import annotations

from functools import lru_cache

from elbowroom.kernel.limits import ends


@lru_cache(maxsize=256)
def range_ends(base: float, *ranges: float) -> tuple[float, ...]:
    """Unit vectors and widths of the ranges of a limb, the first turned by `base`: five numbers a joint."""
    found: tuple[float, ...] = ()
    for joint in range(len(ranges) // 2):
        low, high = ranges[2 * joint : 2 * joint + 2]
        turn = 0.0 if joint else base
        found += ends(low + turn, high + turn)
    return found
