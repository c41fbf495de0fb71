"""Chains as constraints: the same record, the same answer and the same report as a limb's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from limb_rigs import constraint, distance, random_pose

import elbowroom as er
from elbowroom.kernel.solution import Why
from elbowroom.rig.rig import Rig
from elbowroom.solve.chains import Chain

seeds = st.integers(0, 2**32 - 1)
SOLVERS = ("least_change", "ccd", "fabrik")
NAMES = ("one", "two", "three", "four")
TAIL = [
    {"name": "body", "x": 5.0, "y": 3.0},
    {"name": "one", "parent": "body", "x": 2.0, "length": 30.0, "rotation": 0.9},
    {"name": "two", "parent": "one", "x": 30.0, "length": 25.0, "rotation": -0.4},
    {"name": "three", "parent": "two", "x": 25.0, "y": 2.0, "length": 20.0, "rotation": -0.3},
    {"name": "four", "parent": "three", "x": 20.0, "length": 15.0, "rotation": -0.3},
]
REACH = 30.0 + np.hypot(25.0, 2.0) + 20.0 + 15.0


def tail(*, bones=TAIL, names=NAMES, position=(50.0, 40.0), **more):
    """A rig of four bones on a body."""
    limb = constraint("tail", names, position, **more)
    return Rig(er.Skeleton.from_bones(bones), (limb,))


def targets(rng, count):
    """Points in reach of the tail."""
    turn, far = rng.uniform(-np.pi, np.pi, count), rng.uniform(0.15, 0.9, count) * REACH
    return np.stack([7.0 + far * np.cos(turn), 3.0 + far * np.sin(turn)], axis=-1)


@settings(max_examples=25)
@given(seeds)
def test_angles_and_rotations_are_two_ways_to_say_one_pose(seed):
    """From the bones' rotations to the segments' angles and back, under mirrors and even scales; lengths too."""
    rng = np.random.default_rng(seed)
    rig = tail()
    pose = random_pose(rng, rig.skeleton, (5,), even=True)
    bones = [rig.skeleton.index(name) for name in NAMES]
    chain = Chain.of(pose, bones)
    rotations = [pose.rotation[:, bone] for bone in bones]
    back = chain.rotations(chain.angles(rotations))
    assert np.abs(np.stack(back) - np.stack(rotations)).max() < 1e-12
    world = pose.world()
    scale = np.sqrt(np.abs(np.linalg.det(world[:, 0, :, :2])))
    joints = np.stack([*(world[:, bone, :, 2] for bone in bones), pose.tips()[:, bones[-1]]], axis=1)
    steps = np.diff(joints, axis=1)
    assert np.allclose(np.hypot(*np.moveaxis(steps, -1, 0)), chain.lengths * scale[:, np.newaxis], rtol=1e-9)
    side = np.sign(np.linalg.det(world[:, 0, :, :2]))  # the body's mirror turns every angle the other way
    ways = np.arctan2(steps[..., 1], steps[..., 0])
    off = np.diff(ways, axis=1) * side[:, np.newaxis] - chain.angles(rotations)[:, 1:]
    assert np.abs(np.angle(np.exp(1j * off))).max() < 1e-9


@pytest.mark.parametrize("solver", [None, *SOLVERS])
def test_a_chain_reaches_whatever_it_hangs_on(solver):
    """Under mirrored and scaled parents, and with mirrored and scaled bones of its own, within its tolerance."""
    rng = np.random.default_rng(3)
    rig = tail(solver=solver, iterations=400)
    pose = random_pose(rng, rig.skeleton, (12,), even=True)
    reach = np.stack([np.linalg.norm(np.diff(joints, axis=0), axis=1).sum() for joints in _joints(pose)])
    to = _joints(pose)[:, 0] + 0.6 * reach[:, np.newaxis] * _ways(rng, 12)
    solved, found = er.solve(rig, pose, {"tail": to})
    answer = found["tail"]
    tips = solved.tips()[:, rig.skeleton.index("four")]
    assert np.allclose(distance(tips, to), answer.error)
    told = (np.asarray(answer.why) & (Why.BUDGET | Why.NEAR)) != 0
    assert (answer.error[~told] <= 1.1e-6 * reach[~told]).all()
    assert told.sum() <= (2 if solver in ("ccd", "fabrik") else 0)


def _joints(pose):
    bones = [pose.skeleton.index(name) for name in NAMES]
    return np.stack([*(pose.world()[:, bone, :, 2] for bone in bones), pose.tips()[:, bones[-1]]], axis=1)


def _ways(rng, count):
    turn = rng.uniform(-np.pi, np.pi, count)
    return np.stack([np.cos(turn), np.sin(turn)], axis=-1)


@pytest.mark.parametrize("solver", SOLVERS)
def test_limits_are_those_of_the_bones_rotations(solver):
    """Every bone's own rotation stays in its range, mirrored bones included, and what binds is told."""
    rng = np.random.default_rng(5)
    limits = [(-0.5, 1.5), (-0.8, 0.1), (-0.6, 0.2), (-0.6, 0.2)]
    bones = [TAIL[0], TAIL[1], TAIL[2] | {"scale_y": -1.0}, *TAIL[3:]]
    rig = tail(bones=bones, limits=limits, solver=solver)
    solved, found = er.solve(rig, rig.skeleton.rest_pose(), {"tail": targets(rng, 60)})
    turns = np.stack([solved.rotation[:, rig.skeleton.index(name)] for name in NAMES], axis=-1)
    low, high = np.array(limits).T
    assert (turns >= low - 1e-11).all()
    assert (turns <= high + 1e-11).all()
    assert ((np.asarray(found["tail"].why) & Why.LIMIT) != 0).any()


