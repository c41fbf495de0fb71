"""What every check shares, reach and lint-rig: what is a finding, what it says, and what a report looks like."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from elbowroom.checks import CHECKS, page
from elbowroom.checks import check as check_all
from elbowroom.checks.report import Finding, Report, Skip, short, skipped
from elbowroom.errors import InputError, RigError
from elbowroom.kernel.solution import Why
from elbowroom.rig.animation import TargetKeys
from elbowroom.rig.build import from_record
from elbowroom.rig.faults import check as read
from elbowroom.rig.keys import Track
from elbowroom.rig.rig import Rig
from elbowroom.rig.target import Target

BONES = [
    {"name": "hip"},
    {"name": "thigh", "parent": "hip", "length": 60},
    {"name": "shin", "parent": "thigh", "x": 60, "length": 40},
    {"name": "head", "parent": "hip", "y": 10, "length": 20},
]
THERE, UP = {"position": [80, 0], "space": "world"}, {"position": [0, 90], "space": "world"}
LEG = {"name": "leg", "bones": ["thigh", "shin"], "on_miss": "accept", "target": THERE}
LOOK = {"name": "look", "bones": ["head"], "on_miss": "accept", "target": UP}


def check(*given: Any, only: Any = ("reach", "lint-rig"), **more: Any) -> Report:
    """The checks this file is about; the others have files of their own."""
    return check_all(*given, only=only, **more)


def keyed(*keys: list[float]) -> dict[str, object]:
    """A target that moves in the world."""
    return {"position": [list(key) for key in keys], "space": [[0, "world"]]}


def rig(*constraints: dict[str, object], clips: dict[str, object] | None = None, bones: list[object] = BONES) -> Rig:
    """A rig of these limbs."""
    data = {"format": "elbowroom-rig/1", "bones": bones, "constraints": list(constraints), "clips": clips or {}}
    return from_record(read(data))


def reach_clip(*keys: list[float], **more: object) -> dict[str, object]:
    """One animation "go" that moves the leg's target."""
    return {"go": {"targets": {"leg": keyed(*keys)}, **more}}


def test_a_limb_that_arrives_is_no_finding():
    """Targets inside the reach give an empty report that says what was looked at."""
    report = check(rig(LEG, clips=reach_clip([0, 30, 0], [1, 90, 0])))
    assert report.findings == ()
    assert report.to_dict()["summary"] == {
        "error": 0, "warning": 0, "info": 0, "animations": ["go"], "frames": 61,
        "checks": ["reach", "lint-rig"], "skipped": [],
    }  # fmt: skip
    assert report.headline == "no findings in 1 animation (61 frames)"


def test_too_far_is_told_with_its_worst_frame():
    """The worst frame, its miss, the number of frames, the cause and a way out."""
    [finding] = check(rig(LEG, clips=reach_clip([0, 80, 0], [1, 140, 0]))).findings
    assert (finding.code, finding.severity, finding.animation, finding.constraint) == ("reach", "error", "go", "leg")
    assert (finding.frame, finding.time, finding.unit, finding.why) == (60, 1.0, "units", ("FAR",))
    assert finding.value == pytest.approx(40.0)
    assert finding.limit == pytest.approx(0.5)
    assert finding.frames == 40  # 80 + i > 100.5 from frame 21 on
    assert finding.causes == {"FAR": 40}
    assert finding.message == (
        'leg in "go": the tip of "shin" stops 40 short of its target at frame 60 (1.000 s), 40 frames of 61; '
        "the target is beyond the limb's reach (FAR)"
    )
    assert finding.hint == 'move the target or "thigh" closer, or allow stretch'


def test_half_a_percent_is_let_pass():
    """A miss of 0.5 % of the reach is none; a little more is one; the threshold replaces it in rig units."""
    assert not check(rig(LEG, clips=reach_clip([0, 100.49, 0]))).findings
    assert check(rig(LEG, clips=reach_clip([0, 100.51, 0]))).findings
    assert not check(rig(LEG, clips=reach_clip([0, 103, 0])), thresholds={"reach": 3.01}).findings
    assert check(rig(LEG, clips=reach_clip([0, 103, 0])), thresholds={"reach": 2.99}).findings[0].limit == 2.99


