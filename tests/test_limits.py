"""Joint limits: the nearest point that the limited limb reaches, on its side, and what is said about it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from cases import rigs
from cases.nearest import least_error, pieces

import elbowroom as er
from elbowroom.kernel.engine import has_lanes

LIMIT, PI = int(er.Why.LIMIT), math.pi
ARM = ((math.radians(-60), PI), (math.radians(-150), 0.0))
FIELDS = ("joints", "angles", "error", "reached", "why", "over", "stretch", "direction")


def around(rng, width, centre=180.0):
    """A random range [rad] of a random width up to `width` degrees."""
    middle, half = rng.uniform(-centre, centre), 0.5 * rng.uniform(0.0, width)
    return math.radians(middle - half), math.radians(middle + half)


def degrees(*pair):
    """Degrees as a tuple of radians."""
    return tuple(math.radians(x) for x in pair)


ELBOWS = {
    "any": lambda rng: around(rng, 400.0, 250.0),
    "across 180 degrees": lambda rng: degrees(180.0 - rng.uniform(0, 170), 180.0 + rng.uniform(0, 170)),
    "across -180 degrees": lambda rng: degrees(-180.0 - rng.uniform(0, 170), -180.0 + rng.uniform(0, 170)),
    "one side": lambda rng: (0.0, math.radians(rng.uniform(5, 180))) if rng.random() < 0.5 else (-PI, 0.0),
    "positive minimum": lambda rng: degrees(rng.uniform(0.1, 60), rng.uniform(60, 180)),
    "negative maximum": lambda rng: degrees(-rng.uniform(60, 180), -rng.uniform(0.1, 60)),
    "equal ends": lambda rng: (2 * degrees(rng.choice([0.0, 180.0, rng.uniform(-180, 180)])))[:2],
    "full circle": lambda rng: degrees(-180.0, 180.0),
    "both sides": lambda rng: degrees(-rng.uniform(1, 179), rng.uniform(1, 179)),
}


def random_limb(rng, kind):
    """A target, two lengths, limits and a bend."""
    a, b = rng.uniform(20.0, 200.0, 2)
    b = a if rng.random() < 0.15 else b
    upper = around(rng, 360.0) if rng.random() < 0.85 else (-PI, PI)
    upper = (upper[0], upper[0]) if rng.random() < 0.1 else upper
    d, turn = rng.uniform(0.0, 1.4) * (a + b), rng.uniform(-PI, PI)
    target = (float(d * math.cos(turn)), float(d * math.sin(turn)))
    return target, (float(a), float(b)), (upper, ELBOWS[kind](rng)), int(rng.integers(-1, 2))


def compare_with_brute_force(kind, count, seed):
    """Nearest to 1e-12 of reach; both angles within their range, the lower one on the side."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        target, lengths, limits, bend = random_limb(rng, kind)
        answer, told = er.two_bone((0.0, 0.0), target, *lengths, bend=bend, limits=limits), (target, lengths, limits)
        least = least_error(target, lengths, limits, bend)
        assert answer.error - least <= 1e-12 * sum(lengths), (*told, bend)
        for angle, (low, high) in zip(answer.angles, limits, strict=True):
            assert low - 1e-12 <= angle <= high + 1e-12, (*told, bend)
        turn = 2.0 * PI * np.round((answer.angles[1] - np.mean(limits[1])) / (2.0 * PI))
        on_side = pieces(*limits[1], bend)
        shifted = [answer.angles[1] - turn + k * 2.0 * PI for k in (-1, 0, 1)]
        assert any(low - 1e-12 <= x <= high + 1e-12 for low, high in on_side for x in shifted), (*told, bend)
        walked = np.array(er.fk((0.0, 0.0), answer.angles, lengths))
        assert np.abs(walked - answer.joints).max() <= 2e-15 * sum(lengths), (*told, bend)


@pytest.mark.parametrize("kind", ELBOWS)
def test_nearest_of_all_poses(kind):
    """No pose within the limits on that side is nearer by more than 1e-12 of reach, and the angles are within."""
    compare_with_brute_force(kind, 16, 5)


@pytest.mark.full
@pytest.mark.parametrize("kind", ELBOWS)
def test_nearest_of_all_poses_many(kind):
    """The same for ten thousand limbs."""
    compare_with_brute_force(kind, 1112, 6)


