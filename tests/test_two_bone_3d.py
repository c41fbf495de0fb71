"""Two bones in space: against 60 digits, against the plane, at every singular place, and the same on every engine."""

from __future__ import annotations

import math
import pickle
import subprocess
import sys

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elbowroom import InputError, Why, fk, two_bone
from elbowroom.kernel.engine import has_lanes
from elbowroom.kernel.solution import FIELDS
from elbowroom.kernel.swivel import swivel
from elbowroom.kernel.two_bone_3d import two_bone_3d

needs_numba = pytest.mark.skipif(not has_lanes(), reason='needs Numba: pip install "elbowroom[fast]"')
A, B = 150.0, 125.0
ALL = (*FIELDS, "side")
ODD = (0.0, 5e-324, 1e-310, 1e-150, 1e-61, 1e-41, 1e-20, 1.0, 25.0, 125.0, 150.0, 275.0, 1e39, 1e41, 1e61, 1e150)
AXES = [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, -1.0), (1.0, -1.0, 1.0)]
odd = st.sampled_from(ODD) | st.floats(-1e150, 1e150) | st.floats(-1.0, 1.0)
points = st.tuples(odd, odd, odd) | st.sampled_from([tuple(25.0 * x for x in axis) for axis in AXES])


def mixture(count, seed):
    """Arguments of `count` limbs: random, at their bounds to the last place, with poles off, near and on the line."""
    rng = np.random.default_rng(seed)
    way = rng.normal(size=(count, 3)) * (rng.random((count, 3)) < 0.8)
    size = np.linalg.norm(way, axis=1)[:, None]
    way = np.where(size > 0.0, way / np.where(size > 0.0, size, 1.0), (1.0, 0.0, 0.0))
    a = rng.choice([1.0, 10.0, A], count) * rng.uniform(0.5, 2.0, count)
    b = np.where(rng.random(count) < 0.3, a, a * rng.uniform(0.05, 2.0, count))
    bound = np.where(rng.random(count) < 0.5, a + b, abs(a - b))
    off = rng.choice([1.0, -1.0], count) * 10.0 ** rng.uniform(-16.0, 0.0, count)
    d = np.where(rng.random(count) < 0.5, bound * (1.0 + off), rng.uniform(0.0, 1.6, count) * (a + b))
    strange = rng.random(count) < 0.1
    a, b, d = (np.where(strange & (rng.random(count) < 0.7), rng.choice(ODD, count), v) for v in (a, b, d))
    root = np.where(rng.random(count) < 0.5, 0.0, rng.uniform(-30.0, 30.0, count))[:, None] * (1.0, -0.5, 0.3)
    beside = np.where(rng.random(count) < 0.3, rng.choice([0.0, 1e-12, 1e-10, 1e-8], count), 1.0)
    pole = root + way * rng.uniform(-500.0, 500.0, (count, 1)) + rng.normal(size=(count, 3)) * (100.0 * beside)[:, None]
    return root, root + way * d[:, None], a, b, pole


def settings(count, seed):
    """Every option in turn, for a batch."""
    rng = np.random.default_rng(seed)
    some = lambda high: np.where(rng.random(count) < 0.5, 0.0, rng.uniform(0.0, high, count))  # noqa: E731
    side = rng.normal(size=(count, 3)) * (rng.random(count) < 0.5)[:, None]
    return {"softness": some(0.3), "max_stretch": some(0.4), "side": side, "fallback": rng.normal(size=(count, 3))}


def differing(one, other, names=ALL):
    """The fields in which two solutions differ by a bit (the sign of zero aside)."""
    pairs = {name: [np.asarray(getattr(s, name), dtype=float) + 0.0 for s in (one, other)] for name in names}
    return [name for name, (x, y) in pairs.items() if x.shape != y.shape or x.tobytes() != y.tobytes()]


