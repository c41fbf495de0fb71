"""When a foot stands, and whether its target carries it along."""

from __future__ import annotations

import numpy as np
import pytest

from elbowroom.checks import check
from elbowroom.checks.contacts import contacts, joined, velocity
from elbowroom.rig.build import from_record
from elbowroom.rig.faults import check as read
from elbowroom.rig.target import Target

FPS = 60.0
BONES = [
    {"name": "hip", "y": 80},
    {"name": "thigh", "parent": "hip", "length": 50, "rotation_deg": -70},
    {"name": "shin", "parent": "thigh", "x": 50, "length": 45, "rotation_deg": -40},
    {"name": "arm", "parent": "hip", "y": 30, "length": 30},
    {"name": "hand", "parent": "arm", "x": 30, "length": 25},
]
LEG = {"name": "leg", "bones": ["thigh", "shin"], "on_miss": "accept", "softness": 0.05,
       "target": {"position": [5, 0], "space": "world"}}  # fmt: skip
ARM = LEG | {"name": "reach", "bones": ["arm", "hand"], "target": {"position": [20, 40], "space": "character"}}
LEGS = [{"constraint": "leg"}]
SWAY = {"x": [[0, 0], [0.5, 8], [1, 0]]}


def walker(hip: dict[str, object], target: dict[str, object], legs: list[object] = LEGS, **more: object):
    """A rig of one leg and one arm whose hip and foot are keyed."""
    clip = {"bones": {"hip": hip}, "targets": {"leg": target}, **more}
    data = {"format": "elbowroom-rig/1", "bones": BONES, "constraints": [LEG, ARM], "clips": {"go": clip}}
    data |= {"legs": legs} if legs else {}
    return from_record(read(data))


def held(space: str, x: float = 5.0, y: float = 0.0) -> dict[str, object]:
    """A target that keeps its numbers."""
    return {"position": [[0, x, y]], "space": [[0, space]]}


def steps(speed: float, duty: float = 0.6, count: int = 3):
    """Foot and hip (T, 2) of a walk, and which frames the foot stands: one step a second, as a walk cycle has it."""
    t = np.arange(round(count * FPS) + 1) / FPS
    phase, cycle = t % 1.0, np.floor(t)
    stands = phase < duty
    u = np.clip((phase - duty) / (1.0 - duty), 0.0, 1.0)
    x = speed * (cycle + u * u * (3.0 - 2.0 * u))
    foot = np.stack([x, 15.0 * np.sin(np.pi * u) ** 2], axis=-1)
    hip = np.stack([speed * (t - duty / 2.0), 80.0 + 2.0 * np.cos(4.0 * np.pi * t)], axis=-1)
    return foot, hip, t, stands


def f1(runs: np.ndarray, stands: np.ndarray) -> float:
    """How well runs of frames agree with a mask."""
    found = np.zeros(len(stands), dtype=bool)
    for start, stop in runs:
        found[start:stop] = True
    both = (found & stands).sum()
    return 2.0 * both / (found.sum() + stands.sum())


@pytest.mark.parametrize("speed", [110.0, -60.0, 0.0])
@pytest.mark.parametrize("root", [1.0, 0.8, 1.25, 0.0])
@pytest.mark.parametrize("noise", [0.0, 0.5])
def test_contacts_of_a_walk(speed, root, noise):
    """Forward, backward, on the spot, with root motion too slow, too fast or none, and with noise: one run a stand."""
    foot, hip, t, stands = steps(speed)
    slide = (root - 1.0) * speed * t  # the whole character moves by this, the foot with it
    shake = noise * np.random.default_rng(2).standard_normal(foot.shape)
    foot, hip = foot + np.stack([slide, 0.0 * t], -1) + shake, hip + np.stack([slide, 0.0 * t], -1)
    runs = contacts(foot, hip, t, 95.0)
    assert len(runs) in (3, 4)  # the first frame of a fourth step, or not
    assert f1(runs, stands) >= 0.9


