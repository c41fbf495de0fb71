"""The annulus, the soft curves and the gain, against their definitions at 50 digits and against sampled poses."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from mpmath import mp, mpf

from elbowroom import annulus, fk, gain, soften, two_bone

A, B = 150.0, 125.0
L, HOLE = A + B, A - B
DIGITS = 50
EXPONENTIAL, CUBIC, QUADRATIC = CURVES = ("exponential", "cubic", "quadratic")
CURVE = st.sampled_from(CURVES)
SOFTNESS = st.sampled_from((0.03, 0.05, 0.08)) | st.floats(1e-12, 1.0)


def ease(x, curve):
    """What is left of the gap, x widths past the onset, at 50 digits."""
    if curve == EXPONENTIAL:
        return mp.exp(-x)
    order = 3 if curve == CUBIC else 2
    return max(1 - x / order, mpf(0)) ** order


def exact(d, reach, softness, curve, hole=0.0, inner=0.0):
    """Softened distance at 50 digits, bands scaled down together where they do not fit."""
    d, reach, hole = mpf(d), mpf(reach), mpf(hole)
    s, i = softness * reach, inner * reach if hole else mpf(0)
    if s + i > reach - hole:
        s, i = (w * (reach - hole) / (s + i) for w in (s, i))
    if s and d > reach - s:
        return reach - s * ease((d - reach + s) / s, curve)
    if i and d < hole + i:
        return hole + i * ease((hole + i - d) / i, curve)
    return min(max(d, hole), reach)


# --- annulus


@pytest.mark.parametrize(
    ("lengths", "ring"),
    [([150, 125], (25, 275)), ([10, 3, 2], (5, 15)), ([3, 10, 2], (5, 15)), ([5, 4, 3], (0, 12)), ([7], (7, 7)),
     ([1, 1], (0, 2)), ([0, 0, 0], (0, 0)), ([4, 0], (4, 4)), ([1] * 50, (0, 50)), ([1e150, 1], (1e150, 1e150))],
)  # fmt: skip
def test_the_ring_of_a_chain(lengths, ring):
    """Inner radius max(0, 2 longest - sum), outer radius the sum, for any number of bones."""
    assert annulus(lengths) == ring


@given(st.lists(st.floats(0.0, 1e6), min_size=1, max_size=6))
def test_the_ring_is_the_formula(lengths):
    """Both radii to a few last places of the sum, by fractions; the inner never above the outer."""
    inner, outer = annulus(lengths)
    total = sum(map(Fraction, lengths))
    hole = max(Fraction(0), 2 * Fraction(max(lengths)) - total)
    assert abs(Fraction(outer) - total) <= len(lengths) * Fraction(math.ulp(outer))
    assert abs(Fraction(inner) - hole) <= len(lengths) * Fraction(math.ulp(outer))
    assert 0.0 <= inner <= outer


@pytest.mark.parametrize("lengths", [[5.0, 2.0], [6.0, 2.0, 1.0], [3.0, 2.0, 2.0], [9.0, 1.0, 2.0, 3.0], [4.0]])
def test_no_pose_leaves_the_ring_and_some_come_close_to_it(lengths):
    """Tips of 40 000 random poses lie within the ring and fill it."""
    inner, outer = annulus(lengths)
    turns = np.random.default_rng(3).uniform(-np.pi, np.pi, (40_000, len(lengths)))
    turns[:2, 1:] = [[0.0], [np.pi]]
    tips = np.linalg.norm(fk((0, 0), turns, lengths)[:, -1], axis=-1)
    assert inner - 1e-12 < tips.min() < inner + 0.1 * outer
    assert 0.999 * outer < tips.max() < outer + 1e-12


def test_rings_of_many_chains():
    """(..., n) in, two (...) out: nested lists and arrays alike, the same bits."""
    lengths = [[[150.0, 125.0, 0.1], [10.0, 3.0, 2.0]], [[5.0, 4.0, 3.0], [0.0, 0.0, 0.3]]]
    inner, outer = annulus(lengths)
    rows = annulus(np.array(lengths))
    assert isinstance(inner, tuple)
    assert isinstance(rows[0], np.ndarray)
    for one, other, pick in ((inner, rows[0], 0), (outer, rows[1], 1)):
        assert (np.array(one) == other).all()
        assert one[0][1] == annulus(lengths[0][1])[pick]
    assert annulus(np.empty((0, 3)))[0].shape == (0,)


# --- soften


@pytest.mark.parametrize(
    ("curve", "row"),
    [(QUADRATIC, (0.85, 0.9, 0.94375, 0.975, 0.99375, 1, 1, 1)),
     (EXPONENTIAL, (0.85, 0.9, 0.93935, 0.96321, 0.97769, 0.98647, 0.99502, 0.99975)),
     (CUBIC, (0.85, 0.9, 0.942130, 0.970370, 0.9875, 0.996296, 1, 1))],
)  # fmt: skip
def test_the_curves_side_by_side(curve, row):
    """Reach 1, width 0.1: the quadratic is Spine's row, all are as their definitions say to five digits."""
    at = (0.85, 0.9, 0.95, 1.0, 1.05, 1.1, 1.2, 1.5)
    assert soften(at, 1.0, 0.1, curve=curve) == pytest.approx(row, abs=5e-6)


