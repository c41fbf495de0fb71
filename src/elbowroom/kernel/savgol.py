"""The Savitzky–Golay weights, exact, and the two ways to lay them over samples (plain floats, NumPy rows).

Both ways do the same operations in the same order, so they give the same bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def weights(window: int, order: int) -> list[list[float]]:
    """Row j holds what each sample of a window adds to the fitted value at its sample j.

    window : odd number of samples;  order : degree of the polynomial, below window
    Returns window rows of window floats, each the exact rational rounded once; every exact row sums to 1.
    Source: least squares fit of a polynomial on equal steps (A. Savitzky, M. Golay, 1964), written with
    polynomials orthogonal on the window: weight(j, i) = sum over k of p_k(j) p_k(i) / sum(p_k^2).
    """
    polynomials = _orthogonal(window, order)
    norms = [sum(value * value for value in p) for p in polynomials]
    common = lcm(*norms)
    half = []
    for j in range(window // 2 + 1):
        factors = [p[j] * (common // norm) for p, norm in zip(polynomials, norms, strict=True)]
        values = [sum(f * p[i] for f, p in zip(factors, polynomials, strict=True)) for i in range(window)]
        half.append([value / common for value in values])
    return half + [row[::-1] for row in reversed(half[:-1])]


def smooth_floats(rows: Sequence[Sequence[float]], window: int, order: int) -> list[list[float]]:
    """Fit every sample of `rows`, T rows of m floats, T >= window; the first and last fit serve the edges."""
    table, half, last = weights(window, order), window // 2, len(rows) - window
    smoothed = []
    for t, own in enumerate(rows):
        start = min(max(t - half, 0), last)
        row, near = table[t - start], rows[start : start + window]
        smoothed.append([_fit(row, [sample[c] for sample in near], value) for c, value in enumerate(own)])
    return smoothed


def smooth_rows(rows: NDArray[np.float64], window: int, order: int) -> NDArray[np.float64]:
    """Fit every sample of `rows` (T, m), T >= window: the same numbers as `smooth_floats`, bit for bit."""
    import numpy as np

    table, half, count = np.array(weights(window, order)), window // 2, len(rows)
    smoothed = np.empty_like(rows)
    first, last = slice(0, half), slice(count - half, count)
    for edge, edge_table, start in ((first, table[:half], 0), (last, table[half + 1 :], count - window)):
        near = [(edge_table[:, i, None], rows[start + i]) for i in range(window)]
        smoothed[edge] = _fit_rows(near, rows[edge])
    middle = slice(half, count - half)
    near = [(table[half, i], rows[i : count - 2 * half + i]) for i in range(window)]
    smoothed[middle] = _fit_rows(near, rows[middle])
    return smoothed


def _orthogonal(window: int, order: int) -> list[list[int]]:
    """The polynomials of degree 0 to order, orthogonal on the window, each scaled to whole numbers."""
    steps = range(-(window // 2), window // 2 + 1)
    before, now = [Fraction(0)] * window, [Fraction(1)] * window
    norm_before, found = Fraction(1), []
    for _ in range(order + 1):
        found.append(now)
        norm = sum((value * value for value in now), Fraction(0))
        carry = norm / norm_before
        after = [x * value - carry * old for x, value, old in zip(steps, now, before, strict=True)]
        before, now, norm_before = now, after, norm
    return [_whole(values) for values in found]


def _whole(values: Sequence[Fraction]) -> list[int]:
    scale = lcm(*(value.denominator for value in values))
    return [int(value * scale) for value in values]


def _fit(row: Sequence[float], near: Sequence[float], value: float) -> float:
    """Weigh differences from the sample itself: a point that stands still stays where it is, to the bit."""
    change = 0.0
    for weight, other in zip(row, near, strict=True):
        change += weight * (other - value)
    return value + change


def _fit_rows(
    near: Sequence[tuple[NDArray[np.float64], NDArray[np.float64]]], values: NDArray[np.float64]
) -> NDArray[np.float64]:
    change = 0.0 * values
    for weight, other in near:
        change = change + weight * (other - values)
    return values + change
