"""Smooth a track of points before it is solved: noise in a target costs angle, most near full reach."""

from __future__ import annotations

import operator
from itertools import pairwise
from math import ulp
from typing import Any

from elbowroom.errors import InputError, closest
from elbowroom.kernel.inputs import Call
from elbowroom.kernel.reading import is_array, nested
from elbowroom.kernel.savgol import smooth_floats, smooth_rows

METHODS = ("savgol", "one_euro", "half_life")
SAVGOL = {"window": 15, "order": 3}
WIDEST = 1001  # samples; exact weights take time in proportion to the square of the window
HIGHEST = 20  # degree of the polynomial; what is higher only follows the noise
FEWEST = 5  # samples; below this there is nothing to average
UNEVEN = 1e-6  # how far a step of `times` may be off, as a part of that step


def smooth(
    points: Any, fps: Any = None, *, times: Any = None, method: str = "savgol", **options: Any
) -> Any:
    """Take the noise out of a track without delaying it.

    points : (T, ...) [length]   the first axis is time: (T,), (T, 2), (T, n, 2) ...
    fps : [1/s]                  samples per second, or
    times : (T,) [s]             the time of each sample, rising; steps equal within one part in a million
    method : "savgol"            Savitzky-Golay: a polynomial is fitted around each sample, no lag
    window : 15 [samples]        odd, 1 to 1001; a shorter track takes the largest odd window that it fills
    order : 3                    degree of the polynomial, below window, at most 20; such motion is kept
    Returns the same shape: tuples of floats for lists, an ndarray for an ndarray, with the same bits. The
    first and last half window are read off the first and the last polynomial. Fewer than 5 samples, or so
    few that the polynomial passes through all of them, come back unchanged.
    Raises InputError. Source of the weights: least squares on equal steps (A. Savitzky, M. Golay, 1964).

    >>> [round(x, 3) for x in smooth([0, 0, 0, 1, 1, 1], window=5)]
    [0.043, -0.171, 0.257, 0.743, 1.171, 0.957]
    """
    _check_method(method)
    window, order = _savgol_options(options)
    call = Call("smooth")
    call.number("points", points)
    if not call.shape:
        raise InputError(f"smooth points: {points!r} is one number (give a list of samples, time first)")
    count = call.shape[0]
    _check_clock(fps, times, count)
    window = min(window, count - 1 + count % 2)
    kept = count < FEWEST or window <= order
    if call.plain and not is_array(times):
        return nested(call.columns[0] if kept else _floats(call, window, order), call.shape)
    return _array(call, window, order, kept)


def _floats(call: Call, window: int, order: int) -> list[float]:
    flat, count = call.columns[0], call.shape[0]
    width = len(flat) // count
    rows = [flat[t * width : (t + 1) * width] for t in range(count)]
    return [x for row in smooth_floats(rows, window, order) for x in row]


def _array(call: Call, window: int, order: int, kept: bool) -> Any:
    import numpy as np

    rows = np.array(call.columns[0]).reshape(call.shape)
    if not kept and rows.size:
        rows = smooth_rows(rows.reshape(len(rows), -1), window, order)
    return rows.reshape(call.shape)


def _check_method(method: object) -> None:
    if method not in METHODS:
        raise InputError(f"smooth method: there is no {method!r}{closest(str(method), METHODS)}")
    if method != "savgol":
        raise InputError(f'smooth method: "{method}" is not yet there in this version (use "savgol")')


def _savgol_options(options: dict[str, Any]) -> tuple[int, int]:
    for name in options:
        if name not in SAVGOL:
            raise InputError(f'smooth {name}: "savgol" has no such option{closest(name, SAVGOL)}')
    window, order = (_whole(name, options.get(name, default)) for name, default in SAVGOL.items())
    if window % 2 == 0 or not 1 <= window <= WIDEST:
        raise InputError(f"smooth window: {window} (give an odd number of samples from 1 to {WIDEST})")
    if not 0 <= order <= min(window - 1, HIGHEST):
        most = min(window - 1, HIGHEST)
        raise InputError(f"smooth order: {order} (with a window of {window} give 0 to {most})")
    return window, order


def _whole(name: str, value: Any) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise InputError(f"smooth {name}: {value!r} is not a whole number (such as {SAVGOL[name]})") from None


def _check_clock(fps: Any, times: Any, count: int) -> None:
    """Equal steps are what the weights are made for; the rate itself does not change them."""
    clock = Call("smooth")
    if fps is not None:
        clock.number("fps", fps)
        if clock.shape or not clock.columns[0][0] > 0.0:
            raise InputError(f"smooth fps: {fps!r} (give more than 0 samples per second, such as 60)")
    if times is None:
        return
    ticks = Call("smooth")
    ticks.number("times", times)
    if ticks.shape != (count,):
        raise InputError(f"smooth times: shape {ticks.shape} does not fit (give one a sample: ({count},))")
    _check_steps([float(t) for t in ticks.columns[0]], fps)


def _check_steps(times: list[float], fps: Any) -> None:
    steps = [later - before for before, later in pairwise(times)]
    for i, step in enumerate(steps, 1):
        if not step > 0.0:
            was = f"{times[i]:.9g} is not after {times[i - 1]:.9g}"
            raise InputError(f"smooth times[{i}]: {was} (give rising times)")
    if not steps:
        return
    usual = sorted(steps)[len(steps) // 2] if fps is None else 1.0 / float(fps)
    margin = UNEVEN * usual + 2.0 * max(map(ulp, times))
    for i, step in enumerate(steps, 1):
        if abs(step - usual) > margin:
            whose = "most others" if fps is None else f"{fps} fps asks"
            raise InputError(
                f"smooth times[{i}]: a step of {step:.9g} s, not {usual:.9g} s as {whose}: uneven times are"
                " not yet there in this version (resample to equal steps)"
            )
