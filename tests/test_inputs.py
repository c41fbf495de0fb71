"""Bad input: an InputError that names the argument, the index, and what would be right. Never a NaN, never a hang."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from elbowroom import ElbowroomError, InputError, annulus, gain, soften, two_bone
from elbowroom.kernel.inputs import Call

NAN, INF = math.nan, math.inf
PLAIN = {"root": (0, 0), "target": (200, 0), "upper": 150, "lower": 125}
SHAPE = r"does not fit \(give x, y: shape \(\.\.\., 2\)\)$"
NO_NUMBER = "is not a number or a list of numbers$"
NO_SIDE = r"is not a side \(give \+1, -1 or 0\)$"
FRACTION = r"is out of range \(give 0 to 1\)$"
TOO_LARGE = r"is too large \(numbers go to ±1e150\)$"
NO_ARRAY = "is not an array of numbers$"


def nest(depth):
    """A list in a list in a list."""
    value = 1.0
    for _ in range(depth):
        value = [value]
    return value


def endless():
    """A list that holds itself twice."""
    value = []
    value += [value, value]
    return value


@pytest.mark.parametrize(
    ("wrong", "message"),
    [({"target": (200, 0, 0)}, r"^two_bone target: shape \(3,\) " + SHAPE),
     ({"target": 200}, r"^two_bone target: shape \(\) " + SHAPE),
     ({"target": []}, r"^two_bone target: shape \(0,\) " + SHAPE),
     ({"root": [(0, 0), (0,)]},
      r"^two_bone root: rows of different lengths: \(1,\), \(2,\) \(give a full rectangle\)$"),
     ({"root": [(0, 0), 0]}, r"^two_bone root: rows of different lengths: \(\), \(2,\) \(give a full rectangle\)$"),
     ({"target": (NAN, 0)}, r"^two_bone target\[0\]: nan is not a finite number$"),
     ({"target": (0, -INF)}, r"^two_bone target\[1\]: -inf is not a finite number$"),
     ({"target": [(0, 1), (INF, 0)]}, r"^two_bone target\[1\]\[0\]: inf is not a finite number$"),
     ({"root": (1.1e150, 0)}, r"^two_bone root\[0\]: 1\.1e\+150 " + TOO_LARGE),
     ({"root": (0, 10**200)}, r"^two_bone root\[1\]: 1e\+200 " + TOO_LARGE),
     ({"root": (0, 10**400)}, r"^two_bone root\[1\]: the number " + TOO_LARGE),
     ({"lower": 10**400}, r"^two_bone lower: the number " + TOO_LARGE),
     ({"upper": 1.0000001e150}, r"^two_bone upper: 1e\+150 " + TOO_LARGE),
     ({"upper": -1}, r"^two_bone upper: -1 is out of range \(give at least 0\)$"),
     ({"lower": [125, -0.5]}, r"^two_bone lower\[1\]: -0\.5 is out of range \(give at least 0\)$"),
     ({"upper": NAN}, r"^two_bone upper: nan is not a finite number$"),
     ({"upper": "150"}, r"^two_bone upper: str " + NO_NUMBER),
     ({"target": "ab"}, r"^two_bone target: str " + NO_NUMBER),
     ({"target": ("a", "b")}, r"^two_bone target\[0\]: str " + NO_NUMBER),
     ({"target": [(0, 1), (2, None)]}, r"^two_bone target\[1\]\[1\]: NoneType " + NO_NUMBER),
     ({"target": None}, r"^two_bone target: NoneType " + NO_NUMBER),
     ({"root": (True, 0)}, r"^two_bone root\[0\]: bool " + NO_NUMBER),
     ({"upper": True}, r"^two_bone upper: bool " + NO_NUMBER),
     ({"bend": True}, r"^two_bone bend: bool " + NO_NUMBER),
     ({"softness": False}, r"^two_bone softness: bool " + NO_NUMBER),
     ({"lower": np.bool_(True)}, r"^two_bone lower: \S*bool\S* " + NO_NUMBER),
     ({"upper": 1j}, r"^two_bone upper: complex " + NO_NUMBER),
     ({"upper": Decimal(1)}, r"^two_bone upper: Decimal " + NO_NUMBER),
     ({"target": {0: 1, 1: 2}}, r"^two_bone target: dict " + NO_NUMBER),
     ({"target": {200, 1}}, r"^two_bone target: set " + NO_NUMBER),
     ({"bend": 2}, r"^two_bone bend: 2 " + NO_SIDE), ({"bend": 0.5}, r"^two_bone bend: 0\.5 " + NO_SIDE),
     ({"bend": [1, -1, -3]}, r"^two_bone bend\[2\]: -3 " + NO_SIDE),
     ({"bend": INF}, r"^two_bone bend: inf is not a finite number$"),
     ({"bend": "left"}, r"^two_bone bend: str " + NO_NUMBER),
     ({"softness": 1.5}, r"^two_bone softness: 1\.5 " + FRACTION),
     ({"softness": -0.1}, r"^two_bone softness: -0\.1 " + FRACTION),
     ({"softness": NAN}, r"^two_bone softness: nan is not a finite number$"),
     ({"inner_softness": 1.01}, r"^two_bone inner_softness: 1\.01 " + FRACTION),
     ({"max_stretch": -0.1}, r"^two_bone max_stretch: -0\.1 is out of range \(give at least 0\)$"),
     ({"base": 1e16}, r"^two_bone base: 1e\+16 is out of range \(give -1e\+15 to 1e\+15\)$"),
     ({"fallback": (0, 0)}, r"^two_bone fallback: \(0, 0\) has no direction \(give a vector that is not zero\)$"),
     ({"fallback": [(1, 0), (0, -0.0)]}, r"^two_bone fallback\[1\]: \(0, 0\) has no direction "),
     ({"fallback": (0, 0, 0)}, r"^two_bone fallback: shape \(3,\) " + SHAPE),
     ({"fallback": 1}, r"^two_bone fallback: shape \(\) " + SHAPE),
     ({"limits": [(0, 1)]}, r"^two_bone limits: shape \(1, 2\) does not fit \(give one \(low, high\) a joint: "),
     ({"limits": [(0, 1), (1, 0)]}, r"^two_bone limits\[1\]: low 1 is above high 0 \(write low first, then high\)$"),
     ({"limits": [(0, 1), (0, NAN)]}, r"^two_bone limits\[1\]\[1\]: nan is not a finite number$"),
     ({"upper": [1, 2], "lower": [1, 2, 3]},
      r"^two_bone: batch shapes do not broadcast \(upper \(2,\), lower \(3,\)\)$"),
     ({"curve": "cubik"}, r'^curve: "cubik" is none of exponential, quadratic, cubic \(did you mean "cubic"\?\)$'),
     ({"curve": None}, r'^curve: "None" is none of exponential, quadratic, cubic'),
     ({"curve": ["cubic"]}, r"^curve: .* is none of exponential, quadratic, cubic"),
     ({"upper": nest(40)}, r"^two_bone upper\S*: lists nested more than 32 deep \(give the numbers themselves\)$"),
     ({"upper": nest(100_000)}, r"^two_bone upper\S*: lists nested more than 32 deep"),
     ({"target": endless()}, r"^two_bone target\S*: lists nested more than 32 deep")],
)  # fmt: skip
def test_plain_input_that_cannot_be_used_is_refused(wrong, message):
    """Numbers, lists, and anything else that is not an array."""
    with pytest.raises(InputError, match=message):
        two_bone(**PLAIN | wrong)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [({"target": np.zeros((4, 3))}, r"^two_bone target: shape \(4, 3\) " + SHAPE),
     ({"target": np.array(3.0)}, r"^two_bone target: shape \(\) " + SHAPE),
     ({"target": np.array([[0, 1], [2, NAN]])}, r"^two_bone target\[1\]\[1\]: nan is not a finite number$"),
     ({"target": np.array([[0, INF], [NAN, 0]])}, r"^two_bone target\[0\]\[1\]: inf is not a finite number$"),
     ({"target": np.array([[0, 1], [1e151, 0]])}, r"^two_bone target\[1\]\[0\]: 1e\+151 " + TOO_LARGE),
     ({"target": np.array(["a", "b"])}, r"^two_bone target: an array of <U1 " + NO_ARRAY),
     ({"target": np.array([1, None])}, r"^two_bone target: an array of object " + NO_ARRAY),
     ({"target": np.array([True, False])}, r"^two_bone target: an array of bool " + NO_ARRAY),
     ({"target": np.array([1j, 2])}, r"^two_bone target: an array of complex128 " + NO_ARRAY),
     ({"target": np.zeros((1, 2)), "root": ("0", 0)}, r"^two_bone root\[0\]: str " + NO_NUMBER),
     ({"target": np.zeros((1, 2)), "root": (True, 0)}, r"^two_bone root\[0\]: bool " + NO_NUMBER),
     ({"target": [np.zeros(2), np.zeros(3)]},
      r"^two_bone target: arrays of different shapes in one list \(give a full rectangle\)$"),
     ({"target": [np.zeros(2), [0, "x"]]}, r"^two_bone target: an array of <U\d+ " + NO_ARRAY),
     ({"upper": np.array([1.0, -2.0])}, r"^two_bone upper\[1\]: -2 is out of range \(give at least 0\)$"),
     ({"bend": np.array([1, 2])}, r"^two_bone bend\[1\]: 2 " + NO_SIDE),
     ({"bend": np.array([[1, -1], [0, 0.5]])}, r"^two_bone bend\[1\]\[1\]: 0\.5 " + NO_SIDE),
     ({"bend": np.array([1.0, INF])}, r"^two_bone bend\[1\]: inf is not a finite number$"),
     ({"bend": np.array([True])}, r"^two_bone bend: an array of bool " + NO_ARRAY),
     ({"fallback": np.array([[1.0, 0.0], [0.0, 0.0]])}, r"^two_bone fallback\[1\]: \(0, 0\) has no direction "),
     ({"fallback": np.array(1.0)}, r"^two_bone fallback: shape \(\) " + SHAPE),
     ({"fallback": np.zeros(3)}, r"^two_bone fallback: shape \(3,\) " + SHAPE),
     ({"fallback": np.array(["a", "b"])}, r"^two_bone fallback: an array of <U1 " + NO_ARRAY),
     ({"softness": np.array([0.0, 1.5])}, r"^two_bone softness\[1\]: 1\.5 " + FRACTION),
     ({"curve": np.array(["cubic", "cubic"])}, r"^curve: .* is none of exponential, quadratic, cubic"),
     ({"target": np.zeros((3, 2)), "upper": np.zeros(2)},
      r"^two_bone: batch shapes do not broadcast \(target \(3,\), upper \(2,\)\)$")],
)  # fmt: skip
def test_arrays_that_cannot_be_used_are_refused(wrong, message):
    """The same for arrays, and for lists beside or around them."""
    with pytest.raises(InputError, match=message):
        two_bone(**PLAIN | wrong)


@pytest.mark.skipif(np.finfo(np.longdouble).max <= np.finfo(np.float64).max, reason="no wider float on this machine")
def test_a_wider_float_beyond_ours_is_refused():
    """It becomes infinite, without a warning, and is named."""
    wide = np.array([np.longdouble("1e4000"), 0])
    with pytest.raises(InputError, match=r"^two_bone target\[0\]: inf is not a finite number$"):
        two_bone((0, 0), wide, 1, 1)


@pytest.mark.parametrize(
    ("call", "message"),
    [(lambda: soften(-1, 275), r"^soften distance: -1 is out of range \(give at least 0\)$"),
     (lambda: soften([1, 2, NAN], 275), r"^soften distance\[2\]: nan is not a finite number$"),
     (lambda: soften(1, -275), r"^soften reach: -275 is out of range \(give at least 0\)$"),
     (lambda: soften(1, 275, 1.1), r"^soften softness: 1\.1 " + FRACTION),
     (lambda: soften(1, 275, -1e-9), r"^soften softness: -1e-09 " + FRACTION),
     (lambda: soften(1, 275, inner_softness=2), r"^soften inner_softness: 2 " + FRACTION),
     (lambda: soften(1, 275, dead_zone=-1), r"^soften dead_zone: -1 is out of range \(give at least 0\)$"),
     (lambda: soften(1, 275, curve="linear"), r'^curve: "linear" is none of exponential, quadratic, cubic'),
     (lambda: soften(np.array([1.0, -1.0]), 275), r"^soften distance\[1\]: -1 is out of range \(give at least 0\)$"),
     (lambda: gain(200, 150, None), r"^gain lower: NoneType " + NO_NUMBER),
     (lambda: gain(200, 150, 125, softness=2), r"^gain softness: 2 " + FRACTION),
     (lambda: gain(200, 150, 125, curve=""), r'^curve: "" is none of exponential, quadratic, cubic'),
     (lambda: annulus([]),
      r"^annulus lengths: shape \(0,\) does not fit \(give a row of numbers: shape \(\.\.\., n\)\)$"),
     (lambda: annulus(3), r"^annulus lengths: shape \(\) does not fit"),
     (lambda: annulus([1, [2]]), r"^annulus lengths: rows of different lengths: \(\), \(1,\)"),
     (lambda: annulus([1, -2]), r"^annulus lengths\[1\]: -2 is out of range \(give at least 0\)$"),
     (lambda: annulus(np.array([[1, 2], [3, INF]])), r"^annulus lengths\[1\]\[1\]: inf is not a finite number$")],
)  # fmt: skip
def test_the_other_functions_refuse_in_the_same_words(call, message):
    """soften, gain and annulus."""
    with pytest.raises(InputError, match=message):
        call()


def test_an_input_error_is_a_value_error():
    """Callers may catch either, or everything of this library."""
    assert issubclass(InputError, ValueError)
    assert issubclass(InputError, ElbowroomError)


def test_the_edge_of_the_range_is_still_inside():
    """1e150 itself, an int of that size, a fraction, a whole turn of 1e15: accepted."""
    assert two_bone((0, 0), (1e150, 0), 10**150, 1).reached
    assert two_bone((0, 0), (1, 0), Fraction(1, 2), Fraction(1, 2)).reached
    assert math.isfinite(two_bone((0, 0), (1, 0), 1, 1, base=1e15).angles[0])
    assert two_bone((0, 0), (3, 0), 2, 2, softness=1, inner_softness=1, max_stretch=1e150).reached


def test_lists_may_be_as_deep_as_arrays():
    """32 lists in one another are a batch of 32 axes."""
    found = soften(nest(32), 275)
    for _ in range(32):
        (found,) = found
    assert found == 1.0


def test_columns_are_broadcast_as_numpy_does():
    """(2, 1) against (3,): both kinds of call give six elements, in the same order."""
    for kind in (lambda v: v, np.array):
        call = Call("here")
        call.number("a", kind([[1.0], [2.0]]))
        call.number("b", kind([10.0, 20.0, 30.0]))
        call.point("c", kind([5.0, 6.0]))
        assert call.shape == (2, 3)
        a, b, *c = (list(np.broadcast_to(column, 6)) for column in call.columns)
        assert a == [1.0, 1.0, 1.0, 2.0, 2.0, 2.0]
        assert b == [10.0, 20.0, 30.0, 10.0, 20.0, 30.0]
        assert c == [[5.0] * 6, [6.0] * 6]
