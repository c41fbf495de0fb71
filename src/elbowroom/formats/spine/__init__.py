"""Spine JSON, 3.7 to 4.3: read for the rules of its version, written back as it was."""

from __future__ import annotations

import os
import warnings

from elbowroom.errors import FormatError
from elbowroom.formats.jsontext import parse
from elbowroom.formats.spine.layout_text import BOM, Parts, looks_binary, split
from elbowroom.formats.spine.read import read
from elbowroom.formats.spine.write import save
from elbowroom.formats.text import to_text
from elbowroom.rig.rig import Rig

__all__ = ["BOM", "from_bytes", "from_parts", "looks_binary", "recognises", "save", "split"]

PathLike = str | os.PathLike[str]

BACK = "handles of key"
_NATIVE = {"constraints", "clips", "legs", "body", "facing", "frames", "foreign"}  # a native rig that forgot its format


def recognises(parts: Parts) -> bool:
    """Whether the keys at the top of a JSON object are those of a Spine file."""
    if "format" in parts or "armature" in parts:
        return False
    return "skeleton" in parts or ("bones" in parts and not parts.keys() & _NATIVE)


def from_bytes(path: PathLike, raw: bytes) -> Rig:
    """A rig from the bytes of a file; `path` is what it is called in messages, and names the rig.

    Raises FormatError: where in the file, what, and what would be right. Warns (UserWarning) of what is odd but
    read, and (LossyWarning) of what is kept without effect.
    """
    text = to_text(path, raw)
    parts = split(raw.removeprefix(BOM))
    if parts is None:
        data, _ = parse(path, text)
        problem = "a JSON object was expected" if not isinstance(data, dict) else "the JSON cannot be read"
        raise FormatError(path, "", f"{problem} (a Spine file holds skeleton, bones, slots …)")
    return from_parts(path, raw.removeprefix(BOM), parts)


def from_parts(path: PathLike, raw: bytes, parts: Parts) -> Rig:
    """The same, of bytes known to be UTF-8 without a byte order mark, and their sections."""
    rig, reading = read(path, raw, parts)
    for text, category in _told(reading.notes):
        warnings.warn(f"{path}: {text}", category, stacklevel=3)
    return rig


def _told(notes: list[tuple[str, type[Warning]]]) -> list[tuple[str, type[Warning]]]:
    """What to warn of: of handles that lead back in time, which editors write, one in place of all."""
    back = [note for note in notes if BACK in note[0]]
    rest = [note for note in notes if BACK not in note[0]]
    if len(back) > 1:
        more = f"{back[0][0]}; and in {len(back) - 1} more timelines (check tells them all, as lint-curve)"
        back = [(more, back[0][1])]
    return rest + back
