"""Where a limb shall go: a position and the space it is written in, never a bare coordinate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from elbowroom.errors import InputError
from elbowroom.kernel.reading import BIGGEST
from elbowroom.rig.channels import frozen
from elbowroom.rig.skeleton import Array, rebuild

_COUNTS = {2: "two numbers (x, y)", 3: "three numbers (x, y, z)"}


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Target:
    """A goal for one constraint.

    position : (..., 2) [length], x and y in `space`; with a pole (..., 3)
    space : "world", "character", the name of a bone or of a frame
    pole : (..., 3) [length], in 3D the point the elbow looks to; None in 2D

    Raises InputError for another number of coordinates, for what is no finite number, for an empty space.

    >>> Target((120, 40), space="hip")
    Target((120.0, 40.0), space="hip")
    """

    position: Array
    space: str
    pole: Array | None

    def __init__(
        self, position: npt.ArrayLike, space: str = "world", pole: npt.ArrayLike | None = None
    ) -> None:
        """Check and freeze."""
        if not (isinstance(space, str) and space):
            known = 'a name: "world", "character", a bone or a frame'
            raise InputError(f"target: space is {space!r} ({known})")
        width = 2 if pole is None else 3
        fields = {"position": _points("position", position, width), "space": space}
        fields["pole"] = None if pole is None else _points("pole", pole, 3)
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Target):
            return NotImplemented
        poles = (self.pole is None) == (other.pole is None)
        same = self.space == other.space and np.array_equal(self.position, other.position)
        return same and poles and (self.pole is None or np.array_equal(self.pole, other.pole))  # type: ignore[arg-type]

    def __hash__(self) -> int:
        return hash((self.space, self.position.shape))

    def __repr__(self) -> str:
        shape = self.position.shape
        many = " x ".join(map(str, shape[:-1]))
        where = f"{many} points" if many else tuple(self.position.tolist())
        pole = "" if self.pole is None else ", pole=…"
        return f'Target({where}, space="{self.space}"{pole})'

    def __reduce__(self) -> tuple[Any, ...]:
        return rebuild, (type(self), {"position": self.position, "space": self.space, "pole": self.pole})


def _points(name: str, given: npt.ArrayLike, width: int) -> Array:
    points = frozen(given, f"target: {name}")
    count = points.shape[-1] if points.ndim else 1
    if not points.ndim or count != width:
        numbers = f"{count} number{'s' if count != 1 else ''}"
        raise InputError(f"target: {name} has {numbers} a point ({_COUNTS[width]} were expected)")
    finite = np.abs(points) <= BIGGEST
    if not finite.all():
        *frame, axis = np.argwhere(~finite)[0].tolist()
        at = f" at frame {', '.join(map(str, frame))}" if frame else ""
        value = f"{'xyz'[axis]} = {points[(*frame, axis)]:g}"
        raise InputError(f"target: {name}{at} has {value} (a finite number, at most {BIGGEST:g})")
    return points
