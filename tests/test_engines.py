"""Floats, NumPy and Numba give the same bits; a batch is the stack of its singles."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from elbowroom import InputError, Why, aim, fk, gain, soften, two_bone
from elbowroom.kernel import engine as engines
from elbowroom.kernel.engine import has_lanes
from elbowroom.kernel.solution import FIELDS

needs_numba = pytest.mark.skipif(not has_lanes(), reason='needs Numba: pip install "elbowroom[fast]"')
CURVES = ("exponential", "cubic", "quadratic")
A, B = 150.0, 125.0
SINGULAR = (0.0, 5e-324, 1e-310, 1e-150, 1e-61, 1e-60, 1.0, 25.0, 125.0, 150.0, 275.0, 1e60, 1e61, 1e150)


def differing(one, other):
    """How many values differ in their bits, the sign of zero aside."""
    one, other = (np.asarray(v, dtype=np.float64) + 0.0 for v in (one, other))
    assert one.shape == other.shape
    return int((one.view(np.int64) != other.view(np.int64)).sum())


def differences(one, other):
    """Every field of two solutions that differs, with the number of values."""
    counts = {name: differing(getattr(one, name), getattr(other, name)) for name in FIELDS}
    return {name: count for name, count in counts.items() if count}


def stacked(singles, name):
    """One field of many single answers as an array."""
    return np.array([getattr(s, name) for s in singles], dtype=np.float64)


def differences_from_singles(batch, singles):
    """The same for a batch against the list of its singles."""
    counts = {name: differing(getattr(batch, name), stacked(singles, name)) for name in FIELDS}
    return {name: count for name, count in counts.items() if count}


def mixture(count, seed):
    """Arguments of `count` limbs as arrays: random ones, bounds to the last place, and every singular mixture."""
    rng = np.random.default_rng(seed)
    pick = lambda *values: rng.choice(values, count)  # noqa: E731
    a = pick(1.0, 10.0, A) * rng.uniform(0.5, 2.0, count)
    b = np.where(rng.random(count) < 0.3, a, a * rng.uniform(0.05, 2.0, count))
    bound = np.where(rng.random(count) < 0.5, a + b, abs(a - b))
    off = pick(1.0, -1.0) * 10.0 ** rng.uniform(-16.0, 0.0, count)
    d = np.where(rng.random(count) < 0.5, bound * (1.0 + off), rng.uniform(0.0, 1.6, count) * (a + b))
    d = np.where(rng.random(count) < 0.1, bound, d)
    angle = np.where(rng.random(count) < 0.2, pick(0.0, math.pi / 2, math.pi), rng.uniform(-math.pi, math.pi, count))
    odd = rng.random(count) < 0.2
    a, b, d = (np.where(odd & (rng.random(count) < 0.7), rng.choice(SINGULAR, count), v) for v in (a, b, d))
    root = np.where(rng.random(count) < 0.5, 0.0, rng.uniform(-300.0, 300.0, count))[:, None] * (1.0, -0.5)
    step = np.stack([d * np.cos(angle), d * np.sin(angle)], axis=-1)
    on_axis = rng.random(count) < 0.1
    step[on_axis, 1] = 0.0
    turn = rng.uniform(-math.pi, math.pi, count)
    return {
        "root": root, "target": np.where(abs(step) < 1e150, root + step, step), "upper": a, "lower": b,
        "bend": pick(1, -1, -1, 0),
        "softness": np.where(rng.random(count) < 0.4, 0.0, pick(0.03, 0.05, 0.3, 1.0, 1e-12, 0.08)),
        "inner_softness": np.where(rng.random(count) < 0.6, 0.0, pick(0.02, 0.5, 1.0)),
        "max_stretch": np.where(rng.random(count) < 0.6, 0.0, pick(0.05, 0.5, 2.0)),
        "base": np.where(rng.random(count) < 0.5, 0.0, rng.uniform(-7.0, 7.0, count)),
        "fallback": np.stack([np.cos(turn), np.sin(turn)], axis=-1) * pick(1.0, 1e-200, 1e150)[:, None],
    }  # fmt: skip


def hard(limbs):
    """The same limbs without softness and stretch: the plain way where sizes are ordinary."""
    return limbs | dict.fromkeys(("softness", "inner_softness", "max_stretch"), 0.0)


def singles(limbs, count, **options):
    """Each limb by a call of plain numbers."""
    rows = {name: np.broadcast_to(v, (count, *np.shape(v)[1:])).tolist() for name, v in limbs.items()}
    return [two_bone(**{name: row[i] for name, row in rows.items()}, **options) for i in range(count)]


def compare_floats(count, seed):
    """Differences between floats and NumPy over hard limbs and the three curves."""
    limbs = mixture(count, seed)
    for given, curve in [(hard(limbs), "exponential"), *((limbs, curve) for curve in CURVES)]:
        batch = two_bone(**given, curve=curve, engine="numpy")
        yield differences_from_singles(batch, singles(given, count, curve=curve))


def compare_numba(count, seed):
    """Differences between NumPy and Numba over the same."""
    limbs = mixture(count, seed)
    for given, curve in [(hard(limbs), "exponential"), *((limbs, curve) for curve in CURVES)]:
        pair = [two_bone(**given, curve=curve, engine=name) for name in ("numpy", "numba")]
        yield differences(*pair)


def one_limb_targets(count, seed):
    """Targets for one limb of 150 and 125: everywhere, and at both bounds within some last places."""
    rng = np.random.default_rng(seed)
    angle = rng.uniform(-math.pi, math.pi, count)
    d = rng.uniform(0.0, 320.0, count)
    near = rng.random(count) < 0.3
    d[near] = rng.choice([25.0, 275.0], near.sum()) * (1.0 + rng.normal(0.0, 1e-15, near.sum()))
    return np.stack([3.0 + d * np.cos(angle), 4.0 + d * np.sin(angle)], axis=-1)


def test_floats_and_numpy_give_the_same_bits():
    """Joints, angles and everything else of mixed and singular limbs, hard and with each curve: 0 values differ."""
    assert list(compare_floats(2000, 1)) == [{}] * 4


@needs_numba
def test_numpy_and_numba_give_the_same_bits():
    """The same between the two engines of batches."""
    assert list(compare_numba(20_000, 2)) == [{}] * 4


@pytest.mark.parametrize("bend", [1, -1])
def test_one_limb_and_many_targets_give_the_same_bits(bend):
    """The short way for one plain limb: NumPy against single calls."""
    targets = one_limb_targets(4000, 3)
    batch = two_bone((3, 4), targets, A, B, bend=bend, engine="numpy")
    assert differences_from_singles(batch, [two_bone((3, 4), t, A, B, bend=bend) for t in targets.tolist()]) == {}


@needs_numba
@pytest.mark.parametrize("bend", [1, -1])
def test_one_limb_and_many_targets_give_the_same_bits_by_numba(bend):
    """The short way by Numba against NumPy, blocks and their remainders included; odd targets fall back together."""
    targets = one_limb_targets(30_001, 4)
    for root, given in (((3, 4), targets), ((0, 0), np.vstack([targets, [[0.0, 0.0], [1e-200, 0.0], [1e120, 0.0]]]))):
        pair = [two_bone(root, given, A, B, bend=bend, engine=name) for name in ("numpy", "numba")]
        assert differences(*pair) == {}


@pytest.mark.full
@needs_numba
def test_a_million_limbs_give_the_same_bits_by_numba():
    """NumPy against Numba on a million mixed limbs, hard and with each curve, and on a million targets of one."""
    assert list(compare_numba(1_000_000, 5)) == [{}] * 4
    pair = [two_bone((3, 4), one_limb_targets(1_000_000, 6), A, B, engine=name) for name in ("numpy", "numba")]
    assert differences(*pair) == {}


@pytest.mark.full
def test_a_million_limbs_give_the_same_bits_as_floats():
    """Floats against NumPy on a million: 400 000 targets of one limb, 150 000 mixed limbs four times."""
    targets = one_limb_targets(400_000, 7)
    batch = two_bone((3, 4), targets, A, B, engine="numpy")
    assert differences_from_singles(batch, [two_bone((3, 4), t, A, B) for t in targets.tolist()]) == {}
    assert list(compare_floats(150_000, 8)) == [{}] * 4


SHAPES = ((), (1,), (5,), (3, 1, 2), (0,))
ARGUMENTS = tuple(mixture(1, 0))
ENGINES = ("numpy", pytest.param("numba", marks=needs_numba))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_batch_is_the_stack_of_its_singles(shape, engine):
    """Any shape, carried by any one argument or by all: each element is the answer of its own call, to the bit."""
    count = math.prod(shape)
    limbs = mixture(max(count, 1), 9)
    first = {name: v[0] for name, v in limbs.items()}
    for names in (*((name,) for name in ARGUMENTS), ARGUMENTS):
        given = first | {n: limbs[n][:count].reshape(shape + limbs[n].shape[1:]) for n in names}
        batch = two_bone(**given, engine=engine)
        flat = {n: np.broadcast_to(v, (count, *v.shape[v.ndim - first[n].ndim :])) for n, v in first.items()}
        flat |= {n: limbs[n][:count] for n in names}
        assert batch.joints.shape == (*shape, 3, 2)
        assert batch.angles.shape == (*shape, 2) == batch.over.shape == batch.direction.shape
        assert batch.error.shape == shape == batch.reached.shape == batch.why.shape == batch.iterations.shape
        for name in FIELDS if count else ():
            value = getattr(batch, name).reshape((count, *getattr(batch, name).shape[len(shape) :]))
            assert differing(value, stacked(singles(flat, count), name)) == 0


@pytest.mark.parametrize("engine", ENGINES)
def test_batch_axes_broadcast(engine):
    """Targets (3, 1, 2), bones (4,), softness (2, 1, 1): the batch is (2, 3, 4), each element its own call."""
    targets = np.array([[[200.0, 0.0]], [[300.0, 5.0]], [[10.0, -20.0]]])
    bones, softness = np.array([150.0, 1.0, 0.0, 125.0]), np.array([[[0.0]], [[0.05]]])
    batch = two_bone((0, 0), targets, bones, B, softness=softness, engine=engine)
    assert batch.joints.shape == (2, 3, 4, 3, 2)
    for s, t, b in itertools.product(range(2), range(3), range(4)):
        one = two_bone((0, 0), targets[t, 0].tolist(), bones[b].item(), B, softness=softness[s, 0, 0].item())
        assert differing(batch.joints[s, t, b], one.joints) == 0
        assert differing(batch.angles[s, t, b], one.angles) == 0
        assert batch.why[s, t, b] == one.why


def test_lists_are_batches_too():
    """Nested lists give nested tuples with the bits of the array call."""
    targets = [[[200.0, 0.0], [300.0, 1.0]], [[0.0, 0.0], [-10.0, 3.0]]]
    plain, array = two_bone((0, 0), targets, A, [B, 60.0]), two_bone((0, 0), np.array(targets), A, [B, 60.0])
    assert plain.why[0][1] is Why.FAR
    assert isinstance(plain.joints[1][0][2], tuple)
    for name in FIELDS:
        assert differing(getattr(plain, name), getattr(array, name)) == 0


def test_the_other_functions_give_the_same_bits():
    """aim, fk, soften and gain: floats and NumPy agree on mixed and singular numbers."""
    limbs, count = mixture(1500, 12), 1500
    rows = {name: v.tolist() for name, v in limbs.items()}
    given = {name: limbs[name] for name in ("root", "target", "base", "fallback")}
    batch = aim(length=limbs["upper"], **given)
    ones = [aim(length=rows["upper"][i], **{name: rows[name][i] for name in given}) for i in range(count)]
    assert differences_from_singles(batch, ones) == {}
    turns = np.stack([limbs["base"], limbs["base"][::-1]], axis=-1)
    bones = np.stack([limbs["upper"], limbs["lower"]], axis=-1)
    joints = fk(limbs["root"], turns, bones, base=limbs["base"])
    each = zip(rows["root"], turns.tolist(), bones.tolist(), rows["base"], strict=True)
    assert differing(joints, [fk(r, t, b, base=base) for r, t, b, base in each]) == 0
    d, reach = abs(limbs["target"][:, 0]), limbs["upper"] + limbs["lower"]
    reach = np.where(reach > 1e150, 1e150, reach)
    for curve in CURVES:
        s, i, hole = limbs["softness"], limbs["inner_softness"], reach * 0.2
        many = soften(d, reach, s, curve=curve, dead_zone=hole, inner_softness=i)
        each = zip(*(v.tolist() for v in (d, reach, s, hole, i)), strict=True)
        one = [soften(x, L, s, curve=curve, dead_zone=h, inner_softness=i) for x, L, s, h, i in each]
        assert differing(many, one) == 0
        many = gain(d, limbs["upper"], limbs["lower"], softness=s, curve=curve)
        each = zip(*(v.tolist() for v in (d, limbs["upper"], limbs["lower"], s)), strict=True)
        assert differing(many, [gain(x, a, b, softness=s, curve=curve) for x, a, b, s in each]) == 0


@needs_numba
def test_every_mixture_of_arguments_shares_one_compiled_loop():
    """Numbers, arrays, strided and single ones: no mixture of them is compiled a second time."""
    targets, column = np.ones((10, 2)), np.full(10, 0.1)
    for given in ({}, {"softness": 0.1}, {"softness": column}, {"base": column, "max_stretch": 0.1}, {"upper": column}):
        for target in (targets, targets[::2, :] if not given else targets, targets[:1], targets[0]):
            limb = {"upper": 1.0, "lower": 1.5} | given
            assert two_bone((0, 0), target, **limb, engine="numba").angles.shape[-1] == 2
    assert [len(getattr(engines.lanes(), name).signatures) for name in ("full_loop", "plain_rows")] == [1, 1]


def test_a_batch_larger_than_a_block_is_cut_without_seams():
    """Batches longer than NumPy's block: elements around the cut equal single calls."""
    targets = one_limb_targets(33_000, 13)
    for softness in (0.0, 0.05):
        batch = two_bone((3, 4), targets, A, B, softness=softness, engine="numpy")
        for i in (0, 32_766, 32_767, 32_768, 32_769, 32_999):
            one = two_bone((3, 4), targets[i].tolist(), A, B, softness=softness)
            assert differing(batch.joints[i], one.joints) == 0
            assert differing(batch.angles[i], one.angles) == 0


