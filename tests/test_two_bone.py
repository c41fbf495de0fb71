"""The two-bone limb: known values, accuracy at 50 digits, the bend side, every degenerate limb.

Oracles: the law of cosines at 50 digits (mpmath), and searches that know nothing of triangles (scipy).
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf
from scipy import optimize

from elbowroom import Why, fk, soften, two_bone

A, B = 150.0, 125.0  # reach 275, dead zone 25
DIGITS = 50
DIRECTIONS = (0.0, 0.3, math.pi / 2, 2.5, -2.0, -0.7, math.pi, -1e-9)
RATIOS = (1.0, 1.2, 1.0000001, 3.0, 20.0, 1 / 7, 1 / 20)
CURVES = ("exponential", "cubic", "quadratic")


def at(distance, direction=0.0):
    """The point at that distance and direction from (0, 0)."""
    return distance * math.cos(direction), distance * math.sin(direction)


def degrees(solution):
    """(shoulder offset, angle inside the elbow) [deg] of an answer whose target lies along +x."""
    upper, lower = solution.angles
    return abs(math.degrees(upper)), 180.0 - abs(math.degrees(lower))


def cosine_law(a, b, x, y, bend):
    """(upper, lower, |error|) by the law of cosines at 50 digits, the distance clamped to the annulus."""
    a, b, x, y = map(mpf, (a, b, x, y))
    d = mp.sqrt(x * x + y * y)
    f = min(max(d, abs(a - b)), a + b)
    alpha = mp.acos(min(mpf(1), max(mpf(-1), (a * a + f * f - b * b) / (2 * a * f))))
    gamma = mp.acos(min(mpf(1), max(mpf(-1), (a * a + b * b - f * f) / (2 * a * b))))
    return mp.atan2(y, x) + bend * alpha, -bend * (mp.pi - gamma), abs(d - f)


def turn(angle, true):
    """How far two directions differ [rad], beyond what max(5e-16, 2 ulp) allows: at most 1 is within."""
    off = abs(mpf(angle) - true)
    off = min(off, abs(off - 2 * mp.pi))
    return float(off / max(mpf("5e-16"), 2 * mpf(math.ulp(float(true)))))


def rebuilt(solution, a, b, base=0.0):
    """The largest coordinate by which FK of the angles misses the joints."""
    k = solution.stretch
    joints = fk(solution.joints[0], solution.angles, (a * k, b * k), base=base)
    return float(np.abs(np.subtract(joints, solution.joints)).max())


# --- known values


@pytest.mark.parametrize("bend", [1, -1])
def test_the_published_arm_at_300_and_200(bend):
    """150 and 125: straight at 300; at 200 the elbow has 92.866 degrees inside, the shoulder 38.625."""
    far = two_bone((0, 0), (300, 0), A, B, bend=bend)
    assert far.joints[1] == pytest.approx((150.0, 0.0), abs=1e-13)
    assert far.joints[2] == (275.0, 0.0)
    assert far.angles == (0.0, 0.0)
    assert (far.error, far.why, far.reached) == (25.0, Why.FAR, False)
    near = two_bone((0, 0), (200, 0), A, B, bend=bend)
    assert degrees(near) == pytest.approx((38.625, 92.866), abs=5e-4)
    assert near.joints[2] == (200.0, 0.0)
    assert (near.error, near.why, near.reached) == (0.0, Why(0), True)


def test_both_bends_reach_the_same_point():
    """The two answers end on the target and their elbows mirror each other."""
    left, right = (two_bone((0, 0), (200, 0), A, B, bend=bend) for bend in (1, -1))
    assert left.joints[2] == right.joints[2] == (200.0, 0.0)
    assert left.joints[1][0] == right.joints[1][0]
    assert left.joints[1][1] == -right.joints[1][1] > 0.0


@pytest.mark.parametrize("bend", [1, -1])
def test_the_dead_zone_is_folded_without_a_jump(bend):
    """At 25 the limb folds; closer targets keep that pose, and so does the root with the last direction."""
    folded = two_bone((0, 0), (25, 0), A, B, bend=bend)
    assert folded.joints[1] == pytest.approx((150.0, 0.0), abs=1e-12)
    assert folded.joints[2] == (25.0, 0.0)
    assert abs(folded.angles[1]) == pytest.approx(math.pi)
    inside = two_bone((0, 0), (24.999999, 0), A, B, bend=bend)
    assert np.asarray(inside.joints) == pytest.approx(np.asarray(folded.joints), abs=1e-5)
    assert inside.why == Why.NEAR
    root = two_bone((0, 0), (0, 0), A, B, bend=bend, fallback=folded.direction)
    assert np.asarray(root.joints) == pytest.approx(np.asarray(folded.joints), abs=1e-12)
    assert root.error == 25.0
    assert root.why == Why.NEAR | Why.DEGENERATE


def test_on_the_root_it_points_along_the_fallback():
    """At distance 0 the limb aims where the caller says, which may be of any length."""
    for fallback in ((0.0, -3.0), (0.0, -1e-200), (0.0, -1e150)):
        aimed = two_bone((7, 9), (7, 9), A, B, fallback=fallback)
        assert aimed.direction == (0.0, -1.0)
        assert aimed.joints[2] == pytest.approx((7.0, 9.0 - 25.0))


@pytest.mark.parametrize("bend", [1, -1])
def test_unit_bones_at_the_diagonal(bend):
    """Two bones of 1 and a target at sqrt 2: a right angle in the elbow, 45 degrees at the shoulder."""
    assert degrees(two_bone((0, 0), (math.sqrt(2), 0), 1, 1, bend=bend)) == pytest.approx((45.0, 90.0), abs=1e-13)


@pytest.mark.parametrize("bend", [1, -1])
def test_equal_bones_on_the_root_stand_across(bend):
    """Distance 0 is within reach of equal bones: elbow at right angles to the fallback, end on the root."""
    folded = two_bone((0, 0), (0, 0), 10, 10, bend=bend, fallback=(3.0, 4.0))
    assert folded.joints[1] == pytest.approx((-8.0 * bend, 6.0 * bend))
    assert folded.joints[2] == (0.0, 0.0)
    assert (folded.error, folded.reached, folded.why) == (0.0, True, Why.DEGENERATE)
    assert rebuilt(folded, 10, 10) < 1e-14


def test_the_lower_bone_turns_against_the_upper_one():
    """Upper = phi + bend alpha, lower = -bend (pi - gamma); with one sign for both, 150 and 125 miss 200 by 249.687."""
    for bend in (1, -1):
        upper, lower = two_bone((0, 0), (200, 0), A, B, bend=bend).angles
        assert math.copysign(1, upper) == bend == -math.copysign(1, lower)
        assert fk((0, 0), (upper, lower), (A, B))[2] == pytest.approx((200.0, 0.0), abs=1e-12)
        missed = fk((0, 0), (upper, -lower), (A, B))[2]
        assert missed == pytest.approx((44.1, 195.1 * bend), abs=0.05)
        assert math.dist(missed, (200.0, 0.0)) == pytest.approx(249.687, abs=1e-3)


# --- accuracy


def bounds(ratios, directions, powers):
    """Limbs (a, b, x, y) with targets 10^-k inside and outside either bound."""
    for ratio, power, direction, sign in itertools.product(ratios, powers, directions, (1, -1)):
        a, b = 10.0 * ratio, 10.0
        for d in (a + b - sign * 10.0**-power, abs(a - b) + sign * 10.0**-power):
            if d > 0.0:
                yield a, b, *at(d, direction)


def worst_of(limbs):
    """The largest of `turn` for both angles, and how far the bones between the joints are off, relative."""
    angle = bone = 0.0
    with mp.workdps(DIGITS):
        for (a, b, x, y), bend in itertools.product(limbs, (1, -1)):
            found = two_bone((0, 0), (x, y), a, b, bend=bend)
            upper, lower, _ = cosine_law(a, b, x, y, bend)
            angle = max(angle, turn(found.angles[0], upper), turn(found.angles[1], lower))
            (ex, ey), (gx, gy) = ((mpf(x), mpf(y)) for x, y in found.joints[1:])
            bone = max(bone, abs(mp.hypot(ex, ey) / a - 1), abs(mp.hypot(gx - ex, gy - ey) / b - 1))
    return angle, float(bone)


def test_both_angles_are_right_to_the_last_digits():
    """Within max(5e-16 rad, 2 ulp) of 50 digits near either bound, bones between joints to 1e-13."""
    angle, bone = worst_of(bounds(RATIOS[::2], DIRECTIONS[1::3], range(1, 13)))
    assert angle <= 1.0
    assert bone <= 1e-13


@pytest.mark.full
def test_both_angles_are_right_in_every_direction():
    """The same for every ratio up to 1:20 and every direction."""
    angle, bone = worst_of(bounds(RATIOS, DIRECTIONS, range(1, 13)))
    assert angle <= 1.0
    assert bone <= 1e-13


def test_acos_would_lose_half_the_digits():
    """Near full extension the textbook formula in doubles is 1e-9 off where ours is within 5e-16."""
    textbook = ours = 0.0
    with mp.workdps(DIGITS):
        for d in (A + B - 1e-13 * j for j in range(1, 40)):
            true = cosine_law(A, B, d, 0.0, 1)[1]
            loose = math.acos((A * A + B * B - d * d) / (2 * A * B)) - math.pi
            textbook = max(textbook, abs(loose - true))
            ours = max(ours, abs(two_bone((0, 0), (d, 0), A, B).angles[1] - true))
    assert textbook > 1e-9
    assert ours < 5e-16


@given(st.floats(-14, 2), st.sampled_from((1, -1)), st.booleans(), st.sampled_from(RATIOS), st.sampled_from(DIRECTIONS))
def test_the_error_is_the_distance_to_the_annulus(power, sign, outer, ratio, direction):
    """|error - max(d - L, l - d, 0)| <= 1e-15 max(d, L), for a root at the origin and a hard clamp."""
    a, b = A * ratio, A
    x, y = at(max((a + b if outer else abs(a - b)) + sign * 10.0**power, 0.0), direction)
    found = two_bone((0, 0), (x, y), a, b)
    with mp.workdps(DIGITS):
        d = mp.sqrt(mpf(x) ** 2 + mpf(y) ** 2)
        true = max(d - (mpf(a) + b), abs(mpf(a) - b) - d, mpf(0))
        assert abs(found.error - true) <= 1e-15 * max(d, a + b)
    assert found.reached == (found.error <= 1e-9 * (a + b))
    assert bool(found.why) == (true > 0 or (x, y) == (0.0, 0.0))


@pytest.mark.parametrize(("a", "b"), [(A, B), (B, A), (1.0, 20.0), (1.0, 1.0)])
def test_a_search_finds_the_same_elbow(a, b):
    """The shoulder offset is where the end of the lower bone meets the target, by bisection."""
    for d in np.linspace(abs(a - b) + 0.01, a + b - 0.01, 23):
        gap = lambda alpha: math.dist(at(a, alpha), (d, 0.0)) - b  # noqa: B023, E731
        alpha = optimize.brentq(gap, 0.0, math.pi, xtol=1e-14)
        assert two_bone((0, 0), (d, 0), a, b).angles[0] == pytest.approx(alpha, abs=1e-9)


def test_no_pose_comes_nearer():
    """A minimiser over both angles, started anywhere, gets no closer to the target than we do."""
    rng = np.random.default_rng(4)
    for target in rng.uniform(-320.0, 320.0, (12, 2)):
        miss = lambda turns: math.dist(fk((5, -3), turns.tolist(), (A, B))[2], target)  # noqa: B023, E731
        starts = rng.uniform(-math.pi, math.pi, (4, 2))
        found = [optimize.minimize(miss, start, method="Nelder-Mead", options={"xatol": 1e-9}) for start in starts]
        best = min(one.fun for one in found)
        assert two_bone((5, -3), target.tolist(), A, B).error == pytest.approx(best, abs=1e-6)


def exact_soft(a, b, d, softness, inner, curve):
    """Softened distance at 50 digits, written as the definition reads."""
    reach, hole = mpf(a) + b, abs(mpf(a) - b)
    s, i = softness * reach, inner * reach if hole else mpf(0)
    ease = {
        "exponential": lambda x: mp.exp(-x),
        "cubic": lambda x: max(1 - x / 3, mpf(0)) ** 3,
        "quadratic": lambda x: max(1 - x / 2, mpf(0)) ** 2,
    }[curve]
    if s and d > reach - s:
        return reach - s * ease((d - (reach - s)) / s)
    if i and d < hole + i:
        return hole + i * ease((hole + i - d) / i)
    return min(max(d, hole), reach)


@given(
    st.floats(0.0, 1.6), st.sampled_from((0.0, 0.03, 0.05, 0.08, 0.3)), st.sampled_from((0.0, 0.04)),
    st.sampled_from(CURVES), st.sampled_from(RATIOS), st.sampled_from((1, -1)), st.floats(-3.0, 3.0),
)  # fmt: skip
def test_a_soft_limb_is_the_limb_at_the_softened_distance(part, softness, inner, curve, ratio, bend, direction):
    """Both angles follow the softened distance, to a few 1e-15 divided by the square root of the width."""
    a, b = 10.0 * ratio, 10.0
    if (softness + inner) * (a + b) > a + b - abs(a - b):
        return  # bands that are scaled down are tested by their own rule
    x, y = at(max(part * (a + b), 1e-3), direction)
    found = two_bone((0, 0), (x, y), a, b, bend=bend, softness=softness, inner_softness=inner, curve=curve)
    with mp.workdps(DIGITS):
        d = mp.sqrt(mpf(x) ** 2 + mpf(y) ** 2)
        f = exact_soft(a, b, d, softness, inner, curve)
        upper, lower, _ = cosine_law(a, b, f * mpf(x) / d, f * mpf(y) / d, bend)
        assert turn(found.angles[0], upper) <= 40.0
        assert turn(found.angles[1], lower) <= 40.0
        assert abs(found.error - abs(d - f)) <= 2e-15 * max(d, a + b)
    outer, hole = d - (a + b) * (1 - softness), abs(a - b)
    inside = hole + inner * (a + b) - d
    if min(abs(outer), abs(inside)) > 1e-12:
        assert (Why.SOFT in found.why) == ((softness > 0.0 < outer) or (inner * hole > 0.0 < inside))


# --- stretch


def test_stretch_closes_what_softness_leaves_up_to_its_cap():
    """5 % softness, 10 % stretch: on the target up to d = 301.7, where d / f(d) = 1.1; past it an error and FAR."""
    cap = optimize.brentq(lambda d: d / soften(d, A + B) - 1.1, 275.0, 320.0)
    assert cap == pytest.approx(301.7, abs=0.05)
    for d in np.linspace(262.0, cap - 1e-6, 50):
        held = two_bone((0, 0), at(d, 0.4), A, B, softness=0.05, max_stretch=0.1)
        assert math.dist(held.joints[2], at(d, 0.4)) <= 4e-15 * (A + B)
        assert held.error <= 4e-15 * (A + B)
        assert held.reached
        assert Why.STRETCH in held.why
        assert Why.SOFT in held.why
        assert 1.0 < held.stretch <= 1.1
        assert rebuilt(held, A, B) <= 4e-15 * (A + B) * held.stretch
    past = two_bone((0, 0), at(cap + 0.01, 0.4), A, B, softness=0.05, max_stretch=0.1)
    assert past.stretch == 1.1
    assert 0.0 < past.error < 0.02
    assert Why.STRETCH | Why.FAR in past.why
    assert not past.reached


@pytest.mark.parametrize(
    ("d", "cap", "stretch", "error"),
    [(200.0, 0.1, 1.0, 0.0), (280.0, 0.1, 280 / 275, 0.0), (400.0, 0.1, 1.1, 97.5), (400.0, 2.0, 400 / 275, 0.0),
     (24.0, 0.1, 24 / 25, 0.0), (10.0, 0.1, 0.9, 12.5), (10.0, 3.0, 0.4, 0.0), (0.0, 3.0, 0.0, 0.0)],
)  # fmt: skip
def test_stretch_is_the_least_that_helps(d, cap, stretch, error):
    """Bones scale by d / f within 1 +- max_stretch, shorter in the dead zone, not at all where nothing is missing."""
    found = two_bone((0, 0), (d, 0), A, B, max_stretch=cap)
    assert found.stretch == pytest.approx(stretch, abs=1e-15)
    assert found.error == pytest.approx(error, abs=1e-12)
    assert (Why.STRETCH in found.why) == (stretch != 1.0)
    for i, bone in enumerate((A, B)):
        assert math.dist(*found.joints[i : i + 2]) == pytest.approx(bone * stretch, abs=1e-12)


# --- the side of the bend


def side(joints, target, root=(0.0, 0.0)):
    """Signed distance of the elbow from the line root -> target, left positive."""
    along, elbow = np.subtract(target, root), np.asarray(joints)[..., 1, :] - root
    return (along[..., 0] * elbow[..., 1] - along[..., 1] * elbow[..., 0]) / np.hypot(along[..., 0], along[..., 1])


@pytest.mark.parametrize("bend", [1, -1])
def test_a_million_steps_of_one_pixel_never_change_the_side(bend):
    """A random walk of unit steps, through full extension and the dead zone, keeps the elbow on its side."""
    rng = np.random.default_rng(11)
    angle = rng.uniform(-np.pi, np.pi, 1_000_000)
    walk = np.cumsum(np.stack([np.cos(angle), np.sin(angle)], axis=-1), axis=0)
    walk = 290.0 - np.abs((walk + 100.0) % 1160.0 - 580.0)  # folded back at the walls: still steps of 1
    elbow = side(two_bone((0, 0), walk, A, B, bend=bend).joints, walk)
    d = np.hypot(walk[:, 0], walk[:, 1])
    assert d.min() < 25.0 < 275.0 < d.max()
    assert (bend * elbow).min() >= -1e-13
    assert (bend * elbow)[(d > 25.01) & (d < 274.99)].min() > 1.0


@pytest.mark.parametrize("bend", [1, -1])
@pytest.mark.parametrize("softness", [0.0, 0.05])
def test_the_side_survives_extension_fold_and_the_bone_line(bend, softness):
    """Out and back along one line, past the root to the other side, exactly on the bone: same side throughout."""
    distances = [200.0, 274.0, 275.0, 300.0, 275.0, 200.0, 150.0, 25.0, 10.0, 1e-9, -1e-9, -10.0, -25.0, -150.0, -300.0]
    for direction in (0.0, math.pi / 2, 1.0):
        fallback = (1.0, 0.0)
        for d in distances:
            target = at(d, direction)
            found = two_bone((0, 0), target, A, B, bend=bend, softness=softness, fallback=fallback)
            elbow = bend * side(found.joints, target)
            assert elbow >= -1e-13
            if 25.0 < abs(d) < 275.0:
                assert elbow > 5.0
            fallback = found.direction


def test_a_target_that_crosses_the_line_of_the_bone_moves_the_elbow_little():
    """Targets on both sides of the upper bone's own line give neighbouring poses, not mirrored ones."""
    before = two_bone((0, 0), (200, 0), A, B)
    along = before.angles[0]
    poses = [two_bone((0, 0), at(200.0, along + e), A, B) for e in (-1e-6, 0.0, 1e-6)]
    for earlier, later in itertools.pairwise(poses):
        assert math.dist(earlier.joints[1], later.joints[1]) < 2e-4
        assert abs(later.angles[1] - earlier.angles[1]) < 1e-12


