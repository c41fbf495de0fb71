"""A limb whose target passes its root: how fast it turns, what that costs, and what is told."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elbowroom import InputError, Why, two_bone
from elbowroom.kernel.rate import follow, limit_rate
from elbowroom.kernel.solution import FIELDS

A, B, RADIUS = 150.0, 125.0, 20.0
numbers = st.floats(-1e6, 1e6) | st.sampled_from([0.0, 1e-300, 1e150, -1e150])
tracks = st.lists(st.tuples(numbers, numbers), min_size=1, max_size=12)


def passing(h, frames=201):
    """A target that passes the root at distance h in steps of 1."""
    return np.stack([np.arange(frames) - frames // 2 + 0.3 * (h > 0.0), np.full(frames, h)], axis=-1)


def steps(angles):
    """The largest turn of a joint from one frame to the next [rad], the short way."""
    change = np.diff(np.asarray(angles), axis=0)
    return float(np.abs((change + math.pi) % (2.0 * math.pi) - math.pi).max())


@pytest.mark.parametrize("bones", [(A, B), (120.0, 120.0)])
@pytest.mark.parametrize("h", [0.0, 0.5, 2.0, 10.0, 40.0])
def test_passing_the_root(bones, h):
    """The joints turn by at most 1.2 / radius a unit and the gain of the inner zone; the miss is gone at the end."""
    reach, hole = sum(bones), bones[0] - bones[1]
    calm = follow((0, 0), passing(h), *bones, steady=RADIUS / reach)
    soft = 0.05 * reach
    gain = 2 * (hole + soft) / math.sqrt((reach**2 - (hole + soft) ** 2) * soft * (2 * hole + soft))
    assert steps(calm.angles) <= 1.2 / RADIUS + gain
    beyond = calm.error - np.maximum(hole - np.hypot(*passing(h).T), 0.0)
    assert beyond.max() <= 46.0
    assert calm.error[-1] <= 1e-12
    acted = (calm.why & Why.RATE) > 0
    assert acted.any() == (h < RADIUS)
    assert not calm.reached[acted].any()
    if h < RADIUS:
        assert steps(two_bone((0, 0), passing(h), *bones).angles) > steps(calm.angles) + 0.03


def test_off_is_off():
    """steady=0 is two_bone itself, and a radius of 0 gives every point back as it was."""
    track = passing(0.5)
    plain, off = two_bone((0, 0), track, A, B), follow((0, 0), track, A, B, steady=0.0, inner_softness=0.0)
    for name in FIELDS:
        assert np.array_equal(getattr(plain, name), getattr(off, name)), name
    kept = limit_rate((0, 0), track, 0.0)
    assert np.array_equal(kept.points, track)
    assert not kept.acted.any()


def test_error_is_that_of_the_asked_target():
    """`error` is the distance of the end to the target asked for, `reached` and RATE agree with it."""
    track = passing(3.0)
    calm = follow((0, 0), track, A, B)
    far = np.hypot(*(calm.joints[:, 2] - track).T)
    assert np.abs(calm.error - far).max() <= 1e-12
    assert np.array_equal(calm.reached, calm.error <= 1e-9 * (A + B))
    assert ((calm.why & Why.RATE) > 0).sum() > 20


def test_passing_outside_the_radius_changes_nothing():
    """A target that keeps farther from the root than the radius is followed to the bit."""
    track = passing(20.01)
    limited = limit_rate((0, 0), track, RADIUS)
    assert np.array_equal(limited.points, track)
    assert not limited.acted.any()


def test_frame_rate_does_not_matter_much():
    """Twice the frames: the same way, to a few hundredths of the radius; the turn is tied to the way, not the frame."""
    slow = limit_rate((0, 0), passing(2.0), RADIUS)
    fine = np.stack([np.linspace(-99.7, 100.3, 4001), np.full(4001, 2.0)], axis=-1)
    fast = limit_rate((0, 0), fine, RADIUS)
    assert np.abs(slow.points - fast.points[::20]).max() <= 0.1 * RADIUS


def test_only_the_past_counts():
    """Sample i does not depend on later ones, and the first is kept."""
    track = passing(1.0)
    whole = limit_rate((0, 0), track, RADIUS)
    part = limit_rate((0, 0), track[:105], RADIUS)
    assert np.array_equal(whole.points[:105], part.points)
    assert np.array_equal(whole.points[0], track[0])


def test_resting_target_is_caught_up_with_in_time():
    """With `most` the limb goes on turning while the target rests, at that speed; without, it waits."""
    track = [(5.0, 0.0), (-5.0, 0.1), *[(-5.0, 0.1)] * 60]
    waits = limit_rate((0, 0), track, 100.0)
    assert all(waits.acted[1:])
    assert waits.points[-1] == waits.points[1]
    comes = limit_rate((0, 0), track, 100.0, most=4.0, fps=60)
    turn = [math.atan2(y, x) for x, y in comes.points]
    assert turn[3] - turn[2] == pytest.approx(4.0 / 60.0)
    assert comes.points[-1] == track[-1]
    timed = limit_rate((0, 0), track, 100.0, most=4.0, times=[i / 60 for i in range(62)])
    assert np.allclose(timed.points, comes.points, atol=1e-12)


def test_it_is_the_way_against_the_root_that_counts():
    """A root that walks past a resting target turns the limb as a target that walks past a resting root."""
    one = limit_rate((0, 0), passing(1.0), RADIUS)
    other = limit_rate(-passing(1.0), np.zeros((201, 2)), RADIUS)
    assert np.array_equal(one.acted, other.acted)
    assert np.abs(one.points - (other.points + passing(1.0))).max() <= 1e-12


def test_exactly_through_the_root():
    """On the root the direction is kept, and is the solver's fallback: no frame jumps."""
    limited = limit_rate((0, 0), [(2.0, 0.0), (0.0, 0.0), (-2.0, 0.0)], RADIUS)
    assert limited.direction[1] == (1.0, 0.0)
    assert limited.points[1] == (0.0, 0.0)
    assert math.atan2(limited.points[2][1], limited.points[2][0]) == pytest.approx(2.0 / RADIUS)
    first = limit_rate((0, 0), [(0.0, 0.0), (0.0, 0.0)], RADIUS, fallback=(0, 3))
    assert first.direction == ((0.0, 1.0), (0.0, 1.0))


