"""Solving a rig: from the keyed pose to the solved one, and what it says of itself."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from limb_rigs import (
    ARM,
    KEYED,
    LOWER,
    UPPER,
    arm,
    arm_bones,
    constraint,
    distance,
    keyed,
    random_pose,
    side,
    tip,
)  # fmt: skip

import elbowroom as er
from elbowroom.kernel.solution import FIELDS
from elbowroom.rig import affine
from elbowroom.rig.animation import TargetKeys
from elbowroom.rig.frames import FrameSpec
from elbowroom.rig.keys import Track
from elbowroom.rig.track import SampledTrack
from elbowroom.solve.geometry import Limb
from elbowroom.solve.skew import uneven_limbs

Why = er.Why
seeds = st.integers(0, 2**32 - 1)
SCALES = ("scale_x", "scale_y")
some = settings(deadline=None, max_examples=15)
few = settings(deadline=None, max_examples=6)
THREE = [
    *arm_bones(),
    {"name": "leg", "parent": "body", "x": 5, "y": -10, "length": 45},
    {"name": "shin", "parent": "leg", "x": 40, "y": 20, "length": 35},
    {"name": "hand", "parent": "lower", "x": LOWER, "length": 12},
]  # fmt: skip


def same_bits(one, other, index):
    """Every channel and every field of frame `index` of one answer has the bits of the other."""
    (pose, solutions), (alone, alone_solutions) = one, other
    for name in KEYED:
        np.testing.assert_array_equal(getattr(pose, name)[index], getattr(alone, name), err_msg=name)
    for limb, solution in solutions.items():
        for field in FIELDS:
            got, wanted = getattr(solution, field)[index], getattr(alone_solutions[limb], field)
            np.testing.assert_array_equal(got, wanted, err_msg=f"{limb} {field}")


def busy_rig(rng, **more):
    """Three limbs, one of them hanging on another, with settings of every kind."""
    def option():
        return {"softness": float(rng.choice([0.0, 0.05])), "bend": int(rng.choice([-1, 0, 1])),
                "mix": float(rng.choice([1.0, 1.0, 0.5, 0.0]))}  # fmt: skip

    return arm(
        constraint("arm", on_miss=("stretch", "accept"), max_stretch=0.1, **option()),
        constraint("leg", ("leg", "shin"), (20, -60), "character", **option()),
        constraint("hand", ("hand",), (10, 90), "leg", mix=0.7),
        bones=THREE,
        **more,
    )


# What is returned is what is measured ----------------------------------------------------------------


@some
@given(seeds)
def test_error_is_the_distance_in_the_returned_pose(seed):
    """Joints, error and reached are those of full forward kinematics of the pose that comes back."""
    rng = np.random.default_rng(seed)
    rig = busy_rig(rng)
    points = {limb.name: rng.uniform(-150, 150, (6, 2)) for limb in rig.constraints}
    pose, solutions = er.solve(rig, random_pose(rng, rig.skeleton, (6,)), points)
    fresh = er.Pose(rig.skeleton, **{name: getattr(pose, name) for name in KEYED})
    for limb in rig.constraints:
        solution, bones = solutions[limb.name], [rig.skeleton.index(bone) for bone in limb.bones]
        ends = np.stack([*(fresh.world()[:, i, :, 2] for i in bones), fresh.tips()[:, bones[-1]]], axis=1)
        np.testing.assert_allclose(solution.joints, ends, rtol=0, atol=1e-11)
        np.testing.assert_allclose(solution.error, distance(ends[:, -1], points[limb.name]), rtol=0, atol=1e-11)
        length = distance(ends[:, 1:], ends[:, :-1]).sum(axis=-1)
        np.testing.assert_array_equal(solution.reached, solution.error <= 1e-9 * length)
        turn = np.cumsum(solution.angles, axis=-1)
        ahead = np.stack([np.cos(turn), np.sin(turn)], -1) * distance(ends[:, 1:], ends[:, :-1])[..., None]
        np.testing.assert_allclose(ends[:, 1:] - ends[:, :-1], ahead, rtol=0, atol=1e-10)


@some
@given(seeds)
def test_a_miss_is_never_without_a_cause(seed):
    """why == 0 implies reached, whatever hangs on whatever."""
    rng = np.random.default_rng(seed)
    rig = busy_rig(rng)
    pose = random_pose(rng, rig.skeleton, (8,))
    pose = pose.replace(inherit=rng.integers(0, 5, pose.inherit.shape).astype(np.int8))
    _, solutions = er.solve(rig, pose, {limb.name: rng.uniform(-90, 90, (8, 2)) for limb in rig.constraints})
    for solution in solutions.values():
        assert (solution.reached | (solution.why != 0)).all()


def test_what_goes_in_is_not_written_to():
    """The keyed pose and the targets are the same afterwards."""
    rig, target = arm(), np.array([70.0, 10.0])
    pose = rig.skeleton.rest_pose()
    before = pose.rotation.copy()
    er.solve(rig, pose, {"arm": target})
    np.testing.assert_array_equal(pose.rotation, before)
    np.testing.assert_array_equal(target, [70.0, 10.0])


def test_a_rig_without_constraints_is_only_posed():
    """Nothing to solve: the pose comes back, with no solutions."""
    rig = er.Rig(er.Skeleton.from_bones(arm_bones()))
    pose, solutions = er.solve(rig, rig.skeleton.rest_pose())
    assert solutions == {}
    np.testing.assert_array_equal(pose.rotation, rig.skeleton.rest["rotation"])


# Frames, clips, batches ------------------------------------------------------------------------------


@few
@given(seeds)
def test_a_frame_of_a_clip_is_that_frame_alone(seed):
    """Frame i of a clip has the bits of frame i solved alone, keyed mix, bend and target included."""
    rng = np.random.default_rng(seed)
    rig, frames = busy_rig(rng), 5
    poses = random_pose(rng, rig.skeleton, (frames,))
    poses = poses.replace(inherit=rng.choice([0, 0, 0, 1, 2, 3, 4], poses.inherit.shape).astype(np.int8))
    place, mix = rng.uniform(-90, 90, (frames, 2)), rng.choice([0.0, 0.3, 1.0], frames)
    bend = rng.integers(-1, 2, frames)
    track = SampledTrack(place, "world", mix=mix, bend=bend)
    clip = er.Clip(**{name: getattr(poses, name) for name in KEYED}, skeleton=rig.skeleton, fps=30,
                   tracks={"arm": track})  # fmt: skip
    whole = er.solve(rig, clip)
    for i in range(frames):
        settings_then = {"mix": mix[i], "bend": int(bend[i]), "softness": rig.constraints[0].softness}
        arm_then = constraint("arm", position=place[i], on_miss="stretch", max_stretch=0.1, **settings_then)
        alone = er.Rig(rig.skeleton, (arm_then, *rig.constraints[1:]))
        same_bits(whole, er.solve(alone, clip[i]), i)


@few
@given(seeds)
def test_a_batch_of_poses_is_its_poses_alone(seed):
    """A pose of shape (2, 2) gives the bits of its four poses, with a target for each."""
    rng = np.random.default_rng(seed)
    rig = busy_rig(rng)
    poses, points = random_pose(rng, rig.skeleton, (2, 2)), rng.uniform(-90, 90, (2, 2, 2))
    whole = er.solve(rig, poses, {"arm": points})
    for index in np.ndindex(2, 2):
        same_bits(whole, er.solve(rig, poses[index], {"arm": points[index]}), index)


def test_a_clip_with_more_axes_takes_one_target_a_frame():
    """In a clip of shape (4, 2) positions, tracks and frames of 4 rows are one a frame, and so are the rig's frames."""
    rng = np.random.default_rng(3)
    rig = arm(frames={"door": FrameSpec(x=Track([0.0, 0.1], [0.0, 30.0]))})
    poses, points = random_pose(rng, rig.skeleton, (4, 2), even=True), rng.uniform(20, 60, (4, 2))
    clip = er.Clip(**{name: getattr(poses, name) for name in KEYED}, skeleton=rig.skeleton, fps=30)
    moved = affine.from_parts([0.0, 1.0, 2.0, 3.0], 0, 0.1, 1, 1)
    for given_target in (points, er.Target(points, "door"), er.Target(points, "box"), SampledTrack(points, "box")):
        whole = er.solve(rig, clip, {"arm": given_target}, frames={"box": moved})
        for b in range(2):
            column = er.Clip(**{name: getattr(poses, name)[:, b] for name in KEYED}, skeleton=rig.skeleton, fps=30)
            same_bits(whole, er.solve(rig, column, {"arm": given_target}, frames={"box": moved}), (slice(None), b))