def test_bend_zero_is_either_side_and_takes_the_left():
    """Without limits both sides are equally near: ties go to +1."""
    assert two_bone((0, 0), (200, 30), A, B, bend=0).joints == two_bone((0, 0), (200, 30), A, B, bend=1).joints


# --- symmetries that hold to the bit

NEAR_BOUND = st.builds(
    lambda outer, power, sign, steps: (outer, sign * 10.0**power, steps),
    st.booleans(), st.floats(-16, 0), st.sampled_from((1, -1)), st.integers(-3, 3),
)  # fmt: skip
LIMB = st.tuples(
    st.floats(0.01, 100.0), st.sampled_from((*RATIOS, 0.5, 1e-3)), NEAR_BOUND,
    st.integers(-3141, 3141).map(lambda n: n / 1000.0), st.sampled_from((1, -1)),
)  # fmt: skip


def near_bound(limb):
    """(a, b, (x, y), bend) from LIMB: the target beside a bound, by a fraction of the reach and some last places."""
    b, ratio, (outer, off, steps), direction, bend = limb
    a = b * ratio
    d = (a + b if outer else abs(a - b)) + off * (a + b)
    return a, b, at(max(d + steps * math.ulp(d), 0.0), direction), bend


@given(LIMB)
def test_bones_keep_their_lengths_and_angles_rebuild_the_joints(limb):
    """Near either bound: both bones as long as they are, FK of the angles on the joints, elbow on its side."""
    a, b, target, bend = near_bound(limb)
    found = two_bone((0, 0), target, a, b, bend=bend)
    root, elbow, end = found.joints
    assert root == (0.0, 0.0)
    assert math.dist(root, elbow) == pytest.approx(a, rel=1e-13)
    assert math.dist(elbow, end) == pytest.approx(b, rel=1e-13, abs=4e-16 * a)
    assert rebuilt(found, a, b) <= 4e-15 * (a + b)
    ux, uy = found.direction
    assert bend * (ux * elbow[1] - uy * elbow[0]) >= -1e-15 * (a + b)
    assert -math.pi < found.angles[1] <= math.pi
    assert -bend * found.angles[1] >= 0.0 or found.angles[1] == math.pi
    assert found.why or found.error == 0.0


