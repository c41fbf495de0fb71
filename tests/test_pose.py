"""Skeletons, poses and clips: what they accept, and where their bones end up."""

from __future__ import annotations

import copy
import gzip
import json
import math
import pathlib
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elbowroom.errors import InputError, RigError
from elbowroom.rig import affine
from elbowroom.rig.pose import Clip, Pose
from elbowroom.rig.skeleton import CHANNELS, INHERIT, Skeleton
from elbowroom.rig.track import SampledTrack

LEG = [("hip", None, 0, 0, 85), ("thigh", "hip", 50, 0, 0, -1.4), ("shin", "thigh", 45, 50, 0, -0.3)]


@pytest.fixture
def leg() -> Skeleton:
    """hip, thigh, shin."""
    return Skeleton.from_bones(LEG)


def seven(count: int) -> st.SearchStrategy[np.ndarray]:
    """Channel values (7, count) of which nothing is squashed."""
    place, turn = st.floats(-50, 50), st.floats(-4, 4)
    scale = st.floats(0.3, 2.0).flatmap(lambda size: st.sampled_from((size, -size)))
    one = st.tuples(place, place, turn, scale, scale, st.floats(-0.6, 0.6), st.floats(-0.6, 0.6))
    return st.lists(one, min_size=count, max_size=count).map(lambda rows: np.array(rows).T)


# Skeleton --------------------------------------------------------------------------------------------


def test_bones_may_stand_in_any_order():
    """A child listed before its parent moves behind it; everything else keeps its place."""
    bones = [
        {"name": "foot", "parent": "shin"},
        {"name": "arm", "parent": "hip", "rotation": 0.5},
        {"name": "shin", "parent": "hip", "length": 45},
        {"name": "hip", "y": 85, "inherit": "noScale"},
        {"name": "prop"},
    ]
    skeleton = Skeleton.from_bones(bones)
    assert skeleton.names == ("hip", "shin", "foot", "arm", "prop")
    assert skeleton.parents.tolist() == [-1, 0, 1, 0, -1]
    assert skeleton.lengths.tolist() == [0, 45, 0, 0, 0]
    assert skeleton.rest["rotation"].tolist() == [0, 0, 0, 0.5, 0]
    assert skeleton.rest["scale_x"].tolist() == [1] * 5
    assert skeleton.inherit.tolist() == [3, 0, 0, 0, 0]
    assert [level.tolist() for level in skeleton.levels] == [[0, 4], [1, 3], [2]]
    assert skeleton.root == 0
    assert repr(skeleton) == "Skeleton(5 bones: hip, shin, foot, arm, prop)"


def test_index_finds_bones_and_names_the_closest(leg):
    """A name gives its place; a typing error is met with the name that was meant."""
    assert [leg.index(name) for name in leg.names] == [0, 1, 2]
    with pytest.raises(RigError, match=r'^bone "shn" does not exist \(did you mean "shin"\?\)$'):
        leg.index("shn")


def test_below_is_a_bone_and_all_that_hangs_on_it(leg):
    """Descendants of any depth, and nothing beside them."""
    assert leg.below([1]).tolist() == [False, True, True]
    assert leg.below([0]).all()
    assert not leg.below([]).any()


FAULTY = {
    "none": ([], "bones: there are none"),
    "twice": ([("a",), ("b", "a"), ("a", "b")], 'bone "a" is there 2 times (every bone needs its own name)'),
    "no text": ([(7,)], "bone 0: name is 7 (a text of at least one letter)"),
    "no name": ([{"parent": "a"}], "bone 0: name is missing"),
    "a text": (["hip"], "bone 0: 'hip' (a mapping, or a sequence of name, parent, length, "),
    "field": ([{"name": "a", "rotatoin": 1}], 'bone "a": unknown field "rotatoin" (did you mean "rotation"'),
    "unknown": ([("hip",), ("a", "hop")], 'bone "a": parent "hop" does not exist (did you mean "hip"?)'),
    "not a name": ([("hip",), ("a", ["hip"])], """bone "a": parent "['hip']" does not exist"""),
    "self": ([("a", "a")], "bones hang on each other: a -> a (one of them needs another parent)"),
    "pair": ([("a", "b"), ("b", "a"), ("c", "a")], "bones hang on each other: a -> b -> a ("),
    "loop": ([("r",), ("x", "hip"), ("hip", "shin"), ("thigh", "hip"), ("shin", "thigh")],
             "bones hang on each other: hip -> shin -> thigh -> hip ("),
    "negative": ([("a", None, -3)], 'bone "a": length is -3 (0 or more, at most 1e+150)'),
    "huge": ([("a", None, 1e308)], 'bone "a": length is 1e+308 (0 or more, at most 1e+150)'),
    "nan": ([("a",), {"name": "b", "y": math.nan}], 'bone "b": y is nan (at most 1e+150)'),
    "text": ([{"name": "a", "x": "far"}], "x: one number for each of 1 bones was expected"),
    "inherit": ([{"name": "a", "inherit": "noScal"}], 'inherit "noScal" is unknown (did you mean "noScale"'),
    "code": ([{"name": "a", "inherit": 5}], 'bone "a": inherit is 5 (0 normal, 1 onlyTranslation, '),
}  # fmt: skip


