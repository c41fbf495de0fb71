"""Named spaces beside the bones: fixed, or keyed on the clock of the clip that is played."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from elbowroom.errors import InputError
from elbowroom.rig import affine
from elbowroom.rig.keys import Track
from elbowroom.rig.units import radians

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FrameSpec:
    """A space inside another one; every value is a number, or a Track of keys.

    parent : "world", "character", a bone or another frame
    x, y : [length];  rotation_deg : [deg];  scale : a factor, (sx, sy), or a Track of one or two values
    """

    parent: str = "world"
    x: float | Track = 0.0
    y: float | Track = 0.0
    rotation_deg: float | Track = 0.0
    scale: float | tuple[float, float] | Track = 1.0

    def __post_init__(self) -> None:
        for name, widths in (("x", {1}), ("y", {1}), ("rotation_deg", {1}), ("scale", {1, 2})):
            value = getattr(self, name)
            if isinstance(value, Track) and value.values.shape[1] not in widths:
                raise InputError(
                    f"{name}: keys of {value.values.shape[1]} values (of {min(widths)} were expected)"
                )

    @property
    def keyed(self) -> bool:
        """Does anything of it change in time?"""
        return any(isinstance(v, Track) for v in (self.x, self.y, self.rotation_deg, self.scale))

    def local(self, times: npt.ArrayLike) -> Array:
        """parent_from_frame at times (T,) [s]: (T, 2, 3)."""
        clock = np.asarray(times, dtype=np.float64)
        x, y, turn = (_values(v, clock)[:, 0] for v in (self.x, self.y, self.rotation_deg))
        scale = _values(self.scale, clock)
        return affine.from_parts(x, y, radians(turn), scale[:, 0], scale[:, -1])


def _values(value: float | tuple[float, ...] | Track, times: Array) -> Array:
    """(T, m)"""
    if isinstance(value, Track):
        return value.sample(times)
    row = np.atleast_1d(np.asarray(value, dtype=np.float64))
    return np.broadcast_to(row, (len(times), len(row)))
