"""The native rig record, *.rig.json."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from typing import Any

from elbowroom.errors import FormatError
from elbowroom.formats.jsontext import layout, parse
from elbowroom.formats.text import read_text, write_text
from elbowroom.rig.build import from_record, to_record
from elbowroom.rig.faults import advice, check
from elbowroom.rig.paths import Fault
from elbowroom.rig.record import FORMAT
from elbowroom.rig.rig import Rig
from elbowroom.rig.torecord import plain_data

PathLike = str | os.PathLike[str]


def load(path: PathLike) -> Rig:
    """A rig from a native file.

    Raises FormatError for a file that cannot be read or is no JSON object, RigError listing every fault of
    the record; warns (UserWarning) of what hangs together and is hardly meant.
    """
    data, doubled = parse(path, read_text(path))
    return from_data(path, data, doubled)


def from_data(path: PathLike, data: Any, doubled: Iterable[Fault] = ()) -> Rig:
    """A rig from the plain data of a file; `doubled` are the keys that stood there twice."""
    _check_format(path, data)
    rig = check(data, str(path), doubled)
    for line in advice(rig):
        warnings.warn(f"{path}: {line}", UserWarning, stacklevel=3)
    return from_record(rig)


def _check_format(path: PathLike, data: Any) -> None:
    if not isinstance(data, dict):
        raise FormatError(path, "", f'a JSON object was expected: {{"format": "{FORMAT}", …}}')
    found = data.get("format")
    if found is None:
        raise FormatError(path, "$.format", f'missing (a native rig has "format": "{FORMAT}")')
    if found != FORMAT:
        what = f'"{found}"' if isinstance(found, str) else "that"
        raise FormatError(path, "$.format", f'{what} is not a version this release reads (it reads "{FORMAT}")')


def dumps(rig: Rig) -> str:
    """The text of a native file: defaults left out, keys on one line each, numbers that read back exactly."""
    return layout(plain_data(to_record(rig)), opaque=("data",))


def save(rig: Rig, path: PathLike) -> None:
    """Write a native file, whole or not at all. Raises FormatError."""
    try:
        text = dumps(rig)
    except (RecursionError, ValueError, TypeError) as error:
        raise FormatError(path, "", f"the foreign part of the rig is no JSON: {error}") from None
    write_text(path, text)
