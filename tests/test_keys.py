"""Keys: what a track says between them, exactly; and what a clip is made of."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from elbowroom.errors import InputError
from elbowroom.rig import bezier
from elbowroom.rig.animation import Animation, TargetKeys, sample_times
from elbowroom.rig.frames import FrameSpec
from elbowroom.rig.keys import Track
from elbowroom.rig.skeleton import Skeleton
from elbowroom.rig.target import Target
from elbowroom.rig.units import RADIANS, degrees

unit = st.floats(0, 1)
value = st.floats(-1e3, 1e3)


def test_linear_keys_meet_their_values_and_the_middle():
    """Between two keys without a curve the value is in proportion to time; outside it is held."""
    track = Track([1.0, 3.0], [10.0, 20.0])
    assert track.sample([0.0, 1.0, 1.5, 2.0, 3.0, 99.0])[:, 0].tolist() == [10.0, 10.0, 12.5, 15.0, 20.0, 20.0]


def test_stepped_keys_hold_until_the_next():
    """A stepped key keeps its value right up to the next key's time."""
    track = Track([0.0, 1.0, 2.0], [5.0, 7.0, 9.0], ("stepped", "stepped", None))
    just_before = math.nextafter(1.0, 0.0)
    assert track.sample([0.0, just_before, 1.0, 1.999, 2.0])[:, 0].tolist() == [5.0, 5.0, 7.0, 7.0, 9.0]


def exact_value(progress, cx, values):
    """The Bézier's value at a part of its time and the slope there, with 50 digits."""
    with mpmath.workdps(50):
        s, a, b = (mpmath.mpf(v) for v in (progress, *cx))
        low, high = mpmath.mpf(0), mpmath.mpf(1)
        for _ in range(170):
            u = (low + high) / 2
            late = 3 * a * u * (1 - u) ** 2 + 3 * b * u * u * (1 - u) + u**3 > s
            low, high = (low, u) if late else (u, high)
        v0, c1, c2, v1 = (mpmath.mpf(v) for v in values)
        y = v0 * (1 - u) ** 3 + 3 * c1 * u * (1 - u) ** 2 + 3 * c2 * u * u * (1 - u) + v1 * u**3
        speed = 3 * (a * (1 - u) ** 2 + 2 * (b - a) * u * (1 - u) + (1 - b) * u * u)
        return y, float(speed)


@settings(max_examples=60, deadline=None)
@given(s=unit, a=unit, b=unit, values=st.tuples(value, value, value, value))
@example(s=0.5, a=1.0, b=0.0, values=(0.0, 0.0, 1.0, 1.0))
@example(s=1e-12, a=0.0, b=0.0, values=(0.0, 1.0, 1.0, 1.0))
@example(s=1 - 2**-53, a=1.0, b=1.0, values=(0.0, 0.0, 0.0, 1.0))
def test_a_bezier_is_exact(s, a, b, values):
    """The value on a curve is that of 50 digits, but for what rounding the time to double costs."""
    start, first, second, end = values
    got = Track([0.0, 1.0], [start, end], ((a, first, b, second), None)).sample([s])[0, 0]
    if s in (0.0, 1.0):
        assert got == (start if s == 0.0 else end)
        return
    want, speed = exact_value(s, (a, b), values)
    size = max(map(abs, values)) or 1.0
    assert abs(got - want) <= 16 * 2.3e-16 * size * (1.0 + 1.0 / max(speed, 1e-8)) + 1e-323


@settings(max_examples=50, deadline=None)
@given(rows=st.lists(st.tuples(unit, unit, unit), min_size=1, max_size=40))
def test_a_time_alone_has_the_bits_it_has_in_a_batch(rows):
    """Every element's search for its place on the curve ignores its neighbours."""
    progress, first, second = (np.array(column) for column in zip(*rows, strict=True))
    together = bezier.parameter(progress, first, second)
    alone = [bezier.parameter(*(x[i : i + 1] for x in (progress, first, second)))[0] for i in range(len(rows))]
    assert together.tolist() == alone


