"""A rig back into the Spine file it came from."""

from __future__ import annotations

import os

from elbowroom.errors import InputError
from elbowroom.formats.spine.readkept import Kept
from elbowroom.rig.files import write_bytes
from elbowroom.rig.rig import Rig


def save(rig: Rig, path: str | os.PathLike[str]) -> None:
    """Write the data a rig was read from, unknown keys included, whole or not at all.

    Raises InputError for a rig from elsewhere and for one that was changed since, FormatError for a file that
    cannot be written.
    """
    kept = rig.foreign.data if rig.foreign is not None and rig.foreign.format == "spine" else None
    if not isinstance(kept, Kept):
        raise InputError("save: converting to Spine is not supported yet (only a rig read from a Spine file)")
    if not kept.unchanged(rig):
        raise InputError(
            "save: changes to a rig from Spine cannot be written yet (save the rig as it was read; its animations, "
            "constraints and bones were exchanged)"
        )
    write_bytes(path, kept.raw)