# Parents and bones of every shape ---------------------------------------------------------------------


def reachable(rng, rig, pose, bend):
    """Goals (..., 2) that the arm's end passes on the side of the bend, in this pose of everything else."""
    turn = np.array(pose.rotation)
    upper, lower = (rig.skeleton.index(name) for name in ARM)
    turn[..., upper] = rng.uniform(-4, 4, pose.shape)
    rest = np.arctan2(pose.y[..., lower], pose.x[..., lower])
    flipped = np.where(pose.scale_x[..., lower] < 0, np.pi, 0.0)
    turn[..., lower] = rest - flipped - pose.shear_x[..., lower] - bend * rng.uniform(0.0, np.pi, pose.shape)
    return tip(rig, pose.replace(rotation=turn))


@some
@given(seeds, st.sampled_from([-1, 1]), st.booleans())
def test_whatever_can_be_reached_is_reached_exactly(seed, bend, even):
    """Mirrored, scaled, sheared, squashed parents and bones, a child off the axis: the end is on its target."""
    rng = np.random.default_rng(seed)
    rig = arm(constraint(bend=bend))
    pose = random_pose(rng, rig.skeleton, (20,), even=even)
    goals = reachable(rng, rig, pose, bend)
    solved, solutions = er.solve(rig, pose, {"arm": goals})
    assert solutions["arm"].reached.all()
    np.testing.assert_allclose(tip(rig, solved), goals, rtol=0, atol=1e-9)
    either, _ = er.solve(arm(constraint(bend=0)), pose, {"arm": goals})
    np.testing.assert_allclose(tip(rig, either), goals, rtol=0, atol=1e-9)


