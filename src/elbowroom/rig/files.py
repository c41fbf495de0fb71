"""Files that are written: whole or not at all, and never in the place of a device, a pipe or a link."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import sys
import tempfile
from pathlib import Path

from elbowroom.errors import FormatError

PathLike = str | os.PathLike[str]
_ANY = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH  # may anybody write it


def write_bytes(path: PathLike, data: bytes) -> None:
    """Write a file: beside its place under another name first, then moved there in one step.

    Whatever goes wrong, and whenever it is stopped, the place has the old file or the new one, whole. A symbolic
    link is followed. What exists and is no file (a pipe, a terminal, /dev/null) is written into and stays.
    Raises FormatError.
    """
    try:
        status = check_place(path)
        if status is not None and _is_stdout(status):
            _write_stdout(data)
        elif status is not None and not stat.S_ISREG(status.st_mode):
            with open(path, "wb") as stream:
                stream.write(data)
        else:
            _write_then_rename(Path(os.path.realpath(path)), data)
    except FormatError:
        raise
    except (OSError, ValueError) as error:
        raise FormatError(path, "", f"the file cannot be written: {_reason(error)}") from None


def check_place(path: PathLike) -> os.stat_result | None:
    """What is at the place of a file to be written, None for nothing; FormatError where none can be written."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        _check_folder(path)
        return None
    except (OSError, ValueError) as error:
        raise FormatError(path, "", f"the file cannot be written: {_reason(error)}") from None
    if stat.S_ISDIR(status.st_mode):
        raise FormatError(path, "", "this is a folder, not a file")
    if stat.S_ISBLK(status.st_mode):
        raise FormatError(path, "", "this is a disk, not a file")
    if stat.S_ISREG(status.st_mode) and not _is_stdout(status):
        if not status.st_mode & _ANY or not os.access(path, os.W_OK):
            raise FormatError(path, "", "the file may not be written (its permissions forbid it)")
        _check_folder(path)
    return status


def is_stdout(path: PathLike) -> bool:
    """Whether what is written to a path comes out where the program prints, as with /dev/stdout."""
    try:
        return _is_stdout(os.stat(path))
    except (OSError, ValueError):
        return False


def _is_stdout(status: os.stat_result) -> bool:
    try:
        return os.path.samestat(status, os.fstat(1))
    except OSError:  # it is closed
        return False


def _write_stdout(data: bytes) -> None:
    """Through the open stream: opening it again would begin at its start, over what was printed."""
    with contextlib.suppress(AttributeError):  # no stdout
        sys.stdout.flush()
    with open(1, "wb", closefd=False) as stream:
        stream.write(data)


def _check_folder(path: PathLike) -> None:
    """FormatError where the folder a file is to be written in does not exist or does not let one do so."""
    folder = Path(os.path.realpath(path)).parent
    if not folder.is_dir():
        what = "is a file, not a folder" if folder.exists() else "does not exist (make it first)"
        raise FormatError(path, "", f"the folder {_shown(path, folder)} {what}")
    if not os.access(folder, os.W_OK | os.X_OK):
        problem = f"the folder {_shown(path, folder)} is read-only (choose another, or change its permissions)"
        raise FormatError(path, "", problem)


def _shown(path: PathLike, folder: Path) -> Path:
    """A folder as the user named it, unless a link leads elsewhere."""
    return folder if os.path.islink(path) else Path(path).parent


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _write_then_rename(place: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{place.name[:40]}.", suffix=".part", dir=place.parent)
    try:
        with open(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _take_mode(name, place)
        os.replace(name, place)
    except BaseException:  # Ctrl-C as well: nothing half-written stays behind
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _take_mode(name: str, place: Path) -> None:
    """The permissions of the file that is replaced, or those a new file gets."""
    if place.exists():
        shutil.copymode(place, name)
    else:
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
