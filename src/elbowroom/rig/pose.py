"""Local transforms of a skeleton's bones: one frame, or any number of them as leading axes."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from elbowroom.errors import InputError, RigError, closest
from elbowroom.kernel.reading import BIGGEST
from elbowroom.rig import channels, forward
from elbowroom.rig.affine import Array
from elbowroom.rig.skeleton import CHANNELS, Codes, Skeleton, rebuild
from elbowroom.rig.spine.state import SpineState
from elbowroom.rig.track import SampledTrack

KEYED = (*CHANNELS, "inherit")
P = TypeVar("P", bound="Pose")


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Pose:
    """Absolute local values of every bone (not differences from rest), frozen.

    skeleton : the bones, n of them
    x, y : (..., n) [length]
    rotation, shear_x, shear_y : (..., n) [rad]
    scale_x, scale_y : (..., n) factors
    inherit : (..., n) int8, index into INHERIT
    state : what a file of Spine keys beside bones, None elsewhere

    Channels broadcast to one shape (..., n); what is not given is at rest. A last axis is always the bones,
    a single number stands for all of them. Raises InputError naming the bone for what is no finite number.
    """

    skeleton: Skeleton
    x: Array
    y: Array
    rotation: Array
    scale_x: Array
    scale_y: Array
    shear_x: Array
    shear_y: Array
    inherit: Codes
    state: SpineState | None
    _world: Array | None = field(init=False)
    _given: bool = field(init=False)

    def __init__(
        self,
        skeleton: Skeleton,
        x: npt.ArrayLike | None = None,
        y: npt.ArrayLike | None = None,
        rotation: npt.ArrayLike | None = None,
        scale_x: npt.ArrayLike | None = None,
        scale_y: npt.ArrayLike | None = None,
        shear_x: npt.ArrayLike | None = None,
        shear_y: npt.ArrayLike | None = None,
        inherit: npt.ArrayLike | None = None,
        *,
        state: SpineState | None = None,
    ) -> None:
        """Check, broadcast and freeze."""
        given = zip(CHANNELS, (x, y, rotation, scale_x, scale_y, shear_x, shear_y), strict=True)
        fields: dict[str, Any] = {name: channels.channel(skeleton, name, values) for name, values in given}
        fields["inherit"] = channels.codes(skeleton, inherit)
        shape = channels.common_shape(fields)
        _set(self, skeleton=skeleton, state=state, _world=None, _given=False)
        _set(self, **{name: np.broadcast_to(values, shape) for name, values in fields.items()})

    @property
    def shape(self) -> tuple[int, ...]:
        """The batch shape: () for one frame, (T,) for a clip."""
        return self.x.shape[:-1]

    def world(self) -> Array:
        """world_from_bone of every bone, (..., n, 2, 3), y up; computed once and kept, read-only.

        Raises RigError naming the bone whose transform leaves the range of 1e150.
        """
        world = self._world
        if world is None:
            world = np.empty((*self.x.shape, 2, 3))
            self._evaluate(world, np.ones(len(self.skeleton), dtype=np.bool_))
            world.setflags(write=False)
            _set(self, _world=world)
        return world

    def given(self: P, world: Array) -> P:
        """The same pose with these world transforms (..., n, 2, 3), which nobody may change any more.

        They are those of a runtime whose rules are not ours, or of one of our own poses.
        """
        same = self.replace()
        kept = np.broadcast_to(np.asarray(world, dtype=np.float64), (*self.x.shape, 2, 3)).view()
        kept.setflags(write=False)
        _set(same, _world=kept, _given=True)
        return same

    def refresh(self, world: Array, changed: Iterable[int]) -> Array:
        """`world` (..., n, 2, 3) of an earlier pose after the bones `changed` got new channels in this one.

        changed : indexes of bones; only they and what hangs on them are computed again.  Returns a new array.
        """
        now = np.array(np.broadcast_to(world, (*self.x.shape, 2, 3)))
        self._evaluate(now, self.skeleton.below(changed))
        return now

    def tips(self) -> Array:
        """Where every bone ends in the world, (..., n, 2) [length]: (length, 0) of its own frame."""
        world = self.world()
        return world[..., 0] * self.skeleton.lengths[:, np.newaxis] + world[..., 2]

    def replace(self: P, **values: npt.ArrayLike) -> P:
        """The same pose or clip with other values for some channels (or inherit); a given world is dropped."""
        for name in values:
            if name not in KEYED:
                raise InputError(f'replace: unknown channel "{name}"{closest(name, KEYED)}')
        return type(self)(**(self._fields() | values))

    def __getitem__(self, index: Any) -> Pose:
        """Frames picked along the leading axes: integers, slices, …, None, index arrays, masks."""
        full = _spelled_out(index, len(self.shape))
        return self._keep(full, Pose(self.skeleton, **self._picked(full)))

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("one frame has no length (a Pose with leading axes or a Clip has)")
        return self.shape[0]

    def __iter__(self) -> Iterator[Pose]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        frames = f"{' x '.join(map(str, self.shape))} frames" if self.shape else "one frame"
        return f"{type(self).__name__}({len(self.skeleton)} bones, {frames})"

    def __reduce__(self) -> tuple[Any, ...]:
        return rebuild, (type(self), self._fields())

    def _fields(self) -> dict[str, Any]:
        return {"skeleton": self.skeleton, "state": self.state} | self._keyed()

    def _keyed(self) -> dict[str, npt.NDArray[Any]]:
        return {name: getattr(self, name) for name in KEYED}

    def _picked(self, index: tuple[Any, ...]) -> dict[str, Any]:
        try:
            picked: dict[str, Any] = {name: getattr(self, name)[(*index, slice(None))] for name in KEYED}
        except IndexError as error:
            raise IndexError(f"pose of shape {self.shape}: {error} (leading axes only, not bones)") from None
        return picked | {"state": None if self.state is None else self.state.picked(index)}

    def _keep(self, index: tuple[Any, ...], picked: P) -> P:
        """A picked pose keeps a world that was given."""
        return picked.given(self.world()[(*index, slice(None))]) if self._given else picked

    def _evaluate(self, world: Array, which: npt.NDArray[np.bool_]) -> None:
        local = {name: getattr(self, name) for name in CHANNELS}
        with np.errstate(over="ignore", invalid="ignore"):
            forward.evaluate(self.skeleton, local, self.inherit, world, which)
            beyond = ~(np.abs(world) <= BIGGEST)
        if beyond.any():
            name = self.skeleton.names[np.argwhere(beyond)[0][-3]]
            raise RigError(f'bone "{name}": its world transform exceeds {BIGGEST:g} (use smaller values)')


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Clip(Pose):
    """A Pose whose first axis is time.

    fps : frames a second
    times : (T,) [s], rising; frame / fps unless given
    name, loop : of the animation it was sampled from
    tracks : constraint name -> SampledTrack of T samples: targets, mix and bend keyed in the clip

    Channels without a time axis are held; at least one has it. clip[3] is a Pose, clip[10:20] a Clip,
    clip[::2] a Clip of half the fps.
    """

    fps: float
    times: Array
    name: str
    loop: bool
    tracks: Mapping[str, SampledTrack]

    def __init__(
        self,
        skeleton: Skeleton,
        x: npt.ArrayLike | None = None,
        y: npt.ArrayLike | None = None,
        rotation: npt.ArrayLike | None = None,
        scale_x: npt.ArrayLike | None = None,
        scale_y: npt.ArrayLike | None = None,
        shear_x: npt.ArrayLike | None = None,
        shear_y: npt.ArrayLike | None = None,
        inherit: npt.ArrayLike | None = None,
        *,
        state: SpineState | None = None,
        fps: float,
        times: npt.ArrayLike | None = None,
        name: str = "",
        loop: bool = False,
        tracks: Mapping[str, SampledTrack] | None = None,
    ) -> None:
        """Check, broadcast and freeze; InputError for odd times, tracks of another length, no frames."""
        super().__init__(skeleton, x, y, rotation, scale_x, scale_y, shear_x, shear_y, inherit, state=state)
        if not (isinstance(fps, (int, float, np.number)) and 0.0 < fps <= BIGGEST):
            raise InputError(f"clip: fps is {fps!r} (frames a second, above 0)")
        if not self.shape or not self.shape[0]:
            raise InputError("clip: no frames (channels (T, n), time first; Clip.from_pose holds one pose)")
        clock = channels.clip_times(times, len(self), float(fps))
        _set(self, fps=float(fps), times=clock, name=name, loop=bool(loop))
        for constraint, track in (tracks or {}).items():
            if len(track) != len(self):
                counts = f"{len(track)} samples (one for each of {len(self)} frames)"
                raise InputError(f'clip: track "{constraint}" has {counts}')
        _set(self, tracks=MappingProxyType(dict(tracks or {})))

    @classmethod
    def from_pose(cls, pose: Pose, frames: int, fps: float, **more: Any) -> Clip:
        """A pose held for a number of frames; `more` are a Clip's further arguments."""
        held: dict[str, Any] = {c: np.broadcast_to(v, (frames, *v.shape)) for c, v in pose._keyed().items()}
        return cls(pose.skeleton, **held, fps=fps, **more)

    def __getitem__(self, index: Any) -> Pose:
        """One frame (a Pose) for an integer, a Clip for a slice of time; further axes as in a Pose."""
        full = _spelled_out(index, len(self.shape))
        first = full[0]
        if not isinstance(first, slice):
            return super().__getitem__(index)
        step = 1 if first.step is None else operator.index(first.step)
        if step < 1:
            raise InputError(f"clip: a slice with step {step} runs backwards (a step of 1 or more)")
        more: dict[str, Any] = {"name": self.name, "loop": self.loop, "times": self.times[first]}
        if not len(more["times"]):
            raise InputError(f"clip: no frames in that slice ({len(self)} frames)")
        more["tracks"] = {name: track[first] for name, track in self.tracks.items()}
        return self._keep(full, Clip(self.skeleton, **self._picked(full), fps=self.fps / step, **more))

    def __repr__(self) -> str:
        name = f'"{self.name}", ' if self.name else ""
        frames = " x ".join(map(str, self.shape)) + (" frame" if self.shape == (1,) else " frames")
        return f"Clip({name}{len(self.skeleton)} bones, {frames} at {self.fps:g} fps)"

    def _fields(self) -> dict[str, Any]:
        more = {name: getattr(self, name) for name in ("fps", "times", "name", "loop")}
        return super()._fields() | more | {"tracks": dict(self.tracks)}


def _set(record: Pose, **fields: Any) -> None:
    for name, value in fields.items():
        object.__setattr__(record, name, value)


def _spelled_out(index: Any, axes: int) -> tuple[Any, ...]:
    """An index of the leading axes with … replaced and what is left out added."""
    items = index if isinstance(index, tuple) else (index,)
    at = next((k for k, item in enumerate(items) if item is Ellipsis), len(items))
    before, after = items[:at], items[at + 1 :]
    rest = axes - sum(_width(item) for item in (*before, *after))
    return (*before, *(slice(None),) * rest, *after)


def _width(item: Any) -> int:
    """How many axes one index uses up."""
    if item is None:
        return 0
    return np.ndim(item) if getattr(item, "dtype", None) == np.bool_ else 1
