"""Feet that slide: the two collected tracks, walks that are made to slide or not, and four real walks."""

from __future__ import annotations

import json
import math
import warnings

import numpy as np
import pytest
from click.testing import CliRunner

from elbowroom import load
from elbowroom.checks import check
from elbowroom.checks.contacts import footing
from elbowroom.checks.feet import rolled
from elbowroom.cli import main
from elbowroom.errors import InputError
from elbowroom.formats import save
from elbowroom.rig.build import from_record
from elbowroom.rig.faults import check as read

BONES = [
    {"name": "root"},
    {"name": "hip", "parent": "root", "y": 85},
    {"name": "thigh", "parent": "hip", "length": 50, "rotation_deg": -80},
    {"name": "shin", "parent": "thigh", "x": 50, "length": 50, "rotation_deg": -15},
    {"name": "rear_thigh", "parent": "hip", "length": 50, "rotation_deg": -80},
    {"name": "rear_shin", "parent": "rear_thigh", "x": 50, "length": 50, "rotation_deg": -15},
]
STEP, PERIOD, DUTY = 60.0, 1.0, 0.6
SPEED = STEP / (DUTY * PERIOD)


def leg(name: str, *bones: str) -> dict[str, object]:
    """A limb that reaches for the ground."""
    return {"name": name, "bones": list(bones), "on_miss": "accept", "target": {"position": [0, 0], "space": "world"}}


def steps(phase: float, bend: float = 0.0, travel: float = 0.0, tilt: float = 1.0) -> list[list[float]]:
    """Keys of a foot that stands for 0.6 s and swings for 0.4 s, on the spot or with a way of its own.

    bend : how uneven its way on the ground is;  travel : [length / s] of the character
    tilt : factor on the length of its way on the ground
    """
    keys = []
    for i in range(61):
        time = i / 60.0
        u = (time / PERIOD + phase) % 1.0
        if u < DUTY:
            part = u / DUTY
            x, y = tilt * STEP * (0.5 - part - bend * math.sin(2.0 * math.pi * part)), 0.0
        else:
            part = (u - DUTY) / (1.0 - DUTY)
            x, y = tilt * STEP * (part * part * (3.0 - 2.0 * part) - 0.5), 15.0 * math.sin(math.pi * part)
        keys.append([time, x + travel * time, y])
    return keys


def walker(
    front: list[list[float]], rear: list[list[float]], *, travel: float = 0.0, legs: bool = True, loop: bool = True
):
    """A rig of two legs and one walk, a second long."""
    clip = {"loop": loop, "bones": {"root": {"x": [[0, 0], [PERIOD, travel * PERIOD]]}},
            "targets": {"front": {"position": front, "space": [[0, "world"]]},
                        "rear": {"position": rear, "space": [[0, "world"]]}}}  # fmt: skip
    constraints = [leg("front", "thigh", "shin"), leg("rear", "rear_thigh", "rear_shin")]
    data = {"format": "elbowroom-rig/1", "bones": BONES, "constraints": constraints, "clips": {"walk": clip}}
    data |= {"legs": [{"constraint": "front"}, {"constraint": "rear"}]} if legs else {}
    return from_record(read(data))


def slides(rig, **more):
    """The report of this check alone."""
    return check(rig, only="slide", **more)


@pytest.fixture(scope="session")
def cases(shared):
    """The collected cases by id."""
    return {case["id"]: case for case in json.loads((shared / "cases.json").read_text("utf-8"))}


def test_case_k02_a_retargeted_foot_skates(cases):
    """K02: which frames of a track touch the ground, how far it slides in all and within a frame."""
    given, wanted = cases["K02"]["input"], cases["K02"]["expected"]
    found = footing(np.array(given["foot_xy"]), ground=given["ground"], band=given["height_band"])
    assert list(found.frames) == wanted["contact_frames"]
    assert (found.slide, found.step) == (wanted["slide_total"], wanted["slide_per_frame_max"])
    assert found.warning == ""


def test_case_k03_a_limit_on_the_speed_hides_the_skating(cases):
    """K03: with a limit on the speed no frame of the same track counts, and a warning says why."""
    given, wanted = cases["K03"]["input"], cases["K03"]["expected"]
    track = np.array(cases[given["same_track_as"]]["input"]["foot_xy"])
    found = footing(track, band=given["height_band"], fastest=given["max_speed"])
    assert list(found.frames) == wanted["contact_frames"]
    assert found.warning == wanted["warning"]


