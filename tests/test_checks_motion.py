"""flip, pop, jitter: each has a clip made to trip it and one that must not, and says what an animator can use."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest
from test_checks import BONES, LEG, keyed, rig

from elbowroom.checks import CHECKS, check, flip, jitter, pop
from elbowroom.kernel.reach import gain
from elbowroom.rig.units import RADIANS

FPS = 60.0
SOFT = LEG | {"softness": 0.05}


def clip(targets: np.ndarray, **more: object) -> dict[str, object]:
    """One animation "go" with a key of the leg's target every 1/60 s."""
    keys = [[i / FPS, float(x), float(y)] for i, (x, y) in enumerate(targets)]
    return {"go": {"targets": {"leg": keyed(*keys)}, **more}}


def swing(seconds: float, hertz: float = 1.0) -> np.ndarray:
    """A target that swings round in front of the leg, clear of its root and of its reach."""
    t = np.arange(round(seconds * FPS) + 1) / FPS * 2.0 * np.pi * hertz
    return np.stack([65.0 + 15.0 * np.cos(t), 20.0 * np.sin(t)], axis=-1)


def one(limb: dict[str, object], clips: dict[str, object], code: str, **more: object):
    """The only finding of a check."""
    [finding] = check(rig(limb, clips=clips), only=code, **more).findings
    assert (finding.code, finding.animation, finding.constraint) == (code, "go", "leg")
    return finding


def none(limb: dict[str, object], clips: dict[str, object], code: str, **more: object) -> bool:
    """Whether a check finds nothing."""
    return check(rig(limb, clips=clips), only=code, **more).findings == ()


FADE = {"bones": {"shin": {"rotation_deg": [[0, 60]]}}, "mix": {"leg": [[0, 0.01], [1, 1]]}}


def test_an_elbow_that_turns_over_while_the_mix_rises_is_told():
    """The keyed knee bends the other way: with a rising mix it passes straight, and the frame is named."""
    clips = clip(np.tile((60.0, 20.0), (61, 1)), **FADE)
    finding = one(SOFT, clips, "flip")
    assert (finding.severity, finding.frames, finding.unit, finding.limit) == ("warning", 1, "deg", 0.0)
    assert 0 < finding.frame < 60
    where = f"at frame {finding.frame} ({finding.time:.3f} s) without a key of bend"
    assert finding.message.startswith(f'leg in "go": the elbow at "shin" flips to the other side {where}, turning ')
    assert "the mix is below 1 and the keyed pose bends the other way" in finding.message
    assert finding.hint == 'key "shin" on the side that bend names, or change bend'
    assert "MIX" in finding.why
    assert none(SOFT, clips, "flip", thresholds={"flip": finding.value + 0.01})


ANGLES = np.radians(np.linspace(-30.0, 30.0, 61))
ROUND = 80.0 * np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=-1)
EITHER = SOFT | {"limits_deg": [[-40, 40], [-120, 120]], "bend": 0}


def test_a_limb_that_may_bend_to_either_side_flips():
    """With bend 0 limits choose the side: the change is told, and is none once bend says which side it is."""
    finding = one(EITHER, clip(ROUND), "flip")
    assert "bend is 0, so the nearer side wins" in finding.message
    assert finding.hint == "set bend to 1 or -1, or key it where the side should change"
    assert finding.frames == 1
    assert none(EITHER | {"bend": 1}, clip(ROUND), "flip")


def test_what_is_solved_later_may_turn_an_elbow_over():
    """Two limbs that share a bone: the first one's elbow ends up where the second one puts it."""
    spin = {"name": "spin", "bones": ["shin"], "on_miss": "accept", "target": {"position": [0, 0], "space": "world"}}
    aims = keyed([0, 100, -80], [1, 60, 200])
    held = {"leg": keyed([0, 60, 20]), "spin": aims}
    report = check(rig(SOFT, spin, clips={"go": {"targets": held}}), only="flip")
    assert [finding.constraint for finding in report.findings] == ["leg"]
    assert "what is solved after it turns it over" in report.findings[0].message


def test_a_keyed_change_of_side_is_no_flip():
    """A key of bend says that the side changes; a knee keyed on its own side stays there while the mix rises."""
    assert none(SOFT, clip(swing(1.0), bend={"leg": [[0, 1], [0.5, -1]]}), "flip")
    right = FADE | {"bones": {"shin": {"rotation_deg": [[0, -60]]}}}
    assert none(SOFT, clip(swing(1.0), **right), "flip")
    assert none(SOFT, clip(swing(1.0)), "flip")