@given(LIMB)
def test_mirror_and_quarter_turn_commute_with_solving(limb):
    """The mirrored target with the other bend gives mirrored joints, the turned target turned ones: same bits."""
    a, b, (x, y), bend = near_bound(limb)
    (_, (ex, ey), (gx, gy)) = two_bone((0, 0), (x, y), a, b, bend=bend).joints
    assert two_bone((0, 0), (x, -y), a, b, bend=-bend).joints[1:] == ((ex, -ey), (gx, -gy))
    if (x, y) != (0.0, 0.0):
        assert two_bone((0, 0), (-y, x), a, b, bend=bend).joints[1:] == ((-ey, ex), (-gy, gx))


@given(LIMB, st.integers(-150, 150))
def test_a_power_of_two_scales_the_answer(limb, power):
    """Bones and target times 2^k give joints times 2^k and the same angles: same bits."""
    a, b, (x, y), bend = near_bound(limb)
    if (x, y) == (0.0, 0.0) or math.hypot(x, y) < 1e-13 * b:
        return
    k = 2.0**power
    one, other = two_bone((0, 0), (x, y), a, b, bend=bend), two_bone((0, 0), (x * k, y * k), a * k, b * k, bend=bend)
    assert other.joints == tuple((x * k, y * k) for x, y in one.joints)
    assert other.angles == one.angles
    assert other.error == one.error * k