@settings(max_examples=30, deadline=None)
@given(times=st.lists(st.floats(-1, 4), min_size=1, max_size=30))
def test_sampling_one_time_equals_sampling_many(times):
    """A track gives the same bits for a time alone and among others, whatever the curve."""
    curves = ((0.1, 5.0, 0.9, -2.0), "stepped", None, (2.2, 0.0, 2.2, 1.0), None)
    track = Track([0.0, 1.0, 1.5, 2.0, 3.0], [[0.0], [1.0], [4.0], [2.0], [8.0]], curves)
    assert track.sample(times).tolist() == [track.sample([t])[0].tolist() for t in times]


@settings(max_examples=30, deadline=None)
@given(a=unit, b=unit, v=st.floats(-1e9, 1e9), s=unit)
def test_a_curve_between_equal_values_is_that_value(a, b, v, s):
    """No rounding noise on a value that stands still."""
    assert Track([0.0, 1.0], [v, v], ((a, v, b, v), None)).sample([s])[0, 0] == v


def test_control_times_stay_inside_their_segment():
    """A control point before or after its segment acts as one on the border, so time never runs back."""
    wild = Track([1.0, 2.0], [0.0, 1.0], ((-5.0, 0.0, 9.0, 1.0), None))
    tame = Track([1.0, 2.0], [0.0, 1.0], ((1.0, 0.0, 2.0, 1.0), None))
    times = np.linspace(1.0, 2.0, 21)
    assert wild.sample(times).tolist() == tame.sample(times).tolist()
    assert (np.diff(wild.sample(times)[:, 0]) > 0).all()


def test_two_values_share_a_curve_of_progress_or_have_one_each():
    """Four numbers ease both values alike, cy from 0 to 1; eight give each value its own."""
    shared = Track([0.0, 2.0], [[0.0, 10.0], [4.0, 30.0]], ((0.5, 0.0, 1.5, 1.0), None))
    own = Track([0.0, 2.0], [[0.0, 10.0], [4.0, 30.0]], ((0.5, 0.0, 1.5, 4.0, 0.5, 10.0, 1.5, 30.0), None))
    times = np.linspace(0.0, 2.0, 9)
    np.testing.assert_allclose(shared.sample(times), own.sample(times), rtol=1e-15)
    assert shared.sample([1.0]).tolist() == [[2.0, 20.0]]
    other = Track([0.0, 2.0], [[0.0, 10.0], [4.0, 30.0]], ((0.5, 0.0, 1.5, 4.0, 0.1, 10.0, 0.2, 30.0), None))
    assert other.sample([1.0])[0, 0] == 2.0
    assert other.sample([1.0])[0, 1] > 20.0


def test_keys_beyond_a_border_do_not_count():
    """With first and last given, a track ends at those keys and is held there."""
    track = Track([0.0, 1.0, 2.0, 3.0], [0.0, 10.0, 20.0, 30.0])
    assert track.sample([0.5, 1.5, 2.5], first=1, last=2)[:, 0].tolist() == [10.0, 15.0, 20.0]


@settings(max_examples=40, deadline=None)
@given(
    keys=st.lists(
        st.tuples(st.integers(0, 1000), value, value, st.sampled_from([(), ("stepped",), ([0.0, 0.25, 1.0, 0.5],)])),
        min_size=1,
        unique_by=lambda key: key[0],
    )
)
def test_keys_read_and_written_are_the_same(keys):
    """The JSON form of keys survives a Track, numbers and curves exactly."""
    written = [[float(t), x, y, *curve] for t, x, y, curve in sorted(keys, key=lambda key: key[0])]
    assert Track.from_keys(written, 2).to_keys() == written


