"""The rig record: every fault found, named and placed; the rest read, kept and written back."""

from __future__ import annotations

import copy
import dataclasses
import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sample_rig import changed, sample, without

from elbowroom.errors import InputError, RigError
from elbowroom.rig import constraint, record, skeleton
from elbowroom.rig.animation import Animation, TargetKeys
from elbowroom.rig.build import from_record, to_record
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.faults import advice, check, find
from elbowroom.rig.frames import FrameSpec
from elbowroom.rig.keys import Track
from elbowroom.rig.rig import Rig
from elbowroom.rig.skeleton import Skeleton
from elbowroom.rig.target import Target
from elbowroom.rig.torecord import plain_data
from elbowroom.rig.units import RADIANS


def faults_of(data):
    """All faults as text."""
    return [str(fault) for fault in find(data)[1]]


LEG = ("constraints", 0)
WAVE = ("clips", "wave")
TARGET = (*WAVE, "targets", "leg")
LINK = {"name": "foot", "parent": "shin", "x": 45}

SINGLE = [
    # shape
    (changed("bones", 1, "length", to="50"), '$.bones[1].length: the text "50" is not a number'),
    (changed("bones", 1, "length", to=True), "$.bones[1].length: true is not a number"),
    (changed("bones", 1, "length", to=None), "$.bones[1].length: null is not a number"),
    (changed("bones", 1, "length", to=-1), "$.bones[1].length: -1 is less than 0"),
    (changed("bones", 1, "length", to=1e999), "$.bones[1].length: not a finite number of at most 1e+150"),
    (changed("bones", 1, "x", to=10**400), "$.bones[1].x: not a finite number of at most 1e+150"),
    (changed("bones", 1, "x", to=math.nan), "$.bones[1].x: not a finite number of at most 1e+150"),
    (changed("bones", 1, "lenght", to=5), '$.bones[1].lenght: unknown key (did you mean "length"?)'),
    (without("bones", 2, "name"), '$.bones[2].name: missing (every one has a "name")'),
    (changed("bones", 3, to="foot"), '$.bones[3]: the text "foot" is not an object {…}'),
    (
        changed("bones", 1, "inherit", to="noscale"),
        '$.bones[1].inherit: the text "noscale" is not "noRotationOrReflection", "noScale", '
        '"noScaleOrReflection", "normal" or "onlyTranslation" (did you mean "noScale"?)',
    ),
    (changed("bones", to={}), "$.bones: an object is not a list […]"),
    (without("bones"), "$.bones: missing (a rig has at least one bone)"),
    (
        without(*LEG, "on_miss"),
        '$.constraints[0].on_miss: missing (choose "accept", "move_root" or "stretch", or a list of them)',
    ),
    (
        changed(*LEG, "on_miss", to="strech"),
        '$.constraints[0].on_miss: the text "strech" is not "accept", "move_root" or "stretch" '
        '(did you mean "stretch"?)',
    ),
    (
        changed(*LEG, "on_miss", 1, to="move"),
        '$.constraints[0].on_miss[1]: the text "move" is not "accept", "move_root" or "stretch" '
        '(did you mean "move_root"?)',
    ),
    (
        changed(*LEG, "on_miss", to=None),
        '$.constraints[0].on_miss: null is not "accept", "move_root" or "stretch", or a list of them',
    ),
    (changed(*LEG, "softness", to=1.5), "$.constraints[0].softness: 1.5 is outside 0 to 1"),
    (changed(*LEG, "mix", to=-0.1), "$.constraints[0].mix: -0.1 is outside 0 to 1"),
    (changed(*LEG, "bend", to=2), "$.constraints[0].bend: the number 2 is not -1, 0 or 1"),
    (
        changed(*LEG, "curve", to="cubik"),
        '$.constraints[0].curve: the text "cubik" is not "cubic", "exponential" or "quadratic" (did you mean "cubic"?)',
    ),
    (changed(*LEG, "iterations", to=2.5), "$.constraints[0].iterations: the number 2.5 is not a whole number"),
    (changed(*LEG, "tolerance", to=0), "$.constraints[0].tolerance: 0 is not more than 0"),
    (
        changed(*LEG, "limits_deg", 0, to=[1, 2, 3]),
        "$.constraints[0].limits_deg[0]: 3 values (two were expected: [low, high] in degrees)",
    ),
    (
        changed(*LEG, "target", to=[0, 0]),
        '$.constraints[0].target: a list is not {"position": [x, y], "space": "world"}',
    ),
    (
        changed(*LEG, "target", "position", to=[1, 2, 3]),
        "$.constraints[0].target.position: 3 values (two were expected: [x, y])",
    ),
    (changed("facing", to=0), "$.facing: the number 0 is not -1 or 1"),
    (changed(*WAVE, "fps", to=0), "$.clips.wave.fps: 0 is not more than 0"),
    (changed(*WAVE, "loop", to=1), "$.clips.wave.loop: the number 1 is not true or false"),
    (changed(*TARGET, "blend", to=-1), "$.clips.wave.targets.leg.blend: -1 is less than 0"),
    (
        changed(*WAVE, "bones", "hip", "rotation", to=[]),
        '$.clips.wave.bones.hip.rotation: unknown key (did you mean "rotation_deg"?)',
    ),
    (
        changed(*WAVE, "mix", "leg", 0, 1, to=None),
        "$.clips.wave.mix.leg[0][1]: null is not a number, a text or a list […]",
    ),
    (
        changed("format", to="elbowroom-rig/2"),
        '$.format: the text "elbowroom-rig/2" is not "elbowroom-rig/1" (did you mean "elbowroom-rig/1"?)',
    ),
    # bones
    (changed("bones", to=[]), "$.bones: empty (a rig has at least one bone)"),
    (changed("bones", 3, to={"name": ""}), "$.bones[3].name: empty (a name of its own)"),
    (
        changed("bones", 3, to={"name": "hip"}),
        '$.bones[3].name: "hip" is the name of $.bones[0] already (each has its own)',
    ),
    (
        changed("bones", 3, to={"name": "world"}),
        '$.bones[3].name: "world" is the name of a fixed space (choose another)',
    ),
    (changed("bones", 0, "parent", to="hip"), '$.bones[0].parent: bone "hip" hangs on itself (null, or another bone)'),
    (
        changed("bones", 2, "parent", to="thihg"),
        '$.bones[2].parent: bone "thihg" does not exist (did you mean "thigh"?)',
    ),
    (
        changed("bones", 0, "parent", to="shin"),
        "$.bones[0].parent: the bones hang on each other: hip -> shin -> thigh -> hip "
        "(one of them needs another parent)",
    ),
    # constraints
    (changed(*LEG, "name", to=""), "$.constraints[0].name: empty (a name of its own)"),
    (
        changed(*LEG, "bones", 1, to="shinn"),
        '$.constraints[0].bones[1]: bone "shinn" does not exist (did you mean "shin"?)',
    ),
    (changed(*LEG, "bones", to=[]), "$.constraints[0].bones: empty (list the bones from the limb's root to its tip)"),
    (
        changed(*LEG, "bones", to=["hip", "shin"]),
        '$.constraints[0].bones[1]: "shin" is no child of "hip" (its parent is "thigh"; list a chain from root to tip)',
    ),
    (
        changed(*LEG, "limits_deg", to=[[0, 1]]),
        "$.constraints[0].limits_deg: 1 ranges for 2 bones (one [low, high] for each)",
    ),
    (
        changed(*LEG, "limits_deg", 0, to=[60, -120]),
        "$.constraints[0].limits_deg[0]: low 60 is above high -120 (write [-120, 60])",
    ),
    (
        changed(*LEG, "on_miss", to=[]),
        '$.constraints[0].on_miss: empty (choose "accept", "move_root" or "stretch", or a list of them)',
    ),
    (
        changed(*LEG, "on_miss", to=["accept", "accept"]),
        '$.constraints[0].on_miss: "accept" is listed twice (each once, in the order to try them)',
    ),
    (
        changed(*LEG, "max_stretch", to=0),
        '$.constraints[0].on_miss: "stretch" needs "max_stretch" above 0 (0.1 lets the bones lengthen by a tenth)',
    ),
    (
        without(*LEG, "root"),
        '$.constraints[0].on_miss: "move_root" needs "root", the name of the bone to shift',
    ),
    (changed(*LEG, "root", to="hop"), '$.constraints[0].root: bone "hop" does not exist (did you mean "hip"?)'),
    (
        changed(*LEG, "root", to="shin"),
        '$.constraints[0].root: "shin" does not carry "thigh" (a bone the limb hangs on)',
    ),
    (
        changed(*LEG, "target", "space", to="dor"),
        '$.constraints[0].target.space: space "dor" does not exist '
        '(did you mean "door"? known: world, character, door, hip, thigh, shin)',
    ),
    (
        changed(*LEG, "target", "space", to="shin"),
        '$.constraints[0].target.space: space "shin" moves with bone "thigh", which this target drives',
    ),
    (
        changed(*LEG, "solver", to="aim"),
        '$.constraints[0].solver: "aim" takes 1 bone, not 2 (ccd, fabrik and least_change take any number)',
    ),
    (
        changed(*LEG, "smooth", to={"window": 15}),
        '$.constraints[0].smooth.method: one of "savgol", "one_euro", "half_life" belongs here',
    ),
    # legs, body, frames
    (
        changed("legs", 0, "constraint", to="lag"),
        '$.legs[0].constraint: constraint "lag" does not exist (did you mean "leg"?)',
    ),
    (
        changed("legs", 1, to={"constraint": "leg"}),
        '$.legs[1].constraint: "leg" is the leg of $.legs[0] already',
    ),
    (changed("body", to="hipp"), '$.body: bone "hipp" does not exist (did you mean "hip"?)'),
    (changed("frames", "hip", to={}), "$.frames.hip: the name is taken by a bone (choose another)"),
    (changed("frames", "character", to={}), "$.frames.character: the name is taken by a fixed space (choose another)"),
    (changed("frames", "", to={}), '$.frames[""]: empty (a name of its own)'),
    (changed("clips", "", to={}), '$.clips[""]: empty (a name of its own)'),
    (
        changed("frames", "door", "parent", to="wall"),
        '$.frames.door.parent: space "wall" does not exist (known: world, character, door, hip, thigh, shin)',
    ),
    (
        changed("frames", "door", "parent", to="door"),
        "$.frames.door.parent: the frames hang on each other: door -> door (one of them needs another parent)",
    ),
    (
        changed("frames", "door", "scale", to=0),
        "$.frames.door.scale: the space is squashed to a point and has no inverse (a scale other than 0)",
    ),
    (
        changed("frames", "door", "scale", to=[1, 0]),
        "$.frames.door.scale: the space is squashed to a line and has no inverse (a scale other than 0)",
    ),
    (
        changed("frames", "door", "scale", to=[1, 2, 3]),
        "$.frames.door.scale: 3 numbers (a factor or [sx, sy] was expected)",
    ),
    (
        changed("frames", "door", "scale", to=[1, [0, 1]]),
        "$.frames.door.scale: numbers and keys are mixed (a factor, [sx, sy] or keys [time, sx, sy])",
    ),
    (changed("frames", "door", "x", to=[]), "$.frames.door.x: no keys (a number, or at least one key [time, value])"),
    (
        changed("frames", "door", "parent", to=[[0, "world"]]),
        "$.frames.door.parent: a list is not the name of one space",
    ),
    # clips
    (
        changed(*WAVE, "bones", "hop", to={"x": [[0, 1]]}),
        '$.clips.wave.bones.hop: bone "hop" does not exist (did you mean "hip"?)',
    ),
    (
        changed(*WAVE, "mix", "arm", to=[[0, 1]]),
        '$.clips.wave.mix.arm: constraint "arm" does not exist (known: leg)',
    ),
    (changed(*WAVE, "mix", "leg", to=[[0, 1.5]]), "$.clips.wave.mix.leg[0][1]: 1.5 is outside 0 to 1"),
    (changed(*WAVE, "bend", "leg", to=[[0, 0.5]]), "$.clips.wave.bend.leg[0][1]: 0.5 is no side (-1, 0 or 1)"),
    (
        changed(*WAVE, "bend", "leg", to=[[0, 1, [0, 0, 1, 1]]]),
        "$.clips.wave.bend.leg[0][2]: these keys step, there is no curve between them (leave it out)",
    ),
    (
        changed(*WAVE, "bones", "hip", "x", to=[[1, 0], [0.5, 4]]),
        "$.clips.wave.bones.hip.x[1][0]: time 0.5 does not come after 1 (times rise from key to key)",
    ),
    (
        changed(*WAVE, "bones", "hip", "x", to=[[-1, 0]]),
        "$.clips.wave.bones.hip.x[0][0]: time -1 is before the clip begins (0 or later)",
    ),
    (
        changed(*WAVE, "bones", "hip", "x", to=[[0]]),
        "$.clips.wave.bones.hip.x[0]: 0 values after the time (one was expected: [time, value, curve?])",
    ),
    (
        changed(*WAVE, "bones", "hip", "x", to=[["0", 1]]),
        "$.clips.wave.bones.hip.x[0]: a key begins with its time: [time, value, curve?]",
    ),
    (
        changed(*WAVE, "bones", "hip", "x", to=[[0, 1, "step"]]),
        '$.clips.wave.bones.hip.x[0][2]: "step" is no curve (did you mean "stepped"?) '
        '("stepped" or [cx1, cy1, cx2, cy2])',
    ),
    (
        changed(*WAVE, "bones", "hip", "x", to=[[0, 1, [1, 2, 3]]]),
        "$.clips.wave.bones.hip.x[0][2]: a curve of 3 numbers (4 were expected: cx1, cy1, cx2, cy2)",
    ),
    (
        changed(*WAVE, "bones", "hip", "x", to=[[0, 1, "stepped", 4]]),
        "$.clips.wave.bones.hip.x[0]: 4 parts ([time, value, curve?] was expected)",
    ),
    (
        changed(*WAVE, "bones", "hip", "inherit", to=[[0, "noscale"]]),
        '$.clips.wave.bones.hip.inherit[0][1]: "noscale" is no way to inherit (did you mean "noScale"?)',
    ),
    (
        changed(*TARGET, "position", 0, to=[0, 1]),
        "$.clips.wave.targets.leg.position[0]: 1 values after the time (two were expected: [time, x, y, curve?])",
    ),
    (
        changed(*TARGET, "position", 0, to=[0, 1, 2, [1, 2]]),
        "$.clips.wave.targets.leg.position[0][3]: a curve of 2 numbers (4 or 8 were expected: cx1, cy1, cx2, cy2)",
    ),
    (
        changed(*TARGET, "space", 1, to=[0.5, "dor"]),
        '$.clips.wave.targets.leg.space[1][1]: space "dor" does not exist '
        '(did you mean "door"? known: world, character, door, hip, thigh, shin)',
    ),
    (
        changed(*TARGET, "space", 1, to=[0, "door"]),
        "$.clips.wave.targets.leg.space[1][0]: time 0 does not come after 0 (times rise from key to key)",
    ),
    (
        changed(*TARGET, "space", 1, to=[0.5, "door", "stepped"]),
        "$.clips.wave.targets.leg.space[1]: 3 values (two were expected: a list […])",
    ),
]


