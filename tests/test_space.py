"""Targets and the spaces they are written in."""

from __future__ import annotations

import functools
import json
import math
import pathlib
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elbowroom.errors import InputError, RigError
from elbowroom.rig import affine
from elbowroom.rig.pose import Clip, Pose
from elbowroom.rig.skeleton import Skeleton
from elbowroom.rig.space import check_frames, check_handed, point_world, space_from_world, world_from_space
from elbowroom.rig.target import Target
from elbowroom.rig.track import SampledTrack

BODY = Skeleton.from_bones([("prop",), ("hip", None, 0, 0, 85, 0.3), ("hand", "hip", 10, 20, 5)])
DOOR = affine.from_parts(20, 0, 0.5, 2, 1)
KNOB = affine.from_parts(3, 4, -0.2, 1, -1)

numbers = st.floats(-1e3, 1e3)
points = st.tuples(numbers, numbers)


# Spaces ----------------------------------------------------------------------------------------------


def test_every_kind_of_space_resolves():
    """World, character, bone, frame and frame on a frame each give their transform to the world."""
    pose = Pose(BODY, rotation=[0.7, 0.3, 0.1])
    frames = {"door": ("world", DOOR), "knob": ("door", KNOB)}
    frames |= {"cup": ("hand", KNOB), "hat": ("character", DOOR)}
    find = functools.partial(world_from_space, pose=pose, local_frames=frames)
    bones = pose.world()
    np.testing.assert_array_equal(find("world"), affine.IDENTITY)
    np.testing.assert_array_equal(find("character"), bones[0])
    np.testing.assert_array_equal(find("hand"), bones[2])
    np.testing.assert_array_equal(find("door"), DOOR)
    np.testing.assert_array_equal(find("knob"), affine.compose(DOOR, KNOB))
    np.testing.assert_array_equal(find("cup"), affine.compose(bones[2], KNOB))
    np.testing.assert_array_equal(find("hat"), affine.compose(bones[0], DOOR))


def test_the_callers_frame_goes_before_the_records():
    """A frame handed in replaces the record's of that name, also for frames that hang on it."""
    moved = affine.from_parts([0, 10, 20], 0, 0, 1, 1)
    clip = Clip.from_pose(BODY.rest_pose(), 3, 30)
    frames = {"door": ("nowhere", DOOR), "knob": ("door", KNOB)}
    found = world_from_space("knob", clip, frames={"door": moved}, local_frames=frames)
    np.testing.assert_array_equal(found, affine.compose(moved, KNOB))


def test_a_world_halfway_through_a_solve_is_used():
    """Given world transforms replace those of the pose, for bones and for the character."""
    pose = BODY.rest_pose()
    world = pose.world() + 1.0
    for space, bone in (("hip", 1), ("character", 0)):
        np.testing.assert_array_equal(world_from_space(space, pose, world=world), world[bone])


def test_spaces_keep_the_batch_of_the_pose():
    """A bone's space has one transform a frame, the world has one for all."""
    clip = Clip(BODY, x=np.arange(12.0).reshape(4, 3), fps=30)
    assert world_from_space("hand", clip).shape == (4, 2, 3)
    assert world_from_space("world", clip).shape == (2, 3)


def test_space_from_world_is_the_inverse():
    """There and back again, for a mirrored frame too."""
    pose = Pose(BODY, scale_x=-2.0)
    there = world_from_space("knob", pose, local_frames={"knob": ("hand", KNOB)})
    back = space_from_world("knob", pose, local_frames={"knob": ("hand", KNOB)})
    np.testing.assert_allclose(affine.compose(back, there), affine.IDENTITY, atol=1e-12)


def test_a_squashed_space_is_named():
    """A squashed frame is refused at once, a squashed bone when its inverse is asked for."""
    flat = affine.from_parts(0, 0, 0, 1, 0)
    for frames in ({"local_frames": {"flat": ("world", flat)}}, {"frames": {"flat": flat}}):
        with pytest.raises(RigError) as error:
            world_from_space("flat", BODY.rest_pose(), **frames)
        assert str(error.value) == (
            'space "flat" is squashed to a line: it has no inverse (give it a scale other than 0)'
        )
    pose = Pose(BODY, scale_y=[1, 1, 0])
    assert np.isfinite(world_from_space("hand", pose)).all()
    with pytest.raises(RigError, match=r'^bone "hand" is squashed to a line: it has no inverse'):
        space_from_world("hand", pose)


