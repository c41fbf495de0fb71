"""Animations of Spine files: how keys are read, what is refused, and what they say at a time."""

from __future__ import annotations

import gzip
import json
import math
import pathlib
import pickle
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elbowroom.errors import InputError
from elbowroom.formats.spine.keys import SpineFault
from elbowroom.formats.spine.timelines import read_animations
from elbowroom.rig.pose import Pose
from elbowroom.rig.skeleton import CHANNELS, SETUP, Skeleton
from elbowroom.rig.spine.animation import SpineAnimation
from elbowroom.rig.spine.curves import Keys, along, half_turn, points, single
from elbowroom.rig.spine.records import (
    Attachment,
    Skin,
    Slot,
    Spine,
    SpineIK,
    SpinePath,
    SpineTransform,
    Unsimulated,
    Vertices,
)

NEW, OLD = (4, 2), (3, 8)
SKELETON = Skeleton(["root", "a"], [-1, 0], 0.0, {"rotation": [0.0, math.radians(10.0)], "scale_x": [1.0, 2.0]})
FLAT = Attachment("flat", "path", {}, Vertices(np.array([[1.0, 2.0], [3.0, 4.0]])))
PULLED = Attachment("pulled", "path", {}, Vertices(np.ones((3, 2)), np.array([1, 2]), np.zeros(3, int), np.ones(3)))
SPINE = Spine(
    NEW,
    ik=(SpineIK("ik", (1,), 0, mix=0.25, softness=3.0, bend=-1, stretch=True),),
    transform=(SpineTransform("follow", (1,), 0, mixes=(0.1, 0.2, 0.3, 0.4, 0.5, 0.6)),),
    path=(SpinePath("ride", (1,), 0, position=7.0, spacing=8.0, mixes=(0.7, 0.8, 0.9)),),
    unsimulated=(Unsimulated("wind", "physics"),),
    slots=(Slot("slot", 1, "flat"), Slot("bare", 1)),
    skins={"default": Skin("default", attachments={(0, "flat"): FLAT, (0, "pulled"): PULLED})},
)


def read(
    animation: Any, version: tuple[int, int] = NEW, spine: Spine = SPINE, skeleton: Skeleton = SKELETON
) -> tuple[SpineAnimation, list[str]]:
    """One animation of a file of some version, and what was noted."""
    raw = animation if isinstance(animation, bytes) else json.dumps(animation).encode()
    notes: list[str] = []
    here = Spine(**{**vars(spine), "version": version})
    return read_animations({"x": msgspec.Raw(raw)}, skeleton, here, notes.append)["x"], notes


def bone(timelines: dict[str, Any], times: Any, channel: str = "rotation", version: tuple[int, int] = NEW) -> Any:
    """What the keys of bone "a" make of a channel; rotation and shear in degrees."""
    values = read({"bones": {"a": timelines}}, version)[0].channels(SKELETON, times)[channel][:, 1]
    return np.degrees(values) if channel in ("rotation", "shear_x", "shear_y") else values


def test_bezier_golden() -> None:
    """A curve is cut into ten straight pieces, as the runtime does."""
    keys = [{"curve": [0.25, 0, 0.75, 90]}, {"time": 1, "value": 90}]
    got = bone({"rotate": keys}, [0.05, 0.1, 0.25, 0.5, 0.75, 0.9])
    assert got == pytest.approx([11.53659, 13.82979, 26.60194, 55, 83.39806, 96.17022], abs=6e-6)


def test_stepped_holds() -> None:
    """A stepped key holds until the very next one."""
    got = bone({"rotate": [{"curve": "stepped"}, {"time": 1, "value": 100}]}, [0, 0.5, 0.999, 1])
    assert got - 10.0 == pytest.approx([0, 0, 0, 100])


def test_steep_easing_of_3_8() -> None:
    """A curve that is almost upright in the middle is followed, ten pieces fine."""
    keys = [{"curve": 0.9, "c2": 0, "c3": 0.1, "c4": 1}, {"time": 1, "angle": 100}]
    got = bone({"rotate": keys}, [0.25, 0.5, 0.75], version=OLD) - 10.0
    assert got == pytest.approx([3.729, 50.0, 96.271], abs=1.5)