def ends_tried(rig, pose, bend):
    """How far the end of the arm gets from its root in the body's space, at 4001 angles on the bend's side."""
    rest = math.atan2(pose.y[2], pose.x[2]) - math.pi * (pose.scale_x[2] < 0) - pose.shear_x[2]
    turns = np.tile(pose.rotation, (4001, 1))
    turns[:, 2] = rest - bend * np.linspace(0.0, math.pi, 4001)
    still = er.Pose(rig.skeleton, **({name: getattr(pose, name) for name in KEYED} | {"rotation": turns}))
    body = affine.invert(pose.world()[0])
    return distance(affine.apply(body, tip(rig, still)), [pose.x[1], pose.y[1]])


@few
@given(seeds, st.sampled_from([-1, 1]))
def test_an_uneven_limb_misses_only_what_is_out_of_its_reach(seed, bend):
    """FAR and NEAR are said of a sheared upper bone where no angle of the bend's side gets there; the miss is least."""
    rng = np.random.default_rng(seed)
    rig = arm(constraint(bend=bend))
    for pose in random_pose(rng, rig.skeleton, (3,)):
        tried = ends_tried(rig, pose, bend)
        start = np.array([pose.x[1], pose.y[1]])
        for factor, flag in ((0.999, 0), (1.0001, Why.FAR), (3.0, Why.FAR)):
            asked = tried.max() * factor
            goal = affine.apply(pose.world()[0], start + asked * np.array([0.6, 0.8]))
            solved, solutions = er.solve(rig, pose, {"arm": goal})
            assert solutions["arm"].why == flag
            end = affine.apply(affine.invert(pose.world()[0]), tip(rig, solved)) - start
            assert np.linalg.norm(end) == pytest.approx(min(asked, tried.max()), rel=1e-6)
            assert np.arctan2(end[1], end[0]) == pytest.approx(math.atan2(0.8, 0.6), abs=1e-9)
        if tried.min() > 1.0:
            near = affine.apply(pose.world()[0], start + 0.5 * tried.min() * np.array([0.6, 0.8]))
            assert er.solve(rig, pose, {"arm": near})[1]["arm"].why == Why.NEAR


@pytest.mark.parametrize("upper", [{"scale_y": 0.5}, {"scale_x": -3.0}, {"shear_y": 0.4}, {"shear_x": -0.3}])
def test_one_uneven_channel_is_enough(upper):
    """Axes of two lengths, or axes that are not upright: either makes an ellipse of the circle."""
    rig = arm(bones=[*arm_bones(**upper)[:2], arm_bones()[2] | {"x": 30, "y": 40}])
    pose = rig.skeleton.rest_pose()
    goals = reachable(np.random.default_rng(1), rig, er.Pose(rig.skeleton, x=np.tile(pose.x, (9, 1))), 1)
    assert er.solve(rig, er.Pose(rig.skeleton, x=np.tile(pose.x, (9, 1))), {"arm": goals})[1]["arm"].reached.all()


@pytest.mark.parametrize("size", [1e-170, 1e-80, 1.0, 1e80, 1e140])
def test_uneven_limbs_of_every_size_are_solved(size):
    """Very small and very large ones alike: the relative miss stays that of rounding."""
    bones = [{"name": "body"}, {"name": "upper", "parent": "body", "scale_x": 0.5, "scale_y": 3.0, "shear_x": 0.4},
             {"name": "lower", "parent": "upper", "x": 3 * size, "length": 2 * size}]  # fmt: skip
    rig = arm(constraint(position=(3 * size, size)), bones=bones)
    solution = er.solve(rig, rig.skeleton.rest_pose())[1]["arm"]
    assert solution.why == 0
    assert solution.error <= 1e-14 * size
    far = er.solve(rig, rig.skeleton.rest_pose(), {"arm": (9 * size, 0.0)})[1]["arm"]
    assert far.why == Why.FAR
    turns = np.linspace(-math.pi, 0.0, 100_001)
    axes = [[0.5 * math.cos(0.4), 0.5 * math.sin(0.4)], [0.0, 3.0]]
    ends = np.stack([3 + 2 * np.cos(turns), 2 * np.sin(turns)], -1) @ axes
    assert far.error / size == pytest.approx(9 - distance(ends, 0.0).max(), rel=1e-8)


@some
@given(seeds)
def test_the_answer_for_an_uneven_limb_is_whole(seed):
    """Joints, angles, error and direction of `uneven_limbs` fit each other; with no bend the nearer side is taken."""
    rng = np.random.default_rng(seed)
    rig = arm(constraint(softness=0.1))
    pose = random_pose(rng, rig.skeleton, (4,))
    limb, step = Limb.of(pose, [1, 2]), rng.uniform(-150, 150, (4, 2))
    ahead = np.tile([1.0, 0.0], (4, 1))
    for bend in (-1, 0, 1):
        found = uneven_limbs(limb, step, ahead, np.full(4, bend), np.full(4, 0.1), rig.constraints[0], stretch=0.05)
        turned = er.Pose(rig.skeleton, **{name: getattr(pose, name) for name in KEYED} | stretched(pose, found, limb))
        ends = np.stack([turned.world()[:, 1, :, 2], turned.world()[:, 2, :, 2], tip(rig, turned)], axis=1)
        local = affine.apply(affine.invert(turned.world()[:, 0])[:, None], ends)
        np.testing.assert_allclose(found.joints, local - local[:, :1], atol=1e-9)
        np.testing.assert_allclose(found.error, distance(found.joints[:, 2], step), atol=1e-9)
        np.testing.assert_allclose(found.direction, step / np.linalg.norm(step, axis=-1, keepdims=True), atol=1e-12)
    errors = [
        uneven_limbs(limb, step, ahead, np.full(4, b), np.zeros(4), constraint(), stretch=0.0).error for b in (0, 1, -1)
    ]
    np.testing.assert_allclose(errors[0], np.minimum(*errors[1:]), atol=1e-9)


