"""One animation: keys of bones, targets, mixes and bends, and what they say at given times."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from elbowroom.errors import InputError, closest
from elbowroom.kernel.reading import BIGGEST
from elbowroom.rig.channels import frozen
from elbowroom.rig.keys import Track
from elbowroom.rig.skeleton import Skeleton
from elbowroom.rig.spine.state import SpineState
from elbowroom.rig.target import Target
from elbowroom.rig.track import SampledTrack
from elbowroom.rig.units import radians

Array = npt.NDArray[np.float64]

# what a record calls a channel -> what a Pose calls it; those in degrees become radians when sampled
CHANNELS: Mapping[str, str] = MappingProxyType(
    {
        "x": "x",
        "y": "y",
        "rotation_deg": "rotation",
        "scale_x": "scale_x",
        "scale_y": "scale_y",
        "shear_x_deg": "shear_x",
        "shear_y_deg": "shear_y",
        "inherit": "inherit",
    }
)
MOST_SAMPLES = 1_000_000
_SAME = 1e-9  # [fraction of a frame] a last sample this near to the duration is the duration


@dataclass(frozen=True, eq=False)
class TargetKeys:
    """A target that moves: positions, each written in the space in force at its time.

    position : Track of (x, y) [length]; None: the constraint's own position
    space_times : (s,) [s], rising;  space_names : s names. The first holds before its time, too; none: the
                  constraint's own space
    blend : [s] how long the world point takes from the old to the new one, from a space key on

    Interpolation never crosses a space key: the old space's last value is held after it, the new space's
    first value before its key. A space without a position key of its own takes over the numbers before it.
    A blend ends at the next space key at the latest.
    """

    position: Track | None = None
    space_times: Array = field(default_factory=lambda: np.zeros(0))
    space_names: tuple[str, ...] = ()
    blend: float = 0.0

    def __post_init__(self) -> None:
        times = frozen(self.space_times, "space_times")
        object.__setattr__(self, "space_times", times)
        object.__setattr__(self, "space_names", tuple(self.space_names))
        if times.shape != (len(self.space_names),) or not (np.diff(times) > 0.0).all():
            raise InputError(
                f"space keys: {times.shape} times for {len(self.space_names)} names (one each, rising)"
            )
        if not 0.0 <= self.blend <= BIGGEST:
            raise InputError(f"blend: {self.blend} (seconds, 0 or more)")
        if self.position is not None and self.position.values.shape[1] != 2:
            raise InputError(
                f"position: keys of {self.position.values.shape[1]} values (x and y were expected)"
            )

    def sample(self, times: npt.ArrayLike, own: Target | None = None) -> dict[str, Any]:
        """The fields position … weight of a SampledTrack at times (T,) [s].

        own : the constraint's own target, for what is not keyed
        """
        t = np.asarray(times, dtype=np.float64)
        keys = self._positions(own)
        if not len(self.space_names):
            return {"position": keys.sample(t), "space": own.space if own else "world"}
        first, last = self._spans(keys)
        now = np.clip(np.searchsorted(self.space_times, t, side="right") - 1, 0, None)
        position = keys.sample(t, first=first[now], last=last[now])
        weight = self._weight(t, now)
        earlier = np.where(weight < 1.0, now - 1, now)
        before = np.where((weight < 1.0)[:, np.newaxis], keys.values[last[earlier]], position)
        return {
            "position": position,
            "space": [self.space_names[k] for k in now],
            "before": before,
            "before_space": [self.space_names[k] for k in earlier],
            "weight": weight,
        }

    def _positions(self, own: Target | None) -> Track:
        if self.position is not None:
            return self.position
        if own is None:
            raise InputError(
                "target: no position keys, and the constraint has no target of its own (key one)"
            )
        return Track(np.zeros(1), np.asarray(own.position, dtype=np.float64).reshape(1, 2))

    def _spans(self, keys: Track) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """The first and last position key of every space key."""
        edges = np.searchsorted(keys.times, self.space_times[1:], side="left")
        first, end = np.append(0, edges), np.append(edges, len(keys))
        empty = end <= first
        kept = np.maximum(first - 1, 0)
        return np.where(empty, kept, first), np.where(empty, kept, end - 1)

    def _weight(self, t: Array, now: npt.NDArray[np.intp]) -> Array:
        """How far the world point has gone into the space of each time: 3u² − 2u³."""
        length = np.minimum(self.blend, np.append(np.diff(self.space_times), np.inf))[now]
        moving = (length > 0.0) & (now > 0)
        u = np.where(moving, (t - self.space_times[now]) / np.where(length > 0.0, length, 1.0), 1.0)
        u = np.clip(u, 0.0, 1.0)
        return u * u * (3.0 - 2.0 * u)


@dataclass(frozen=True, eq=False)
class Animation:
    """Keys over time, by name; values replace the setup value.

    fps : [1/s] it was made for;  loop : whether it starts over
    bones : bone -> channel as in the record ("x", "rotation_deg" [deg], …, "inherit": codes) -> Track
    targets : constraint -> TargetKeys
    mix : constraint -> Track, 0 to 1;  bend : constraint -> Track of −1, 0, 1, stepped
    """

    name: str
    fps: float = 60.0
    loop: bool = False
    bones: Mapping[str, Mapping[str, Track]] = field(default_factory=dict)
    targets: Mapping[str, TargetKeys] = field(default_factory=dict)
    mix: Mapping[str, Track] = field(default_factory=dict)
    bend: Mapping[str, Track] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "bend", {name: track.stepped() for name, track in self.bend.items()})
        for bone, channels in self.bones.items():
            for channel in channels:
                if channel not in CHANNELS:
                    raise InputError(
                        f'bone "{bone}": unknown channel "{channel}"{closest(channel, CHANNELS)}'
                    )

    @cached_property
    def duration(self) -> float:
        """The time of the last key [s]; 0 without keys."""
        return max((float(t[-1]) for t in self._clocks() if len(t)), default=0.0)

    def _clocks(self) -> Iterator[Array]:
        for channels in self.bones.values():
            yield from (track.times for track in channels.values())
        for target in self.targets.values():
            yield target.space_times
            if target.position is not None:
                yield target.position.times
        yield from (track.times for tracks in (self.mix, self.bend) for track in tracks.values())

    def channels(self, skeleton: Skeleton, times: npt.ArrayLike) -> dict[str, npt.NDArray[Any]]:
        """The keyed channels of a Pose at times (T,) [s], (T, n) each; angles in radians."""
        clock = np.asarray(times, dtype=np.float64)
        out: dict[str, npt.NDArray[Any]] = {}
        for bone, tracks in self.bones.items():
            column = skeleton.index(bone)
            for channel, track in tracks.items():
                name = CHANNELS[channel]
                rest = skeleton.inherit if name == "inherit" else skeleton.rest[name]
                values = (track.stepped() if name == "inherit" else track).sample(clock)[:, 0]
                table = out.setdefault(name, np.tile(rest, (len(clock), 1)))
                table[:, column] = radians(values) if channel.endswith("_deg") else values
        return out

    def tracks(self, times: npt.ArrayLike, own: Mapping[str, Target | None]) -> dict[str, SampledTrack]:
        """What is keyed for each constraint at times (T,) [s].

        own : constraint -> its own target, for what is not keyed
        """
        clock = np.asarray(times, dtype=np.float64)
        names = dict.fromkeys((*self.targets, *self.mix, *self.bend))
        return {name: self._track(name, clock, own.get(name)) for name in names}

    def keyed(self, skeleton: Skeleton) -> dict[str, list[str]]:
        """What has keys, by kind: names of bones and constraints."""
        del skeleton
        kinds = {"bones": self.bones, "targets": self.targets, "mix": self.mix, "bend": self.bend}
        return {kind: list(names) for kind, names in kinds.items()}

    def state(self, times: npt.ArrayLike, skin: str | None) -> SpineState | None:
        """What other programs key beside bones and targets: nothing here."""
        return None

    def _track(self, name: str, clock: Array, own: Target | None) -> SampledTrack:
        fields = self.targets[name].sample(clock, own) if name in self.targets else {}
        if name in self.mix:
            fields["mix"] = np.clip(self.mix[name].sample(clock)[:, 0], 0.0, 1.0)  # a curve may overshoot
        if name in self.bend:
            fields["bend"] = self.bend[name].sample(clock)[:, 0].astype(np.int8)
        return SampledTrack(**fields)


def sample_times(duration: float, fps: float) -> Array:
    """i / fps up to the duration [s], and the duration itself last; one sample when it is 0.

    Raises InputError for an odd fps, and for more than a million samples, with their number.
    """
    if not (isinstance(fps, int | float | np.number) and 0.0 < fps <= BIGGEST):
        raise InputError(f"fps: {fps!r} (frames a second, above 0)")
    frames = duration * float(fps)
    if frames > MOST_SAMPLES:
        raise InputError(
            f"fps: {duration:g} s at {fps:g} frames a second are {frames:.3g} samples "
            f"(at most {MOST_SAMPLES}: use fewer frames a second or a shorter clip)"
        )
    before = np.arange(math.ceil(frames - _SAME), dtype=np.float64) / float(fps)
    return np.append(before, duration)