def test_a_plain_curve_is_not_written():
    """Keys that step anyway do not say so, and "linear" is what no word means."""
    assert Track.from_keys([[0.0, 1.0], [1.0, -1.0]], 1, plain="stepped").to_keys(plain="stepped") == [
        [0.0, 1.0],
        [1.0, -1.0],
    ]
    assert Track.from_keys([[0.0, 1.0, "linear"]], 1).to_keys() == [[0.0, 1.0]]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (([0.0, 1.0, 1.0], [1.0, 2.0, 3.0]), "keys: key 2 at 1 s follows 1 s (times rise)"),
        (([0.0, math.nan], [1.0, 2.0]), "keys: every time and value is a finite number of at most 1e+150"),
        (([0.0], [math.inf]), "keys: every time and value is a finite number of at most 1e+150"),
        (([], []), "keys: times (0,), values (0, 1) (as many rows of each, at least one)"),
        (([0.0, 1.0], [1.0]), "keys: times (2,), values (1, 1) (as many rows of each, at least one)"),
        (([0.0], [1.0], ("step",)), "keys: the curve of key 0 is 'step' (None, \"stepped\" or 4 numbers)"),
        (
            ([0.0], [[1.0, 2.0]], ((1.0, 2.0),)),
            'keys: the curve of key 0 is (1.0, 2.0) (None, "stepped" or 4 or 8 numbers)',
        ),
        (([0.0, 1.0], [1.0, 2.0], (None,)), "keys: 1 curves for 2 keys (one each, or none)"),
    ],
)
def test_odd_keys_are_refused(arguments, text):
    """Each kind of odd key has its sentence."""
    with pytest.raises(InputError) as error:
        Track(*arguments)
    assert str(error.value) == text


def test_a_time_that_is_no_number_is_refused():
    """NaN is not a time."""
    with pytest.raises(InputError, match="times: not a number"):
        Track([0.0], [1.0]).sample([0.0, math.nan])


def test_a_track_does_not_share_its_arrays():
    """The keys are copies, and cannot be written to."""
    times = np.array([0.0, 1.0])
    track = Track(times, [1.0, 2.0])
    times[1] = 0.0
    assert track.times.tolist() == [0.0, 1.0]
    with pytest.raises(ValueError, match="read-only"):
        track.values[0, 0] = 5.0


# targets and their spaces


def walking_target(blend):
    """World until 1 s, door from then on, hand from 2 s on."""
    position = Track([0.0, 0.8, 1.2, 1.6, 2.5], [[0, 0], [8, 0], [100, 5], [104, 5], [7, 7]])
    return TargetKeys(position, [0.0, 1.0, 2.0], ("world", "door", "hand"), blend)


def test_interpolation_never_crosses_a_space_key():
    """Before a space key the old space's last value is held, after it the new space's first value."""
    got = walking_target(0.0).sample([0.4, 0.9, 1.0, 1.1, 1.4, 1.9, 2.0, 2.4])
    assert got["position"].tolist() == [[4, 0], [8, 0], [100, 5], [100, 5], [102, 5], [104, 5], [7, 7], [7, 7]]
    assert got["space"] == ["world", "world", "door", "door", "door", "door", "hand", "hand"]
    assert got["weight"].tolist() == [1.0] * 8


def test_a_change_of_space_is_blended_smoothly():
    """From a space key on, weight 3u² − 2u³ leads from the old space's last value to the new one."""
    got = walking_target(0.4).sample([0.9, 1.0, 1.1, 1.2, 1.3, 1.4])
    np.testing.assert_allclose(got["weight"], [1, 0, 0.15625, 0.5, 0.84375, 1], rtol=4e-15)
    assert got["before"].tolist() == [[8, 0], [8, 0], [8, 0], [8, 0], [8, 0], [102, 5]]
    assert got["before_space"] == ["world"] * 5 + ["door"]