def exact_elbow(target, pole, a, b):
    """The elbow at 60 digits, root at the origin, target within reach."""
    with mpmath.workdps(60):
        t, p, a, b = mpmath.matrix(target), mpmath.matrix(pole), mpmath.mpf(a), mpmath.mpf(b)
        dd = (t.T * t)[0]
        across = p - t * ((p.T * t)[0] / dd)
        along = (dd + a * a - b * b) / (2 * dd)
        height = mpmath.sqrt(a * a - along * along * dd)
        return t * along + across * (height / mpmath.norm(across))


def test_elbow_against_60_digits():
    """The elbow is right to 2e-15 of the reach, also at 1e-12 of it from full reach and from full fold."""
    rng = np.random.default_rng(3)
    worst = 0.0
    for a, b in ((A, B), (20.0, 1.0), (80.0, 80.0)):
        for k in range(1, 13):
            for d in (a + b - 10.0**-k, abs(a - b) + 10.0**-k, rng.uniform(abs(a - b), a + b)):
                way, pole = rng.normal(size=3), rng.normal(size=3) * 100.0
                target = tuple((way * (d / np.linalg.norm(way))).tolist())
                exact = exact_elbow(target, tuple(pole.tolist()), a, b)
                if all(x.imag == 0 for x in exact):
                    found = two_bone_3d((0, 0, 0), target, a, b, tuple(pole.tolist())).joints[1]
                    worst = max(worst, *(abs(float(x - y)) / (a + b) for x, y in zip(exact, found, strict=True)))
    assert 0.0 < worst <= 2e-15


@pytest.mark.parametrize("options", [{}, {"softness": 0.1}, {"softness": 0.05, "max_stretch": 0.2}])
def test_equals_the_plane(options):
    """With everything in one plane it is the 2D answer, to 1e-15 of the reach, pole on either side, in any plane."""
    root, target, a, b, pole = mixture(9000, 5)
    way, d = (target - root)[:, :2], np.linalg.norm(target - root, axis=-1)
    size = np.linalg.norm(way, axis=-1)
    use = (np.minimum(a, b) > 1e-3) & (np.maximum(a, b) < 1e3) & (d < 1e6) & (d > 1e-3) & (size > 0.0)
    root, pole, a, b = root[use, :2], pole[use, :2], a[use], b[use]
    target = root + way[use] * (d[use] / size[use])[:, None]
    (dx, dy), (px, py) = (target - root).T, (pole - root).T
    side = np.where(dx * py - dy * px < 0.0, -1.0, 1.0)
    flat = two_bone(root, target, a, b, bend=side, **options)
    # softened from the inner bound on, the last place of d itself moves the elbow by half the digits, in 2D as here
    steep = (np.abs(d[use] - np.abs(a - b)) < 1e-3 * (a + b)) if options else np.zeros(len(a), dtype=bool)
    size = np.maximum(a + b, np.abs(root).max(axis=-1))
    for x, y in ((0, 1), (1, 2), (2, 0)):
        stand = np.zeros((3, len(root), 3))
        stand[:, :, x], stand[:, :, y] = (np.stack([root, target, pole])[..., i] for i in (0, 1))
        found = two_bone_3d(stand[0], stand[1], a, b, stand[2], **options)
        named = ((found.why & Why.DEGENERATE) == 0) & (np.abs(dx * py - dy * px) > 1e-12 * np.abs(dx * px + dy * py))
        named &= ~steep
        assert named.sum() > 4000
        assert (np.abs(found.joints[..., (x, y)] - flat.joints).max(axis=(-1, -2)) / size)[named].max() <= 1e-15
        assert not found.joints[named][..., 3 - x - y].any()
        assert (found.why == flat.why)[named].all()
        assert np.abs(np.abs(found.angles[named, 1]) - np.abs(flat.angles[named, 1])).max() <= (
            1e-14 if options else 1e-15
        )


