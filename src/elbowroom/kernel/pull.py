"""The pose that changes the drawn one least: minimise Σ (q_i − drawn_i)² over all joints but the first, the end held.

Newton's method on the conditions of the least (flex.py), with the joints at their limits held as long as they push
against them. The first joint turns freely; a spring of ROOT to where it is keeps a target on the root from spinning it.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from elbowroom.kernel.flex import HELD, flex, hold, trace, turn_by, widest

NEAREST = 1e-5  # [reach²] added, so that a target on the root does not let the first joint spin
ROOT = 1e-4  # spring of the first joint; every other has 1
PATIENCE = 6  # steps that come no nearer before the search goes elsewhere
STEP = 0.8  # [rad] the most a bone turns in one step
SETTLED = 1e-9  # [rad] a last step this small leaves the rounding alone


def pull(
    tx: float, ty: float, bones: Any, q: Any, low: Any, high: Any, limited: Any, most: int, tolerance: float, work: Any
) -> tuple[int, float]:
    """Pull the pose q to the least change from the pose in row 11, at most `most` steps: steps used, distance left."""
    count = len(bones)
    pull_x, pull_y = 0.0, 0.0
    root = ROOT * (tx * tx + ty * ty + NEAREST)  # turning the root matters less, the nearer the end is to it
    used, idle = 0, 0
    x, y = trace(bones, q, work)
    left = sqrt((tx - x) * (tx - x) + (ty - y) * (ty - y))
    least = left
    while used < most and (idle < PATIENCE or left <= tolerance):
        used += 1
        gap_x, gap_y = tx - x, ty - y
        _springs(q, low, high, limited, root, pull_x, pull_y, work, count)
        new_x, new_y = _held_step(q, bones, low, high, limited, gap_x, gap_y, pull_x, pull_y, work)
        wide = widest(work, count)
        share = 1.0 if wide <= STEP else STEP / wide
        pull_x, pull_y = pull_x + share * (new_x - pull_x), pull_y + share * (new_y - pull_y)
        moved = turn_by(share, q, low, high, limited, work, count)
        x, y = trace(bones, q, work)
        left = sqrt((tx - x) * (tx - x) + (ty - y) * (ty - y))
        idle = 0 if left < 0.95 * least else idle + 1
        least = left if left < least else least
        if moved < SETTLED and share == 1.0:
            break
    return used, left


def _springs(
    q: Any, low: Any, high: Any, limited: Any, root: float, pull_x: float, pull_y: float, work: Any, count: int
) -> None:
    """Springs to the pose drawn; joints that push against the end of their range are held there."""
    springs, wishes, held, across, along, drawn = work[2], work[3], work[8], work[9], work[10], work[11]
    for i in range(count):
        springs[i], wishes[i], held[i] = 1.0, drawn[i] - q[i], 0.0
        if i == 0:
            springs[i], wishes[i] = root, 0.0
        if limited[i] and (q[i] <= low[i] or q[i] >= high[i]):
            push = (wishes[i] if i > 0 else 0.0) + pull_x * across[i] + pull_y * along[i]
            if (q[i] <= low[i] and push < 0.0) or (q[i] >= high[i] and push > 0.0):
                held[i], springs[i], wishes[i] = 1.0, HELD, 0.0


def _held_step(
    q: Any, bones: Any, low: Any, high: Any, limited: Any,
    gap_x: float, gap_y: float, pull_x: float, pull_y: float, work: Any,
) -> tuple[float, float]:  # fmt: skip
    """The step to row 5, with more joints held until none leaves its range; returns the new pull."""
    count = len(bones)
    new_x, new_y = 0.0, 0.0
    for _ in range(8):
        new_x, new_y, good = flex(bones, gap_x, gap_y, pull_x, pull_y, 0.0, False, work)
        if not good:
            new_x, new_y, good = flex(bones, gap_x, gap_y, pull_x, pull_y, 0.0, True, work)
        if hold(q, low, high, limited, work, count) == 0:
            break
    return new_x, new_y
