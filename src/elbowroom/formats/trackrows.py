"""Rows of a target track, whatever file they came from: which can be used, and what is odd about them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import isfinite, nan
from typing import NamedTuple

import numpy as np

from elbowroom.errors import FormatError
from elbowroom.kernel.reading import BIGGEST
from elbowroom.rig.animation import TargetKeys
from elbowroom.rig.frames import FrameSpec
from elbowroom.rig.keys import Track
from elbowroom.rig.names import Names
from elbowroom.rig.record import Frame
from elbowroom.rig.rig import Rig
from elbowroom.rig.torecord import to_record

GAP = 2.5  # times the usual step

PathLike = str | os.PathLike[str]


class Note(NamedTuple):
    """A remark on one row."""

    order: int
    place: str  # 'line 4', '$.tracks.leg[3]'
    text: str
    dropped: bool

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"


class Row(NamedTuple):
    """One row: what cannot be used of it is NaN, and `fault` says why."""

    order: int
    place: str
    numbers: tuple[float, float, float]  # time [s], x, y [length]
    space: str
    fault: str = ""

    @property
    def time(self) -> float:
        """[s]"""
        return self.numbers[0]


class Tracks(NamedTuple):
    """What a file of target tracks holds."""

    tracks: Mapping[str, TargetKeys]
    frames: Mapping[str, FrameSpec]
    notes: Sequence[Note]


def only_constraint(path: PathLike, where: str, rig: Rig, way_out: str) -> str:
    """The name of the rig's one constraint; FormatError naming them if there are several or none."""
    names = [c.name for c in rig.constraints]
    if len(names) == 1:
        return names[0]
    if not names:
        raise FormatError(path, where, "the rig has no constraint that could follow a target")
    raise FormatError(path, where, f"the rig has {len(names)} constraints, {', '.join(names[:12])} ({way_out})")


def names_with(rig: Rig, frames: Mapping[str, Frame]) -> Names:
    """All that can be referred to: the rig's names and the spaces of the file."""
    names = Names.of(to_record(rig, clips=False))
    return Names(names.bones, names.constraints, {**names.frames, **frames})


def to_keys(rows: Sequence[Row], notes: list[Note]) -> TargetKeys | None:
    """The usable rows of one constraint as keys, None if there are none; remarks go into `notes`."""
    kept: list[Row] = []
    for row in rows:
        fault = row.fault or _time_fault(row, kept)
        if fault:
            notes.append(Note(row.order, row.place, f"{fault}: left out", True))
        else:
            kept.append(row)
    if not kept:
        return None
    _note_gaps(rows, kept, notes)
    changes = [row for i, row in enumerate(kept) if i == 0 or row.space != kept[i - 1].space]
    return TargetKeys(
        Track(np.array([row.time for row in kept]), np.array([row.numbers[1:] for row in kept])),
        np.array([row.time for row in changes]),
        tuple(row.space for row in changes),
    )


def _time_fault(row: Row, kept: Sequence[Row]) -> str:
    if not kept or row.time > kept[-1].time:
        return ""
    last = kept[-1]
    if row.time == last.time:
        return f"time {row.time:g} repeats that of {last.place}"
    return f"time {row.time:g} goes back behind {last.time:g} of {last.place}"


def _note_gaps(rows: Sequence[Row], kept: Sequence[Row], notes: list[Note]) -> None:
    """Note steps far above the usual one: the median of all steps forward, unusable rows included."""
    clock: list[float] = []
    for row in rows:
        if isfinite(row.time) and (not clock or row.time > clock[-1]):
            clock.append(row.time)
    if len(clock) < 4:
        return
    usual = float(np.median(np.diff(clock)))
    for before, after in pairwise(kept):
        step = after.time - before.time
        if step > GAP * usual:
            text = f"gap of {step:.4g} s before it, where {usual:.4g} s is usual (a straight line bridges it)"
            notes.append(Note(after.order, after.place, text, False))


def number_fault(name: str, value: float) -> str:
    """What is wrong with a number that was read, or ''."""
    if value != value:
        return f"{name} is not a number"
    return "" if abs(value) <= BIGGEST else f"{name} is not a finite number of at most {BIGGEST:g}"


NO_NUMBER = nan