@pytest.mark.parametrize("scale", [0.01, 1.0, 7.0])
def test_reach_is_measured_in_the_world(scale):
    """A scaled parent scales the limb's reach, and the share of it that may be missed."""
    bones = [{"name": "hip", "scale_x": scale, "scale_y": scale}, *BONES[1:]]
    [finding] = check(rig(LEG, clips=reach_clip([0, 140 * scale, 0]), bones=bones)).findings
    assert finding.limit == pytest.approx(0.5 * scale)
    assert finding.value == pytest.approx(40 * scale)


def test_causes_are_told_apart():
    """Too far, too near, held back by softness, stretched as far as it goes: each by its own name."""
    soft, stretchy = LEG | {"softness": 0.2}, LEG | {"on_miss": "stretch", "max_stretch": 0.1}
    for limb, x, cause, value in (
        (LEG, 5, "NEAR", 15), (soft, 90, "SOFT", None), (stretchy, 120, "STRETCH", 10), (stretchy, 108, None, None),
    ):  # fmt: skip
        found = check(rig(limb, clips=reach_clip([0, x, 0]))).findings
        assert [f.why[0] for f in found] == ([cause] if cause else [])
        assert value is None or found[0].value == pytest.approx(value)
        assert all(f.limit == pytest.approx(0.5) for f in found)  # of the reach without stretch


def test_several_causes_are_counted():
    """One finding for one constraint in one animation, however many causes."""
    [finding] = check(rig(LEG, clips=reach_clip([0, 0, 0.5], [1, 130, 0.5]))).findings
    assert set(finding.causes) == {"FAR", "NEAR"}
    assert sum(finding.causes.values()) == finding.frames


def test_less_than_full_mix_is_a_remark():
    """A limb that shares its pose with the keys is meant to miss: info, cause MIX; switched off it has no miss."""
    clips = reach_clip([0, 0, 80], mix={"leg": [[0, 0.5], [1, 0]]})
    [finding] = check(rig(LEG, clips=clips)).findings
    assert (finding.severity, finding.why[0], finding.causes) == ("info", "MIX", {"MIX": 60})
    almost = reach_clip([0, 0, 140], mix={"leg": [[0, 1 - 1e-7]]})
    assert check(rig(LEG, clips=almost)).findings[0].severity == "error"


def test_a_mix_that_fades_does_not_hide_a_miss():
    """Misses at full mix make the finding an error; the others are only counted."""
    clips = reach_clip([0, 140, 0], mix={"leg": [[0, 1], [0.5, 1], [1, 0]]})
    [finding] = check(rig(LEG, clips=clips)).findings
    assert (finding.severity, finding.frames, finding.causes) == ("error", 31, {"FAR": 31, "MIX": 29})


def test_a_bone_that_aims_is_judged_by_its_angle():
    """The distance of an aiming bone is no miss; a bone that something else turns away afterwards is one."""
    look = LOOK | {"target": {"position": [500, 80], "space": "world"}}
    assert not check(rig(look)).findings
    turned = LEG | {"name": "turn", "bones": ["hip"], "target": {"position": [0, 9], "space": "world"}}
    [finding] = check(rig(look, turned)).findings
    assert (finding.constraint, finding.unit, finding.limit, finding.why) == ("look", "deg", 0.5, ("ORDER",))
    assert finding.value > 80
    assert "what is solved after it moves it away (ORDER)" in finding.message
    assert 'look in the setup pose: "head" points' in finding.message
    assert not check(rig(look | {"mix": 0.0})).at_least("warning")


def test_a_target_on_the_root_of_an_aiming_bone_has_no_direction():
    """Where there is nothing to aim at there is nothing to miss."""
    here = LOOK | {"target": {"position": [0, 10], "space": "world"}}
    assert not check(rig(here)).findings


def test_frames_below_a_squashed_bone_are_told():
    """Where a bone above is scaled to a line or a point the limb keeps its angles, and the frames are listed."""
    clips = reach_clip([0, 80, 0], bones={"hip": {"scale_x": [[0, 1, "stepped"], [0.5, 0, "stepped"], [1, 1]]}})
    [finding] = check(rig(LEG, clips=clips), fps=2).findings
    assert (finding.severity, finding.frame, finding.frames, finding.why) == ("info", 1, 1, ("DEGENERATE",))
    assert "a bone above is squashed, so the limb keeps its angles (DEGENERATE)" in finding.message