@pytest.mark.parametrize("curve", [{"curve": 0.2, "c3": 0.7}, {"curve": [0.2, 0, 0.7, 1]}])
def test_curve_forms_of_3_7(curve: dict[str, Any]) -> None:
    """A list of four and a number with c2 to c4 (0, 1, 1 if left out) are the same curve."""
    whole = bone({"translate": [{"curve": 0.2, "c2": 0, "c3": 0.7, "c4": 1}, {"time": 2, "x": 9}]}, [0.7], "x", (3, 7))
    assert bone({"translate": [curve, {"time": 2, "x": 9}]}, [0.7], "x", (3, 7)) == whole


def test_before_the_first_key_is_setup() -> None:
    """The setup value stands until the first key; then the key adds to it."""
    assert bone({"rotate": [{"time": 3, "value": 60}]}, [0, 1, 2.999, 3, 9]) == pytest.approx([10, 10, 10, 70, 70])


@pytest.mark.parametrize(("version", "field", "middle"), [(OLD, "angle", -5.0), (NEW, "value", 175.0)])
def test_long_turns(version: tuple[int, int], field: str, middle: float) -> None:
    """Up to 3.8 rotations go the short way, from 4.0 on as written; the last key is not wrapped."""
    got = bone({"rotate": [{field: 0}, {"time": 1, field: 350}]}, [0.5, 1], version=version) - 10.0
    assert got == pytest.approx([middle, 350.0])


def test_stepped_turns_are_wrapped_in_3_8() -> None:
    """A stepped rotation of 3.8 is wrapped, too, but not that of the last key."""
    keys = [{"angle": 350, "curve": "stepped"}, {"time": 1, "angle": 350}]
    assert bone({"rotate": keys}, [0.5, 1], version=OLD) - 10.0 == pytest.approx([-10, 350])


def test_single_axes_and_scales() -> None:
    """Single-axis timelines leave the other axis alone; scales multiply the setup, the rest adds."""
    lines = {name: [{"value": 3}] for name in ("translatex", "scalex", "sheary")}
    got = read({"bones": {"a": lines}})[0].channels(SKELETON, [0.0])
    assert sorted(got) == ["scale_x", "shear_y", "x"]
    assert (got["x"][0, 1], got["scale_x"][0, 1]) == (3, 6)
    assert math.degrees(got["shear_y"][0, 1]) == pytest.approx(3)


def test_curves_of_their_own() -> None:
    """From 4.0 on every value has its curve: x eases here, y does not."""
    keys = [{"curve": [0.5, 0, 1, 1, 0.3, 3, 0.7, 7]}, {"time": 1, "x": 1, "y": 10}]
    x, y = (bone({"translate": keys}, [0.35], channel)[0] for channel in "xy")
    assert x < 0.2
    assert y == pytest.approx(3.5, abs=0.5)


def test_inherit_steps() -> None:
    """Inherit keys step, and have their word under "inherit"."""
    keys = [{"time": 0.5, "inherit": "noScale"}, {"time": 1, "inherit": "Normal"}]
    assert bone({"inherit": keys}, [0, 0.5, 0.9, 1], "inherit").tolist() == [0, 3, 3, 0]
    assert read({"bones": {"a": {"inherit": keys}}}, (4, 1))[1], "not known before 4.2"
    with pytest.raises(SpineFault, match=r'"value" does not exist.*normal'):
        read({"bones": {"a": {"inherit": [{"inherit": "value"}]}}})


def test_ik_keys_take_the_defaults_of_the_format() -> None:
    """What an IK key leaves out is the format's default, not the setup; the bend of a track has our sense."""
    found = read({"ik": {"ik": [{"time": 1, "mix": 0.5}, {"time": 2, "bendPositive": False}]}})[0]
    times = [0.0, 1.0, 1.5, 2.0]
    state = found.state(times, None).ik["ik"]
    assert state.mix.tolist() == [0.25, 0.5, 0.75, 1.0]
    assert state.softness.tolist() == [3, 0, 0, 0]
    assert state.bend.tolist() == [-1, 1, 1, -1]
    assert state.stretch.tolist() == [True, False, False, False]
    assert found.tracks(times, {})["ik"].bend.tolist() == [1, -1, -1, 1]


