"""`elbowroom bench limits`: what exact joint limits are worth beside clamping after the solve, and what they cost.

A limb of 150 and 125 and targets spread evenly over what it reaches without limits. Both rules it is held against
solve first and put both angles into their ranges; the second then turns each bone once more, the upper one so that the
end points at the target, the lower one at the target itself, as far as the ranges allow.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elbowroom.bench.table import Line, ratios, report
from elbowroom.kernel.engine import has_lanes, lanes
from elbowroom.kernel.keeprows import limited_rows
from elbowroom.kernel.limits import ends
from elbowroom.kernel.two_bone import two_bone

Array = NDArray[np.float64]
A, B = 150.0, 125.0
REACH = A + B
HIT = 1e-9  # of reach
COUNT = 40_000
LIMB = "limits of upper and lower bone in degrees, bones 150 and 125"


@dataclass(frozen=True)
class Joints:
    """Ranges of both angles [degrees], and the shares of the targets that are within them, as worked out elsewhere."""

    name: str
    upper: tuple[float, float]
    lower: tuple[float, float]
    bend: int
    reachable: float

    @property
    def limits(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Both ranges [rad]."""
        low_1, high_1, low_2, high_2 = (math.radians(x) for x in (*self.upper, *self.lower))
        return (low_1, high_1), (low_2, high_2)


SETS = (
    Joints("arm", (-60, 180), (0, 150), -1, 0.62),
    Joints("leg", (-120, 30), (-150, 0), 1, 0.39),
    Joints("tight", (-30, 60), (20, 100), -1, 0.14),
    Joints("free shoulder", (-180, 180), (10, 140), -1, 0.88),
    Joints("two-sided", (-60, 60), (-120, 120), 0, 0.38),
)


def run(*, as_json: bool = False) -> int:
    """Print the table; 1 if a line fails."""
    lines = [line for joints in SETS for line in rules(joints)]
    return report([*lines, *speed()], as_json=as_json)


def even_targets(count: int, seed: int = 4) -> Array:
    """Targets (count, 2), evenly spread over the ring that the limb reaches without limits."""
    share, turn = np.random.default_rng(seed).uniform(0.0, 1.0, (2, count))
    d = np.sqrt((A - B) ** 2 + share * (REACH**2 - (A - B) ** 2))
    return np.stack([d * np.cos(2 * math.pi * turn), d * np.sin(2 * math.pi * turn)], axis=-1)


def rules(joints: Joints) -> list[Line]:
    """How much farther from the target the two rules end than the exact answer, in % of reach, where it misses."""
    target = even_targets(COUNT)
    exact = two_bone((0.0, 0.0), target, A, B, bend=joints.bend, limits=joints.limits, engine="numpy")
    clamped = clamp_after(target, joints)
    aimed = aim_again(target, clamped, joints)
    misses = exact.error > HIT * REACH
    group = f"{joints.name}: {joints.upper} {joints.lower}, {LIMB}"
    lines = [Line(group, "share of targets within the limits", 1.0 - misses.mean(), joints.reachable, 0.01)]
    for name, angles in (("solve, then clamp", clamped), ("clamp, then aim again", aimed)):
        more = (distance(target, angles) - exact.error) / REACH * 100.0
        lines += [
            Line(group, f"{name}: mean excess where out of reach", more[misses].mean(), unit="% of reach"),
            Line(group, f"{name}: largest excess", more.max(), unit="% of reach"),
            Line(group, f"exact: largest excess over {name}", -more.min() / 100.0, bound=1e-12, unit="of reach"),
        ]
    return lines


def clamp_after(target: Array, joints: Joints) -> Array:
    """Angles (n, 2) of the unlimited answer, each put into its range."""
    free = two_bone((0.0, 0.0), target, A, B, bend=joints.bend, engine="numpy")
    return np.stack([nearest_in(free.angles[:, i], *joints.limits[i]) for i in (0, 1)], axis=-1)


def aim_again(target: Array, angles: Array, joints: Joints) -> Array:
    """The same with the upper bone turned until the end points at the target, then the lower one at it."""
    lower = angles[:, 1]
    ahead = np.arctan2(B * np.sin(lower), A + B * np.cos(lower))
    upper = np.arctan2(target[:, 1], target[:, 0]) - ahead
    upper = nearest_in(upper, *joints.limits[0])
    ahead = np.arctan2(target[:, 1] - A * np.sin(upper), target[:, 0] - A * np.cos(upper))
    return np.stack([upper, nearest_in(ahead - upper, *joints.limits[1])], axis=-1)


def nearest_in(angle: Array, low: float, high: float) -> Array:
    """Each angle in the range, or the end that is fewer degrees away."""
    past = np.mod(angle - low, 2 * math.pi)
    width = high - low
    outside = np.where(past - width <= 2 * math.pi - past, high, low)
    return np.where(past <= width, low + past, outside)


def distance(target: Array, angles: Array) -> Array:
    """(n,) from the end of the limb at these angles to its target."""
    upper, both = angles[:, 0], angles.sum(axis=-1)
    x, y = A * np.cos(upper) + B * np.cos(both), A * np.sin(upper) + B * np.sin(both)
    off: Array = np.hypot(x - target[:, 0], y - target[:, 1])
    return off


def speed(count: int = 200_000, calls: int = 2_000) -> list[Line]:
    """What limits cost, each beside the same work without them in the same run."""
    arm = SETS[0]
    target = even_targets(count)
    few = [(x, y) for x, y in target[:calls].tolist()]

    def one_by_one(**options: Any) -> Callable[[], None]:
        def go() -> None:
            for point in few:
                two_bone((0.0, 0.0), point, A, B, bend=-1, **options)

        return go

    def batch(engine: str, **options: Any) -> Callable[[], Any]:
        return lambda: two_bone((0.0, 0.0), target, A, B, bend=-1, engine=engine, **options)

    group = "Speed with the arm's limits, multiples of the same call without limits"
    bounds = (("one call", 3.0, one_by_one), ("NumPy", 8.0, lambda **o: batch("numpy", **o)))
    jobs = (*bounds, ("Numba", 25.0, lambda **o: batch("numba", **o))) if has_lanes() else bounds
    found = [ratios(make(), make(limits=arm.limits))[0] for _, _, make in jobs]
    lines = [Line(group, name, r, bound=most, unit="x") for (name, most, _), r in zip(jobs, found, strict=True)]
    return [*lines, *_loops(target, arm)]


def _loops(target: Array, arm: Joints) -> list[Line]:
    """The compiled loops alone, on component arrays."""
    if not has_lanes():
        return []
    count = len(target)
    values = [np.ascontiguousarray(target[:, i]) for i in (0, 1)]
    values += [np.full(count, x) for x in (A, B, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0)]
    told = [*ends(*arm.limits[0]), *ends(*arm.limits[1])]
    table, out = np.repeat(np.array(told)[:, np.newaxis], count, axis=1), np.empty((10, count))
    yardstick, limited = lanes().full_loop, lanes().limited_loop
    runs = (lambda: limited(*values, table, out), lambda: limited_rows(tuple(values), tuple(told), count))
    group = "Loops alone, multiples of Numba's loop without limits"
    found = ratios(lambda: yardstick(*values, out), *runs)
    return [Line(group, name, r, unit="x") for name, r in zip(("Numba", "NumPy"), found, strict=True)]
