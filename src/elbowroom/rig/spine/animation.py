"""One Spine animation: what its keys say at given times, number for number as the runtimes have it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from elbowroom.rig.skeleton import Skeleton
from elbowroom.rig.spine import sampling
from elbowroom.rig.spine.records import Array, Attachment, Spine
from elbowroom.rig.spine.sampling import Place, Timelines
from elbowroom.rig.spine.state import IKState, SpineState
from elbowroom.rig.target import Target
from elbowroom.rig.track import SampledTrack


@dataclass(frozen=True, eq=False)
class SpineAnimation:
    """Keys over time onto the setup pose; before its first key a timeline leaves the setup, after its last it holds.

    duration : [s] the latest key of all, those that pose nothing included, as the runtimes store it
    spine : what the keys are for, with its setup
    load : makes arrays of the keys, once, when they are first sampled
    fps : [1/s] a file does not say what it was made for
    """

    name: str
    duration: float
    spine: Spine
    load: Callable[[], Timelines]
    fps: float = 60.0
    loop: bool = False

    @cached_property
    def timelines(self) -> Timelines:
        """The keys, as arrays."""
        return self.load()

    def channels(self, skeleton: Skeleton, times: npt.ArrayLike) -> dict[str, npt.NDArray[Any]]:
        """The keyed channels of a Pose at times (T,) [s], (T, n) each; angles in radians."""
        return sampling.pose(self.timelines.bones, skeleton, _clock(times))

    def tracks(self, times: npt.ArrayLike, own: Mapping[str, Target | None]) -> dict[str, SampledTrack]:
        """Mix and bend of the keyed IK constraints at times (T,) [s], in the sense of IKConstraint."""
        return {
            name: SampledTrack(mix=np.clip(state.mix, 0.0, 1.0), bend=-state.bend)
            for name, state in self._ik(_clock(times)).items()
        }

    def state(self, times: npt.ArrayLike, skin: str | None) -> SpineState:
        """Everything else that poses, at times (T,) [s]; of deforms those of paths."""
        clock, keys = _clock(times), self.timelines
        transform = {each.name: each for each in self.spine.transform}
        path = {each.name: each for each in self.spine.path}
        paths = [place for place in keys.deforms if (a := self._attachment(place)) and a.kind == "path"]
        return SpineState(
            skin=skin,
            ik=self._ik(clock),
            transform={name: sampling.follow(transform[name], k, clock) for name, k in keys.transform.items()},
            path={name: sampling.ride(path[name], lines, clock) for name, lines in keys.path.items()},
            shown={
                slot: sampling.shown(self.spine.slots[slot], names, held, clock)
                for slot, (names, held) in keys.shown.items()
            },
            deforms={place: self.deform(place, clock) for place in paths},
        )

    def keyed(self, skeleton: Skeleton) -> dict[str, list[str]]:
        """What has keys, by kind: names of bones, constraints and slots."""
        keys = self.timelines
        return {
            "bones": list(dict.fromkeys(skeleton.names[line.bone] for line in keys.bones)),
            "targets": [],
            "mix": list(keys.ik),
            "bend": list(keys.ik),
            "softness": [name for name, (numbers, _) in keys.ik.items() if (numbers.values[:, 1] != 0.0).any()],
            "transform": list(keys.transform),
            "path": list(keys.path),
            "slots": [self.spine.slots[slot].name for slot in keys.shown],
            "deform": list(dict.fromkeys(self.spine.slots[slot].name for _, slot, _ in keys.deforms)),
        }

    def deform(self, place: Place, times: npt.ArrayLike) -> tuple[npt.NDArray[np.bool_], Array]:
        """How an attachment is bent at times (T,) [s]: (which, values) as in SpineState."""
        clock, keys = _clock(times), self.timelines.deforms[place]()
        values = keys.sample(clock, keys.values[0])
        return clock >= keys.times[0], values

    def _ik(self, clock: Array) -> dict[str, IKState]:
        setup = {each.name: each for each in self.spine.ik}
        return {name: sampling.reach(setup[name], keys, clock) for name, keys in self.timelines.ik.items()}

    def _attachment(self, place: Place) -> Attachment | None:
        skin, slot, placeholder = place
        return self.spine.skins[skin].attachments.get((slot, placeholder))


def _clock(times: npt.ArrayLike) -> Array:
    return np.asarray(times, dtype=np.float64)
