"""What the keys of a bake miss: as they play, beside the targets they were made for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from elbowroom.checks import reach
from elbowroom.checks.kind import Take
from elbowroom.checks.report import Finding, Report
from elbowroom.kernel.solution import Solution
from elbowroom.rig.pose import Clip
from elbowroom.rig.rig import Rig
from elbowroom.solve.bake import at_rest, solve_for_keys
from elbowroom.solve.geometry import Array, norm, unit
from elbowroom.solve.goal import goals, spaces
from elbowroom.solve.measure import joints_of
from elbowroom.solve.order import measure, sampled


def misses(
    rig: Rig,
    baked: Rig,
    names: Iterable[str] = (),
    *,
    targets: Mapping[str, Any] | None = None,
    fps: float = 60,
    match: bool = False,
    threshold: float | None = None,
) -> Report:
    """The findings of "reach" for what `bake(rig, names, …)` has returned, its constraints gone.

    threshold : [length] the largest miss, in place of the check's own;  the others as they were given to `bake`
    """
    if not rig.clips:
        rig, targets = at_rest(rig, targets or {}, fps)
    found: list[Finding] = []
    chosen, samples = tuple(names) or rig.clips, 0
    for name in chosen:
        keyed, played = rig.clip(name, fps), baked.clip(name, fps)
        exact = solve_for_keys(rig, keyed, targets or {}, match=match)
        solved = {limb: measure(exact.posed, step) for limb, step in exact.steps.items()}
        written = {
            limb: as_played(solution, played, exact.steps[limb].bones, exact.steps[limb].goal)
            for limb, solution in solved.items()
        }
        sides = {limb.name: sampled(limb, keyed, 1.0) for limb in rig.constraints}
        bends, mixes = ({limb: np.asarray(side[i], float) for limb, side in sides.items()} for i in (0, 1))
        known = spaces(rig, keyed, None)
        take = Take(rig, keyed, played, written, mixes, bends, goals(known, targets), known)
        found += reach.find(take, threshold, solved)
        samples += len(keyed)
    return Report(tuple(found), "", chosen, samples, ("reach",))


def as_played(solution: Solution, played: Clip, bones: list[int], goal: Array) -> Solution:
    """A solution as the keys made of it have it; goal : (T, 2) in the world."""
    joints = joints_of(played, played.world(), bones)
    way = goal - joints[..., 0, :]
    return solution.replace(
        joints=joints, error=norm(joints[..., -1, :] - goal), direction=unit(way, solution.direction)
    )
