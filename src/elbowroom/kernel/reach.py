"""How far a chain reaches, and how softly it gets there.

annulus  the ring of points a chain can touch
soften   ease a distance into the reach, so that a limb never snaps straight
gain     radians of elbow per unit of target noise: what softness is for
softness_for_gain  the other way round: the softness that keeps it below a wanted bound

One family of curves. With onset o = L - s and x = (d - o)/s >= 0, the softened distance is f = L - s w(x):
exponential w = e^-x; cubic w = (1 - x/3)^3, straight from L + 2s on; quadratic w = (1 - x/2)^2 (Spine's), straight
from L + s on. All begin with slope 1. What travels is the *gap* L - f, as its square root: it stays a number long
after L - gap has rounded to L.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from elbowroom.errors import InputError, closest
from elbowroom.kernel.inputs import Call
from elbowroom.kernel.ops import leaf
from elbowroom.kernel.reading import first, index, is_array
from elbowroom.kernel.trig import exp

CURVES = ("exponential", "quadratic", "cubic")
BELOW_ONE = 1.0 - 2.0**-53  # times L: the double below L
LEAST_SHARE = 1.0 - 1e-12  # a gain this little below the least one is that one, rounded on its way


@leaf
def bands(reach: float, hole: float, softness: float, inner: float) -> tuple[float, float]:
    """Widths [length] of the soft zones at the outer and inner bound, scaled down together where they do not fit."""
    room = reach - hole
    s = softness * reach
    i = inner * reach if hole > 0.0 else 0.0
    total = s + i
    fit = room / (total if total > 0.0 else 1.0) if total > room else 1.0
    return s * fit, i * fit


@leaf
def root_ease(x: float, curve: float) -> float:
    """sqrt(w(x)) of the module's family; curve is an index into CURVES."""
    x = x if x < 1500.0 else 1500.0
    third, half = 1.0 - x / 3.0, 1.0 - x / 2.0
    third = third if third > 0.0 else 0.0
    half = half if half > 0.0 else 0.0
    return exp(-0.5 * x) if curve == 0.0 else (half if curve == 1.0 else third * sqrt(third))


@leaf
def soft(d: float, reach: float, hole: float, s: float, i: float, curve: float) -> tuple[float, float, float]:
    """Softened distance, sqrt(gap) [length^0.5] to the bound it eases into, and zone: 1 outer, -1 inner, 0 neither."""
    below, onset, inset = reach * BELOW_ONE, reach - s, hole + i
    onset = below if onset > below else (hole if onset < hole else onset)
    outer = s > 0.0 and d > onset
    inner = i > 0.0 and d < inset and not outer
    width = s if outer else (i if inner else 1.0)
    past = d - onset if outer else (inset - d if inner else 0.0)
    root = sqrt(width) * root_ease(past / width, curve)
    f, g = reach - root * root, hole + root * root
    f = onset if f < onset else (d if f > d else f)  # as exactly, whatever the rounding
    g = d if g < d else (inset if g > inset else g)
    f = below if curve == 0.0 and f > below else f
    clamped = reach if d > reach else (hole if d < hole else d)
    return f if outer else (g if inner else clamped), root, 1.0 if outer else (-1.0 if inner else 0.0)


@leaf
def soft_distance(d: float, reach: float, hole: float, softness: float, inner: float, curve: float) -> float:
    """The softened distance alone."""
    hole = hole if hole < reach else reach
    s, i = bands(reach, hole, softness, inner)
    f, _, _ = soft(d, reach, hole, s, i, curve)
    return f


