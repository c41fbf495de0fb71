"""What a Spine file says and its runtime passes over: each rule with a rig that has the fault, and one that has not."""

from __future__ import annotations

import dataclasses
import json
from types import MappingProxyType

import pytest

from elbowroom.checks import CHECKS, check, page
from elbowroom.rig.build import from_record
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.faults import check as read
from elbowroom.rig.record import Foreign
from elbowroom.rig.rig import Rig
from elbowroom.rig.skeleton import Skeleton
from elbowroom.rig.spine.records import Spine, SpineIK, SpineTransform, Unsimulated
from elbowroom.rig.target import Target
from elbowroom.rig.units import radians

BONES = [
    {"name": "root"},
    {"name": "a", "parent": "root", "length": 50},
    {"name": "b", "parent": "a", "length": 50, "x": 50},
    {"name": "t", "parent": "root", "x": 60},
    {"name": "under", "parent": "b", "x": 50},
]
RULES = [code for code in CHECKS if code.startswith("lint-") and code != "lint-rig"]
_NAMES = {"scaleX": "scale_x", "scaleY": "scale_y"}


def skeleton(bones=BONES, **change):
    """Bones as a file has them; `change` is for "a" and "b": {"a": {...}}."""
    records = []
    for bone in bones:
        fields = {_NAMES.get(key, key): value for key, value in (bone | change.get(bone["name"], {})).items()}
        records.append(fields | {"shear_x": float(radians(fields.get("shear_x", 0.0)))})
    return Skeleton.from_bones(records)


def spine_rig(*iks, version=(4, 2), bones=None, data=None, **more):
    """A rig of these constraints; by default one sound limb of two bones."""
    bones = bones or skeleton()
    iks = iks or (SpineIK("leg", (1, 2), 3),)
    more.setdefault("constraints", (*iks, *more.get("transform", ()), *more.get("unsimulated", ())))
    spine = Spine(version, ".".join(map(str, version)), ik=tuple(iks), **more)
    limbs = [
        IKConstraint(
            ik.name, [bones.names[i] for i in ik.bones], Target((0.0, 0.0), space=bones.names[ik.target]), "accept"
        )
        for ik in iks
    ]
    kept = None if data is None else Foreign(format="spine", version=spine.written, data=data)
    return Rig(bones, tuple(limbs), runtime=spine, foreign=kept, checked=True)


def lint(rig, *only):
    """Code -> messages of the lint rules, without solving anything."""
    found = {}
    for finding in check(rig, only=only or RULES).findings:
        found.setdefault(finding.code, []).append(finding.message)
    return found


@pytest.fixture(scope="session")
def cases(shared):
    """The collected cases by id."""
    return {case["id"]: case for case in json.loads((shared / "cases.json").read_text("utf-8"))}


def test_a_sound_rig_is_clean():
    """A limb of two even bones, numbered and named, gives nothing."""
    assert lint(spine_rig()) == {}


def test_case_c04_uneven_scale_drops_the_lower_bones_y(cases):
    """C04: an uneven scale of the upper bone, and the lower bone's y that goes with it."""
    given = cases["C04"]["input"]
    bones = skeleton([*given["bones"], {"name": "t", "parent": "root"}])
    [ik] = given["ik"]
    rig = spine_rig(SpineIK("leg", tuple(map(bones.index, ik["bones"])), bones.index(ik["target"])), bones=bones)
    [message] = lint(rig)["lint-uneven"]
    assert message.replace('"', "'") == cases["C04"]["expected"]["warning"]