def test_the_sample_has_no_fault():
    """The rig every other case is made from is in order."""
    assert faults_of(sample()) == []


@pytest.mark.parametrize(("data", "text"), SINGLE, ids=[text.split(": ")[0] for _, text in SINGLE])
def test_every_fault_has_its_place_and_its_sentence(data, text):
    """One fault gives one clear sentence: where, what, and what would be right."""
    assert faults_of(data) == [text]
    with pytest.raises(RigError) as error:
        check(data)
    assert str(error.value) == text
    assert error.value.faults == (text,)


def test_all_faults_are_listed_at_once():
    """Faults of shape and of meaning, in bones, limbs and clips, come in one error with their number."""
    data = changed("bones", 1, "length", to="50")
    data["constraints"][0]["bones"] = ["thigh", "shinn"]
    del data["constraints"][0]["on_miss"]
    data["clips"]["wave"]["mix"] = {"lag": [[0, 2]]}
    with pytest.raises(RigError) as error:
        check(data, "a.rig.json")
    lines = str(error.value).split("\n  ")
    assert lines[0] == "a.rig.json: 5 faults"
    assert tuple(lines[1:]) == error.value.faults
    assert [line.split(": ")[0] for line in lines[1:]] == [
        "$.bones[1].length",
        "$.constraints[0].on_miss",
        "$.constraints[0].bones[1]",
        "$.clips.wave.mix.lag",
        "$.clips.wave.mix.lag[0][1]",
    ]