def test_frames_without_mix_are_the_keys_matter():
    """A limb that is switched off may bend as it likes, and may come back on another side."""
    bones = {"shin": {"rotation_deg": [[0, 60], [1, -60]]}}
    assert none(SOFT, clip(swing(1.0), bones=bones, mix={"leg": [[0, 0]]}), "flip")
    off_between = {"leg": [[0, 1, "stepped"], [0.4, 0, "stepped"], [0.8, 1, "stepped"]]}
    assert none(SOFT, clip(swing(1.0), bones={"shin": {"rotation_deg": [[0, 60]]}}, mix=off_between), "flip")
    assert none(EITHER, clip(ROUND), "flip", thresholds={"flip": 200})
    assert none(EITHER, clip(ROUND, mix=off_between), "flip")


def test_a_straight_leg_has_no_side():
    """Beyond its reach a hard limb is straight, and may come back without a word; on its root it is folded or held."""
    away = np.concatenate([np.linspace(80, 130, 31), np.linspace(130, 80, 30)])[:, np.newaxis]
    assert none(LEG, clip(away * ROUND / 80.0), "flip")
    assert none(LEG, clip(np.linspace(10, 30, 61)[:, np.newaxis] * ROUND / 80.0), "flip")


@pytest.mark.parametrize("bend", [1, -1])
def test_mirroring_is_no_flip(bend):
    """A character or a thigh that is mirrored in the middle of a clip keeps its knee on its own side."""
    target = {"position": [[0, 60, 10]], "space": [[0, "hip"]]}
    for bone in ("hip", "thigh"):
        bones = {bone: {"scale_y": [[0, 1, "stepped"], [0.5, -1, "stepped"], [1, -1]]}}
        clips = {"go": {"targets": {"leg": target}, "bones": bones}}
        character = rig(SOFT | {"bend": bend}, clips=clips)
        assert check(character, only="flip").findings == ()


def test_side_is_that_of_bend():
    """The measured side of a solved elbow is the declared one, for both signs and under a mirrored parent."""
    from elbowroom.checks import takes

    for bend in (1, -1):
        for scale in (1, -1):
            bones = [{"name": "hip", "scale_y": scale}, *BONES[1:]]
            character = rig(SOFT | {"bend": bend}, clips=clip(swing(1.0)), bones=bones)
            [take] = takes(character, None, None, None, 60)
            assert (flip.sides(take, take.elbows[0]) == bend).all()


JUMP = np.where(np.arange(61)[:, None] < 30, (60.0, 20.0), (60.0, -40.0))


def test_a_jump_of_the_target_pops():
    """The frame after the jump, the joint that turns most, by how much, and that the target did it."""
    finding = one(SOFT, clip(JUMP), "pop")
    assert (finding.severity, finding.frame, finding.frames) == ("warning", 30, 1)
    assert (finding.limit, finding.unit) == (30.0, "deg in 1/60 s")
    assert finding.value > 45.0
    assert finding.message.startswith('leg in "go": "thigh" jumps by ')
    assert finding.message.endswith(" at frame 30 (0.500 s), 1 frame of 61; its target jumps")
    assert finding.hint == "mend the target's track, or key its way over more frames"
    assert none(SOFT, clip(JUMP), "pop", thresholds={"pop": finding.value + 0.01})


def test_a_fast_swing_is_no_pop():
    """What turns fast for a while is a motion; so is a slow one."""
    t = np.arange(61)[:, None] * np.radians(40.0)
    circle = 70.0 * np.concatenate([np.cos(t), np.sin(t)], axis=-1)
    assert none(SOFT, clip(circle), "pop", fps=60)
    assert none(SOFT, clip(swing(1.0, 3.0)), "pop")


def test_a_jump_is_a_pop_at_any_rate():
    """120 frames a second see the jump of a held target within one frame as well as 60 do, 30 need twice the angle."""
    held = {"go": {"targets": {"leg": {"position": [[0, 60, 20, "stepped"], [0.5, 60, -40, "stepped"], [1, 60, -40]],
                                       "space": [[0, "world"]]}}}}  # fmt: skip
    at = {fps: one(SOFT, held, "pop", fps=fps) for fps in (60, 120, 240)}
    assert {fps: finding.frame for fps, finding in at.items()} == {60: 30, 120: 60, 240: 120}
    assert len({round(finding.value, 9) for finding in at.values()}) == 1
    assert one(SOFT, held, "pop", fps=30, thresholds={"pop": 10}).value == pytest.approx(at[60].value / 2)