@leaf
def sensitivity(d: float, a: float, b: float, softness: float, curve: float) -> float:
    """|d elbow / d distance|: 2 f f' / sqrt((L^2 - f^2)(f^2 - l^2)), with the vanishing roots cancelled by hand."""
    reach, small, large = a + b, a if a < b else b, b if a < b else a
    hole = large - small
    s, _ = bands(reach, hole, softness, 0.0)
    f, _, zone = soft(d, reach, hole, s, 0.0, curve)
    x = (d - (reach - s)) / (s if s > 0.0 else 1.0)
    third = 1.0 - (x if x < 3.0 else 3.0) / 3.0
    slope = root_ease(x, curve) if curve == 0.0 else ((1.0 if x < 2.0 else 0.0) if curve == 1.0 else sqrt(third))
    outer = sqrt(s) * sqrt(reach + f) if zone > 0.0 else sqrt(reach - f) * sqrt(reach + f)
    low = sqrt(f - hole) * sqrt(f + hole)
    below = outer * (low if hole > 0.0 else 1.0)
    above = (slope if zone > 0.0 else 1.0) * (2.0 * f if hole > 0.0 else 2.0)
    held = (zone == 0.0 and d > reach) or d < hole or small <= 0.0
    bound = below <= 0.0
    value = above / (1.0 if bound else below)
    return 0.0 if held else (INFINITE if bound else value)


@leaf
def softness_of(wanted: float, a: float, b: float) -> float:
    """The softness whose largest gain is `wanted`, which is 1 / min(a, b) or more.

    The root q of the public docstring as h = 1 - q/L^2 = 2/(ab g^2 + 1 + sqrt((a^2 g^2 - 1)(b^2 g^2 - 1))): all terms
    are positive, so nothing cancels, however small the softness.
    """
    p, q = wanted * a, wanted * b
    p = p if p > 1.0 else 1.0
    q = q if q > 1.0 else 1.0
    h = 2.0 / (p * q + 1.0 + sqrt(p - 1.0) * sqrt(p + 1.0) * (sqrt(q - 1.0) * sqrt(q + 1.0)))
    h = h if h < 1.0 else 1.0
    return h / (1.0 + sqrt(1.0 - h))


INFINITE = float("inf")


def curve_code(curve: str) -> float:
    """The number a leaf takes for a curve's name. InputError names the three."""
    if isinstance(curve, str) and curve in CURVES:
        return float(CURVES.index(curve))
    raise InputError(f'curve: "{curve}" is none of {", ".join(CURVES)}{closest(curve, CURVES)}')


def annulus(lengths: Any) -> tuple[Any, Any]:
    """The ring a chain reaches: inner and outer radius.

    lengths : (..., n) [length]  bone lengths, >= 0, any n >= 1
    Returns (inner, outer), each (...) [length]: max(0, longest - the others), and the sum.
    Raises InputError for a negative or non-finite length.

    >>> annulus([150.0, 125.0])
    (25.0, 275.0)
    """
    call = Call("annulus")
    call.row("lengths", lengths, low=0.0)
    return call.map(_ring) if call.plain else _ring_rows(call)


def _ring(*lengths: float) -> tuple[float, float]:
    """Sums in the order given, the longest left out of the inner one."""
    longest, others, total = lengths[0], 0.0, lengths[0]
    for length in lengths[1:]:
        others += length if length <= longest else longest
        longest = length if length > longest else longest
        total += length
    return (longest - others if longest > others else 0.0), total


def _ring_rows(call: Call) -> tuple[Any, Any]:
    import numpy as np

    columns = call.columns
    longest, others, total = columns[0], columns[0] * 0.0, columns[0]
    for length in columns[1:]:
        others = others + np.where(length <= longest, length, longest)
        longest = np.where(length > longest, length, longest)
        total = total + length
    return call.shaped(np.where(longest > others, longest - others, 0.0)), call.shaped(total + 0.0)