def invariants(root, target, a, b, pole, found):
    """Bones keep their lengths, the end is where it says, the elbow lies in the half-plane of the pole."""
    reach = a + b
    upper, lower = np.diff(found.joints, axis=-2).transpose(1, 0, 2)
    size = np.maximum(reach, np.abs(root).max(axis=-1))
    assert (np.abs(np.linalg.norm(upper, axis=-1) - a) / size).max() <= 1e-13
    assert (np.abs(np.linalg.norm(lower, axis=-1) - b) / size).max() <= 1e-13
    d = np.linalg.norm(target - root, axis=-1)
    law = np.maximum(np.maximum(d - reach, np.abs(a - b) - d), 0.0)
    assert (np.abs(found.error - law) / np.maximum(d, size)).max() <= 1e-14
    assert (found.error[(law == 0.0) & found.reached] / reach[(law == 0.0) & found.reached]).max() <= 1e-13
    normal = np.cross(target - root, pole - root)
    distance = np.linalg.norm(normal, axis=-1) / np.where(d > 0.0, d, 1.0)
    named = (distance > 1e-3 * reach) & (d > 1e-3 * reach)
    out = (upper * normal).sum(-1)[named] / np.linalg.norm(normal, axis=-1)[named]
    assert (np.abs(out) / size[named]).max() <= 1e-12
    line = found.direction
    across = (upper * (pole - root)).sum(-1) - (upper * line).sum(-1) * ((pole - root) * line).sum(-1)
    assert (across[named] / (size * distance)[named]).min() >= -1e-12


@pytest.mark.parametrize("count", [20_000, pytest.param(1_000_000, marks=pytest.mark.full)])
def test_random_limbs(count):
    """Random limbs and poles: lengths, end and half-plane hold, and every number is finite."""
    rng = np.random.default_rng(7)
    root, way, pole = rng.normal(size=(3, count, 3))
    a, b = 10.0 ** rng.uniform(-1.5, 0.5, (2, count))
    target = root + way * ((a + b) * rng.uniform(0.0, 1.2, count))[:, None]
    found = two_bone_3d(root, target, a, b, 3.0 * pole)
    for name in ALL:
        assert np.isfinite(np.asarray(getattr(found, name), dtype=float)).all(), name
    invariants(root, target, a, b, 3.0 * pole, found)


@pytest.mark.parametrize("count", [20_000, pytest.param(1_000_000, marks=pytest.mark.full)])
def test_singular_limbs_are_finite(count):
    """No mixture of bounds, zeros, tiny and huge numbers makes a NaN or an infinity."""
    for start in range(0, count, 100_000):
        arguments = mixture(min(count, 100_000), start + 11)
        found = two_bone_3d(*arguments, **settings(len(arguments[0]), start))
        for name in ALL:
            assert np.isfinite(np.asarray(getattr(found, name), dtype=float)).all(), name


@given(points, points, odd.map(abs), odd.map(abs), points, points)
def test_any_numbers(root, target, a, b, pole, side):
    """Any numbers at all: finite, unit direction and side at right angles, degenerate places told."""
    found = two_bone_3d(root, target, a, b, pole, side=side)
    for name in ALL:
        assert np.isfinite(np.asarray(getattr(found, name), dtype=float)).all(), name
    assert abs(math.hypot(*found.direction) - 1.0) <= 1e-15
    assert abs(math.hypot(*found.side) - 1.0) <= 1e-15
    assert abs(np.dot(found.direction, found.side)) <= 1e-15
    if root == target:
        assert Why.DEGENERATE in found.why


