"""A clip that loops ends as it began."""

from __future__ import annotations

import warnings

import pytest

from elbowroom import load
from elbowroom.checks import check
from elbowroom.rig.build import from_record
from elbowroom.rig.faults import check as read

BONES = [
    {"name": "hip", "y": 80},
    {"name": "thigh", "parent": "hip", "length": 50, "rotation_deg": -70},
    {"name": "shin", "parent": "thigh", "x": 50, "length": 50, "rotation_deg": -40},
]
LEG = {"name": "leg", "bones": ["thigh", "shin"], "on_miss": "accept", "target": {"position": [5, 0], "space": "world"}}


def loops(keys, *, loop=True, hip=None, limbs=(LEG,), more=None, **options):
    """The findings of this check alone, on one clip of a second."""
    clip = {"loop": loop, "bones": {"hip": hip} if hip else {}}
    if limbs:
        clip["targets"] = {"leg": {"position": keys, "space": [[0, "world"]]}}
    clip |= more or {}
    data = {"format": "elbowroom-rig/1", "bones": BONES, "constraints": list(limbs), "clips": {"go": clip}}
    return check(from_record(read(data)), only="loop", **options).findings


def test_a_clip_that_comes_back_is_clean():
    """The last frame is the first again, however far it was in between."""
    assert loops([[0, 5, 0], [0.5, 40, 20], [1, 5, 0]]) == ()


def test_a_clip_that_ends_elsewhere_pops():
    """The limb, both frames, the distance, and what to copy."""
    [finding] = loops([[0, 5, 0], [0.5, 40, 20], [1, 8, 0]])
    assert (finding.code, finding.severity, finding.constraint) == ("loop", "warning", "leg")
    assert (finding.frame, finding.time, finding.unit) == (60, 1.0, "units")
    assert finding.value == pytest.approx(3.0, abs=1e-6)
    assert finding.limit == pytest.approx(0.5)
    assert 'leg: the tip of "shin" in "go" ends 3 units from where it began (frames 0 and 60)' in finding.message
    assert "copy the keys of frame 0 to frame 60" in finding.hint


def test_the_bound_is_half_a_percent_or_the_callers():
    """0.4 of a reach of 100 passes, 0.6 does not; a threshold in units replaces it."""
    assert loops([[0, 5, 0], [1, 5.4, 0]]) == ()
    assert len(loops([[0, 5, 0], [1, 5.6, 0]])) == 1
    assert loops([[0, 5, 0], [1, 8, 0]], thresholds={"loop": 4.0}) == ()


def test_only_clips_that_loop_are_looked_at():
    """The same clip without "loop" may end anywhere."""
    assert loops([[0, 5, 0], [1, 40, 0]], loop=False) == ()


def test_a_walk_that_goes_on_is_compared_with_its_root():
    """A root that travels takes the first pose along; a foot that stays behind is told."""
    on = {"x": [[0, 0], [1, 60]]}
    assert loops([[0, 5, 0], [1, 65, 0]], hip=on) == ()
    [finding] = loops([[0, 5, 0], [1, 60, 0]], hip=on)
    assert finding.value == pytest.approx(5.0, abs=1e-6)


def test_another_bend_at_the_end_is_named():
    """What makes the tip jump is said where it is known."""
    [finding] = loops([[0, 25, 0]], more={"mix": {"leg": [[0, 1], [1, 0]]}})
    assert finding.message.endswith("; it ends with another mix")


def test_a_rig_without_limbs_is_looked_at_bone_by_bone():
    """The last bone of a chain that does not come back is told, once."""
    turned = {"rotation_deg": [[0, 0], [0.5, 30], [1, 10]]}
    [finding] = loops([], limbs=(), hip=turned)
    assert finding.constraint is None
    assert finding.message.startswith('"shin" in "go" ends ')
    assert loops([], limbs=(), hip={"rotation_deg": [[0, 0], [0.5, 30], [1, 0]]}) == ()


@pytest.mark.parametrize("name", ["spineboy-pro", "spineboy-ess", "alien-pro", "raptor-pro"])
def test_no_alarm_for_falls_and_jumps(shared, name):
    """Files of Spine do not say what loops: nothing is reported of their deaths and jumps, nor of their good cycles."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rig = load(shared / "rigs" / "spine" / "4.2" / f"{name}.json")
    assert check(rig, only="loop", fps=30).findings == ()


def test_a_spine_cycle_that_pops_is_found(shared, tmp_path):
    """A cycle of a real file in which one foot is keyed elsewhere at the end is taken for a loop, and told."""
    import json

    data = json.loads((shared / "rigs" / "spine" / "4.2" / "spineboy-pro.json").read_text("utf-8"))
    keys = data["animations"]["walk"]["bones"]["rear-foot-target"]["translate"]
    keys[-1] = keys[-1] | {"x": keys[-1].get("x", 0.0) + 6.0}
    (tmp_path / "walk.json").write_text(json.dumps(data), "utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rig = load(tmp_path / "walk.json")
    found = check(rig, "walk", only="loop").findings
    assert {f.constraint for f in found} == {"rear-leg-ik", "rear-foot-ik"}
    assert all(f.value == pytest.approx(6.0, abs=1.5) for f in found)