def soften(
    distance: Any,
    reach: Any,
    softness: Any = 0.05,
    *,
    curve: str = "exponential",
    dead_zone: Any = 0.0,
    inner_softness: Any = 0.0,
) -> Any:
    """Ease a distance into the reach so that the limb never snaps straight.

    distance : (...) [length]             from the root to the target, >= 0
    reach : (...) [length]                sum of the bone lengths
    softness : (...) [fraction of reach]  width of the outer band, 0..1; 0 is the hard clamp
    curve : "exponential", "cubic" or "quadratic" (Spine's)
    dead_zone : (...) [length]            inner radius; inner_softness: width of its band [fraction of reach]
    Returns (...) [length], never more than min(distance, reach) outside the inner band. Both bands together wider
    than reach - dead_zone are scaled down to fit. Slope 1 where the band begins; a dead_zone beyond the reach counts as
    the reach. Raises InputError.

    >>> [round(f, 3) for f in soften([100.0, 275.0, 9e9], reach=275.0)]
    [100.0, 269.942, 275.0]
    """
    call = Call("soften")
    call.number("distance", distance, low=0.0)
    call.number("reach", reach, low=0.0)
    call.number("dead_zone", dead_zone, low=0.0)
    call.number("softness", softness, low=0.0, high=1.0)
    call.number("inner_softness", inner_softness, low=0.0, high=1.0)
    call.constant(curve_code(curve))
    return call.leaf(soft_distance)


def gain(
    distance: Any, upper: Any, lower: Any, *, softness: Any = 0.0, curve: str = "exponential"
) -> Any:
    """How many radians the elbow turns per unit of target distance.

    distance : (...) [length]; upper, lower : (...) [length]; softness : (...) [fraction of reach]
    Returns (...) [rad / length] >= 0: 2d / sqrt((L^2 - d^2)(d^2 - l^2)) times the slope of the soft curve; 0 where a
    clamp holds, inf exactly at a hard bound, 0 for a zero-length bone. Raises InputError.

    >>> round(gain(203.1, 150, 125) * 57.29577951308232, 3)  # degrees per unit, least near sqrt(L l) = 82.9
    0.623
    """
    call = Call("gain")
    call.number("distance", distance, low=0.0)
    call.number("upper", upper, low=0.0)
    call.number("lower", lower, low=0.0)
    call.number("softness", softness, low=0.0, high=1.0)
    call.constant(curve_code(curve))
    return call.leaf(sensitivity)


def softness_for_gain(gain: Any, upper: Any, lower: Any) -> Any:
    """The softness that keeps the elbow from turning more than `gain` radians for each unit that the target moves.

    gain : (...) [rad / length]  the largest allowed outside sqrt(L l), where every limb is calmest
    upper, lower : (...) [length], more than 0
    Returns (...) [fraction of reach] in [0, 1]: 1 - sqrt(q)/L with q the larger root of
    q^2 - (L^2 + l^2 - 4/gain^2) q + L^2 l^2 = 0, where L = upper + lower and l = |upper - lower|. It is the same for
    all three curves: each is steepest where its band begins. Raises InputError below 2/(L - l), which no softness gets
    below, and for a bone of length 0.

    >>> round(softness_for_gain(0.026, 150, 125), 4)  # 1.49 degrees a unit
    0.0403
    """
    call = Call("softness_for_gain")
    call.number("gain", gain, low=0.0)
    call.number("upper", upper, low=0.0)
    call.number("lower", lower, low=0.0)
    _check_gains(call)
    return call.leaf(softness_of)


def _check_gains(call: Call) -> None:
    """Raise InputError for the first gain below 1 / the shorter bone, naming that least gain."""
    if call.plain:
        broken: Any = [g * min(a, b) < LEAST_SHARE for g, a, b in zip(*call.columns, strict=True)]
    else:
        import numpy as np

        wanted, a, b = call.columns
        broken = np.atleast_1d(np.asarray(wanted * np.minimum(a, b) < LEAST_SHARE))
    for place in first(broken):
        g, a, b = (float(c[place]) if is_array(c) or call.plain else c for c in call.columns)
        where = f"softness_for_gain gain{index(place, call.shape)}: {g:.6g} rad a unit"
        if min(a, b) <= 0.0:
            raise InputError(f"{where} with bones of {a:g} and {b:g}: nothing softens a bone of length 0 (give more)")
        least = f"less than the {1.0 / min(a, b):.9g} of bones of {a:g} and {b:g} where they are calmest"
        raise InputError(f"{where} is {least} (give at least that)")
