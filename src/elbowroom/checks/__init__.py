"""What would an eye catch? One file a check: its page, its function, its hint. A new one is added to CHECKS."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from elbowroom.checks import (
    budget,
    flip,
    jitter,
    limit,
    lint_notes,
    lint_rig,
    lint_spine,
    loop,
    pop,
    reach,
    slide,
    softness,
    space,
)
from elbowroom.checks.compare import Difference, differences
from elbowroom.checks.kind import Check, Take
from elbowroom.checks.report import Finding, Measure, Report, Skip, counted, gathered, skipped
from elbowroom.checks.spinewords import in_spine
from elbowroom.errors import InputError, closest
from elbowroom.kernel.reading import BIGGEST, fault
from elbowroom.rig.animation import Animation, TargetKeys
from elbowroom.rig.pose import Clip
from elbowroom.rig.rig import Rig
from elbowroom.solve import solve
from elbowroom.solve.goal import Goal, Spaces, as_goal, check_names, goals, spaces
from elbowroom.solve.order import sampled

__all__ = ["CHECKS", "check", "page"]

_MOTION = (reach, limit, budget, flip, pop, jitter, loop, slide, space, softness, lint_rig)
_ALL = (*(module.CHECK for module in _MOTION), *lint_spine.CHECKS, *lint_notes.CHECKS)
CHECKS: Mapping[str, Check] = {check.code: check for check in _ALL}


def check(
    rig: Rig,
    clip: Clip | str | Iterable[Clip | str] | None = None,
    *,
    targets: Mapping[str, Any] | None = None,
    ground: object = None,
    only: Iterable[str] | None = None,
    thresholds: Mapping[str, float] | None = None,
    frames: Mapping[str, npt.ArrayLike] | None = None,
    fps: float = 60,
    skin: str | None = None,
    improve: bool = False,
) -> Report:
    """Solve a rig's animations and report what an eye would catch.

    clip : a keyed Clip (before inverse kinematics) or an animation's name, several of them, or None for every
           animation; a rig without animations is checked at rest, for as long as the targets last
    targets, frames : as in `solve`
    ground : [length] its height, for what stands on it; None: where each foot is lowest
    only : codes of the checks to run, all by default;  thresholds : code -> what replaces the check's own
    fps : [1/s] samples of animations given by name;  skin : what the character wears in them
    improve : solve a file of Spine by our kernel as well, and report how that differs for each constraint
    Raises InputError, RigError.
    """
    if not isinstance(rig, Rig):
        raise InputError(f"check: {rig!r} is no rig (give a Rig, such as elbowroom.load(path))")
    height = _height(ground)
    chosen = [_known("only", code) for code in dict.fromkeys(CHECKS if only is None else _codes(only))]
    bounds = {_known("thresholds", code).code: _bound(code, value) for code, value in (thresholds or {}).items()}
    found: list[Finding | Skip | Measure] = [f for c in chosen if c.of_rig for f in c.of_rig(rig, bounds.get(c.code))]
    animations, samples, compared = [], 0, list[Difference]()
    solving = improve or any(c.of_take for c in chosen)
    for take in takes(rig, clip, targets, frames, fps, ground=height, skin=skin) if solving else ():
        found += [f for c in chosen if c.of_take for f in c.of_take(take, bounds.get(c.code))]
        compared += differences(take, targets, frames) if improve else []
        animations += [take.animation] if take.animation else []
        samples += len(take.keyed)
    return Report(
        tuple(in_spine(rig, f) for f in found if isinstance(f, Finding)),
        "",
        tuple(animations),
        samples,
        tuple(c.code for c in chosen),
        (*_nothing(rig), *skipped(f for f in found if isinstance(f, Skip))),
        gathered(f for f in found if isinstance(f, Measure)),
        tuple(compared) if improve else None,
    )


def page(code: str) -> str:
    """What a check means, what causes it and how to cure it; InputError for an unknown code."""
    return _known("explain", code).page


def takes(
    rig: Rig,
    clip: Clip | str | Iterable[Clip | str] | None,
    targets: Mapping[str, Any] | None = None,
    frames: Mapping[str, npt.ArrayLike] | None = None,
    fps: float = 60,
    *,
    ground: float | None = None,
    skin: str | None = None,
) -> Iterator[Take]:
    """The animations, solved one after the other."""
    if clip is None and not rig.clips:
        rig = _resting(rig, targets)
    wanted = rig.clips if clip is None else (clip,) if isinstance(clip, Clip | str) else clip
    for each in wanted:
        keyed = rig.clip(each, fps, skin=skin) if isinstance(each, str) else each
        if not isinstance(keyed, Clip) or len(keyed.shape) != 1:
            raise InputError(f"check clip: {each!r} (a keyed Clip with one axis, time, or an animation's name)")
        posed, solutions = solve(rig, keyed, targets, frames=frames)
        known = spaces(rig, keyed, frames)
        bends, mixes = ({c.name: np.asarray(sampled(c, keyed, 1.0)[i], float) for c in rig.constraints} for i in (0, 1))
        mixes |= {name: np.zeros(len(keyed)) for name in _idle(rig, keyed)}
        yield Take(rig, keyed, posed, solutions, mixes, bends, _goals(known, targets), known, ground)


def _goals(known: Spaces, targets: Mapping[str, Any] | None) -> Mapping[str, Goal]:
    """What each limb reaches for; in a file of Spine a target may well hang on the limb that reaches for it."""
    if known.rig.runtime is None:
        return goals(known, targets)
    check_names(known.rig, targets or {})
    limbs, given = {limb.name: limb for limb in known.rig.constraints}, targets or {}
    own = {name: limb.target for name, limb in limbs.items() if limb.target is not None}
    return own | {name: as_goal(goal, known.pose, limbs[name]) for name, goal in given.items()}


def _idle(rig: Rig, keyed: Clip) -> list[str]:
    """The limbs that a Spine runtime never solves, whatever their mix: no skin, no turn in the order."""
    if rig.runtime is None:
        return []
    from elbowroom.solve.spine.order import schedule

    skin = None if keyed.state is None else keyed.state.skin
    return [name for kind, name in schedule(rig.skeleton, rig.runtime, skin).idle if kind == "ik"]


def _resting(rig: Rig, targets: Mapping[str, Any] | None) -> Rig:
    """The rig with one animation that holds its setup pose for as long as the targets last."""
    keyed = {name: keys for name, keys in (targets or {}).items() if isinstance(keys, TargetKeys)}
    name = "targets" if keyed else ""
    return dataclasses.replace(rig, animations={name: Animation(name, targets=keyed)}, checked=True)


def _height(ground: object) -> float | None:
    if ground is None:
        return None
    if isinstance(ground, bool) or not isinstance(ground, int | float | np.number):
        raise InputError(f"check ground: {ground!r} (the height of a flat ground, a number in rig units, or None)")
    if not -BIGGEST <= ground <= BIGGEST:
        raise InputError(f"check ground: {fault(float(ground))}")
    return float(ground)


def _codes(only: Iterable[str]) -> Iterable[str]:
    return (only,) if isinstance(only, str) else only


def _known(where: str, code: str) -> Check:
    if code not in CHECKS:
        raise InputError(f'{where}: there is no check "{code}"{closest(code, CHECKS)}')
    return CHECKS[code]


def _bound(code: str, value: Any) -> float:
    where = f"threshold of {code}"
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        raise InputError(f"{where}: {value!r} (a number, 0 or more)")
    if not 0.0 <= value <= BIGGEST:
        raise InputError(f"{where}: {fault(float(value), 0.0)}")
    return float(value)


def _nothing(rig: Rig) -> Iterator[str]:
    """What cannot be looked at in a rig at all."""
    if not rig.constraints:
        yield "the rig has no IK constraint, so there is nothing to reach for"
    still = rig.runtime.unsimulated if rig.runtime is not None else ()
    for kind, words in (("physics", "physics constraint"), ("slider", "slider")):
        if count := sum(each.kind == kind for each in still):
            yield f"{counted(count, words)} not simulated, so what they move is as it is keyed"