def test_each_animation_and_constraint_has_its_own_finding():
    """Errors stand first; clips can be named, handed in as poses, or all taken."""
    near = {"targets": {"leg": keyed([0, 5, 0]), "arm": keyed([0, 80, 0])}, "mix": {"leg": [[0, 0.5]]}}
    far = {"targets": {"leg": keyed([0, 200, 0]), "arm": keyed([0, 200, 0])}}
    arm = LEG | {"name": "arm", "mix": 0.9}
    character = rig(arm, LEG, clips={"near": near, "far": far})
    places = [(f.severity, f.animation, f.constraint) for f in check(character).findings]
    assert places[0] == ("error", "far", "leg")
    assert len(set(places)) == len(places) >= 3
    assert check(character, "near").animations == ("near",)
    assert check(character, [character.clip("far", 10), "near"]).animations == ("far", "near")


def test_targets_come_first():
    """Targets of the call replace those of the rig; a rig without animations is checked for as long as they last."""
    track = TargetKeys(Track(np.array([0.0, 2.0]), np.array([[80.0, 0.0], [180.0, 0.0]])))
    report = check(rig(LEG), targets={"leg": track}, fps=10)
    assert (report.animations, report.frames, report.findings[0].time) == (("targets",), 21, 2.0)
    assert check(rig(LEG), targets={"leg": Target((300, 0), space="world")}).findings[0].animation is None


def test_advice_becomes_warnings():
    """What hangs together in the record and is hardly meant: a warning with the place and a way out."""
    shut = LEG | {"limits_deg": [[-90, 90], [10, 120]]}
    [finding] = check(rig(shut), only=["lint-rig"]).findings
    assert (finding.code, finding.severity, finding.constraint) == ("lint-rig", "warning", "leg")
    assert finding.message.startswith("$.constraints[0].limits_deg[1]: [10, 120] leaves no room for the elbow")
    assert finding.hint == "bend -1, or other limits"
    target = keyed([0, 80, 0], [0.2, 80, 1]) | {"space": [[0, "world"], [0.5, "hip"], [0.6, "world"]], "blend": 0.3}
    report = check(rig(LEG, clips={'odd "name"': {"targets": {"leg": target}}}), only="lint-rig")
    [finding] = report.findings
    assert (finding.animation, finding.constraint) == ('odd "name"', "leg")
    assert finding.message.endswith("more of this)")


def test_a_bone_without_length_is_named():
    """A limb that cannot fold because a bone of it has no length is told so, and which bone."""
    tip = [*BONES[:2], {"name": "shin", "parent": "thigh", "x": 60}]
    root = [*BONES[:2], {"name": "shin", "parent": "thigh", "length": 40}]
    for bones, flat in ((tip, "shin"), (root, "thigh")):
        limb = LEG | {"target": {"position": [20, 0], "space": "world"}}
        miss, lint = check(rig(limb, bones=bones)).findings
        assert "; the limb cannot fold, because it has a bone of length 0 (NEAR)" in miss.message
        assert miss.hint == f'give "{flat}" a length'
        assert lint.message == f'$.constraints[0]: bone "{flat}" has length 0, so the limb cannot fold'
        assert (lint.severity, lint.hint, lint.constraint) == ("warning", "give it a length", "leg")
    far = LEG | {"target": {"position": [200, 0], "space": "world"}}
    assert check(rig(far, bones=tip), only="reach").findings[0].why[0] == "FAR"
    assert "length 0" not in check(rig(far, bones=tip), only="reach").findings[0].message
    assert not check(rig(LOOK, bones=[*BONES[:3], {"name": "head", "parent": "hip"}])).findings  # it only aims


def test_the_page_tells_about_its_causes():
    """Every cause that reach can name has its part of the page, with all of its lines and no other's."""
    for flag in Why:
        text = CHECKS["reach"].about(flag.name)
        assert text.startswith(f"  {flag.name} "), flag
        assert sum(f"\n  {other.name} " in text for other in Why) == 0
    assert CHECKS["reach"].about("FAR").endswith('with a "max_stretch".')
    assert CHECKS["reach"].about("NONE") == CHECKS["reach"].about("Limbs") == CHECKS["lint-rig"].about("FAR") == ""