def test_what_cannot_be_read_is_not_complained_about_twice():
    """A bone list that is no list does not make every bone named elsewhere unknown."""
    assert faults_of(changed("bones", to=5)) == ["$.bones: the number 5 is not a list […]"]
    assert faults_of(changed("constraints", to=5)) == ["$.constraints: the number 5 is not a list […]"]


def test_names_with_odd_signs_are_quoted_in_paths():
    """A path can be read, and stays on one line, whatever the names."""
    data = sample()
    data["clips"] = {"my wave\n": {"fps": 0}}
    assert faults_of(data) == ['$.clips["my wave\\n"].fps: 0 is not more than 0']


def test_thousands_of_faults_are_cut_in_the_text_only():
    """The message ends somewhere, the list does not."""
    data = changed(*WAVE, "bones", "hip", "x", to=[[0, None]] * 3000)
    with pytest.raises(RigError) as error:
        check(data)
    assert len(error.value.faults) >= 3000
    assert str(error.value).endswith("more")
    assert str(error.value).count("\n") == 201


def test_a_chain_of_thousands_is_no_trouble():
    """Deep skeletons and long loops end without a recursion error."""
    chain = [{"name": "b0"}] + [{"name": f"b{i}", "parent": f"b{i - 1}", "x": 1} for i in range(1, 3000)]
    data = {"format": record.FORMAT, "bones": chain}
    assert faults_of(data) == []
    assert len(from_record(check(data)).skeleton) == 3000
    chain[0] = {"name": "b0", "parent": "b2999"}
    (fault,) = faults_of(data)
    assert "b0 -> b2999 -> b2998" in fault
    assert "…" in fault