@pytest.mark.parametrize("name", ["turbo", "nunpy", "", None])
@pytest.mark.parametrize("target", [(200, 0), [(200, 0)], np.array([[200.0, 0.0]])], ids=["plain", "list", "array"])
def test_an_unknown_engine_is_refused(name, target):
    """The three engines are named, whatever the kind of call."""
    with pytest.raises(InputError, match=rf'^engine: "{name}" is none of auto, numpy, numba'):
        two_bone((0, 0), target, A, B, engine=name)


def test_the_closest_engine_is_named():
    """A slip of the pen gets the name that was meant."""
    with pytest.raises(InputError, match=r'none of auto, numpy, numba \(did you mean "numpy"\?\)$'):
        two_bone((0, 0), np.zeros(2), A, B, engine="nunpy")


def test_without_numba_large_batches_take_numpy(monkeypatch):
    """Large batches take Numba only where it is installed; asking for it elsewhere says what to install."""
    monkeypatch.setattr(engines, "has_lanes", lambda: False)
    assert engines.choose("auto", 10**7) == "rows"
    with pytest.raises(InputError, match=r'"numba" is not installed \(pip install "elbowroom\[fast\]"'):
        engines.choose("numba", 10)
    monkeypatch.setattr(engines, "has_lanes", lambda: True)
    assert engines.choose("auto", 10**7) == "lanes"
    assert engines.choose("auto", 10) == "rows"