def stretched(pose, answer, limb):
    """The channels of a pose for an answer of `uneven_limbs`."""
    rotation, k = np.array(pose.rotation), np.ones(pose.x.shape)
    rotation[:, 1], rotation[:, 2] = limb.rotations(answer.angles)
    k[:, 2] = answer.stretch
    return {"rotation": rotation, "x": pose.x * k, "y": pose.y * k, "scale_x": pose.scale_x * k}


def equal_arm(**upper):
    """Both bones of one length: the hand can touch the shoulder."""
    return arm(bones=[*arm_bones(**upper)[:2], arm_bones()[2] | {"length": UPPER}])


def test_an_uneven_limb_folds_on_its_root_as_it_does_right_beside_it():
    """The way of the hand through the shoulder has no jump where the target is exactly on it."""
    rig = equal_arm(scale_x=1.5, scale_y=0.5, shear_y=0.2)
    clip = er.Clip.from_pose(rig.skeleton.rest_pose(), 3, 30)
    solved, _ = er.solve(rig, clip, {"arm": np.array([0.6, 0.8]) * [[1e-7], [0.0], [1e-7]]})
    np.testing.assert_allclose(er.wrap(solved.rotation[1] - solved.rotation[0]), 0.0, atol=1e-7)


def test_softness_and_stretch_of_an_uneven_limb_are_those_of_any_other():
    """A sheared upper bone eases off before its reach, stretches up to its most, and says so, like a plain one."""
    bones = arm_bones(scale_x=1.2, scale_y=0.7, shear_x=0.3)
    reach = 1.2 * (UPPER + LOWER) * 1.0
    soft = arm(constraint(softness=0.05), bones=bones)
    still, firm = soft.skeleton.rest_pose(), arm(bones=bones)
    most = er.solve(firm, still, {"arm": (1e4, 0.0)})[0]
    reach = distance(tip(firm, most), [0.0, 0.0])
    solutions = er.solve(soft, still, {"arm": (reach, 0.0)})[1]
    assert solutions["arm"].why == Why.SOFT
    assert solutions["arm"].error == pytest.approx(reach - er.soften(reach, reach, 0.05), rel=1e-9)
    long = arm(constraint(on_miss="stretch", max_stretch=0.1), bones=bones)
    for asked, error, k in ((1.05, 0.0, 1.05), (1.2, 0.1 * reach, 1.1)):
        solution = er.solve(long, still, {"arm": (asked * reach, 0.0)})[1]["arm"]
        assert solution.error == pytest.approx(error, abs=1e-9)
        assert solution.stretch == pytest.approx(k)
        assert solution.why == Why.FAR | Why.STRETCH


def test_an_uneven_limb_folds_on_its_root_and_stands_for_degenerate_bones():
    """Target on the root, no upper bone, no lower bone under a sheared upper one: finite, and said."""
    squashed = {"scale_x": 1.5, "scale_y": 0.5, "shear_y": 0.2}
    for lower in ({"x": UPPER, "length": UPPER}, {"x": 0.0, "length": LOWER}, {"x": UPPER, "length": 0.0}):
        bones = [*arm_bones(**squashed)[:2], {"name": "lower", "parent": "upper", **lower}]
        rig = arm(bones=bones)
        for goal in ((0.0, 0.0), (30.0, 20.0)):
            pose, solutions = er.solve(rig, rig.skeleton.rest_pose(), {"arm": goal})
            assert np.isfinite(pose.rotation).all()
            degenerate = goal == (0.0, 0.0) or 0.0 in lower.values()
            assert (Why.DEGENERATE in Why(int(solutions["arm"].why))) == degenerate
            if lower == {"x": UPPER, "length": UPPER}:
                assert solutions["arm"].error < 1e-12


@pytest.mark.parametrize("bend", [1, -1])
def test_bend_is_the_side_of_the_elbow(bend):
    """+1 puts the elbow left of root -> target; a mirror above the limb, or in its own root bone, mirrors that."""
    goal = (55.0, 20.0)
    for mirror in ({}, {"body": -1.0}, {"upper": -1.0}, {"body": -1.0, "upper": -1.0}):
        rig = arm(constraint(bend=bend))
        pose = keyed(rig, scale_y={"body": mirror.get("body", 1.0)}, scale_x={"upper": mirror.get("upper", 1.0)})
        solutions = er.solve(rig, pose, {"arm": goal})[1]
        assert solutions["arm"].reached
        assert side(solutions["arm"].joints) == bend * math.prod(mirror.values())


