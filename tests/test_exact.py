"""Sums and products that lose nothing, against fractions."""

from __future__ import annotations

import math
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from elbowroom.kernel.exact import lost, product, split, square, two_sum

SIGNED = st.sampled_from((-1.0, 1.0))
# sizes spread evenly over the exponents, and the values where the last bits are all set
FACTOR = st.builds(
    lambda sign, mantissa, power: sign * math.ldexp(mantissa, power),
    SIGNED,
    st.integers(2**52, 2**53 - 1) | st.sampled_from((2**53 - 1, 2**52 + 1, 2**52 + 2**26 + 1)),
    st.integers(-516, 412),  # 1e-140 to 1e140
)
ANY = st.floats(-1e300, 1e300)


@given(ANY, ANY)
def test_a_sum_and_its_rest_are_the_exact_sum(a: float, b: float) -> None:
    """hi + lo is a + b exactly, and hi is the sum as it would be rounded."""
    hi, lo = two_sum(a, b)
    assert hi == a + b
    assert Fraction(hi) + Fraction(lo) == Fraction(a) + Fraction(b)


@given(FACTOR)
def test_a_split_number_has_two_short_parts(x: float) -> None:
    """The parts add up to the number and neither has more than 26 bits."""
    head, tail = split(x)
    assert head + tail == x
    for part in (head, tail):
        digits = abs(int(math.ldexp(math.frexp(part)[0], 53)))
        assert digits % 2**27 == 0


@given(FACTOR | st.just(0.0), FACTOR | st.just(0.0))
def test_a_product_and_its_rest_are_the_exact_product(x: float, y: float) -> None:
    """hi + lo is x·y exactly, and hi is the product as it would be rounded."""
    hi, lo = product(x, y)
    assert hi == x * y
    assert Fraction(hi) + Fraction(lo) == Fraction(x) * Fraction(y)


@given(FACTOR | st.just(0.0))
def test_a_square_is_the_product_with_itself(x: float) -> None:
    """square(x) gives the same two numbers as product(x, x)."""
    assert square(x) == product(x, x)


@given(FACTOR, FACTOR)
def test_what_a_rounded_product_lost(x: float, y: float) -> None:
    """From both factors split, `lost` gives exactly what rounding took."""
    assert Fraction(lost(x * y, *split(x), *split(y))) == Fraction(x) * Fraction(y) - Fraction(x * y)
