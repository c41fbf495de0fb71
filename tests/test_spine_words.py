"""Reports on Spine rigs in the words and units of Spine."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from spine_small import read

import elbowroom as er
from elbowroom.errors import InputError

RIGS = Path(__file__).resolve().parent.parent / "examples" / "rigs"
BONES = [
    {"name": "root"},
    {"name": "upper", "parent": "root", "length": 60, "rotation": 20},
    {"name": "lower", "parent": "upper", "x": 60, "length": 40, "rotation": -30},
    {"name": "goal", "parent": "root", "x": 70, "y": 10},
    {"name": "hand", "parent": "lower", "x": 40, "length": 10},
]


def rig_of(ik, animations=None):
    """A limb of 100 that reaches for a bone."""
    record = {"name": "arm", "bones": ["upper", "lower"], "target": "goal", **ik}
    return read({"skeleton": {"spine": "4.2.22"}, "bones": BONES, "ik": [record], "animations": animations or {}})


def test_softness_is_asked_for_in_units():
    """5 % of a limb of 100 is a Softness of 5; a native rig is told the fraction."""
    [finding] = er.check(rig_of({}), only=["softness"]).findings
    assert finding.hint == "set Softness to 5"
    native = er.load(RIGS / "scout.rig.json")
    limbs = tuple(dataclasses.replace(limb, softness=0.0) for limb in native.constraints)
    for finding in er.check(dataclasses.replace(native, constraints=limbs), only=["softness"]).findings:
        assert finding.hint == "set softness to 0.05"


def test_keyed_softness_is_softness():
    """A limb whose softness is keyed is not told to have none."""
    keyed = rig_of({}, {"soft": {"ik": {"arm": [{"softness": 6}]}}})
    assert not er.check(keyed, only=["softness"]).findings


def test_a_hint_names_no_setting_that_spine_does_not_have():
    """Far targets: Spine's Stretch, and no on_miss."""
    far = rig_of({}, {"far": {"bones": {"goal": {"translate": [{"x": 80}]}}}})
    [finding] = er.check(far, only=["reach"]).findings
    assert finding.hint.endswith("turn Stretch on (it needs Softness 0)")


@pytest.mark.filterwarnings("ignore:.*order 7")
@pytest.mark.parametrize("ik", [{"mix": 0}, {"order": 7}])
def test_a_limb_that_is_off_has_no_miss(ik):
    """Mix 0, and a constraint that the runtime drops: no finding of reach; the dropped one is told by lint-order."""
    rig = rig_of(ik, {"far": {"bones": {"goal": {"translate": [{"x": 80}]}}}})
    assert not er.check(rig, only=["reach"]).findings
    told = er.check(rig, only=["lint-order"]).findings
    assert len(told) == (1 if "order" in ik else 0)


def test_parity_is_a_switch():
    """Anything but None, True and False is refused: 0 would mean the opposite of what it looks like."""
    rig = rig_of({})
    for odd in (0, "4.1", "False", (4, 1)):
        with pytest.raises(InputError, match=r"parity: .* \(None, True or False\)"):
            er.solve(rig, rig.skeleton.rest_pose(), parity=odd)


def test_one_skin_at_a_time():
    """A list of skins is refused in one line."""
    rig = er.load(RIGS / "scout-4.2.json")
    with pytest.raises(InputError, match=r"skin: \['pack'\] \(the name of one skin\)"):
        rig.clip("walk", skin=["pack"])


def test_a_spine_rig_prints_short():
    """Its record is counted, not spelled out."""
    assert repr(er.load(RIGS / "scout-4.2.json").runtime).count("\n") == 0
    assert len(repr(er.load(RIGS / "scout-4.2.json").runtime)) < 120