def test_a_child_off_the_axis_and_a_scaled_last_bone_set_the_lengths():
    """Segments run from joint to joint: the upper one to the child's offset, the last one as long as it is scaled."""
    bones = [*arm_bones()[:2], {"name": "lower", "parent": "upper", "x": 30, "y": 40, "length": 20, "scale_x": 2.0}]
    rig = arm(bones=bones)
    pose, solutions = er.solve(rig, rig.skeleton.rest_pose(), {"arm": (90.0, 0.0)})
    np.testing.assert_allclose(solutions["arm"].joints, [[0, 0], [50, 0], [90, 0]], atol=1e-6)
    assert solutions["arm"].reached
    assert pose.rotation[1] == pytest.approx(-math.atan2(40, 30), abs=1e-7)
    mirrored = er.solve(rig, keyed(rig, scale_x={"lower": -2.0}), {"arm": (60.0, 20.0)})[1]["arm"]
    assert mirrored.reached
    assert side(mirrored.joints) == 1


def test_a_limb_deep_in_a_hierarchy_reaches():
    """Ten bones above the limb, each turned, mirrored, scaled and sheared a little."""
    line = [{"name": "b0"}, *({"name": f"b{i}", "parent": f"b{i - 1}", "x": 10} for i in range(1, 9))]
    rig = arm(bones=[*line, {"name": "body", "parent": "b8"}, *arm_bones()[1:]])
    rng = np.random.default_rng(8)
    pose, above = random_pose(rng, rig.skeleton, (50,)), np.arange(12) < 10
    calm = {name: np.where(above, np.abs(getattr(pose, name)) ** 0.2, getattr(pose, name)) for name in SCALES}
    pose = pose.replace(**calm, shear_x=pose.shear_x * 0.2, shear_y=pose.shear_y * 0.2)
    goals = reachable(rng, rig, pose, 1)
    solved, solutions = er.solve(rig, pose, {"arm": goals})
    assert solutions["arm"].reached.all()
    np.testing.assert_allclose(tip(rig, solved), goals, rtol=0, atol=1e-8)


@pytest.mark.parametrize("code", [1, 2, 3, 4])
def test_a_root_bone_that_does_not_inherit_everything_reaches(code):
    """Whatever the root bone takes over from a squashed, sheared, mirrored body, its limb is solved exactly."""
    rng = np.random.default_rng(code)
    rig = arm()
    pose = random_pose(rng, rig.skeleton, (40,))
    pose = pose.replace(inherit=np.where(np.arange(3) == 1, code, 0).astype(np.int8))
    goals = reachable(rng, rig, pose, 1)
    solved, solutions = er.solve(rig, pose, {"arm": goals})
    assert solutions["arm"].reached.all()
    np.testing.assert_allclose(tip(rig, solved), goals, rtol=0, atol=1e-9)


def test_a_last_bone_that_does_not_inherit_everything_is_measured():
    """Such a limb may miss: the error is what the pose shows, and DEGENERATE says that it was not solved exactly."""
    rig = arm()
    inherit = np.array([0, 0, 3], dtype=np.int8)
    pose = keyed(rig, scale_x={"body": 2.0}, scale_y={"body": 0.5}).replace(inherit=inherit)
    solved, solutions = er.solve(rig, pose, {"arm": (60.0, 20.0)})
    assert solutions["arm"].error == pytest.approx(distance(tip(rig, solved), (60.0, 20.0)))
    assert solutions["arm"].error > 1.0
    assert solutions["arm"].why == Why.DEGENERATE


# Mix and bend ----------------------------------------------------------------------------------------


@some
@given(seeds)
def test_mix_0_leaves_every_bit(seed):
    """With mix 0, as a factor or in the record, the pose is the keyed one, and MIX says so."""
    rng = np.random.default_rng(seed)
    rig = busy_rig(rng)
    pose = random_pose(rng, rig.skeleton, (4,))
    pose = pose.replace(rotation=np.where(rng.random(pose.x.shape) < 0.3, -0.0, pose.rotation))
    off = er.Rig(rig.skeleton, tuple(constraint(c.name, c.bones, mix=0.0) for c in rig.constraints))
    for solved, solutions in (er.solve(rig, pose, mix=0), er.solve(off, pose)):
        for name in KEYED:
            assert getattr(solved, name).tobytes() == getattr(pose, name).tobytes()
        for solution in solutions.values():
            assert (solution.stretch == 1.0).all()
            assert ((solution.why & ~int(Why.FAR | Why.NEAR)) == Why.MIX).all()


def test_mix_blends_angles_the_short_way():
    """Half way between 170° and −170° is 180°, not 0°; a stretch is blended as 1 + mix (k − 1)."""
    rig = arm(constraint(mix=0.5, on_miss="stretch", max_stretch=0.2))
    pose = keyed(rig, rotation={"upper": math.radians(170)})
    far = 1.1 * (UPPER + LOWER) * np.array([math.cos(math.radians(-170)), math.sin(math.radians(-170))])
    solved, solutions = er.solve(rig, pose, {"arm": far})
    assert math.degrees(solved.rotation[1]) == pytest.approx(180.0)
    assert solutions["arm"].stretch == pytest.approx(1.05)
    assert solved.x[2] == pytest.approx(1.05 * UPPER)


