"""Noise in a target: how far the elbow turns at most, the softness for a bound, filters in the declared space."""

from __future__ import annotations

import json
import math
import subprocess
import sys

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from limb_rigs import arm, arm_bones, constraint, distance, keyed, tip
from mpmath import mp, mpf

import elbowroom as er
from elbowroom.bench import noise as bench
from elbowroom.cli import main
from elbowroom.solve import goal

A, B = 150.0, 125.0
REACH, HOLE = A + B, A - B
CURVES = ("exponential", "cubic", "quadratic")
bones = st.floats(1e-3, 1e3)
factors = st.floats(0.0, 6.0).map(lambda power: 10.0**power)


def largest(softness, a, b):
    """The largest gain at 50 digits: that at the onset d = L - s, from 4A = sqrt((L^2 - d^2)(d^2 - l^2))."""
    with mp.workdps(50):
        reach, hole = mpf(a) + mpf(b), abs(mpf(a) - mpf(b))
        d = reach * (1 - mpf(softness))
        height = mp.sqrt((reach - d) * (reach + d))
        return 2 / height if hole == 0 else 2 * d / (height * mp.sqrt((d - hole) * (d + hole)))


# The bound -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("softness", [0.03, 0.05, 0.08])
@pytest.mark.parametrize("curve", CURVES)
def test_no_pair_of_targets_turns_the_elbow_more_than_the_gain_allows(softness, curve):
    """Random pairs from sqrt(L l) on stay below the closed form, and some come within a part in 10 000 of it."""
    found, told = bench.steepest(softness, curve), float(largest(softness, A, B))
    assert told * (1 - 1e-4) < found <= told + 1e-6


def test_the_hard_clamp_turns_by_ten_degrees_for_one_unit():
    """At full reach 275 a single unit inwards costs 9.816 degrees."""
    inward, out = (er.two_bone((0, 0), (d, 0), A, B).angles[1] for d in (274, 275))
    assert math.degrees(out - inward) == pytest.approx(9.816, abs=5e-4)


# The softness for a gain -----------------------------------------------------------------------------


@given(bones, bones, factors)
def test_softness_for_gain_is_the_inverse_of_the_largest_gain(a, b, factor):
    """The largest gain of that softness is the wanted one to 1e-12 of itself, wherever the wanted one is possible."""
    wanted = max(factor, 1 + 1e-9) / min(a, b)
    softness = er.softness_for_gain(wanted, a, b)
    assert 0.0 <= softness <= 1.0
    assert float(abs(largest(softness, a, b) / mpf(wanted) - 1)) <= 1e-12


@given(st.floats(2.2e-3, 0.69), st.sampled_from(CURVES))
def test_softness_for_gain_gives_a_softness_back(softness, curve):
    """`gain` at the onset of a band, asked back, gives the softness; no other place is steeper."""
    onset = REACH * (1 - softness)
    wanted = er.gain(onset, A, B, softness=softness, curve=curve)
    assert er.softness_for_gain(wanted, A, B) == pytest.approx(softness, rel=1e-9)
    d = np.linspace(math.sqrt(REACH * HOLE), 3 * REACH, 500)
    assert er.gain(d, A, B, softness=softness, curve=curve).max() <= wanted * (1 + 1e-9)


@pytest.mark.parametrize(("degrees", "softness"), [(2.0, 0.022139), (1.5, 0.039724), (1.0, 0.091922), (0.75, 0.170809)])
def test_softness_for_known_gains(degrees, softness):
    """The larger root of the quadratic, solved here as it stands."""
    wanted = math.radians(degrees)
    middle = REACH**2 + HOLE**2 - 4 / wanted**2
    q = (middle + math.sqrt(middle**2 - 4 * (REACH * HOLE) ** 2)) / 2
    assert er.softness_for_gain(wanted, A, B) == pytest.approx(1 - math.sqrt(q) / REACH, abs=1e-12)
    assert er.softness_for_gain(wanted, A, B) == pytest.approx(softness, abs=1e-6)


def test_the_ends_of_softness_for_gain():
    """The least gain asks for the whole way to sqrt(L l), equal bones for all of the reach, a huge gain for nothing."""
    assert er.softness_for_gain(2 / (REACH - HOLE), A, B) == pytest.approx(1 - math.sqrt(HOLE / REACH), abs=1e-7)
    assert er.softness_for_gain(1 / B, B, B) == 1.0
    assert 0.0 < er.softness_for_gain(1e9, A, B) < 1e-18
    assert er.softness_for_gain(1e150, 1e150, 1e150) == 0.0


def test_softness_for_gain_has_the_same_bits_on_every_engine():
    """Lists, arrays and broadcast shapes agree."""
    rng = np.random.default_rng(3)
    a, b = rng.uniform(1, 200, (2, 300))
    wanted = 10.0 ** rng.uniform(0, 5, 300) / np.minimum(a, b)
    whole = er.softness_for_gain(wanted, a, b)
    assert tuple(whole.tolist()) == er.softness_for_gain(wanted.tolist(), a.tolist(), b.tolist())
    assert er.softness_for_gain([[0.02], [0.03]], [A, B], B) == tuple(
        tuple(er.softness_for_gain(g, a, B) for a in (A, B)) for g in (0.02, 0.03)
    )
    code = "import sys, elbowroom as er; print(er.softness_for_gain(0.02, 150, 125) > 0, 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True False"