@pytest.mark.parametrize("what", FAULTY)
def test_a_faulty_skeleton_says_what_is_wrong(what):
    """Each fault is named with its bone and with what would be right."""
    bones, message = FAULTY[what]
    with pytest.raises(RigError) as error:
        Skeleton.from_bones(bones)
    assert message in str(error.value)


@pytest.mark.parametrize(("parents", "message"), [
    ([-1, 7], 'bone "b": parent 7 does not exist (−1 or an index from 0 to 1)'),
    ([1, -1], 'bone "a" stands before its parent "b" (parents first; Skeleton.from_bones sorts them)'),
    ([1, 0], "bones hang on each other: a -> b -> a"),
    ([-1], "parents: one index for each of 2 bones was expected, −1 for none"),
    ([-1.0, 0.5], "parents: one index for each of 2 bones was expected, −1 for none"),
])  # fmt: skip
def test_parents_by_index_are_checked(parents, message):
    """The constructor takes parents first, and says so otherwise."""
    with pytest.raises(RigError) as error:
        Skeleton(("a", "b"), parents)
    assert message in str(error.value)


@pytest.mark.parametrize(("more", "message"), [
    ({"rest": {"z": 0}}, 'rest: unknown channel "z"'),
    ({"inherit": 0.5}, "inherit: one index into INHERIT for each of 2 bones was expected"),
    ({"lengths": [1, 2, 3]}, "length: one number for each of 2 bones was expected"),
])  # fmt: skip
def test_other_arguments_of_a_skeleton_are_checked(more, message):
    """Rest channels, inherit codes and lengths have to fit the bones."""
    with pytest.raises(RigError) as error:
        Skeleton(("a", "b"), [-1, 0], **more)
    assert message in str(error.value)


def test_a_skeleton_lists_every_fault():
    """Two faults at once are both in the error."""
    with pytest.raises(RigError) as error:
        Skeleton.from_bones([("a", None, -1), ("b", "a", 1, math.inf)])
    assert error.value.faults == (
        'bone "a": length is -1 (0 or more, at most 1e+150)', 'bone "b": x is inf (at most 1e+150)',
    )  # fmt: skip


def test_records_are_frozen_copied_and_survive_pickling(leg):
    """Arrays are read-only and the caller's own; after pickling and copying too."""
    mine = np.array([0.1, 0.2, 0.3])
    pose = Pose(leg, rotation=mine)
    track = SampledTrack(mix=[1.0])
    clip = Clip.from_pose(pose, 1, 30, name="stand", tracks={"leg": track})
    mine[0] = 9.0
    assert pose.rotation[0] == 0.1
    for record in (pose, pickle.loads(pickle.dumps(pose)), copy.deepcopy(clip)):
        assert record.rotation.reshape(-1).tolist() == [0.1, 0.2, 0.3]
        assert record.skeleton.rest["y"].tolist() == [85, 0, 0]
        for array in (record.x, record.world(), record.inherit, record.skeleton.lengths):
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 0
    assert pickle.loads(pickle.dumps(clip)).tracks["leg"].mix.tolist() == [1.0]
    with pytest.raises(AttributeError):
        pose.x = 0  # type: ignore[misc]
    with pytest.raises(TypeError):
        clip.tracks["leg"] = track  # type: ignore[index]


# Forward kinematics ----------------------------------------------------------------------------------