def random_batch(rng, count):
    """Arguments of two_bone of many limbs of every kind, ordinary and odd ones."""
    kinds = list(ELBOWS)
    limbs = [random_limb(rng, kinds[i % len(kinds)]) for i in range(count)]
    target, lengths, limits, bend = (np.array(column, dtype=float) for column in zip(*limbs, strict=True))
    size = np.where(rng.random(count) < 0.1, 10.0 ** rng.uniform(-140, 140, count), 1.0)
    target[rng.random(count) < 0.03] = 0.0
    lengths[rng.random(count) < 0.03, 1] = 0.0
    some = rng.random((4, count)) < 0.2
    return {
        "root": np.where(rng.random(count) < 0.5, 0.0, 3.5)[:, np.newaxis] * size[:, np.newaxis] * [1.0, -2.0],
        "target": target * size[:, np.newaxis], "upper": lengths[:, 0] * size, "lower": lengths[:, 1] * size,
        "bend": bend, "limits": limits, "softness": some[0] * 0.08, "inner_softness": some[1] * 0.05,
        "max_stretch": some[2] * 0.12, "base": some[3] * rng.uniform(-4.0, 4.0, count),
    }  # fmt: skip


def single(values, i):
    """Element i of a batch as plain numbers, solved by itself."""
    picked = {name: value[i].tolist() for name, value in values.items()}
    return er.two_bone(picked.pop("root"), picked.pop("target"), picked.pop("upper"), picked.pop("lower"), **picked)


def compare_engines(count, seed):
    """Every field of every element."""
    values = random_batch(np.random.default_rng(seed), count)
    batches = [er.two_bone(**values, engine=engine) for engine in ("numpy", "numba")[: 1 + has_lanes()]]
    singles = [single(values, i) for i in range(count)]
    for name in FIELDS:
        wanted = np.array([getattr(one, name) for one in singles])
        for batch in batches:
            assert np.array_equal(getattr(batch, name), wanted), name


def test_same_bits_on_every_engine():
    """Floats, NumPy and Numba give the same bits for limited limbs of every kind."""
    compare_engines(1500, 7)


@pytest.mark.full
def test_same_bits_on_every_engine_many():
    """The same for a hundred thousand."""
    compare_engines(100_000, 8)


@pytest.mark.parametrize("shape", [(), (1,), (5,), (3, 1, 2), (0,)])
def test_a_batch_equals_its_elements(shape):
    """A batch of any shape has the bits of its elements, each solved by itself."""
    rng = np.random.default_rng(9)
    target = rng.uniform(-320.0, 320.0, (*shape, 2))
    low, width = rng.uniform(-3.0, 0.0, (*shape, 2)), rng.uniform(0.0, 3.0, (*shape, 2))
    limits = np.stack([low, low + width], axis=-1)
    batch = er.two_bone((1.0, 2.0), target, 150.0, 125.0, limits=limits)
    assert batch.joints.shape == (*shape, 3, 2)
    assert batch.over.shape == batch.angles.shape == (*shape, 2)
    for place in np.ndindex(shape):
        one = er.two_bone((1.0, 2.0), target[place].tolist(), 150.0, 125.0, limits=limits[place].tolist())
        for name in FIELDS:
            assert np.array_equal(getattr(batch, name)[place], getattr(one, name)), name


def test_one_limit_for_a_batch_and_lists():
    """Limits shared by a batch are those of every element; lists of numbers give tuples with the same bits."""
    targets = [[200.0, 30.0], [-90.0, 10.0], [400.0, -5.0]]
    rows = er.two_bone((0, 0), np.array(targets), 150.0, 125.0, limits=np.array(ARM))
    lists = er.two_bone((0, 0), targets, 150.0, 125.0, limits=[list(pair) for pair in ARM])
    assert isinstance(lists.joints, tuple)
    for name in FIELDS:
        assert np.array_equal(getattr(rows, name), np.array(getattr(lists, name))), name


def one_pixel_walk(count, seed):
    """Targets (count, 2), each one unit from the one before, that wander in and around a reach of 275."""
    turn = np.cumsum(np.random.default_rng(seed).normal(0.0, 0.25, count))
    steps = np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    wide = np.cumsum(steps, axis=0)
    return np.abs((wide + 350.0) % 1400.0 - 700.0) - 350.0  # folded back at a square of 700