def test_a_blend_ends_at_the_next_space_key():
    """A blend longer than its space lasts is cut short, so nothing jumps."""
    weight = walking_target(5.0).sample([1.5, math.nextafter(2.0, 0.0), 2.0])["weight"]
    assert weight[0] == 0.5
    assert weight[1] == pytest.approx(1.0, abs=1e-15)
    assert weight[2] == 0.0


def test_the_first_space_holds_before_its_key_and_does_not_blend():
    """Nothing comes before the first space key."""
    keys = TargetKeys(Track([0.0], [[1.0, 2.0]]), [1.0], ("door",), 0.5)
    got = keys.sample([0.0, 1.0, 1.2])
    assert (got["space"], got["weight"].tolist()) == (["door"] * 3, [1.0, 1.0, 1.0])


def test_a_space_without_positions_takes_the_numbers_before_it():
    """One fixed position serves every space: the origin of whatever is in force."""
    keys = TargetKeys(Track([0.0], [[1.0, 2.0]]), [0.0, 1.0, 2.0], ("world", "door", "hand"))
    assert keys.sample([0.5, 1.5, 2.5])["position"].tolist() == [[1.0, 2.0]] * 3


def test_what_is_not_keyed_comes_from_the_constraint():
    """Without position or space keys the constraint's own target is meant; with no target it is an error."""
    own = Target((3.0, 4.0), "hip")
    assert TargetKeys(Track([0.0], [[1.0, 2.0]])).sample([0.0], own)["space"] == "hip"
    assert TargetKeys(None, [0.0], ("door",)).sample([0.0], own)["position"].tolist() == [[3.0, 4.0]]
    with pytest.raises(InputError, match="no position keys, and the constraint has no target of its own"):
        TargetKeys(None, [0.0], ("door",)).sample([0.0])


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((None, [1.0, 0.0], ("a", "b")), "space keys: (2,) times for 2 names (one each, rising)"),
        ((None, [], (), -1.0), "blend: -1.0 (seconds, 0 or more)"),
        ((Track([0.0], [1.0]),), "position: keys of 1 values (x and y were expected)"),
    ],
)
def test_odd_target_keys_are_refused(arguments, text):
    """Each kind of odd target has its sentence."""
    with pytest.raises(InputError) as error:
        TargetKeys(*arguments)
    assert str(error.value) == text


# animations


@settings(max_examples=100, deadline=None)
@given(duration=st.floats(0, 50), fps=st.floats(0.5, 240))
@example(duration=0.7, fps=30.0)
@example(duration=1.0, fps=30.0)
@example(duration=0.3333, fps=30.0)
def test_clip_times_are_the_frames_and_the_end(duration, fps):
    """Times are i / fps, rising, and the last is the duration itself, once."""
    times = sample_times(duration, fps)
    assert times[-1] == duration
    assert (np.diff(times) > 0).all()
    assert times[:-1].tolist() == [i / fps for i in range(len(times) - 1)]
    assert duration - 1.0 / fps <= (times[-2] if len(times) > 1 else 0.0) + 1e-12 * duration


def test_the_end_is_not_there_twice():
    """A duration on a frame, or a rounding away from it, is one sample."""
    assert sample_times(1.0, 30).tolist() == [i / 30 for i in range(31)]
    assert len(sample_times(math.nextafter(1.0, 2.0), 30)) == 31
    assert sample_times(0.0, 30).tolist() == [0.0]


@pytest.mark.parametrize("fps", [0, -1, math.nan, math.inf, "60"])
def test_an_odd_rate_is_refused(fps):
    """Frames a second are a number above 0."""
    with pytest.raises(InputError, match=r"fps: .* \(frames a second, above 0\)"):
        sample_times(1.0, fps)


def test_an_endless_clip_is_refused_with_its_count():
    """A clip of millions of samples is not begun."""
    with pytest.raises(InputError, match=r"1e\+07 s at 30 frames a second are 3e\+08 samples \(at most 1000000"):
        sample_times(1e7, 30)


