"""The bundled rig: it stands, waves and walks as a person would, and the main job on it does what it says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import elbowroom as er
from elbowroom.checks import check
from elbowroom.formats.tracks import load_targets
from elbowroom.kernel.solution import Why

FPS = 60


class Played(NamedTuple):
    """An animation of the rig, solved."""

    keyed: er.Clip
    clip: er.Clip
    solutions: dict[str, er.Solution]

    def foot(self, side: str) -> np.ndarray:
        """(T, 2) where the leg ends."""
        return np.asarray(self.solutions[f"leg_{side}"].joints)[:, -1]

    def target(self, name: str) -> np.ndarray:
        """(T, 2) where a keyed limb should go."""
        position = self.keyed.tracks[name].position
        assert position is not None
        return position


@pytest.fixture(scope="module")
def scout(project: Path) -> er.Rig:
    """The bundled rig."""
    return er.load(project / "examples" / "rigs" / "scout.rig.json")


@pytest.fixture(scope="module")
def walk(scout: er.Rig) -> Played:
    """Scout's walk at 60 frames a second."""
    return played(scout, "walk")


def played(scout: er.Rig, name: str) -> Played:
    """An animation, solved with its own targets."""
    keyed = scout.clip(name, FPS)
    return Played(keyed, *er.solve(scout, keyed))


def still(points: np.ndarray) -> np.ndarray:
    """(T,) frames whose point is the same as in the frame before or after."""
    same = (np.diff(points, axis=0) == 0.0).all(axis=1)
    return np.append(same, False) | np.append(False, same)


def bulge(joints: np.ndarray) -> np.ndarray:
    """(T,) how far the middle joint lies to the left of the line from root to end [length]."""
    upper, line = joints[:, 1] - joints[:, 0], joints[:, -1] - joints[:, 0]
    return (line[:, 0] * upper[:, 1] - line[:, 1] * upper[:, 0]) / np.hypot(line[:, 0], line[:, 1])


def test_the_file_is_as_it_would_be_written(scout: er.Rig, project: Path, tmp_path: Path) -> None:
    """Loading and saving the bundled rig gives the same bytes."""
    er.save(scout, tmp_path / "scout.rig.json")
    assert (tmp_path / "scout.rig.json").read_bytes() == (project / "examples/rigs/scout.rig.json").read_bytes()


def test_proportions(scout: er.Rig) -> None:
    """About 170 units tall at rest, feet on the ground, left and right limbs of the same lengths."""
    tips = scout.skeleton.rest_pose().tips()
    assert 160.0 < tips[:, 1].max() < 180.0
    assert abs(tips[:, 1].min()) < 1.5
    lengths = dict(zip(scout.skeleton.names, scout.skeleton.lengths.tolist(), strict=True))
    pairs = [(name, f"{name[:-2]}_r") for name in lengths if name.endswith("_l")]
    assert len(pairs) == 6
    assert [lengths[left] - lengths[right] for left, right in pairs] == [0.0] * 6


def test_rest_is_the_solved_pose_roughly(scout: er.Rig) -> None:
    """Opened without inverse kinematics, the rig stands nearly as it does with it."""
    rest = scout.skeleton.rest_pose()
    solved, solutions = er.solve(scout, rest)
    assert np.abs(solved.tips() - rest.tips()).max() < 6.0
    assert all(solution.reached for solution in solutions.values())


@pytest.mark.parametrize("name", ["idle", "wave", "walk"])
def test_every_target_is_reached_without_softness(scout: er.Rig, name: str) -> None:
    """In all clips all limbs get where they should, and nothing acts: no softening, no stretch."""
    for solution in played(scout, name).solutions.values():
        assert np.asarray(solution.reached).all()
        assert (np.asarray(solution.why) == 0).all()


@pytest.mark.parametrize("name", ["idle", "wave", "walk"])
def test_knees_forward_elbows_backward(scout: er.Rig, name: str) -> None:
    """Facing right, knees stay left of hip to ankle and elbows right of shoulder to hand, well away from straight."""
    for limb, solution in played(scout, name).solutions.items():
        out = bulge(np.asarray(solution.joints)) * (1.0 if limb.startswith("leg") else -1.0)
        assert out.min() > 5.0, limb
        if limb.startswith("leg"):
            joints = np.asarray(solution.joints)
            assert (joints[:, 1, 0] > (joints[:, 0, 0] + joints[:, 2, 0]) / 2.0).all(), limb


@pytest.mark.parametrize("name", ["idle", "wave", "walk"])
def test_nothing_sinks_and_heads_stay_up(scout: er.Rig, name: str) -> None:
    """No bone ends below the ground; the head is above everything but a waving hand."""
    clip = played(scout, name).clip
    assert clip.tips()[..., 1].min() > -1e-9
    head = clip.tips()[:, scout.skeleton.index("head"), 1]
    assert (head > 155.0).all()


def test_planted_feet_do_not_drift(walk: Played) -> None:
    """While its target stands still, a foot stays on one point of the ground within 1e-9, most of the time."""
    for side in "lr":
        target, foot = walk.target(f"leg_{side}"), walk.foot(side)
        planted = still(target)
        assert 0.55 < planted.mean() < 0.75
        assert np.abs(foot - target)[planted].max() <= 1e-9
        assert (target[planted, 1] == 0.0).all()


def test_a_foot_is_always_on_the_ground(walk: Played) -> None:
    """Walking, not running: in every frame one foot is planted, and in some both are."""
    left, right = still(walk.target("leg_l")), still(walk.target("leg_r"))
    assert (left | right).all()
    assert 0.1 < (left & right).mean() < 0.4


