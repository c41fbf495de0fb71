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
    """Rounded times count as even, and so does the answer; a step off by more than the margin does not."""
    times = [float(i) for i in range(60)]
    times[30] += 0.9e-6
    assert np.array_equal(smooth(TRACK, times=times), smooth(TRACK))
    times[30] += 1.1e-6
    uneven = smooth(TRACK, times=times)
    assert 0.0 < np.abs(uneven - smooth(TRACK)).max() < 1e-5


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
        ({"method": ["savgol"]}, r"smooth method: there is no \['savgol'\]"),
        ({"method": "one_euro"}, r'smooth fps: "one_euro" has to know the time between samples \(give fps=60, or'),
        ({"method": "half_life"}, r'smooth fps: "half_life" has to know the time'),
        ({"method": "half_life", "window": 5}, r'smooth window: "half_life" has no such option \(known: half_life\)'),
        ({"method": "one_euro", "min_cutof": 1}, r'smooth min_cutof: .* \(did you mean "min_cutoff"\?\)'),
        ({"method": "one_euro", "fps": 60, "min_cutoff": 0}, r"smooth min_cutoff: 0 \(give one number above 0, in Hz"),
        ({"method": "one_euro", "fps": 60, "d_cutoff": 0.0}, r"smooth d_cutoff: 0.0 \("),
        ({"method": "one_euro", "fps": 60, "beta": -0.1}, r"smooth beta: -0.1 is out of range \(give 0 to 1e\+100\)"),
        ({"method": "one_euro", "fps": 60, "beta": [1, 2]}, r"smooth beta: \[1, 2\] \("),
        ({"method": "half_life", "fps": 60, "half_life": -1}, r"smooth half_life: -1 is out of range"),
        ({"method": "half_life", "fps": 60, "half_life": "1"}, r"smooth half_life: str is not a number"),
        ({"method": "half_life", "times": [0, 1, 1, 2, 3, 4, 5]}, r"smooth times\[2\]: 1 is not after 1"),
        ({"method": "one_euro", "times": [0, 1, 2, 3, 2.5, 4, 5]}, r"smooth times\[4\]: 2.5 is not after 3"),
        ({"fps": 0}, r"smooth fps: 0 \(give more than 0 samples per second"),
        ({"fps": -60.0}, r"smooth fps: -60.0 \("),
        ({"fps": math.nan}, r"smooth fps: nan is not a finite number"),
        ({"fps": "60"}, r"smooth fps: str is not a number"),
        ({"fps": [60, 60]}, r"smooth fps: \[60, 60\] \("),
        ({"times": [0, 1]}, r"smooth times: shape \(2,\) does not fit \(give one a sample: \(7,\)\)"),
        ({"times": [0, 1, 2, 2, 3, 4, 5]}, r"smooth times\[3\]: 2 is not after 2 \(give rising times\)"),
        ({"times": [0, 1, 2, 3, 4, math.inf, 6]}, r"smooth times\[5\]: inf is not a finite number"),
        ({"fps": 1, "times": [0, 1, 2, 3, 4, 5, 7]}, r"smooth times\[6\]: a step of 2 s, .* \(give fps or times"),
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


@pytest.mark.parametrize(
    ("points", "told"),
    [
        ([0, 1, math.nan, math.nan, 4, 5], r"points\[2\]: nan .* \(samples 2 to 3 are a gap: fill .*, or drop"),
        ([[0, 1], [0, math.nan], [1, 2]], r"points\[1\]\[1\]: nan .* \(sample 1 is a gap: "),
        ([math.nan if i % 2 else 0.0 for i in range(20)], r"\(samples 1, 3, 5, 7, 9 and 5 more are gaps: "),
    ],
)
@pytest.mark.parametrize("kind", [list, np.array])
def test_gaps_are_told(points, told, kind):
    """Samples without a value are listed, with the two ways out: fill them, or drop them and give times."""
    with pytest.raises(InputError, match=told):
        smooth(kind(points))


# --- uneven times

clocks = st.lists(st.floats(0.001, 0.2), min_size=5, max_size=40).map(lambda steps: np.cumsum(steps))


