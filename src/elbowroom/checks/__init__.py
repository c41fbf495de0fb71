"""What would an eye catch? One file a check: its page, its function, its hint. A new one is added to CHECKS."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from elbowroom.checks import flip, jitter, limit, lint_rig, pop, reach, softness, space
from elbowroom.checks.kind import Check, Take
from elbowroom.checks.report import Finding, Report, Skip, skipped
from elbowroom.errors import InputError, closest
from elbowroom.kernel.reading import BIGGEST, fault
from elbowroom.rig.animation import Animation, TargetKeys
from elbowroom.rig.pose import Clip
from elbowroom.rig.rig import Rig
from elbowroom.solve import solve
from elbowroom.solve.goal import goals, spaces
from elbowroom.solve.order import sampled

__all__ = ["CHECKS", "check", "page"]

CHECKS: Mapping[str, Check] = {
    module.CHECK.code: module.CHECK for module in (reach, limit, flip, pop, jitter, space, softness, lint_rig)
}


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
) -> Report:
    """Solve a rig's animations and report what an eye would catch.

    clip : a keyed Clip (before inverse kinematics) or an animation's name, several of them, or None for every
           animation; a rig without animations is checked at rest, for as long as the targets last
    targets, frames : as in `solve`
    only : codes of the checks to run, all by default;  thresholds : code -> what replaces the check's own
    fps : [1/s] samples of animations given by name
    Raises InputError, RigError.
    """
    if not isinstance(rig, Rig):
        raise InputError(f"check: {rig!r} is no rig (give a Rig, such as elbowroom.load(path))")
    if ground is not None:
        raise InputError("check ground: not supported yet in this version (leave ground=None)")
    chosen = [_known("only", code) for code in dict.fromkeys(CHECKS if only is None else _codes(only))]
    bounds = {_known("thresholds", code).code: _bound(code, value) for code, value in (thresholds or {}).items()}
    found: list[Finding | Skip] = [f for c in chosen if c.of_rig for f in c.of_rig(rig, bounds.get(c.code))]
    animations, samples = [], 0
    solving = any(c.of_take for c in chosen)
    for take in takes(rig, clip, targets, frames, fps) if solving else ():
        found += [f for c in chosen if c.of_take for f in c.of_take(take, bounds.get(c.code))]
        animations += [take.animation] if take.animation else []
        samples += len(take.keyed)
    findings = tuple(f for f in found if isinstance(f, Finding))
    unseen = (*_nothing(rig), *skipped(f for f in found if isinstance(f, Skip)))
    return Report(findings, "", tuple(animations), samples, tuple(c.code for c in chosen), unseen)


def page(code: str) -> str:
    """What a check means, what causes it and how to cure it; InputError for an unknown code."""
    return _known("explain", code).page


def takes(
    rig: Rig,
    clip: Clip | str | Iterable[Clip | str] | None,
    targets: Mapping[str, Any] | None,
    frames: Mapping[str, npt.ArrayLike] | None,
    fps: float,
) -> Iterator[Take]:
    """The animations, solved one after the other."""
    if clip is None and not rig.clips:
        rig = _resting(rig, targets)
    wanted = rig.clips if clip is None else (clip,) if isinstance(clip, Clip | str) else clip
    for each in wanted:
        keyed = rig.clip(each, fps) if isinstance(each, str) else each
        if not isinstance(keyed, Clip) or len(keyed.shape) != 1:
            raise InputError(f"check clip: {each!r} (a keyed Clip with one axis, time, or an animation's name)")
        posed, solutions = solve(rig, keyed, targets, frames=frames)
        known = spaces(rig, keyed, frames)
        bends, mixes = ({c.name: np.asarray(sampled(c, keyed, 1.0)[i], float) for c in rig.constraints} for i in (0, 1))
        yield Take(rig, keyed, posed, solutions, mixes, bends, goals(known, targets), known)


def _resting(rig: Rig, targets: Mapping[str, Any] | None) -> Rig:
    """The rig with one animation that holds its setup pose for as long as the targets last."""
    keyed = {name: keys for name, keys in (targets or {}).items() if isinstance(keys, TargetKeys)}
    name = "targets" if keyed else ""
    return dataclasses.replace(rig, animations={name: Animation(name, targets=keyed)}, checked=True)


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


def _nothing(rig: Rig) -> tuple[str, ...]:
    return () if rig.constraints else ("the rig has no constraint, so there is nothing to reach for",)


