"""Sine and cosine, the angle of a vector, the falling exponential: the same bits on every engine.

Libraries of different machines round these functions differently; ours use nothing that IEEE 754 leaves
open. All are within 1 ulp. The polynomials interpolate at Chebyshev nodes, so that their error is spread
evenly; the tests derive every constant again at 80 digits. Sources: W. J. Cody and W. Waite, Software Manual
for the Elementary Functions (1980), for the reductions; T. J. Dekker (1971) for the exact products.
"""

from __future__ import annotations

from elbowroom.kernel.exact import lost, product, split, two_sum
from elbowroom.kernel.ops import leaf

TO_INTEGER = 6755399441055744.0  # 1.5·2^52: adding and subtracting it rounds any |v| < 2^51 to a whole number
WIDEST_SQUARED = 1e30  # (1e15 rad)²: beyond, doubles lie so far apart that an angle says nothing
PI = 3.141592653589793  # the largest double below the true value
TURN = 6.283185307179586
TURNS = 0.15915494309189535  # turns in a radian
QUARTERS = 0.6366197723675814  # quarter turns in a radian
# π/2 = HALF_PI + HALF_PI_MID + HALF_PI_LO to 2^-159; the first two have 50 bits
HALF_PI, HALF_PI_MID, HALF_PI_LO = 1.5707963267948966, 6.123233995736767e-17, -1.382333654893748e-32
HALF_PI_HEAD, HALF_PI_TAIL = split(HALF_PI)
MID_HEAD, MID_TAIL = split(HALF_PI_MID)
EIGHTH, EIGHTH_LO = 0.7853981633974483, 3.061616997868383e-17  # π/4; EIGHTH has 50 bits: times 4 is exact
HUGE, TINY, SHRINK, GROW = 2.0**465, 2.0**-465, 2.0**-600, 2.0**600  # outside TINY…HUGE: scale, then multiply
TAN_EIGHTH = 0.41421356237309503  # tan π/8, where arctangent changes octant

# sin r = r + r³(SIN_1 + SIN_2 r² + …), |r| ≤ 0.95
SIN_1, SIN_2, SIN_3 = -0.16666666666666666, 0.008333333333333231, -0.0001984126984117154
SIN_4, SIN_5, SIN_6 = 2.7557319179395393e-06, -2.5052097565928794e-08, 1.6057600516768429e-10
SIN_7 = -7.547277332157412e-13
# cos r = 1 − r²/2 + r⁴(COS_1 + COS_2 r² + …), |r| ≤ 0.95
COS_1, COS_2, COS_3 = 0.041666666666666456, -0.001388888888884326, 2.4801587268847716e-05
COS_4, COS_5, COS_6 = -2.755730842179367e-07, 2.0874954332820986e-09, -1.1322611976470263e-11
# atan t = t + t³(ATAN_1 + ATAN_2 t² + …), |t| ≤ tan π/8
ATAN_1, ATAN_2, ATAN_3 = -0.3333333333333319, 0.1999999999995175, -0.14285714280020284
ATAN_4, ATAN_5, ATAN_6 = 0.11111110775075181, -0.0909089752829588, 0.07692056327821091
ATAN_7, ATAN_8, ATAN_9 = -0.06663061908268893, 0.05847596410715069, -0.05038042193743716
ATAN_10, ATAN_11 = 0.038033832821496305, -0.017874933079750424
# r coth(r/2) = 2 + r²(EXP_1 + EXP_2 r² + …), |r| ≤ ln 2 / 2
EXP_1, EXP_2, EXP_3 = 0.16666666666666602, -0.002777777777701529, 6.613756321433682e-05
EXP_4, EXP_5 = -1.6533902244330297e-06, 4.138139164987969e-08
LN2, LN2_LO = 0.6931471805598903, 5.497923018708371e-14  # ln 2; LN2 has 42 bits: times 0…1076 is exact
DOUBLINGS = 1.4426950408889634  # 1 / ln 2


