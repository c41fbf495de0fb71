"""Filters that look back only, and the polynomial fit for uneven times: what `smooth` lays over a track.

Every function here is written once and runs on samples that are floats or rows of an array: plain arithmetic in a fixed
order, so both give the same bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from elbowroom.kernel.trig import exp

LN2 = 0.6931471805599453
TURN = 6.283185307179586
NO_WIDER = 1e-24  # squared length left of a vector, as a share: what remains is rounding, not a direction
SHORTEST, LONGEST = 1e-12, 1e12  # [s] a step counts as, so that no speed overflows


def half_life(samples: Sequence[Any], steps: Sequence[float], *, half_life: float) -> list[Any]:
    """Each step lets go of half of what is left to the new sample every `half_life` seconds: 2^(-dt / half_life).

    samples : T numbers or rows [length];  steps : T - 1 of them [s]
    """
    found = list(samples[:1])
    for sample, step in zip(samples[1:], steps, strict=True):
        kept = exp(-LN2 * (step / half_life)) if half_life > 0.0 else 0.0
        found.append(sample + (found[-1] - sample) * kept)
    return found


def one_euro(
    samples: Sequence[Any], steps: Sequence[float], *, min_cutoff: float, beta: float, d_cutoff: float
) -> list[Any]:
    """A low pass whose cutoff [Hz] rises with the speed: calm at rest, quick in motion.

    samples : T numbers or rows [length], each coordinate by itself;  steps : T - 1 of them [s]
    Source: G. Casiez, N. Roussel, D. Vogel, "1 Euro Filter" (2012). The speed is that between samples as they come,
    under a low pass of its own at d_cutoff; so even motion lags by 1 / (2 pi (min_cutoff + beta speed)) seconds.
    """
    found = list(samples[:1])
    speed = 0.0 * samples[0] if found else 0.0
    for before, sample, step in zip(samples, samples[1:], steps, strict=False):
        dt = min(max(step, SHORTEST), LONGEST)
        speed = speed + _share(d_cutoff, dt) * ((sample - before) / dt - speed)
        share = _share(min_cutoff + beta * abs(speed), dt)
        found.append(found[-1] + share * (sample - found[-1]))
    return found


def _share(cutoff: Any, dt: float) -> Any:
    """How far a first order low pass goes towards its input in one step."""
    turned = TURN * cutoff * dt
    return turned / (1.0 + turned)


def fit_floats(rows: Sequence[Sequence[float]], times: Sequence[float], window: int, order: int) -> list[list[float]]:
    """The local polynomial at every sample of `rows`, T rows of m floats, T >= window, at uneven `times` [s].

    As on even steps, the window moves with the sample and stops at both ends, so the first and the last polynomial
    serve the edges. Source: W. S. Cleveland (1979), with equal weights.
    """
    smoothed = []
    for t, own in enumerate(rows):
        start = _start(t, window, len(rows))
        row = local_weights([times[start + i] - times[t] for i in range(window)], order, _pick)
        near = rows[start : start + window]
        smoothed.append([_add(row, [sample[c] for sample in near], value) for c, value in enumerate(own)])
    return smoothed


def fit_rows(rows: Any, times: Any, window: int, order: int) -> Any:
    """The same for an array `rows` (T, m): the same numbers as `fit_floats`, bit for bit."""
    import numpy as np

    smoothed, count = np.empty_like(rows), len(rows)
    block = max(1, 500_000 // (window * (order + 2)))  # samples at a time: the basis of a block stays small
    for first in range(0, count, block):
        here = np.arange(first, min(first + block, count))
        start = np.clip(here - window // 2, 0, count - window)
        row = local_weights([times[start + i] - times[here] for i in range(window)], order, np.where)
        near = (rows[start + i] for i in range(window))
        smoothed[here] = _add([weight[:, None] for weight in row], near, rows[here])
    return smoothed


def local_weights(offsets: Sequence[Any], order: int, where: Callable[..., Any]) -> list[Any]:
    """What each sample of a window adds to the least squares polynomial at offset 0.

    offsets : one number (or one array of them) a sample [s], rising;  where : the choice for such numbers
    Polynomials orthogonal on the window are built by powers of the offset, each freed twice from those before it; one
    that the doubles cannot tell from them is left out. weight(i) = sum over k of p_k(0) p_k(i) / sum(p_k^2).
    """
    span = offsets[-1] - offsets[0]
    places = [offset / span for offset in offsets] if len(offsets) > 1 else [0.0 * span]
    basis, at_zero = [[0.0 * span + 1.0] * len(places)], [0.0 * span + 1.0]
    shares = [_inverse(basis[0], None, where)]
    for _ in range(order):
        raised = [place * value for place, value in zip(places, basis[-1], strict=True)]
        vector, zero = raised, 0.0 * span
        for _twice in range(2):
            vector, zero = _freed(vector, zero, basis, at_zero, shares)
        shares.append(_inverse(vector, raised, where))
        basis.append(vector)
        at_zero.append(zero)
    heights = [zero * share for zero, share in zip(at_zero, shares, strict=True)]
    return [_dot(heights, [vector[i] for vector in basis]) for i in range(len(places))]


def _freed(
    vector: list[Any], zero: Any, basis: list[list[Any]], at_zero: list[Any], shares: list[Any]
) -> tuple[list[Any], Any]:
    for other, other_zero, share in zip(basis, at_zero, shares, strict=True):
        part = _dot(vector, other) * share
        vector = [value - part * known for value, known in zip(vector, other, strict=True)]
        zero = zero - part * other_zero
    return vector, zero


def _inverse(vector: list[Any], raised: list[Any] | None, where: Callable[..., Any]) -> Any:
    """1 / |vector|^2, or 0 where nothing but rounding is left of it."""
    norm = _dot(vector, vector)
    there = norm > (0.0 * norm if raised is None else NO_WIDER * _dot(raised, raised))
    return where(there, 1.0 / where(there, norm, 1.0), 0.0)


def _dot(left: Sequence[Any], right: Sequence[Any]) -> Any:
    """Added up one by one: NumPy's own sum has another order."""
    total = left[0] * right[0]
    for a, b in zip(left[1:], right[1:], strict=True):
        total = total + a * b
    return total


def _add(row: Sequence[Any], near: Any, value: Any) -> Any:
    """Weigh differences from the sample itself: a point that stands still stays where it is, to the bit."""
    change = 0.0 * value
    for weight, other in zip(row, near, strict=True):
        change = change + weight * (other - value)
    return value + change


def _start(t: int, window: int, count: int) -> int:
    return min(max(t - window // 2, 0), count - window)


def _pick(condition: bool, yes: float, no: float) -> float:
    return yes if condition else no