@pytest.mark.parametrize("axis", AXES)
def test_target_on_the_pole_line(axis):
    """Pole on the line: the last side is used and nothing is degenerate; without one it is told, and stable."""
    target = tuple(200.0 * x / math.hypot(*axis) for x in axis)
    for pole in (target, (0.0, 0.0, 0.0), tuple(-3.0 * x for x in target), tuple(1e7 * x for x in target)):
        alone = two_bone_3d((0, 0, 0), target, A, B, pole)
        assert alone.why == Why.DEGENERATE
        assert alone.error <= 1e-13 * (A + B)
        assert abs(math.hypot(*alone.joints[1]) - A) <= 1e-13 * A
        near = two_bone_3d((0, 0, 0), tuple(x * (1.0 + 1e-13) for x in target), A, B, pole)
        assert math.dist(near.joints[1], alone.joints[1]) <= 1e-7
        last = (0.3, -0.5, 0.1)
        led = two_bone_3d((0, 0, 0), target, A, B, pole, side=last)
        assert led.why == 0
        assert np.dot(led.side, last) > 0.0
        assert abs(np.linalg.det([led.side, last, target])) <= 1e-12 * 200.0
        lost = two_bone_3d((0, 0, 0), target, A, B, pole, side=target)
        assert (lost.why, lost.joints) == (alone.why, alone.joints)


def test_side_is_used_within_a_billionth_of_the_reach():
    """A pole 0.9e-9 of the reach beside the line names no side, one at 1.1e-9 does."""
    reach = A + B
    for share, up in ((0.9e-9, -1.0), (1.1e-9, 1.0)):
        found = two_bone_3d((0, 0, 0), (200, 0, 0), A, B, (50.0, share * reach, 0.0), side=(0, -1, 0))
        assert found.side == (0.0, up, 0.0)
        assert found.why == 0
        told = two_bone_3d((0, 0, 0), (200, 0, 0), A, B, (50.0, share * reach, 0.0)).why
        assert told == (Why.DEGENERATE if up < 0.0 else 0)


def test_target_and_pole_on_the_root():
    """Target on the root: it folds along the fallback; with equal bones the hand is home, and it is told."""
    found = two_bone_3d((1, 2, 3), (1, 2, 3), 4.0, 4.0, (1, 9, 3), fallback=(0, 0, 2))
    assert found.joints == ((1, 2, 3), (1, 6, 3), (1, 2, 3))
    assert (found.why, found.direction, found.side) == (Why.DEGENERATE, (0, 0, 1), (0, 1, 0))
    longer = two_bone_3d((1, 2, 3), (1, 2, 3), 5.0, 4.0, (1, 9, 3), fallback=(0, 0, 2))
    assert longer.joints == ((1, 2, 3), (1, 2, 8), (1, 2, 4))
    assert longer.why == Why.DEGENERATE | Why.NEAR
    assert longer.error == 1.0
    nowhere = two_bone_3d((0, 0, 0), (0, 0, 0), 4.0, 4.0, (0, 0, 0))
    assert nowhere.why == Why.DEGENERATE
    assert nowhere.joints[1] == (0.0, 4.0, 0.0)


def test_passing_the_pole_line_with_the_last_side():
    """A target that crosses the pole's line keeps its elbow's side, frame after frame, if `side` is handed on."""
    side, elbow, worst = None, None, 0.0
    for i in range(-50, 51):
        found = two_bone_3d((0, 0, 0), (0.0, 200.0, 1e-12 * i * i * i), A, B, (0, 300, 0), side=side)
        worst = max(worst, 0.0 if elbow is None else math.dist(found.joints[1], elbow))
        side, elbow = found.side, found.joints[1]
    assert worst <= 1e-3


def test_angles_in_the_limbs_plane():
    """`angles` walked by fk, with `direction` as x and `side` as y, are the joints."""
    root, target, a, b, pole = mixture(3000, 21)
    use = (a > 1e-3) & (b > 1e-3) & (a < 1e3) & (b < 1e3) & (np.abs(target) < 1e6).all(-1)
    root, target, a, b, pole = root[use], target[use], a[use], b[use], pole[use]
    found = two_bone_3d(root, target, a, b, pole, softness=0.03)
    flat = fk((0.0, 0.0), found.angles, np.stack([a, b], axis=-1))
    there = root[:, None] + flat[..., :1] * found.direction[:, None] + flat[..., 1:] * found.side[:, None]
    size = np.maximum(a + b, np.abs(root).max(axis=-1))
    assert (np.abs(there - found.joints).max(axis=(-1, -2)) / size).max() <= 2e-15
    assert (found.angles[:, 0] >= 0.0).all()