@leaf
def sincos(x: float) -> tuple[float, float]:
    """(sin x, cos x) of an angle [rad], each within 1 ulp for |x| ≤ 1e15; a larger angle counts as 0."""
    quarter, r, rest = _from_quarter(x if x * x < WIDEST_SQUARED else 0.0)
    z = r * r
    s = SIN_2 + z * (SIN_3 + z * (SIN_4 + z * (SIN_5 + z * (SIN_6 + z * SIN_7))))
    c = COS_1 + z * (COS_2 + z * (COS_3 + z * (COS_4 + z * (COS_5 + z * COS_6))))
    cube = z * r
    half = 0.5 * z
    near_one = 1.0 - half
    s = r + (cube * SIN_1 + (rest + z * cube * s))  # rest·cos r, with cos r ≈ 1: 0.15 ulp at most
    c = near_one + (((1.0 - near_one) - half) + (z * z * c - r * rest))
    odd = quarter == 1.0 or quarter == 3.0
    up = c if odd else s
    along = s if odd else c
    return (-up if quarter >= 2.0 else up), (-along if quarter == 1.0 or quarter == 2.0 else along)


@leaf
def _from_quarter(x: float) -> tuple[float, float, float]:
    """x = k·π/2 + r + rest, as (k modulo 4, r, rest): good to 2^-53 of r itself, however near x is to k·π/2.

    k is off by less than 0.11 of a quarter at 1e15, so |r| < 0.95. x − k·HALF_PI has no bits below 2^-52
    and is smaller than 1: both subtractions that make `near` are exact.
    """
    k = (x * QUARTERS + TO_INTEGER) - TO_INTEGER
    few = k * k <= 64.0  # times 8 at most: the three free bits of both constants hold the product
    p = k * HALF_PI
    near = (x - p) - (0.0 if few else _lost_times(p, k, HALF_PI_HEAD, HALF_PI_TAIL))
    mid = k * HALF_PI_MID
    r, rest = two_sum(near, -mid)
    rest = (rest - (0.0 if few else _lost_times(mid, k, MID_HEAD, MID_TAIL))) - k * HALF_PI_LO
    turns = ((k * 0.25 - 0.375) + TO_INTEGER) - TO_INTEGER
    return k - 4.0 * turns, r, rest


@leaf
def _lost_times(p: float, k: float, head: float, tail: float) -> float:
    k_head, k_tail = split(k)
    return lost(p, k_head, k_tail, head, tail)


@leaf
def wrap(angle: float) -> float:
    """The same direction in (−π, π] [rad]: unchanged if it is there already, else within 5e-16.

    −π becomes π; an angle beyond 1e15 counts as 0, as in sincos.
    """
    inside = angle > -PI and angle <= PI
    return angle if inside else _unturned(angle if angle * angle < WIDEST_SQUARED else 0.0)


@leaf
def _unturned(angle: float) -> float:
    k = 4.0 * ((angle * TURNS + TO_INTEGER) - TO_INTEGER)
    p = k * HALF_PI
    lost_bits = 0.0 if k * k <= 64.0 else _lost_times(p, k, HALF_PI_HEAD, HALF_PI_TAIL)
    r = ((angle - p) - lost_bits) - k * HALF_PI_MID
    return r - TURN if r > PI else (r + TURN if r <= -PI else r)


@leaf
def atan2(y: float, x: float) -> float:
    """The angle of the vector (x, y) in (−π, π] [rad], within 1 ulp; for |x|, |y| up to 8e307.

    −0 counts as 0: atan2(−0, −1) is π, atan2(±0, ±0) is 0. What would round to −π is π, 5e-16 off at most.
    """
    up = -y if y < 0.0 else y
    along = -x if x < 0.0 else x
    steep = up > along
    left = x < 0.0
    eighths, t, rest = _octant(along if steep else up, up if steep else along)
    eighths = 2.0 - eighths if steep else eighths
    eighths = 4.0 - eighths if left else eighths
    sign = -1.0 if steep != left else 1.0
    base = eighths * EIGHTH
    t = sign * t
    angle = base + t
    angle = angle + (((base - angle) + t) + (sign * rest + eighths * EIGHTH_LO))
    angle = -angle if y < 0.0 else angle
    return angle if angle > -PI else PI