@settings(max_examples=100, deadline=None)
@given(
    data=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
        lambda inner: st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["name", "bones", "x", "scale", "space", "position", "leg", "comment", "fps"]),
            inner,
            max_size=3,
        ),
        max_leaves=12,
    ),
    place=st.sampled_from(
        [("bones",), ("bones", 1), (*LEG,), (*LEG, "target"), (*LEG, "limits_deg"), ("frames",), ("frames", "door"),
         ("clips",), WAVE, TARGET, (*TARGET, "position"), (*TARGET, "space"), (*WAVE, "bones", "hip", "x")]
    ),
)  # fmt: skip
def test_no_data_breaks_the_search_for_faults(data, place):
    """Whatever stands anywhere in a record is read or is a fault, never another exception."""
    rig, faults = find(changed(*place, to=data))
    assert faults or from_record(rig).skeleton


# what is kept


def test_free_keys_are_kept_and_written_back():
    """Comments, notes and x- keys come back where they were, at every kind of object."""
    data = sample()
    places = [data, data["bones"][1], data["constraints"][0], data["constraints"][0]["target"], data["legs"][0]]
    places += [data["frames"]["door"], data["clips"]["wave"], data["clips"]["wave"]["bones"]["hip"]]
    places += [data["clips"]["wave"]["targets"]["leg"]]
    for i, place in enumerate(places):
        place |= {"x-editor": {"colour": [i, None]}, "comment": f"number {i}", "notes": [i]}
    rig = from_record(check(copy.deepcopy(data)))
    assert json.loads(json.dumps(plain_data(to_record(rig)))) == data