def test_a_pop_names_its_cause():
    """A key of bend, of space or of mix, a target at the root, a hard end: each has its own words and cure."""
    bend = one(SOFT, clip(np.tile((60.0, 20.0), (61, 1)), bend={"leg": [[0, 1], [0.5, -1]]}), "pop")
    assert (bend.frame, bend.hint) == (30, "key bend where the limb is straight or folded up")
    spaces = {"position": [[0, 60, 20], [0.5, 20, 60]], "space": [[0, "world"], [0.5, "hip"]]}
    space = one(SOFT, {"go": {"targets": {"leg": spaces}, "mix": {"leg": [[0, 1], [1, 1]]}}}, "pop")
    assert space.message.endswith("its target changes its space there")
    assert space.hint == 'give its space keys a "blend"'
    switched = {"mix": {"leg": [[0, 0, "stepped"], [0.5, 1]]}, "bones": {"thigh": {"rotation_deg": [[0, 150]]}}}
    mix = one(SOFT, clip(swing(1.0), **switched), "pop")
    assert (mix.frame, mix.hint) == (30, "key the mix over several frames")
    angles = np.radians(np.linspace(120.0, 240.0, 61))
    behind = 70.0 * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    limits = one(SOFT | {"limits_deg": [[-60, 60], [-120, 0]]}, clip(behind), "pop")
    assert limits.message.endswith("another pose within the limits is nearer there")
    past = np.stack([np.linspace(-60.0, 60.0, 61), np.full(61, 0.4)], axis=-1)
    root = one(SOFT, clip(past), "pop")
    assert root.hint == "lead the target past it at a distance, or raise inner_softness"
    out = np.interp(np.arange(46), [0.0, 20.0, 21.0, 45.0], [99.4, 99.5, 100.5, 100.5])
    snap = one(LEG, clip(np.stack([out, np.zeros(46)], axis=-1)), "pop", thresholds={"pop": 10.0})
    assert (snap.frame, snap.hint) == (21, "set softness to 0.05")
    assert none(SOFT, clip(np.stack([out, np.zeros(46)], axis=-1)), "pop", thresholds={"pop": 10.0})


def test_medians_leave_the_step_itself_out():
    """The neighbours of a step are those within 0.1 s of it, before and after; on its own it has none."""
    times = np.arange(41) / FPS
    speed = np.arange(40.0)
    around = [*range(14, 20), *range(21, 27)]
    assert pop.medians(speed, times, np.array([20]))[0] == np.median(around)
    assert pop.medians(speed, times, np.array([0]))[0] == np.median(range(1, 7))
    assert pop.medians(speed[:1], times[:2], np.array([0]))[0] == 0.0


def shaken(amount: float, seconds: float = 2.0, seed: int = 7) -> np.ndarray:
    """A slow swing with noise on it."""
    points = swing(seconds, 0.5)
    return points + amount * np.random.default_rng(seed).standard_normal(points.shape)


def test_noise_makes_an_elbow_tremble():
    """Seconds, degrees and the gain at that distance are named, and smoothing cures it."""
    finding = one(SOFT, clip(shaken(1.0)), "jitter")
    assert (finding.severity, finding.limit, finding.unit) == ("warning", 0.5, "deg rms")
    assert 0.5 < finding.value < 3.0
    assert 60 <= finding.frames <= 121
    assert finding.message.startswith('leg in "go": the elbow at "shin" trembles by ')
    assert "rms above 12 Hz around frame " in finding.message
    assert finding.message.endswith("° at that distance (gain)")
    assert finding.hint.startswith('smooth the target ("smooth": "savgol")')
    assert none(SOFT | {"smooth": "savgol"}, clip(shaken(1.0)), "jitter")
    assert none(SOFT, clip(shaken(1.0)), "jitter", thresholds={"jitter": finding.value + 0.01})


def test_a_build_server_sees_them():
    """In JUnit each check has a case for each animation, and a warning is a failure if it is asked to be."""
    report = check(rig(SOFT, clips=clip(np.repeat(JUMP, 2, axis=0))))
    assert [finding.code for finding in report.findings] == ["pop"]
    for fail_on, failures in (("error", 0), ("warning", 1)):
        [suite] = ElementTree.fromstring(report.to_junit(fail_on))
        cases = {case.get("classname"): case for case in suite}
        assert list(cases) == [f"elbowroom.{code}" for code in CHECKS]
        assert len(suite.findall("testcase/failure")) == failures
        assert len(cases["elbowroom.pop"].findall("failure")) == failures