def test_the_rest_pose_of_a_leg(leg):
    """Bones lie along their own x, turned by all angles above them; worked out with the standard library."""
    pose = leg.rest_pose()
    knee = (50 * math.cos(-1.4), 85 + 50 * math.sin(-1.4))
    ankle = (knee[0] + 45 * math.cos(-1.7), knee[1] + 45 * math.sin(-1.7))
    np.testing.assert_allclose(pose.world()[2, :, 2], knee, atol=1e-12)
    np.testing.assert_allclose(pose.tips(), [(0, 85), knee, ankle], atol=1e-12)
    assert pose.shape == ()


@given(seven(4))
def test_the_world_is_the_product_of_all_transforms_above(values):
    """Normal inheritance is composition from the root down, mirrored and sheared parents included."""
    skeleton = Skeleton(("a", "b", "c", "d"), [-1, 0, 1, 1])
    world = Pose(skeleton, *values).world()
    local = affine.from_parts(*values)
    above = affine.compose(local[0], local[1])
    np.testing.assert_array_equal(world[0], local[0])
    np.testing.assert_array_equal(world[2], affine.compose(above, local[2]))
    np.testing.assert_array_equal(world[3], affine.compose(above, local[3]))


frames = st.tuples(seven(4), st.lists(st.integers(0, 4), min_size=4, max_size=4))


@settings(max_examples=25)
@given(st.lists(frames, min_size=2, max_size=9))
def test_a_frame_alone_has_the_bits_of_the_frame_in_a_clip(frames):
    """Every inherit mode, mixed within a batch: one frame and the same one among others agree bit for bit."""
    skeleton = Skeleton(("a", "b", "c", "d"), [-1, 0, 1, 1])
    values = np.array([value for value, _ in frames]).swapaxes(0, 1)
    codes = np.array([code for _, code in frames])
    clip = Clip(skeleton, *values, codes, fps=30)
    for i, pose in enumerate(clip):
        alone = Pose(skeleton, *values[:, i], codes[i])
        assert clip.world()[i].tobytes() == alone.world().tobytes() == pose.world().tobytes()
        assert clip.tips()[i].tobytes() == alone.tips().tobytes()


@given(seven(2), st.sampled_from(INHERIT))
def test_what_each_inherit_mode_takes_over(values, mode):
    """Each mode drops what its name says; the child's origin always hangs on the whole parent."""
    skeleton = Skeleton(("a", "b"), [-1, 0], inherit=[0, INHERIT.index(mode)])
    parent, child = Pose(skeleton, *values).world()
    np.testing.assert_allclose(child[:, 2], affine.apply(parent, values[:2, 1]), atol=1e-9)
    local = affine.from_parts(*values[:, 1])
    area = affine.determinant(local)
    if mode == "onlyTranslation":
        np.testing.assert_array_equal(child[:, :2], local[:, :2])
    elif mode.startswith("noScale"):
        turned = parent[:, :2] @ [math.cos(values[2, 1]), math.sin(values[2, 1])]
        sheared = affine.from_parts(0, 0, math.atan2(turned[1], turned[0]), *values[3:, 1])
        flip = -1.0 if mode == "noScale" and affine.determinant(parent) < 0 else 1.0
        assert affine.determinant(child) == pytest.approx(flip * area, rel=1e-9)
        if flip > 0:
            np.testing.assert_allclose(child[:, :2], sheared[:, :2], atol=1e-9)
    elif mode == "noRotationOrReflection":
        assert affine.determinant(child) == pytest.approx(abs(affine.determinant(parent)) * area, rel=1e-9)


def test_no_scale_leaves_the_childs_own_scale():
    """A head that does not inherit scale sits at the scaled place with its own size."""
    bones = [{"name": "root"}, {"name": "body", "parent": "root", "scale_x": 1.3, "scale_y": 1.1},
             {"name": "head", "parent": "body", "x": 10, "inherit": "noScale"}]  # fmt: skip
    assert Skeleton.from_bones(bones).rest_pose().world()[2].tolist() == [[1, 0, 13], [0, 1, 0]]


def test_no_rotation_under_turned_even_scale_is_the_scale_alone():
    """Under a parent that turns and scales evenly the child is scaled and not turned, mirrored or not."""
    for flip in (1.0, -1.0):
        skeleton = Skeleton(("a", "b"), [-1, 0], inherit=[0, 2])
        world = Pose(skeleton, rotation=[2.2, 0.0], scale_x=[3.0, 1.0], scale_y=[3.0 * flip, 1.0]).world()
        np.testing.assert_allclose(world[1, :, :2], [[3, 0], [0, 3]], atol=1e-14)