def test_a_mix_that_overshoots_stays_a_mix() -> None:
    """A track has mixes from 0 to 1, whatever a curve does between its keys; the state has the curve."""
    keys = [{"mix": 0, "curve": [0.2, 9, 0.8, -9, 0, 0, 1, 0]}, {"time": 1}]
    found, times = read({"ik": {"ik": keys}})[0], np.linspace(0, 1, 21)
    assert found.state(times, None).ik["ik"].mix.max() > 1.0
    mix = found.tracks(times, {})["ik"].mix
    assert mix is not None
    assert (mix.min(), mix.max()) == (0.0, 1.0)


@pytest.mark.parametrize(("version", "scale_y", "shear"), [((4, 0), 0.4, 0.5), ((4, 2), 0.4, 0.5), ((4, 3), 1.0, 0.75)])
def test_transform_keys(version: tuple[int, int], scale_y: float, shear: float) -> None:
    """Mixes left out follow their x or are 1; to 4.2 every key has the first one's shear mix."""
    keys = [{"mixX": 0.2, "mixScaleX": 0.4, "mixShearY": 0.5}, {"time": 1, "mixX": 0.2, "mixScaleX": 0.4}]
    mixes = read({"transform": {"follow": keys}}, version)[0].state([-1, 0.5], None).transform["follow"]
    assert mixes[0].tolist() == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    assert mixes[1] == pytest.approx([1, 0.2, 0.2, 0.4, scale_y, shear])


def test_the_shear_curve_ends_where_the_file_says() -> None:
    """In 4.2 the points of a shear curve lead to the value written, the last piece to the first key's value."""
    straight = [x for _ in range(5) for x in (0.3, 1, 0.7, 1)] + [0.3, 0.5, 0.7, 1]
    keys = [{"mixShearY": 0.5, "curve": straight}, {"time": 1, "mixShearY": 1}]
    mixes = read({"transform": {"follow": keys}})[0].state([0.85, 0.9999, 1], None).transform["follow"][:, 5]
    assert mixes[0] > 0.9
    assert mixes[1:] == pytest.approx([0.5, 0.5], abs=1e-3)


def test_transform_keys_of_3_8() -> None:
    """Four mixes stand for six."""
    keys = [{"rotateMix": 0.1, "translateMix": 0.2, "scaleMix": 0.3}]
    mixes = read({"transform": {"follow": keys}}, OLD)[0].state([0], None).transform["follow"]
    assert mixes[0] == pytest.approx([0.1, 0.2, 0.2, 0.3, 0.3, 1.0])


@pytest.mark.parametrize(
    ("version", "group", "place", "mix"),
    [
        (NEW, "path", {"value": 5}, {"mixX": 0.5}),
        (OLD, "path", {"position": 5}, {"translateMix": 0.5}),
        ((3, 7), "paths", {"position": 5}, {"translateMix": 0.5}),
    ],
)
def test_path_keys(version: tuple[int, int], group: str, place: dict[str, Any], mix: dict[str, Any]) -> None:
    """Position, spacing and mixes are keyed one by one; what is not keyed is as in the setup."""
    state = read({group: {"ride": {"position": [place], "mix": [mix]}}}, version)[0].state([0], None).path["ride"]
    assert (state.position.tolist(), state.spacing.tolist()) == ([5], [8])
    assert state.mixes.tolist() == [[1, 0.5, 0.5]]


def test_shown_attachments() -> None:
    """What a slot shows steps from name to name, null shows nothing, before the first key it is the setup's."""
    keys = {"attachment": [{"time": 1, "name": "other"}, {"time": 2, "name": None}, {"time": 3, "name": "other"}]}
    shown = read({"slots": {"slot": keys, "bare": keys}})[0].state([0, 1, 2.5, 3], None).shown
    names, which = shown[0]
    assert [names[i] if i >= 0 else None for i in which] == ["flat", "other", None, "other"]
    assert shown[1][1][0] == -1


@pytest.mark.parametrize("version", [(3, 8), (4, 0), (4, 2)])
def test_deform_keys(version: tuple[int, int]) -> None:
    """Unweighted vertices get positions, weighted ones offsets; before the first key neither is in force."""
    keys = [{"time": 1, "offset": 1, "vertices": [10, 20]}, {"time": 2}]
    lines: dict[str, Any] = {"flat": keys, "pulled": keys}
    if version >= (4, 1):
        lines = {name: {"deform": each} for name, each in lines.items()}
    group = "attachments" if version >= (4, 1) else "deform"
    deforms = read({group: {"default": {"slot": lines}}}, version)[0].state([0, 1, 1.5, 3], None).deforms
    which, values = deforms["default", 0, "flat"]
    assert which.tolist() == [False, True, True, True]
    assert values[1:].tolist() == [[1, 12, 23, 4], [1, 7, 13, 4], [1, 2, 3, 4]]
    assert deforms["default", 0, "pulled"][1][2].tolist() == [0, 5, 10, 0, 0, 0]


