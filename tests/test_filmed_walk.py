"""The example of a filmed walk: what it repairs in real keypoints, and what scout makes of them."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import itertools
import json
import re

import numpy as np
import pytest

import elbowroom as er

LEG = 94.0  # [length] scout's leg
SWAPS = [77, 107, 114, 115]  # frames of the film in which the detector exchanged the legs
MERGED = [61, 114, 115]  # frames in which the tracked detector puts both ankles on nearly one point


@pytest.fixture(scope="module")
def example(project):
    """The example as a module."""
    spec = importlib.util.spec_from_file_location("a_filmed_walk", project / "examples" / "02_a_filmed_walk.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def film(example):
    """Points and what was seen, as filmed."""
    _, points, seen = example.read(example.FILM)
    return points, seen


@pytest.fixture(scope="module")
def made(example, tmp_path_factory):
    """The folder the example wrote into, and what it said."""
    out, said = tmp_path_factory.mktemp("films") / "out", io.StringIO()
    with contextlib.redirect_stdout(said):
        example.main(out)
    return out, said.getvalue()


@pytest.fixture(scope="module")
def walk(made):
    """The rig with the walk as targets, its solved clip and the solutions."""
    rig = er.load(made[0] / "filmed_walk.targets.rig.json")
    return rig, *er.solve(rig, rig.clip("filmed walk", 30))


def with_legs_back(points, swaps):
    """Points (T, 5, 2 legs, 2) with the legs of some frames exchanged."""
    return np.where(swaps[:, None, None, None], points[:, :, ::-1], points)


def apart(a, b):
    """Distances of points (..., 2)."""
    return np.linalg.norm(a - b, axis=-1)


def test_report_says_what_was_repaired(made):
    """The report counts cuts, swaps, dropouts and outliers, and measures what the repair changed."""
    said = made[1]
    assert "151 frames, 2 cut at the start and 10 at the end" in said
    assert "swaps     4 frames of the film: 77, 107, 114, 115\n" in said
    assert re.search(r"dropouts +9 of 1390 landmarks", said)
    assert re.search(r"outliers +\d+ landmarks .*\(4 of ankles\)", said)
    filmed, back, now = map(float, re.search(r"tremble .* (\S+), with .* (\S+), now (\S+)", said).groups())
    assert 0.0 < 5.0 * now < back < 0.5 * filmed
    assert 1.0 < float(re.search(r"moved +ankles by (\S+) rms", said)[1]) < 5.0
    assert said.splitlines()[-1].startswith(("wrote ", "no GIF: "))


def test_report_names_the_miss_and_drift_of_each_leg(made, walk):
    """Worst miss, its frame and causes are those of the solutions; the drift is given for both legs."""
    words = r"misses by (\S+) at most, in frame (\d+) \((.*)\), drifts by (\S+) in a stand, at most (\S+)"
    for leg in ("leg_r", "leg_l"):
        line = re.search(rf"{leg} +{words}", made[1])
        solution = walk[2][leg]
        worst = int(line[2])
        assert solution.error[worst] == solution.error.max() == pytest.approx(float(line[1]), abs=0.005)
        assert er.Why(int(solution.why[worst])) == sum(er.Why[name] for name in line[3].split())
        assert float(line[4]) <= float(line[5]) < 0.06 * LEG


def test_files_are_a_rig_with_targets_and_plain_keys(made, walk):
    """The first file is scout with one clip of targets; the baked one needs no inverse kinematics to look the same."""
    rig, posed, _ = walk
    baked = er.load(made[0] / "filmed_walk.rig.json")
    assert rig.clips == baked.clips == ("filmed walk",)
    assert {c.name for c in rig.constraints} >= set(rig.animation("filmed walk").targets)
    assert not baked.constraints
    off = apart(baked.clip("filmed walk", 30).tips(), posed.tips())
    assert 0.0 < off.max() <= 0.1 + 1e-9


def test_gif_shows_every_frame(made):
    """The moving picture lasts as long as the walk."""
    pytest.importorskip("resvg_py", reason='the GIF needs the "render" extra')
    pillow = pytest.importorskip("PIL.Image", reason='the GIF needs the "render" extra')
    with pillow.open(made[0] / "filmed_walk.gif") as picture:
        lasts = []
        for i in range(picture.n_frames):
            picture.seek(i)
            lasts.append(picture.info["duration"])
    assert sum(lasts) == pytest.approx(1000 * 139 / 30, abs=10)


def test_without_the_render_extra_the_rest_is_done(example, tmp_path, capsys, monkeypatch):
    """Without the extra both rigs are written, and the last line says what the picture needs."""

    def save_picture(*_, **__):
        raise er.InputError('drawing pixels needs the "render" extra')

    monkeypatch.setattr(example.render, "save_picture", save_picture)
    example.main(tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["filmed_walk.rig.json", "filmed_walk.targets.rig.json"]
    assert capsys.readouterr().out.splitlines()[-1] == 'no GIF: drawing pixels needs the "render" extra'


def test_scout_walks_forward_with_knees_that_bend_forward(walk):
    """Scout walks to the right some seven legs far, the hip as high as the legs allow, and no knee bends back."""
    rig, posed, solutions = walk
    hip = posed.world()[:, rig.skeleton.index("hip"), :, 2]
    assert rig.facing == 1
    assert (np.diff(hip[:, 0]) > 0.0).all()
    assert 6.0 * LEG < hip[-1, 0] - hip[0, 0] < 8.0 * LEG
    assert 0.8 * LEG < hip[:, 1].min() < hip[:, 1].max() < LEG
    for leg in ("leg_r", "leg_l"):
        assert (solutions[leg].angles[:, 1] < 0.0).all()


def test_legs_miss_little_and_say_why(walk):
    """No leg ends farther than 2 % of its length off its target, and what misses by more than 0.5 % is out of reach."""
    for leg in ("leg_r", "leg_l"):
        solution = walk[2][leg]
        assert solution.error.max() < 0.02 * LEG
        far = (solution.why & int(er.Why.FAR)) != 0
        assert far[solution.error > 0.005 * LEG].all()


def test_no_joint_pops(walk):
    """No leg bone turns by more than 30° from one film frame to the next: what is left is walking."""
    for leg in ("leg_r", "leg_l"):
        turns = np.degrees(np.abs(np.diff(er.unwrap(walk[2][leg].angles), axis=0)))
        assert turns.max() < 30.0


def test_feet_stand_on_the_ground(example, walk):
    """No ankle is below the ground, one foot is always near it, and toes do not go through it."""
    rig, posed, solutions = walk
    heights = np.stack([solutions[leg].joints[:, -1, 1] for leg in ("leg_r", "leg_l")])
    assert heights.min() > -0.005 * LEG
    assert heights.min(axis=0).max() < 0.06 * LEG
    toes = posed.tips()[:, [rig.skeleton.index(f"foot_{side}") for side in "rl"], 1]
    assert toes.min() > -0.02 * LEG


def test_stands_alternate(example, film):
    """The legs take turns: eight stands, and each begins while the other leg still stands."""
    points, seen = film
    tracks, _ = example.cleaned(with_legs_back(points, example.exchanged(points))[2:141], seen[2:141])
    stands = sorted(example.stands_of(tracks), key=lambda stand: stand[1].start)
    assert [leg for leg, _ in stands] == [0, 1] * 4
    for (_, before), (_, after) in itertools.pairwise(stands):
        assert abs(before.stop - after.start) <= 3


@pytest.mark.parametrize("seed", range(6))
def test_swaps_put_in_are_found(example, film, seed):
    """Frames whose legs are exchanged by hand, alone or in a row, are found beside those of the detector."""
    rng, (points, _) = np.random.default_rng(seed), film
    injected = np.zeros(len(points), dtype=bool)
    for start in rng.choice(np.arange(5, 135), size=5, replace=False):
        injected[start : start + rng.choice([1, 1, 2, 5])] ^= True
    found = example.exchanged(with_legs_back(points, injected))
    assert np.array_equal(found, injected ^ np.isin(np.arange(len(points)), SWAPS))


@pytest.mark.parametrize("start", [4, 18, 44, 61, 82, 101, 117])
def test_swap_of_a_second_is_found(example, film, start):
    """Legs exchanged for a whole second are found, also if that begins where the legs pass each other."""
    injected = np.zeros(len(film[0]), dtype=bool)
    injected[start : start + 30] = True
    found = example.exchanged(with_legs_back(film[0], injected))
    assert np.array_equal(found, injected ^ np.isin(np.arange(len(found)), SWAPS))


def test_wild_frame_is_no_swap(example, film):
    """A frame in which both legs are somewhere else, whichever is which, does not make its neighbours swap."""
    points = film[0].copy()
    points[50] += [150.0, 80.0]
    assert [t for t in np.flatnonzero(example.exchanged(points)) if t != 50] == SWAPS


def test_outliers_are_found_and_motion_is_kept(example):
    """Of a moving, trembling point exactly the samples thrown off are rejected, also two in a row."""
    t, rng = np.arange(120) / 30.0, np.random.default_rng(1)
    track = np.stack([300.0 * t, 40.0 * np.sin(6.0 * t)], axis=1) + rng.normal(0.0, 1.0, (120, 2))
    none = np.zeros(120, dtype=bool)
    assert not example.outliers(track, none, least=5.0).any()
    wild = np.isin(np.arange(120), [4, 30, 60, 61])
    track[wild] += [[25.0, 0.0], [15.0, -20.0], [0.0, 30.0], [-10.0, 30.0]]
    assert np.array_equal(example.outliers(track, none, least=5.0), wild)
    assert not example.outliers(track, wild, least=5.0).any()


def test_outlier_put_in_does_not_move_the_walk(example, film):
    """An ankle thrown off by half a leg in one frame leaves the cleaned track where it was, nearly."""
    points, seen = (values[2:70] for values in film)
    clean, wild = example.cleaned(points, seen)
    thrown = points.copy()
    thrown[30, example.ANKLE, 0] += [60.0, 70.0]
    again, found = example.cleaned(thrown, seen)
    assert np.argwhere(found ^ wild).tolist() == [[30, example.ANKLE, 0]]
    assert apart(again, clean).max() < 0.03 * example.leg_length(points)


def test_gaps_are_straight_lines(example):
    """What was not seen is put on the line between its neighbours; the ends are held."""
    line = np.stack([np.arange(8.0), 3.0 - 2.0 * np.arange(8.0)], axis=1)
    gaps = np.isin(np.arange(8), [2, 3, 7])
    damaged = np.where(gaps[:, None], 99.0, line)
    filled = example.filled(damaged, gaps)
    assert np.allclose(filled[:7], line[:7], rtol=0.0, atol=1e-12)
    assert filled[7].tolist() == line[6].tolist()


def test_standing_ankles_only_roll_off(example):
    """While it stands an ankle goes forward and up or not at all; before and after it is left alone."""
    walk = np.random.default_rng(2).normal(5.0, 1.0, (30, 5, 2, 2))
    after = example.grounded(walk, [(1, slice(10, 20))])
    stand = after[10:20, example.ANKLE, 1]
    assert (np.diff(stand, axis=0) >= 0.0).all()
    assert (stand <= walk[10:20, example.ANKLE, 1]).all()
    assert stand[-1].tolist() == walk[19, example.ANKLE, 1].tolist()
    after[10:20, example.ANKLE, 1] = walk[10:20, example.ANKLE, 1]
    assert np.array_equal(after, walk)
    assert example.grounded(walk - 20.0, [])[:, example.ANKLE, :, 1].min() == 0.0


def test_y_is_turned_up_once(example, film):
    """The file's y points down; what is read has hips above ankles, and the same numbers otherwise."""
    data = json.loads(example.FILM.read_text("utf-8"))
    points, _ = film
    raw = np.array(data["frames"])[:, data["names"].index("left_heel"), :2]
    assert data["yAxis"] == "down"
    assert np.array_equal(points[:, example.HEEL, 0], np.stack([raw[:, 0], data["height"] - raw[:, 1]], axis=1))
    assert (points[:, example.HIP, :, 1] > points[:, example.ANKLE, :, 1]).all()