def test_softness_and_stretch_are_those_of_the_plane():
    """Same flags, error and scale as in 2D for distances in, at and out of reach."""
    for d in (10.0, 25.0, 100.0, 262.0, 275.0, 280.0, 400.0, 1e9):
        for options in ({"softness": 0.1}, {"softness": 0.1, "curve": "cubic"}, {"max_stretch": 0.1}):
            flat = two_bone((0, 0), (d, 0), A, B, **options)
            found = two_bone_3d((0, 0, 0), (0, 0, d), A, B, (0, 50, 0), **options)
            assert (found.why, found.reached) == (flat.why, flat.reached)
            assert found.error == pytest.approx(flat.error, abs=1e-13, rel=1e-15)
            assert found.stretch == pytest.approx(flat.stretch, rel=1e-15)


def test_batch_equals_singles():
    """Floats and NumPy agree to the bit in every field, for every option."""
    arguments, options = mixture(1500, 31), settings(1500, 32)
    for chosen in ({}, options):
        batch = two_bone_3d(*arguments, **chosen, engine="numpy")
        lists = [v.tolist() for v in arguments]
        single = two_bone_3d(*lists, **{name: v.tolist() for name, v in chosen.items()})
        assert differing(batch, single) == []
        one = two_bone_3d(*(v[7] for v in lists), **{name: v[7].tolist() for name, v in chosen.items()})
        assert isinstance(one.joints[1], tuple)
        assert one.joints == tuple(map(tuple, batch.joints[7].tolist()))


@needs_numba
@pytest.mark.parametrize("given", [{}, {"softness": 0.05}, {"max_stretch": 0.2}, settings(4000, 42)])
def test_numba_equals_numpy(given):
    """Numba and NumPy agree to the bit in every field."""
    arguments = mixture(4000, 41)
    answers = [two_bone_3d(*arguments, **given, engine=engine) for engine in ("numpy", "numba")]
    assert differing(*answers) == []


@needs_numba
def test_numba_equals_numpy_for_one_limb():
    """One limb and many targets takes a loop of its own: the same bits, also where a pole names no side."""
    rng = np.random.default_rng(8)
    target, pole = rng.normal(size=(2, 3000, 3)) * 100.0
    root, last = np.array([1.0, 2.0, 3.0]), np.vstack([target[:-1] * 2.0 - (1.0, 2.0, 3.0), target[-1:]])
    for poles in (pole, pole[0], pole[0].tolist(), last):
        for start in (root, (1.0, 2.0, 3.0)):
            answers = [two_bone_3d(start, target, A, B, poles, engine=engine) for engine in ("numpy", "numba")]
            assert differing(*answers) == []


def test_broadcasting():
    """Batch axes broadcast as in NumPy, for arrays and for lists."""
    target = np.arange(12.0).reshape(4, 3)
    found = two_bone_3d((0, 0, 0), target[:, None], np.array([5.0, 6.0]), 7.0, (1.0, 30.0, 2.0))
    assert found.joints.shape == (4, 2, 3, 3)
    assert (found.angles.shape, found.side.shape, found.direction.shape) == ((4, 2, 2), (4, 2, 3), (4, 2, 3))
    assert (found.error.shape, found.why.shape, found.over.shape) == ((4, 2), (4, 2), (4, 2, 2))
    lists = two_bone_3d((0, 0, 0), target[:, None].tolist(), [5.0, 6.0], 7, (1, 30, 2))
    assert differing(found, lists) == []
    assert two_bone_3d(np.zeros((0, 3)), (1, 2, 3), 1, 1, (0, 1, 0)).joints.shape == (0, 3, 3)


