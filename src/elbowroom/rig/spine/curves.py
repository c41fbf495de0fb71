"""Keys and the way from each to the next, with the ten straight pieces and the single precision of Spine's curves.

Times, values and curve points are float32 numbers (held as float64); the time they are asked for is not.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from elbowroom.rig.spine.records import Array, Indexes

PIECES = 10  # straight pieces of a Bézier curve
_SIXTH = 0.16666667  # as many digits as the runtimes have
_TURNS, _ROUND = 16384.0, 16384.499999999996  # whole turns added to make an angle positive, and almost half a one more


def single(values: npt.ArrayLike) -> Array:
    """The nearest float32 numbers, as float64; infinite where there is none."""
    with np.errstate(over="ignore"):
        return np.asarray(values, dtype=np.float64).astype(np.float32).astype(np.float64)


def points(start: npt.ArrayLike, handles: npt.ArrayLike, end: npt.ArrayLike) -> Array:
    """The nine inner points (..., 9, 2) of cubic curves, at u = 0.1 … 0.9 by forward differences, then float32.

    start, end : (..., 2);  handles : (..., 2, 2)
    """
    first, last, arms = (np.asarray(each, dtype=np.float64) for each in (start, end, handles))
    one, two = arms[..., 0, :], arms[..., 1, :]
    h = 1.0 / PIECES
    third = 6.0 * (last - 3.0 * two + 3.0 * one - first) * h**3
    bend = 3.0 * (first - 2.0 * one + two) * h**2
    step, second = 3.0 * (one - first) * h + bend + third * _SIXTH, 2.0 * bend + third
    at, out = first, []
    for _ in range(PIECES - 1):
        at = at + step
        out.append(at)
        step, second = step + second, second + third
    return single(np.stack(out, axis=-2))


def along(nodes: Array, at: Array) -> Array:
    """Second coordinate where the first is `at` (...), on lines through nodes (..., 11, 2).

    A piece ends at the first node that is not before `at`; a first piece of no width is passed over.
    """
    ahead = nodes[..., 1:, 0] >= at[..., np.newaxis]
    ahead[..., 0] = nodes[..., 1, 0] > at
    ahead[..., -1] = True
    k = np.argmax(ahead, axis=-1)[..., np.newaxis, np.newaxis]
    before, after = (np.take_along_axis(nodes, k + i, axis=-2)[..., 0, :] for i in (0, 1))
    width = after[..., 0] - before[..., 0]
    part = (at - before[..., 0]) / np.where(width != 0.0, width, 1.0)
    return before[..., 1] + part * (after[..., 1] - before[..., 1])


def half_turn(degrees: Array) -> Array:
    """Angles [deg] moved by whole turns into [−180, 180), as the runtimes before 4.2 do."""
    return degrees - 360.0 * (_TURNS - np.floor(_ROUND - degrees / 360.0))


@dataclass(frozen=True, eq=False)
class Curves:
    """How k keys go on to the next.

    stepped : (k,) held until the next
    row : (k,) index into points, −1 where the way is straight
    points : (b, c, 9, 2) of Bézier curves: time and value, a curve for every value; or, with share, one (c = 1) of
             time and part of the way from value to value
    unit : times of points are parts of the time from key to key
    """

    stepped: npt.NDArray[np.bool_]
    row: Indexes
    points: Array = field(default_factory=lambda: np.zeros((0, 1, PIECES - 1, 2)))
    share: bool = False
    unit: bool = False


@dataclass(frozen=True, eq=False)
class Keys:
    """n values at k times.

    times : (k,) [s], never falling: of keys at one time the last counts
    values : (k, n)
    turning : angles [deg] that go the shorter way round
    """

    times: Array
    values: Array
    curves: Curves
    turning: bool = False

    @classmethod
    def held(cls, times: npt.ArrayLike, values: npt.ArrayLike) -> Keys:
        """Keys that step; values (k, n) or (k,)."""
        clock, rows = single(times), np.asarray(values, dtype=np.float64)
        rows = rows.reshape(len(clock), -1)
        return cls(clock, rows, Curves(np.ones(len(clock), dtype=np.bool_), np.full(len(clock), -1, dtype=np.intp)))

    def sample(self, times: npt.ArrayLike, before: npt.ArrayLike) -> Array:
        """(T, n) at times (T,) [s]: `before` (n,) earlier than the first key, the last value from the last key on."""
        t = np.asarray(times, dtype=np.float64)
        last = len(self.times) - 1
        j = np.clip(np.searchsorted(self.times, t, side="right") - 1, 0, last)
        after = np.minimum(j + 1, last)
        span = self.times[after] - self.times[j]
        way = np.where(span > 0.0, t - self.times[j], 0.0) / np.where(span > 0.0, span, 1.0)
        way = np.where(self.curves.stepped[j], 0.0, way)
        out = self._between(t, j, way)
        out[t < self.times[0]] = before
        return out

    def _between(self, t: Array, j: Indexes, way: Array) -> Array:
        """Values at times t behind keys j, `way` (T,) of the time to the next one gone."""
        after = np.minimum(j + 1, len(self.times) - 1)
        curved = np.flatnonzero((self.curves.row[j] >= 0) & (after > j) & (t >= self.times[0]))
        if self.curves.share and curved.size:
            way[curved] = self._curved(way[curved] if self.curves.unit else t[curved], j[curved])[:, 0]
        step = self.values[after] - self.values[j]
        out = self.values[j] + way[:, np.newaxis] * (half_turn(step) if self.turning else step)
        if self.turning:
            out = np.where((after > j)[:, np.newaxis], half_turn(out), out)
        if not self.curves.share and curved.size:
            out[curved] = self._curved(t[curved], j[curved])
        return out

    def _curved(self, at: Array, j: Indexes) -> Array:
        """(s, c) on the Bézier curves of keys j (s,), at times or parts of a time (s,)."""
        inner = self.curves.points[self.curves.row[j]]
        ends = [np.empty((*inner.shape[:2], 1, 2)) for _ in range(2)]
        for i, end in enumerate(ends):
            end[..., 0, 0] = i if self.curves.unit else self.times[j + i, np.newaxis]
            end[..., 0, 1] = i if self.curves.share else self.values[j + i]
        nodes = np.concatenate([ends[0], inner, ends[1]], axis=-2)
        return along(nodes, np.broadcast_to(at[:, np.newaxis], nodes.shape[:2]))