def test_a_rig_gives_back_its_record():
    """record -> rig -> record changes nothing."""
    rig = check(sample())
    assert to_record(from_record(rig)) == rig


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(-720, 720), min_size=5, max_size=5))
def test_degrees_come_back_as_they_were_written(angles):
    """No digit of an angle changes on the way through radians."""
    a, b, c, d, e = angles
    data = changed("bones", 1, "rotation_deg", to=a)
    data["bones"][1]["shear_x_deg"] = b
    data["constraints"][0]["limits_deg"] = [[min(c, d), max(c, d)], [-150, 0]]
    data["frames"]["door"]["rotation_deg"] = e
    record_ = check(data)
    rig = from_record(record_)
    assert to_record(rig) == record_
    assert rig.skeleton.rest["rotation"][1] == a * RADIANS
    assert rig.constraints[0].limits[0] == (min(c, d) * RADIANS, max(c, d) * RADIANS)


def test_whole_numbers_may_have_a_point():
    """2.0 is a whole number, 1.0 a side."""
    data = changed(*LEG, "bend", to=1.0)
    data["constraints"][0]["iterations"] = 20.0
    data["facing"] = -1.0
    rig = check(data)
    assert (rig.constraints[0].bend, rig.constraints[0].iterations, rig.facing) == (1, 20, -1)
    assert isinstance(rig.constraints[0].iterations, int)


def test_bones_are_sorted_parents_first():
    """A child listed before its parent is moved behind it, and means the same."""
    data = sample()
    data["bones"] = data["bones"][::-1]
    rig = from_record(check(data))
    assert rig.skeleton.names == ("hip", "thigh", "shin")
    assert rig.skeleton.lengths.tolist() == [0.0, 50.0, 45.0]