def test_the_mix_factor_multiplies_every_mix():
    """mix=0.5 of a limb whose own mix is 0.6 takes 0.3 of the answer."""
    rig = arm(constraint(mix=0.6))
    keyed_pose, full = rig.skeleton.rest_pose(), er.solve(arm(), rig.skeleton.rest_pose())[0]
    half = er.solve(rig, keyed_pose, mix=0.5)[0]
    np.testing.assert_allclose(half.rotation, 0.3 * full.rotation, rtol=1e-12)


def test_a_keyed_mix_that_overshoots_is_kept_between_0_and_1():
    """A curve may leave [0, 1] between its keys; the mix does not."""
    rig = arm()
    track = SampledTrack(mix=[-0.2, 0.0, 1.0, 1.3])
    solved, solutions = er.solve(rig, keyed(rig, 4, tracks={"arm": track}))
    np.testing.assert_array_equal(solved.rotation[0], solved.rotation[1])
    np.testing.assert_array_equal(solved.rotation[3], solved.rotation[2])
    np.testing.assert_array_equal(solutions["arm"].why, [Why.MIX, Why.MIX, 0, 0])


def test_a_keyed_bend_changes_sides_at_its_key():
    """bend −1, 0, 1 in the frames of a clip: 0 without limits is as good as +1."""
    rig = arm(constraint(bend=-1))
    clip = keyed(rig, 3, tracks={"arm": SampledTrack(bend=[-1, 0, 1])})
    np.testing.assert_array_equal(side(er.solve(rig, clip)[1]["arm"].joints), [-1, 1, 1])


# Stretch ---------------------------------------------------------------------------------------------


def test_stretch_is_written_to_the_childs_offset_and_the_last_bones_scale():
    """k times the offset of the lower bone, k times scale_x of the last: nothing else changes size."""
    bones = [*arm_bones()[:2], {"name": "lower", "parent": "upper", "x": 40, "y": 30, "length": 20, "scale_x": 2.0}]
    rig = arm(constraint(on_miss=("stretch", "accept"), max_stretch=0.25), bones=bones)
    pose, solutions = er.solve(rig, rig.skeleton.rest_pose(), {"arm": (0.0, 108.0)})
    rest = rig.skeleton.rest
    assert solutions["arm"].stretch == pytest.approx(1.2)
    assert solutions["arm"].error < 1e-9
    np.testing.assert_allclose(pose.x, rest["x"] * [1, 1, 1.2])
    np.testing.assert_allclose(pose.y, rest["y"] * [1, 1, 1.2])
    np.testing.assert_allclose(pose.scale_x, rest["scale_x"] * [1, 1, 1.2])
    for name in ("scale_y", "shear_x", "shear_y"):
        np.testing.assert_array_equal(getattr(pose, name), rest[name])


@pytest.mark.parametrize(("asked", "k", "error"), [(99.0, 1.1, 0.0), (120.0, 1.1, 21.0), (9.5, 0.95, 0.0),
                                                   (2.0, 0.9, 7.0), (70.0, 1.0, 0.0)])  # fmt: skip
def test_stretch_is_the_least_that_closes_the_miss_and_capped(asked, k, error):
    """Longer for what is too far, shorter for what is too near, never beyond max_stretch, 1 where it is not needed."""
    rig = arm(constraint(on_miss="stretch", max_stretch=0.1))
    solution = er.solve(rig, rig.skeleton.rest_pose(), {"arm": (asked, 0.0)})[1]["arm"]
    assert solution.stretch == pytest.approx(k)
    assert solution.error == pytest.approx(error, abs=1e-9)
    assert (Why.STRETCH in Why(int(solution.why))) == (k != 1.0)


def test_accept_before_stretch_means_no_stretch():
    """Strategies count up to the first "accept"."""
    rig = arm(constraint(on_miss=("accept", "stretch"), max_stretch=0.5))
    solution = er.solve(rig, rig.skeleton.rest_pose(), {"arm": (100.0, 0.0)})[1]["arm"]
    assert (solution.stretch, solution.why) == (1.0, Why.FAR)


def test_one_bone_aims_and_stretches_if_it_may():
    """A single bone points at its target; with "stretch" its tip gets there within its limits."""
    for more, k in (({"on_miss": "accept"}, 1.0), ({"on_miss": "stretch", "max_stretch": 0.5}, 1.2)):
        rig = arm(constraint(bones=("upper",), **more))
        pose, solutions = er.solve(rig, rig.skeleton.rest_pose(), {"arm": (36.0, 48.0)})
        assert pose.rotation[1] == pytest.approx(math.atan2(4, 3))
        assert pose.scale_x[1] == solutions["arm"].stretch == pytest.approx(k)
        assert solutions["arm"].error == pytest.approx(60.0 - 50.0 * k, abs=1e-9)
        assert solutions["arm"].why == Why.FAR | (Why.STRETCH if k != 1.0 else 0)


# No direction, no way back ---------------------------------------------------------------------------


