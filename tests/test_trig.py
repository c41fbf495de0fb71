"""Sine, cosine, arctangent, exponential and angles, against mpmath, near their hard places on purpose."""

from __future__ import annotations

import math
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf

from elbowroom.errors import InputError
from elbowroom.kernel import trig
from elbowroom.kernel.angles import unwrap, wrap
from elbowroom.kernel.exact import split
from elbowroom.kernel.trig import atan2, exp, sincos

DIGITS = 50
WIDE = 1e15
ANGLE = st.floats(-WIDE, WIDE) | st.floats(-10.0, 10.0)
COORDINATE = st.floats(-1e300, 1e300) | st.floats(-2.0, 2.0) | st.sampled_from((0.0, -0.0, 5e-324, -5e-324))


def ulps(got: float, true: mpf) -> float:
    """How far `got` is from the true value, in units of the last place of the true value."""
    return float(abs(mpf(got) - true) / mpf(math.ulp(float(true))))


def shaken(rng: random.Random, value: float) -> float:
    """The value itself, a few doubles beside it, or a little further off."""
    return value + rng.choice((0, 1, -1, 2, -3, rng.gauss(0, 1e4), rng.gauss(0, 1e9))) * math.ulp(value)


# --- where the constants come from


def coefficients(function: Callable[[mpf], mpf], top: mpf, count: int) -> list[float]:
    """The polynomial in z that meets `function` at `count` places of (0, top], rounded to doubles.

    The places are the zeros of a Chebyshev polynomial of one degree more, stretched so that its lowest zero
    lies at 0: then z·(polynomial − function), which is what reaches the result, swings evenly.
    """
    zeros = [mp.cos((2 * j + 1) * mp.pi / (2 * count + 2)) for j in range(count + 1)]
    places = [top * (x - zeros[-1]) / (1 - zeros[-1]) for x in zeros[:-1]]
    powers = mp.matrix([[z**j for j in range(count)] for z in places])
    return [float(c) for c in mp.lu_solve(powers, mp.matrix([function(z) for z in places]))]