def test_plain_numbers_load_nothing_heavy():
    """A single call on plain numbers loads no NumPy, and gives plain numbers."""
    code = (
        "import sys; from elbowroom.kernel.two_bone_3d import two_bone_3d; from elbowroom.kernel.swivel import swivel;"
        "s = two_bone_3d((0, 0, 0), (0, 0, 8), 5, 5, (0, 9, 0), softness=0.1); s.angles, s.side, s.direction;"
        "swivel((0, 0, 0), (0, 0, 8), s.joints[1], (1, 0, 0)); print('numpy' in sys.modules, type(s.joints[1][0]))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.strip() == "False <class 'float'>"


def test_replaced_and_pickled():
    """`replace` and pickle keep the side with the rest."""
    found = two_bone_3d((0, 0, 0), (1, 2, 3), 2, 3, (9, 0, 0))
    for copy in (pickle.loads(pickle.dumps(found)), found.replace(iterations=0)):
        assert all(getattr(copy, name) == getattr(found, name) for name in ALL)
        assert "Solution3D(error=0.0" in repr(copy)
    with pytest.raises(AttributeError, match="has no 'pole'"):
        found.pole  # noqa: B018


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"target": (1, 2)}, r"target: shape \(2,\) does not fit \(give x, y, z"),
        ({"pole": (1, 2, math.nan)}, r"pole\[2\]: nan is not a finite number"),
        ({"fallback": [(1, 0, 0), (0, 0, 0)]}, r"fallback\[1\]: \(0, 0, 0\) has no direction"),
        ({"fallback": np.zeros(3)}, r"fallback: \(0, 0, 0\) has no direction"),
        ({"upper": -1.0}, "upper: -1 is out of range"),
        ({"curve": "cubik"}, 'did you mean "cubic"'),
        ({"engine": "numbo"}, 'did you mean "numba"'),
        ({"side": (1e151, 0, 0)}, "too large"),
    ],
)
def test_refused_arguments(changed, said):
    """What cannot be solved is refused by name, place and what would be right."""
    given = {"root": (0, 0, 0), "target": (1, 2, 3), "upper": 2, "lower": 2, "pole": (0, 5, 0)} | changed
    with pytest.raises(InputError, match=said):
        two_bone_3d(**given)


def test_swivel_follows_the_pole():
    """A pole turned around the line turns the swivel angle by as much, with its sign, in any direction of the line."""
    rng = np.random.default_rng(2)
    for _ in range(200):
        x, y, z = np.linalg.qr(rng.normal(size=(3, 3)))[0].T
        z = np.cross(x, y)
        root, turn = rng.normal(size=3), rng.uniform(-3.1, 3.1)
        pole = root + x * 3.0 + (y * math.cos(turn) + z * math.sin(turn)) * 50.0
        elbow = two_bone_3d(root, root + 7.0 * x, 5.0, 4.0, pole).joints[1]
        assert swivel(root, root + 7.0 * x, elbow, y + 0.7 * x) == pytest.approx(turn, abs=1e-13)


def test_swivel_has_the_same_bits_and_no_angle_where_there_is_none():
    """Lists and arrays agree; the elbow on the line, the target on the root and a reference along it give 0."""
    root, target, _, _, pole = mixture(2000, 9)
    batch = swivel(root, target, pole, (0.0, -1.0, 0.0))
    single = swivel(root.tolist(), target.tolist(), pole.tolist(), (0, -1, 0))
    assert np.isfinite(batch).all()
    assert batch.tolist() == list(single)
    for arguments in (
        ((0, 0, 0), (0, 0, 0), (0, 1, 0), (1, 0, 0)),
        ((0, 0, 0), (4, 0, 0), (1, 0, 0), (0, 1, 0)),
        ((0, 0, 0), (4, 0, 0), (0, 1, 0), (1, 0, 0)),
    ):
        assert swivel(*arguments) == 0.0
    with pytest.raises(InputError, match="reference"):
        swivel((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 0))
