"""What a leaf is, and how it is marked.

A *leaf* is a short formula over plain numbers: + - * /, sqrt, floor, comparisons joined by and / or / not,
`x if c else y`, calls of other leaves, one return at the end. No if-statement, no loop, no **, no other call.

Written once, a leaf runs three ways with the same bits (see engine.py): as it stands for a single call, compiled
to NumPy rows (`x if c else y` becomes `where(c, x, y)`, so both branches must be safe to compute), and compiled
by Numba to machine code. Divisors are therefore made non-zero before they divide.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

F = TypeVar("F", bound=Callable[..., object])


def leaf(function: F) -> F:
    """Mark a function as a leaf; the function itself is unchanged."""
    function.__leaf__ = True  # type: ignore[attr-defined]
    return function