def test_contacts_of_who_stands_and_who_hovers():
    """A foot that stands all the time is one contact; one that swings high, or low and fast, is none meanwhile."""
    t = np.arange(121) / FPS
    still, sway = np.zeros((121, 2)), np.stack([4.0 * np.sin(2.0 * np.pi * t), 80.0 + 0.0 * t], axis=-1)
    assert contacts(still, sway, t, 95.0).tolist() == [[0, 121]]
    dance = np.stack([20.0 * np.sin(2.0 * np.pi * t), 80.0 + 0.0 * t], axis=-1)
    assert contacts(still, dance, t, 95.0).tolist() == [[0, 121]]
    high = still + np.stack([0.0 * t, np.where((t > 0.5) & (t < 1.5), 30.0, 0.0)], axis=-1)
    assert contacts(high, sway, t, 95.0) == pytest.approx(np.array([[0, 31], [90, 121]]), abs=3)
    shuffle = np.stack([np.interp(t, [0.0, 0.9, 1.1, 2.0], [0.0, 0.0, 60.0, 60.0]), 0.0 * t], axis=-1)
    assert len(contacts(shuffle, sway, t, 95.0)) == 2
    assert contacts(high, sway, t, 95.0, ground=np.full(121, -20.0)).tolist() == []
    blip = still + np.stack([0.0 * t, np.where(np.abs(t - 1.0) < 0.03, 0.0, 30.0)], axis=-1)
    assert contacts(blip, sway, t, 95.0).tolist() == []
    assert contacts(still[:1], sway[:1], t[:1], 95.0).shape == (0, 2)


def test_stairs_need_their_ground():
    """With the height of the ground below the foot, standing higher up is standing."""
    t = np.arange(121) / FPS
    up = np.stack([0.0 * t, np.where(t < 0.9, 0.0, np.where(t < 1.1, 40.0, 20.0))], axis=-1)
    hip = up + np.array([0.0, 80.0])
    assert len(contacts(up, hip, t, 95.0)) == 1
    assert len(contacts(up, hip, t, 95.0, ground=np.where(t < 1.0, 0.0, 20.0))) == 2


def test_hysteresis_takes_loose_frames_around_strict_ones():
    """A run of loose frames counts as a whole if one of them is strict."""
    loose = np.array([0, 1, 1, 1, 0, 1, 1, 0, 0, 1], dtype=bool)
    strict = np.array([0, 0, 1, 0, 0, 0, 0, 1, 0, 1], dtype=bool)
    assert joined(strict, loose).tolist() == [[1, 4], [9, 10]]
    assert joined(strict & False, loose).tolist() == []


def test_velocity_is_a_slope():
    """A straight line has one speed, also at its ends and on an uneven clock."""
    times = np.array([0.0, 0.1, 0.2, 0.3, 0.35])
    assert velocity(3.0 * times + 1.0, times, 0.1) == pytest.approx(3.0)


def test_a_foot_in_the_space_of_the_hip_is_carried_along():
    """The hip sways and takes a standing foot with it: limb, frames, units, the space, and the cure."""
    for space in ("character", "hip"):
        [finding] = check(walker(SWAY, held(space, 5, -80)), only="space").findings
        assert (finding.severity, finding.constraint, finding.unit) == ("warning", "leg", "units")
        assert finding.value == pytest.approx(8.0 * 2 / 3, abs=0.6)  # 10 of 61 frames are left out at both ends
        assert finding.limit == pytest.approx(0.02 * 95.0)
        assert finding.frames == 61
        stands = "stands from frame 0 to 60 and is carried along by "
        assert finding.message.startswith(f'leg in "go": the foot at the end of "shin" {stands}')
        assert finding.message.endswith(f'its target is in "{space}", which moves with the character')
        assert finding.hint.startswith('try space "world" for the contacts')
    bob = {"y": [[0, 80], [0.5, 72], [1, 80]]}
    assert check(walker(bob, held("hip", 5, -80)), only="space").findings


