"""Clips as a table (CSV): one row for each frame and bone.

time [s], animation, frame, bone
x, y [length], rotation_deg, scale_x, scale_y   the bone's own channels, in its parent's space, as in the record
tip_x, tip_y [length]                           where the bone ends, in the world
"""

from __future__ import annotations

import csv
import io
import os
import warnings
from collections.abc import Iterable

import numpy as np

from elbowroom.errors import LossyWarning
from elbowroom.formats.text import write_text
from elbowroom.rig.pose import Clip
from elbowroom.rig.rig import Rig
from elbowroom.rig.units import RADIANS

COLUMNS = ("time", "animation", "frame", "bone", "x", "y", "rotation_deg", "scale_x", "scale_y", "tip_x", "tip_y")

PathLike = str | os.PathLike[str]


def dumps(clips: Iterable[Clip]) -> str:
    """The text of the table; numbers read back exactly. Warns (LossyWarning) if a bone is sheared."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for clip in clips:
        _warn_of_shear(clip)
        _write(writer, clip)
    return text.getvalue()


def save(rig: Rig, path: PathLike, *, fps: float = 60) -> None:
    """Write a rig's keyed animations, without inverse kinematics (bake them first), whole or not at all.

    A rig without animations is written as it rests. Raises FormatError, InputError for an odd fps.
    """
    clips = [rig.clip(name, fps) for name in rig.clips]
    write_text(path, dumps(clips or [Clip.from_pose(rig.skeleton.rest_pose(), 1, fps)]))


def _write(writer: object, clip: Clip) -> None:
    values = (clip.x, clip.y, clip.rotation / RADIANS, clip.scale_x, clip.scale_y, *np.moveaxis(clip.tips(), -1, 0))
    table = np.stack(values, axis=-1) + 0.0
    for frame, (time, bones) in enumerate(zip(clip.times.tolist(), table.tolist(), strict=True)):
        writer.writerows(  # type: ignore[attr-defined]
            (time, clip.name, frame, bone, *numbers) for bone, numbers in zip(clip.skeleton.names, bones, strict=True)
        )


def _warn_of_shear(clip: Clip) -> None:
    sheared = np.flatnonzero((clip.shear_x != 0.0).any(axis=0) | (clip.shear_y != 0.0).any(axis=0))
    if sheared.size:
        names = ", ".join(clip.skeleton.names[i] for i in sheared[:5])
        text = f'animation "{clip.name}": the table has no columns for shear ({names}); the tips are right'
        warnings.warn(text, LossyWarning, stacklevel=3)
