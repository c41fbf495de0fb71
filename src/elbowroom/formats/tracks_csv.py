"""Target tracks in a table: time,constraint,x,y[,space]."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from elbowroom.errors import FormatError
from elbowroom.formats.trackrows import (
    NO_NUMBER,
    Note,
    Row,
    Tracks,
    names_with,
    number_fault,
    only_constraint,
    to_keys,
)
from elbowroom.rig.names import Names
from elbowroom.rig.paths import Log, quote
from elbowroom.rig.rig import Rig

NEEDED, OPTIONAL = ("time", "x", "y"), ("constraint", "space")
HEADER = "time,constraint,x,y[,space]"
_SHOULD = 'write commas between the cells and points in the numbers, such as "time,x,y" then "0.0333,0.6,1"'
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_NO_VALUE = ("", "nan", "na", "n/a", "null", "none")
_INFINITE = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE)

PathLike = str | os.PathLike[str]


class _Line(NamedTuple):
    number: int
    cells: list[str]

    @property
    def place(self) -> str:
        return f"line {self.number}"


def read_csv(path: PathLike, text: str, rig: Rig) -> Tracks:
    """The tracks of a table; FormatError with the line."""
    lines = list(_lines(path, text))
    header, body = lines[0], lines[1:]
    notes: list[Note] = []
    columns = _columns(path, header, notes)
    only = "" if "constraint" in columns else only_constraint(path, header.place, rig, "add a column constraint")
    names = names_with(rig, {})
    rows: dict[str, list[Row]] = {only: []} if only else {}
    seen: set[tuple[str, str]] = set()
    for line in body:
        cells = {name: line.cells[i] if i < len(line.cells) else "" for name, i in columns.items()}
        limb, shifted = only or cells["constraint"], _width_fault(line, len(header.cells))
        if shifted and limb not in names.constraints:
            limb = ""  # no name, only what stood there
        row = _row(line, cells, limb, shifted)
        if not shifted and (limb, row.space) not in seen:
            seen.add((limb, row.space))
            _check_names(path, line, limb, row, names)
        rows.setdefault(limb, []).append(row)
    return _tracks(path, rows, notes)


def _tracks(path: PathLike, rows: Mapping[str, list[Row]], notes: list[Note]) -> Tracks:
    tracks = {limb: to_keys(some, notes) for limb, some in rows.items()}
    notes.sort()
    if not tracks:
        raise FormatError(path, "", "there are no rows below the header")
    for limb, keys in tracks.items():
        if keys is None and (limb or len(tracks) == 1):
            hint = f" (first: {notes[0]})" if notes else " (only the header is there)"
            raise FormatError(path, "", f"no usable row for constraint {quote(limb)}{hint}")
    return Tracks({limb: keys for limb, keys in tracks.items() if keys is not None}, {}, notes)


def _lines(path: PathLike, text: str) -> Iterator[_Line]:
    """The rows that are not blank, each with its line number; cells without spaces around them."""
    reader = csv.reader(io.StringIO(text, newline=None), strict=True)
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells):
                yield _Line(reader.line_num, cells)
    except csv.Error as error:
        raise FormatError(path, f"line {reader.line_num}", f"this is no table: {error}") from None


def _columns(path: PathLike, header: _Line, notes: list[Note]) -> dict[str, int]:
    """Where each known column stands."""
    names = [cell.lower() for cell in header.cells]
    whole = ",".join(header.cells)
    for sign, word in ((";", "semicolons"), ("\t", "tabs")):
        if sign in whole and len(names) <= whole.count(sign):
            raise FormatError(path, header.place, f"{word} between the cells ({_SHOULD})")
    if _NUMBER.fullmatch(names[0]):
        raise FormatError(path, header.place, f"numbers where the header belongs ({HEADER})")
    places: dict[str, int] = {}
    for name in NEEDED:
        if name not in names:
            listed = ", ".join(cell for cell in header.cells if cell)
            raise FormatError(path, header.place, f'no column "{name}" (its columns: {listed}; expected {HEADER})')
    for i, name in enumerate(names):
        if name and places.setdefault(name, i) != i:
            raise FormatError(path, header.place, f"the column {quote(name)} is there twice")
        if name not in (*NEEDED, *OPTIONAL):
            notes.append(Note(header.number, header.place, f"the column {quote(name)} is not read", False))
    return {name: i for name, i in places.items() if name in (*NEEDED, *OPTIONAL)}


def _width_fault(line: _Line, width: int) -> str:
    if not any(line.cells[width:]):
        return ""
    return f"{len(line.cells)} cells under a header of {width} (numbers are written with a point, as in 0.5)"


def _row(line: _Line, cells: Mapping[str, str], limb: str, shifted: str) -> Row:
    """The row, with what makes it useless if anything does: `shifted` says that its cells are not where they belong."""
    if shifted:
        return Row(line.number, line.place, (NO_NUMBER,) * 3, "", shifted)
    (time, late), (x, off), (y, askew) = (_number(name, cells[name]) for name in NEEDED)
    fault = late or off or askew
    for name, cell in (("constraint", limb), ("space", cells.get("space", "world"))):
        fault = fault or ("" if cell else f"{name} is empty")
    return Row(line.number, line.place, (time, x, y), cells.get("space", "world"), fault)


def _number(name: str, cell: str) -> tuple[float, str]:
    """The number in a cell and what is wrong with it."""
    if cell.lower() in _NO_VALUE:
        return NO_NUMBER, f"{name} is {'empty' if not cell else quote(cell)}"
    if _INFINITE.fullmatch(cell):
        return NO_NUMBER, f"{name} is {quote(cell)}"
    if not _NUMBER.fullmatch(cell):
        return NO_NUMBER, f"{name} is {quote(cell)} (a number such as 0.5 was expected)"
    value = float(cell)
    fault = number_fault(name, value)
    return (NO_NUMBER if fault else value), fault


def _check_names(path: PathLike, line: _Line, limb: str, row: Row, names: Names) -> None:
    log = Log()
    if limb and names.check_constraint((), limb, log) and row.space:
        names.check_space((), row.space, log, names.constraints[limb])
    for fault in log.faults:
        raise FormatError(path, line.place, fault.text)