@pytest.mark.parametrize(("bend", "elbow"), [(1, (-120, 120)), (-1, (-120, 120)), (1, (-200, 30)), (-1, (-30, 200))])
def test_walk_keeps_the_side(bend, elbow):
    """A target that walks a million steps never turns the elbow over while that side is open."""
    limits = (degrees(-60, 60), degrees(*elbow))
    walk = one_pixel_walk(250_000, 10)
    assert np.linalg.norm(np.diff(walk, axis=0), axis=-1).max() < 1.0 + 1e-9
    answer = er.two_bone((0.0, 0.0), walk, 150.0, 125.0, bend=bend, limits=limits, engine="numpy")
    across = np.sin(answer.angles[:, 1]) * bend
    assert across.max() <= 1e-15
    assert 0.2 < np.mean((answer.why & LIMIT) > 0) < 0.99


def test_walk_with_that_side_shut():
    """Where limits leave nothing of the side they win, and LIMIT says so in every frame."""
    answer = er.two_bone((0.0, 0.0), one_pixel_walk(250_000, 11), 150.0, 125.0, bend=1, limits=((-1, 1), (0.2, 2.4)))
    assert (answer.angles[:, 1] >= 0.2).all()
    assert ((answer.why & LIMIT) > 0).all()


def test_a_side_with_nothing_but_the_fold_is_shut():
    """A range that ends at the fold gives the other side no more than the fold: that side counts as shut."""
    told = ((1, (10, 180), 120), (-1, (-180, -10), -120), (1, (100, 180), 120), (1, (180, 180), 180))
    for bend, elbow, lower in told:
        answer = er.two_bone((0.0, 0.0), (50.0, 0.0), 50.0, 50.0, bend=bend, limits=((-PI, PI), degrees(*elbow)))
        assert math.degrees(answer.angles[1]) == pytest.approx(lower, abs=1e-9)
        assert answer.why == er.Why.LIMIT
    straight = er.two_bone((0.0, 0.0), (50.0, 0.0), 50.0, 50.0, bend=1, limits=((-PI, PI), degrees(0, 150)))
    assert straight.angles[1] == 0.0


def test_walk_with_either_side():
    """bend=0 changes sides, which the lower angle tells; it is never farther than the nearer of the two bends."""
    walk, limits = one_pixel_walk(250_000, 12), (degrees(-60, 60), degrees(-120, 120))
    either, left, right = (
        er.two_bone((0.0, 0.0), walk, 150.0, 125.0, bend=b, limits=limits, engine="numpy") for b in (0, 1, -1)
    )
    assert (np.diff(np.sign(either.angles[:, 1])) != 0.0).any()
    assert np.abs(either.error - np.minimum(left.error, right.error)).max() <= 1e-12 * 275.0
    same = left.error <= right.error - 1e-9
    assert np.array_equal(either.joints[same], left.joints[same])
    fits = (left.why & LIMIT) == 0
    assert np.array_equal(either.joints[fits], left.joints[fits])
    assert ((either.why & LIMIT) > 0)[~fits & ((right.why & LIMIT) > 0)].all()


def signed_excess(angle, low, high):
    """How far angles lie outside a range, from the definition: the nearer end, modulo a turn."""
    turns = 2.0 * PI * np.arange(-4, 5)
    every = angle[..., np.newaxis] + turns
    off = np.where(every > high, every - high, np.where(every < low, every - low, 0.0))
    return np.take_along_axis(off, np.abs(off).argmin(axis=-1)[..., np.newaxis], axis=-1)[..., 0]


@pytest.mark.parametrize("bend", [1, -1])
def test_over_and_limit(bend):
    """`over` is the signed excess of the unlimited answer, 0 inside; LIMIT is set exactly where the answer moved."""
    rng = np.random.default_rng(13)
    target = rng.uniform(-320.0, 320.0, (20_000, 2))
    limits = (degrees(-170, 95), degrees(-150, 40) if bend > 0 else degrees(-40, 150))
    free = er.two_bone((0.0, 0.0), target, 150.0, 125.0, bend=bend)
    kept = er.two_bone((0.0, 0.0), target, 150.0, 125.0, bend=bend, limits=limits)
    for i in (0, 1):
        assert kept.over[:, i] == pytest.approx(signed_excess(free.angles[:, i], *limits[i]), abs=1e-12)
    moved = (kept.joints != free.joints).any(axis=(-1, -2))
    assert np.array_equal((kept.why & LIMIT) > 0, moved)
    assert np.array_equal(np.any(kept.over != 0.0, axis=-1), moved)
    assert (kept.over > 0.0).any()
    assert (kept.over < 0.0).any()
    for name in FIELDS:
        assert np.array_equal(getattr(kept, name)[~moved], getattr(free, name)[~moved]), name


