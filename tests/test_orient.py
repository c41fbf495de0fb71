"""Which way what hangs on a limb looks: free, keep, follow."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from limb_rigs import LOWER, arm, arm_bones, constraint, random_pose

import elbowroom as er
from elbowroom.rig.frames import FrameSpec
from elbowroom.rig.track import SampledTrack

HAND = [*arm_bones(), {"name": "hand", "parent": "lower", "x": LOWER, "length": 15, "rotation": 0.3}]
seeds = st.integers(0, 2**32 - 1)


def look(pose, bone="hand", world=None):
    """The direction [rad] of a bone's x axis in the world."""
    x = (pose.world() if world is None else world)[..., pose.skeleton.index(bone), :, 0]
    return np.arctan2(x[..., 1], x[..., 0])


def apart(a, b):
    """The angle between two directions."""
    return np.abs(np.angle(np.exp(1j * (np.asarray(a) - b))))


@settings(max_examples=40)
@given(seeds)
def test_keep_holds_the_direction_in_the_world(seed):
    """Whatever scales, mirrors and shears, the hand looks where it looked before the arm was solved."""
    rng = np.random.default_rng(seed)
    rig = arm(constraint(orientation="keep"), bones=HAND)
    pose = random_pose(rng, rig.skeleton, (6,))
    solved, found = er.solve(rig, pose, {"arm": rng.uniform(-120, 120, (6, 2))})
    clear = (np.asarray(found["arm"].why) & er.Why.DEGENERATE) == 0
    assert apart(look(solved), look(pose))[clear].max(initial=0.0) < 1e-6


@pytest.mark.parametrize("bend", [1, -1])
def test_free_turns_with_the_limb(bend):
    """The default leaves the hand's own rotation alone."""
    rig = arm(constraint(bend=bend), bones=HAND)
    solved, _ = er.solve(rig, rig.skeleton.rest_pose())
    assert solved.rotation[3] == rig.skeleton.rest["rotation"][3]


def test_follow_counts_in_the_space_of_the_target():
    """In the world the hand's rotation is its direction; on a turned frame it turns with that frame."""
    turns = np.linspace(-1.0, 2.0, 7)
    door = np.zeros((7, 2, 3))
    door[:, 0, 0], door[:, 0, 1] = np.cos(turns), -np.sin(turns)
    door[:, 1, 0], door[:, 1, 1] = np.sin(turns), np.cos(turns)
    door[:, :, 2] = (50.0, 10.0)
    rig = arm(constraint(orientation="follow"), bones=HAND)
    solved, _ = er.solve(rig, rig.skeleton.rest_pose())
    assert apart(look(solved), 0.3) < 1e-12
    clip = er.Clip.from_pose(rig.skeleton.rest_pose(), 7, 30)
    solved, found = er.solve(rig, clip, {"arm": er.Target((0.0, 0.0), "door")}, frames={"door": door})
    assert found["arm"].reached.all()
    assert apart(look(solved), turns + 0.3).max() < 1e-12


def test_follow_turns_along_a_change_of_space():
    """While a target blends from one space into another, so does the direction."""
    frames = {"door": FrameSpec("world", 40.0, 0.0, 90.0)}
    rig = arm(constraint(orientation="follow"), bones=HAND, frames=frames)
    weight = np.array([0.0, 0.25, 0.5, 1.0])
    here, there = np.full((4, 2), 10.0), np.full((4, 2), 30.0)
    track = SampledTrack(here, ["door"] * 4, there, ["world"] * 4, weight)
    clip = er.Clip.from_pose(rig.skeleton.rest_pose(), 4, 30, tracks={"arm": track})
    solved, _ = er.solve(rig, clip)
    assert apart(look(solved), 0.3 + weight * np.pi / 2).max() < 1e-12


def test_half_the_mix_turns_half_the_way():
    """The hand's rotation is blended with its keyed one, as the limb's is."""
    half, off = (arm(constraint(orientation="keep", mix=mix), bones=HAND) for mix in (0.5, 0.0))
    pose = half.skeleton.rest_pose()
    keyed, solved = pose.rotation[3], er.solve(half, pose)[0]
    turned = solved.rotation[[1, 2]].sum()  # by as much the hand would have to turn back
    assert abs(solved.rotation[3] - (keyed - 0.5 * turned)) < 1e-12
    assert er.solve(off, pose)[0].rotation[3] == keyed


def test_bones_that_inherit_no_rotation_keep_their_own():
    """Their direction is their own already."""
    bones = [*HAND[:-1], HAND[-1] | {"inherit": "onlyTranslation"}]
    rig = arm(constraint(orientation="keep"), bones=bones)
    solved, _ = er.solve(rig, rig.skeleton.rest_pose())
    assert solved.rotation[3] == rig.skeleton.rest["rotation"][3]
