"""The answer object: what is in it, when it is computed, how it travels; and plain in, plain out without NumPy."""

from __future__ import annotations

import copy
import math
import pickle
import subprocess
import sys

import numpy as np
import pytest

from elbowroom import Solution, Why, aim, annulus, fk, gain, soften, two_bone
from elbowroom.kernel.solution import FIELDS

A, B = 150.0, 125.0
KINDS = {
    "plain": lambda: two_bone((0, 0), (200, 0), A, B),
    "soft": lambda: two_bone((0, 0), (270, 0), A, B, softness=0.05, max_stretch=0.1, bend=-1, base=0.2),
    "lists": lambda: two_bone((0, 0), [[(200, 0), (300, 0)]], A, B),
    "array": lambda: two_bone((0, 0), np.array([[200.0, 0.0], [300.0, 0.0], [0.0, 0.0]]), A, B, softness=[0, 0, 0.05]),
    "aim": lambda: aim((0, 0), (3, 4), 5),
}


def test_why_counts_in_powers_of_two():
    """The values are fixed: they are stored in arrays and files."""
    names = ("FAR", "NEAR", "SOFT", "LIMIT", "STRETCH", "MIX", "BUDGET", "DEGENERATE", "RATE")
    assert [(flag.name, flag.value) for flag in Why] == [(name, 2**i) for i, name in enumerate(names)]


def test_a_plain_call_answers_in_plain_numbers():
    """Ints in, floats and tuples out; `why` is a Why."""
    for found in (two_bone((0, 0), (200, 0), 150, 125), two_bone((0, 0), (200, 0), 150, 125, softness=1)):
        assert all(type(x) is float for joint in found.joints for x in joint)
        assert all(type(x) is float for x in (*found.angles, *found.direction, *found.over, found.error, found.stretch))
        assert type(found.reached) is bool
        assert type(found.why) is Why
        assert type(found.iterations) is int
        assert isinstance(found.joints, tuple)


def test_lists_answer_in_nested_tuples():
    """A list of targets gives tuples of floats, one Why each; (), one level a list."""
    found = two_bone((0, 0), [[(200, 0), (300, 0)]], 150, [125.0, 60])
    assert [[type(x) for x in row] for row in found.why] == [[Why, Why]]
    assert isinstance(found.joints[0][1][2], tuple)
    assert type(found.error[0][1]) is float
    assert two_bone([(0, 0)], (200, 0), 150, 125).error == (0.0,)
    assert two_bone((0, 0), (200, 0), [], 125).error == ()


@pytest.mark.parametrize("name", ["root", "target", "upper", "lower", "bend", "softness", "inner_softness",
                                  "max_stretch", "base", "fallback"])  # fmt: skip
@pytest.mark.parametrize("shape", [(), (1,)], ids=str)
def test_one_array_among_the_arguments_makes_arrays(name, shape):
    """Any ndarray, even of one element or none of an axis, gives ndarrays; integer arrays count as well."""
    plain = {"root": (0, 0), "target": (200, 0), "upper": 150, "lower": 125, "bend": 1, "softness": 0,
             "inner_softness": 0, "max_stretch": 0, "base": 0}  # fmt: skip
    usual = plain.get(name, (1, 0))
    for dtype in (np.int64, np.float32):
        value = np.broadcast_to(np.array(usual, dtype=dtype), shape + np.shape(usual))
        found = two_bone(**plain | {name: value})
        assert isinstance(found.joints, np.ndarray)
        assert found.joints.dtype == np.float64
        assert found.joints.shape == (*shape, 3, 2)
        for field in FIELDS:
            assert isinstance(getattr(found, field), np.ndarray)


