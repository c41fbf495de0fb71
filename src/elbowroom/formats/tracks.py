"""Target tracks: where limbs shall go, from a table (CSV) or JSON, beside a rig.

CSV    time,constraint,x,y[,space]    no constraint column: the rig's only one; no space column: world
JSON   {"target": [x, y] or "tracks": {constraint: [[time, x, y], …]}, "space": NAME, "spaces": {NAME: frame}}

Linear in time, held at the ends. Rows that cannot be used are listed by line, left out and warned of.
"""

from __future__ import annotations

import dataclasses
import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from elbowroom.errors import LossyWarning
from elbowroom.formats.text import read_text
from elbowroom.formats.trackrows import Tracks
from elbowroom.formats.tracks_csv import read_csv
from elbowroom.formats.tracks_json import read_json
from elbowroom.rig.animation import TargetKeys
from elbowroom.rig.frames import FrameSpec
from elbowroom.rig.rig import Rig
from elbowroom.rig.track import SampledTrack

PathLike = str | os.PathLike[str]


@dataclass(frozen=True, eq=False)
class TargetTracks:
    """Targets that move, by the constraint that follows them.

    tracks : constraint -> TargetKeys;  frames : name -> FrameSpec, the spaces the file brought along
    warnings : what was left out and what is odd, each with its line or JSON path
    """

    tracks: Mapping[str, TargetKeys]
    frames: Mapping[str, FrameSpec]
    warnings: tuple[str, ...] = ()

    @property
    def duration(self) -> float:
        """The time of the last key [s]."""
        return max((float(t.position.times[-1]) for t in self.tracks.values() if t.position), default=0.0)

    def sample(self, times: npt.ArrayLike) -> dict[str, SampledTrack]:
        """The targets at times (T,) [s]; before the first and after the last key they are held."""
        clock = np.asarray(times, dtype=np.float64)
        return {name: SampledTrack(**keys.sample(clock)) for name, keys in self.tracks.items()}

    def with_frames(self, rig: Rig) -> Rig:
        """The rig with the file's spaces beside its own frames, so that the targets can be solved in it."""
        return dataclasses.replace(rig, frames={**rig.frames, **self.frames}) if self.frames else rig


def load_targets(path: PathLike, rig: Rig) -> TargetTracks:
    """The target tracks of a file, for the constraints of a rig.

    Raises FormatError with line or JSON path: a file that cannot be read, unknown constraints and spaces
    (with the known ones), spaces that hang on each other or have no inverse, tracks without a usable row.
    Warns once, listing what was left out (LossyWarning) or is only odd (UserWarning).
    """
    text = read_text(path)
    json = Path(path).suffix.lower() == ".json" or text.lstrip()[:1] in ("{", "[")
    found: Tracks = read_json(path, text, rig) if json else read_csv(path, text, rig)
    if found.notes:
        kind = LossyWarning if any(note.dropped for note in found.notes) else UserWarning
        warnings.warn(_listing(path, [str(note) for note in found.notes]), kind, stacklevel=2)
    return TargetTracks(found.tracks, found.frames, tuple(str(note) for note in found.notes))


def _listing(path: PathLike, notes: Sequence[str]) -> str:
    return f"{path}: {notes[0]}" if len(notes) == 1 else "\n  ".join([f"{path}: {len(notes)} remarks", *notes])