@pytest.mark.parametrize(("curve", "short"), [(EXPONENTIAL, math.exp(-1)), (CUBIC, (2 / 3) ** 3), (QUADRATIC, 0.25)])
def test_how_much_is_missing_at_full_extension(curve, short):
    """At d = L the shortfall is 0.368, 0.296 or 0.25 of the width."""
    assert L - soften(L, L, 0.05, curve=curve) == pytest.approx(short * 0.05 * L, abs=1e-12)


@given(st.floats(0.0, 3.0), SOFTNESS, CURVE, st.sampled_from((0.0, 0.1, 0.7)), st.sampled_from((0.0, 0.05, 1.0)))
def test_the_softened_distance_is_its_definition(part, softness, curve, hole, inner):
    """To 4 last places of the reach, both bands, scaled down where they do not fit."""
    with mp.workdps(DIGITS):
        true = exact(part * L, L, softness, curve, hole * L, inner)
        found = soften(part * L, L, softness, curve=curve, dead_zone=hole * L, inner_softness=inner)
        assert abs(found - true) <= 4 * math.ulp(L)


@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.parametrize("softness", [0.03, 0.05, 0.3, 1.0])
def test_the_slope_is_one_where_the_band_begins(curve, softness):
    """Finite differences on both sides of the onset, outer and inner band: no step of speed."""
    onset, step = L - softness * L, 1e-6 * L
    before = (soften(onset, L, softness, curve=curve) - soften(max(onset - step, 0), L, softness, curve=curve)) / step
    after = (soften(onset + step, L, softness, curve=curve) - soften(onset, L, softness, curve=curve)) / step
    assert after == pytest.approx(1.0, abs=1e-4)
    assert before == pytest.approx(1.0 if onset else 0.0, abs=1e-8)
    inset = HOLE + 0.1 * L
    lower, upper = soften([inset - 1e-4, inset], L, 0.0, curve=curve, dead_zone=HOLE, inner_softness=0.1)
    assert (upper - lower) / 1e-4 == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize("softness", [0.03, 0.05, 0.08, 0.5, 1.0])
def test_cubic_and_quadratic_end_straight(softness):
    """Cubic returns the reach exactly from L + 2s on, quadratic from L + s; a thousandth before, neither does."""
    for curve, widths in ((CUBIC, 2.0), (QUADRATIC, 1.0)):
        end = L + widths * softness * L
        assert soften([end, end * 1.1, 1e9, 1e150], L, softness, curve=curve) == (L,) * 4
        before = L + (widths - 1e-3) * softness * L
        assert soften(before, L, softness, curve=curve) < L
        bent, straight = (two_bone((0, 0), (d, 0), A, B, softness=min(softness, 0.8), curve=curve).angles[1]
                          for d in (L + (widths - 1e-3) * min(softness, 0.8) * L, end * 1.001))  # fmt: skip
        assert bent < -1e-7
        assert straight == 0.0


@pytest.mark.parametrize("softness", [0.01, 0.05, 0.5])
def test_the_exponential_never_straightens(softness):
    """The elbow stays bent up to L + 700 s, falling all the way, and soften stays below the reach for ever."""
    below = math.nextafter(L, 0.0)
    far = [L + x * softness * L for x in (0, 1, 30, 80, 200, 500, 700)]
    bends = [-two_bone((0, 0), (d, 0), A, B, softness=softness).angles[1] for d in far]
    assert all(later < earlier for earlier, later in pairwise(bends))
    assert 0.0 < bends[-1] < 1e-100
    assert all(soften(d, L, softness) <= below for d in (*far, 1e9, 1e150))
    assert soften(1e150, L, softness) == below


