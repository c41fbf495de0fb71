"""Files of text, at the door: read with every mishap as one clear sentence, written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from elbowroom.errors import FormatError, closest
from elbowroom.rig.files import write_bytes

LARGEST = 512 * 1024 * 1024  # [bytes]
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a UTF-8 file, a byte order mark taken off.

    Raises FormatError for a missing, unreadable, empty or huge file, a folder, and bytes that are no UTF-8.
    """
    return to_text(path, read_bytes(path))


def to_text(path: str | os.PathLike[str], raw: bytes) -> str:
    """The text in the bytes of a file, as `read_text` gives it."""
    if raw.startswith(_UTF16):
        raise FormatError(path, "", "this is UTF-16 (save it as UTF-8)")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        byte = raw[error.start]
        problem = f"not UTF-8: byte 0x{byte:02X} at offset {error.start} (save it as UTF-8 text)"
        raise FormatError(path, "", problem) from None
    if not text.strip():
        raise FormatError(path, "", "the file is empty")
    return text


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a file. Raises FormatError for a missing, unreadable or huge one and for a folder."""
    try:
        status = os.stat(path)
        if stat.S_ISDIR(status.st_mode):
            raise FormatError(path, "", f"this is a folder, not a file{_inside(Path(path))}")
        if not stat.S_ISREG(status.st_mode):
            raise FormatError(path, "", "this is a device or a pipe, not a file")
        if status.st_size > LARGEST:
            size = f"{status.st_size / 1e6:.0f} MB (at most {LARGEST / 1e6:.0f} MB are read)"
            raise FormatError(path, "", f"the file is too large: {size}")
        return Path(path).read_bytes()
    except FormatError:
        raise
    except FileNotFoundError:
        raise FormatError(path, "", f"there is no such file{_near(Path(path))}") from None
    except PermissionError:
        raise FormatError(path, "", "the file may not be read (its permissions forbid it)") from None
    except (OSError, ValueError) as error:
        raise FormatError(path, "", f"the file cannot be read: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _inside(folder: Path) -> str:
    """A hint: the first file in a folder that could have been meant."""
    with contextlib.suppress(OSError):
        names = sorted(item.name for item in folder.iterdir() if item.suffix == ".json")
        names.sort(key=lambda name: not name.endswith(".rig.json"))
        if names:
            return f" (name a file inside, such as {names[0]})"
    return " (name a file inside it)"


def _near(path: Path) -> str:
    """A hint: a file of nearly that name in the same folder."""
    with contextlib.suppress(OSError):
        hint = closest(path.name, sorted(item.name for item in path.parent.iterdir()))
        return hint if "did you mean" in hint else ""
    return ""


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a UTF-8 file, whole or not at all; see `rig.files`. Raises FormatError."""
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        raise FormatError(path, "", f"the file cannot be written: {error}") from None
    write_bytes(path, data)
