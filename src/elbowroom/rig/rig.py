"""A rig: a skeleton, the limbs that reach for targets, its animations, and what else its file held."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import InitVar, dataclass, field

import numpy as np
import numpy.typing as npt

from elbowroom.errors import InputError, RigError, closest
from elbowroom.rig.animation import Animation, sample_times
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.faults import find
from elbowroom.rig.frames import FrameSpec
from elbowroom.rig.paths import refuse
from elbowroom.rig.pose import Clip, Pose
from elbowroom.rig.record import Foreign, Leg, RigRecord
from elbowroom.rig.skeleton import Skeleton
from elbowroom.rig.spine.animation import SpineAnimation
from elbowroom.rig.spine.records import Spine
from elbowroom.rig.spine.state import SpineState
from elbowroom.rig.torecord import plain_data, to_record

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Rig:
    """All of one character, frozen; `load` reads one, `save` writes it.

    skeleton : its bones
    constraints : its limbs, in the order they are solved
    animations : name -> Animation;  frames : name -> FrameSpec, spaces beside the bones
    legs : the limbs that walk, in the order of the gait's phases;  body : the bone a walk moves
    facing : +1 to the right, −1 to the left
    foreign : what a converted file held that nothing here says
    runtime : the rules a file of Spine is posed by, and what they need; None: ours
    source : the record it was read from (without clips), for the comments and the digits people wrote
    checked : True when its record is known to hang together

    Raises RigError that lists every fault, with the place each would have in a file.
    """

    skeleton: Skeleton
    constraints: tuple[IKConstraint, ...] = ()
    animations: Mapping[str, Animation | SpineAnimation] = field(default_factory=dict)
    frames: Mapping[str, FrameSpec] = field(default_factory=dict)
    name: str = ""
    legs: tuple[Leg, ...] = ()
    body: str | None = None
    facing: int = 1
    foreign: Foreign | None = None
    runtime: Spine | None = None
    source: RigRecord | None = field(default=None, repr=False)
    checked: InitVar[bool] = False

    def __post_init__(self, checked: bool) -> None:
        object.__setattr__(self, "constraints", tuple(self.constraints))
        object.__setattr__(self, "legs", tuple(self.legs))
        if self.facing not in (1, -1):
            raise RigError(f"$.facing: {self.facing!r} is not 1 or -1")
        for name, animation in self.animations.items():
            if animation.name != name:
                raise RigError(f'animation "{name}" calls itself "{animation.name}" (one name for both)')
        if not checked and self.runtime is None:
            refuse(find(plain_data(to_record(self)))[1])

    def __repr__(self) -> str:
        counts = f"{len(self.skeleton)} bones, {len(self.constraints)} constraints, {len(self.clips)} clips"
        return f'Rig("{self.name}", {counts})'

    @property
    def clips(self) -> tuple[str, ...]:
        """The names of the animations."""
        return tuple(self.animations)

    def constraint(self, name: str) -> IKConstraint:
        """The constraint of that name; RigError with the closest if there is none."""
        found = next((c for c in self.constraints if c.name == name), None)
        if found is None:
            known = [c.name for c in self.constraints]
            raise RigError(f'constraint "{name}" does not exist{closest(name, known)}')
        return found

    def animation(self, name: str) -> Animation | SpineAnimation:
        """The animation of that name; RigError with the closest if there is none."""
        if name not in self.animations:
            raise RigError(f'clip "{name}" does not exist{closest(name, self.animations)}')
        return self.animations[name]

    def clip(self, name: str, fps: float = 60, *, skin: str | None = None) -> Clip:
        """An animation as keyed poses, before inverse kinematics.

        Samples at i / fps up to the duration, the last at the duration itself; a single one when nothing is
        keyed later than 0. `.tracks` has what is keyed for the constraints.
        Raises RigError for an unknown name, InputError for an odd fps or a skin the rig does not have.
        """
        self._check_skin(skin)
        animation = self.animation(name)
        times = sample_times(animation.duration, fps)
        channels = animation.channels(self.skeleton, times)
        channels.setdefault("x", np.tile(self.skeleton.rest["x"], (len(times), 1)))  # a clip has a time axis
        own = {c.name: c.target for c in self.constraints}
        return Clip(
            self.skeleton,
            **channels,
            fps=float(fps),
            times=times,
            name=name,
            loop=animation.loop,
            tracks=animation.tracks(times, own),
            state=animation.state(times, skin),
        )

    def setup(self, *, skin: str | None = None) -> Pose:
        """The pose before any animation, with what the character wears; errors as in `clip`."""
        self._check_skin(skin)
        return Pose(self.skeleton, state=None if skin is None else SpineState(skin))

    def local_frames(self, times: npt.ArrayLike | None = None) -> dict[str, tuple[str, Array]]:
        """The named frames: name -> (parent space, parent_from_frame (T, 2, 3)).

        times : (T,) [s] of a clip; None: (2, 3) at time 0, for a pose
        """
        clock = np.zeros(1) if times is None else np.asarray(times, dtype=np.float64)
        local = {name: (frame.parent, frame.local(clock)) for name, frame in self.frames.items()}
        return local if times is not None else {name: (parent, m[0]) for name, (parent, m) in local.items()}

    @property
    def body_bone(self) -> str:
        """The bone a walk moves: `body`, else the nearest bone all legs hang on, else the first root."""
        if self.body is not None:
            return self.body
        lines = [self._above(self.constraint(leg.constraint).bones[0]) for leg in self.legs]
        shared = [bone for bone in lines[0] if all(bone in line for line in lines)] if lines else []
        return shared[0] if shared else self.skeleton.names[self.skeleton.root]

    def sole(self, leg: Leg) -> tuple[tuple[float, float], tuple[float, float]]:
        """Heel and toe of a leg [length], in the space of its last bone; where not given, its tip."""
        last = self.skeleton.index(self.constraint(leg.constraint).bones[-1])
        tip = (float(self.skeleton.lengths[last]), 0.0)
        return leg.heel or tip, leg.toe or tip

    def _check_skin(self, skin: str | None) -> None:
        if skin is not None and not isinstance(skin, str):
            raise InputError(f"skin: {skin!r} (the name of one skin)")
        if skin is not None and self.runtime is None:
            raise InputError(f'skin "{skin}": this rig has no skins')
        if skin is not None and self.runtime is not None and skin not in self.runtime.skins:
            raise RigError(f'skin "{skin}" does not exist{closest(skin, self.runtime.skins)}')

    def _above(self, bone: str) -> list[str]:
        """What a bone hangs on, nearest first."""
        line, at = [], int(self.skeleton.parents[self.skeleton.index(bone)])
        while at >= 0:
            line.append(self.skeleton.names[at])
            at = int(self.skeleton.parents[at])
        return line
