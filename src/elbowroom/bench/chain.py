"""`elbowroom bench chain`: how often, how fast and how steadily the chain solvers reach.

Chains of 3, 10 and 50 equal bones with reach 1, drawn slightly bent; targets that can be reached, from a cold start.
Then closed paths of the target, 1200 frames a lap: `ccd` and `fabrik` start each frame where the last one ended, as
they are used; `least_change` and the equal-bend arc start from the drawn pose and must come back to the same pose.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elbowroom.bench import three, warm
from elbowroom.bench.table import Line, ratios, report
from elbowroom.bench.textbook import ccd_speed
from elbowroom.kernel.arc import arc_pose
from elbowroom.kernel.ccd import ccd
from elbowroom.kernel.engine import has_lanes
from elbowroom.kernel.fabrik import fabrik
from elbowroom.kernel.fk import fk
from elbowroom.kernel.least_change import least_change

Array = NDArray[np.float64]
Solve = Callable[..., Any]
ROOT = np.zeros(2)
HIT = 1e-6  # of reach
COUNT = 2000  # targets a setting
FRAMES = 1200
BEND = {3: 15.0, 10: 5.0, 50: 1.2}  # [degrees] between bones of the drawn pose
FIRST = 0.3  # [rad] its first joint
LOOPS = ((0.5, 0.15), (0.75, 0.15), (0.0, 0.4), (0.45, 0.25))  # x of the centre and radius [reach]


@dataclass(frozen=True)
class Setting:
    """A chain of equal bones, and the limit of all joints but the first [degrees]; None without."""

    count: int
    limit: float | None = None

    @property
    def name(self) -> str:
        """As the table names it."""
        return f"{self.count} bones" + ("" if self.limit is None else f", ±{self.limit:g}°")

    @property
    def bones(self) -> Array:
        """Lengths (n,), the reach is 1."""
        return np.full(self.count, 1.0 / self.count)

    @property
    def drawn(self) -> Array:
        """The drawn pose (n,) [rad]."""
        pose = np.full(self.count, math.radians(BEND[self.count]))
        pose[0] = FIRST
        return pose

    @property
    def limits(self) -> Array | None:
        """Ranges (n, 2) [rad], the first joint free."""
        if self.limit is None:
            return None
        ranges = np.tile(np.radians([-self.limit, self.limit]), (self.count, 1))
        ranges[0] = -math.pi, math.pi
        return ranges


SETTINGS = (Setting(3), Setting(3, 100), Setting(10), Setting(10, 45), Setting(50), Setting(50, 12))
LEAST = {("fabrik", 10): 0.82, ("fabrik", 50): 0.58}  # share reached without limits in 50 iterations


def run(*, as_json: bool = False) -> int:
    """Print the table; 1 if a line fails."""
    few = {} if has_lanes() else {"count": 10}
    lines = [line for setting in SETTINGS for line in success(setting, **few)]
    lines += [*laps(FRAMES if has_lanes() else 40), *warm.lines(), *speed(), *three.lines()]
    return report(lines, as_json=as_json)


def reachable(setting: Setting, count: int, seed: int = 5) -> Array:
    """Targets (count, 2): all over the disc; with limits half evenly within them, half bent to one side."""
    rng = np.random.default_rng(seed)
    if setting.limits is None:
        d, angle = 0.999 * np.sqrt(rng.random(count)), rng.uniform(-math.pi, math.pi, count)
        return np.stack([d * np.cos(angle), d * np.sin(angle)], axis=-1)
    low, high = setting.limits.T
    pose = rng.uniform(low, high, (count, setting.count))
    one_side = pose[1::2, 1:]
    one_side[:] = rng.uniform(-0.2, 1.0, one_side.shape) * high[1:]
    ends: Array = fk(ROOT, pose, setting.bones)[:, -1]
    return ends


def success(setting: Setting, count: int = COUNT) -> list[Line]:
    """Share of targets reached from the drawn pose, and the iterations of those that were."""
    target = reachable(setting, count)
    free = setting.limit is None
    runs: tuple[tuple[str, Solve, dict[str, Any], float | None], ...] = (
        ("ccd tip to root, 1000 iterations", ccd, {"iterations": 1000, "order": "tip_to_root"}, None),
        ("ccd root to tip, 100 iterations", ccd, {"iterations": 100}, None),
        ("ccd root to tip, 1000 iterations", ccd, {"iterations": 1000}, 0.98 if free else 0.96),
        ("fabrik, 50 iterations", fabrik, {"iterations": 50}, LEAST.get(("fabrik", setting.count)) if free else None),
        ("fabrik, 1000 iterations", fabrik, {"iterations": 1000}, None),
        ("least_change, 100 iterations", least_change, {}, 1.0),
    )
    lines = []
    for name, solver, options, least in runs:
        got = solver(ROOT, target, setting.bones, setting.drawn, limits=setting.limits, **options)
        lines += _reached(f"Cold start, {setting.name}, to 1e-6 of reach", name, got, least)
    return lines


def _reached(group: str, name: str, got: Any, least: float | None) -> list[Line]:
    hit = got.error <= HIT
    used = got.iterations[hit] if hit.any() else np.array([math.nan])
    best = name.startswith("least_change")
    missed = Line(group, f"{name}: missed", 100.0 * (1.0 - hit.mean()), unit="% of targets")
    if least is not None:
        missed = Line(group, missed.name, missed.measured, bound=100.0 * (1.0 - least), unit=missed.unit)
    return [
        missed,
        Line(group, f"{name}: median", float(np.median(used)), bound=15 if best else None, unit="iterations"),
        Line(group, f"{name}: p95", float(np.percentile(used, 95)), bound=60 if best else None, unit="iterations"),
    ]


def laps(frames: int = FRAMES) -> list[Line]:
    """What a closed path of the target does to ten bones: pose after a lap minus before, and the widest step."""
    setting = Setting(10)
    turn = np.append(np.arange(frames), 0) * (2.0 * math.pi / frames)
    paths = np.stack([[x + r * np.cos(turn), r * np.sin(turn)] for x, r in LOOPS], axis=0).transpose(2, 0, 1)
    poses = {
        "ccd tip to root, 10 iterations": followed(setting, paths, ccd, order="tip_to_root"),
        "ccd root to tip, 10 iterations": followed(setting, paths, ccd),
        "fabrik, 10 iterations": followed(setting, paths, fabrik),
        "arc": arcs(setting, paths),
        "least_change": np.asarray(least_change(ROOT, paths, setting.bones, setting.drawn).angles),
    }
    arc_steps = _steps(poses["arc"])
    lines = []
    for i, (x, r) in enumerate(LOOPS):
        group = f"One lap of {frames} frames, 10 bones, circle of {r:g} around ({x:g}, 0)"
        for name, q in poses.items():
            best = name == "least_change"
            drift = math.degrees(np.abs(wrapped(q[-1, i] - q[0, i])).max())
            step, most = _steps(q)[i], (1.1 * arc_steps[i] if best else None)
            lines.append(Line(group, f"{name}: lap drift", drift, bound=1e-6 if best else None, unit="degrees"))
            lines.append(Line(group, f"{name}: widest step", step, bound=most, unit="deg/frame"))
    return lines


def followed(setting: Setting, paths: Array, solver: Solve, **options: Any) -> Array:
    """Angles (frames, loops, n) of a solver that starts each frame where it ended the last one."""
    start = solver(ROOT, paths[0], setting.bones, setting.drawn, iterations=1000, **options)
    found = [np.asarray(start.angles)]
    for targets in paths[1:]:
        found.append(np.asarray(solver(ROOT, targets, setting.bones, found[-1], iterations=10, **options).angles))
    return np.stack(found)


def arcs(setting: Setting, paths: Array) -> Array:
    """Angles (frames, loops, n) of the equal-bend arc on the drawn pose's side."""
    bones, found = setting.bones.tolist(), np.empty((*paths.shape[:2], setting.count))
    for place in np.ndindex(*paths.shape[:2]):
        pose = [0.0] * setting.count
        x, y = paths[place].tolist()
        arc_pose(x, y, bones, -1.0, pose)
        found[place] = pose
    return found


