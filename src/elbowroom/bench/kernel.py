"""`elbowroom bench kernel`: the closed forms of the two-bone limb beside what is measured, and what they cost.

Speed is a ratio within one run: batches against `np.copyto` of three float64 numbers a target (what a solver must move
anyway: two in, four out), a single call against ten lines of plain `math`, a process against `python -c pass`.
"""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np

from elbowroom.bench import precise
from elbowroom.bench.table import Line, ratios, report
from elbowroom.kernel.batch import plain_rows
from elbowroom.kernel.engine import has_lanes, lanes
from elbowroom.kernel.loops import LANE
from elbowroom.kernel.reach import gain, soften
from elbowroom.kernel.two_bone import limb, two_bone

A, B = 150.0, 125.0
COUNT = 1_000_000
DEG = 180.0 / math.pi


def run(*, as_json: bool = False) -> int:
    """Print the table; 1 if a line fails."""
    lines = [*triangle(), *accuracy(), *curves(), *gains(), *same_bits(), *speed(), *processes()]
    return report(lines, as_json=as_json)


def triangle() -> list[Line]:
    """The limb of 150 and 125 at known distances."""
    group = "Two bones, 150 and 125"
    at_200 = two_bone((0.0, 0.0), (200.0, 0.0), A, B)
    far, near = two_bone((0, 0), (300, 0), A, B), two_bone((0, 0), (10, 0), A, B)
    alpha = math.acos((A * A + 200.0**2 - B * B) / (2 * A * 200.0)) * DEG
    gamma = math.acos((A * A + B * B - 200.0**2) / (2 * A * B)) * DEG
    return [
        Line(group, "shoulder offset alpha at 200", at_200.angles[0] * DEG, alpha, 1e-9, unit="deg"),
        Line(group, "inside angle gamma at 200", 180.0 + at_200.angles[1] * DEG, gamma, 1e-9, unit="deg"),
        Line(group, "error at 300", far.error, 25.0, 3e-13, unit="length"),
        Line(group, "error at 10", near.error, 15.0, 3e-13, unit="length"),
        Line(group, "largest |error - max(d-L, l-d, 0)| / max(d, L)", _error_law(), 0.0, 1e-15),
    ]


def _error_law(count: int = 20_000) -> float:
    rng = np.random.default_rng(1)
    angle, d = rng.uniform(-math.pi, math.pi, count), rng.uniform(0.1, 400.0, count)
    target = np.stack([d * np.cos(angle), d * np.sin(angle)], axis=-1)
    wide = target.astype(np.longdouble)
    d = np.sqrt((wide * wide).sum(axis=-1)).astype(np.float64)
    law = np.maximum(np.maximum(d - (A + B), abs(A - B) - d), 0.0)
    return float((np.abs(two_bone((0.0, 0.0), target, A, B).error - law) / np.maximum(d, A + B)).max())


def accuracy() -> list[Line]:
    """Both angles against 60 digits at a+b-10^-k and |a-b|+10^-k."""
    group = "Angles against 60 digits, targets 10^-1 to 10^-12 from the bounds"
    ours: list[float] = [0.0, 0.0]
    acos = 0.0
    for a, b in ((150.0, 125.0), (20.0, 1.0), (7.0, 140.0), (80.0, 80.0)):
        for x, y in _near_bounds(a, b):
            solution, exact = two_bone((0.0, 0.0), (x, y), a, b), precise.angles(x, y, a, b, 1)
            for i in (0, 1):
                off = abs(float(exact[i] - Decimal(solution.angles[i])))
                ours[i] = max(ours[i], off / max(5e-16, 2 * math.ulp(float(exact[i]))))
            d = math.hypot(x, y)
            bent = math.pi - math.acos(max(-1.0, min(1.0, (a * a + b * b - d * d) / (2 * a * b))))
            acos = max(acos, abs(bent - abs(float(exact[1]))))
    return [
        Line(group, "upper, as a share of max(5e-16 rad, 2 ulp)", ours[0], bound=1.0),
        Line(group, "lower, as a share of max(5e-16 rad, 2 ulp)", ours[1], bound=1.0),
        Line(group, "lower by acos, for comparison", acos, unit="rad"),
    ]


def _near_bounds(a: float, b: float) -> list[tuple[float, float]]:
    found = []
    for k in range(1, 13):
        for d in (a + b - 10.0**-k, abs(a - b) + 10.0**-k):
            for turn in (0.3, 2.2, -2.9):
                x, y = d * math.cos(turn), d * math.sin(turn)
                dd = Decimal(x) ** 2 + Decimal(y) ** 2
                if Decimal(a - b) ** 2 <= dd <= Decimal(a + b) ** 2:
                    found.append((x, y))
    return found


def curves() -> list[Line]:
    """Softened distances of a reach of 1 with a zone of 0.1."""
    group = "Soft curves, reach 1, zone 0.1"
    told = {"exponential": (0.93935, 0.96321, 0.97769), "quadratic": (0.94375, 0.975, 0.99375)}
    out = []
    for curve, values in told.items():
        for d, value in zip((0.95, 1.0, 1.05), values, strict=True):
            out.append(Line(group, f"{curve} at {d}", soften(d, 1.0, 0.1, curve=curve), value, 6e-6))
    slope = max(abs((soften(0.9 + 1e-6, 1.0, 0.1, curve=c) - 0.9) / 1e-6 - 1.0) for c in (*told, "cubic"))
    return [*out, Line(group, "largest |slope at the onset - 1|", slope, 0.0, 1e-4)]


