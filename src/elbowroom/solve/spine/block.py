"""A number of frames, worked through in the runtime's order."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

from elbowroom.kernel.solution import Solution
from elbowroom.rig.pose import Clip, Pose
from elbowroom.rig.rig import Rig
from elbowroom.rig.spine.records import Spine, SpineConstraint, SpineIK, SpinePath, SpineTransform
from elbowroom.rig.spine.state import IKState, PathState, SpineState
from elbowroom.rig.units import RADIANS
from elbowroom.solve.geometry import Array
from elbowroom.solve.spine import answers, ik, ours, path, transform, transform43
from elbowroom.solve.spine.degrees import Row
from elbowroom.solve.spine.frames import LOCAL, WORLD, Frames
from elbowroom.solve.spine.goals import Goals
from elbowroom.solve.spine.order import Schedule

ANGLES = ("rotation", "shear_x", "shear_y")
Kind = TypeVar("Kind", bound=np.generic)


class Block:
    """Frames of a pose, flattened to T."""

    def __init__(self, rig: Rig, pose: Pose, plan: Schedule, goals: Goals, factor: float) -> None:
        assert rig.runtime is not None
        self.rig, self.pose, self.plan, self.goals, self.factor = rig, pose, plan, goals, factor
        self.spine: Spine = rig.runtime
        self.state = pose.state or SpineState()
        self.frames = Frames(rig.skeleton, self.spine, _degrees(pose), _flat(pose.inherit, pose, 1).T.copy())
        self.answers: dict[str, ik.Answer] = {}

    def run(self, own: bool) -> None:
        """All steps, and then what no step reached."""
        old, new = self.spine.version < (4, 0), self.spine.version >= (4, 3)
        for step in self.plan.steps:
            if step[0] == "constraint":
                self._constrain(step[1], own)
            elif new:
                self.frames.update(step[1], ~self.frames.fresh[step[1]])
                self.frames.fresh[step[1]] = True
            else:
                if old:
                    self.frames.restart(step[1])
                self.frames.update(step[1])
        self._settle()

    def local(self, name: str) -> Array:
        """A channel (T, n), angles in degrees."""
        rows: Array = getattr(self.frames, name)
        return rows.T

    def solutions(self, world: Array) -> dict[str, Solution]:
        """{constraint: Solution} of these frames, of every IK constraint in the rig's order."""
        records = {record.name: record for record in self.spine.ik}
        found = {}
        for constraint in self.rig.constraints:
            record = records.get(constraint.name)
            if record is None:
                continue
            answer = self.answers.get(record.name) or ik.idle(self.frames, record, self._goal(record.name))
            given = record.name in self.goals.names
            goal = np.stack(answer.goal, axis=-1) if given else world[:, record.target, :, 2]
            found[record.name] = answers.measured(self.rig.skeleton, world, record.bones, goal, answer)
        return found

    def _constrain(self, constraint: SpineConstraint, own: bool) -> None:
        if isinstance(constraint, SpineIK):
            state, goal = self._ik_state(constraint), self._goal(constraint.name)
            if own:
                found = ours.apply(self.frames, self.rig, constraint, state, goal=goal)
            else:
                found = ik.apply(self.frames, constraint, state, goal)
            self.answers[constraint.name] = found
        elif isinstance(constraint, SpineTransform):
            apply = transform43.apply if self.spine.version >= (4, 3) else transform.apply
            apply(self.frames, constraint, self._mixes(constraint))
        elif isinstance(constraint, SpinePath):
            deforms = {key: (self._row(on), self._rows(values)) for key, (on, values) in self.state.deforms.items()}
            path.apply(
                self.frames, self.spine, constraint, self._path_state(constraint), self._shown(constraint.slot),
                deforms=deforms, skin=self.state.skin,
            )  # fmt: skip

    def _settle(self) -> None:
        """Bones out of the list, local values nobody asked for, and what came to no number: that is as posed.

        Where a constraint leaves a bone on a parent of no width, the world is right and has no local values.
        """
        frames = self.frames
        for bone in np.flatnonzero(~self.plan.active).tolist():
            frames.restart(bone)
            frames.update(bone)
        for bone in range(len(frames.parents)):
            frames.derived(bone)
        local, world = (self._finite(names) for names in (LOCAL, WORLD))
        for bone in np.flatnonzero(~(local & world).all(axis=1)).tolist():
            frames.restart(bone, ~(local[bone] & world[bone]))
            frames.update(bone, ~world[bone])

    def _finite(self, names: tuple[str, ...]) -> npt.NDArray[np.bool_]:
        """(n, T) bool, where all these values are numbers."""
        found: npt.NDArray[np.bool_] = np.logical_and.reduce([np.isfinite(getattr(self.frames, n)) for n in names])
        return found

    def _goal(self, name: str) -> ik.Goal | None:
        if name not in self.goals.names:
            return None
        shape = (*self.pose.shape, len(self.rig.skeleton), 2, 3)
        return self.goals.at(name, lambda: self.frames.matrices().reshape(shape))

    def _ik_state(self, record: SpineIK) -> IKState:
        state = self.state.ik.get(record.name)
        if state is None:
            state = self._keyed(record)
        mix, bend, softness = self._row(state.mix), self._row(state.bend), self._row(state.softness)
        return IKState(mix * self.factor, softness, bend, self._row(state.compress), self._row(state.stretch))

    def _keyed(self, record: SpineIK) -> IKState:
        """As in the setup, but for mix and bend that a clip's track keys."""
        track = self.pose.tracks.get(record.name) if isinstance(self.pose, Clip) else None
        mix = np.asarray(record.mix if track is None or track.mix is None else track.mix, dtype=np.float64)
        bend = np.asarray(record.bend if track is None or track.bend is None else -track.bend, dtype=np.float64)
        compress, stretch = np.array(record.compress), np.array(record.stretch)
        return IKState(mix, np.asarray(record.softness, dtype=np.float64), bend, compress, stretch)

    def _mixes(self, record: SpineTransform) -> Row:
        mixes = self.state.transform.get(record.name)
        return self._rows(np.asarray(record.mixes, dtype=np.float64) if mixes is None else mixes)

    def _path_state(self, record: SpinePath) -> PathState:
        state = self.state.path.get(record.name)
        if state is None:
            state = PathState(np.asarray(record.position), np.asarray(record.spacing), np.asarray(record.mixes))
        return PathState(self._row(state.position), self._row(state.spacing), self._rows(state.mixes))

    def _shown(self, slot: int) -> tuple[tuple[str, ...], npt.NDArray[np.intp]]:
        shown = self.state.shown.get(slot)
        if shown is not None:
            return shown[0], self._row(shown[1])
        name = self.spine.slots[slot].attachment
        return ((), np.full(self.frames.count, -1)) if name is None else ((name,), np.zeros(self.frames.count, int))

    def _row(self, values: npt.NDArray[Kind]) -> npt.NDArray[Kind]:
        return _flat(values, self.pose, 0)

    def _rows(self, values: npt.NDArray[Kind]) -> npt.NDArray[Kind]:
        return _flat(values, self.pose, 1)


def _degrees(pose: Pose) -> dict[str, Row]:
    """Local values {channel: (n, T)}, angles in degrees, a row a bone."""
    found = {}
    for name in LOCAL:
        rows = np.array(_flat(getattr(pose, name), pose, 1).T, order="C")
        found[name] = rows / RADIANS if name in ANGLES else rows
    return found


def _flat(values: npt.NDArray[Kind], pose: Pose, width: int) -> npt.NDArray[Kind]:
    """Values (..., more) of every frame as (T, more), `width` axes more; those of a clip's frames spread further."""
    lead, more = values.shape[: values.ndim - width], values.shape[values.ndim - width :]
    if isinstance(pose, Clip) and lead:
        values = values.reshape((*lead, *[1] * (len(pose.shape) - len(lead)), *more))
    whole = np.broadcast_to(values, (*pose.shape, *more))
    return whole.reshape((-1, *more))