def test_representative_inside_the_range():
    """A range anywhere on the circle gives the angle that lies in it: the same pose, whole turns apart."""
    plain = er.two_bone((0.0, 0.0), (120.0, 90.0), 150.0, 125.0)
    for turns in (-3, -1, 1, 2):
        near = [(angle - 0.3 + 2 * PI * turns, angle + 0.2 + 2 * PI * turns) for angle in plain.angles]
        kept = er.two_bone((0.0, 0.0), (120.0, 90.0), 150.0, 125.0, limits=near)
        assert kept.joints == plain.joints
        assert kept.why == plain.why
        assert kept.angles == pytest.approx([angle + 2 * PI * turns for angle in plain.angles], abs=1e-14)


def test_base_turns_the_upper_range():
    """Limits of the upper bone are measured from `base`, and so is its angle."""
    one = er.two_bone((0.0, 0.0), (200.0, 40.0), 150.0, 125.0, limits=((-0.4, 0.4), (-2.0, 0.0)))
    other = er.two_bone((0.0, 0.0), (200.0, 40.0), 150.0, 125.0, limits=((-1.4, -0.6), (-2.0, 0.0)), base=1.0)
    assert other.angles == pytest.approx((one.angles[0] - 1.0, one.angles[1]), abs=1e-14)
    assert other.joints[2] == pytest.approx(one.joints[2], abs=1e-12)
    assert one.why == other.why == er.Why.LIMIT


def test_stretch_takes_the_least_that_reaches():
    """Of the scales that bring the limited limb to its target the one nearest 1, else no worse than either end."""
    rng = np.random.default_rng(14)
    told = {True: 0, False: 0}
    for _ in range(150):
        target, (a, b), limits, bend = random_limb(rng, "both sides")
        most = float(rng.uniform(0.02, 0.4))
        options = {"bend": bend, "limits": limits}
        found = er.two_bone((0.0, 0.0), target, a, b, **options, max_stretch=most)
        plain = er.two_bone((0.0, 0.0), target, a, b, **options)
        scales = np.append(np.linspace(1.0 - most, 1.0 + most, 801), 1.0)
        errors = er.two_bone((0.0, 0.0), np.array(target) / scales[:, np.newaxis], a, b, **options).error * scales
        hits = errors <= 1e-10 * (a + b)
        assert found.error <= plain.error + 1e-12 * (a + b)
        told[bool(hits.any())] += 1
        if hits.any():
            assert found.error <= 2e-9 * (a + b)
            assert abs(found.stretch - 1.0) <= np.abs(scales[hits] - 1.0).min() + 1e-9
        else:
            assert found.error <= min(errors[0], errors[-2]) + 1e-9 * (a + b)
        assert (found.stretch != 1.0) == bool(found.why & er.Why.STRETCH)
        assert 1.0 - most - 1e-15 <= found.stretch <= 1.0 + most + 1e-15
        scaled = [length * found.stretch for length in (a, b)]
        assert np.abs(np.array(er.fk((0.0, 0.0), found.angles, scaled)) - found.joints).max() <= 1e-14 * (a + b)
    assert min(told.values()) > 15


def test_softness_softens_the_target_first():
    """A limited soft limb is nearest to the softened target; its error is to the asked one."""
    rng = np.random.default_rng(15)
    turn, d = rng.uniform(-PI, PI, 4000), rng.uniform(240.0, 330.0, 4000)
    target, limits = np.stack([d * np.cos(turn), d * np.sin(turn)], axis=-1), (degrees(-60, 60), degrees(-150, -30))
    soft = er.two_bone((0.0, 0.0), target, 150.0, 125.0, softness=0.08, limits=limits)
    free = er.two_bone((0.0, 0.0), target, 150.0, 125.0, softness=0.08)
    hard = er.two_bone((0.0, 0.0), free.joints[:, 2], 150.0, 125.0, limits=limits)
    bound = (soft.why & LIMIT) > 0
    assert 0.2 < bound.mean() < 1.0
    assert soft.joints[bound] == pytest.approx(hard.joints[bound], abs=1e-9)
    assert np.array_equal(soft.joints[~bound], free.joints[~bound])
    assert soft.error == pytest.approx(np.linalg.norm(soft.joints[:, 2] - target, axis=-1), abs=1e-12)
    assert ((soft.why & int(er.Why.SOFT)) > 0).all(where=d > 275.0 - 0.08 * 275.0 + 1e-9)