def test_every_field_of_a_constraint_is_read_and_written():
    """All settings of the constraint class have their key in the record and survive."""
    own = {f.name for f in dataclasses.fields(IKConstraint)} - {"limits"} | {"limits_deg"}
    assert set(record.Constraint.__struct_fields__) - {"kept"} == own
    data = sample()
    data["constraints"][0] |= {
        "bend": -1, "softness": 0.1, "curve": "cubic", "inner_softness": 0.02, "mix": 0.5, "max_stretch": 0.2,
        "limits_deg": [[-10, 20], [0, 30]], "max_shift": 3, "shift_half_life": 0.2, "solver": "ccd", "iterations": 7,
        "tolerance": 0.001, "orientation": "keep", "smooth": {"method": "savgol", "window": 9},
    }  # fmt: skip
    rig = from_record(check(data))
    assert to_record(rig) == check(data)
    limb = rig.constraints[0]
    assert (limb.solver, limb.iterations, limb.smooth["window"], limb.max_shift) == ("ccd", 7, 9, 3.0)


def test_the_record_and_the_classes_know_the_same_words():
    """What a file may say is what the code understands."""
    found = {
        name: entry["enum"]
        for name, entry in record.schema()["$defs"]["Constraint"]["properties"].items()
        if "enum" in entry
    }
    assert sorted(found["curve"]) == sorted(constraint.CURVES)
    assert sorted(found["orientation"]) == sorted(constraint.ORIENTATIONS)
    assert sorted(record.schema()["$defs"]["Bone"]["properties"]["inherit"]["enum"]) == sorted(skeleton.INHERIT)


def test_the_schema_describes_every_key():
    """`schema` is plain JSON, names units and ranges, and lets free keys pass."""
    text = json.dumps(record.schema(), allow_nan=False)
    assert record.KEPT not in json.loads(text)["$defs"]["Bone"]["properties"]
    bone = record.schema()["$defs"]["Bone"]
    assert bone["required"] == ["name"]
    assert bone["properties"]["rotation_deg"]["description"].startswith("[deg]")
    assert bone["properties"]["length"]["minimum"] == 0
    assert bone["additionalProperties"] is False
    assert list(bone["patternProperties"]) == ["^(comment|notes|x-.*)$"]
    assert record.schema()["$defs"]["RigRecord"]["required"] == ["format", "bones"]
    assert set(record.schema()["$defs"]["Constraint"]["required"]) == {"name", "bones", "on_miss"}


# advice


@pytest.mark.parametrize(
    ("bend", "limits", "told"),
    [
        (1, [20, 150], True),
        (1, [-150, 0], False),
        (1, [0, 150], False),
        (1, [-10, 150], False),
        (1, [100, 200], False),
        (1, [20, 180], True),
        (1, [20, 181], False),
        (-1, [-180, -20], True),
        (-1, [-181, -20], False),
        (-1, [-150, -20], True),
        (-1, [-150, 0], False),
        (-1, [210, 330], True),
        (0, [20, 150], False),
        (1, [20, 380], False),
    ],
)
def test_limits_that_leave_no_room_for_the_bend_are_told(bend, limits, told):
    """The elbow's range must have something of the side it bends to; straight is enough, the fold alone is not."""
    data = changed(*LEG, "limits_deg", 1, to=limits)
    data["constraints"][0]["bend"] = bend
    data["clips"] = {}
    assert len(advice(check(data))) == told


def test_the_advice_names_both_sides():
    """The sentence has the limits, the bend and two ways out."""
    data = changed(*LEG, "limits_deg", 1, to=[20, 150])
    del data["clips"]
    assert advice(check(data)) == [
        "$.constraints[0].limits_deg[1]: [20, 150] leaves no room for the elbow on the left, where bend 1 puts it; "
        "the limits win (bend -1, or other limits)"
    ]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"on_miss": ["accept", "stretch"]}, 'on_miss: "accept" ends the list, so "stretch" is never tried (put "acc'),
        ({"on_miss": ["accept", "stretch", "move_root"]}, 'on_miss: "accept" ends the list, so "stretch" and "move_ro'),
        ({"on_miss": "move_root"}, 'max_stretch: does nothing, as "on_miss" does not list "stretch" (list it, or lea'),
        ({"on_miss": "stretch"}, 'root: does nothing, as "on_miss" does not list "move_root" (list it, or lea'),
        ({"on_miss": "stretch", "root": None}, 'max_shift: does nothing, as "on_miss" does not list "move_root"'),
        (
            {"on_miss": "stretch", "root": None, "max_shift": None, "shift_half_life": 0.2},
            'shift_half_life: does nothing, as "on_miss" does not list "move_root"',
        ),
        ({"root": "thigh"}, 'root: "thigh" is a bone of the limb itself, which comes off what it hangs on (name a bon'),
    ],
)
def test_strategies_and_settings_that_do_nothing_are_told(more, told):
    """What on_miss never comes to, what belongs to a strategy that is not listed, a root that is the limb's own."""
    data = sample()
    plain = {"on_miss": ["stretch", "move_root"], "max_stretch": 0.1, "root": "hip", "max_shift": 5}
    data["constraints"][0] |= plain
    assert not advice(check(data))
    data["constraints"][0] |= more
    assert any(text.startswith(f"$.constraints[0].{told}") for text in advice(check(data))), advice(check(data))


