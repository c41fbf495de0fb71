"""Angles of any shape: wrapped into one turn, or unwrapped along time.

Numbers and nested lists give numbers and tuples, without NumPy; an array gives an array with the same bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from elbowroom.errors import InputError
from elbowroom.kernel import trig
from elbowroom.kernel.inputs import Call
from elbowroom.kernel.reading import nested


def wrap(angle: Any) -> Any:
    """The same direction in (−π, π]; what is there already stays as it is, bit for bit.

    angle : (...) [rad]     beyond 1e15, where doubles lie too far apart to hold a direction, it counts as 0
    Returns (...) [rad], within 5e-16 of the true value. Raises InputError for what is not a finite number.

    >>> wrap([0.5, 7.0])
    (0.5, 0.7168146928204135)
    """
    call = Call("wrap")
    call.number("angle", angle)
    if call.plain:
        return call.map(trig.wrap)
    import numpy as np

    from elbowroom.kernel.engine import rows

    return np.asarray(rows().wrap(call.columns[0])).reshape(call.shape)


def unwrap(angles: Any, axis: int = 0) -> Any:
    """The same directions without jumps of more than half a turn between neighbours along `axis` (time).

    angles : (...) [rad]     whole turns are added, to all but the first; a step of exactly π stays
    Returns (...) [rad]. Raises InputError for what is not a finite number, or has no such axis.

    >>> unwrap([3.0, -3.0, 3.0])
    (3.0, 3.2831853071795862, 3.0)
    """
    call = Call("unwrap")
    call.number("angles", angles)
    shape, (flat,) = call.shape, call.columns
    if not -len(shape) <= axis < len(shape):
        raise InputError(f"unwrap axis: angles of shape {shape} have no axis {axis} (axes count from 0)")
    if call.plain:
        return nested(_unwrapped(flat, shape[axis], prod(shape[axis % len(shape) + 1 :])), shape)
    import numpy as np

    series = np.moveaxis(flat.reshape(shape), axis, 0).copy()
    series[1:] -= trig.TURN * np.cumsum(np.rint(np.diff(series, axis=0) / trig.TURN), axis=0)
    return np.moveaxis(series, 0, axis)


def _unwrapped(flat: Sequence[float], length: int, step: int) -> list[float]:
    """A flat grid, unwrapped along the axis of that length whose neighbours lie `step` apart."""
    turns = [0] * len(flat)
    for i in range(len(flat)):
        if i // step % length:
            turns[i] = turns[i - step] + round((flat[i] - flat[i - step]) / trig.TURN)
    return [angle - trig.TURN * turn for angle, turn in zip(flat, turns, strict=True)]