def test_softness_and_stretch_are_as_for_a_limb():
    """Softness leaves the end short of full reach and says so; stretch closes that, up to its cap."""
    to = np.array([[7.0 + 0.99 * REACH, 3.0], [7.0 + 1.05 * REACH, 3.0], [7.0 + 1.5 * REACH, 3.0]])
    plain, soft, longer = (
        er.solve(rig, rig.skeleton.rest_pose(), {"tail": to})[1]["tail"]
        for rig in (tail(), tail(softness=0.05), tail(softness=0.05, on_miss="stretch", max_stretch=0.1))
    )
    assert plain.error[0] < 1e-5 * REACH
    assert [int(why) for why in plain.why[1:]] == [Why.FAR, Why.FAR]
    assert np.allclose(plain.error[1:], [0.05 * REACH, 0.5 * REACH], rtol=1e-4)
    assert soft.error[0] > 0.01 * REACH
    assert int(soft.why[0]) == Why.SOFT
    assert (longer.error[:2] < 1e-5 * REACH).all()
    assert np.allclose(longer.stretch[2], 1.1)
    assert (np.asarray(longer.why) & Why.STRETCH).all()


def test_a_chain_moves_its_root():
    """The body comes as near as the chain is short."""
    rig = tail(position=(7.0 + REACH + 10.0, 3.0), on_miss="move_root", root="body")
    solved, found = er.solve(rig, rig.skeleton.rest_pose())
    assert found["tail"].error < 1e-5 * REACH
    assert solved.x[0] - 5.0 == pytest.approx(10.0, abs=1e-6)


def test_mix_turns_every_bone_a_part_of_its_way():
    """Half the mix is half the turn of each bone, and told."""
    whole, half = (tail(mix=mix) for mix in (1.0, 0.5))
    pose = whole.skeleton.rest_pose()
    (one, _), (some, found) = (er.solve(rig, pose) for rig in (whole, half))
    assert np.allclose(some.rotation - pose.rotation, 0.5 * (one.rotation - pose.rotation))
    assert int(found["tail"].why) & Why.MIX


def test_a_spent_budget_is_told_and_found():
    """One iteration of ccd from afar: BUDGET, its number, and the check that names it; the default has no finding."""
    poor, rich = tail(position=(-40.0, -30.0), solver="ccd", iterations=1), tail(position=(-40.0, -30.0))
    found = er.solve(poor, poor.skeleton.rest_pose())[1]["tail"]
    assert int(found.why) & Why.BUDGET
    assert int(found.iterations) == 1
    [finding] = er.check(poor, only=["budget"]).findings
    assert (finding.constraint, finding.severity) == ("tail", "warning")
    assert "ccd ran out of iterations (1)" in finding.message
    assert not er.check(rich, only=["budget"]).findings


def test_frames_of_a_clip_are_frames_alone():
    """The default solver remembers nothing."""
    rng = np.random.default_rng(8)
    rig = tail()
    clip = er.Clip.from_pose(rig.skeleton.rest_pose(), 9, 30)
    to = targets(rng, 9)
    whole = er.solve(rig, clip, {"tail": to})[0]
    for i in (0, 4, 8):
        alone = er.solve(rig, clip[i], {"tail": to[i]})[0]
        assert np.array_equal(alone.rotation, whole.rotation[i])


def test_two_bones_by_a_chain_solver():
    """A limb of two bones may name one as well, and gets where its closed form gets."""
    rng = np.random.default_rng(4)
    to = targets(rng, 20) * 0.5
    answers = [
        er.solve(rig, rig.skeleton.rest_pose(), {"tail": to})[1]["tail"].error
        for rig in (tail(names=NAMES[:2]), *(tail(names=NAMES[:2], solver=s, iterations=300) for s in SOLVERS))
    ]
    for error in answers[1:]:
        assert np.abs(error - answers[0]).max() < 2e-3