def test_case_o03_two_constraints_drive_one_bone(cases):
    """O03: which bone, by which constraints, and that the file's order decides; native rigs as well."""
    given, wanted = cases["O03"]["input"]["ik"], cases["O03"]["expected"]
    bones = [{"name": "hip"}, {"name": "upper", "parent": "hip", "length": 40},
             {"name": "lower", "parent": "upper", "x": 40, "length": 40}]  # fmt: skip
    aim = {"on_miss": "accept", "target": {"position": [50, 0], "space": "world"}}
    data = {"format": "elbowroom-rig/1", "bones": bones, "constraints": [ik | aim for ik in given]}
    native = from_record(read(data))
    numbered = [
        SpineIK(ik["name"], tuple(1 + i for i, _ in enumerate(ik["bones"])), 3, i) for i, ik in enumerate(given)
    ]
    spine = spine_rig(*numbered, bones=skeleton([*bones, {"name": "t", "parent": "hip", "x": 60}]))
    for rig in (native, spine):
        [message] = lint(rig, "lint-twice")["lint-twice"]
        text, stated = message.replace('"', "'").split(": ")
        assert text == wanted["warning"]
        assert wanted["bake_order"].startswith("file order")
        assert "file order" in stated
    alone = dataclasses.replace(native, constraints=native.constraints[:1])
    assert lint(alone, "lint-twice") == {}


def test_orders_that_never_get_a_turn():
    """A second one of an order, and one behind the last, are dropped up to 4.2; 4.3 has no orders."""
    first, same, late = SpineIK("arm", (1,), 3, 0), SpineIK("leg", (2,), 3, 0), SpineIK("tail", (4,), 3, 7)
    found = lint(spine_rig(first, same, late), "lint-order")["lint-order"]
    assert found == [
        'ik constraint "leg" has order 0, as "arm" has: Spine 4.2 drops it without a word',
        'ik constraint "tail" has order 7, and 3 constraints have the orders 0 to 2: Spine 4.2 drops it without a word',
    ]
    assert lint(spine_rig(first, same, late, version=(4, 3)), "lint-order") == {}
    follow = SpineTransform("follow", (4,), 3, order=1)
    assert lint(spine_rig(first, transform=(follow,)), "lint-order") == {}


def test_bones_that_do_not_inherit_everything():
    """Two bones: skipped from 4.2 on, solved as if before; one bone is fine."""
    odd = skeleton(b={"inherit": "noScale"})
    [newer], [older] = (lint(spine_rig(bones=odd, version=v), "lint-inherit")["lint-inherit"] for v in ((4, 2), (4, 1)))
    assert newer == 'ik "leg": "b" has inherit noScale; Spine 4.2 skips it, and the limb keeps its keys'
    assert older.endswith("Spine 4.1 solves it as if it were normal")
    assert lint(spine_rig(SpineIK("aim", (2,), 3), bones=odd), "lint-inherit") == {}


def test_more_bones_than_the_runtime_knows():
    """Three bones load there, and do nothing."""
    [message] = lint(spine_rig(SpineIK("leg", (1, 2, 4), 3)), "lint-bones")["lint-bones"]
    assert message == 'ik "leg" has 3 bones; Spine loads it and does nothing (it knows 1 or 2)'


def test_bones_without_length():
    """A lower bone of no length, one on the upper one's beginning, and one that should stretch."""
    assert (
        "has no length; Spine solves it as one bone"
        in lint(spine_rig(bones=skeleton(b={"length": 0})))["lint-length"][0]
    )
    assert 'begins where "a" does' in lint(spine_rig(bones=skeleton(b={"x": 0})))["lint-length"][0]
    aim = SpineIK("aim", (4,), 3)
    assert "lint-length" not in lint(spine_rig(aim))
    assert "neither stretches" in lint(spine_rig(dataclasses.replace(aim, stretch=True)))["lint-length"][0]


def test_a_target_that_hangs_on_its_own_limb():
    """It is named, with the bone it hangs on."""
    [message] = lint(spine_rig(SpineIK("leg", (1, 2), 4)), "lint-target")["lint-target"]
    assert message == 'ik "leg": its target "under" hangs on "a", which it turns; Spine reaches for where it was before'


def test_softness_as_long_as_the_limb():
    """100 units on a limb of 100 is told with what would do; 99 is not."""
    rig = spine_rig(SpineIK("leg", (1, 2), 3, softness=100.0))
    [finding] = check(rig, only="lint-softness").findings
    assert "softness 100 is not below the limb's reach of 100; Spine turns it away" in finding.message
    assert finding.hint == "lower it to about 5"
    assert lint(spine_rig(SpineIK("leg", (1, 2), 3, softness=99.0))) == {}