def test_codes_of_a_bone_without_parent_mean_nothing():
    """The root has nothing to inherit: every mode gives the same."""
    skeleton = Skeleton(("a",), [-1], rest={"rotation": 0.4, "scale_x": 2.0})
    worlds = [Pose(skeleton, inherit=code).world().tobytes() for code in range(len(INHERIT))]
    assert len(set(worlds)) == 1


# Axes a, b, c, d of a child with rotation 25°, scale (1.2, 0.8), shear (8°, −12°) under a parent's axes
MIRRORED = (-0.4648801, 0.68943998, 0.99693857, 0.57850885)
NO_X_AXIS = (0.0, -0.84852814, 0.0, 0.84852814)
CHILDREN = {
    (MIRRORED, "normal"): (-0.01726238, 0.62107596, 1.38141785, 0.27153544),
    (MIRRORED, "onlyTranslation"): (1.00640468, -0.17996086, 0.65356685, 0.77949605),
    (MIRRORED, "noRotationOrReflection"): (0.85862045, -0.23272895, 0.6030812, 0.84123121),
    (MIRRORED, "noScale"): (0.0322851, 0.75884341, 1.19956562, 0.25329168),
    (MIRRORED, "noScaleOrReflection"): (-0.29961067, -0.79626096, 1.16199546, 0.07725593),
    (NO_X_AXIS, "normal"): (-0.5545699, -0.66142437, 0.55456984, 0.6614243),
    (NO_X_AXIS, "noRotationOrReflection"): (0.99598298, 0.35972112, 0.99598288, 0.35972108),
    (NO_X_AXIS, "noScale"): (-0.95836265, -0.67093642, 0.72217798, -0.43571127),
}


@pytest.mark.parametrize(("parent", "mode"), CHILDREN)
def test_inherit_modes_under_a_mirror_and_a_lost_axis(parent, mode):
    """Reference values of an animation runtime, for a mirrored sheared parent and one without an x axis."""
    a, b, c, d = parent
    up = [float(part) for part in affine.parts_from([[a, b, 0], [c, d, 0]])]
    own = [50, 10, math.radians(25), 1.2, 0.8, math.radians(8), math.radians(-12)]
    skeleton = Skeleton(("p", "c"), [-1, 0], inherit=[0, INHERIT.index(mode)])
    world = Pose(skeleton, *np.array([up, own]).T).world()[1, :, :2]
    np.testing.assert_allclose(world.reshape(-1), CHILDREN[parent, mode], atol=2e-7)


@pytest.mark.parametrize("version", ["4.2", "4.3"])
def test_inherit_modes_of_the_lab_rig(shared: pathlib.Path, version):
    """Every bone of the inherit rig stands where the runtime puts it (its seven-digit pi aside)."""
    rig = json.loads((shared / f"spine-lab/inherit-{version}.json").read_text())
    poses = (shared / f"spine-lab/golden/inherit-{version}.pose.json.gz").read_bytes()
    golden = json.loads(gzip.decompress(poses))
    short = {"scaleX": "scale_x", "scaleY": "scale_y", "shearX": "shear_x", "shearY": "shear_y"}
    bones = [{short.get(key, key): value for key, value in bone.items()} for bone in rig["bones"]]
    for bone in bones:
        bone |= {key: math.radians(bone[key]) for key in ("rotation", "shear_x", "shear_y") if key in bone}
    world = Skeleton.from_bones(bones).rest_pose().world()
    a_b_c_d_x_y = world[:, [0, 0, 1, 1, 0, 1], [0, 1, 0, 1, 2, 2]]
    np.testing.assert_allclose(a_b_c_d_x_y.reshape(-1), golden["setup"]["ik"], atol=1e-5)


def test_squashed_parents_never_give_nan():
    """A parent scaled to nothing leaves finite children in every mode."""
    for mode in range(len(INHERIT)):
        skeleton = Skeleton(("a", "b", "c"), [-1, 0, 1], inherit=[0, mode, mode])
        for scale in ((0.0, 1.0), (1.0, 0.0), (0.0, 0.0), (1e-200, 1e-200)):
            pose = Pose(skeleton, x=5, rotation=0.3, scale_x=[scale[0], 1, 1], scale_y=[scale[1], 1, 1])
            assert np.isfinite(pose.world()).all()