@given(st.floats(1e-140, 1e140) | st.sampled_from((1.0, 2.0, L, 1e-300, 1e150)), SOFTNESS | st.just(1e-17))
def test_the_exponential_stays_a_double_below_any_reach(reach, softness):
    """At most the double below the reach, however far the target and narrow the band."""
    for d in (reach, 1e150):
        assert soften(d, reach, softness) <= math.nextafter(reach, 0.0)


@given(
    st.lists(st.floats(0.0, 3.0) | st.integers(-50, 50).map(lambda n: 1.0 + n * 2.0**-52), min_size=2, max_size=20),
    SOFTNESS, CURVE, st.sampled_from((0.0, 0.1, 0.7)), st.sampled_from((0.0, 0.05, 1.0)),
    st.sampled_from((1.0, L, 0.3)),
)  # fmt: skip
def test_farther_is_never_nearer(parts, softness, curve, hole, inner, reach):
    """Rising, even between neighbouring doubles at the onset; at most min(d, reach) outside the inner band."""
    onset = 1.0 - softness
    distances = np.sort([p * reach * scale for p in parts for scale in (1.0, onset, hole)])
    soft = soften(distances, reach, softness, curve=curve, dead_zone=hole * reach, inner_softness=inner)
    assert (np.diff(soft) >= -2 * math.ulp(reach) * softness).all()
    assert (soft <= reach).all()
    assert (soft >= hole * reach).all()
    if not (inner and hole):
        assert (soft <= np.maximum(distances, hole * reach)).all()
    assert (soft[distances < hole * reach] >= distances[distances < hole * reach]).all()


def test_without_softness_it_is_a_clamp():
    """softness 0: distances between the bounds stay as they are, to the bit."""
    assert soften([0.0, 10.0, 25.0, 31.7, 275.0, 300.0], L, 0.0, dead_zone=HOLE) == (25, 25, 25, 31.7, 275, 275)


@pytest.mark.parametrize("curve", CURVES)
def test_a_dead_zone_beyond_the_reach_counts_as_the_reach(curve):
    """Every distance becomes the reach, with or without bands."""
    for softness in (0.0, 0.05, 1.0):
        soft = soften([0.0, 2.0, 3.0, 4.0, 9.0], 3.0, softness, curve=curve, dead_zone=5.0, inner_softness=softness)
        assert soft == (3.0,) * 5


def test_bands_that_do_not_fit_are_scaled_down():
    """80 % and 60 % of a room of 100: they meet in the middle at 4 : 3, and every distance is still increasing."""
    onset = 100.0 + 100.0 * 3 / 7
    d = np.linspace(0.0, 400.0, 4001)
    soft = soften(d, 200.0, 0.8, dead_zone=100.0, inner_softness=0.6)
    assert soften(onset, 200.0, 0.8, dead_zone=100.0, inner_softness=0.6) == pytest.approx(onset, abs=1e-12)
    assert (soft[d < onset] > d[d < onset]).all()
    assert (soft[d > onset + 1e-9] < d[d > onset + 1e-9]).all()
    assert (np.diff(soft) > 0.0).all()


def test_inner_softness_does_nothing_for_equal_bones():
    """Without a dead zone there is nothing to ease into."""
    d = np.linspace(0.0, 300.0, 301)
    assert (soften(d, L, 0.05, inner_softness=0.3) == soften(d, L, 0.05)).all()
    one, other = (two_bone((0, 0), (9.0, 1.0), 100, 100, inner_softness=i) for i in (0.0, 0.3))
    assert np.asarray(one.joints) == pytest.approx(np.asarray(other.joints), abs=1e-13)
    assert one.why == other.why == 0


# --- gain


def elbow_bend(d, a, b, softness, curve):
    """The elbow's bend for a distance, at high precision."""
    f = exact(d, mpf(a) + b, softness, curve, abs(mpf(a) - b))
    return mp.acos((f * f - mpf(a) ** 2 - mpf(b) ** 2) / (2 * mpf(a) * b))