def test_a_smooth_motion_does_not_tremble():
    """Swings, a jump, a hard contact with linear keys: none of them is a tremble."""
    assert none(SOFT, clip(swing(2.0)), "jitter")
    assert none(SOFT, clip(swing(2.0, 3.0)), "jitter")
    assert none(SOFT, clip(np.where(np.arange(121)[:, None] < 60, (30.0, 20.0), (70.0, 50.0))), "jitter")
    bounce = np.stack([np.full(121, 50.0), -40.0 + 30.0 * np.abs(np.linspace(-2, 2, 121) % 2 - 1)], axis=-1)
    assert none(SOFT, clip(bounce), "jitter")


def test_the_gain_is_the_closed_form():
    """The gain that a finding shows is that of the limb at the middle distance of the window, in its own lengths."""
    from elbowroom.checks import takes

    points = np.tile((72.0, 0.0), (121, 1)) + 0.4 * np.random.default_rng(3).standard_normal((121, 2))
    [take] = takes(rig(SOFT, clips=clip(points)), None, None, None, 60)
    here, _ = jitter.gains(take, take.elbows[0], slice(30, 90))
    distance = float(np.median(np.sqrt((points[30:90] ** 2).sum(axis=-1))))
    assert here == pytest.approx(gain(distance, 60.0, 40.0, softness=0.05) / RADIANS, rel=1e-9)
    hard = np.tile((100.0, 0.0), (121, 1)) + 0.3 * np.random.default_rng(3).standard_normal((121, 2))
    finding = one(LEG, clip(hard), "jitter")
    assert "or raise softness to 0.08" in finding.hint
    assert "turns it without bound at that distance (gain)" in finding.message


def test_only_what_is_above_12_hz_counts():
    """A sine of 20 Hz comes through at its own rms, one of 5 Hz does not come through."""
    t, on = np.arange(181) / FPS, np.ones(181, dtype=bool)
    for hertz, share in ((20.0, 1.0), (25.0, 1.0), (5.0, 0.0), (1.0, 0.0)):
        angle = np.radians(2.0) * np.sin(2.0 * np.pi * hertz * t + 0.3)
        rms = jitter.trembles(angle, on, FPS).rms
        assert rms == pytest.approx(share * 2.0 / np.sqrt(2.0), abs=0.02), hertz
    assert jitter.trembles(np.radians(2.0) * np.sin(125.0 * t), ~on, FPS).rms.max() == 0.0
    shake = np.radians(2.0) * np.sin(2.0 * np.pi * 20.0 * t + 0.3)
    across = jitter.trembles((shake + 2.0 * np.pi) % (2.0 * np.pi) - np.pi, on, FPS)  # from -180 to 180 and back
    assert across.rms == pytest.approx(2.0 / np.sqrt(2.0), abs=0.02)
    assert across.starts.tolist() == [15, 45, 75, 105, 106]  # of 60 frames each, 15 to spare on either side


def test_a_tremble_of_a_second_is_found_in_a_long_clip():
    """Its frame lies in that second, whatever the rest of the clip does."""
    points = swing(10.0, 0.5)
    points[315:375] += np.random.default_rng(1).standard_normal((60, 2))
    finding = one(SOFT, clip(points), "jitter")
    assert finding.frame == 345
    assert finding.frames < 200


def test_what_is_too_short_for_a_tremble_is_said():
    """Short clips, slow ones and uneven clocks are skipped by name; a last frame off the beat is no reason."""
    for seconds, fps, reason in (
        (0.7, 60, "shorter than 0.75 s"),
        (2.0, 24, "fewer than 30 frames a second cannot show what is above 12 Hz"),
        (0.75, 60, ""),
        (2.0, 47.3, ""),
    ):
        report = check(rig(SOFT, clips=clip(swing(seconds))), only="jitter", fps=fps)
        assert report.skipped == ((f'jitter skipped "go": {reason}',) if reason else ()), seconds
    uneven = np.sort(np.random.default_rng(5).uniform(0.0, 2.0, 121))
    assert jitter.usable(uneven, FPS) == (0, "its frames are not evenly spaced in time")
    assert check(rig(SOFT), only="jitter").skipped == ()