def test_deform_curves_are_parts_of_the_way() -> None:
    """One curve from 0 to 1 moves all numbers of a deform."""
    keys = [{"curve": [0.25, 0, 0.75, 1]}, {"time": 1, "vertices": [90, 9, 0, 0]}]
    found = read({"attachments": {"default": {"slot": {"flat": {"deform": keys}}}}})[0]
    moved = found.deform(("default", 0, "flat"), [0.25])[1][0] - [1, 2, 3, 4]
    assert moved == pytest.approx([16.60194, 1.660194, 0, 0], abs=1e-5)


def test_duration_is_that_of_every_key() -> None:
    """Keys that pose nothing count for the duration, which is a float32 number."""
    lines = {"slots": {"slot": {"rgba": [{"color": "ff"}, {"time": 0.7}]}}, "events": [{"time": 0.9, "name": "e"}]}
    found, notes = read(lines)
    assert found.duration == np.float32(0.9)
    assert notes == []
    assert read({})[0].duration == 0.0


def test_keys_are_single_precision() -> None:
    """Times and values are rounded as the runtime stores them; the time asked for is not."""
    keys = [{"time": 0.1, "value": 0.1}, {"time": 0.3, "value": 0.3}]
    first, last = float(np.float32(0.1)), float(np.float32(0.3))
    got = bone({"translatex": keys}, [0.1, first, last], "x")
    assert got.tolist() == [0.0, first, last], "0.1 s is before a key at float32(0.1) s"


@given(st.lists(st.integers(0, 12), min_size=1, max_size=8), st.booleans())
def test_of_keys_at_one_time_the_last_counts(steps: list[int], stepped: bool) -> None:
    """At the time of a key its value is said, of several at one time the last one's."""
    times = sorted(step / 4 for step in steps)
    keys: list[dict[str, Any]] = [{"time": t, "value": float(i)} for i, t in enumerate(times)]
    for key in keys if stepped else []:
        key["curve"] = "stepped"
    wanted = {t: float(i) for i, t in enumerate(times)}
    assert bone({"translatex": keys}, list(wanted), "x").tolist() == list(wanted.values())


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9), st.lists(st.floats(-3, 3), min_size=4, max_size=4))
def test_a_time_alone_says_the_same(times: list[float], handles: list[float]) -> None:
    """A time gives the same bits alone and among others, finite whatever the handles."""
    lines = {"translatex": [{"curve": handles}, {"time": 0.5, "value": 1, "curve": "stepped"}, {"time": 1}]}
    together = bone(lines, times, "x")
    assert np.isfinite(together).all()
    assert [bone(lines, [t], "x")[0] for t in times] == together.tolist()


@given(st.floats(-1e6, 1e6))
def test_half_turns(angle: float) -> None:
    """A wrapped angle lies within half a turn, whole turns away."""
    out = float(half_turn(np.array(angle)))
    assert -180.0 <= out <= 180.0
    assert (angle - out) / 360.0 == pytest.approx(round((angle - out) / 360.0), abs=1e-9)


def test_points_lie_on_the_cubic() -> None:
    """The nine points are those of the cubic curve, as far as an eight-digit sixth and float32 go."""
    ends, arms = np.array([[0.0, 1.0], [2.0, -3.0]]), np.array([[0.3, 4.0], [1.2, -9.0]])
    u = np.arange(1, 10)[:, np.newaxis] / 10
    cubic = (1 - u) ** 3 * ends[0] + 3 * u * (1 - u) ** 2 * arms[0] + 3 * u**2 * (1 - u) * arms[1] + u**3 * ends[1]
    got = points(ends[0], arms, ends[1])
    assert got == pytest.approx(cubic, abs=1e-6)
    assert (got == single(got)).all()


