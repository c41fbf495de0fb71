"""Joint limits: exact nearest points, the bend's side, the same bits on every engine."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import minimize

import elbowroom as er
from elbowroom.kernel.engine import has_lanes
from elbowroom.kernel.two_bone import two_bone

PI = math.pi
FIELDS = ("joints", "angles", "error", "why", "reached", "stretch", "over", "direction")


def random_case(rng):
    """Bones, ranges (across a half turn, empty, one-sided, whole), bend and target of one limb."""
    a, b = rng.uniform(20.0, 200.0, 2)
    b = a if rng.random() < 0.1 else b
    centre, width = rng.uniform(-4.4, 4.4, 2), np.where(rng.random(2) < 0.1, 0.0, rng.uniform(0.0, 7.0, 2))
    d, turn = rng.uniform(0.0, 1.4 * (a + b)), rng.uniform(-PI, PI)
    limits = np.stack([centre - width / 2, centre + width / 2], axis=-1)
    return a, b, limits, int(rng.choice([1, -1, 0])), (d * math.cos(turn), d * math.sin(turn))


def halves(low, high, bend):
    """The parts of an elbow range on the bend's side, cut at straight and folded; all of them where it is shut."""
    cuts = sorted({low, high, *(k * PI for k in range(-4, 5) if low < k * PI < high)})
    spans = list(pairwise(cuts)) or [(low, high)]
    middle = [math.remainder((p + q) / 2, 2 * PI) for p, q in spans]
    own = [span for span, m in zip(spans, middle, strict=True) if m * bend <= 1e-12 or abs(abs(m) - PI) < 1e-12]
    points = [(k * PI, k * PI) for k in range(-4, 5) if low <= k * PI <= high]
    return own + points or spans


def brute_force(a, b, limits, bend, target):
    """The least distance over a grid of both angles, refined by L-BFGS-B from the best places."""
    (low, high), elbow = limits, None
    low, high = low[0], min(low[1], low[0] + 2 * PI)
    elbow = (limits[1][0], min(limits[1][1], limits[1][0] + 2 * PI))

    def miss(t, e):
        x = a * np.cos(t) + b * np.cos(t + e) - target[0]
        y = a * np.sin(t) + b * np.sin(t + e) - target[1]
        return np.sqrt(x * x + y * y)

    best = math.inf
    for p, q in halves(*elbow, bend):
        t, e = np.linspace(low, high, 91)[:, None], np.linspace(p, q, 61)[None]
        grid = miss(t, e)
        for place in np.argsort(grid, axis=None)[:3]:
            i, j = np.unravel_index(place, grid.shape)
            found = minimize(
                lambda v: miss(*v) ** 2 / (a + b) ** 2, [t[i, 0], e[0, j]], bounds=[(low, high), (p, q)],
                method="L-BFGS-B", options={"ftol": 1e-18, "gtol": 1e-14},
            )  # fmt: skip
            best = min(best, float(miss(*found.x)), float(grid[i, j]))
    return best


def check_exact(count, seed):
    """Compare `count` random limbs with the brute force."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        a, b, limits, bend, target = random_case(rng)
        found = two_bone((0.0, 0.0), target, a, b, bend=bend, limits=limits.tolist())
        assert found.error - brute_force(a, b, limits, bend, target) <= 1e-12 * (a + b)
        for angle, (low, high) in zip(found.angles, limits, strict=True):
            assert low - 1e-12 <= angle <= high + 1e-12
        rebuilt = np.asarray(er.fk((0, 0), found.angles, (a, b)))
        assert rebuilt == pytest.approx(np.asarray(found.joints), abs=1e-12 * (a + b))


def test_the_nearest_point_is_exact():
    """No grid with a local search finds a point nearer to the target; both angles stand in their ranges."""
    check_exact(60, 1)


@pytest.mark.full
def test_the_nearest_point_is_exact_for_ten_thousand_limbs():
    """The same for 10^4 limbs."""
    check_exact(10_000, 2)


def batch(count, seed):
    """Arguments of many limbs as arrays."""
    rng = np.random.default_rng(seed)
    cases = [random_case(rng) for _ in range(count)]
    a, b, limits, bend, target = (np.array(part) for part in zip(*cases, strict=True))
    return a, b, limits, bend, target


@pytest.mark.parametrize(
    "options", [{}, {"softness": 0.05}, {"max_stretch": 0.2, "base": 0.3}, {"softness": 0.05, "inner_softness": 0.05}]
)
def test_engines_give_the_same_bits(options):
    """Floats, NumPy and Numba agree on every field, with limits."""
    a, b, limits, bend, target = batch(300, 3)
    rows = two_bone((1.0, 2.0), target, a, b, bend=bend, limits=limits, engine="numpy", **options)
    singles = [
        two_bone((1.0, 2.0), t, p, q, bend=int(s), limits=r, **options)
        for t, p, q, s, r in zip(target.tolist(), a.tolist(), b.tolist(), bend.tolist(), limits.tolist(), strict=True)
    ]
    for name in FIELDS:
        assert np.array_equal(getattr(rows, name), np.array([getattr(one, name) for one in singles])), name
    if has_lanes():
        lanes = two_bone((1.0, 2.0), target, a, b, bend=bend, limits=limits, engine="numba", **options)
        assert all(np.array_equal(getattr(rows, name), getattr(lanes, name)) for name in FIELDS)


def test_limits_that_do_not_bind_change_nothing():
    """Inside its ranges a limb is the unlimited one, bit for bit, and LIMIT is not said."""
    target = np.random.default_rng(4).uniform(-250.0, 250.0, (500, 2))
    free = two_bone((0.0, 0.0), target, 150.0, 125.0)
    wide = two_bone((0.0, 0.0), target, 150.0, 125.0, limits=np.array([[-PI, PI], [-PI, 0.0]]))
    assert np.array_equal(free.joints, wide.joints)
    assert not (wide.why & er.Why.LIMIT).any()
    assert not wide.over.any()


def test_over_says_how_far_the_unlimited_answer_is_outside():
    """Signed: below a range negative, above positive; LIMIT is said."""
    free = two_bone((0.0, 0.0), (200.0, 0.0), 150.0, 125.0)
    found = two_bone((0.0, 0.0), (200.0, 0.0), 150.0, 125.0, limits=[(-0.5, 0.5), (-1.0, 0.0)])
    assert found.over == pytest.approx((free.angles[0] - 0.5, free.angles[1] + 1.0), abs=1e-15)
    assert er.Why.LIMIT in found.why


@pytest.mark.parametrize("bend", [1, -1])
def test_a_walk_of_one_pixel_never_changes_the_side(bend):
    """10^5 steps with limits that leave both sides open: the elbow stays on the bend's side."""
    rng = np.random.default_rng(6)
    turn = rng.uniform(-PI, PI, 100_000)
    target = np.cumsum(np.stack([np.cos(turn), np.sin(turn)], axis=-1), axis=0)
    found = two_bone((0.0, 0.0), target, 150.0, 125.0, bend=bend, limits=np.array([[-1.0, 2.0], [-2.2, 1.8]]))
    assert (found.angles[:, 1] * bend <= 0.0).all()
    assert (found.why & er.Why.LIMIT).any()