def test_aim_turns_to_the_nearest_allowed_direction():
    """One limited bone looks as near to its target as its range lets it, by an angle within the range."""
    rng = np.random.default_rng(16)
    for _ in range(300):
        low, base = rng.uniform(-7.0, 7.0), rng.uniform(-3.0, 3.0)
        high, target = low + rng.choice([0.0, rng.uniform(0.0, 6.2)]), rng.uniform(-50.0, 50.0, 2)
        answer = er.aim((0.0, 0.0), target.tolist(), 30.0, limits=((low, high),), base=base)
        wanted = math.atan2(target[1], target[0]) - base
        excess = float(signed_excess(np.array(wanted), low, high))
        assert answer.over[0] == pytest.approx(excess, abs=1e-12)
        assert low - 1e-12 <= answer.angles[0] <= high + 1e-12
        looks = math.atan2(*(answer.joints[1][i] for i in (1, 0))) - base
        assert abs(math.remainder(looks - answer.angles[0], 2.0 * PI)) < 1e-12
        assert abs(math.remainder(looks - (wanted - excess), 2.0 * PI)) < 1e-12
        assert bool(answer.why & er.Why.LIMIT) == (excess != 0.0)
        assert answer.error == pytest.approx(math.dist(answer.joints[1], target), abs=1e-12)


def test_aim_has_the_same_bits_in_batches():
    """Limited aims in a batch are those of each by itself."""
    rng = np.random.default_rng(17)
    target, low = rng.uniform(-50.0, 50.0, (400, 2)), rng.uniform(-3.0, 3.0, 400)
    limits = np.stack([low, low + rng.uniform(0.0, 7.0, 400)], axis=-1)[:, np.newaxis]
    batch = er.aim((0.0, 0.0), target, 30.0, limits=limits)
    pairs = zip(target.tolist(), limits.tolist(), strict=True)
    singles = [er.aim((0.0, 0.0), point, 30.0, limits=pair) for point, pair in pairs]
    for name in FIELDS:
        assert np.array_equal(getattr(batch, name), [getattr(one, name) for one in singles]), name


RIGS = {
    "straight": ({}, {}, {}),
    "child off its parent's axis": ({}, {}, {"x": 30.0, "y": 25.0}),
    "mirrored parent": ({"scale_x": -1.0, "rotation_deg": 20.0}, {}, {}),
    "mirrored root bone": ({}, {"scale_y": -1.0}, {"x": 40.0, "y": -12.0}),
    "both mirrored, scaled, turned": (
        {"scale_x": -2.0, "scale_y": 2.0, "rotation_deg": -70.0},
        {"scale_x": -1.0, "rotation_deg": 33.0},
        {"y": 9.0, "rotation_deg": 12.0},
    ),
}


def limited_rig(folder, body, upper, lower, **more):
    """A body, an arm of 60 and 50, limits of each bone's own rotation."""
    limb_bones = rigs.bones("arm", (60.0, 50.0))
    limb_bones[0] |= upper
    limb_bones[1] |= lower
    reach_for = rigs.constraint("arm", (0.0, 0.0), limits_deg=[[-70, 35], [-100, 80]], **more)
    return rigs.load(folder, limb_bones, [reach_for], body=body)


def nearest_by_zooming(rig, target, folds=14):
    """The least distance of the tip to the target over both own rotations, by ever finer grids round the best."""
    low, high = np.radians([-70.0, -100.0]), np.radians([35.0, 80.0])
    names = [rig.skeleton.index(f"arm-{part}") for part in ("upper", "lower")]
    best, n = (math.inf, low), 101
    for fold in range(folds):
        half = (high - low) / 2.0 * 0.2**fold
        centre = best[1] if fold else (low + high) / 2.0
        axes = np.clip(np.linspace(centre - half, centre + half, n), low, high).T
        turns, n = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2), 25
        rotation = np.tile(rig.skeleton.rest["rotation"], (len(turns), 1))
        rotation[:, names] = turns
        errors = np.linalg.norm(rigs.tips(rig, er.Pose(rig.skeleton, rotation=rotation), "arm") - target, axis=-1)
        best = min(best, (float(errors.min()), turns[errors.argmin()]), key=lambda pair: pair[0])
    return best[0]


