"""Points and tangents along a path of cubic Béziers, the runtime's way: a length of few chords, cursors that stay.

Every number is a row over frames; loops run over points, curves and chords.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from elbowroom.kernel.degrees import Row, Where, angle, sincos, size

SIXTH = 0.16666667  # the runtime's ⅙
Index = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Path:
    """One path at T frames.

    x, y : (3·C + 1, T) knots and handles in the order they are passed, of C curves
    ends : (C, T) length at the end of each curve;  total : (T,)
    closed, even : whether it comes back to its start; whether points move along it at constant speed
    resets : the segment cursor starts anew for every point (closed paths of 4.3)
    """

    x: Row
    y: Row
    ends: Row
    total: Row
    closed: bool
    even: bool
    resets: bool


@dataclass(frozen=True, eq=False)
class Points:
    """Points x, y (N, T) [length] along a path and its tangents' angles (N, T) [rad]."""

    x: Row
    y: Row
    tangent: Row


def path(x: Row, y: Row, lengths: Row, *, closed: bool, even: bool, resets: bool) -> Path:
    """A path from its world vertices x, y (V, T) in the file's order and its setup lengths (V / 3,)."""
    order = _order(len(x), closed)
    x, y = x[order], y[order]
    curves = (len(order) - 1) // 3
    if even:
        chords = np.array([chord_lengths(x[3 * j : 3 * j + 4], y[3 * j : 3 * j + 4], 4)[-1] for j in range(curves)])
        ends = np.cumsum(chords, axis=0)
    else:
        known = np.zeros(curves)
        known[: len(lengths)] = lengths[:curves]
        ends = np.repeat(known[:, np.newaxis], x.shape[1], axis=1)
    return Path(x, y, ends, ends[-1], closed, even, resets and closed)


def _order(count: int, closed: bool) -> Index:
    """Vertices as they are passed: the handle before the first knot and the one after the last are not."""
    return np.append(np.arange(1, count), (0, 1)) if closed else np.arange(1, count - 1)


def chord_lengths(x: Row, y: Row, count: int) -> Row:
    """Running sums (count, T) of the chords of a cubic x, y (4, T), by forward differences."""
    h = 1.0 / count
    steps = [_differences(values, h) for values in (x, y)]
    (dx, ddx, dddx), (dy, ddy, dddy) = steps
    total, sums = np.zeros(x.shape[1]), np.empty((count, x.shape[1]))
    for i in range(count):
        total = total + size(dx, dy)
        sums[i] = total
        dx, dy, ddx, ddy = dx + ddx, dy + ddy, ddx + dddx, ddy + dddy
    return sums


def _differences(p: Row, h: float) -> tuple[Row, Row, Row]:
    cubic = p[3] - 3.0 * p[2] + 3.0 * p[1] - p[0]
    square = 3.0 * (p[0] - 2.0 * p[1] + p[2])
    third = 6.0 * cubic * h**3
    return third * SIXTH + square * h**2 + 3.0 * (p[1] - p[0]) * h, third + 2.0 * square * h**2, third


def walk(along: Path, distances: Row) -> Points:
    """Points at distances (N, T) [length] from the start, one after the other, with cursors that never go back."""
    count = distances.shape[1]
    curve, segment = np.zeros(count, dtype=np.intp), np.zeros(count, dtype=np.intp)
    seen = np.full(count, -1, dtype=np.intp)
    found = []
    for q in distances:
        if along.closed:
            q = np.fmod(q, along.total)
            q = np.where(q < 0.0, q + along.total, q)
            curve = np.zeros_like(curve)
        outside = np.zeros(count, dtype=np.bool_) if along.closed else (q < 0.0) | (q > along.total)
        here = np.where(outside, curve, _first(along.ends, q, curve))
        curve = here
        t = _share(along.ends, q, here)
        corners = _corners(along, here)
        if along.even:
            anew = (here != seen) | along.resets
            segment, t = _even(corners, t, np.where(anew & ~outside, 0, segment), ~outside)
            seen = np.where(outside, seen, here)
        found.append(_beyond(along, q, _at(corners, t)) if outside.any() else _at(corners, t))
    x, y, tangent = (np.array(rows) for rows in zip(*found, strict=True))
    return Points(x, y, tangent)


def _first(ends: Row, q: Row, cursor: Index) -> Index:
    """The first row of ends (C, T) from the cursor on that q (T,) does not pass; the last if it passes all."""
    fits = (q <= ends) & (np.arange(len(ends))[:, np.newaxis] >= cursor)
    return np.where(fits.any(axis=0), fits.argmax(axis=0), len(ends) - 1)


def _share(ends: Row, q: Row, which: Index) -> Row:
    """How far q (T,) is from one end to the next; negative where it lies before the row `which`."""
    frame = np.arange(len(q))
    before = np.where(which > 0, ends[which - 1, frame], 0.0)
    return np.asarray((q - before) / (ends[which, frame] - before))


def _corners(along: Path, curve: Index) -> tuple[Row, Row]:
    """x, y (4, T) of the curve each frame is in."""
    rows, frame = 3 * curve + np.arange(4)[:, np.newaxis], np.arange(len(curve))
    return along.x[rows, frame], along.y[rows, frame]


def _even(corners: tuple[Row, Row], share: Row, segment: Index, moves: Where) -> tuple[Index, Row]:
    """Segment cursor and Bézier parameter (T,) of a share of a curve's length."""
    sums = chord_lengths(*corners, 10)
    wanted = share * sums[-1]
    found = _first(sums, wanted, segment)
    return np.where(moves, found, segment), (found + _share(sums, wanted, found)) / 10.0


def _at(corners: tuple[Row, Row], t: Row) -> tuple[Row, Row, Row]:
    """Point and angle of the tangent (T,) at a parameter; the start of the curve where it is 0 or no number."""
    x, y = corners
    start = (t == 0.0) | np.isnan(t)
    u = 1.0 - t
    square = (u * u, 2.0 * t * u, t * t)
    qx, qy = (square[0] * p[0] + square[1] * p[1] + square[2] * p[2] for p in (x, y))
    px, py = (u * u * u * p[0] + 3.0 * u * u * t * p[1] + 3.0 * u * t * t * p[2] + t * t * t * p[3] for p in (x, y))
    by_handle = start | (t < 0.001)
    tangent = angle(np.where(by_handle, y[1] - y[0], py - qy), np.where(by_handle, x[1] - x[0], px - qx))
    return np.where(start, x[0], px), np.where(start, y[0], py), tangent


def _beyond(along: Path, q: Row, inside: tuple[Row, Row, Row]) -> tuple[Row, Row, Row]:
    """Before the start and after the end of an open path a point runs on straight."""
    x, y = along.x, along.y
    first, last = angle(y[1] - y[0], x[1] - x[0]), angle(y[-1] - y[-2], x[-1] - x[-2])
    before, after = q < 0.0, q > along.total
    tangent = np.where(before, first, last)
    sine, cosine = sincos(tangent)
    far = np.where(before, q, q - along.total)
    px, py = np.where(before, x[0], x[-1]) + far * cosine, np.where(before, y[0], y[-1]) + far * sine
    outside, (ix, iy, it) = before | after, inside
    return np.where(outside, px, ix), np.where(outside, py, iy), np.where(outside, tangent, it)