@pytest.mark.parametrize("kind", [list, np.array])
@pytest.mark.parametrize(
    ("given_gains", "upper", "message"),
    [
        ([0.02, 0.0079], A, r"^softness_for_gain gain\[1\]: 0.0079 rad a unit is less than the 0.008 of bones"),
        ([0.0, 0.02], A, r"gain\[0\]: 0 rad a unit is less than .* \(give at least that\)$"),
        ([0.02, 0.02], 0.0, r"gain\[0\]: .* bones of 0 and 125: nothing softens a bone of length 0 \(give more\)$"),
        ([0.02, -1.0], A, r"^softness_for_gain gain\[1\]: -1 is out of range"),
        ([0.02, math.nan], A, r"^softness_for_gain gain\[1\]: nan is not a finite number"),
    ],
)
def test_gains_that_no_softness_has_are_refused(kind, given_gains, upper, message):
    """Below 2 / (L - l) nothing helps; the least gain is named."""
    with pytest.raises(er.InputError, match=message):
        er.softness_for_gain(kind(given_gains), upper, B)


# Filters in the space of the target ------------------------------------------------------------------

FPS, FRAMES = 60, 90
METHODS = ["savgol", "one_euro", {"method": "half_life", "half_life": 0.05}]


def walking(method):
    """A body that moves at 120 units a second, swaying, over a foot planted at (0, 0), seen with noise of 1."""
    t = np.arange(FRAMES) / FPS
    body = np.stack([120 * (t - t.mean()), 40 + 3 * np.sin(9 * t)], axis=-1)
    rig = arm(constraint("leg", smooth=method), bones=arm_bones())
    clip = keyed(rig, FRAMES, fps=FPS, x={"body": body[:, 0]}, y={"body": body[:, 1]})
    return rig, clip, body, np.random.default_rng(21).normal(size=(FRAMES, 2))


def asked(rig, clip, target):
    """The world points (T, 2) that `solve` sends the limb to."""
    known = goal.spaces(rig, clip, None)
    return goal.point(goal.goals(known, {"leg": target})["leg"], rig.constraints[0], clip, known.at(clip.world()))


def rms(lengths):
    """Root of the mean square."""
    return np.sqrt((lengths**2).mean())


@pytest.mark.parametrize("method", METHODS)
def test_a_planted_foot_stays_planted_when_smoothed_in_the_world(method):
    """Under a moving body its drift is less than 1, and less than half of what the noise alone would make."""
    rig, clip, _, noise = walking(method)
    drift = rms(distance(asked(rig, clip, er.Target(noise)), (0.0, 0.0))[15:])
    assert drift < min(1.0, 0.5 * rms(distance(noise, (0.0, 0.0))[15:]))


@pytest.mark.parametrize("method", METHODS[1:])
def test_a_planted_foot_smoothed_on_the_body_is_dragged_along(method):
    """In the space of the body the foot moves, a filter that looks back lags, and the foot slides by 5 and more."""
    rig, clip, body, noise = walking(method)
    drift = distance(asked(rig, clip, er.Target(noise - body, "body")), (0.0, 0.0))
    assert 5.0 < rms(drift[15:]) < 9.0


@pytest.mark.parametrize("method", METHODS)
def test_every_method_is_the_public_filter_at_the_times_of_the_clip(method):
    """A clip that ends between two samples has an uneven last step, which the filter is told."""
    rig, clip, _, noise = walking(method)
    times = np.append(clip.times[:-1], clip.times[-2] + 0.3 / FPS)
    uneven = er.Clip(rig.skeleton, x=clip.x, y=clip.y, fps=FPS, times=times)
    options = method if isinstance(method, dict) else {"method": method}
    np.testing.assert_array_equal(asked(rig, uneven, er.Target(noise)), er.smooth(noise, times=times, **options))
    assert (asked(rig, uneven, er.Target(noise)) != asked(rig, clip, er.Target(noise))).any()


def test_a_solved_foot_stands_where_it_was_smoothed_to():
    """From the noisy target to the tip of the posed leg."""
    rig, clip, _, noise = walking("savgol")
    near = slice(30, 60)  # where the leg reaches the ground
    posed, found = er.solve(rig, clip, {"leg": er.Target(noise)})
    assert found["leg"].reached[near].all()
    assert distance(tip(rig, posed), (0.0, 0.0))[near].max() < 1.0


@pytest.mark.parametrize("name", ["fps", "times", "points"])
def test_a_clip_brings_its_own_clock(name):
    """The options of a constraint's filter cannot replace the samples or their times."""
    rig, clip, _, noise = walking({"method": "savgol", name: 30})
    with pytest.raises(er.RigError, match=rf'^constraint "leg": smooth {name}: the clip has its own \(leave it out\)'):
        asked(rig, clip, er.Target(noise))


# The table -------------------------------------------------------------------------------------------


def test_bench_noise_holds():
    """Every line with a bound passes, and well-known figures are among them; the seeds are fixed."""
    done = CliRunner().invoke(main, ["bench", "noise", "--json"])
    assert done.exit_code == 0
    lines = json.loads(done.output)["lines"]
    assert {line["passed"] for line in lines} == {True, None}
    found = {(line["group"].split(",")[0], line["name"]): line["measured"] for line in lines}
    swing = found["Worst swing of the elbow in a disc of radius 1", "softness 5%, exponential"]
    assert swing == pytest.approx(2.63, abs=5e-3)
    again = [line.measured for line in bench.spreads()]
    assert again == [line["measured"] for line in lines if line["group"].startswith("Elbow under Gaussian")]


def test_bench_noise_fails_when_the_closed_form_is_exceeded(monkeypatch, capsys):
    """A limb that turns more than its gain allows is a FAIL, and exit code 1."""
    monkeypatch.setattr(bench, "largest_gain", lambda softness: 0.01)
    monkeypatch.setattr(bench, "at_rest", lambda: ())
    monkeypatch.setattr(bench, "in_motion", lambda: ())
    assert bench.run() == 1
    assert "FAIL" in capsys.readouterr().out