def test_a_curve_that_runs_back_in_time() -> None:
    """The first piece that reaches the time counts."""
    nodes = np.array([[0, 0], [2, 1], [1, 2], *([3, 9],) * 8], dtype=float)
    assert along(nodes[np.newaxis], np.array([1.5])).tolist() == [0.75]


def test_a_first_piece_of_no_width() -> None:
    """Where the first point is at the time of the key itself, it counts and not the key."""
    nodes = np.array([[0, 0], [0, 5], *([1, 9],) * 9], dtype=float)
    assert along(nodes[np.newaxis], np.array([0.0])).tolist() == [5.0]


def test_held_keys() -> None:
    """Held keys step, and say `before` before the first."""
    assert Keys.held([1, 2], [5, 6]).sample([0.5, 1, 1.9, 2], [-1])[:, 0].tolist() == [-1, 5, 5, 6]


@pytest.mark.parametrize("value", ["true", '"1"', "null", "1e999", "[1]"])
@pytest.mark.parametrize("field", ["time", "value"])
def test_numbers_are_numbers(field: str, value: str) -> None:
    """What is no finite number is refused, with its place."""
    raw = f'{{"bones": {{"a": {{"rotate": [{{}}, {{"{field}": {value}}}]}}}}}}'.encode()
    with pytest.raises(SpineFault) as caught:
        read(raw)
    assert caught.value.where == f"$.animations.x.bones.a.rotate[1].{field}"


@pytest.mark.parametrize("curve", ['"linear"', "null", "0.5", "[0, 0, 1]", "[0, 0, 1, 1, 2]", '[0, 0, 1, "1"]', "true"])
def test_curves_are_curves(curve: str) -> None:
    """A curve is "stepped" or four numbers for every value."""
    with pytest.raises(SpineFault) as caught:
        read(f'{{"bones": {{"a": {{"rotate": [{{"curve": {curve}}}, {{"time": 1}}]}}}}}}'.encode())
    assert caught.value.where.startswith("$.animations.x.bones.a.rotate[0].curve")
    assert "curve" in caught.value.problem or "number" in caught.value.problem


@pytest.mark.parametrize(
    ("animation", "words"),
    [
        ({"bones": {"b": {}}}, ["bones.b", 'bone "b" does not exist']),
        ({"slots": {"slut": {}}}, ["slots.slut", 'did you mean "slot"']),
        ({"ik": {"IK": []}}, ["IK constraint"]),
        ({"transform": {"folow": []}}, ["transform constraint", 'did you mean "follow"']),
        ({"path": {"rode": {}}}, ["path constraint", "ride"]),
        ({"physics": {"wend": {}}}, ["physics constraint", "wind"]),
        ({"attachments": {"none": {"slot": {"flat": {"deform": []}}}}}, ['skin "none"']),
        ({"attachments": {"default": {"slat": {"flat": {"deform": []}}}}}, ['did you mean "slot"']),
        ({"bones": {"a": {"rotate": [{"time": -1}]}}}, ["a.rotate[0]", "-1 s"]),
        ({"bones": {"a": {"rotate": [{"time": 2}, {"time": 1}]}}}, ["a.rotate[1]", "1 s", "2 s"]),
        ({"bones": {"a": {"rotate": {}}}}, ["a.rotate", "array"]),
        ({"bones": {"a": {"rotate": [{}, {"time": 1e7}]}}}, ["3e+08 frames"]),
    ],
)
def test_faults_say_where(animation: dict[str, Any], words: list[str]) -> None:
    """Faults name the animation, the place in it, and what was meant."""
    with pytest.raises(SpineFault) as caught:
        read(animation)
    assert all(word in str(caught.value) for word in ["$.animations.x", *words])


@pytest.mark.parametrize("keys", [[{"offset": 1, "vertices": [1, 2, 3, 4]}], [{"offset": -1, "vertices": [1]}]])
def test_deform_outside_its_attachment(keys: list[dict[str, Any]]) -> None:
    """Numbers beyond the vertices of an attachment are refused."""
    with pytest.raises(SpineFault, match=r"flat\.deform\[0\].*of 4"):
        read({"attachments": {"default": {"slot": {"flat": {"deform": keys}}}}})


