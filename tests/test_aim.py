"""One bone that looks at its target."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf

from elbowroom import InputError, Why, aim, fk

COORDINATE = st.floats(-1e3, 1e3) | st.sampled_from((0.0, 1e-200, -5e-324, 1e150, -1e150))


def test_the_bone_points_at_the_target():
    """Root (3, 4), target straight above, as far as the bone is long: reached, and nothing acted."""
    found = aim((3, 4), (3, 9), 5)
    assert found.joints == ((3.0, 4.0), (3.0, 9.0))
    assert found.angles == (pytest.approx(math.pi / 2, abs=1e-15),)
    assert (found.error, found.reached, found.why) == (0.0, True, Why(0))
    assert found.direction == (0.0, 1.0)
    assert (found.over, found.stretch, found.iterations) == ((0.0,), 1.0, 0)


@pytest.mark.parametrize(("bone", "error", "why"), [(5.0, 0.0, Why(0)), (3.0, 2.0, Why.FAR), (9.0, 4.0, Why.NEAR)])
def test_the_error_is_what_is_missing(bone, error, why):
    """A longer or shorter bone misses by the difference and says which."""
    found = aim((0, 0), (-3, 4), bone)
    assert found.error == pytest.approx(error, abs=1e-15)
    assert found.why == why
    assert found.reached == (error == 0.0)
    assert found.joints[1] == pytest.approx((-0.6 * bone, 0.8 * bone))


@given(COORDINATE, COORDINATE, st.floats(0.0, 1e3), st.floats(-10.0, 10.0))
def test_direction_angle_and_tip_are_right(x, y, bone, base):
    """Any target from 1e-324 to 1e150 away: angle within 1e-15 plus the base's rounding, tip on the bone's circle."""
    found = aim((0, 0), (x, y), bone, base=base)
    if (x, y) == (0.0, 0.0):
        assert Why.DEGENERATE in found.why
        return
    with mp.workdps(50):
        d = mp.hypot(mpf(x), mpf(y))
        off = mp.atan2(mpf(y), mpf(x)) - mpf(base) - found.angles[0]
        assert abs(off - 2 * mp.pi * mp.nint(off / (2 * mp.pi))) <= 4e-15
        assert abs(found.error - abs(d - bone)) <= 1e-15 * max(d, bone) + 1e-323
        assert math.dist(found.direction, (x / d, y / d)) <= 4e-16
    more = Fraction(x) ** 2 + Fraction(y) ** 2 - Fraction(bone) ** 2
    if abs(more) > Fraction(bone) ** 2 / 10**30:  # hi + lo of a square end there
        assert found.why & (Why.FAR | Why.NEAR) == (Why.FAR if more > 0 else Why.NEAR if more else Why(0))
    assert -math.pi < found.angles[0] <= math.pi
    assert math.hypot(*found.joints[1]) == pytest.approx(bone, rel=1e-15, abs=1e-323)
    assert fk((0, 0), found.angles, [bone], base=base)[1] == pytest.approx(found.joints[1], abs=4e-15 * bone + 1e-323)
    assert (Why.DEGENERATE in found.why) == (bone == 0.0)
    assert found.why or found.reached


@pytest.mark.parametrize("fallback", [(0.0, -2.0), (0.0, -1e-300), (0.0, -1e150)])
def test_on_the_root_it_looks_along_the_fallback(fallback):
    """Target on the root: DEGENERATE and NEAR, the last direction kept, whatever its length."""
    found = aim((1, 2), (1, 2), 10, fallback=fallback)
    assert found.joints[1] == (1.0, -8.0)
    assert found.direction == (0.0, -1.0)
    assert found.error == 10.0
    assert found.why == Why.NEAR | Why.DEGENERATE


def test_a_bone_of_length_zero_still_has_a_direction():
    """It turns to the target, misses by the distance, and says that its direction means nothing."""
    found = aim((0, 0), (0, 4), 0)
    assert found.angles == (pytest.approx(math.pi / 2),)
    assert (found.error, found.why, found.reached) == (4.0, Why.FAR | Why.DEGENERATE, False)
    assert aim((0, 0), (0, 0), 0).reached


def test_a_batch_is_the_stack_of_its_singles():
    """Shapes (), (1,), (3, 1, 2), (0,), and broadcasting of targets against bones: the bits of single calls."""
    rng = np.random.default_rng(5)
    for shape in ((), (1,), (3, 1, 2), (0,)):
        targets, bones = rng.uniform(-9, 9, (*shape, 2)), np.array([0.0, 3.0])[:, None, None, None]
        found = aim((1, 2), targets, bones, base=0.3)
        whole = np.broadcast_shapes(shape, bones.shape)
        assert found.joints.shape == (*whole, 2, 2)
        assert found.angles.shape == (*whole, 1) == found.over.shape
        assert found.error.shape == whole == found.why.shape == found.reached.shape == found.stretch.shape
        assert found.direction.shape == (*whole, 2)
        for i in itertools.product(*map(range, whole)):
            target, bone = np.broadcast_to(targets, (*whole, 2))[i], bones[i[0], 0, 0, 0]
            one = aim((1, 2), target.tolist(), bone.item(), base=0.3)
            assert found.joints[i].tolist() == [list(joint) for joint in one.joints]
            assert found.angles[i].tolist() == list(one.angles)
            assert (found.error[i], found.why[i], found.reached[i]) == (one.error, one.why, one.reached)
            assert found.direction[i].tolist() == list(one.direction)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [(((0, 0), (1, 2), -1), {}, r"^aim length: -1 is out of range \(give at least 0\)$"),
     (((0, 0), (1, math.nan), 1), {}, r"^aim target\[1\]: nan is not a finite number$"),
     (((0, 0), (1, 2), 1), {"fallback": (0, 0)}, r"^aim fallback: \(0, 0\) has no direction"),
     (((0, 0), (1, 2), 1), {"limits": [(1, 0)]}, r"^aim limits\[0\]: low 1 is above high 0"),
     (((0, 0), (1, 2, 3), 1), {}, r"^aim target: shape \(3,\) does not fit \(give x, y: shape \(\.\.\., 2\)\)$")],
)  # fmt: skip
def test_what_cannot_be_aimed_is_refused(arguments, options, message):
    """The message names the argument and what would be right."""
    with pytest.raises(InputError, match=message):
        aim(*arguments, **options)