def test_an_unknown_filter_is_told_with_the_closest():
    """A method of smoothing that there is none of, as a word of its own or in an object."""
    for method in ("oneeuro", {"method": "oneeuro"}):
        [text] = faults_of(changed(*LEG, "smooth", to=method))
        assert '(did you mean "one_euro"?)' in text


def test_a_child_off_the_axis_adds_its_rest_angle():
    """Straight is where the child's offset points, not where the parent's axis does."""
    data = changed("bones", 2, "y", to=50)  # 45 degrees off
    data["constraints"][0]["limits_deg"][1] = [20, 150]
    del data["clips"]
    assert advice(check(data)) == []


def test_keyed_bends_and_colliding_spaces_are_told():
    """A bend key to the shut side, and a space key within the blend of the one before, are told with their place."""
    data = changed(*WAVE, "bend", "leg", to=[[0, 1], [1, -1]])
    data["constraints"][0]["limits_deg"][1] = [-150, -5]
    data["clips"]["wave"]["targets"]["leg"]["space"] = [[0, "world"], [0.5, "door"], [0.6, "hip"]]
    texts = advice(check(data))
    assert [text.split(": ")[0] for text in texts] == [
        "$.clips.wave.bend.leg[1]",
        "$.clips.wave.targets.leg.space[2]",
        "$.clips.wave.targets.leg.space[1]",
    ]
    assert "the next space key is 0.1 s later, within the blend of 0.2 s (it is cut short)" in texts[1]
    assert 'no position key is written in space "door"' in texts[2]


# rigs made by hand


def by_hand(**changes):
    """A small rig without a file."""
    bones = Skeleton.from_bones([("hip", None, 0), ("thigh", "hip", 50), ("shin", "thigh", 45, 50)])
    leg = IKConstraint("leg", ("thigh", "shin"), Target((0, 0)), "accept")
    return Rig(bones, **{"constraints": (leg,), **changes})


def test_a_rig_needs_no_file():
    """A skeleton alone is a rig; the rest has sensible defaults."""
    rig = Rig(Skeleton.from_bones([("bone", None, 1.0)]))
    assert (rig.clips, rig.constraints, rig.facing, rig.body_bone) == ((), (), 1, "bone")
    assert repr(by_hand(name="me")) == 'Rig("me", 3 bones, 1 constraints, 0 clips)'


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        (
            {"constraints": (IKConstraint("leg", ("hip", "shin"), None, "accept"),)},
            '$.constraints[0].bones[1]: "shin" is no child of "hip" (its parent is "thigh"; '
            "list a chain from root to tip)",
        ),
        ({"frames": {"hip": FrameSpec()}}, "$.frames.hip: the name is taken by a bone (choose another)"),
        ({"facing": 0}, "$.facing: 0 is not 1 or -1"),
        (
            {"animations": {"a": Animation("b")}},
            'animation "a" calls itself "b" (one name for both)',
        ),
        (
            {"animations": {"a": Animation("a", mix={"arm": Track([0.0], [1.0])})}},
            '$.clips.a.mix.arm: constraint "arm" does not exist (known: leg)',
        ),
        ({"animations": {"a": Animation("a", fps=-1)}}, "$.clips.a.fps: -1.0 is not more than 0"),
        (
            {"legs": (record.Leg(constraint="arm"),)},
            '$.legs[0].constraint: constraint "arm" does not exist (known: leg)',
        ),
        (
            {"constraints": (IKConstraint("leg", ("thigh",), Target([[0, 0], [1, 1]]), "accept"),)},
            'constraint "leg": its own target is one point (x, y); a clip keys one that moves',
        ),
    ],
)
def test_a_rig_made_by_hand_is_checked_like_a_file(changes, text):
    """The same faults, the same sentences, without a file."""
    with pytest.raises(RigError) as error:
        by_hand(**changes)
    assert str(error.value) == text


