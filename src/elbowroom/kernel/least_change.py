"""The pose that brings a chain to its target and changes the drawn pose least."""

from __future__ import annotations

from typing import Any

from elbowroom.kernel.chain import chain
from elbowroom.kernel.least_core import solve_least
from elbowroom.kernel.solution import Solution


def least_change(
    root: Any,
    target: Any,
    lengths: Any,
    angles: Any,
    *,
    bend: Any = 1,
    limits: Any = None,
    base: Any = 0.0,
    iterations: int = 100,
    tolerance: float = 1e-6,
    engine: str = "auto",
) -> Solution:
    """Solve a chain by changing the pose drawn as little as possible.

    root, target : (..., 2) [length]     in one space, y up
    lengths : (..., n) [length], >= 0    any number of bones, one and two as well
    angles : (..., n) [rad]              the pose drawn, each relative to the bone before, the first to `base`
    bend : (...) +1 or -1                side that a straight chain bends to (+1: left of root -> target); 0 as +1
    limits : (n, 2) or (..., n, 2) [rad] low, high of each angle, modulo a turn; a width of a turn or more is free
    base : (...) [rad]                   direction that the first angle is measured from
    iterations                           the most steps over the chain
    tolerance [fraction of reach]        error below which the target is reached
    engine : "auto", "numpy" or "numba"  for arrays; all give the same bits
    Returns Solution. Least is the sum of (angle - drawn angle)² over all joints but the first, which turns freely; if
    several poses are least among their neighbours, it is the one that the pose drawn leads to. The answer depends on
    the arguments alone: give the drawn pose at every frame, not the last answer, and closed paths of a target close.
    A target out of reach is answered by the straight chain (FAR), one in the dead zone by the folded chain (NEAR),
    where limits allow; with limits that hold the end back, by the nearest pose found (LIMIT), and BUDGET tells that
    all steps went into the search. `over` is how far the answer without limits, from the same pose, lies outside
    each range.
    Raises InputError for NaN, infinite or > 1e150 numbers, wrong shapes, values out of range.

    Source: Newton's method for the least under a condition; in the plane its matrix has three bands (flex.py).

    >>> tail = least_change((0, 0), (100, 0), [40, 40, 40], [0.0, 0.0, 0.0])
    >>> tail.reached, tail.joints[1][1] > 0
    (True, True)
    """
    return chain(
        "least_change", solve_least, root, target, lengths, angles, bend=bend, limits=limits, base=base,
        iterations=iterations, tolerance=tolerance, engine=engine,
    )  # fmt: skip