def test_stretch_that_never_acts():
    """With softness, or where the upper bone is scaled unevenly, stretch is dead; alone it is fine."""
    limb = SpineIK("leg", (1, 2), 3, stretch=True)
    assert lint(spine_rig(limb)) == {}
    [soft] = lint(spine_rig(dataclasses.replace(limb, softness=5.0)))["lint-stretch"]
    assert soft == 'ik "leg" has stretch and softness 5; Spine never stretches a limb with softness'
    [uneven] = lint(spine_rig(limb, bones=skeleton(a={"scaleX": 2.0})))["lint-stretch"]
    assert uneven.endswith("an uneven scale; Spine does not stretch it then")


def test_stretch_and_shear_drop_things_too():
    """Stretch drops the lower bone's y from 4.0 on, and the upper bone's shear goes in any case up to 4.2."""
    limb, off_axis = SpineIK("leg", (1, 2), 3, stretch=True), skeleton(b={"y": 5.0})
    assert lint(spine_rig(limb, bones=off_axis))["lint-uneven"] == [
        'stretch in ik "leg": local y of "b" (5) is dropped by Spine'
    ]
    assert lint(spine_rig(limb, bones=off_axis, version=(3, 8)), "lint-uneven") == {}
    sheared = skeleton(a={"shear_x": 10.0})
    assert lint(spine_rig(bones=sheared))["lint-uneven"] == ['ik "leg": the shear of "a" is dropped by Spine']
    assert lint(spine_rig(bones=sheared, version=(4, 3)), "lint-uneven") == {}


def test_keys_that_fall_back_to_the_formats_defaults():
    """A key without a value that the setup has otherwise is told, as a remark; a full key is not."""
    limb = SpineIK("leg", (1, 2), 3, mix=0.5, bend=-1)

    def keyed(key):
        data = MappingProxyType({"animations": {"walk": {"ik": {"leg": [key, key | {"time": 1}]}}}})
        return check(spine_rig(limb, data=data), only="lint-defaults").findings

    [finding] = keyed({"softness": 3})
    assert (finding.severity, finding.animation, finding.constraint) == ("info", "walk", "leg")
    assert "its keys leave out mix (0.5 at setup), bendPositive (false at setup)" in finding.message
    assert keyed({"mix": 0.5, "bendPositive": False}) == ()
    follow = SpineTransform("follow", (4,), 3, order=1, mixes=(0.0, 0.5, 0.5, 1.0, 1.0, 1.0))
    data = {"animations": {"walk": {"transform": {"follow": [{"mixX": 0.2}]}}}}
    [finding] = check(spine_rig(transform=(follow,), data=data), only="lint-defaults").findings
    assert "leave out mixRotate (0 at setup);" in finding.message  # mixY is mixX where it is left out


def test_what_the_reader_remarked_is_told_once():
    """Odd things in the file are findings; what another rule tells, with its constraint, is not told again."""
    notes = (
        "the version in skeleton.spine is missing",
        'ik constraint "leg": order 7 leaves a gap',
        "not simulated: 1",
    )
    assert lint(spine_rig(notes=notes), "lint-file") == {"lint-file": [notes[0]]}


def test_what_is_not_simulated_is_said():
    """Physics and sliders have no effect here, which the report says without being asked for a check."""
    sway = Unsimulated("hair", "physics", bone=4, order=1)
    report = check(spine_rig(unsimulated=(sway,)), only="lint-order")
    assert report.skipped == ("1 physics constraint not simulated, so what they move is as it is keyed",)


def test_every_rule_has_a_page_that_begins_with_its_code():
    """Pages inside functions are as the others: code first, no indentation of the source."""
    for code in RULES:
        assert page(code).startswith(f"{code}: ")
        assert "\nWhat it means\n  " in page(code)


def test_native_rigs_have_none_of_this():
    """Without a runtime only the bone that is driven twice is looked for."""
    data = {"format": "elbowroom-rig/1", "bones": BONES[:1], "constraints": []}
    assert lint(from_record(read(data))) == {}