def test_a_world_beyond_range_is_refused(leg):
    """Scales that multiply to more than 1e150 are named instead of overflowing."""
    with pytest.raises(RigError, match=r'^bone "thigh": its world transform exceeds 1e\+150'):
        Pose(leg, scale_x=[1e100, 1e100, 1e140], scale_y=1e100).world()


@settings(max_examples=25)
@given(seven(5), seven(5), st.lists(st.integers(0, 4), max_size=2))
def test_refresh_recomputes_what_changed_and_nothing_else(old, new, changed):
    """Changing some bones and refreshing gives the world of the changed pose, bit for bit."""
    skeleton = Skeleton(tuple("abcde"), [-1, 0, 1, 0, 3], inherit=[0, 0, 2, 3, 0])
    before, values = Pose(skeleton, *old), old.copy()
    values[:, changed] = new[:, changed]
    after = Pose(skeleton, *values)
    assert after.refresh(before.world(), changed).tobytes() == after.world().tobytes()


# Pose and Clip ---------------------------------------------------------------------------------------


def test_channels_broadcast_to_one_shape(leg):
    """A number, one value a bone and one a frame and bone fit together; what is absent is at rest."""
    pose = Pose(leg, x=1.0, y=[1, 2, 3], rotation=np.zeros((4, 1, 3)), scale_x=np.ones((5, 3)))
    assert pose.shape == (4, 5)
    assert all(getattr(pose, c).shape == (4, 5, 3) for c in (*CHANNELS, "inherit"))
    assert pose.world().shape == (4, 5, 3, 2, 3)
    assert pose.tips().shape == (4, 5, 3, 2)
    assert pose.y[3, 4].tolist() == [1, 2, 3]
    assert Pose(leg).y.tolist() == [85, 0, 0]


POSES = {
    "width": ({"rotation": [1, 2]}, r"^rotation: shape \(2,\) \(the last axis is the bones, 3 of them\)$"),
    "nan": ({"x": [0, math.nan, 0]}, r'^bone "thigh": x is nan \(a finite number, at most 1e\+150\)$'),
    "inf": ({"y": [[0, 0, 0], [0, 0, math.inf]]}, r'^bone "shin": y at frame 1 is inf'),
    "words": ({"x": ["a", "b", "c"]}, "^x: numbers were expected"),
    "axes": ({"x": np.zeros((2, 3)), "y": np.zeros((4, 3))},
             r"^pose: leading axes do not fit each other: x \(2, 3\), y \(4, 3\)$"),
    "code": ({"inherit": [0, 9, 0]}, r'^bone "thigh": inherit is 9 \(0 normal, '),
    "codes": ({"inherit": [0, 0.5, 0]}, "^inherit: whole numbers were expected"),
}  # fmt: skip


@pytest.mark.parametrize("what", POSES)
def test_a_faulty_pose_says_what_is_wrong(leg, what):
    """The channel, the bone and the frame are named."""
    channels, message = POSES[what]
    with pytest.raises(InputError, match=message):
        Pose(leg, **channels)


def test_replace_keeps_the_rest(leg):
    """Other channels, the type and the clip's own fields stay; an unknown channel is named."""
    clip = Clip(leg, rotation=np.zeros((3, 3)), fps=30, name="wave", loop=True)
    other = clip.replace(x=7.0)
    assert isinstance(other, Clip)
    assert (other.fps, other.name, other.loop, other.x[2, 1], other.y[0, 0]) == (30, "wave", True, 7, 85)
    assert type(leg.rest_pose().replace(inherit=1)) is Pose
    with pytest.raises(InputError, match=r'^replace: unknown channel "rotate" \(did you mean "rotation"'):
        clip.replace(rotate=0)


def test_indexing_picks_frames_and_never_bones(leg):
    """Integers, slices, …, None, index arrays and masks work on the leading axes as in NumPy."""
    turns = np.arange(4 * 5 * 3, dtype=float).reshape(4, 5, 3)
    pose = Pose(leg, rotation=turns)
    mask = turns[..., 0] > 20
    for index in (2, -1, slice(1, 3), (1, 2), (None, 1), np.array([0, 2]), mask):
        np.testing.assert_array_equal(pose[index].rotation, turns[index])
    np.testing.assert_array_equal(pose[..., 3].rotation, turns[:, 3])
    np.testing.assert_array_equal(pose[2, ...].rotation, turns[2])
    np.testing.assert_array_equal(pose[None, ..., 3].rotation, turns[None, :, 3])
    np.testing.assert_array_equal(pose[...].rotation, turns)
    assert [frame.shape for frame in pose] == [(5,)] * 4
    with pytest.raises(IndexError, match=r"^pose of shape \(4, 5\): .*leading axes only"):
        pose[0, 0, 0]
    with pytest.raises(IndexError):
        leg.rest_pose()[0]
    with pytest.raises(TypeError, match="one frame has no length"):
        len(leg.rest_pose())


