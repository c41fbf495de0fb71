"""What every chain solver shares: arguments, engines, the answer.

A solver is a `core` (see chainflow.core): one function that turns the angles of a chain until its end is at the target.
`chain` gives it plain lists or, compiled, the rows of a batch, and makes the Solution.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from elbowroom.errors import InputError
from elbowroom.kernel.chainflow import RESULTS, ROWS, outside
from elbowroom.kernel.chainlanes import compiled_wanted, rows_of
from elbowroom.kernel.engine import check_engine
from elbowroom.kernel.flow import gather
from elbowroom.kernel.inputs import Call
from elbowroom.kernel.reading import MOST_TURN
from elbowroom.kernel.solution import Solution, Why
from elbowroom.kernel.trig import PI

Core = Callable[..., int]
MOST_ITERATIONS = 1_000_000


def chain(
    name: str,
    core: Core,
    root: Any,
    target: Any,
    lengths: Any,
    angles: Any,
    *,
    bend: Any = 1,
    limits: Any = None,
    base: Any = 0.0,
    iterations: int = 50,
    tolerance: float = 1e-6,
    settings: tuple[float, ...] = (0.0,),
    engine: str = "auto",
) -> Solution:
    """Solve a chain of n bones with a solver's core; the arguments are those of ccd, fabrik and least_change.

    name : for messages;  settings : numbers that go to the core as they are
    """
    call = Call(name)
    call.point("root", root)
    call.point("target", target)
    call.number("base", base, -MOST_TURN, MOST_TURN)
    call.side("bend", bend)
    call.row("lengths", lengths, low=0.0)
    call.row("angles", angles, -MOST_TURN, MOST_TURN)
    count = call.widths["lengths"]
    if count != call.widths["angles"]:
        given = f"{call.widths['angles']} angles and {count} lengths"
        raise InputError(f"{name}: {given} (give one angle a bone)")
    if limits is not None:
        call.ranges("limits", limits, count)
    check_engine(engine)
    spend = whole(name, iterations), one_number(name, "tolerance", tolerance), settings
    if call.plain:
        shape = call.shape
        return gather([_one(core, count, element, *spend) for element in zip(*call.columns, strict=True)], shape)
    return _batch(core, count, call, engine, *spend)


def whole(name: str, value: Any) -> int:
    """A number of iterations."""
    good = not isinstance(value, bool) and hasattr(value, "__index__")
    if not good or not 0 <= int(value) <= MOST_ITERATIONS:
        raise InputError(f"{name} iterations: {value!r} is no number of iterations (give a whole number, 0 to 1000000)")
    return int(value)


def one_number(name: str, what: str, value: Any, low: float = 0.0) -> float:
    """A single number of at least `low`."""
    call = Call(name)
    call.number(what, value, low=low)
    if call.shape:
        raise InputError(f"{name} {what}: shape {call.shape} does not fit (give one number)")
    return float(call.columns[0][0] if call.plain else call.columns[0].item())


def _split(columns: Any, count: int) -> tuple[Any, Any, Any, Any, Any]:
    """Head (root, target, base, bend), lengths, angles, lows and highs; both empty without limits."""
    ranges = columns[6 + 2 * count :]
    return columns[:6], columns[6 : 6 + count], columns[6 + count : 6 + 2 * count], ranges[::2], ranges[1::2]


def _one(
    core: Core, count: int, element: tuple[float, ...], iterations: int, tolerance: float, settings: tuple[float, ...]
) -> Solution:
    """One chain of plain numbers."""
    head, lengths, angles, lows, highs = _split(element, count)
    low, high = (list(lows), list(highs)) if lows else ([-PI] * count, [PI] * count)
    given = (core, count, head, lengths, angles, low, high, iterations, tolerance, settings)
    q, joints, (error, flags, used, ux, uy) = _interpreted(*given)
    # `over` solves again without limits: only when somebody asks
    return Solution(
        _one_over, given, joints=tuple(map(tuple, joints)), angles=tuple(q), error=error,
        reached=error <= tolerance * sum_of(lengths), why=Why(int(flags)), stretch=1.0, iterations=int(used),
        direction=(ux, uy),
    )  # fmt: skip


def sum_of(lengths: Any) -> Any:
    """Reach, added in the order of the bones as the flow adds it."""
    reach: Any = 0.0
    for bone in lengths:
        reach = reach + bone
    return reach


def _interpreted(
    core: Core, count: int, head: Any, lengths: Any, angles: Any, low: Any, high: Any,
    iterations: int, tolerance: float, settings: tuple[float, ...],
) -> tuple[list[float], list[list[float]], list[float]]:  # fmt: skip
    """Angles, joints and results of one chain."""
    q, joints, out = list(angles), [[0.0, 0.0] for _ in range(count + 1)], [0.0] * RESULTS
    work = [[0.0] * count for _ in range(ROWS)]
    rows_of(core, False)(
        *([x] for x in head), [list(lengths)], [q], [low], [high], iterations, tolerance, settings,
        [0.0] * count, [False] * count, work, [joints], [out],
    )  # fmt: skip
    return q, joints, out


def _one_over(given: tuple[Any, ...], name: str) -> Any:
    core, count, head, lengths, angles, low, high, *spend = given
    if all(top - bottom >= 2.0 * PI for bottom, top in zip(low, high, strict=True)):
        return (0.0,) * count
    free, _, _ = _interpreted(core, count, head, lengths, angles, [-PI] * count, [PI] * count, *spend)
    return tuple(outside(*of_joint) for of_joint in zip(free, low, high, strict=True))


def _batch(
    core: Core, count: int, call: Call, engine: str, iterations: int, tolerance: float, settings: tuple[float, ...]
) -> Solution:
    """Arrays of chains."""
    import numpy as np

    number = prod(call.shape)
    head, *rest = _split(call.columns, count)
    columns = [np.ascontiguousarray(np.broadcast_to(x, (number,)), dtype=np.float64) for x in head]
    free = [-PI] * count, [PI] * count  # without limits
    lengths, angles, low, high = (_stacked(parts or free[i - 2], number) for i, parts in enumerate(rest))
    given = (core, columns, lengths, angles, low, high, iterations, tolerance, settings, engine)
    q, joints, out = _solved(*given)
    n = call.shape
    return Solution(
        _batch_over, (given, (*n, count)), joints=joints.reshape(*n, count + 1, 2), angles=q.reshape(*n, count),
        error=out[:, 0].reshape(n), reached=np.asarray(out[:, 0] <= tolerance * sum_of(lengths.T)).reshape(n),
        why=out[:, 1].astype(np.int64).reshape(n), stretch=np.ones(n), iterations=out[:, 2].astype(np.int64).reshape(n),
        direction=out[:, 3:].reshape(*n, 2).copy(),
    )  # fmt: skip


def _stacked(parts: Any, number: int) -> Any:
    """Columns, each an array or one number for all, as (N, n)."""
    import numpy as np

    out = np.empty((number, len(parts)))
    for i, part in enumerate(parts):
        out[:, i] = part
    return out


def _solved(
    core: Core, head: Any, lengths: Any, angles: Any, low: Any, high: Any, iterations: int, tolerance: float,
    settings: tuple[float, ...], engine: str,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """Angles (N, n), joints (N, n+1, 2) and results (N, RESULTS) by Numba, or row by row without it."""
    import numpy as np

    number, count = lengths.shape
    q, joints, out = angles.copy(), np.empty((number, count + 1, 2)), np.empty((number, RESULTS))
    if compiled_wanted(engine, number * count * iterations):
        work = np.empty((ROWS, count)), np.zeros(count, dtype=np.bool_)
        rows_of(core, True)(
            *head, lengths, q, low, high, iterations, tolerance, np.array(settings),
            np.empty(count), work[1], work[0], joints, out,
        )  # fmt: skip
        return q, joints, out
    for i in range(number):
        of_bones, start, lows, highs = (x[i].tolist() for x in (lengths, angles, low, high))
        given = ([x[i].item() for x in head], of_bones, start, lows, highs, iterations, tolerance, settings)
        q[i], joints[i], out[i] = _interpreted(core, count, *given)
    return q, joints, out


def _batch_over(state: tuple[Any, ...], name: str) -> Any:
    import numpy as np

    (core, head, lengths, angles, low, high, *spend), shape = state
    over = np.zeros(low.shape)
    limited = high - low < 2.0 * PI
    if limited.any():
        free, _, _ = _solved(core, head, lengths, angles, np.full_like(low, -PI), np.full_like(high, PI), *spend)
        columns = (x[limited].tolist() for x in (free, low, high))
        over[limited] = [outside(*of_joint) for of_joint in zip(*columns, strict=True)]
    return over.reshape(shape)