def test_only_and_thresholds_know_their_codes():
    """Unknown codes are refused with the closest, odd thresholds with what would be right."""
    leg = rig(LEG)
    assert check(leg, only=("reach",)).checks == ("reach",)
    for call, text in (
        ({"only": ["rech"]}, 'only: there is no check "rech" (did you mean "reach"?)'),
        ({"thresholds": {"zzz": 1}}, f'thresholds: there is no check "zzz" (known: {", ".join([*CHECKS][:12])}, …)'),
        ({"thresholds": {"reach": -1.0}}, "threshold of reach: -1 is out of range (give at least 0)"),
        ({"thresholds": {"reach": float("nan")}}, "threshold of reach: nan is not a finite number"),
        ({"thresholds": {"reach": "2"}}, "threshold of reach: '2' (a number, 0 or more)"),
        ({"ground": "hills"}, "check ground: 'hills' (the height of a flat ground, a number in rig units, or None)"),
        ({"ground": float("nan")}, "check ground: nan is not a finite number"),
    ):
        with pytest.raises(InputError) as error:
            check(leg, **call)
        assert str(error.value) == text
    with pytest.raises(InputError) as error:
        check("scout.rig.json")
    assert str(error.value) == "check: 'scout.rig.json' is no rig (give a Rig, such as elbowroom.load(path))"
    with pytest.raises(RigError, match="does not exist"):
        check(leg, "walk")
    with pytest.raises(InputError, match=r"a keyed Clip with one axis, time, or an animation's name"):
        check(leg, [leg.skeleton.rest_pose()])


def test_a_rig_without_constraints_says_so():
    """Nothing to reach for is no fault, and is told."""
    report = check(rig())
    assert not report.findings
    assert report.skipped == ("the rig has no IK constraint, so there is nothing to reach for",)


def test_what_could_not_be_looked_at_is_said_once_a_reason():
    """A sentence for each check and reason, with a few of the animations it is about."""
    skips = [Skip("jitter", "shorter than 0.75 s", name) for name in ("a", "b", "c", "d", "e", "f")]
    assert skipped([*skips, Skip("jitter", "odd", "g"), Skip("slide", "no ground")]) == (
        'jitter skipped "a", "b", "c", "d" and 2 more: shorter than 0.75 s',
        'jitter skipped "g": odd',
        "slide skipped the setup pose: no ground",
    )
    short_clip = {"hop": {"targets": {"leg": keyed([0, 80, 0], [0.5, 81, 0])}}}
    report = check_all(rig(LEG, clips=short_clip), only="jitter")
    assert report.skipped == ('jitter skipped "hop": shorter than 0.75 s',)
    assert str(report).splitlines()[0] == report.skipped[0]


def test_every_check_has_a_page():
    """Code first, then meaning, thresholds or severity, causes and cures."""
    for code, each in CHECKS.items():
        assert each.title.startswith(f"{code}: ")
        for part in ("What it means", "What causes it, and how to cure it", "Severity:"):
            assert part in page(code)
    with pytest.raises(InputError, match=r'explain: there is no check "reech" \(did you mean "reach"\?\)'):
        page("reech")


def test_the_json_is_what_was_promised():
    """File, findings with the promised keys, summary; plain JSON types only."""
    report = check(rig(LEG, clips=reach_clip([0, 140, 0])))
    data = json.loads(report.to_json())
    assert list(data) == ["file", "findings", "summary"]
    promised = {"code", "severity", "animation", "constraint", "frame", "time", "value", "limit", "unit", "why"}
    assert promised | {"message", "hint", "frames"} <= set(data["findings"][0])
    assert data["findings"][0]["why"] == ["FAR"]
    assert data == report.to_dict()


def test_at_least_counts_from_the_worst():
    """error takes errors, warning takes both; another word is refused."""
    report = Report(tuple(Finding(code="x", severity=s, message="") for s in ("info", "warning", "error")))
    assert [len(report.at_least(s)) for s in ("error", "warning", "info")] == [1, 2, 3]
    assert [f.severity for f in report.findings] == ["error", "warning", "info"]
    assert report.headline == "1 error, 1 warning, 1 remark in the setup pose (0 frames)"
    with pytest.raises(InputError, match='severity: "fatal" is none of error, warning, info'):
        report.at_least("fatal")


