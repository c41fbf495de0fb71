"""Files: a rig in, a rig out. One module a format; which one a file is, its content tells.

`load(path)` and `save(rig, path)` are the doors; target tracks have their own, `tracks.load_targets`.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NoReturn

from elbowroom.errors import FormatError, InputError, closest
from elbowroom.formats import native, spine
from elbowroom.formats.jsontext import parse
from elbowroom.formats.text import read_bytes, to_text
from elbowroom.rig.record import FORMAT
from elbowroom.rig.rig import Rig

__all__ = ["FORMATS", "load", "save"]

FORMATS = ("native", "spine")
PathLike = str | os.PathLike[str]

_NATIVE = "native rigs (*.rig.json) and Spine JSON are"
_BINARY = "Spine's binary export, which is not read (export JSON instead)"
_SUFFIXES = {".csv": "a table, such as target tracks; it holds no rig", ".skel": _BINARY}


def load(path: PathLike) -> Rig:
    """A rig from a file; its content tells the format.

    Raises FormatError for what cannot be read, with the place in the file, and RigError listing every fault
    of a record. Warns (UserWarning) of limits that leave no room for the bend, and the like; LossyWarning of
    what is kept but has no effect.
    """
    suffix = Path(path).suffix.lower()
    if suffix in _SUFFIXES and Path(path).is_file():
        raise FormatError(path, "", f"this is {_SUFFIXES[suffix]}")
    raw = read_bytes(path)
    if spine.looks_binary(raw):
        raise FormatError(path, "", f"this looks like {_BINARY}")
    text = to_text(path, raw)
    bare = raw.removeprefix(spine.BOM)
    parts = spine.split(bare)
    if parts is not None and spine.recognises(parts) and not (_named_native(path) and "skeleton" not in parts):
        return spine.from_parts(path, bare, parts)
    if suffix != ".json" and not text.lstrip().startswith("{"):
        raise FormatError(path, "", f"this is no rig that can be read ({_NATIVE})")
    data, doubled = parse(path, text)
    if isinstance(data, dict) and "format" not in data:
        _refuse_foreign(path, data)
    return native.from_data(path, data, doubled)


def _named_native(path: PathLike) -> bool:
    return Path(path).name.lower().endswith(".rig.json")


def _refuse_foreign(path: PathLike, data: dict[str, Any]) -> NoReturn:
    """Say what kind of JSON this is instead."""
    if "armature" in data:
        raise FormatError(path, "", f"a DragonBones file, not read yet by this version ({_NATIVE})")
    if "space" in data and ("target" in data or "tracks" in data):
        raise FormatError(path, "", "target tracks, not a rig (give them as targets beside a rig)")
    problem = f'missing: this is no rig (a native rig has "format": "{FORMAT}")'
    raise FormatError(path, "$.format", problem)


def save(rig: Rig, path: PathLike, *, format: str | None = None) -> None:
    """Write a rig, whole or not at all.

    format : one of FORMATS; None: told by the file's name and the rig (*.rig.json is native; *.json is native, or
             Spine for a rig that was read from a Spine file)
    Raises InputError for an unknown format and for a rig it cannot hold, FormatError for a file that cannot be
    written.
    """
    if format is not None and format not in FORMATS:
        raise InputError(f'format: "{format}" is not written by this version{closest(format, FORMATS)}')
    if format is None and Path(path).suffix.lower() != ".json":
        problem = "its name does not tell the format (end it in .rig.json, or name the format)"
        raise FormatError(path, "", problem)
    if format == "spine" or (format is None and rig.runtime is not None and not _named_native(path)):
        spine.save(rig, path)
    elif rig.runtime is not None:
        raise InputError("save: a rig from Spine cannot be written as native yet (name the file *.json)")
    else:
        native.save(rig, path)