def test_a_target_on_the_root_folds_along_the_last_direction():
    """In a clip the last frame that had a direction says where to fold, the keyed pose before there was one."""
    rig = equal_arm()
    points = np.array([[0, 0], [45, 60], [0, 0], [0, 0], [-30, 0], [0, 0]], dtype=float)
    for shift in ((0.0, 0.0), (123.4, -0.7)):  # off the origin the way into the body's space rounds
        clip = keyed(rig, 6, rotation={"upper": 0.5 - 0.7, "body": 0.7}, x={"body": shift[0]}, y={"body": shift[1]},
                     scale_x={"body": 1.3}, scale_y={"body": 1.3})  # fmt: skip
        solution = er.solve(rig, clip, {"arm": points + shift})[1]["arm"]
        turns = [0.5, math.atan2(80, 60), math.atan2(80, 60), math.atan2(80, 60), math.pi, math.pi]
        np.testing.assert_allclose(solution.direction, np.stack([np.cos(turns), np.sin(turns)], -1), atol=1e-12)
        none = (points == 0).all(axis=-1)
        np.testing.assert_array_equal(solution.why, np.where(none, int(Why.DEGENERATE), 0))
        assert (solution.error < 1e-9).all()
        elbows = solution.joints[:, 1] - shift
        across = np.stack([np.cos(turns), np.sin(turns)], -1) @ [[0, 1], [-1, 0]] * (1.3 * UPPER)
        np.testing.assert_allclose(elbows[none], across[none], atol=1e-9)


def test_a_pose_alone_folds_as_it_is_keyed():
    """Without time the keyed pose says where to fold; a limb keyed folded on its root takes the body's x axis."""
    rig = equal_arm()
    for lower, turn in ((0.0, 2.5), (math.pi, 0.5)):
        pose = keyed(rig, rotation={"body": 0.5, "upper": 2.0, "lower": lower})
        solution = er.solve(rig, pose, {"arm": (0.0, 0.0)})[1]["arm"]
        assert solution.why == Why.DEGENERATE
        assert solution.direction == pytest.approx((math.cos(turn), math.sin(turn)), abs=1e-9)


def test_a_squashed_parent_holds_the_limb():
    """While the body has no inverse, limb and stretch stay as in the frame before (as keyed before any); it is said."""
    rig = arm(constraint(on_miss="stretch", max_stretch=0.2))
    scale = [0.0, 1.0, 0.0, 0.0, 1.0]
    clip = keyed(rig, 5, rotation={"upper": 0.3}, scale_x={"body": scale}, scale_y={"body": [0.0, 1, 1, 0, 1]})
    solved, solutions = er.solve(rig, clip, {"arm": (60.0, 75.0)})
    np.testing.assert_array_equal(solved.rotation[0], clip.rotation[0])
    for name in ("rotation", "x", "scale_x"):
        values = getattr(solved, name)[:, 1:]
        np.testing.assert_array_equal(values[[2, 3]], values[[1, 1]])
    np.testing.assert_array_equal(solved.rotation[4], solved.rotation[1])
    held = solutions["arm"].why == Why.DEGENERATE
    np.testing.assert_array_equal(held, np.array(scale) == 0)
    assert np.isfinite(solutions["arm"].error).all()
    assert np.isfinite(solutions["arm"].direction).all()
    clip = keyed(rig, 5, rotation={"upper": [0.3, 0.4, 0.5, 0.6, 0.7]}, scale_x={"body": scale})
    off = er.solve(rig, clip, {"arm": (60.0, 75.0)}, mix=0.0)
    np.testing.assert_array_equal(off[0].rotation, clip.rotation)
    assert (off[1]["arm"].why & int(Why.DEGENERATE) == 0).all()


def test_a_limb_that_takes_only_a_direction_is_held_when_there_is_none():
    """A root bone without its parent's scale cannot turn while that parent is squashed to a line."""
    rig = arm()
    clip = keyed(rig, 3, rotation={"body": 0.3, "upper": [0.1, 0.2, 0.3]}, scale_y={"body": [1.0, 0.0, 1.0]})
    clip = clip.replace(inherit=np.array([0, 3, 0], dtype=np.int8))
    solved, solutions = er.solve(rig, clip, {"arm": (30.0, 65.0)})
    np.testing.assert_array_equal(solutions["arm"].why, [0, Why.DEGENERATE, 0])
    np.testing.assert_array_equal(solved.rotation[1], solved.rotation[0])


def test_a_squashed_frame_has_no_direction_to_remember():
    """The fold of a target on the root goes on from the last frame that could be solved."""
    rig = equal_arm()
    clip = keyed(rig, 3, scale_x={"body": [1.0, 0.0, 1.0]}, scale_y={"body": [1.0, 0.0, 1.0]})
    solution = er.solve(rig, clip, {"arm": [[60.0, 80.0], [-70.0, 0.0], [0.0, 0.0]]})[1]["arm"]
    np.testing.assert_allclose(solution.direction[2], (0.6, 0.8), atol=1e-12)


# Several constraints ----------------------------------------------------------------------------------


