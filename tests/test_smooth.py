"""Smoothing a track: the fit itself, the edges, both kinds of numbers, and what is refused."""

from __future__ import annotations

import math
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.signal import savgol_filter

from elbowroom.errors import InputError
from elbowroom.kernel.savgol import weights
from elbowroom.kernel.smooth import smooth

RNG = np.random.default_rng(4)
TRACK = RNG.normal(size=(60, 2))
PLAIN = [0.0, 1.0, 4.0, 2.0, 8.0, 5.0, 7.0]


@pytest.mark.parametrize("count", [5, 6, 7, 14, 15, 16, 17, 29, 30, 400])
def test_matches_scipy_on_tracks_of_every_length(count):
    """The default is scipy's Savitzky-Golay of window 15 and order 3 with polynomial edges, to 1e-12."""
    track = RNG.normal(size=(count, 2))
    window = min(15, count - 1 + count % 2)
    wanted = savgol_filter(track, window, 3, axis=0, mode="interp")
    assert np.abs(smooth(track) - wanted).max() < 1e-12


@pytest.mark.parametrize(("window", "order"), [(1, 0), (3, 0), (5, 2), (5, 4), (7, 1), (21, 4), (31, 3)])
def test_matches_scipy_for_other_windows_and_orders(window, order):
    """window and order mean what they mean in scipy."""
    wanted = savgol_filter(TRACK, window, order, axis=0, mode="interp")
    assert np.abs(smooth(TRACK, window=window, order=order) - wanted).max() < 1e-12


def test_published_weights_of_the_quadratic_window_of_five():
    """Five samples, order 2 or 3: the published (-3, 12, 17, 12, -3) / 35, each rounded once."""
    published = [w / 35 for w in (-3, 12, 17, 12, -3)]
    assert weights(5, 2)[2] == published
    assert weights(5, 3)[2] == published


@pytest.mark.parametrize(("window", "order"), [(5, 3), (15, 3), (21, 20)])
def test_weights_are_the_exact_rationals_rounded_once(window, order):
    """Each weight is the float nearest to the solution of the normal equations in whole fractions."""
    rows = [[Fraction(x) ** k for k in range(order + 1)] for x in range(window)]
    square = [[sum(r[i] * r[j] for r in rows) for j in range(order + 1)] for i in range(order + 1)]
    for j in (0, 1, window // 2, window - 1):
        solved = _solve(square, rows[j])
        exact = [sum(s * x for s, x in zip(solved, r, strict=True)) for r in rows]
        assert weights(window, order)[j] == [float(w) for w in exact]


def _solve(matrix, right):
    """Gauss's elimination in fractions."""
    table = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i, _ in enumerate(table):
        table[i] = [x / table[i][i] for x in table[i]]
        for k, row in enumerate(table):
            if k != i:
                table[k] = [x - row[i] * y for x, y in zip(row, table[i], strict=True)]
    return [row[-1] for row in table]


@given(st.lists(st.floats(-1e3, 1e3), min_size=4, max_size=4), st.integers(5, 50))
def test_cubic_motion_is_kept(coefficients, count):
    """A polynomial of degree 3 or less comes back as it was, edges included."""
    times = np.linspace(-1.0, 1.0, count)
    track = np.polyval(coefficients, times)
    assert np.abs(smooth(track) - track).max() <= 1e-12 * (1.0 + np.abs(coefficients).sum())


@given(st.floats(-1e150, 1e150), st.integers(1, 40))
def test_a_point_that_stands_still_stays_to_the_bit(value, count):
    """A planted foot does not creep: a constant track is returned exactly."""
    assert smooth([value] * count) == (value,) * count


@given(st.lists(st.tuples(st.floats(-1e150, 1e150), st.floats(-1e3, 1e3)), max_size=40))
def test_lists_and_arrays_give_the_same_bits(track):
    """Plain floats and NumPy rows do the same operations in the same order."""
    plain = smooth([list(point) for point in track])
    rows = smooth(np.array(track).reshape(len(track), 2))
    assert np.array_equal(np.array(plain).reshape(rows.shape), rows)


@given(st.integers(5, 60), st.floats(-1e3, 1e3))
def test_moving_the_track_moves_the_answer(count, shift):
    """Smoothing a shifted track is shifting the smoothed track."""
    track = np.sin(np.arange(count) * 1.3)
    assert np.abs(smooth(track + shift) - shift - smooth(track)).max() < 1e-12 * (1.0 + abs(shift))


def test_reversed_time_gives_the_reversed_answer():
    """The filter has no lag and no arrow of time."""
    assert np.abs(smooth(TRACK[::-1])[::-1] - smooth(TRACK)).max() < 1e-14


def test_noise_shrinks_by_the_root_of_the_middle_weight():
    """White noise keeps sqrt(weight of the middle) of its size: 0.41 for the default window."""
    kept = smooth(np.random.default_rng(7).normal(size=200_000)).std()
    assert kept == pytest.approx(math.sqrt(weights(15, 3)[7][7]), rel=0.02)
    assert kept < 0.42


@pytest.mark.parametrize("shape", [(30,), (30, 2), (30, 3, 2), (30, 1, 1, 1), (30, 0), (0,), (0, 2), (1, 2)])
def test_shape_is_kept(shape):
    """The leading axis is time; all others are smoothed one by one."""
    track = RNG.normal(size=shape)
    smoothed = smooth(track)
    assert smoothed.shape == shape
    for index in np.ndindex(shape[1:]):
        assert np.array_equal(smoothed[(slice(None), *index)], smooth(track[(slice(None), *index)]))


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4])
def test_fewer_than_five_samples_are_unchanged(count):
    """Nothing can be said about so short a track, whatever the order."""
    track = [[float(i * i), 1.0] for i in range(count)]
    assert smooth(track, order=0) == tuple(tuple(point) for point in track)