def _steps(angles: Array) -> Array:
    """Widest step of any joint between two frames (loops,) [degrees]."""
    most: Array = np.degrees(np.abs(wrapped(np.diff(angles, axis=0))).max(axis=(0, 2)))
    return most


def speed() -> list[Line]:
    """A sweep of `ccd` beside the textbook form, and whole solves beside each other."""
    if not has_lanes():
        return []
    group = (
        "A sweep of ccd in the same compiled language, as a share of the form with forward kinematics at every joint"
    )
    lines = []
    for count, bound in ((3, None), (10, 1.0 / 8.0), (50, 1.0 / 30.0)):
        slow, fast = ccd_speed(count)
        lines.append(Line(group, f"{count} bones, 1/{slow / fast:.0f}", fast / slow, bound=bound, unit="x"))
    group = "Time for all targets of a setting, as a share of ccd tip to root with at most 1000 iterations"
    for setting in SETTINGS:
        target = reachable(setting, COUNT)

        def timed(solver: Solve, setting: Setting = setting, target: Array = target, **options: Any) -> Solve:
            chain = setting.bones, setting.drawn
            return lambda: solver(ROOT, target, *chain, limits=setting.limits, **options)

        classic = timed(ccd, iterations=1000, order="tip_to_root")
        lines.append(Line(group, setting.name, ratios(classic, timed(least_change), rounds=1)[0], unit="x"))
    return lines


def wrapped(angles: Array) -> Array:
    """Angles in [-pi, pi)."""
    whole: Array = (angles + math.pi) % (2.0 * math.pi) - math.pi
    return whole