def test_the_other_functions_answer_in_kind():
    """Numbers give floats, lists tuples, arrays arrays."""
    assert type(soften(270, 275)) is float
    assert soften([270], 275) == (soften(270, 275),)
    assert isinstance(soften(np.array(270.0), 275), np.ndarray)
    assert type(gain(200, 150, 125)) is float
    assert isinstance(gain(200, 150, np.array([125.0])), np.ndarray)
    assert [type(r) for r in annulus([150, 125])] == [float, float]
    assert [type(r) for r in annulus(np.array([150, 125]))] == [np.ndarray, np.ndarray]
    assert isinstance(fk((0, 0), (0, 0), np.array([1, 1])), np.ndarray)
    for field in FIELDS:
        assert isinstance(getattr(aim((0, 0), (1, 0), np.array(1.0)), field), np.ndarray)
    assert type(aim((0, 0), (1, 0), 1).joints) is tuple


def test_numpy_numbers_are_numbers():
    """np.int64 and np.float32 scalars are plain numbers; arrays inside a list make an array call."""
    plain = two_bone((0, 0), (200, 0), 150, 125)
    target = (np.float32(200), np.float64(0))
    scalars = two_bone((np.int64(0), 0), target, np.int32(150), np.float16(125), bend=np.int8(1))
    assert scalars.joints == plain.joints
    assert type(scalars.joints[1][0]) is float
    for pair in ([np.array(200.0), 0.0], [np.array(200), np.array(0)]):
        found = two_bone((0, 0), pair, 150, 125)
        assert isinstance(found.joints, np.ndarray)
        assert found.joints.tolist() == [list(joint) for joint in plain.joints]
    rows = two_bone([(0, 0), np.array([0.0, 0.0])], (200, 0), 150, 125)
    assert rows.joints.shape == (2, 3, 2)


@pytest.mark.parametrize("kind", KINDS)
def test_joints_become_an_array(kind):
    """np.asarray works on every kind of answer."""
    joints = np.asarray(KINDS[kind]().joints)
    assert joints.dtype == np.float64
    assert joints.shape[-1] == 2
    assert joints.ndim >= 2


@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_survives_pickle_and_copy(kind):
    """Every field comes back, computed or not before."""
    for travel in (lambda s: pickle.loads(pickle.dumps(s)), copy.copy, copy.deepcopy):
        fresh, back = KINDS[kind](), travel(KINDS[kind]())
        for name in FIELDS:
            assert type(getattr(back, name)) is type(getattr(fresh, name))
            assert np.array_equal(getattr(back, name), getattr(fresh, name))


def test_the_text_of_an_answer_says_what_matters():
    """repr shows error, why and joints."""
    text = repr(two_bone((0, 0), (300, 0), A, B))
    assert text.startswith("Solution(error=25.0, why=<Why.FAR: 1>, joints=((0.0, 0.0), (")


@pytest.mark.parametrize("kind", KINDS)
def test_fields_are_computed_once_when_asked_for(kind):
    """A second look gives the same object."""
    found = KINDS[kind]()
    for name in FIELDS:
        assert getattr(found, name) is getattr(found, name)


def test_only_what_is_asked_for_is_computed():
    """`later` is called for a missing field only, once a field."""
    asked = []
    found = Solution(lambda state, name: asked.append((state, name)) or name, "state", joints=((0.0, 0.0),))
    assert found.joints == ((0.0, 0.0),)
    assert asked == []
    assert (found.angles, found.angles, found.error) == ("angles", "angles", "error")
    assert asked == [("state", "angles"), ("state", "error")]


def test_replace_exchanges_some_fields():
    """A new solution with the other fields as they were."""
    found = two_bone((0, 0), (300, 0), A, B)
    other = found.replace(why=Why.FAR | Why.MIX, error=1.0)
    assert (other.why, other.error) == (Why.FAR | Why.MIX, 1.0)
    assert (found.why, found.error) == (Why.FAR, 25.0)
    assert other.angles == found.angles


def test_a_field_that_does_not_exist_names_those_that_do():
    """An AttributeError with the list, and hasattr works."""
    found = two_bone((0, 0), (300, 0), A, B)
    with pytest.raises(AttributeError, match=r"Solution has no 'angle' \(it has joints, angles, error, reached"):
        found.angle  # noqa: B018
    assert not hasattr(found, "distance")
    with pytest.raises(AttributeError):
        found.note = "more"