@given(clocks, st.lists(st.floats(-1e3, 1e3), min_size=4, max_size=4))
def test_cubic_motion_is_kept_at_uneven_times(times, coefficients):
    """With its own times a polynomial of degree 3 comes back as it was, at the edges, too."""
    track = np.polyval(coefficients, times)
    assert np.abs(smooth(track, times=times) - track).max() <= 1e-10 * (1.0 + np.abs(track).max())


@pytest.mark.parametrize(("window", "order"), [(15, 3), (5, 2), (7, 0), (31, 8)])
def test_uneven_times_are_a_local_least_squares_fit(window, order):
    """Each sample is the value of the polynomial that fits the window around it, the edges that of the outermost."""
    rng = np.random.default_rng(8)
    times, track = np.cumsum(rng.uniform(0.001, 0.05, 60)), rng.normal(size=60)
    smoothed = smooth(track, times=times, window=window, order=order)
    for t, now in enumerate(times):
        start = min(max(t - window // 2, 0), 60 - window)
        near = slice(start, start + window)
        fit = np.polynomial.Polynomial.fit(times[near], track[near], order)
        assert smoothed[t] == pytest.approx(fit(now), abs=1e-10)


def test_dropped_samples_with_their_times_fill_no_gap_in():
    """A steady motion with samples missing is told apart by its times; by rate alone it would be bent."""
    times = np.delete(np.arange(40) / 30.0, [7, 8, 9, 20])
    assert np.abs(smooth(3.0 * times, times=times) - 3.0 * times).max() < 1e-14
    assert np.abs(smooth(3.0 * times, order=1) - 3.0 * times).max() > 0.01


@pytest.mark.parametrize("method", ["savgol", "one_euro", "half_life"])
@given(data=st.data())
def test_methods_give_the_same_bits_for_lists_and_arrays(method, data):
    """Plain floats and rows of arrays do the same operations in the same order, at any times."""
    times = data.draw(clocks)
    point = st.tuples(st.floats(-1e150, 1e150), st.floats(-1e3, 1e3))
    track = data.draw(st.lists(point, min_size=len(times), max_size=len(times)))
    plain = smooth([list(point) for point in track], times=times.tolist(), method=method)
    assert np.array_equal(np.array(plain), smooth(np.array(track), times=times, method=method))


def test_a_long_uneven_track_is_fitted_in_blocks():
    """Whether a sample is in the first block or a later one makes no difference."""
    rng = np.random.default_rng(9)
    times, track = np.cumsum(rng.uniform(0.01, 0.05, 9000)), rng.normal(size=9000)
    assert np.array_equal(smooth(track, times=times)[8000:8900], smooth(track[7900:], times=times[7900:])[100:1000])


def test_order_20_holds_at_very_uneven_times():
    """The basis stays orthogonal up to the highest degree, with steps from a ten-millionth of a second to one."""
    rng = np.random.default_rng(10)
    times = np.cumsum(10.0 ** rng.uniform(-7, 0, 41))
    track = np.polynomial.Polynomial(rng.normal(size=21), domain=(times[0], times[-1]))(times)
    assert np.abs(smooth(track, times=times, window=31, order=20) - track).max() < 1e-12


# --- one_euro and half_life

BACKWARD = ("one_euro", "half_life")
STEPS = np.random.default_rng(12).uniform(0.005, 0.05, 79)


def test_half_life_is_half_of_what_is_left():
    """After a step the rest halves every half_life, whatever the steps of time."""
    times = np.concatenate([[0.0], np.cumsum(STEPS)])
    track = np.where(times > 0.0, 1.0, 0.0)
    left = 1.0 - smooth(track, times=times, method="half_life", half_life=0.1)
    assert np.abs(left - 2.0 ** (-times / 0.1)).max() < 1e-14


def test_half_life_does_not_depend_on_the_rate():
    """A step response sampled twice as finely passes through the same values."""
    coarse = smooth([0.0] + [1.0] * 30, 30, method="half_life")
    fine = smooth([0.0] + [1.0] * 60, 60, method="half_life")
    assert coarse == pytest.approx(fine[::2], abs=1e-14)


def test_a_half_life_of_nothing_changes_nothing():
    """half_life=0 switches the filter off."""
    assert smooth(PLAIN, 60, method="half_life", half_life=0) == tuple(PLAIN)


def euro(samples, steps, low, beta, low_speed):
    """The filter of the paper once more, with a time constant instead of a share."""
    found, speed = [samples[0]], 0.0
    for before, now, dt in zip(samples, samples[1:], steps, strict=False):
        speed += ((now - before) / dt - speed) / (1 + 1 / (2 * math.pi * low_speed) / dt)
        found.append(found[-1] + (now - found[-1]) / (1 + 1 / (2 * math.pi * (low + beta * abs(speed))) / dt))
    return found


@pytest.mark.parametrize("options", [{}, {"min_cutoff": 0.5}, {"beta": 0.0}, {"beta": 3.0, "d_cutoff": 4.0}])
def test_one_euro_is_the_published_filter(options):
    """The default and other options, at uneven times."""
    times = np.concatenate([[5.0], 5.0 + np.cumsum(STEPS)])
    track = np.random.default_rng(13).normal(size=80) * 50
    full = {"min_cutoff": 1.0, "beta": 0.02, "d_cutoff": 1.0} | options
    wanted = euro(track.tolist(), STEPS.tolist(), full["min_cutoff"], full["beta"], full["d_cutoff"])
    assert smooth(track, times=times, method="one_euro", **options) == pytest.approx(wanted, rel=1e-11, abs=1e-9)


def test_one_euro_lags_behind_even_motion_by_its_cutoff():
    """At speed v the lag is 1 / (2 pi (min_cutoff + beta v)): 46.8 ms at 120 units a second."""
    times = np.arange(600) / 60.0
    late = (120.0 * times - smooth(120.0 * times, 60, method="one_euro"))[-1] / 120.0
    assert late == pytest.approx(1 / (2 * math.pi * (1 + 0.02 * 120)), rel=1e-9)


@pytest.mark.parametrize("method", BACKWARD)
def test_what_looks_back_does_not_see_what_comes(method):
    """The first samples of a track smoothed alone are the first of the smoothed track."""
    assert np.array_equal(smooth(TRACK[:20], 60, method=method), smooth(TRACK, 60, method=method)[:20])
    assert np.array_equal(smooth(TRACK, 60, method=method)[0], TRACK[0])


@pytest.mark.parametrize("method", BACKWARD)
def test_rest_and_shape_are_kept(method):
    """A point at rest stays to the bit; every shape comes back, each coordinate by itself."""
    assert smooth([0.1] * 20, 60, method=method) == (0.1,) * 20
    for shape in ((30,), (30, 2), (30, 3, 2), (30, 0), (0,), (0, 2), (1, 2)):
        track = RNG.normal(size=shape)
        smoothed = smooth(track, 60, method=method)
        assert smoothed.shape == shape
        for index in np.ndindex(shape[1:]):
            column = (slice(None), *index)
            assert np.array_equal(smoothed[column], smooth(track[column], 60, method=method))


@pytest.mark.parametrize("method", BACKWARD)
def test_noise_shrinks_at_rest(method):
    """Both take more than half of the noise of a target that stands still."""
    noise = np.random.default_rng(14).normal(size=2000)
    assert smooth(noise, 60, method=method).std() < 0.4


def test_extreme_tracks_stay_finite():
    """The largest numbers, the shortest and the longest steps, the widest options: never NaN, never a warning."""
    track = np.array([1e150, -1e150, 1e150, 0.0, -1e150, 1e150])
    for times in (np.arange(6) * 5e-324, np.arange(6) * 1e149, np.array([0, 1e-300, 1, 2, 1e100, 1e150])):
        for method, more in (("one_euro", {"beta": 1e100, "min_cutoff": 5e-324}), ("half_life", {"half_life": 5e-324})):
            for options in ({}, more):
                plain = smooth(track.tolist(), times=times.tolist(), method=method, **options)
                assert np.isfinite(plain).all()
                assert np.array_equal(plain, smooth(track, times=times, method=method, **options))
        assert np.isfinite(smooth(track, times=times)).all()