def test_junit_has_a_case_for_each_check_and_animation():
    """Findings bad enough are failures, others output; odd letters in names leave it well-formed."""
    odd = "a\x00<&\ufffe"
    bad = Finding(code="reach", severity="error", message="m", hint="h", animation=odd)
    mild = Finding(code="lint-rig", severity="warning", message="w")
    report = Report((bad, mild), "f.json", (odd, "walk"), 2, ("reach", "lint-rig"))
    for fail_on, failures in (("error", 1), ("warning", 2)):
        suite = ElementTree.fromstring(report.to_junit(fail_on).encode())[0]
        assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("3", str(failures), "0")
        assert len(suite.findall("testcase/failure")) == failures
    assert suite.find("testcase/failure").get("message") == "error reach: m — h"


def test_junit_tells_what_was_skipped():
    """A check that could not look at an animation is <skipped> with its reason; one of the rig has a single case."""
    slow = {"bones": {"hip": {"x": [[0, 0], [2, 1]]}}}
    clips = {"hop": {"bones": {"hip": {"x": [[0, 0], [0.5, 1]]}}}, "walk": slow, "run": slow}
    report = check_all(rig(LEG | {"softness": 0.5}, clips=clips), only=["jitter", "softness"])
    suite = ElementTree.fromstring(report.to_junit().encode())[0]
    cases = {(case.get("classname"), case.get("name")): case for case in suite}
    assert list(cases) == [
        ("elbowroom.jitter", "hop"), ("elbowroom.jitter", "walk"), ("elbowroom.jitter", "run"),
        ("elbowroom.softness", "rig"),
    ]  # fmt: skip
    assert suite.get("skipped") == "1"
    assert [(key[1], case.find("skipped").get("message")) for key, case in cases.items() if len(case) and case[0].tag
            == "skipped"] == [("hop", "shorter than 0.75 s")]  # fmt: skip
    assert "much softness" in cases["elbowroom.softness", "rig"].find("system-out").text


def test_a_moved_root_that_is_held_back_is_told():
    """With "move_root" a miss names what kept the shift: its cap, its smoothing, or that of another limb's."""
    far = reach_clip([0, 90, 0], [0.3, 130, 0], [0.6, 90, 0])
    moved = LEG | {"on_miss": "move_root", "root": "hip"}
    smoothed = check(rig(moved, clips=far), only="reach").findings[0]
    assert 'the shift of "hip" is smoothed along time, which leaves a rest here (FAR)' in smoothed.message
    assert smoothed.hint == "lower shift_half_life (0: no smoothing)"
    assert not check(rig(moved | {"shift_half_life": 0}, clips=far), only="reach").findings
    capped = check(rig(moved | {"shift_half_life": 0, "max_shift": 10}, clips=far), only="reach").findings[0]
    assert '"hip" is shifted as far as max_shift lets it (FAR)' in capped.message
    assert capped.hint == "raise max_shift"
    both = moved | {"on_miss": ["stretch", "move_root"], "max_stretch": 0.1, "max_shift": 2}
    assert check(rig(both, clips=far), only="reach").findings[0].hint == "raise max_shift, or raise max_stretch"
    arm = moved | {"name": "arm", "bones": ["head"], "max_shift": 0.5, "target": UP}
    found = check(rig(moved | {"shift_half_life": 0}, arm, clips=far), only="reach").findings
    assert next(f.hint for f in found if f.constraint == "leg") == 'raise max_shift of "arm"'
    resting = check(rig(moved | {"on_miss": ["accept", "move_root"]}, clips=far), only="reach").findings[0]
    assert "allow stretch" in resting.hint


def test_a_used_up_stretch_is_the_cause_under_limits_too():
    """A limb stretched to its end names max_stretch, whether or not a limit is set as well."""
    limb = LEG | {"on_miss": "stretch", "max_stretch": 0.1, "limits_deg": [[-30, 30], [-120, 0]]}
    finding = check(rig(limb, clips=reach_clip([0, 80, 80])), only="reach").findings[0]
    assert finding.why[0] == "STRETCH"
    assert {"LIMIT"} <= set(finding.why)
    assert "max_stretch" in finding.hint


@pytest.mark.parametrize(
    ("number", "text"),
    [(0.0, "0"), (8.7, "8.7"), (25.0, "25"), (12345.6789, "12345.679"), (1e-5, "1e-05"), (2e9, "2e+09")],
)
def test_numbers_are_short(number, text):
    """Three decimals at most, no empty zeros."""
    assert short(number) == text