def test_a_shut_side_gives_way():
    """A range wholly on the other side wins over the bend, and says so."""
    found = two_bone((0.0, 0.0), (200.0, 0.0), 150.0, 125.0, bend=1, limits=[(-PI, PI), (0.5, 2.5)])
    assert found.reached
    assert found.angles[1] > 0.0
    assert er.Why.LIMIT in found.why


def test_stretch_takes_the_scale_nearest_to_one():
    """Where the limited limb can be scaled to its target it is, by the least; never worse than unstretched."""
    a, b, limits, bend, target = batch(300, 7)
    plain = two_bone((0.0, 0.0), target, a, b, bend=bend, limits=limits)
    more = two_bone((0.0, 0.0), target, a, b, bend=bend, limits=limits, max_stretch=0.3)
    assert (more.error <= plain.error + 1e-9 * (a + b)).all()
    assert (more.reached & ~plain.reached).any()
    assert (np.abs(more.stretch - 1.0) <= 0.3 + 1e-12).all()


def test_one_bone_stays_in_its_range():
    """aim turns to the nearer end of its range and says how far it would have gone."""
    found = er.aim((0, 0), (0, 10), 5, limits=[(-1.0, 1.0)])
    assert found.angles == (1.0,)
    assert found.over == pytest.approx((PI / 2 - 1.0,))
    assert er.Why.LIMIT in found.why


def limited_leg(scale):
    """A leg of 60 and 50 under a bone scaled in x, its shin between -150 and -10 degrees."""
    skeleton = er.Skeleton.from_bones(
        [{"name": "body", "scale_x": scale}, ("thigh", "body", 60.0), ("shin", "thigh", 50.0, 60.0)]
    )
    limits = [(-PI, PI), (math.radians(-150), math.radians(-10))]
    leg = er.IKConstraint("leg", ["thigh", "shin"], er.Target((0, 0)), "accept", limits=limits)
    return er.Rig(skeleton, (leg,))


@pytest.mark.parametrize("target", [(70, 40), (20, 30), (-40, 60), (200, 0)])
def test_limits_mirror_with_a_mirrored_parent(target):
    """A mirrored character holds the mirrored pose: the same miss, the same limit binds."""
    plain, mirrored = limited_leg(1.0), limited_leg(-1.0)
    one = er.solve(plain, plain.skeleton.rest_pose(), {"leg": target})[1]["leg"]
    other = er.solve(mirrored, mirrored.skeleton.rest_pose(), {"leg": (-target[0], target[1])})[1]["leg"]
    assert other.joints == pytest.approx(one.joints * [-1, 1], abs=1e-12)
    assert other.error == pytest.approx(one.error)
    assert other.why == one.why
    assert other.over == pytest.approx(one.over, abs=1e-12)


def test_limits_bound_a_bones_own_rotation():
    """A child off its parent's axis: the range is of the bone's rotation, not of the segment's angle."""
    skeleton = er.Skeleton.from_bones(
        [{"name": "upper"}, {"name": "lower", "parent": "upper", "x": 30.0, "y": 40.0, "length": 50.0}]
    )
    arm = er.IKConstraint("arm", ["upper", "lower"], er.Target((-30, -60)), "accept", limits=[(0.2, 0.4), (-1.0, -0.5)])
    pose, found = er.solve(er.Rig(skeleton, (arm,)), skeleton.rest_pose())
    for angle, (low, high) in zip(pose.rotation, arm.limits, strict=True):
        assert low - 1e-12 <= angle <= high + 1e-12
    assert er.Why.LIMIT in er.Why(int(found["arm"].why))
