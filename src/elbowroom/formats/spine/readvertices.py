"""Vertices of attachments: pairs in the slot's space, or influences of bones one vertex after the other."""

from __future__ import annotations

from itertools import chain

import numpy as np

from elbowroom.formats.spine.faults import Fields, is_number, show
from elbowroom.rig.spine.records import Array, Vertices

_NUMBERS = {int, float}
_INFLUENCE = 4  # bone, x, y, weight
_LARGEST = float(np.finfo(np.float32).max)


def read_vertices(fields: Fields, count: int) -> Vertices | None:
    """The vertices of a mesh or path of `count`; numbers as the runtimes keep them, in single precision."""
    found = numbers(fields, "vertices", needed=count > 0)
    if len(found) == 2 * count:
        return Vertices(_frozen(_single(found).reshape(-1, 2)))
    return _weighted(fields, found, count)


def numbers(fields: Fields, key: str, needed: bool = False) -> Array:
    """(k,) numbers of an array; empty after a fault."""
    if key not in fields.data and not needed:
        return np.zeros(0)
    values = fields.data.get(key)
    if not isinstance(values, list):
        fields.fault(f"{key} is {'missing' if values is None else show(values)} (an array of numbers)", key)
        return np.zeros(0)
    if not set(map(type, values)) <= _NUMBERS or not _in_range(values):
        at = next(i for i, value in enumerate(values) if not (is_number(value) and abs(value) <= _LARGEST))
        fields.fault(f"{key}[{at}] is {show(values[at])} (a finite number, at most {_LARGEST:g})", key, at)
        return np.zeros(0)
    return np.array(values, dtype=np.float64)


def _in_range(values: list[float]) -> bool:
    try:
        found = np.array(values, dtype=np.float64)
    except OverflowError:
        return False
    return bool(np.all(np.abs(found) <= _LARGEST))


def _weighted(fields: Fields, found: Array, count: int) -> Vertices | None:
    starts, counts = _starts(found)
    if len(starts) != count or (starts and starts[-1] + _INFLUENCE * counts[-1] + 1 != len(found)):
        text = (
            f"vertices has {len(found)} numbers, which fit neither {count} pairs nor the influences of {count} vertices"
        )
        fields.fault(f"{text} (export it again)", "vertices")
        return None
    spans = (range(s + 1, s + 1 + _INFLUENCE * n, _INFLUENCE) for s, n in zip(starts, counts, strict=True))
    first = np.fromiter(chain.from_iterable(spans), dtype=np.intp)
    bones = found[first].astype(np.intp)
    bad = np.flatnonzero((bones < 0) | (bones >= len(fields.reading.bones)) | (bones != found[first]))
    if len(bad):
        at = int(first[bad[0]])
        last = len(fields.reading.bones) - 1
        fields.fault(f"vertices[{at}] is {found[at]:g} (the index of a bone, 0 to {last})", "vertices", at)
        return None
    points = _frozen(_single(found[first[:, np.newaxis] + (1, 2)]))
    weights = _frozen(_single(found[first + 3]))
    return Vertices(points, np.array(counts, dtype=np.intp), bones, weights)


def _starts(found: Array) -> tuple[list[int], list[int]]:
    """Where each vertex begins, and how many influences it has; stops at what is no such count."""
    values, at = found.tolist(), 0
    starts: list[int] = []
    counts: list[int] = []
    while at < len(values):
        n = values[at]
        if n < 0 or n != int(n) or at + _INFLUENCE * n >= len(values):
            return [], []
        starts.append(at)
        counts.append(int(n))
        at += 1 + _INFLUENCE * int(n)
    return starts, counts


def _single(values: Array) -> Array:
    return values.astype(np.float32).astype(np.float64)


def _frozen(values: Array) -> Array:
    values.setflags(write=False)
    return values
