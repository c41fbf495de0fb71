"""limit and softness, and what all checks make of the bundled character."""

from __future__ import annotations

import numpy as np
import pytest
from test_checks import LEG, LOOK, reach_clip, rig

from elbowroom.checks import CHECKS, check
from elbowroom.formats import load
from elbowroom.kernel.two_bone import two_bone

LIMITED = LEG | {"limits_deg": [[-120, 30], [-90, 0]]}


def test_a_limit_that_binds_is_told():
    """Which bone, which end, how far beyond, from which frame on; info only."""
    clips = reach_clip([0, 60, 0], [1, 20, 60])
    [finding] = check(rig(LIMITED, clips=clips), only="limit").findings
    assert (finding.code, finding.severity, finding.constraint) == ("limit", "info", "leg")
    assert (finding.unit, finding.limit) == ("deg", 0.0)
    free = two_bone((0.0, 0.0), (20.0, 60.0), 60.0, 40.0)
    over = np.degrees(free.angles)
    assert finding.value == pytest.approx(max(over[0] - 30.0, -90.0 - over[1], 0.0), abs=1e-6)
    assert finding.message.startswith('leg in "go": "thigh" stops at its upper limit of 30°, ')
    assert "LIMIT" in finding.why
    assert finding.hint == 'widen limits_deg of "thigh", or move the target to where the joint may go'
    assert not check(rig(LIMITED, clips=clips), only="limit", thresholds={"limit": finding.value + 0.01}).findings


def test_a_limit_that_does_not_bind_is_silent():
    """Limits around what the limb does, or none, or a mix of 0: nothing to tell."""
    inside = reach_clip([0, 75, -20], [1, 85, 0])
    assert not check(rig(LIMITED, clips=inside), only="limit").findings
    assert not check(rig(LEG, clips=reach_clip([0, 20, 60])), only="limit").findings
    off = reach_clip([0, 20, 60], mix={"leg": [[0, 0]]})
    assert not check(rig(LIMITED, clips=off), only="limit").findings


def test_both_bones_are_named():
    """The one that would have to go furthest first, then the other with its frames."""
    tight = LEG | {"limits_deg": [[-10, 10], [-20, 0]]}
    [finding] = check(rig(tight, clips=reach_clip([0, 30, 45], [1, 30, 45])), only="limit").findings
    assert finding.frames == 61
    assert '; a limit of "' in finding.message
    assert finding.message.endswith('" too, 61 frames')


def test_softness_outside_3_to_8_percent_is_a_remark():
    """None, little, much: each in its own words; 3 and 8 % are fine, and so is a bone that aims."""
    for softness, words in (
        (0.0, "no softness, so its elbow snaps where the limb gets straight (0 % of its reach)"),
        (0.01, "little softness"), (0.0299, "little softness"), (0.03, None), (0.05, None), (0.08, None),
        (0.081, "much softness"), (0.5, "much softness"),
    ):  # fmt: skip
        report = check(rig(LEG | {"softness": softness}, LOOK), only="softness")
        assert len(report.findings) == (words is not None), softness
        for finding in report.findings:
            assert (finding.severity, finding.constraint, finding.animation) == ("info", "leg", None)
            assert finding.message.startswith(f"leg: {words}")
            assert finding.limit == (0.03 if softness < 0.03 else 0.08)
            assert finding.hint in ("set softness to 0.05", "raise it to 0.05", "lower it to 0.05")
    assert not check(rig(LEG), only="softness", thresholds={"softness": 0}).findings
    assert check(rig(LEG | {"softness": 0.1}), only="softness", thresholds={"softness": 0}).findings
    assert not check(rig(LEG | {"softness": 0.2}), only="softness", thresholds={"softness": 0.2}).findings


def test_scout_is_clean(project):
    """The bundled character has nothing an eye would catch in any of its animations."""
    report = check(load(project / "examples" / "rigs" / "scout.rig.json"))
    assert (report.findings, report.skipped) == ((), ())
    assert report.checks == tuple(CHECKS)


def test_every_check_takes_a_rig_of_any_size():
    """No animation, no limb, one frame, two frames: every check runs and none falls over."""
    for limbs in ((), (LEG,), (LEG, LOOK)):
        check(rig(*limbs))
        for fps in (60, 1, 0.5):
            check(rig(*limbs, clips={"go": {"bones": {"hip": {"x": [[0, 0], [1 / 60, 4]]}}}}), fps=fps)
        check(rig(*limbs, clips={"go": {}}))