@given(tracks, st.floats(0.0, 1e3), st.floats(0.0, 10.0))
def test_any_track(track, radius, most):
    """Any track: finite points at the asked distance, and lists and arrays agree to the bit."""
    limited = limit_rate((0, 0), track, radius, most=most, fps=30)
    array = limit_rate((0, 0), np.array(track), radius, most=most, fps=30)
    assert np.array_equal(array.points, np.array(limited.points))
    assert np.array_equal(array.acted, np.array(limited.acted))
    assert np.isfinite(array.points).all()
    for (x, y), (gx, gy) in zip(track, limited.points, strict=True):
        assert math.hypot(gx, gy) == pytest.approx(math.hypot(x, y), rel=1e-14)
    assert np.abs(np.hypot(*np.moveaxis(array.direction, -1, 0)) - 1.0).max() <= 1e-15


def test_batch_equals_singles():
    """Several limbs at once, each with its own radius, are the stack of the singles; lists agree with arrays."""
    tracks = np.stack([passing(h) for h in (0.0, 0.5, 2.0)], axis=1)
    steady = np.array([0.0, 0.07, 0.2])
    batch = follow((0, 0), tracks, A, B, steady=steady)
    lists = follow((0, 0), tracks.tolist(), A, B, steady=steady.tolist())
    assert (batch.joints.shape, batch.why.shape) == ((201, 3, 3, 2), (201, 3))
    for name in FIELDS:
        assert np.array_equal(getattr(batch, name), np.array(getattr(lists, name))), name
        for i in range(3):
            single = follow((0, 0), tracks[:, i], A, B, steady=float(steady[i]))
            assert np.array_equal(getattr(batch, name)[:, i], getattr(single, name)), name
    assert all(isinstance(why, Why) for row in lists.why for why in row)


def test_plain_lists_load_nothing_heavy():
    """A track of plain numbers loads no NumPy."""
    code = (
        "import sys; from elbowroom.kernel.rate import follow; s = follow((0, 0), [(4, 1), (1, 1), (-2, 1)], 60, 60);"
        "s.why, s.error, s.angles, s.direction; print('numpy' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.strip() == "False"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"points": (1, 2)}, "is one point"),
        ({"radius": -1.0}, "radius: -1 is out of range"),
        ({"most": 1.0}, "most: it is in rad a second"),
        ({"fps": 0}, "fps: 0 "),
        ({"times": [0.0, 1.0]}, r"times: shape \(2,\)"),
        ({"times": [0.0, 1.0, 1.0]}, r"times\[2\]: 1 is not after 1"),
        ({"points": [(0, 1), (0, math.inf), (1, 1)]}, r"points\[1\]\[1\]: inf"),
    ],
)
def test_refused_arguments(changed, said):
    """What makes no track is refused by name and place."""
    arguments = {"root": (0, 0), "points": [(1, 1), (0, 1), (-1, 1)], "radius": 1.0} | changed
    with pytest.raises(InputError, match=said):
        limit_rate(**arguments)