def test_the_stride_is_even(walk: Played) -> None:
    """Two full strides: six footholds each 54 units on, and the hip goes as far as the feet."""
    feet = [walk.target("leg_l"), walk.target("leg_r")]
    holds = sorted({x for foot in feet for x in foot[still(foot), 0].tolist()})
    assert np.diff(holds).tolist() == [54.0] * 5
    hip = walk.clip.world()[:, 0, 0, 2]
    assert hip[-1] - hip[0] == pytest.approx(4 * 54.0)
    assert walk.clip.times[-1] == 2.0


def test_swinging_feet_clear_the_ground(walk: Played) -> None:
    """A swinging foot rises by a tenth of the leg and moves forward only."""
    for side in "lr":
        foot = walk.foot(side)
        assert 9.0 < foot[:, 1].max() < 20.0
        assert np.diff(foot[:, 0]).min() > -1e-9


def test_arms_swing_against_the_legs(walk: Played) -> None:
    """When the right foot is ahead the right hand is behind, and the other way round."""
    hip = walk.clip.world()[:, 0, 0, 2]
    hand = np.asarray(walk.solutions["arm_r"].joints)[:, -1, 0] - hip
    assert np.corrcoef(hand, walk.foot("r")[:, 0] - hip)[0, 1] < -0.8


@pytest.mark.parametrize("name", ["idle", "wave", "walk"])
def test_no_joint_jumps(scout: er.Rig, name: str) -> None:
    """No bone turns by more than 15 degrees in a sixtieth of a second."""
    turn = np.diff(np.unwrap(played(scout, name).clip.rotation, axis=0), axis=0)
    assert np.degrees(np.abs(turn)).max() < 15.0


def test_idle_ends_where_it_begins(scout: er.Rig) -> None:
    """The looping clip joins without a step."""
    tips = played(scout, "idle").clip.tips()
    assert scout.animations["idle"].loop
    assert np.abs(tips[-1] - tips[0]).max() < 1e-9
    assert np.abs(tips[len(tips) // 2] - tips[0]).max() > 0.5


def test_wave_raises_the_right_hand(scout: er.Rig) -> None:
    """The right hand goes up beside the head and to and fro there; the left one stays down."""
    waved = played(scout, "wave")
    right, left = (np.asarray(waved.solutions[f"arm_{side}"].joints)[:, -1] for side in "rl")
    up = right[:, 1] > 150.0
    assert up.mean() > 0.5
    turns = np.diff(np.sign(np.diff(right[up, 0])))
    assert np.count_nonzero(turns) >= 3
    assert left[:, 1].max() < 95.0


def test_the_track_is_the_walk_with_one_long_step(scout: er.Rig, walk: Played, project: Path) -> None:
    """The bundled table has the walk's own feet, but for the last step of the right one, which is out of reach."""
    tracks = load_targets(project / "examples/tracks/scout_feet.csv", scout)
    assert tracks.warnings == ()
    keyed = scout.clip("walk", 30)
    there = {name: track.position for name, track in tracks.sample(keyed.times).items()}
    before = keyed.times < 1.56
    assert np.abs(there["leg_l"] - keyed.tracks["leg_l"].position).max() < 0.01
    assert np.abs(there["leg_r"] - keyed.tracks["leg_r"].position)[before].max() < 0.01
    _, solutions = er.solve(scout, keyed, targets=dict(tracks.tracks))
    missed = {name: np.flatnonzero(~np.asarray(s.reached)) for name, s in solutions.items()}
    assert [name for name, frames in missed.items() if frames.size] == ["leg_r"]
    assert missed["leg_r"].tolist() == [57, 58, 59, 60]
    worst = int(np.argmax(solutions["leg_r"].error))
    assert Why(int(solutions["leg_r"].why[worst])) == Why.FAR | Why.SOFT | Why.STRETCH
    assert 2.0 < solutions["leg_r"].error[worst] < 5.0


def test_the_main_job(scout: er.Rig, project: Path, tmp_path: Path) -> None:
    """The first example ends by itself, reports each limb, and writes the files it names."""
    pytest.importorskip("PIL.Image")
    out = tmp_path / "new" / "out"
    command = [sys.executable, str(project / "examples/01_scout_walks_a_track.py"), str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines[1:5]] == ["leg_l", "leg_r", "arm_l", "arm_r"]
    assert "FAR SOFT STRETCH" in lines[2]
    report = check(scout, "walk", targets=dict(load_targets(project / "examples/tracks/scout_feet.csv", scout).tracks))
    [finding] = report.findings  # the same numbers as `elbowroom check` tells
    assert lines[2].split()[1:6] == [f"{finding.value:.3f}", str(finding.frame), str(finding.frames), "of", "121"]
    assert [Path(line.removeprefix("wrote ")) for line in lines[5:]] == [
        out / name for name in ("scout_walk.rig.json", "scout_walk.gif", "scout_walk.svg", "scout_miss.svg")
    ]
    assert all((out / path.name).stat().st_size > 1000 for path in out.iterdir())
    assert len(list(out.iterdir())) == 4
    baked_is_the_walk(scout, project, out)


def baked_is_the_walk(scout: er.Rig, project: Path, out: Path) -> None:
    """The baked file shows the same motion within the tolerance, without constraints."""
    feet = dict(load_targets(project / "examples/tracks/scout_feet.csv", scout).tracks)
    solved, _ = er.solve(scout, scout.clip("walk", FPS), targets=feet)
    baked = er.load(out / "scout_walk.rig.json")
    assert baked.constraints == ()
    assert np.abs(baked.clip("walk", FPS).tips() - solved.tips()).max() <= 0.1
