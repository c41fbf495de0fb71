"""From angles to joints, and back from the solver's angles to its joints."""

from __future__ import annotations

import cmath
import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf

from elbowroom import InputError, fk, two_bone

ANGLE = st.floats(-7.0, 7.0)


def test_a_chain_along_the_axis_and_around_the_corner():
    """Angles are relative to the bone before, the first to `base`."""
    assert fk((0, 0), [0.0, 0.0], [150, 125]) == ((0.0, 0.0), (150.0, 0.0), (275.0, 0.0))
    square = fk((1, 2), [math.pi / 2] * 4, [3, 3, 3, 3], base=-math.pi / 2)
    assert np.asarray(square) == pytest.approx(np.array([[1, 2], [4, 2], [4, 5], [1, 5], [1, 2]]), abs=1e-15)


@given(st.lists(st.tuples(ANGLE, st.floats(0.0, 100.0)), min_size=1, max_size=8), ANGLE)
def test_joints_are_sums_of_turned_bones(bones, base):
    """Against complex numbers at 50 digits: within a few last places of the length of the chain."""
    angles, lengths = zip(*bones, strict=True)
    joints = fk((0.5, -0.25), angles, lengths, base=base)
    turned, at = mpf(base), mp.mpc(0.5, -0.25)
    with mp.workdps(50):
        for (x, y), angle, length in zip(joints[1:], angles, lengths, strict=True):
            turned += mpf(angle)
            at += length * mp.expj(turned)
            assert abs(mp.mpc(x, y) - at) <= 1e-14 * (1 + sum(lengths))
    assert joints[0] == (0.5, -0.25)
    assert len(joints) == len(lengths) + 1


@given(st.floats(0.05, 1.1), st.floats(-3.1, 3.1), st.sampled_from((1, -1)), ANGLE, st.sampled_from((0.0, 0.05, 0.2)))
def test_the_solvers_angles_lead_back_to_its_joints(part, direction, bend, base, soft):
    """Round trip through two_bone from any base, hard, or soft and stretched: within 4e-15 of the reach."""
    target = (part * 275 * math.cos(direction), part * 275 * math.sin(direction))
    options = {"bend": bend, "base": base, "softness": soft, "max_stretch": soft}
    found = two_bone((0, 0), target, 150, 125, **options)
    joints = fk((0, 0), found.angles, (150 * found.stretch, 125 * found.stretch), base=base)
    assert np.abs(np.subtract(joints, found.joints)).max() <= 4e-15 * 275 * found.stretch


def test_a_chain_of_fifty_closes():
    """Fifty bones turned by a fiftieth of a turn each come back to the root."""
    joints = fk((0, 0), [2 * math.pi / 50] * 50, [1.0] * 50)
    assert joints[-1] == pytest.approx((0.0, 0.0), abs=1e-13)
    radius = abs(1 / (1 - cmath.exp(2j * math.pi / 50)))
    assert max(x for x, _ in joints) - min(x for x, _ in joints) == pytest.approx(2 * radius, rel=5e-3)


@pytest.mark.parametrize("shape", [(), (1,), (5,), (3, 1, 2), (0,)], ids=str)
def test_a_batch_is_the_stack_of_its_singles(shape):
    """Any argument may carry the batch; joints are (..., n + 1, 2) with the bits of single calls."""
    rng = np.random.default_rng(6)
    whole = {"root": rng.uniform(-9, 9, (*shape, 2)), "angles": rng.uniform(-9, 9, (*shape, 3)),
             "lengths": rng.uniform(0, 9, (*shape, 3)), "base": rng.uniform(-9, 9, shape)}  # fmt: skip
    first = {"root": [1.0, 2.0], "angles": [0.1, -2.0, 3.0], "lengths": [1.0, 0.0, 2.0], "base": 0.5}
    for names in (*((name,) for name in whole), tuple(whole)):
        given = first | {name: whole[name] for name in names}
        joints = fk(**given)
        assert isinstance(joints, np.ndarray)
        assert joints.shape == (*shape, 4, 2)
        for i in itertools.product(*map(range, shape)):
            one = fk(**first | {name: whole[name][i].tolist() for name in names})
            assert joints[i].tolist() == [list(joint) for joint in one]


def test_lists_of_chains_give_nested_tuples():
    """Two lists of angles, one of lengths: two chains of tuples."""
    chains = fk((0, 0), [[0.0, 0.0], [0.0, math.pi]], [2.0, 1.0])
    assert chains[0] == ((0.0, 0.0), (2.0, 0.0), (3.0, 0.0))
    assert chains[1][2] == pytest.approx((1.0, 0.0), abs=1e-15)
    assert isinstance(chains, tuple)


def test_huge_and_tiny_bones_stay_finite():
    """1e150 and 5e-324: no overflow, no lost bone."""
    joints = fk((1e150, 0), [0.0, 1.0, 0.0], [1e150, 1e150, 5e-324])
    assert np.isfinite(joints).all()
    assert joints[1] == (2e150, 0.0)
    assert fk((0, 0), [math.pi / 2], [5e-324])[1] == (0.0, 5e-324)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [(((0, 0), [0, 0, 0], [1, 1]), {}, r"^fk: 3 angles and 2 lengths \(give one angle a bone\)$"),
     (((0, 0), [0, 0], [1, 1, 1, 1]), {}, r"^fk: 2 angles and 4 lengths \(give one angle a bone\)$"),
     (((0, 0), np.zeros((4, 3)), [1, 1]), {}, r"^fk: 3 angles and 2 lengths \(give one angle a bone\)$"),
     (((0, 0), [0, 0], [1, -1]), {}, r"^fk lengths\[1\]: -1 is out of range \(give at least 0\)$"),
     (((0, 0), [0, math.inf], [1, 1]), {}, r"^fk angles\[1\]: inf is not a finite number$"),
     (((0, 0), [0, 1e16], [1, 1]), {}, r"^fk angles\[1\]: 1e\+16 is out of range \(give -1e\+15 to 1e\+15\)$"),
     (((0, 0), 0.0, [1]), {}, r"^fk angles: shape \(\) does not fit \(give a row of numbers: shape \(\.\.\., n\)\)$"),
     (((0, 0), [], []), {}, r"^fk angles: shape \(0,\) does not fit"),
     ((np.zeros((3, 2)), np.zeros((4, 2)), [1, 1]), {},
      r"^fk: batch shapes do not broadcast \(root \(3,\), angles \(4,\)\)$")],
)  # fmt: skip
def test_what_is_no_chain_is_refused(arguments, options, message):
    """The message names the argument, the index and what would be right."""
    with pytest.raises(InputError, match=message):
        fk(*arguments, **options)