def test_footing_of_little():
    """No frame, one frame and a foot in the air are no contact, or one that does not slide."""
    assert footing(np.zeros((0, 2)), band=1.0).frames == ()
    assert footing([[3.0, 0.5]], band=1.0) == footing([[9.0, 1.0]], band=1.0)
    assert footing([[0.0, 5.0], [9.0, 5.0]], band=1.0).slide == 0.0


@pytest.mark.parametrize("legs", [True, False])
def test_a_walk_on_the_spot_whose_feet_keep_pace_is_clean(legs):
    """The ground moves below it at the feet's own speed; the summary tells the speed, with and without named legs."""
    report = slides(walker(steps(0.0), steps(0.5), legs=legs))
    assert report.findings == ()
    told = report.to_dict()["summary"]["slide"]["walk"]
    assert told["ground_speed"] == pytest.approx(SPEED, rel=0.01)
    assert told["share"] < 0.02
    assert told["slide"] < 1.0
    assert (told["contacts"], told["feet"]) == (2, ["front", "rear"])


def test_an_uneven_speed_slides():
    """A foot that eases while it stands is told, with its frames, units, share, cause and cure."""
    [finding] = slides(walker(steps(0.0, bend=0.08), steps(0.5))).findings
    assert (finding.code, finding.severity, finding.constraint) == ("slide", "warning", "front")
    assert (finding.unit, finding.limit) == ("% of ground speed", 5.0)
    assert 15.0 < finding.value < 50.0
    assert 'front in "walk": the foot at the end of "shin" stands from frame ' in finding.message
    assert " % of the ground speed of " in finding.message
    assert finding.message.endswith("its speed is uneven")
    assert finding.hint.startswith("lead the foot in one straight line between frames ")


def test_one_foot_faster_than_the_other_slides():
    """Both are told against the ground that lies between them: one is faster, one slower."""
    found = slides(walker(steps(0.0, tilt=1.3), steps(0.5))).findings
    assert {f.constraint: f.message.rsplit("; ", 1)[1] for f in found}["front"] == "it goes faster than the ground"


def test_a_walk_with_a_way_of_its_own_has_ground_that_rests():
    """Feet that step as far as the character goes are clean; one that goes further than its steps skates with both."""
    right = walker(steps(0.0, travel=SPEED), steps(0.5, travel=SPEED), travel=SPEED, loop=False)
    assert slides(right).findings == ()
    fast = SPEED * 1.3
    found = slides(walker(steps(0.0, travel=fast), steps(0.5, travel=fast), travel=fast, loop=False)).findings
    assert [f.constraint for f in found] == ["front", "rear"]
    assert "the character gets further than its steps" in found[0].message
    assert found[0].value == pytest.approx(100.0 * 0.3 / 1.3, rel=0.2)


def test_somebody_who_stands_and_slides_is_a_remark():
    """Without ground speed a slide of more than 2 % of the leg counts, as a remark; less is nothing."""

    def standing(way):
        keys = [[0, 0, 0], [0.5, way, 0], [1, 0, 0]]
        return slides(walker(keys, [[0, 10, 0], [1, 10, 0]])).findings  # fmt: skip

    [finding] = standing(8.0)
    assert (finding.severity, finding.constraint, finding.unit) == ("info", "front", "units")
    assert finding.limit == pytest.approx(2.0)
    assert standing(1.5) == ()


def test_a_foot_that_its_space_carries_along_is_told_once():
    """Somebody who stands and sways with a foot in the character's space: the check "space" has the cause."""
    clip = {"bones": {"root": {"x": [[0, 0], [0.5, 8], [1, 0]]}}}
    limb = leg("front", "thigh", "shin") | {"target": {"position": [5, 0], "space": "character"}}
    data = {"format": "elbowroom-rig/1", "bones": BONES, "constraints": [limb], "clips": {"sway": clip}}
    data["legs"] = [{"constraint": "front"}]
    rig = from_record(read(data))
    assert [f.code for f in check(rig, only=["slide", "space"]).findings] == ["space"]
    assert [f.severity for f in slides(rig, thresholds={"slide": 5.0}).findings] == ["error"]