def test_a_bone_squashed_to_a_point_has_no_local_points():
    """A zero matrix gives an error that names the bone, never NaN."""
    pose = Pose(BODY, x=0.0, y=0.0, scale_x=[0, 1, 1], scale_y=[0, 1, 1])
    with pytest.raises(RigError, match=r'^bone "prop" is squashed to a point: it has no inverse'):
        affine.apply(space_from_world("prop", pose), (10, 20))


def test_singular_case_n06(shared: pathlib.Path):
    """The reported division by a zero determinant is an error with the bone's name."""
    case = next(c for c in json.loads((shared / "cases.json").read_text()) if c["id"] == "N06")["input"]
    (a, b), (c, d) = case["matrix"]
    x, y = case["translation"]
    pose = BODY.rest_pose()
    world = np.broadcast_to(np.array([[a, b, x], [c, d, y]], dtype=float), pose.world().shape)
    with pytest.raises(RigError, match=r'^bone "hip" is squashed to a point'):
        affine.apply(space_from_world("hip", pose, world=world), case["point"])


def test_an_unknown_space_lists_the_known_ones():
    """The closest name and every known space are in the error, also where a frame hangs on nothing."""
    frames = {"door": ("world", DOOR), "lost": ("hond", DOOR)}
    with pytest.raises(RigError) as error:
        world_from_space("doors", BODY.rest_pose(), local_frames=frames)
    assert str(error.value) == (
        'space "doors" does not exist (did you mean "door"? '
        "known: world, character, door, lost, prop, hip, hand)"
    )
    with pytest.raises(RigError, match=r'^space "hond" does not exist \(did you mean "hand"\? known: '):
        world_from_space("lost", BODY.rest_pose(), local_frames=frames)
    with pytest.raises(RigError, match=r'^space "qqq" does not exist \(known: world, character, prop'):
        world_from_space("qqq", BODY.rest_pose())


def test_frames_that_hang_on_each_other_name_the_loop():
    """A loop is found from outside it, from within, and of length one."""
    frames = {"x": ("a", DOOR), "a": ("b", DOOR), "b": ("a", DOOR), "me": ("me", DOOR)}
    for space, ring in (("x", "a -> b -> a"), ("a", "a -> b -> a"), ("b", "b -> a -> b"), ("me", "me -> me")):
        with pytest.raises(RigError, match=rf"^frames hang on each other: {ring} \(one of them needs"):
            world_from_space(space, BODY.rest_pose(), local_frames=frames)


def test_a_faulty_frame_is_refused():
    """Wrong shapes, numbers that are none and products out of range are named."""
    pose = BODY.rest_pose()
    with pytest.raises(InputError, match=r'^space "door": shape \(3, 3\) \(\(\.\.\., 2, 3\) was expected'):
        world_from_space("door", pose, frames={"door": np.eye(3)})
    with pytest.raises(InputError, match=r'^space "door": not all entries are finite'):
        world_from_space("door", pose, frames={"door": DOOR * math.nan})
    with pytest.raises(InputError, match=r'^space "door": numbers were expected'):
        world_from_space("door", pose, frames={"door": "open"})
    huge = affine.from_parts(0, 0, 0, 1e149, 1e149)
    with pytest.raises(RigError, match=r'^space "b": its world transform exceeds 1e\+150'):
        world_from_space("b", pose, local_frames={"a": ("world", huge), "b": ("a", huge)})


def test_check_frames_lists_every_fault():
    """Name clashes, unknown parents, squashed frames and loops come together; a sound record has none."""
    frames = {
        "hip": ("world", DOOR),
        "world": ("hip", DOOR),
        "lost": ("hond", DOOR),
        "flat": ("world", affine.from_parts(0, 0, 0, 1, [1, 0])),
        "a": ("b", DOOR),
        "b": ("a", DOOR),
    }
    assert check_frames(frames, BODY.names) == (
        'frame "hip": the name is taken by a bone (choose another)',
        'frame "world": the name is taken by a fixed space (choose another)',
        'frame "lost": parent "hond" does not exist (did you mean "hand"? '
        "known: world, character, prop, hip, hand, lost, flat, a, b)",
        'space "flat" is squashed to a line at frame 1: it has no inverse (give it a scale other than 0)',
        "frames hang on each other: hip -> world -> hip (one of them needs another parent)",
        "frames hang on each other: a -> b -> a (one of them needs another parent)",
    )
    assert check_frames({"knob": ("door", KNOB), "door": ("hand", DOOR)}, BODY.names) == ()