@pytest.mark.parametrize("engine", ["numpy", "auto"])
@pytest.mark.parametrize("softness", [0.0, 0.05])
def test_inputs_are_never_written_to_nor_looked_at_again(engine, softness):
    """Read-only arrays are accepted; what the caller writes into his arrays afterwards changes no answer."""
    given = {"root": np.zeros((4, 2)), "target": np.array([[200.0, 0], [300, 0], [0, 1], [30, 40]]),
             "upper": np.full(4, A), "lower": np.full(4, B), "bend": np.array([1.0, -1, 1, 0]),
             "softness": np.full(4, softness), "base": np.full(4, 0.1), "fallback": np.ones((4, 2))}  # fmt: skip
    for array in given.values():
        array.flags.writeable = False
    kept = {name: array.copy() for name, array in given.items()}
    expected = two_bone(**given, engine=engine)
    wanted = {name: np.array(getattr(expected, name)) for name in FIELDS}
    for name, array in given.items():
        assert np.array_equal(array, kept[name])
    for names in (tuple(given), ("target",)):
        mine = {name: array.copy() for name, array in given.items() if name in names}
        rest = {name: kept[name][0] if name != "bend" else np.array(1.0) for name in given if name not in names}
        found, again = (two_bone(**rest, **arrays, engine=engine) for arrays in (mine, {n: kept[n] for n in names}))
        for array in mine.values():
            array += 0.5
        for name in FIELDS:
            assert np.array_equal(getattr(found, name), getattr(again, name))
            assert names != tuple(given) or np.array_equal(getattr(found, name), wanted[name])


def test_results_are_the_callers_own():
    """Writing into one result changes neither the inputs nor another field."""
    targets = np.array([[200.0, 0.0], [300.0, 0.0]])
    found = two_bone((0, 0), targets, A, B)
    angles = found.angles.copy()
    found.joints[...] = 0.0
    assert targets.tolist() == [[200.0, 0.0], [300.0, 0.0]]
    assert np.array_equal(two_bone((0, 0), targets, A, B).angles, angles)
    assert found.error.tolist() == [0.0, 25.0]
    whole = soften(targets, 275.0, 0.0)
    whole[...] = 0.0
    assert targets[0, 0] == 200.0


WITHOUT_NUMPY = """
import sys
import elbowroom as er
one = er.two_bone((0, 0), (200, 0), 150, 125)
one.angles, one.error, one.reached, one.why, one.over, one.stretch, one.iterations, one.direction, repr(one)
soft = er.two_bone((0, 0), [[(260, 0), [300, 1]]], 150, [125, 60.5], softness=0.05, max_stretch=0.1, base=1)
soft.angles, soft.error, soft.reached, soft.why, soft.over, soft.stretch, soft.iterations, soft.direction
assert soft.joints[0][1][0] == (0.0, 0.0)
er.aim([(0, 0), (1, 1)], (3, 4), 5).angles
er.fk((0, 0), [[0.1, 0.2], [0.3, 0.4]], [150, 125])
er.annulus([[150, 125], [1, 2]])
er.soften([100, 270], 275)
er.gain([[100, 270]], 150, 125, softness=0.05)
try:
    er.two_bone((0, 0), (200, "0"), 150, 125)
except er.InputError:
    pass
loaded = {"numpy", "numba", "msgspec", "rich"} & set(sys.modules)
assert not loaded, loaded
"""


def test_plain_numbers_need_no_numpy():
    """Single calls, nested lists, every field, an error: NumPy and the other heavy packages stay unloaded."""
    done = subprocess.run([sys.executable, "-W", "error", "-c", WITHOUT_NUMPY], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_direction_is_the_next_fallback():
    """It has length 1, and feeding it back keeps the pose when the target comes to rest on the root."""
    found = two_bone((1, 1), (1, 200), A, B, bend=-1)
    assert math.hypot(*found.direction) == pytest.approx(1.0, abs=1e-15)
    still = two_bone((1, 1), (1, 1), A, B, bend=-1, fallback=found.direction)
    assert still.direction == found.direction == (0.0, 1.0)
