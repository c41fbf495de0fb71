"""Target tracks in JSON: one fixed target or a track for each constraint, in a space that must be named."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Annotated

import msgspec

from elbowroom.errors import FormatError
from elbowroom.formats.jsontext import parse
from elbowroom.formats.trackrows import (
    NO_NUMBER,
    Note,
    Row,
    Tracks,
    names_with,
    only_constraint,
    to_keys,
)
from elbowroom.rig.animation import TargetKeys
from elbowroom.rig.build import frame_spec
from elbowroom.rig.fault_keys import check_frame
from elbowroom.rig.names import Names, check_frames
from elbowroom.rig.paths import Fault, Log, Path, json_path, listing, quote
from elbowroom.rig.record import Entry, Frame, Number, Pair, says
from elbowroom.rig.rig import Rig
from elbowroom.rig.shape import read

PathLike = str | os.PathLike[str]

_NO_SPACE = 'a position means nothing without its space: "world", "character", a bone or a frame'
_ROW = "[time, x, y]"


class TargetFile(Entry, frozen=True, kw_only=True):
    """The whole file."""

    target: Annotated[Pair | None, says("[x, y] [length]", want="[x, y]")] = None
    tracks: dict[str, list[list[Number | None]]] | None = None
    space: Annotated[str, says("the space it is written in", missing=_NO_SPACE)]
    spaces: dict[str, Frame] = msgspec.field(default_factory=dict)


def read_json(path: PathLike, text: str, rig: Rig) -> Tracks:
    """The tracks of a JSON file; FormatError with the JSON path of every fault."""
    data, doubled = parse(path, text)
    if not isinstance(data, dict):
        raise FormatError(path, "", 'a JSON object was expected: {"target": [x, y], "space": "world"}')
    file, misfits = read(data, TargetFile)
    log = Log([*doubled, *misfits])
    names = _check_spaces(file, rig, log)
    _check_tracks(file, names, log)
    _refuse(path, log.faults)
    notes: list[Note] = []
    if file.target is not None:
        limb = only_constraint(path, "$.target", rig, 'write "tracks" with their names')
        tracks = {limb: to_keys([Row(0, "$.target", (0.0, *file.target), file.space)], notes)}
    else:
        tracks = {limb: _keys(limb, rows, file.space, notes) for limb, rows in (file.tracks or {}).items()}
    frames = {name: frame_spec(frame) for name, frame in file.spaces.items()}
    return Tracks(_used(path, tracks), frames, notes)


def _refuse(path: PathLike, faults: list[Fault]) -> None:
    if len(faults) == 1:
        raise FormatError(path, json_path(faults[0].path), faults[0].text)
    if faults:
        raise FormatError(path, "", listing([str(fault) for fault in faults]))


def _check_spaces(file: TargetFile, rig: Rig, log: Log) -> Names:
    names = names_with(rig, file.spaces)
    for name, frame in file.spaces.items():
        where: Path = ("spaces", name)
        if name in rig.frames:
            log.add(where, "the rig has a frame of that name already (choose another)")
        check_frame(frame, where, log)
    check_frames(names, log, ("spaces",))
    names.check_space(("space",), file.space, log)
    return names


def _check_tracks(file: TargetFile, names: Names, log: Log) -> None:
    if log.unread(("target",)) or log.unread(("tracks",)):
        return
    if (file.target is None) == (file.tracks is None):
        both = "both are there" if file.target is not None else "neither is there"
        log.add((), f'"target" or "tracks": {both} (one of them)')
    if file.target is not None and len(names.constraints) == 1 and names.is_space(file.space):
        names.check_space(("space",), file.space, log, *names.constraints.values())
    for limb, rows in (file.tracks or {}).items():
        where: Path = ("tracks", limb)
        if names.check_constraint(where, limb, log) and names.is_space(file.space):
            names.check_space(("space",), file.space, log, names.constraints[limb])
        for i, row in enumerate(rows):
            if len(row) != 3:
                log.add((*where, i), f"{len(row)} values (three were expected: {_ROW})")


def _keys(limb: str, rows: list[list[float | None]], space: str, notes: list[Note]) -> TargetKeys | None:
    def row(i: int, values: list[float | None]) -> Row:
        fault = next((f"{n} is null" for n, v in zip(("time", "x", "y"), values, strict=True) if v is None), "")
        time, x, y = (NO_NUMBER if v is None else v for v in values)
        return Row(i, json_path(("tracks", limb, i)), (time, x, y), space, fault)

    return to_keys([row(i, values) for i, values in enumerate(rows)], notes)


def _used(path: PathLike, tracks: Mapping[str, TargetKeys | None]) -> dict[str, TargetKeys]:
    if not tracks:
        raise FormatError(path, "$.tracks", f"empty (a constraint's name and its rows {_ROW} were expected)")
    for limb, keys in tracks.items():
        if keys is None:
            where = json_path(("tracks", limb))
            raise FormatError(path, where, f"no usable row for constraint {quote(limb)} ({_ROW})")
    return {limb: keys for limb, keys in tracks.items() if keys is not None}