def sine(z: mpf) -> mpf:
    """(sin r − r) / r³, z = r²."""
    return (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z


def cosine(z: mpf) -> mpf:
    """(cos r − 1 + r²/2) / r⁴."""
    return (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2


def arctangent(z: mpf) -> mpf:
    """(atan t − t) / t³."""
    return (mp.atan(mp.sqrt(z)) / mp.sqrt(z) - 1) / z


def exponential(z: mpf) -> mpf:
    """(r coth(r/2) − 2) / r²."""
    return (mp.sqrt(z) * mp.coth(mp.sqrt(z) / 2) - 2) / z


@pytest.mark.parametrize(
    ("name", "function", "top", "count"),
    [
        ("SIN", sine, lambda: mpf("0.95"), 7),
        ("COS", cosine, lambda: mpf("0.95"), 6),
        ("ATAN", arctangent, lambda: mp.tan(mp.pi / 8), 11),
        ("EXP", exponential, lambda: mp.log(2) / 2, 5),
    ],
)
def test_polynomials_are_what_the_derivation_gives(
    name: str, function: Callable[[mpf], mpf], top: Callable[[], mpf], count: int
) -> None:
    """Every coefficient in trig.py is the one derived here at 80 digits."""
    with mp.workdps(80):
        derived = coefficients(function, top() ** 2, count)
    assert [getattr(trig, f"{name}_{i + 1}") for i in range(count)] == derived


def cut(value: mpf, bits: int) -> float:
    """The number of that many bits nearest to the value."""
    unit = mpf(2) ** (mp.floor(mp.log(value, 2)) - bits + 1)
    return float(mp.nint(value / unit) * unit)


def test_constants_are_pieces_of_the_true_values() -> None:
    """π, ln 2 and their kin are the true values, cut after as many bits as the reductions count on."""
    with mp.workdps(80):
        half_pi, eighth, ln2 = cut(mp.pi / 2, 50), cut(mp.pi / 4, 50), cut(mp.log(2), 42)
        middle = cut(mp.pi / 2 - half_pi, 50)
        expected = {
            "HALF_PI": half_pi,
            "HALF_PI_MID": middle,
            "HALF_PI_LO": mp.pi / 2 - half_pi - middle,
            "EIGHTH": eighth,
            "EIGHTH_LO": mp.pi / 4 - eighth,
            "LN2": ln2,
            "LN2_LO": mp.log(2) - ln2,
            "PI": mp.pi,
            "TURN": 2 * mp.pi,
            "TAN_EIGHTH": mp.tan(mp.pi / 8),
            "QUARTERS": 2 / mp.pi,
            "TURNS": 1 / (2 * mp.pi),
            "DOUBLINGS": 1 / mp.log(2),
        }
        assert {name: getattr(trig, name) for name in expected} == {n: float(v) for n, v in expected.items()}
    assert split(half_pi) == (trig.HALF_PI_HEAD, trig.HALF_PI_TAIL)
    assert split(middle) == (trig.MID_HEAD, trig.MID_TAIL)


# --- sine and cosine


def angles(rng: random.Random) -> Iterator[float]:
    """Angles of every size, most of them beside a multiple of π/4."""
    for _ in range(1500):
        size = 10 ** rng.randrange(0, 15)
        yield shaken(rng, float(mp.pi / 4 * rng.randrange(-size, size)))
    for _ in range(800):
        yield rng.uniform(-1.0, 1.0)
        yield rng.uniform(-WIDE, WIDE)
        yield rng.choice((-1, 1)) * 10 ** rng.uniform(-320, 15)


def nearest_quarters() -> Iterator[float]:
    """The doubles m·2^e that come closest to a multiple k·π/2: m/k is a convergent of (π/2)/2^e."""
    for exponent in range(-52, -2):
        rest = mp.pi / 2 / mpf(2) ** exponent
        m_before, m, k_before, k = 1, int(rest), 0, 1
        while m < 2**53:
            yield m * 2.0**exponent
            rest = 1 / (rest - int(rest))
            m_before, m, k_before, k = m, int(rest) * m + m_before, k, int(rest) * k + k_before


def test_sine_and_cosine_are_within_one_ulp() -> None:
    """sincos is within 0.85 ulp from the tiniest to 1e15, on axes, diagonals and between."""
    with mp.workdps(DIGITS + 20):
        for x in angles(random.Random(1)):
            s, c = sincos(x)
            assert ulps(s, mp.sin(mpf(x))) < 0.85, x
            assert ulps(c, mp.cos(mpf(x))) < 0.85, x


def test_sine_and_cosine_of_the_worst_angles() -> None:
    """Where x comes closest to a multiple of π/2 nearly all digits cancel, and sincos has the rest right."""
    with mp.workdps(DIGITS + 20):
        worst = [x for x in nearest_quarters() if x <= WIDE]
        assert min(min(map(abs, sincos(x))) for x in worst) < 1e-18
        for x in worst:
            s, c = sincos(x)
            assert ulps(s, mp.sin(mpf(x))) < 0.6, x
            assert ulps(c, mp.cos(mpf(x))) < 0.6, x


@given(ANGLE)
def test_sine_is_odd_and_cosine_even_to_the_bit(x: float) -> None:
    """sin −x = −sin x and cos −x = cos x exactly."""
    s, c = sincos(x)
    assert sincos(-x) == (-s, c)


@given(ANGLE)
def test_sine_and_cosine_lie_on_the_circle(x: float) -> None:
    """sin² + cos² is 1 within 2 ulp."""
    s, c = sincos(x)
    assert abs(s * s + c * c - 1.0) <= 2.0 * math.ulp(1.0)


def test_sine_and_cosine_of_zero_and_of_no_angle() -> None:
    """sincos(0) is (0, 1) exactly, and so is an angle too large to say anything."""
    assert sincos(0.0) == sincos(-0.0) == (0.0, 1.0)
    assert sincos(1e150) == sincos(-1e308) == (0.0, 1.0)


# --- the angle of a vector


def vectors(rng: random.Random) -> Iterator[tuple[float, float]]:
    """Vectors of every size and ratio, many beside an axis, a diagonal or the octant borders."""

    def sign() -> int:
        return rng.choice((-1, 1))

    yield -0.3521702178142764, 0.7659238275265958  # 0.74 ulp if the quotient's rest is not divided by 1 + t²
    for _ in range(1500):
        length = 10 ** rng.uniform(-300, 307.9)
        slope = rng.choice((1.0, math.tan(math.pi / 8), rng.random(), 10 ** rng.uniform(-10, 0)))
        pair = sign() * length, sign() * shaken(rng, length * slope)
        yield pair if rng.random() < 0.5 else pair[::-1]
        yield sign() * 10 ** rng.uniform(-323, 307), sign() * 10 ** rng.uniform(-323, 307)
        yield sign() * rng.randrange(1, 1000) * 5e-324, sign() * rng.randrange(1, 1000) * 5e-324
        yield rng.gauss(0, 1), rng.gauss(0, 1)


def test_atan2_is_within_one_ulp() -> None:
    """atan2 is within 0.65 ulp for vectors of every size, ratio and direction; what rounds to −π is π."""
    with mp.workdps(DIGITS):
        for y, x in vectors(random.Random(2)):
            true, got = mp.atan2(mpf(y), mpf(x)), atan2(y, x)
            if float(true) == -math.pi:
                assert got == math.pi, (y, x)
            else:
                assert ulps(got, true) < 0.65, (y, x)


@pytest.mark.parametrize(
    ("y", "x", "angle"),
    [
        (0.0, 0.0, 0.0),
        (-0.0, -0.0, 0.0),
        (0.0, -0.0, 0.0),
        (0.0, 2.0, 0.0),
        (-0.0, 2.0, 0.0),
        (0.0, -2.0, math.pi),
        (-0.0, -2.0, math.pi),
        (-5e-324, -2.0, math.pi),
        (3.0, 0.0, math.pi / 2),
        (-3.0, -0.0, -math.pi / 2),
        (1.0, 1.0, math.pi / 4),
        (1.0, -1.0, 3 * math.pi / 4),
        (-5e-324, -5e-324, -3 * math.pi / 4),
        (8e307, 8e307, math.pi / 4),
    ],
)
def test_atan2_on_the_axes_and_diagonals(y: float, x: float, angle: float) -> None:
    """On axes and diagonals the answer is the rounded multiple of π/4, and −0 counts as 0."""
    assert atan2(y, x) == angle


@given(COORDINATE, COORDINATE)
def test_atan2_stays_in_its_range_and_mirrors(y: float, x: float) -> None:
    """The angle is in (−π, π]; mirrored up and down it changes its sign to the bit, except at π."""
    angle = atan2(y, x)
    assert -math.pi < angle <= math.pi
    if angle != math.pi:
        assert atan2(-y, x) == -angle


@given(st.floats(-math.pi, math.pi, exclude_min=True))
def test_atan2_finds_the_angle_of_sincos(angle: float) -> None:
    """atan2(sin a, cos a) is a, within 2 ulp of a turn's half."""
    s, c = sincos(angle)
    assert abs(wrap(atan2(s, c) - angle)) <= 2.0 * math.ulp(math.pi)


# --- the exponential


def test_exp_is_within_one_ulp() -> None:
    """exp is within 0.95 ulp where doubles are normal, and within the last place where they are not."""
    rng = random.Random(3)
    with mp.workdps(DIGITS):
        halves = [shaken(rng, -float(mp.log(2) / 2 * i)) for i in range(2151)]
        others = [-(10 ** rng.uniform(-20, 2.87)) for _ in range(500)]
        for x in halves + others:
            true, got = mp.exp(mpf(x)), exp(x)
            last = mpf(max(math.ulp(float(true)), 5e-324))
            assert abs(mpf(got) - true) < 0.95 * last, x


def test_exp_at_its_ends() -> None:
    """exp(0) is 1 exactly; the smallest double is reached, and everything below −745.2 gives 0."""
    assert exp(0.0) == exp(-0.0) == 1.0
    assert exp(-745.13) == 5e-324
    assert exp(-745.2) == exp(-746.0) == exp(-1e300) == 0.0


# --- wrapped and unwrapped angles


def test_wrap_is_the_true_remainder() -> None:
    """wrap is within 5e-16 of the angle less whole turns of the true π, up to 1e15."""
    with mp.workdps(DIGITS):
        for x in angles(random.Random(4)):
            turns = (mpf(x) - mpf(wrap(x))) / (2 * mp.pi)
            assert abs(turns - mp.nint(turns)) * 2 * mp.pi < 5e-16, x


@given(st.floats(-1e150, 1e150))
def test_wrap_lands_in_its_range(angle: float) -> None:
    """Every wrapped angle is in (−π, π] and stays, bit for bit, when wrapped again."""
    once = wrap(angle)
    assert -math.pi < once <= math.pi
    assert wrap(once) == once


@given(st.floats(-math.pi, math.pi, exclude_min=True))
def test_wrap_leaves_what_is_inside(angle: float) -> None:
    """An angle in (−π, π] comes back bit for bit; −π, just outside, becomes π."""
    assert math.copysign(1.0, wrap(angle)) == math.copysign(1.0, angle)
    assert wrap(angle) == angle
    assert wrap(-math.pi) == math.pi


@given(st.lists(st.floats(-100.0, 100.0), min_size=1, max_size=20))
def test_unwrap_only_adds_whole_turns(series: list[float]) -> None:
    """Unwrapped neighbours are at most half a turn apart, and every angle points where it did."""
    smooth = unwrap(series)
    assert smooth[0] == series[0]
    for before, after in pairwise(smooth):
        assert abs(after - before) <= math.pi + 1e-12
    for was, now in zip(series, smooth, strict=True):
        assert abs((now - was) / trig.TURN - round((now - was) / trig.TURN)) < 1e-12


def test_unwrap_leaves_a_smooth_series() -> None:
    """A series without jumps comes back bit for bit, a step of exactly π included."""
    series = (0.1, 3.0, 3.0 - math.pi, 0.0, math.pi, 0.0, -math.pi)
    assert unwrap(series) == series


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_lists_and_arrays_give_the_same_bits(axis: int) -> None:
    """wrap and unwrap give an array the very numbers they give nested lists, along every axis."""
    grid = np.random.default_rng(5).uniform(-20.0, 20.0, (4, 3, 5))
    lists = grid.tolist()
    for answer, plain in ((unwrap(grid, axis), unwrap(lists, axis)), (wrap(grid), wrap(lists))):
        assert isinstance(answer, np.ndarray)
        assert isinstance(plain, tuple)
        assert np.array_equal(answer, np.array(plain))
    assert np.allclose(unwrap(grid, axis), np.unwrap(grid, axis=axis), atol=1e-12)


@pytest.mark.parametrize("empty", [(0,), (0, 3), (3, 0)])
def test_nothing_to_wrap(empty: tuple[int, ...]) -> None:
    """Empty arrays keep their shape."""
    assert wrap(np.zeros(empty)).shape == unwrap(np.zeros(empty)).shape == empty


def test_angles_refuse_what_they_cannot_use() -> None:
    """NaN and a missing axis are refused by name and place."""
    with pytest.raises(InputError, match=r"^wrap angle\[1\]: nan is not a finite number$"):
        wrap([0.0, math.nan])
    with pytest.raises(InputError, match=r"^unwrap angles\[0\]\[1\]: inf is not a finite number$"):
        unwrap(np.array([[0.0, math.inf]]))
    with pytest.raises(InputError, match=r"^unwrap axis: angles of shape \(2,\) have no axis 1 \(axes c"):
        unwrap([0.0, 1.0], axis=1)


def test_numbers_and_lists_need_no_numpy() -> None:
    """wrap and unwrap of plain numbers leave NumPy unloaded."""
    code = (
        "import sys; from elbowroom.kernel.angles import wrap, unwrap; wrap([7, 8.0]); unwrap([3.0, -3.0]); "
        "sys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# --- one source, the same bits


def test_rows_give_the_bits_of_single_calls() -> None:
    """NumPy rows of every function here equal the single calls, bit for bit."""
    from elbowroom.kernel.engine import rows

    rng = random.Random(6)
    x = np.array([*angles(rng), 0.0, 1e150])
    y, z = np.array(list(vectors(rng))).T
    cases = {"sincos": (x,), "wrap": (x,), "atan2": (y, z), "exp": (x % 750.0 - 750.0,)}
    for name, arguments in cases.items():
        single = [getattr(trig, name)(*map(float, element)) for element in zip(*arguments, strict=True)]
        answer = np.asarray(getattr(rows(), name)(*arguments))
        assert np.array(single).T.tobytes() == answer.tobytes(), name