def test_a_clip_is_sampled_up_to_its_end():
    """Frames i / fps and the duration last; values replace the setup, targets come along."""
    rig = from_record(check(sample()))
    clip = rig.clip("wave", 4)
    assert clip.times.tolist() == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert (clip.name, clip.loop, clip.fps) == ("wave", True, 4.0)
    assert clip.x[:, 0].tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert clip.rotation[:, 0].tolist() == [0.0, 0.0, 0.0, 0.0, 9.0 * RADIANS]
    assert clip.rotation[:, 1].tolist() == [-80.0 * RADIANS] * 5
    track = clip.tracks["leg"]
    assert track.space == ("world", "world", "door", "door", "door")
    assert track.position[:, 0].tolist() == [0.0, 0.0, 4.0, 4.0, 4.0]
    assert track.weight.tolist() == [1.0, 1.0, 0.0, 1.0, 1.0]
    assert track.bend.tolist() == [1] * 5


def test_a_clip_without_bone_keys_still_has_its_frames():
    """Only a target is keyed: the pose is held for the clip's length."""
    animation = Animation("a", targets={"leg": TargetKeys(Track([0.0, 1.0], [[0, 0], [1, 1]]))})
    clip = by_hand(animations={"a": animation}).clip("a", 2)
    assert clip.x.shape == (3, 3)
    assert by_hand(animations={"a": Animation("a")}).clip("a").times.tolist() == [0.0]


def test_unknown_names_are_told_with_the_closest():
    """Clips, constraints and skins that are not there."""
    rig = from_record(check(sample()))
    with pytest.raises(RigError, match=r'clip "wavy" does not exist \(did you mean "wave"\?\)'):
        rig.clip("wavy")
    with pytest.raises(RigError, match=r'constraint "lag" does not exist \(did you mean "leg"\?\)'):
        rig.constraint("lag")
    with pytest.raises(InputError, match='skin "red": this rig has no skins'):
        rig.clip("wave", skin="red")


def test_frames_are_local_transforms_over_time():
    """Parent and matrix of every frame, at the times of a clip or at time 0 for a pose."""
    data = changed("frames", "door", "x", to=[[0, 20], [1, 40]])
    data["frames"]["knob"] = {"parent": "door", "scale": [[0, 1, 2], [1, 3, 4]]}
    rig = from_record(check(data))
    at = rig.local_frames([0.0, 0.5])
    assert at["door"][0] == "world"
    assert at["door"][1][:, 0, 2].tolist() == [20.0, 30.0]
    assert at["knob"][1].tolist() == [[[1, 0, 0], [0, 2, 0]], [[2, 0, 0], [0, 3, 0]]]
    assert rig.local_frames()["door"][1].shape == (2, 3)
    assert to_record(rig) == check(data)


def test_the_body_is_what_all_legs_hang_on():
    """Without `body` the legs' nearest common parent is meant; a leg's sole is its tip by default."""
    rig = from_record(check(without("body")))
    assert rig.body_bone == "hip"
    assert rig.sole(rig.legs[0]) == ((45.0, -4.0), (45.0, 12.0))
    assert rig.sole(record.Leg(constraint="leg")) == ((45.0, 0.0), (45.0, 0.0))
    data = without("body")
    data["bones"].insert(0, {"name": "root"})
    data["bones"][1]["parent"] = "root"
    assert from_record(check(data)).body_bone == "hip"


def test_a_changed_rig_keeps_comments_of_what_is_left():
    """What was written beside a bone is written again; what is gone is gone."""
    data = changed("bones", 1, "comment", to="long")
    rig = from_record(check(data))
    turned = dataclasses.replace(rig, name="other", animations={})
    assert to_record(turned).bones[1].kept == {"comment": "long"}
    assert to_record(turned).clips == {}


def test_the_pose_of_a_clip_is_finite():
    """From keys to world transforms without a NaN."""
    assert np.isfinite(from_record(check(sample())).clip("wave").world()).all()


def test_a_target_without_space_keys_gets_no_advice() -> None:
    """Position keys alone are all written in the constraint's own space: nothing to remark."""
    data = sample()
    limb = data["constraints"][0]["name"]
    data["clips"] = {"still": {"targets": {limb: {"position": [[0, 1, 2], [1, 3, 4]]}}}}
    assert advice(check(data)) == []
