"""Smooth a track of points before it is solved: noise in a target costs angle, most near full reach."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import ulp
from typing import Any, NamedTuple

from elbowroom.errors import InputError, closest
from elbowroom.kernel.filters import fit_floats, fit_rows, half_life, one_euro
from elbowroom.kernel.gaps import gaps
from elbowroom.kernel.inputs import Call
from elbowroom.kernel.reading import is_array, nested
from elbowroom.kernel.savgol import smooth_floats, smooth_rows

OPTIONS: dict[str, dict[str, Any]] = {
    "savgol": {"window": 15, "order": 3},
    "one_euro": {"min_cutoff": 1.0, "beta": 0.02, "d_cutoff": 1.0},
    "half_life": {"half_life": 0.05},
}
METHODS = tuple(OPTIONS)
LOOKING_BACK: dict[str, Callable[..., list[Any]]] = {"one_euro": one_euro, "half_life": half_life}
WIDEST = 1001  # samples; exact weights take time in proportion to the square of the window
HIGHEST = 20  # degree of the polynomial; what is higher only follows the noise
FEWEST = 5  # samples; below this there is nothing to average
UNEVEN = 1e-6  # how far a step of `times` may be off and still count as even, as a part of that step
LARGEST = 1e100  # of an option: beyond, speeds would overflow


class Clock(NamedTuple):
    """When the samples were taken: T times [s], or None where only the rate is known; T - 1 steps [s], or None."""

    times: list[float] | None
    steps: list[float] | None
    even: bool


def smooth(
    points: Any, fps: Any = None, *, times: Any = None, method: str = "savgol", **options: Any
) -> Any:
    """Take the noise out of a track.

    points : (T, ...) [length]   the first axis is time: (T,), (T, 2), (T, n, 2) ...
    fps : [1/s]                  samples per second, or
    times : (T,) [s]             the time of each sample, rising, even or not; "savgol" alone needs neither. One of
                                 the two is enough: times that are not those of an fps given as well are an error
    method : "savgol"            Savitzky-Golay: a polynomial is fitted around each sample, no lag; for whole tracks
    window : 15 [samples]        odd, 1 to 1001; a shorter track takes the largest odd window that it fills
    order : 3                    degree of the polynomial, below window, at most 20; such motion is kept
    method : "one_euro"          for live targets: a low pass that opens with the speed, each coordinate by itself
    min_cutoff : 1 [Hz]          at rest; lower is calmer and later
    beta : 0.02 [Hz s/length]    how much each unit per second of speed adds to it
    d_cutoff : 1 [Hz]            of the low pass on the speed
    method : "half_life"         a low pass: half of what is left is gone every half_life; 0 changes nothing
    half_life : 0.05 [s]
    Returns the same shape: tuples of floats for lists, an ndarray for an ndarray, with the same bits. With "savgol" the
    first and last half window are read off the first and the last polynomial; fewer than 5 samples, or so few that the
    polynomial passes through all of them, come back unchanged. The other two look back only: sample i does not depend
    on later ones, and the first is kept.
    Raises InputError; for samples that are not a number, with the gaps they make.

    >>> [round(x, 3) for x in smooth([0, 0, 0, 1, 1, 1], window=5)]
    [0.043, -0.171, 0.257, 0.743, 1.171, 0.957]
    >>> [round(x, 3) for x in smooth([0, 1, 1, 1], 20, method="half_life")]
    [0.0, 0.5, 0.75, 0.875]
    """
    settings = _settings(method, options)
    call = _track(points)
    clock = _clock(fps, times, call.shape[0])
    if method != "savgol":
        return _looking_back(call, clock, method, settings, plain=call.plain and not is_array(times))
    window, order = min(settings["window"], call.shape[0] - 1 + call.shape[0] % 2), settings["order"]
    kept = call.shape[0] < FEWEST or window <= order
    if call.plain and not is_array(times):
        return nested(call.columns[0] if kept else _fitted(call, clock, window, order), call.shape)
    return _fitted_array(call, clock, window, order, kept)


def _track(points: Any) -> Call:
    call = Call("smooth")
    try:
        call.number("points", points)
    except InputError as error:
        raise InputError(f"{error}{gaps(points)}") from None
    if not call.shape:
        raise InputError(f"smooth points: {points!r} is one number (give a list of samples, time first)")
    return call


def _fitted(call: Call, clock: Clock, window: int, order: int) -> list[float]:
    rows = _rows(call)
    even = clock.even or clock.times is None
    fitted = smooth_floats(rows, window, order) if even else fit_floats(rows, clock.times or (), window, order)
    return [x for row in fitted for x in row]


def _rows(call: Call) -> list[list[float]]:
    flat, count = call.columns[0], call.shape[0]
    width = len(flat) // count
    return [flat[t * width : (t + 1) * width] for t in range(count)]


def _fitted_array(call: Call, clock: Clock, window: int, order: int, kept: bool) -> Any:
    import numpy as np

    points = np.array(call.columns[0]).reshape(call.shape)
    if kept or not points.size:
        return points
    rows = points.reshape(len(points), -1)
    even = clock.even or clock.times is None
    fitted = smooth_rows(rows, window, order) if even else fit_rows(rows, np.array(clock.times), window, order)
    return fitted.reshape(call.shape)


def _looking_back(call: Call, clock: Clock, method: str, settings: dict[str, Any], *, plain: bool) -> Any:
    if clock.steps is None:
        raise InputError(f'smooth fps: "{method}" has to know the time between samples (give fps=60, or times)')
    run, count = LOOKING_BACK[method], call.shape[0]
    if plain:
        columns = [run(column, clock.steps, **settings) for column in zip(*_rows(call), strict=True)] if count else []
        return nested([x for row in zip(*columns, strict=True) for x in row], call.shape)
    import numpy as np

    points = np.array(call.columns[0]).reshape(call.shape)
    return np.stack(run(points, clock.steps, **settings)) if points.size else points


def _settings(method: object, options: dict[str, Any]) -> dict[str, Any]:
    """The options of a method, checked, the others as they are by default."""
    if not isinstance(method, str) or method not in METHODS:
        raise InputError(f"smooth method: there is no {method!r}{closest(str(method), METHODS)}")
    known = OPTIONS[method]
    for name in options:
        if name not in known:
            raise InputError(f'smooth {name}: "{method}" has no such option{closest(name, known)}')
    if method == "savgol":
        return _savgol_options(known | options)
    return {name: _positive(name, value) for name, value in (known | options).items()}


def _savgol_options(options: dict[str, Any]) -> dict[str, int]:
    window, order = (_whole(name, value) for name, value in options.items())
    if window % 2 == 0 or not 1 <= window <= WIDEST:
        raise InputError(f"smooth window: {window} (give an odd number of samples from 1 to {WIDEST})")
    if not 0 <= order <= min(window - 1, HIGHEST):
        most = min(window - 1, HIGHEST)
        raise InputError(f"smooth order: {order} (with a window of {window} give 0 to {most})")
    return {"window": window, "order": order}


def _whole(name: str, value: Any) -> int:
    try:
        return operator.index(value)
    except TypeError:
        usual = OPTIONS["savgol"][name]
        raise InputError(f"smooth {name}: {value!r} is not a whole number (such as {usual})") from None


def _positive(name: str, value: Any) -> float:
    """A number above 0; beta and half_life may be 0, which turns them off."""
    call = Call("smooth")
    call.number(name, value, low=0.0, high=LARGEST)
    number = float(call.columns[0][0]) if not call.shape else 0.0
    if call.shape or not (number > 0.0 or name in ("beta", "half_life")):
        unit = "seconds" if name == "half_life" else "Hz"
        raise InputError(f"smooth {name}: {value!r} (give one number above 0, in {unit})")
    return number


def _clock(fps: Any, times: Any, count: int) -> Clock:
    rate = _rate(fps)
    if times is None:
        return Clock(None, None if rate is None else [1.0 / rate] * (count - 1), True)
    ticks = Call("smooth")
    ticks.number("times", times)
    if ticks.shape != (count,):
        raise InputError(f"smooth times: shape {ticks.shape} does not fit (give one a sample: ({count},))")
    moments = [float(t) for t in ticks.columns[0]]
    steps = [later - before for before, later in pairwise(moments)]
    for i, step in enumerate(steps, 1):
        if not step > 0.0:
            was = f"{moments[i]:.9g} is not after {moments[i - 1]:.9g}"
            raise InputError(f"smooth times[{i}]: {was} (give rising times)")
    return Clock(moments, steps, _even(moments, steps, rate))


def _rate(fps: Any) -> float | None:
    if fps is None:
        return None
    clock = Call("smooth")
    clock.number("fps", fps)
    if clock.shape or not clock.columns[0][0] > 0.0:
        raise InputError(f"smooth fps: {fps!r} (give more than 0 samples per second, such as 60)")
    return float(clock.columns[0][0])


def _even(moments: Sequence[float], steps: Sequence[float], rate: float | None) -> bool:
    """Whether all steps are one, up to rounding. InputError for steps that are not those of a rate given as well."""
    if not steps:
        return True
    usual = sorted(steps)[len(steps) // 2] if rate is None else 1.0 / rate
    margin = UNEVEN * usual + 2.0 * max(map(ulp, moments))
    odd = [i for i, step in enumerate(steps, 1) if abs(step - usual) > margin]
    if odd and rate is not None:
        step = f"a step of {steps[odd[0] - 1]:.9g} s, not {usual:.9g} s as {rate:g} fps asks"
        raise InputError(f"smooth times[{odd[0]}]: {step} (give fps or times, not both)")
    return not odd