def test_notes() -> None:
    """What is odd but can be read is noted once: a missing attachment, unknown kinds, what is not simulated."""
    lines = {
        "bones": {"a": {"rotate": [{}, {}], "wobble": 3}, "root": {"wobble": 4}},
        "attachments": {"default": {"slot": {"gone": {"deform": [{}], "sequence": [{"time": 1}]}}}},
        "physics": {"": {"wind": [{}]}, "wind": {"mix": [{}]}},
        "dance": 1,
    }
    notes = read(lines)[1]
    wanted = ["both at 0 s", '"wobble" of bones', 'missing attachment "gone" kept as it is', "physics", '"dance"']
    assert len(notes) == len(wanted)
    assert all(word in note for word, note in zip(wanted, notes, strict=True))


@pytest.mark.parametrize(
    ("version", "curve", "outside"),
    [
        (NEW, {"curve": [0.2, 0, 0.8, 1]}, False),
        (NEW, {"curve": [0.2, 0, 1.0004, 1]}, False),
        (NEW, {"curve": [-0.2, 0, 0.8, 1]}, True),
        (NEW, {"curve": [0.2, 0, 1.2, 1]}, True),
        (OLD, {"curve": 0.2, "c3": 0.8}, False),
        (OLD, {"curve": 0.2, "c3": 1.2}, True),
    ],
)
def test_handles_outside_are_noted(version: tuple[int, int], curve: dict[str, Any], outside: bool) -> None:
    """Handles earlier or later than their keys are noted, but for rounding; a last key has none."""
    notes = read({"bones": {"a": {"rotate": [curve, {"time": 1, **curve}]}}}, version)[1]
    assert [("handles of key 0 lie outside" in note) for note in notes] == [True] * outside


def test_timelines_without_keys_are_ignored() -> None:
    """A timeline without keys poses nothing."""
    found, notes = read({"bones": {"a": {"rotate": []}}, "ik": {"ik": []}})
    assert (found.channels(SKELETON, [0.0]), found.tracks([0.0], {}), notes) == ({}, {}, [])


@pytest.mark.parametrize("key", [{"value": 1e39}, {"curve": [0, 1e39, 1, 0]}])
def test_numbers_beyond_single_precision(key: dict[str, Any]) -> None:
    """A number no float32 is near to is refused with its place, not turned into infinity."""
    found = read({"bones": {"a": {"rotate": [key, {"time": 1}]}}})[0]
    with pytest.raises(InputError, match=r"rotate\[0\]: .*single precision"):
        found.channels(SKELETON, [0.5])


def test_animations_travel() -> None:
    """An animation can be pickled, before and after it was sampled."""
    found = read({"bones": {"a": {"rotate": [{"value": 5}]}}})[0]
    for _ in range(2):
        there = pickle.loads(pickle.dumps(found))
        assert there.channels(SKELETON, [0.0])["rotation"][0, 1] == found.channels(SKELETON, [0.0])["rotation"][0, 1]


def test_malformed_files(shared: pathlib.Path) -> None:
    """Every broken animation of the shared files is refused, noted or read as its index wants."""
    folder = shared / "malformed"
    index = json.loads((folder / "index.json").read_text())["files"]
    entries = [entry for entry in index if entry["file"].startswith("spine-anim-")]
    assert len(entries) == 10
    for entry in entries:
        try:
            notes = _file(folder / entry["file"])[2]
            got = "accept-with-warning" if notes else "accept"
        except SpineFault:
            got = "reject"
        assert got == entry["expect"], entry["file"]


LAB = [f"{folder}/timelines-{v}" for folder, v in (("", "4.2"), ("", "4.3"), ("-older", "4.1"), ("-older", "3.8"))]


@pytest.mark.parametrize(
    ("golden", "rig"),
    [
        *((f"golden/spine-{v}-spineboy-pro", f"rigs/spine/{v}/spineboy-pro") for v in ("4.2", "3.8")),
        *((f"spine-lab/golden{path}", f"spine-lab/{path.split('/')[1]}") for path in LAB),
    ],
)
def test_ik_settings_of_the_runtimes(shared: pathlib.Path, golden: str, rig: str) -> None:
    """Mix, softness, bend, compress, stretch and duration are what the official runtimes say in every frame."""
    record = json.loads(gzip.decompress((shared / f"{golden}.pose.json.gz").read_bytes()))
    _, found, _ = _file(shared / f"{rig}.json")
    for name, wanted in record["animations"].items():
        animation = found[name]
        times = np.arange(len(wanted["ikState"])) / 30
        keyed = animation.state(times, None).ik
        assert animation.duration == wanted["duration"]
        for i, entry in enumerate(record["ik"]):
            setup = next(each for each in animation.spine.ik if each.name == entry["name"])
            now: Any = keyed.get(entry["name"], setup)
            columns = (now.mix, now.softness, now.bend, now.compress, now.stretch)
            got = np.stack([np.broadcast_to(np.asarray(c, dtype=float), times.shape) for c in columns], axis=1)
            assert np.abs(got - np.array(wanted["ikState"])[:, i, :5]).max() < 1e-12


