"""Sums and products that lose nothing: the rounded value, and exactly what the rounding took.

Sources: T. J. Dekker, A floating-point technique for extending the available precision (1971), for the split
and the product; D. E. Knuth, The Art of Computer Programming 2, section 4.2.2, for the sum. None needs a
fused multiply-add, which would not round the same way everywhere.
"""

from __future__ import annotations

from elbowroom.kernel.ops import leaf

SPLITTER = 134217729.0  # 2^27 + 1: cuts 53 bits into 26 and 26 (the sign of the second is the missing bit)


@leaf
def two_sum(a: float, b: float) -> tuple[float, float]:
    """a + b = hi + lo exactly, whichever is larger (while the sum does not overflow)."""
    hi = a + b
    kept = hi - a
    return hi, (a - (hi - kept)) + (b - kept)


@leaf
def split(x: float) -> tuple[float, float]:
    """x = head + tail exactly, each of at most 26 bits, so products of parts are exact; |x| < 1e300."""
    wide = SPLITTER * x
    head = wide - (wide - x)
    return head, x - head


@leaf
def lost(p: float, x_head: float, x_tail: float, y_head: float, y_tail: float) -> float:
    """What rounding took from a product: x·y − p, for p = x·y rounded and both factors given split."""
    return ((x_head * y_head - p) + x_head * y_tail + x_tail * y_head) + x_tail * y_tail


@leaf
def product(x: float, y: float) -> tuple[float, float]:
    """x·y = hi + lo exactly, for factors of size 1e-140 to 1e140 (or 0)."""
    hi = x * y
    x_head, x_tail = split(x)
    y_head, y_tail = split(y)
    return hi, lost(hi, x_head, x_tail, y_head, y_tail)


@leaf
def square(x: float) -> tuple[float, float]:
    """x² = hi + lo exactly, for |x| from 1e-140 to 1e140 (or 0)."""
    hi = x * x
    head, tail = split(x)
    return hi, ((head * head - hi) + 2.0 * head * tail) + tail * tail