def test_a_foot_in_the_world_stays():
    """The same sway with the foot in the world is right; so is a foot in a frame that stands still."""
    assert not check(walker(SWAY, held("world")), only="space").findings
    assert not check(walker(SWAY, held("hip", 5, -80)), only="space", thresholds={"space": 9.0}).findings
    assert not check(walker({"x": [[0, 0], [1, 1.5]]}, held("hip", 5, -80)), only="space").findings
    mat = {"frames": {"mat": np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])}, "targets": {"leg": Target((5, 0), "mat")}}
    assert not check(walker(SWAY, held("world")), only="space", **mat).findings


def cycle(speed: float, root: float):
    """A walk whose foot is keyed in the space of the character, and the root motion beside it."""
    foot, hip, t, _ = steps(speed)
    hip[:, 0] -= hip[0, 0] - 10.0
    local = foot - hip
    keys = [[float(a), float(x), float(y)] for a, (x, y) in zip(t, local, strict=True)]
    body = {"x": [[float(a), float(x)] for a, x in zip(t, root * hip[:, 0], strict=True)],
            "y": [[float(a), float(y)] for a, y in zip(t, hip[:, 1], strict=True)]}  # fmt: skip
    return body, {"position": keys, "space": [[0, "character"]]}


def test_a_walk_keyed_round_the_character():
    """Right as long as the root motion fits, or if there is none; carried along where it is too fast or too slow."""
    for root, found in ((1.0, False), (0.0, False), (1.3, True), (0.7, True)):
        report = check(walker(*cycle(60.0, root)), only="space")
        assert bool(report.findings) == found, root
        if found:
            assert report.findings[0].message.count("contacts in all") == 1


def test_which_limbs_are_feet():
    """Those of legs; without legs the limbs that get down to the lowest point. A hand that rides is no foot."""
    assert check(walker(SWAY, held("hip", 5, -80), legs=[]), only="space").findings[0].constraint == "leg"
    assert not check(walker(SWAY, held("world"), legs=[]), only="space").findings
    report = check(walker(SWAY, held("hip", 5, -80), legs=[{"constraint": "reach"}]), only="space")
    assert [finding.constraint for finding in report.findings] == ["reach"]


def test_only_the_part_in_a_moving_space_counts():
    """Frames in the world, in a blend or at less than full mix carry nothing."""
    back = {"position": [[0, 5, 0], [0.98, 5, 0], [1, 5, -80]], "space": [[0, "world"], [0.99, "hip"]]}
    assert not check(walker(SWAY, back), only="space").findings
    slow = {"position": [[0, 5, 0], [0.05, 5, 0], [0.1, 3.4, -80]], "space": [[0, "world"], [0.1, "hip"]], "blend": 0.9}
    assert not check(walker(SWAY, slow), only="space").findings
    assert not check(walker(SWAY, held("hip", 5, -80), mix={"leg": [[0, 0.9]]}), only="space").findings


def test_what_the_foot_does_by_itself_does_not_count():
    """A foot that goes back on the spot in a space that hardly moves is not carried along by more than that."""
    back = {"position": [[0, 20, -80], [1, -10, -80]], "space": [[0, "hip"]]}
    assert not check(walker({"x": [[0, 0], [1, -1.5]]}, back), only="space").findings
    assert check(walker({"x": [[0, 0], [1, -4]]}, back), only="space").findings[0].value < 4.0


def test_a_board_of_its_own_is_not_the_character():
    """A foot on something that moves by itself, beside the character, stands well."""
    board = {"bones": {"hip": SWAY, "board": SWAY}, "targets": {"leg": held("board")}}
    data = {"format": "elbowroom-rig/1", "bones": [*BONES, {"name": "board"}], "constraints": [LEG], "legs": LEGS}
    assert not check(from_record(read(data | {"clips": {"go": board}})), only="space").findings


def test_a_squashed_space_is_no_crash():
    """A character scaled to a point in its first frames has no place in it; the rest is still looked at."""
    flat = SWAY | {"scale_x": [[0, 0, "stepped"], [0.2, 1, "stepped"], [1, 1]]}
    check(walker(flat, held("character", 5, -80)), only="space")