def gains() -> list[Line]:
    """Degrees of elbow per pixel."""
    group = "Gain of 150 and 125, degrees per unit"
    out = []
    for softness in (0.03, 0.05, 0.08):
        sigma, ring = softness, abs(A - B) / (A + B)
        told = 2 * (1 - sigma) / ((A + B) * math.sqrt(sigma * (2 - sigma) * ((1 - sigma) ** 2 - ring**2))) * DEG
        d = np.linspace(82.9, 500.0, 200_001)
        bent = two_bone((0.0, 0.0), np.stack([d, 0 * d], -1), A, B, softness=softness).angles[..., 1] * DEG
        found = float((np.abs(np.diff(bent)) / np.diff(d)).max())
        out.append(Line(group, f"largest, softness {softness:.0%}", found, told, 1e-4))
    least = gain(math.sqrt((A + B) * (A - B)), A, B) * DEG
    return [*out, Line(group, "least, at sqrt(L l)", least, 2 / (A + B - (A - B)) * DEG, 1e-9)]


def same_bits(count: int = 20_000) -> list[Line]:
    """Values that differ between the engines."""
    rng = np.random.default_rng(2)
    target = rng.uniform(-300.0, 300.0, (count, 2))
    first = two_bone((1.0, 2.0), target, A, B, engine="numpy")
    single = [two_bone((1.0, 2.0), point, A, B) for point in target.tolist()]
    others = {"floats": np.array([s.joints for s in single]), "floats angles": np.array([s.angles for s in single])}
    if has_lanes():
        second = two_bone((1.0, 2.0), target, A, B, engine="numba")
        others |= {"Numba": second.joints, "Numba angles": second.angles}
    mine = {name: first.angles if "angles" in name else first.joints for name in others}
    group = f"Same bits, {count} targets: values that differ from NumPy's"
    return [Line(group, name, float((values != mine[name]).sum()), 0.0, 0.0) for name, values in others.items()]


def speed() -> list[Line]:
    """Batches against the copy, a single call against plain math."""
    group = f"Speed, {COUNT} targets, multiples of copying 3 numbers a target"
    angle, d = np.random.default_rng(3).uniform(0.0, 1.0, (2, COUNT))
    angle, d = 2 * math.pi * angle, 300.0 * np.sqrt(d)
    target = np.stack([d * np.cos(angle), d * np.sin(angle)], axis=-1)
    x, y = (np.ascontiguousarray(target[:, i]) for i in (0, 1))
    source, copy, joints = np.ones((COUNT, 3)), np.ones((COUNT, 3)), np.ones((COUNT, 3, 2))
    bones, root = limb(A, B)[1:], (0.0, 0.0)
    runs: list[tuple[str, float, Callable[[], Any]]] = [
        ("NumPy rows", 35.0, lambda: plain_rows((x, y), root, 1.0, bones, joints)),
    ]
    if has_lanes():
        columns, rows, scratch = np.ones((4, COUNT)), np.ones((COUNT, 4)), np.ones((6, LANE))
        runs += [
            ("Numba component arrays", 3.0, lambda: lanes().plain_loop(x, y, *root, 1.0, *bones, *columns)),
            ("Numba rows", 5.0, lambda: lanes().plain_rows(target, *root, 1.0, *bones, rows, 4, scratch)),
        ]
    found = ratios(lambda: np.copyto(copy, source), *(f for *_, f in runs))
    lines = [Line(group, name, r, bound=bound, unit="x") for (name, bound, _), r in zip(runs, found, strict=True)]
    return [*lines, *_single()]


def _single(calls: int = 5_000) -> list[Line]:
    def ours() -> None:
        for _ in range(calls):
            two_bone((0.0, 0.0), (200.0, 30.0), A, B)

    def by_hand() -> None:
        for _ in range(calls):
            hand_written(0.0, 0.0, 200.0, 30.0, A, B, 1)

    group = "Speed, one call, multiples of ten lines of plain math"
    return [Line(group, "two_bone of plain numbers, result included", ratios(by_hand, ours)[0], bound=5.0, unit="x")]


def hand_written(
    rx: float, ry: float, tx: float, ty: float, a: float, b: float, bend: int
) -> tuple[tuple[float, float], tuple[float, float], float, float]:
    """What one would write in a hurry: the yardstick for a single call, not an example to follow."""
    dx, dy = tx - rx, ty - ry
    d = min(max(math.sqrt(dx * dx + dy * dy), abs(a - b)), a + b)
    phi = math.atan2(dy, dx)
    alpha = math.acos(max(-1.0, min(1.0, (a * a + d * d - b * b) / (2 * a * d))))
    gamma = math.acos(max(-1.0, min(1.0, (a * a + b * b - d * d) / (2 * a * b))))
    upper, lower = phi + bend * alpha, -bend * (math.pi - gamma)
    ex, ey = rx + a * math.cos(upper), ry + a * math.sin(upper)
    end = ex + b * math.cos(upper + lower), ey + b * math.sin(upper + lower)
    return (ex, ey), end, upper, lower


def processes() -> list[Line]:
    """Whole processes."""

    def start(*arguments: str) -> Callable[[], Any]:
        return lambda: subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)

    names = ("import elbowroom", "elbowroom --help")
    found = ratios(start("-c", "pass"), start("-c", "import elbowroom"), start("-m", "elbowroom", "--help"), rounds=5)
    group = "Start, whole processes, multiples of python -c pass"
    return [Line(group, name, value, bound=15.0, unit="x") for name, value in zip(names, found, strict=True)]