@pytest.mark.parametrize("name", RIGS)
def test_limits_bound_each_bones_own_rotation(name, tmp_path):
    """In a rig limits hold for the bones' own rotations, whatever the limb hangs on, and the nearest pose is found."""
    rig, rng = limited_rig(tmp_path, *RIGS[name], bend=0), np.random.default_rng(18)
    bound = 0
    for target in rng.uniform(-130.0, 130.0, (12, 2)):
        targets = {"arm": er.Target(target)}
        pose, solutions = er.solve(rig, rig.skeleton.rest_pose(), targets)
        own = np.degrees(rigs.rotations(rig, pose, "arm"))
        for angle, (low, high) in zip(own, ((-70, 35), (-100, 80)), strict=True):
            assert low - 1e-9 <= angle <= high + 1e-9
        missed = float(np.linalg.norm(rigs.tips(rig, pose, "arm") - target))
        assert missed == pytest.approx(float(solutions["arm"].error), abs=1e-9)
        assert missed <= nearest_by_zooming(rig, target) + 1e-6
        bound += bool(int(solutions["arm"].why) & LIMIT)
    assert bound > 0


@pytest.mark.parametrize("bend", [1, -1])
def test_a_mirrored_parent_mirrors_the_limited_pose(bend, tmp_path):
    """Under a mirrored parent the mirrored target gives the mirrored pose, and the same limit binds."""
    lower = {"x": 40.0, "y": -12.0}
    one = limited_rig(tmp_path, {}, {}, lower, bend=bend)
    other = limited_rig(tmp_path, {"scale_x": -1.0}, {}, lower, bend=bend)
    for x, y in np.random.default_rng(19).uniform(-130.0, 130.0, (12, 2)):
        (a, of_a), (b, of_b) = (er.solve(r, r.skeleton.rest_pose(), {"arm": er.Target((s * x, y))})
                                for r, s in ((one, 1.0), (other, -1.0)))  # fmt: skip
        assert b.rotation == pytest.approx(a.rotation, abs=1e-12)
        assert rigs.tips(other, b, "arm") == pytest.approx(rigs.tips(one, a, "arm") * [-1.0, 1.0], abs=1e-9)
        assert int(of_a["arm"].why) == int(of_b["arm"].why)
        assert np.asarray(of_b["arm"].over) == pytest.approx(np.asarray(of_a["arm"].over), abs=1e-12)


BROKEN = [
    (((0.0, 1.0), (0.5, -0.5)), r"limits\[1\]: low 0\.5 is above high -0\.5 \(write low first, then high\)"),
    (((0.0, 1.0),), r"limits: shape \(1, 2\) does not fit \(give one \(low, high\) a joint: shape \(\.\.\., 2, 2\)\)"),
    (((0.0, math.nan), (0.0, 1.0)), r"limits\[0\]\[1\]: nan"),
    ((0.0, 1.0), r"limits: shape \(2,\) does not fit"),
    (((0.0, 1.0), (0.0, math.inf)), r"limits\[1\]\[1\]: inf"),
]


@pytest.mark.parametrize(("limits", "message"), BROKEN)
def test_what_is_no_limit_is_told(limits, message):
    """Limits that are none raise InputError that says where and what would be right, for numbers and arrays alike."""
    with pytest.raises(er.InputError, match=message):
        er.two_bone((0.0, 0.0), (100.0, 0.0), 60.0, 50.0, limits=limits)
    with pytest.raises(er.InputError, match=message):
        er.two_bone((0.0, 0.0), np.array((100.0, 0.0)), 60.0, 50.0, limits=np.array(limits))
    with pytest.raises(er.InputError, match=r"aim limits: shape \(2, 2\) does not fit"):
        er.aim((0.0, 0.0), (100.0, 0.0), 60.0, limits=ARM)


def test_a_batch_names_the_limit_that_is_broken():
    """In a batch the index of the broken pair is told."""
    limits = np.tile(np.array(ARM), (4, 1, 1))
    limits[2, 1] = 1.0, 0.0
    with pytest.raises(er.InputError, match=r"limits\[2\]\[1\]: low 1 is above high 0"):
        er.two_bone((0.0, 0.0), np.ones((4, 2)), 60.0, 50.0, limits=limits)