def test_sampled_channels_replace_the_rest_in_radians():
    """Keyed values stand in place of the setup value, others stay; degrees become radians by one product."""
    bones = [{"name": "hip", "x": 3.0, "rotation": 0.5}, {"name": "leg", "parent": "hip", "rotation": 0.25}]
    skeleton = Skeleton.from_bones(bones)
    tracks = {"rotation_deg": Track([0.0, 1.0], [0.0, 90.0]), "inherit": Track([0.0, 1.0], [0.0, 3.0])}
    channels = Animation("a", bones={"leg": tracks}).channels(skeleton, [0.0, 0.5, 1.0])
    assert set(channels) == {"rotation", "inherit"}
    assert channels["rotation"].tolist() == [[0.5, 0.0], [0.5, 45.0 * RADIANS], [0.5, 90.0 * RADIANS]]
    assert channels["inherit"].tolist() == [[0, 0], [0, 0], [0, 3]]


def test_bend_steps_and_mix_stays_within_its_range():
    """A bend key changes sides at once; a mix curve that overshoots is held at 0 and 1."""
    animation = Animation(
        "a",
        bend={"leg": Track([0.0, 1.0], [1.0, -1.0])},
        mix={"leg": Track([0.0, 1.0], [1.0, 1.0], ((0.3, 2.0, 0.6, -3.0), None))},
    )
    track = animation.tracks([0.0, 0.1, 0.7, 1.0], {})["leg"]
    assert track.bend.tolist() == [1, 1, 1, -1]
    assert track.mix[1] == 1.0
    assert 0.0 <= track.mix[2] < 1.0
    assert track.position is None


def test_the_duration_is_the_last_key_of_any_track():
    """Bones, targets, spaces, mixes and bends all count."""
    one = Track([0.0], [0.0])
    for field in (
        {"bones": {"hip": {"x": Track([0.0, 7.0], [0.0, 1.0])}}},
        {"targets": {"leg": TargetKeys(Track([0.0, 7.0], [[0, 0], [1, 1]]))}},
        {"targets": {"leg": TargetKeys(None, [0.0, 7.0], ("world", "hip"))}},
        {"mix": {"leg": Track([7.0], [1.0])}},
        {"bend": {"leg": Track([7.0], [1.0])}},
    ):
        assert Animation("a", **{"mix": {"arm": one}, **field}).duration == 7.0
    assert Animation("a").duration == 0.0


def test_an_unknown_channel_is_refused():
    """Channels have the record's names; the closest is told."""
    with pytest.raises(InputError, match=r'unknown channel "rotation_dg" \(did you mean "rotation_deg"\?\)'):
        Animation("a", bones={"hip": {"rotation_dg": Track([0.0], [0.0])}})


def test_a_frame_may_be_keyed():
    """Every value of a frame is a number or keys; one scale serves both axes."""
    frame = FrameSpec("hip", x=Track([0.0, 1.0], [0.0, 10.0]), scale=2.0)
    assert frame.keyed
    assert frame.local([0.0, 0.5]).tolist() == [[[2, 0, 0], [0, 2, 0]], [[2, 0, 5], [0, 2, 0]]]
    fixed = FrameSpec(scale=(2.0, 3.0))
    assert not fixed.keyed
    assert fixed.local([0.0]).tolist() == [[[2, 0, 0], [0, 3, 0]]]
    with pytest.raises(InputError, match="x: keys of 2 values"):
        FrameSpec(x=Track([0.0], [[1.0, 2.0]]))


@settings(max_examples=200, deadline=None)
@given(st.floats(-1e6, 1e6))
def test_degrees_lead_back_to_their_radians(written):
    """The degrees found for an angle are that angle exactly, and the written ones win."""
    angle = written * RADIANS
    assert degrees(angle) * RADIANS == angle
    assert degrees(angle, [12.0, written]) == written
    assert degrees(round(written, 3) * RADIANS) == pytest.approx(round(written, 3), rel=1e-15)