def test_constraints_work_in_order_on_what_those_before_have_made():
    """A target on a bone that an earlier constraint moves is where that bone is now, not where it was keyed."""
    first = constraint("arm", position=(20.0, 60.0))
    second = constraint("leg", ("leg", "shin"), (0.0, 0.0), "hand")
    rig = arm(first, second, bones=[*THREE[:5], THREE[5] | {"x": 0.0}])
    solved, solutions = er.solve(rig, rig.skeleton.rest_pose())
    hand = solved.world()[rig.skeleton.index("hand")][:, 2]
    assert solutions["leg"].reached
    np.testing.assert_allclose(tip(rig, solved, "shin"), hand, atol=1e-9)
    other = er.solve(arm(second, first, bones=[*THREE[:5], THREE[5] | {"x": 0.0}]), rig.skeleton.rest_pose())[1]
    assert not np.allclose(other["leg"].joints, solutions["leg"].joints)


def test_a_limb_that_a_later_constraint_moves_off_its_target_says_mix():
    """The earlier of two constraints on one limb had its target and lost it: its answer is not in the pose."""
    rig = arm(constraint("first"), constraint("second", position=(10.0, -70.0)))
    solutions = er.solve(rig, rig.skeleton.rest_pose())[1]
    assert solutions["second"].reached
    assert not solutions["first"].reached
    assert solutions["first"].why == Why.MIX


# Errors ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("targets", "text"),
    [
        ({"arn": (1, 2)}, r'targets: constraint "arn" does not exist \(did you mean "arm"\?\)'),
        ({"arm": (1, 2, 3)}, 'target of "arm": target: position has 3 numbers a point'),
        ({"arm": np.zeros((7, 2))}, r'"arm": shape \(7, 2\) does not fit the pose \(give \(2,\) or \(5, 2\)\)'),
        ({"arm": er.Target(np.zeros((7, 2)), "body")}, r'target of "arm": shape \(7, 2\) does not fit the pose'),
        ({"arm": er.Target((1, 2, 3), pole=(0, 0, 1))}, r'target of "arm": shape \(3,\) does not fit the pose'),
        ({"arm": SampledTrack([[1, 2]])}, 'target of "arm": a track of 1 samples does not fit Clip'),
        ({"arm": SampledTrack(mix=[1.0] * 5)}, 'target of "arm": a track of 5 samples does not fit Clip'),
        ({"arm": "here"}, 'target of "arm": .*numbers were expected'),
    ],
)
def test_targets_that_do_not_fit_are_named(targets, text):
    """What a target is for, and which shape would fit."""
    rig = arm()
    with pytest.raises(er.InputError, match=text):
        er.solve(rig, keyed(rig, 5), targets)


def test_other_arguments_that_do_not_fit_are_named():
    """A pose of another skeleton, an odd mix, parity of a native rig, an unknown engine, keys without a clock."""
    rig, pose = arm(), arm().skeleton.rest_pose()
    for bones in (THREE, [arm_bones()[0], *({**bone, "length": 1} for bone in arm_bones()[1:])]):
        with pytest.raises(er.InputError, match="solve: the pose belongs to another skeleton"):
            er.solve(rig, arm(bones=bones).skeleton.rest_pose())
    with pytest.raises(er.InputError, match=r"solve: 'walk' is no pose \(give a Pose or a Clip, such as rig.clip"):
        er.solve(rig, "walk")
    for mix in (1.5, -0.1, math.nan, True, "1"):
        with pytest.raises(er.InputError, match=r"mix: .* is out of range \(give a factor from 0 to 1\)"):
            er.solve(rig, pose, mix=mix)
    with pytest.raises(er.InputError, match="parity: True has no meaning for a native rig"):
        er.solve(rig, pose, parity=True)
    with pytest.raises(er.InputError, match='engine: "nunba" is none of auto, numpy, numba'):
        er.solve(rig, pose, engine="nunba")
    with pytest.raises(er.InputError, match='target of "arm": keys need a clip to play on'):
        er.solve(rig, pose, {"arm": TargetKeys(Track([0.0], [[1.0, 2.0]]))})


def test_a_limb_without_a_target_is_named():
    """Neither record, clip nor call says where it reaches."""
    rig = arm(er.IKConstraint("arm", ARM, None, "accept"))
    with pytest.raises(er.RigError, match=r'^constraint "arm" has no target \(give one in the rig, the clip or'):
        er.solve(rig, rig.skeleton.rest_pose())
    assert er.solve(rig, rig.skeleton.rest_pose(), {"arm": (60, 30)})[1]["arm"].reached


def test_many_positions_pose_one_pose_once_each():
    """A single pose and n positions give n poses, each as if solved alone."""
    rig = er.Rig(
        er.Skeleton.from_bones([("upper", None, 60.0), ("lower", "upper", 50.0, 60.0)]),
        (er.IKConstraint("arm", ["upper", "lower"], None, "accept"),),
    )
    points = np.random.default_rng(5).uniform(-150.0, 150.0, (20, 2))
    pose, found = er.solve(rig, rig.skeleton.rest_pose(), {"arm": points})
    assert pose.shape == (20,)
    for i, point in enumerate(points):
        alone = er.solve(rig, rig.skeleton.rest_pose(), {"arm": point})[1]["arm"]
        assert np.array_equal(alone.joints, found["arm"].joints[i])


@pytest.mark.parametrize("wrong", [None, "scout.rig.json", 3])
def test_what_is_no_rig_is_refused(wrong):
    """A path or anything else in place of a rig: one sentence that says what to give."""
    with pytest.raises(er.InputError, match="is no rig"):
        er.solve(wrong, wrong)