@pytest.mark.parametrize("path", LAB)
def test_bones_of_the_runtimes(shared: pathlib.Path, path: str) -> None:
    """Keyed bones without IK stand where the official runtimes have them, with their value of a half turn."""
    record = json.loads(gzip.decompress((shared / f"spine-lab/golden{path}.pose.json.gz").read_bytes()))
    skeleton, found, _ = _file(shared / f"spine-lab/{path.split('/')[1]}.json")
    for name, wanted in record["animations"].items():
        times = np.arange(len(wanted["fk"])) / 30
        channels = {c: np.tile(skeleton.rest[c], (len(times), 1)) for c in CHANNELS}
        channels |= found[name].channels(skeleton, times)
        for angle in ("rotation", "shear_x", "shear_y"):
            channels[angle] = channels[angle] * (3.1415927 / math.pi)
        # the runtimes turn 90 degrees with the same half turn; a shear of the y axis stands for the difference
        channels["shear_y"] = channels["shear_y"] + (3.1415927 - math.pi) / 2
        world = Pose(skeleton, **channels).world()
        got = world[..., [0, 0, 1, 1, 0, 1], [0, 1, 0, 1, 2, 2]]
        fk = np.array(wanted["fk"]).reshape(got.shape)
        assert np.abs(got - fk)[..., :4].max() < 6e-9
        assert np.abs(got - fk)[..., 4:].max() < 6e-7


def _file(path: pathlib.Path) -> tuple[Skeleton, dict[str, SpineAnimation], list[str]]:
    """The animations of a file: bones and constraints as far as these tests need them."""
    file = json.loads(path.read_text())
    names = [each["name"] for each in file["bones"]]
    letters = {"x": "x", "y": "y", "rotation": "rotation", "scale_x": "scaleX", "scale_y": "scaleY"}
    letters |= {"shear_x": "shearX", "shear_y": "shearY"}
    rest = {c: np.array([b.get(k, SETUP[c]) for b in file["bones"]], dtype=float) for c, k in letters.items()}
    rest = {c: np.radians(v) if c in ("rotation", "shear_x", "shear_y") else v for c, v in rest.items()}
    parents = [names.index(each["parent"]) if "parent" in each else -1 for each in file["bones"]]
    listed = {kind: file.get(kind, []) for kind in ("ik", "transform", "path")}
    for each in file.get("constraints", []):
        listed[each["type"]].append(each)
    spine = Spine(
        tuple(int(part) for part in file["skeleton"]["spine"].split(".")[:2]),  # type: ignore[arg-type]
        ik=tuple(map(_ik, listed["ik"])),
        transform=tuple(SpineTransform(each["name"], (0,), 0) for each in listed["transform"]),
        path=tuple(SpinePath(each["name"], (0,), 0) for each in listed["path"]),
        slots=tuple(Slot(each["name"], 0, each.get("attachment")) for each in file.get("slots", [])),
        skins={each["name"]: Skin(each["name"]) for each in file.get("skins", [])},
    )
    skeleton, notes = Skeleton(names, parents, 0.0, rest), []
    raws = {name: msgspec.Raw(json.dumps(each).encode()) for name, each in file.get("animations", {}).items()}
    return skeleton, read_animations(raws, skeleton, spine, notes.append), notes


def _ik(entry: dict[str, Any]) -> SpineIK:
    bend = 1 if entry.get("bendPositive", True) else -1
    flags = {key: entry.get(key, False) for key in ("compress", "stretch")}
    return SpineIK(
        entry["name"], (0,), 0, mix=entry.get("mix", 1), softness=entry.get("softness", 0), bend=bend, **flags
    )
