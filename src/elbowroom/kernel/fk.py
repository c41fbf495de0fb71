"""From angles to joints."""

from __future__ import annotations

from math import prod
from typing import Any

from elbowroom.errors import InputError
from elbowroom.kernel.inputs import Call
from elbowroom.kernel.ops import leaf
from elbowroom.kernel.reading import MOST_TURN, nested
from elbowroom.kernel.trig import sincos


@leaf
def step(x: float, y: float, angle: float, bone: float) -> tuple[float, float]:
    """The next joint: `bone` further along `angle` (from the x axis)."""
    s, c = sincos(angle)
    return x + bone * c, y + bone * s


def fk(root: Any, angles: Any, lengths: Any, *, base: Any = 0.0) -> Any:
    """Walk a chain from its root: where is every joint?

    root : (..., 2) [length]; angles : (..., n) [rad], each relative to the bone before, the first to `base`
    lengths : (..., n) [length]; base : (...) [rad]
    Returns joints (..., n+1, 2) [length], root first. Raises InputError.

    >>> fk((0, 0), [0.0, 0.0], [150, 125])
    ((0.0, 0.0), (150.0, 0.0), (275.0, 0.0))
    """
    call = Call("fk")
    call.point("root", root)
    call.number("base", base, -MOST_TURN, MOST_TURN)
    call.row("angles", angles, -MOST_TURN, MOST_TURN)
    call.row("lengths", lengths, low=0.0)
    count = call.widths["angles"]
    if count != call.widths["lengths"]:
        given = f"{count} angles and {call.widths['lengths']} lengths"
        raise InputError(f"fk: {given} (give one angle a bone)")
    if call.plain:
        joints = [_walk(element, count, step) for element in zip(*call.columns, strict=True)]
        return nested([tuple(chain) for chain in joints], call.shape)
    return _fk_rows(call, count)


def _walk(element: Any, count: int, move: Any) -> list[tuple[Any, Any]]:
    """The joints of one chain (floats) or of a column of chains (arrays)."""
    x, y, turn = element[:3]
    joints = [(x, y)]
    for angle, bone in zip(element[3 : 3 + count], element[3 + count :], strict=True):
        turn = turn + angle
        x, y = move(x, y, turn, bone)
        joints.append((x, y))
    return joints


def _fk_rows(call: Call, count: int) -> Any:
    import numpy as np

    from elbowroom.kernel.engine import rows

    out = np.empty((prod(call.shape), count + 1, 2))
    for i, (x, y) in enumerate(_walk(call.columns, count, rows().step)):
        out[:, i, 0], out[:, i, 1] = x, y
    return out.reshape(*call.shape, count + 1, 2)
