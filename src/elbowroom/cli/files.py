"""Files that commands read and write."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from elbowroom.cli.say import note
from elbowroom.errors import FormatError, InputError, LossyWarning, RigError

if TYPE_CHECKING:
    from elbowroom.formats.tracks import TargetTracks
    from elbowroom.rig.rig import Rig


@contextmanager
def about(path: str) -> Iterator[None]:
    """Errors that do not say which file they are about get its name in front."""
    try:
        yield
    except (InputError, RigError) as error:
        if str(error).startswith(path):
            raise
        raise type(error)(f"{path}: {error}") from None


def load_rig(path: str, *, advise: bool = True) -> Rig:
    """The rig of a file. advise: show what is hardly meant as warnings (a report says it otherwise)."""
    from elbowroom.formats import load

    with about(path), warnings.catch_warnings():
        if not advise:
            warnings.simplefilter("ignore", UserWarning)
            warnings.simplefilter("always", LossyWarning)
        return load(path)


def load_tracks(path: str | None, rig: Rig) -> tuple[Rig, TargetTracks | None]:
    """The target tracks of a file, and the rig with the spaces they bring along; nothing for no file."""
    if path is None:
        return rig, None
    from elbowroom.formats.tracks import load_targets

    with about(path):
        tracks = load_targets(path, rig)
        return tracks.with_frames(rig), tracks


def remark_tracks(rig: Rig, names: Sequence[str], tracks: TargetTracks | None, *, chosen: bool) -> None:
    """Say where target tracks go on after an animation has ended, and that they move all animations, chosen or not."""
    for name in names if tracks else ():
        length = rig.animation(name).duration
        if tracks and tracks.duration > length + 1e-9:
            note(f'"{name}" lasts {length:g} s, the target tracks {tracks.duration:g} s (what is later is not used)')
    if tracks and len(names) > 1 and not chosen:
        listed = ", ".join(names[:6]) + (", …" if len(names) > 6 else "")
        note(f"the target tracks are laid over {len(names)} animations: {listed} (choose with --animation)")


def wrote(out: str, content: str = "") -> None:
    """Say what was written, beside it where it was written to stdout."""
    from elbowroom.rig.files import is_stdout

    click.echo(f"wrote {out}{f' ({content})' if content else ''}", err=is_stdout(out))


def refuse_same(source: str, out: str, overwrite: bool) -> None:
    """FormatError if writing `out` would replace `source`, by whatever name, and nobody said it may."""
    if not overwrite and _same(source, out):
        what = "itself" if source == out else f"its input {source}"
        raise FormatError(out, "", f"this would overwrite {what} (add --overwrite, or name another file)")


def _same(one: str, other: str) -> bool:
    """Whether two paths are one file: through links of both kinds, .. and the like."""
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        return Path(os.path.realpath(one)) == Path(os.path.realpath(other))
