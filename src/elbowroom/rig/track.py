"""What a clip keys for one constraint, sampled at the clip's times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from elbowroom.errors import InputError
from elbowroom.kernel.reading import BIGGEST
from elbowroom.rig.channels import frozen
from elbowroom.rig.skeleton import Array, rebuild

_ROUNDING = 1e-9  # a weight may leave [0, 1] by this much and is set back


@dataclass(frozen=True, eq=False, init=False, repr=False)
class SampledTrack:
    """Target, mix and bend of one constraint, T samples, frozen; what is None is not keyed.

    position : (T, 2) [length], written in `space`
    space : the name of the space at each sample
    before, before_space : where the target would be without the last change of space; as position, space
    weight : (T,) in [0, 1], how far that change has gone: world point = (1 − w)·before + w·position
    mix : (T,)
    bend : (T,) of −1, 0, 1

    Given alone, a position is in "world", a single name or number holds for all samples, and weight is 1.
    Raises InputError naming field and sample.
    """

    position: Array | None
    space: tuple[str, ...] | None
    before: Array | None
    before_space: tuple[str, ...] | None
    weight: Array | None
    mix: Array | None
    bend: npt.NDArray[np.int8] | None

    def __init__(
        self,
        position: npt.ArrayLike | None = None,
        space: str | Sequence[str] | None = None,
        before: npt.ArrayLike | None = None,
        before_space: str | Sequence[str] | None = None,
        weight: npt.ArrayLike | None = None,
        mix: npt.ArrayLike | None = None,
        bend: npt.ArrayLike | None = None,
    ) -> None:
        """Check and freeze."""
        if position is None and not (space is before is before_space is weight is None):
            raise InputError("track: position is missing (space, before and weight belong to one)")
        samples = _samples(position, mix, bend)
        values: dict[str, Any] = {field.name: None for field in fields(self)}
        if position is not None:
            values["position"] = _numbers("position", position, (samples, 2))
            values["space"] = _names("space", space or "world", samples)
            values["before"] = _numbers("before", position if before is None else before, (samples, 2))
            values["before_space"] = _names("before_space", before_space or values["space"], samples)
            values["weight"] = _weights(1.0 if weight is None else weight, samples)
        if mix is not None:
            values["mix"] = _numbers("mix", mix, (samples,))
        if bend is not None:
            values["bend"] = _bends(bend, samples)
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __len__(self) -> int:
        return next(len(value) for value in self._values().values() if value is not None)

    def __getitem__(self, samples: slice) -> SampledTrack:
        """The samples of a slice."""
        if not isinstance(samples, slice):
            raise TypeError("a track takes slices of samples (read its arrays for one)")
        picked = {name: None if value is None else value[samples] for name, value in self._values().items()}
        return SampledTrack(**picked)

    def __repr__(self) -> str:
        keyed = [name for name in ("position", "mix", "bend") if getattr(self, name) is not None]
        return f"SampledTrack({len(self)} samples of {', '.join(keyed)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return rebuild, (type(self), self._values())

    def _values(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}


def _samples(*keyed: npt.ArrayLike | None) -> int:
    counts = [np.shape(values)[0] for values in keyed if values is not None and np.ndim(values)]
    if not counts or not counts[0]:
        raise InputError("track: nothing is keyed (position, mix or bend, one row a sample)")
    return int(counts[0])


def _numbers(name: str, given: npt.ArrayLike, shape: tuple[int, ...]) -> Array:
    values = frozen(given, f"track: {name}")
    if values.ndim == 0 and len(shape) == 1:
        values = np.broadcast_to(values, shape)
    if values.shape != shape:
        raise InputError(f"track: {name} has shape {values.shape} ({shape} was expected)")
    finite = np.abs(values) <= BIGGEST
    if not finite.all():
        at = np.argwhere(~finite)[0]
        raise InputError(f"track: {name} at sample {at[0]} is {values[tuple(at)]:g} (a finite number)")
    return values


def _names(name: str, given: str | Sequence[str], samples: int) -> tuple[str, ...]:
    names = (given,) * samples if isinstance(given, str) else tuple(given)
    if len(names) != samples:
        raise InputError(f"track: {name} has {len(names)} names (one for each of {samples} samples)")
    for i, word in enumerate(names):
        if not (isinstance(word, str) and word):
            raise InputError(f"track: {name} at sample {i} is {word!r} (the name of a space)")
    return names


def _weights(given: npt.ArrayLike, samples: int) -> Array:
    weight = _numbers("weight", given, (samples,))
    beyond = np.flatnonzero((weight < -_ROUNDING) | (weight > 1.0 + _ROUNDING))
    if beyond.size:
        i = int(beyond[0])
        raise InputError(f"track: weight at sample {i} is {weight[i]:g} (from 0, old space, to 1, new space)")
    return frozen(np.minimum(np.maximum(weight, 0.0), 1.0), "weight")


def _bends(given: npt.ArrayLike, samples: int) -> npt.NDArray[np.int8]:
    sides = _numbers("bend", given, (samples,))
    odd = np.flatnonzero((sides != -1.0) & (sides != 0.0) & (sides != 1.0))
    if odd.size:
        i = int(odd[0])
        raise InputError(f"track: bend at sample {i} is {sides[i]:g} (-1, 0 or 1)")
    small = sides.astype(np.int8)
    small.setflags(write=False)
    return small