# --- degenerate, huge and tiny

SIZES = (0.0, 5e-324, 1e-310, 1e-61, 1.0, 1e61, 1e150)


def extremes(sizes, options):
    """Every pair of bones and target distance out of `sizes`, and the bounds of each pair, with each option."""
    for a, b in itertools.product(sizes, sizes):
        bounds = (a + b, abs(a - b), a / 2 + b / 2, a * 0.7 + b)
        for d, option, direction in itertools.product((*sizes, *bounds), options, ((1.0, 0.0), (-0.6, 0.8))):
            if d <= 1e150:
                yield a, b, (d * direction[0], d * direction[1]), option


OPTIONS = (
    {}, {"softness": 0.05}, {"inner_softness": 0.05, "curve": "cubic"}, {"max_stretch": 0.1},
    {"softness": 1.0, "inner_softness": 1.0, "max_stretch": 0.5, "curve": "quadratic"},
)  # fmt: skip


def check_extreme(a, b, target, option, bend):
    """Finite, DEGENERATE exactly when a direction is arbitrary, reached without a flag, rebuilt by FK."""
    found = two_bone((0, 0), target, a, b, bend=bend, **option)
    numbers = [*itertools.chain(*found.joints), *found.angles, found.error, found.stretch, *found.direction]
    assert all(map(math.isfinite, numbers))
    assert (Why.DEGENERATE in found.why) == (a + b in (a, b) or target == (0.0, 0.0))
    assert found.why or (found.reached and found.error == 0.0)
    assert math.hypot(*found.direction) == pytest.approx(1.0, abs=1e-15)
    k, small = found.stretch, 1e-322
    (ex, ey), (gx, gy) = found.joints[1:]
    assert math.hypot(ex, ey) == pytest.approx(a * k, rel=1e-13, abs=1e-15 * (a * k + b * k) + small)
    assert math.hypot(gx - ex, gy - ey) == pytest.approx(b * k, rel=1e-13, abs=1e-15 * (a * k + b * k) + small)
    if max(a * k, b * k) <= 1e150:
        assert rebuilt(found, a, b) <= 4e-15 * (a * k + b * k) + small