def test_a_callers_frame_must_not_take_a_name():
    """A frame called like a bone or like a fixed space would be ambiguous."""
    check_handed({"door": DOOR}, BODY.names)
    for name in ("hip", "world", "character"):
        with pytest.raises(InputError, match=rf'^frames: "{name}" is a space already \(choose another'):
            check_handed({name: DOOR}, BODY.names)


# Keyed targets ---------------------------------------------------------------------------------------


@given(st.lists(st.tuples(points, points, st.sampled_from((0.0, 0.25, 1.0))), min_size=1, max_size=12))
def test_a_change_of_space_is_exact_at_both_ends(samples):
    """At weight 0 the point is the old one to the bit, at 1 the new one, between them the weighted mean."""
    before, now, weight = (np.array(column) for column in zip(*samples, strict=True))
    clip = Clip(BODY, x=np.linspace(0, 9, 3 * len(now)).reshape(-1, 3), fps=30)
    track = SampledTrack(now, "hand", before, "hip", weight)
    found = point_world(track, functools.partial(world_from_space, pose=clip))
    old = affine.apply(world_from_space("hip", clip), before)
    new = affine.apply(world_from_space("hand", clip), now)
    np.testing.assert_array_equal(found[weight == 0], old[weight == 0])
    np.testing.assert_array_equal(found[weight == 1], new[weight == 1])
    np.testing.assert_allclose(found, old + weight[:, None] * (new - old), rtol=1e-12, atol=1e-9)


def test_each_sample_is_taken_out_of_its_own_space():
    """Spaces may differ from sample to sample; each is resolved once, and only where it counts."""
    asked = []

    def resolve(space: str) -> np.ndarray:
        asked.append(space)
        return affine.from_parts({"a": 10, "b": 20, "c": 30}[space], 0, 0, 1, 1)

    weight = [1, 1, 1, 0.5, 0]
    track = SampledTrack(np.ones((5, 2)), list("ababy"), np.zeros((5, 2)), list("xxxcb"), weight)
    assert point_world(track, resolve).tolist() == [[11, 1], [21, 1], [11, 1], [25.5, 0.5], [20, 0]]
    assert sorted(asked) == ["a", "b", "b", "c"]


def test_points_follow_further_axes_of_the_clip():
    """Many clips at once give many points a sample."""
    clip = Clip(BODY, x=np.arange(24.0).reshape(4, 2, 3), fps=30)
    weight = [1, 1, 0.5, 0]
    track = SampledTrack(np.ones((4, 2)), "hand", np.ones((4, 2)), "world", weight)
    both = point_world(track, functools.partial(world_from_space, pose=clip))
    assert both.shape == (4, 2, 2)
    for i in range(2):
        one = point_world(track, functools.partial(world_from_space, pose=clip[:, i]))
        np.testing.assert_array_equal(both[:, i], one)


def test_a_track_without_a_position_has_no_points():
    """Mix or bend alone say nothing about where."""
    with pytest.raises(InputError, match=r"^track: no position is keyed$"):
        point_world(SampledTrack(mix=[1.0]), lambda space: affine.IDENTITY)


def test_a_track_fills_in_what_goes_without_saying():
    """A bare position is in the world, unblended; frozen, sliced and pickled like every record."""
    track = SampledTrack([[1, 2], [3, 4]], mix=1, bend=[1, -1])
    assert track.space == track.before_space == ("world", "world")
    assert track.weight.tolist() == [1, 1]
    assert track.before.tolist() == track.position.tolist()
    assert track.mix.tolist() == [1, 1]
    assert track.bend.dtype == np.int8
    assert (len(track), len(track[1:])) == (2, 1)
    assert repr(track) == "SampledTrack(2 samples of position, mix, bend)"
    assert pickle.loads(pickle.dumps(track)).bend.tolist() == [1, -1]
    with pytest.raises(ValueError, match="read-only"):
        track.position[0] = 0
    with pytest.raises(TypeError, match="a track takes slices"):
        track[0]
    rounded = SampledTrack([[0, 0], [0, 0]], weight=[1 + 2e-16, -1e-12])
    assert rounded.weight.tolist() == [1, 0]