def test_keypoints_come_with_their_licence(example):
    """Beside the keypoints stands where they come from, whose they are, and the licence in full."""
    said = (example.FILM.parent / "ATTRIBUTION.md").read_text("utf-8")
    for words in ("Sports2D", "David Pagnon", "BSD 3-Clause License", "Copyright (c) 2022, perfanalytics",
                  "THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS", "MediaPipe", example.FILM.name):  # fmt: skip
        assert words in said


def test_keypoints_are_the_detectors_own(example, shared):
    """Every number of the reduced file stands in the detector's own output."""
    own = json.loads((shared / "rigs/keypoints/sports2d_walker.mediapipe-independent.json").read_text("utf-8"))
    ours = json.loads(example.FILM.read_text("utf-8"))
    rows = [own["names"].index(name) for name in ours["names"]]
    columns = [own["columns"].index(name) for name in ours["columns"]]
    assert np.array_equal(np.array(own["frames"])[:, rows][:, :, columns], np.array(ours["frames"]))
    for key in ("repo", "commit", "licence", "fps", "width", "height", "detector"):
        assert ours[key] == own[key]


def test_repair_agrees_with_the_detector_that_tracks(example, film, shared):
    """The same detector, told to follow the person, exchanges no legs: after repair ours are where it sees them.

    Swaps are compared where its ankles are a quarter leg apart: with all the same decisions. Ankles are compared
    wherever it does not put both on one point: at most 15 % of a leg apart, 3 % in the median; before, up to 70 %.
    """
    _, tracked, _ = example.read(shared / "rigs/keypoints/sports2d_walker.mediapipe-tracked.json")
    (points, seen), used, leg = film, slice(2, 141), example.leg_length(film[0])
    swaps = example.exchanged(points)
    direct, crossed = (apart(p[:, 1:], tracked[:, 1:]).sum(axis=(1, 2)) for p in (points, points[:, :, ::-1]))
    clear = (apart(*tracked[:, example.ANKLE].transpose(1, 0, 2)) > 0.25 * leg)[used]
    assert clear.sum() > 100
    assert np.array_equal((crossed < direct)[used][clear], swaps[used][clear])
    assert swaps[used][clear].sum() == 2

    after, _ = example.cleaned(with_legs_back(points, swaps)[used], seen[used])
    fair = ~np.isin(np.arange(len(points)), MERGED)[used]
    off = [apart(p[:, example.ANKLE], tracked[used, example.ANKLE])[fair] / leg for p in (points[used], after)]
    assert off[0].max() > 0.6
    assert off[1].max() < 0.15
    assert np.median(off[1]) < 0.03
