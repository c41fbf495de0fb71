"""budget: a chain ran out of iterations before it was on its target.

What it means
  A chain of three bones and more is solved step by step. This one spent all its iterations and was still further from
  its target than its tolerance, although the target may be in reach. Where limits stop the chain (LIMIT) it has looked
  for a nearer pose until the end and found none; that is no finding here, the check "reach" tells of the miss.
  Severity: warning.

Threshold
  Any frame. `thresholds={"budget": LENGTH}` lets misses up to a length pass.

What causes it, and how to cure it
  Too few "iterations": 5 are not enough when a chain starts far from its target. The solver: "least_change" needs the
  fewest, "fabrik" stops short where limits bind, "ccd" creeps while the target is nearly in line with the chain. Or the
  tolerance asks for more than the solver gives. Raise "iterations", leave "solver" out, or raise "tolerance".
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from elbowroom.checks.kind import FULL, Check, Take
from elbowroom.checks.report import Finding, short
from elbowroom.kernel.solution import Why


def find(take: Take, threshold: float | None) -> Iterator[Finding]:
    """A finding for each chain whose budget was spent at full mix."""
    bound = 0.0 if threshold is None else threshold
    for limb in take.rig.constraints:
        error = np.asarray(take.solutions[limb.name].error, dtype=np.float64)
        why = take.why(limb)
        spent = ((why & int(Why.BUDGET)) != 0) & ((why & int(Why.LIMIT)) == 0)
        spent &= (take.mixes[limb.name] >= FULL) & (error > bound)
        if spent.any():
            frame = int(np.where(spent, error, -1.0).argmax())
            used = int(np.asarray(take.solutions[limb.name].iterations)[frame])
            solver = limb.solver or "least_change"
            yield take.finding(
                limb,
                frame,
                code="budget",
                severity="warning",
                message=f"{limb.name} {take.place}: {solver} ran out of iterations ({used}) and is "
                f"{short(error[frame])} off {take.when(frame)}{take.often(int(spent.sum()))}",
                hint='raise "iterations", or leave "solver" out: the default needs the fewest',
                frames=int(spent.sum()),
                value=float(error[frame]),
                limit=bound,
                unit="units",
            )


CHECK = Check(code="budget", page=__doc__, of_take=find)