TRACKS = {
    "nothing": ({}, "track: nothing is keyed (position, mix or bend, one row a sample)"),
    "no position": ({"mix": [1], "space": "hip"}, "track: position is missing (space, before and weight"),
    "shape": ({"position": [[1, 2, 3]]}, "track: position has shape (1, 3) ((1, 2) was expected)"),
    "nan": ({"position": [[1, 2], [math.nan, 0]]}, "track: position at sample 1 is nan (a finite number)"),
    "names": ({"position": [[1, 2]], "space": ["a", "b"]}, "track: space has 2 names (one for each of 1"),
    "name": ({"position": [[1, 2]], "space": [3]}, "track: space at sample 0 is 3 (the name of a space)"),
    "before": ({"position": [[1, 2]], "before": [1, 2]}, "track: before has shape (2,) ((1, 2) was"),
    "weight": ({"position": [[1, 2]], "weight": 1.5}, "track: weight at sample 0 is 1.5 (from 0, old"),
    "mix": ({"mix": [1, 2], "bend": [1]}, "track: bend has shape (1,) ((2,) was expected)"),
    "bend": ({"bend": [1, 0.5]}, "track: bend at sample 1 is 0.5 (-1, 0 or 1)"),
}


@pytest.mark.parametrize("what", TRACKS)
def test_a_faulty_track_says_what_is_wrong(what):
    """Field and sample are named, with what was expected."""
    given_, message = TRACKS[what]
    with pytest.raises(InputError) as error:
        SampledTrack(**given_)
    assert message in str(error.value)


# Target ----------------------------------------------------------------------------------------------


def test_a_target_keeps_position_and_space():
    """Plain pairs and arrays are kept as read-only arrays; equal targets are equal."""
    target = Target((120, 40), "hip")
    assert repr(target) == 'Target((120.0, 40.0), space="hip")'
    assert target == Target(np.array([120.0, 40.0]), space="hip")
    assert hash(target) == hash(Target([120.0, 40.0], "hip"))
    assert target != Target((120, 40))
    assert target != Target((120, 41), "hip")
    assert target != "hip"
    assert Target((1, 2)).space == "world"
    assert repr(Target(np.zeros((4, 2)))) == 'Target(4 points, space="world")'
    assert pickle.loads(pickle.dumps(target)) == target
    with pytest.raises(ValueError, match="read-only"):
        target.position[0] = 1


def test_a_pole_makes_a_target_spatial():
    """With a pole the position has three numbers too."""
    target = Target((1, 2, 3), pole=(0, 1, 0))
    assert target.position.shape == target.pole.shape == (3,)
    assert target == Target((1, 2, 3), pole=(0, 1, 0))
    assert target != Target((1, 2, 3), pole=(0, 1, 1))
    assert Target((1, 2)) != target
    assert repr(target) == 'Target((1.0, 2.0, 3.0), space="world", pole=…)'


TARGETS = {
    "three": (((1, 2, 3),), "target: position has 3 numbers a point (two numbers (x, y) were expected)"),
    "one": ((5,), "target: position has 1 number a point (two numbers (x, y) were expected)"),
    "flat": (((1, 2), "world", (0, 1, 0)), "target: position has 2 numbers a point (three numbers (x, y, z)"),
    "nan": (((math.nan, 2),), "target: position has x = nan (a finite number, at most 1e+150)"),
    "frame": (([[1, 2], [3, math.inf]],), "target: position at frame 1 has y = inf (a finite number"),
    "text": (("here",), "target: position: numbers were expected"),
    "ragged": (([[1, 2], [3]],), "target: position: numbers were expected, in rows of one length"),
    "space": (((1, 2), None), 'target: space is None (a name: "world", "character", a bone or a frame)'),
    "no name": (((1, 2), ""), "target: space is '' (a name: "),
}


@pytest.mark.parametrize("what", TARGETS)
def test_a_faulty_target_says_what_is_wrong(what):
    """A wrong count, a number that is none and a missing space are named."""
    given_, message = TARGETS[what]
    with pytest.raises(InputError) as error:
        Target(*given_)
    assert message in str(error.value)