@leaf
def _octant(short: float, long: float) -> tuple[float, float, float]:
    """atan(short / long) for 0 ≤ short ≤ long, as (n, t, rest): n·π/4 + t + rest, n 0 or 1, |t| ≤ tan π/8."""
    upper = short > TAN_EIGHTH * long
    above = short - long if upper else short
    below = short + long if upper else (long if long > 0.0 else 1.0)
    t = above / below
    z = t * t
    s = ATAN_7 + z * (ATAN_8 + z * (ATAN_9 + z * (ATAN_10 + z * ATAN_11)))
    s = z * (ATAN_1 + z * (ATAN_2 + z * (ATAN_3 + z * (ATAN_4 + z * (ATAN_5 + z * (ATAN_6 + z * s))))))
    # what the difference and the sum were rounded by, and then the quotient; too small to matter for tiny t
    slip = (short - (above + long)) - t * (short - (below - long)) if upper else 0.0
    return (1.0 if upper else 0.0), t, t * s + (_quotient_rest(above, below, t, slip) if z > 1e-18 else 0.0)


@leaf
def _quotient_rest(above: float, below: float, t: float, slip: float) -> float:
    """The angle missing when t = above / below was rounded: (above − t·below + slip) / (below (1 + t²))."""
    unit = SHRINK if below > HUGE else (GROW if below < TINY else 1.0)
    wide = below * unit
    p, p_lo = product(t, wide)
    return (((above * unit - p) - p_lo) + slip * unit) / (wide + wide * t * t)


@leaf
def exp(x: float) -> float:
    """e to the x for x ≤ 0, within 1 ulp; below −745.2 it is 0."""
    x = x if x > -746.0 else -746.0
    k = (x * DOUBLINGS + TO_INTEGER) - TO_INTEGER
    head = x - k * LN2
    tail = k * LN2_LO
    r = head - tail
    z = r * r
    c = r - z * (EXP_1 + z * (EXP_2 + z * (EXP_3 + z * (EXP_4 + z * EXP_5))))
    value = 1.0 + (head - (tail - r * c / (2.0 - c)))
    return value if k == 0.0 else _halved(value, -k)


@leaf
def _halved(value: float, n: float) -> float:
    """value·2^-n for whole n from 0 to 1087, rounded once."""
    blocks = ((n * 0.015625 - 0.4921875) + TO_INTEGER) - TO_INTEGER
    low = value * _half_power(n - 64.0 * blocks)
    return low if blocks == 0.0 else low * _power_64(_half_power(blocks))


@leaf
def _power_64(p: float) -> float:
    p2 = p * p
    p4 = p2 * p2
    p8 = p4 * p4
    p16 = p8 * p8
    p32 = p16 * p16
    return p32 * p32


@leaf
def _half_power(n: float) -> float:
    """2^-n for whole n from 0 to 63, one binary digit of n after the other."""
    p = 2.3283064365386963e-10 if n >= 32.0 else 1.0
    n = n - 32.0 if n >= 32.0 else n
    p = p * 1.52587890625e-05 if n >= 16.0 else p
    n = n - 16.0 if n >= 16.0 else n
    p = p * 0.00390625 if n >= 8.0 else p
    n = n - 8.0 if n >= 8.0 else n
    p = p * 0.0625 if n >= 4.0 else p
    n = n - 4.0 if n >= 4.0 else n
    p = p * 0.25 if n >= 2.0 else p
    n = n - 2.0 if n >= 2.0 else n
    return p * 0.5 if n >= 1.0 else p