@pytest.mark.parametrize("bend", [1, -1])
def test_no_size_of_bone_or_target_breaks_the_limb(bend):
    """Zero, subnormal, 1e-150 to 1e150 in every mixture: finite, rightly flagged, rebuilt by FK."""
    for a, b, target, option in extremes(SIZES, OPTIONS[:: 2 if bend > 0 else 3]):
        check_extreme(a, b, target, option, bend)


@pytest.mark.full
def test_no_size_with_any_option_breaks_the_limb():
    """The same for more sizes, all options, both bends."""
    sizes = sorted({*SIZES, 1e-200, 1e-150, 1e-100, 1e-60, 1e-30, 1e60, 1e100})
    for (a, b, target, option), bend in itertools.product(extremes(sizes, OPTIONS), (1, -1)):
        check_extreme(a, b, target, option, bend)


@pytest.mark.parametrize(
    ("a", "b", "d", "end", "error"),
    [(10.0, 0.0, 5.0, 10.0, 5.0), (0.0, 10.0, 5.0, 10.0, 5.0), (0.0, 0.0, 1.0, 0.0, 1.0), (10.0, 0.0, 10.0, 10.0, 0.0),
     (0.0, 10.0, 20.0, 10.0, 10.0), (0.0, 0.0, 0.0, 0.0, 0.0)],
)  # fmt: skip
def test_a_bone_of_length_zero_leaves_one_bone(a, b, d, end, error):
    """The other bone points at the target; the lower angle is 0."""
    for bend, direction in itertools.product((1, -1), DIRECTIONS):
        x, y = at(1.0, direction)
        target = (d * x, d * y)
        found = two_bone((0, 0), target, a, b, bend=bend, fallback=(x, y))
        assert found.joints[2] == pytest.approx((end * x, end * y), abs=1e-14)
        assert found.error == pytest.approx(error, abs=1e-14)
        assert found.angles[1] == 0.0
        assert Why.DEGENERATE in found.why