def test_a_clip_is_sliced_in_time(leg):
    """An integer gives a Pose, a slice a Clip with its times and tracks, a step divides fps."""
    tracks = {"leg": SampledTrack(np.arange(12.0).reshape(6, 2), "hip", mix=np.linspace(0, 1, 6))}
    clip = Clip(leg, x=np.arange(18.0).reshape(6, 3), fps=30, name="run", tracks=tracks)
    assert clip.times.tolist() == [i / 30 for i in range(6)]
    part = clip[1:6:2]
    assert isinstance(part, Clip)
    assert (part.fps, part.name, part.times.tolist()) == (15, "run", [1 / 30, 3 / 30, 5 / 30])
    assert part.tracks["leg"].position.tolist() == [[2, 3], [6, 7], [10, 11]]
    assert part.tracks["leg"].space == ("hip",) * 3
    assert type(clip[3]) is Pose
    assert clip[3].x.tolist() == [9, 10, 11]
    assert len(list(clip)) == len(clip) == len(clip[...]) == 6
    assert type(clip[[0, 1]]) is Pose
    with pytest.raises(InputError, match=r"^clip: a slice with step -1 runs backwards"):
        clip[::-1]
    with pytest.raises(InputError, match=r"^clip: no frames in that slice \(6 frames\)$"):
        clip[6:]


def test_a_clip_may_have_axes_behind_time(leg):
    """Many clips of one length are one Clip; … reaches behind time."""
    clip = Clip(leg, x=np.arange(24.0).reshape(4, 2, 3), fps=30)
    assert isinstance(clip[..., 1], Clip)
    assert clip[..., 1].x.tolist() == clip.x[:, 1].tolist()
    assert clip[1:, 0].shape == (3,)


def test_a_pose_can_be_held(leg):
    """from_pose repeats one frame for a number of frames."""
    clip = Clip.from_pose(leg.rest_pose().replace(x=2.0), 3, 24, loop=True)
    assert (clip.shape, clip.fps, clip.loop, clip.x[2].tolist()) == ((3,), 24, True, [2, 2, 2])
    assert repr(clip) == "Clip(3 bones, 3 frames at 24 fps)"
    short = Clip.from_pose(leg.rest_pose(), 1, 60, name="hold")
    assert repr(short) == 'Clip("hold", 3 bones, 1 frame at 60 fps)'
    assert repr(leg.rest_pose()) == "Pose(3 bones, one frame)"
    assert repr(Pose(leg, x=np.zeros((4, 5, 3)))) == "Pose(3 bones, 4 x 5 frames)"


CLIPS = {
    "fps": ({"fps": 0}, "^clip: fps is 0 "),
    "fps text": ({"fps": "60"}, "^clip: fps is '60' "),
    "no time": ({"x": 0.0}, r"^clip: no frames \(channels \(T, n\), time first; Clip.from_pose holds one"),
    "empty": ({"x": np.zeros((0, 3))}, "^clip: no frames"),
    "count": ({"times": [0, 1, 2]}, r"^times: shape \(3,\) \(one time for each of 2 frames\)$"),
    "back": ({"times": [1, 0.5]}, r"^times: time 1 is 0.5 after 1 \(times rise\)$"),
    "nan": ({"times": [0, math.nan]}, "^times: time 1 is not a finite number$"),
    "track": ({"tracks": {"leg": SampledTrack(mix=[1, 1, 1])}}, '^clip: track "leg" has 3 samples'),
}


@pytest.mark.parametrize("what", CLIPS)
def test_a_faulty_clip_says_what_is_wrong(leg, what):
    """Times, frames, fps and tracks have to fit each other."""
    given, message = CLIPS[what]
    with pytest.raises(InputError, match=message):
        Clip(leg, **({"x": np.zeros((2, 3)), "fps": 30} | given))