def test_a_fit_through_every_sample_changes_nothing():
    """With as many samples as coefficients the polynomial passes through all of them."""
    assert smooth(PLAIN, order=7) == tuple(PLAIN)


def test_input_is_not_written_to():
    """The caller's arrays and lists stay as they were, and the answer shares no memory with them."""
    for track in (TRACK.copy(), TRACK[:3].copy()):
        kept = track.copy()
        smooth(track)[:] = 7.0
        assert np.array_equal(track, kept)


def test_integers_are_numbers():
    """Whole numbers in lists and in arrays are taken as floats."""
    track = [3, 1, 4, 1, 5, 9, 2, 6]
    assert smooth(track) == smooth([float(x) for x in track]) == tuple(smooth(np.array(track)))


def test_the_rate_does_not_change_the_answer():
    """fps and evenly spaced times are accepted, alone and together, and the fit is the same."""
    times = [i / 30.0 for i in range(60)]
    wanted = smooth(TRACK)
    assert np.array_equal(smooth(TRACK, 30), wanted)
    assert np.array_equal(smooth(TRACK, times=times), wanted)
    assert np.array_equal(smooth(TRACK, 30.0, times=np.array(times) + 1.7e9), wanted)


def test_times_may_be_uneven_by_one_part_in_a_million():
    """Rounded times pass; a step off by twice the margin does not."""
    times = [float(i) for i in range(60)]
    times[30] += 0.9e-6
    smooth(TRACK, times=times)
    times[30] += 1.1e-6
    with pytest.raises(InputError, match=r"smooth times\[30\]: a step of 1\.000002 s, not 1 s as most"):
        smooth(TRACK, times=times)


def test_times_as_an_array_make_an_array():
    """Any ndarray in gives an ndarray out."""
    assert isinstance(smooth(PLAIN, times=np.arange(7.0)), np.ndarray)


def test_plain_lists_need_no_numpy():
    """Lists in, tuples out, and NumPy is not imported for it."""
    code = "import sys, elbowroom as er; print(er.smooth([[0, 1]] * 20)[19], 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "(0.0, 1.0) False"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"window": 14}, r"smooth window: 14 \(give an odd number of samples from 1 to 1001\)"),
        ({"window": 0}, r"smooth window: 0 \("),
        ({"window": -15}, r"smooth window: -15 \("),
        ({"window": 10**9 + 1}, r"smooth window: 1000000001 \("),
        ({"window": 15.0}, r"smooth window: 15.0 is not a whole number \(such as 15\)"),
        ({"order": 15}, r"smooth order: 15 \(with a window of 15 give 0 to 14\)"),
        ({"window": 3}, r"smooth order: 3 \(with a window of 3 give 0 to 2\)"),
        ({"order": -1}, r"smooth order: -1 \("),
        ({"order": "3"}, r"smooth order: '3' is not a whole number"),
        ({"windw": 15}, r'smooth windw: "savgol" has no such option \(did you mean "window"\?\)'),
        ({"method": "savgoll"}, r"smooth method: there is no 'savgoll' \(did you mean \"savgol\"\?\)"),
        ({"method": None}, r"smooth method: there is no None \(known: savgol, one_euro, half_life\)"),
        ({"method": "one_euro"}, r'smooth method: "one_euro" is not yet there'),
        ({"method": "half_life"}, r'smooth method: "half_life" is not yet there'),
        ({"fps": 0}, r"smooth fps: 0 \(give more than 0 samples per second"),
        ({"fps": -60.0}, r"smooth fps: -60.0 \("),
        ({"fps": math.nan}, r"smooth fps: nan is not a finite number"),
        ({"fps": "60"}, r"smooth fps: str is not a number"),
        ({"fps": [60, 60]}, r"smooth fps: \[60, 60\] \("),
        ({"times": [0, 1]}, r"smooth times: shape \(2,\) does not fit \(give one a sample: \(7,\)\)"),
        ({"times": [0, 1, 2, 2, 3, 4, 5]}, r"smooth times\[3\]: 2 is not after 2 \(give rising times\)"),
        ({"times": [0, 1, 2, 3, 4, math.inf, 6]}, r"smooth times\[5\]: inf is not a finite number"),
        ({"times": [0, 1, 2, 3, 4, 5, 7]}, r"smooth times\[6\]: a step of 2 s, not 1 s .* not yet"),
        ({"fps": 60, "times": [0, 1, 2, 3, 4, 5, 6]}, r"smooth times\[1\]: a step of 1 s, .* as 60 fps asks"),
    ],
)
def test_unusable_options_are_refused(options, message):
    """Every option that cannot be used is named, with what would be right."""
    with pytest.raises(InputError, match=message):
        smooth(PLAIN, **options)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, 1.1e150])
@pytest.mark.parametrize("kind", [list, np.array])
def test_numbers_out_of_range_are_refused_by_place(number, kind):
    """The first number that is not finite, or too large, is named by its index."""
    with pytest.raises(InputError, match=r"smooth points\[1\]\[0\]: .* (finite|too large)"):
        smooth(kind([[0.0, 1.0], [number, 2.0], [number, 3.0]]))


@pytest.mark.parametrize(
    "points", [3.0, None, "text", [[1.0, 2.0], [3.0]], [1.0, "2"], [1, None], np.array(3.0), np.array(["a"])]
)
def test_what_is_no_track_is_refused(points):
    """A lone number, text, ragged rows: InputError that starts with the argument."""
    with pytest.raises(InputError, match=r"^smooth points(\[\d+\])*: "):
        smooth(points)