@given(st.floats(0.02, 1.3), st.sampled_from((0.0, 0.03, 0.05, 0.3)), CURVE, st.sampled_from((1.0, 1.2, 0.3, 7.0)))
def test_gain_is_the_derivative_of_the_elbow(part, softness, curve, ratio):
    """The closed form against a numeric derivative at 50 digits, relative 1e-11."""
    a, b = 10.0 * ratio, 10.0
    reach, hole = a + b, abs(a - b)
    d = part * reach
    corners = (hole, reach, reach * (1 - softness), reach * (1 + softness), reach * (1 + 2 * softness))
    assume(min(abs(d - c) for c in corners) > 1e-3 * reach)
    found = gain(d, a, b, softness=softness, curve=curve)
    if d < hole or (softness == 0.0 and d > reach):
        assert found == 0.0
        return
    assume(softness * reach < reach - hole)
    with mp.workdps(DIGITS):
        true = abs(mp.diff(lambda x: elbow_bend(x, a, b, softness, curve), mpf(d), h=mpf(10) ** -20))
        assert abs(found - true) <= 1e-11 * true + mpf(10) ** -25


def test_gain_at_the_bounds():
    """0 beyond a clamp, infinite exactly on a hard one, 0 for a bone of length zero, finite on equal bones' root."""
    assert gain([275.0, 25.0], A, B) == (math.inf, math.inf)
    assert gain([276.0, 24.0, 0.0, 1e150], A, B) == (0.0,) * 4
    assert gain([math.nextafter(275.0, 0.0), math.nextafter(25.0, 30.0)], A, B) == pytest.approx([1e6, 5e6], rel=1.5)
    assert gain([0.0, 5.0, 10.0, 20.0], 10.0, 0.0) == gain([0.0, 5.0, 10.0, 20.0], 0.0, 10.0) == (0.0,) * 4
    assert gain([0.0, 1.0], 0.0, 0.0) == (0.0, 0.0)
    assert gain(0.0, 100.0, 100.0) == pytest.approx(2 / 200, rel=1e-14)
    assert math.isfinite(gain(275.0, A, B, softness=0.05))
    assert gain(L * 1.051, A, B, softness=0.05, curve=QUADRATIC) == 0.0
    assert gain(L * 1.101, A, B, softness=0.05, curve=CUBIC) == 0.0
    assert gain(L * 1.2, A, B, softness=0.05) > 0.0


@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.parametrize("softness", [0.03, 0.05, 0.08])
def test_the_largest_soft_gain_is_the_closed_form(curve, softness):
    """2(1 - s) / (L sqrt(s (2 - s) ((1 - s)^2 - (l/L)^2))), at the onset: by formula, by search, by the solver."""
    ring = HOLE / L
    told = 2 * (1 - softness) / (L * math.sqrt(softness * (2 - softness) * ((1 - softness) ** 2 - ring**2)))
    assert gain(L * (1 - softness), A, B, softness=softness, curve=curve) == pytest.approx(told, rel=1e-12)
    d = np.linspace(math.sqrt(L * HOLE), 2 * L, 200_001)
    assert gain(d, A, B, softness=softness, curve=curve).max() <= told * (1 + 1e-12)
    elbow = two_bone((0, 0), np.stack([d, 0 * d], -1), A, B, softness=softness, curve=curve).angles[:, 1]
    assert np.abs(np.diff(elbow) / np.diff(d)).max() == pytest.approx(told, rel=1e-3)


def test_the_least_gain_is_where_the_bounds_pull_equally():
    """2 / (L - l), at d = sqrt(L l): 0.458 degrees a pixel for 150 and 125."""
    d = np.linspace(HOLE + 1, L - 1, 100_001)
    values = gain(d, A, B)
    assert values.min() == pytest.approx(2 / (L - HOLE), rel=1e-9)
    assert d[values.argmin()] == pytest.approx(math.sqrt(L * HOLE), abs=0.05)
    assert math.degrees(values.min()) == pytest.approx(0.458, abs=5e-4)


@example(0.042400138079747254, 0.03629222779912548 / 0.042400138079747254, 1.0, False, 2, 1.0, CUBIC)
@given(
    st.floats(1e-2, 1e2), st.floats(0.05, 1.0) | st.just(1.0), st.floats(0.0, 2.0), st.booleans(), st.integers(-3, 3),
    SOFTNESS | st.sampled_from((0.0, 1.0)), CURVE,
)  # fmt: skip
def test_gain_is_never_negative_or_nan(a, ratio, part, outer, steps, softness, curve):
    """Any distance, a few doubles beside the bounds as well, any width: a number >= 0, perhaps infinite."""
    b = a * ratio
    for d in (part * (a + b), (a + b if outer else abs(a - b)) * (1 + steps * 2.0**-52)):
        assert gain(d, a, b, softness=softness, curve=curve) >= 0.0
