"""The one kind of answer every solver gives."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntFlag
from typing import Any, Self


class Why(IntFlag):
    """What acted on a solution (not whether it missed). Why(0) implies that the target was reached."""

    FAR = 1
    """The asked distance is more than the reach."""
    NEAR = 2
    """The asked distance is less than the dead zone."""
    SOFT = 4
    """Softening changed the distance."""
    LIMIT = 8
    """A joint limit moved the answer."""
    STRETCH = 16
    """Bones were scaled."""
    MIX = 32
    """The effective mix is below 1, or a later constraint moved the limb off its target."""
    BUDGET = 64
    """Iterations were spent above the tolerance."""
    DEGENERATE = 128
    """A direction was arbitrary (target exactly on the root, a zero-length bone), or a pose not solved as asked."""
    RATE = 256
    """A temporal limit turned the direction."""

    def __str__(self) -> str:
        return self.name or "reached"


FIELDS = ("joints", "angles", "error", "reached", "why", "over", "stretch", "iterations", "direction")


class Solution:
    """Joints and angles of a solved chain, how far the end is from the target, and why.

    .joints (..., n+1, 2) [length]   root first, end last
    .angles (..., n) [rad]           each relative to the bone before, the first to `base`; computed on first access
    .error (...) [length]            end to the target that was asked for
    .reached (...) bool              error <= 1e-9 reach
    .why (...) Why                   flags of what acted (arrays hold their integer values)
    .over (..., n) [rad]             how far the unlimited answer lies outside each joint's range; 0 inside
    .stretch (...) [factor]          scale of the bones, 1 where they were not stretched
    .iterations (...)                0 for closed forms
    .direction (..., 2) unit         where the limb aimed: the next frame's `fallback`

    Plain numbers in give floats and tuples, ndarrays in give ndarrays; np.asarray(solution.joints) works on both.
    """

    __slots__ = ("_later", "_state", *FIELDS)
    joints: Any
    angles: Any
    error: Any
    reached: Any
    why: Any
    over: Any
    stretch: Any
    iterations: Any
    direction: Any
    _later: Callable[[Any, str], Any]
    _state: Any

    def __init__(self, later: Callable[[Any, str], Any] | None = None, state: Any = None, **fields: Any) -> None:
        """Give every field, or some of them and `later(state, name)` for the rest."""
        if later is not None:
            self._later, self._state = later, state
        for name, value in fields.items():
            setattr(self, name, value)

    def __getattr__(self, name: str) -> Any:
        # Reached only while a slot is empty.
        if name not in FIELDS:
            raise AttributeError(f"Solution has no {name!r} (it has {', '.join(FIELDS)})")
        value = self._later(self._state, name)
        setattr(self, name, value)
        return value

    def replace(self, **fields: Any) -> Self:
        """The same solution with some fields exchanged."""
        return type(self)(**{name: getattr(self, name) for name in FIELDS} | fields)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), {name: getattr(self, name) for name in FIELDS})

    def __repr__(self) -> str:
        shape = getattr(self.joints, "shape", None)
        if shape is None or len(shape) == 2:
            return f"Solution(error={self.error!r}, why={self.why!r}, joints={self.joints!r})"
        worst = float(self.error.max()) if self.error.size else 0.0
        missed = int((~self.reached).sum())
        return f"Solution({shape[:-2]} limbs, {missed} missed, worst error {worst:.6g})"


def _rebuild(kind: type[Solution], fields: dict[str, Any]) -> Solution:
    return kind(**fields)
