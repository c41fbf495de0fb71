"""What all chain solvers share: answers out of reach, sizes, batches, engines, messages."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest

from elbowroom.errors import InputError
from elbowroom.kernel.ccd import ccd
from elbowroom.kernel.fabrik import fabrik
from elbowroom.kernel.fk import fk
from elbowroom.kernel.solution import FIELDS, Why

SOLVERS = {
    "ccd": ccd,
    "ccd tip to root": lambda *given, **more: ccd(*given, order="tip_to_root", **more),
    "ccd damped": lambda *given, **more: ccd(*given, damping=0.3, **more),
    "fabrik": fabrik,
}
each = pytest.mark.parametrize("solve", SOLVERS.values(), ids=SOLVERS)


def random_chains(count: int, bones: int, seed: int):
    """Roots, targets, lengths, angles and limits of chains, a third of them with a bone of length zero."""
    rng = np.random.default_rng(seed)
    lengths = rng.uniform(0.2, 1.0, (count, bones))
    lengths[::3, rng.integers(bones)] = 0.0
    root, angles = rng.normal(size=(count, 2)), rng.uniform(-1.5, 1.5, (count, bones))
    target = root + lengths.sum(axis=1)[:, None] * rng.uniform(-0.8, 0.8, (count, 2))
    low = rng.uniform(-2.0, 0.2, (count, bones))
    return root, target, lengths, angles, np.stack([low, low + rng.uniform(0.0, 2.5, (count, bones))], axis=-1)


@each
def test_a_target_out_of_reach_straightens_the_chain_at_once(solve):
    """Beyond the reach and without limits the answer is the straight pose, exactly, without an iteration."""
    found = solve((1.0, 2.0), (1.0, 12.0), [1.0, 2.0, 3.0], [0.3, 0.4, -0.2])
    assert found.iterations == 0
    assert found.why == Why.FAR
    assert not found.reached
    assert found.angles == (math.pi / 2, 0.0, 0.0)
    assert found.error == pytest.approx(4.0, abs=1e-14)
    assert found.joints[-1] == pytest.approx((1.0, 8.0), abs=1e-14)


@each
@pytest.mark.parametrize("place", [0, 1, 2, 3])
def test_a_target_in_the_dead_zone_folds_the_chain_at_once(solve, place):
    """Inside the hole of a chain with one very long bone the answer is the nearest point of its rim."""
    lengths = [1.0, 1.0, 1.0, 1.0]
    lengths[place] = 10.0
    found = solve((0.0, 0.0), (3.0, 4.0), lengths, [0.3, 0.4, -0.2, 0.1])
    assert found.why == Why.NEAR
    assert found.iterations == 0
    assert found.joints[-1] == pytest.approx((4.2, 5.6), abs=1e-13)
    assert found.error == pytest.approx(2.0, abs=1e-13)


@each
def test_limits_that_allow_the_straight_pose_do_not_hide_it(solve):
    """A target out of reach within the limits of all joints is FAR, and no LIMIT."""
    limits = [[-2.0, 2.0], [0.0, 1.0], [-1.0, 0.0]]
    found = solve((0.0, 0.0), (5.0, 0.0), [1.0, 1.0, 1.0], [0.5, 0.5, -0.5], limits=limits)
    assert found.why == Why.FAR
    assert found.error == pytest.approx(2.0, abs=1e-15)


@each
def test_limits_hold_and_are_told(solve):
    """A target that limits keep away is missed with LIMIT, within the limits, and `over` says by how much."""
    limits = [[-0.5, 0.5], [0.1, 0.6], [0.1, 0.6]]
    found = solve((0.0, 0.0), (-2.0, 0.5), [1.0, 1.0, 1.0], [0.2, 0.2, 0.2], limits=limits)
    assert Why.LIMIT in found.why
    assert not found.reached
    assert any(found.over)
    assert all(low <= q <= high for q, (low, high) in zip(found.angles, limits, strict=True))


@each
def test_angles_are_the_representative_in_the_range(solve):
    """A range beyond half a turn, or of another turn, gives angles as it counts them."""
    turn = 2.0 * math.pi
    limits = [[turn - 1.0, turn + 2.0], [3.0, 4.0], [-turn - 1.0, -turn + 1.0]]
    found = solve((0.0, 0.0), (0.9, 0.7), [1.0, 0.8, 0.7], [0.0, 3.5, 0.0], limits=limits, iterations=400)
    assert all(low <= q <= high for q, (low, high) in zip(found.angles, limits, strict=True))
    assert found.joints == pytest.approx(np.array(fk((0.0, 0.0), found.angles, [1.0, 0.8, 0.7])), abs=1e-14)
    assert found.error < 0.6


@each
def test_a_range_of_a_whole_turn_is_free(solve):
    """Limits a turn wide change no bit."""
    given = (0.0, 0.0), (1.2, 0.9), [1.0, 0.8, 0.7], [0.3, 0.4, -0.2]
    free, wide = solve(*given), solve(*given, limits=[[-4.0, 4.0]] * 3)
    assert free.angles == wide.angles
    assert wide.over == (0.0, 0.0, 0.0)


@each
def test_the_pose_that_reaches_stays_as_it_is(solve):
    """A target where the end is already changes nothing and costs nothing."""
    angles = (-1.0, 0.7, 0.2)
    end = fk((0.0, 0.0), angles, [60.0, 60.0, 40.0])[-1]
    found = solve((0.0, 0.0), end, [60.0, 60.0, 40.0], angles)
    assert found.angles == angles
    assert (found.iterations, found.why, found.reached) == (0, Why(0), True)
    assert found.error <= 1e-13


@each
def test_one_bone_aims(solve):
    """One bone points at its target, and at the end of its range where that is nearer."""
    assert solve((0.0, 0.0), (0.0, 3.0), [2.0], [0.1]).joints[-1] == pytest.approx((0.0, 2.0), abs=1e-15)
    held = solve((0.0, 0.0), (0.0, 3.0), [2.0], [0.1], limits=[[-1.0, 1.0]])
    assert held.angles == (1.0,)
    assert Why.LIMIT in held.why
    assert held.over[0] == pytest.approx(math.pi / 2 - 1.0, abs=1e-15)


@each
def test_two_bones_close(solve):
    """Two bones reach what the limb of the same lengths reaches."""
    for target in ((0.9, 1.1), (2.0, 0.5), (0.1, 0.1), (-1.5, -1.0)):
        found = solve((0.0, 0.0), target, [1.2206555615733703] * 2, [0.2, 0.3], iterations=1000)
        assert found.reached, target


@each
def test_a_target_on_the_root_closes_the_loop(solve):
    """A chain that can reach its own root does, and says that its direction was arbitrary."""
    found = solve((5.0, 5.0), (5.0, 5.0), [1.0, 1.0, 1.0], [0.3, 0.4, -0.2], iterations=1000)
    assert Why.DEGENERATE in found.why
    assert found.error <= 3e-6
    assert sum(x * x for x in found.direction) == pytest.approx(1.0)


@each
def test_no_length_at_all(solve):
    """Bones of length zero stay on the root, finite."""
    found = solve((1.0, 1.0), (2.0, 1.0), [0.0, 0.0], [0.3, 0.4])
    assert found.joints == ((1.0, 1.0),) * 3
    assert Why.DEGENERATE in found.why
    assert found.error == 1.0


@each
@pytest.mark.parametrize("size", [1e-150, 1e-40, 1e40, 1e149])
def test_any_size_gives_the_same_pose(solve, size):
    """Lengths from 1e-150 to 1e150 are solved alike."""
    lengths, target = [3.0, 2.0, 1.0], (2.5, -1.5)
    plain = solve((0.0, 0.0), target, lengths, [0.3, 0.4, -0.2])
    found = solve((0.0, 0.0), [x * size for x in target], [x * size for x in lengths], [0.3, 0.4, -0.2])
    assert found.angles == pytest.approx(plain.angles, abs=1e-9)
    assert found.iterations == plain.iterations
    assert found.error / size == pytest.approx(plain.error, abs=1e-9)


@each
def test_targets_of_any_distance_are_finite(solve):
    """Targets of 1e±150 around a chain of length 1e∓150 or 1: a finite answer, with and without limits."""
    for length in (1e-150, 1.0, 1e150):
        for far in (1e-150, 1.0, 1e150):
            for limits in (None, [[-1.0, 1.0]] * 3):
                found = solve((0.0, 0.0), (-far, far), [length] * 3, [0.3, 0.4, -0.2], limits=limits)
                assert np.isfinite([*found.angles, *np.ravel(found.joints), found.error, *found.direction]).all()


@each
def test_root_and_lengths_are_exact(solve):
    """The root stays where it is, and every bone as long as it is, to 1e-12."""
    root, target, lengths, angles, limits = random_chains(100, 6, 1)
    for given in ({}, {"limits": limits}):
        joints = solve(root, target, lengths, angles, **given).joints
        assert (joints[:, 0] == root).all()
        bones = np.linalg.norm(np.diff(joints, axis=1), axis=-1)
        assert np.abs(bones - lengths).max() <= 1e-12


@each
def test_angles_land_on_the_joints(solve):
    """Forward kinematics of the angles, from the base, gives the joints."""
    root, target, lengths, angles, limits = random_chains(50, 5, 2)
    base = np.linspace(-3.0, 3.0, 50)
    found = solve(root, target, lengths, angles, base=base, limits=limits)
    assert np.abs(fk(root, found.angles, lengths, base=base) - found.joints).max() <= 1e-14
    assert np.abs(np.linalg.norm(found.joints[:, -1] - target, axis=-1) - found.error).max() <= 1e-14


def test_the_base_only_turns_the_frame():
    """A base of 0.7 rad is a target turned back by 0.7 rad."""
    turned = (math.cos(0.7) * 1.5 - math.sin(0.7) * 0.5, math.sin(0.7) * 1.5 + math.cos(0.7) * 0.5)
    plain = ccd((0.0, 0.0), (1.5, 0.5), [1.0, 1.0, 0.5], [0.3, 0.4, -0.2])
    found = ccd((0.0, 0.0), turned, [1.0, 1.0, 0.5], [0.3, 0.4, -0.2], base=0.7)
    assert found.angles == pytest.approx(plain.angles, abs=1e-12)


@each
@pytest.mark.parametrize("bones", [1, 2, 5])
def test_engines_agree_to_the_bit(solve, bones):
    """Floats, rows and Numba give the same bits, field by field, with and without limits."""
    pytest.importorskip("numba")
    root, target, lengths, angles, limits = random_chains(40, bones, bones)
    for given in ({}, {"limits": limits}):
        rows = solve(root, target, lengths, angles, iterations=30, engine="numpy", **given)
        lanes = solve(root, target, lengths, angles, iterations=30, engine="numba", **given)
        for name in FIELDS:
            assert np.array_equal(getattr(rows, name), getattr(lanes, name)), name
        single = {"limits": limits[7].tolist()} if given else {}
        columns = (x[7].tolist() for x in (root, target, lengths, angles))
        one = solve(*columns, iterations=30, **single)
        for name in FIELDS:
            assert np.array_equal(getattr(one, name), getattr(lanes, name)[7]), name


def test_batches_broadcast():
    """Shapes (3, 1, …) and (4, …) make (3, 4, …), each element as if it were alone; lists as well as arrays."""
    target = np.array([[[1.0, 0.5]], [[0.2, 1.5]], [[9.0, 0.0]]])
    angles = np.linspace(0.1, 1.2, 12).reshape(4, 3)
    found = fabrik((0.0, 0.0), target, [1.0, 0.7, 0.5], angles)
    assert found.joints.shape == (3, 4, 4, 2)
    assert found.angles.shape == found.over.shape == (3, 4, 3)
    assert found.why.shape == found.error.shape == found.iterations.shape == found.stretch.shape == (3, 4)
    assert found.direction.shape == (3, 4, 2)
    lists = fabrik((0.0, 0.0), target.tolist(), [1.0, 0.7, 0.5], angles.tolist())
    assert np.array_equal(lists.joints, found.joints)
    one = fabrik((0.0, 0.0), (0.2, 1.5), [1.0, 0.7, 0.5], angles[2].tolist())
    assert one.joints == lists.joints[1][2]


def test_an_empty_batch():
    """No targets, no answers."""
    found = ccd((0.0, 0.0), np.empty((0, 2)), [1.0, 1.0], [0.0, 0.0])
    assert found.joints.shape == (0, 3, 2)
    assert found.over.shape == (0, 2)


def test_plain_numbers_load_no_numpy():
    """Lists in, tuples out, and NumPy stays unloaded."""
    code = (
        "import sys\n"
        "from elbowroom.kernel.ccd import ccd\n"
        "from elbowroom.kernel.fabrik import fabrik\n"
        "for solve in (ccd, fabrik):\n"
        "    found = solve((0, 0), (1, 1), [1, 1, 1], [0, 0, 0], limits=[[-3, 3], [0, 2], [0, 2]])\n"
        "    assert type(found.joints) is tuple and type(found.angles[0]) is float and found.over is not None\n"
        "assert 'numpy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@each
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"target": (math.nan, 0.0)}, "target"),
        ({"lengths": [1.0, -1.0]}, "lengths"),
        ({"lengths": [1.0, 1.0, 1.0]}, "one angle a bone"),
        ({"angles": [math.inf, 0.0]}, "angles"),
        ({"limits": [[1.0, 0.0], [0.0, 1.0]]}, "write low first"),
        ({"limits": [[0.0, 1.0]]}, "limits"),
        ({"bend": 2}, "side"),
        ({"iterations": 2.5}, "iterations"),
        ({"iterations": -1}, "iterations"),
        ({"tolerance": -1.0}, "tolerance"),
        ({"tolerance": math.nan}, "tolerance"),
        ({"engine": "nunpy"}, "numpy"),
    ],
)
def test_what_is_wrong_is_named(solve, change, words):
    """Bad input raises InputError with the argument and what would be right."""
    given = {"root": (0.0, 0.0), "target": (1.0, 0.5), "lengths": [1.0, 1.0], "angles": [0.0, 0.0]} | change
    with pytest.raises(InputError, match=words):
        solve(given.pop("root"), given.pop("target"), given.pop("lengths"), given.pop("angles"), **given)


@each
def test_no_flag_means_reached(solve):
    """Whatever the budget, a miss without a cause does not exist, and `reached` is the error's word."""
    root, target, lengths, angles, limits = random_chains(300, 4, 3)
    for iterations in (0, 1, 5, 60):
        for given in ({}, {"limits": limits}):
            found = solve(root, target, lengths, angles, iterations=iterations, **given)
            assert ((found.why != 0) | found.reached).all()
            assert np.array_equal(found.reached, found.error <= 1e-6 * lengths.sum(axis=1))
            assert (found.iterations <= iterations).all()
            spent = (found.iterations == iterations) & ~found.reached & (found.why & (Why.FAR | Why.NEAR) == 0)
            assert (found.why[spent] & (Why.BUDGET | Why.LIMIT) != 0).all()
