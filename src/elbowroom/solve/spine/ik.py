"""IK constraints on the working set, by the runtime's closed forms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from elbowroom.kernel.degrees import Row, Where
from elbowroom.kernel.solution import Why
from elbowroom.kernel.spine import Local, Matrix, Outcome, Settings, one_bone
from elbowroom.kernel.spine_two import two_bones
from elbowroom.rig.spine.records import SpineIK
from elbowroom.rig.spine.state import IKState
from elbowroom.solve.spine.frames import LOCAL, WORLD, Frames

Goal = tuple[Row, Row]  # x, y (T,) in the world


@dataclass(frozen=True, eq=False)
class Answer:
    """What an IK constraint did, (T,) each.

    mix : in force, 0 where it did not run;  why : flags;  stretch : factor;  hit : whether its tip came to the goal
    goal : x, y of what it reached for;  ahead : x, y from its root to the goal
    """

    mix: Row
    why: npt.NDArray[np.int64]
    stretch: Row
    hit: Where
    goal: Goal
    ahead: Goal


def apply(frames: Frames, ik: SpineIK, state: IKState, goal: Goal | None = None) -> Answer:
    """Let the bones reach for their target, or for a `goal` in the world instead."""
    reached = (frames.wx[ik.target].copy(), frames.wy[ik.target].copy()) if goal is None else goal
    acts = acting(frames, ik, state)
    if not acts.any() or frames.parents[ik.bones[0]] < 0 or len(ik.bones) > 2:
        put_back(frames, ik, acts)
        return idle(frames, ik, reached)
    ready(frames, ik, acts)
    outcome = _solved(frames, ik, state, reached)
    touched = written(frames, ik, outcome.bones, acts, state.mix)
    return Answer(
        np.where(touched, state.mix, 0.0), _why(outcome), np.where(touched, outcome.stretch, 1.0),
        touched & on_goal(frames, ik.bones[-1], reached), reached, _ahead(frames, ik, reached),
    )  # fmt: skip


def idle(frames: Frames, ik: SpineIK, goal: Goal | None = None) -> Answer:
    """The answer of a constraint that does not run."""
    none, one = np.zeros(frames.count), np.ones(frames.count)
    there = (frames.wx[ik.target], frames.wy[ik.target]) if goal is None else goal
    flags = np.zeros(frames.count, dtype=np.int64)
    return Answer(none, flags, one, np.zeros(frames.count, dtype=np.bool_), there, _ahead(frames, ik, there))


def acting(frames: Frames, ik: SpineIK, state: IKState) -> Where:
    """Frames (T,) at which the constraint runs: up to 3.8 always, later where its mix is not 0.

    Two bones run from 4.2 on only where both inherit all of their parents.
    """
    acts = np.asarray(state.mix != 0.0) if frames.version >= (4, 0) else np.ones(frames.count, dtype=np.bool_)
    if len(ik.bones) == 2 and frames.version >= (4, 2):
        acts = acts & (frames.inherit[list(ik.bones)] == 0).all(axis=0)
    return np.asarray(acts, dtype=np.bool_)


def ready(frames: Frames, ik: SpineIK, acts: Where) -> None:
    """Local values of the bones, made valid where the runtime has kept only worlds."""
    for bone in ik.bones:
        if frames.version >= (4, 3):
            frames.changed_local(bone, acts)
        elif frames.version < (4, 0):
            frames.derived(bone, acts)


def written(frames: Frames, ik: SpineIK, bones: tuple[Local, ...], acts: Where, mix: Row) -> Where:
    """Write local values of the bones and their worlds; returns the frames (T,) that were written."""
    off = acts & (mix == 0.0)
    put_back(frames, ik, off)
    acts = acts & ~off if len(bones) == 2 else acts
    for bone, local in zip(ik.bones, bones, strict=True):
        for name, row in zip(LOCAL, local, strict=True):
            frames.put(name, bone, row, acts)
        # 4.3 computes worlds when they are next asked for: nothing reads these before, but the answer's flags
        frames.update(bone, acts)
    return np.asarray(acts & (mix != 0.0), dtype=np.bool_)


def put_back(frames: Frames, ik: SpineIK, off: Where) -> None:
    """Up to 3.8 two bones with mix 0 only have the lower one evaluated, as it is posed: the list does not do it."""
    if len(ik.bones) > 1 and frames.version < (4, 0) and off.any():
        frames.restart(ik.bones[-1], off)
        frames.update(ik.bones[-1], off)


def on_goal(frames: Frames, bone: int, goal: Goal) -> Where:
    """Whether a bone's tip is on the goal (T,), but for what the runtime's π leaves open."""
    length = float(frames.lengths[bone])
    x = frames.a[bone] * length + frames.wx[bone] - goal[0]
    y = frames.c[bone] * length + frames.wy[bone] - goal[1]
    size = np.abs(frames.a[bone]) + np.abs(frames.c[bone])
    allowed = 1e-6 * (1.0 + length * size)
    near: Where = np.asarray(x * x + y * y <= allowed * allowed)
    return near


def _solved(frames: Frames, ik: SpineIK, state: IKState, goal: Goal) -> Outcome:
    settings = Settings(
        frames.version, ik.scale, state.mix, state.bend, state.softness,
        np.asarray(state.compress, dtype=np.bool_), np.asarray(state.stretch, dtype=np.bool_),
    )  # fmt: skip
    first = ik.bones[0]
    lengths = [float(frames.lengths[bone]) for bone in ik.bones]
    locals_ = [Local(*(getattr(frames, name)[bone] for name in LOCAL)) for bone in ik.bones]
    parent, world = (Matrix(*(getattr(frames, name)[i] for name in WORLD)) for i in (frames.parents[first], first))
    if len(ik.bones) == 1:
        return one_bone(
            settings, locals_[0], lengths[0], parent, goal, origin=(world.x, world.y),
            inherit=frames.inherit[first], skeleton=(frames.sx, frames.sy),
        )  # fmt: skip
    return two_bones(settings, (locals_[0], locals_[1]), (lengths[0], lengths[1]), parent, goal, world=world)


def _why(outcome: Outcome) -> npt.NDArray[np.int64]:
    stretched = outcome.stretch != 1.0
    said = (
        (Why.FAR, outcome.far), (Why.NEAR, outcome.near), (Why.SOFT, outcome.soft),
        (Why.STRETCH, stretched), (Why.DEGENERATE, outcome.lost),
    )  # fmt: skip
    flags = np.zeros(stretched.shape, dtype=np.int64)
    for flag, where in said:
        flags |= np.where(where, int(flag), 0)
    return flags


def _ahead(frames: Frames, ik: SpineIK, goal: Goal) -> Goal:
    first = ik.bones[0]
    return goal[0] - frames.wx[first], goal[1] - frames.wy[first]