def test_max_slide_bounds_every_contact_as_an_error(tmp_path):
    """`--max-slide` counts units and fails; a wide bound lets the same walk pass."""
    rig = walker(steps(0.0, bend=0.08), steps(0.5))
    [finding] = slides(rig, thresholds={"slide": 3.0}).findings
    assert (finding.severity, finding.unit, finding.limit) == ("error", "units", 3.0)
    assert slides(rig, thresholds={"slide": 30.0}).findings == ()
    save(rig, tmp_path / "walk.rig.json")
    call = ["check", str(tmp_path / "walk.rig.json"), "--only", "slide", "--max-slide"]
    assert CliRunner().invoke(main, [*call, "3"]).exit_code == 1
    assert CliRunner().invoke(main, [*call, "30"]).exit_code == 0


def test_ground_says_how_high_it_lies(tmp_path):
    """With a ground far below nobody stands; at its height the walk is seen as before; a file of terrain is refused."""
    rig = walker(steps(0.0, bend=0.08), steps(0.5))
    assert len(slides(rig, ground=0.0).findings) == 1
    assert slides(rig, ground=-50.0).measured == {}
    with pytest.raises(InputError, match="check ground: True"):
        slides(rig, ground=True)
    save(rig, tmp_path / "walk.rig.json")
    refused = CliRunner().invoke(main, ["check", str(tmp_path / "walk.rig.json"), "--ground", "hills.json"])
    assert refused.exit_code == 2
    assert "a terrain is not supported yet" in refused.output


def test_feet_that_hang_and_swing_are_not_judged(shared):
    """Somebody on a swing passes the lowest place at an even speed, and the hip with them: measured, no finding."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of physics
        rig = load(shared / "rigs" / "spine" / "4.2" / "celestial-circus-pro.json")
    report = slides(rig, clip="swing")
    assert report.measured["slide"]["swing"]["share"] > 0.1
    assert report.findings == ()


def test_a_swing_that_dips_to_the_ground_is_no_contact():
    """A foot that is lifted twice and comes forward low in between stands only once a step."""

    def dipping(phase):
        part = [((t + phase) % 1.0 - DUTY) / (1.0 - DUTY) for t, _, _ in steps(phase)]
        lifts = [13.0 * math.sin(2.0 * math.pi * u) ** 2 if u > 0.0 else 0.0 for u in part]
        return [[t, x, y] for (t, x, _), y in zip(steps(phase), lifts, strict=True)]

    report = slides(walker(dipping(0.0), dipping(0.5)))
    assert report.findings == ()
    assert report.measured["slide"]["walk"]["contacts"] == 2


def test_a_foot_is_followed_from_heel_to_ball():
    """The point that is nearer to its own lowest place counts, however high an ankle is above the sole."""
    heel = np.array([[0, 34], [1, 34], [2, 40], [9, 60]], dtype=float)
    ball = np.array([[20, 12], [21, 1], [22, 1], [23, 1]], dtype=float)
    track = rolled(np.stack([heel, ball], axis=1))
    assert track[:, 1].tolist() == [0.0, 0.0, 0.0, 0.0]
    assert np.diff(track[:, 0]).tolist() == [1.0, 1.0, 1.0]


WALKS = {"raptor-pro": 2.3, "spineboy-pro": 2.6, "spineboy-ess": 15.6, "goblins-pro": 16.6}  # medians [%]


def test_real_walks_agree_with_what_was_measured_elsewhere(shared):
    """Four walks, with legs found by IK or by name: the same rank, ground speeds within 6 %, shares within 4 points."""
    golden = json.loads((shared / "golden" / "footslide-2d-cycles.json").read_text("utf-8"))
    found = {}
    for name, share in WALKS.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of curves elsewhere in the file
            rig = load(shared / "rigs" / "spine" / "4.2" / f"{name}.json")
        report = slides(rig, clip="walk")
        told, known = report.measured["slide"]["walk"], golden[f"spine-4.2-{name}/walk"]
        assert told["ground_speed"] == pytest.approx(known["ground_speed_legs_per_s"] * known["leg"], rel=0.06)
        assert 100.0 * told["share"] == pytest.approx(share, abs=4.0)
        assert bool(report.findings) == (share > 5.0)
        found[name] = told["share"]
    assert sorted(found, key=found.__getitem__) == list(WALKS)