@pytest.mark.parametrize("size", [1e-150, 1e-100, 1.0, 1e100, 5e149])
def test_tiny_and_huge_limbs_have_the_usual_angles(size):
    """150 and 125 at 200, scaled: the same angles to the last digits, the joints scaled."""
    usual = two_bone((0, 0), (200, 0), A, B)
    scaled = two_bone((0, 0), (200 / 275 * size, 0), A / 275 * size, B / 275 * size)
    assert scaled.angles == pytest.approx(usual.angles, abs=1e-14)
    assert np.asarray(scaled.joints) / size == pytest.approx(np.asarray(usual.joints) / 275, abs=1e-14)
    assert scaled.why == 0


def test_a_target_next_to_the_root_of_equal_bones_keeps_the_elbow_out():
    """Distances down to the smallest double: the elbow stays a bone's length away, across the line."""
    for d in (1e-3, 1e-30, 1e-100, 1e-170, 1e-310, 5e-324):
        found = two_bone((0, 0), (0.0, d), 100, 100)
        assert found.joints[1] == pytest.approx((-100.0, 0.0), abs=1e-3)
        assert found.joints[2] == (0.0, d)
        assert found.angles[1] == pytest.approx(-math.pi, abs=1e-4) or found.angles[1] == math.pi
        assert found.why == 0


@pytest.mark.parametrize("base", [0.0, 1.0, -3.0, 100.0])
def test_base_turns_the_first_angle_only(base):
    """Angles are measured from `base`; FK from the same base returns the joints."""
    plain, turned = two_bone((1, 2), (150, 99), A, B), two_bone((1, 2), (150, 99), A, B, base=base)
    assert turned.joints == plain.joints
    assert turned.angles[1] == plain.angles[1]
    assert -math.pi < turned.angles[0] <= math.pi
    assert rebuilt(turned, A, B, base) < 1e-11


def test_a_root_elsewhere_moves_the_limb():
    """Root and target moved by a whole number move the joints by it, and nothing else."""
    here, there = two_bone((0, 0), (200, 64), A, B), two_bone((512, -1024), (712, -960), A, B)
    assert np.asarray(there.joints) == pytest.approx(np.add(here.joints, (512, -1024)), abs=1e-12)
    assert there.angles == here.angles
    assert there.joints[2] == (712.0, -960.0)
