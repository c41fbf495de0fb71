"""The lines of `elbowroom bench chain` on how many sweeps CCD takes for a target that has moved by one unit."""

from __future__ import annotations

import math

import numpy as np

from elbowroom.bench.table import Line
from elbowroom.kernel.ccd import ccd
from elbowroom.kernel.two_bone import two_bone

A, B = 150.0, 125.0
REACH, HOLE = A + B, A - B
COUNT = 20_000


def lines() -> list[Line]:
    """Sweeps to half a unit and to 1e-6 of the reach, from the pose of a target one unit away."""
    group = f"CCD, bones {A:g} and {B:g}, from the pose one unit away, distances even in [1.2 l, .98 L]"
    near, fine = sweeps(0.5 / REACH), sweeps(1e-6, 1000)
    return [
        Line(group, "to half a unit: median", float(np.median(near)), bound=1.0, unit="sweeps"),
        Line(group, "to half a unit: 99 of 100", float(np.percentile(near, 99)), bound=8.0, unit="sweeps"),
        Line(group, "to half a unit: most", float(near.max()), unit="sweeps"),
        Line(group, "to 1e-6 of the reach: median", float(np.median(fine)), unit="sweeps"),
        Line(group, "to 1e-6 of the reach: 99 of 100", float(np.percentile(fine, 99)), unit="sweeps"),
        Line(group, "to 1e-6 of the reach: most", float(fine.max()), unit="sweeps"),
    ]


def sweeps(tolerance: float, most: int = 100, seed: int = 6) -> np.ndarray:
    """Iterations (n,) that each target takes."""
    rng = np.random.default_rng(seed)
    d, way, step = rng.uniform(1.2 * HOLE, 0.98 * REACH, COUNT), *rng.uniform(-math.pi, math.pi, (2, COUNT))
    before = np.stack([d * np.cos(way), d * np.sin(way)], axis=-1)
    after = before + np.stack([np.cos(step), np.sin(step)], axis=-1)
    size = np.hypot(*after.T)
    after *= (np.clip(size, 1.2 * HOLE, 0.98 * REACH) / size)[:, np.newaxis]
    drawn = two_bone((0.0, 0.0), before, A, B).angles
    found = ccd((0.0, 0.0), after, np.array([A, B]), drawn, iterations=most, tolerance=tolerance)
    return np.asarray(found.iterations)
