"""Chains and targets that solvers are measured on: equal bones, reach 1, a slightly bent pose to start from."""

from __future__ import annotations

import numpy as np

from elbowroom.kernel.fk import fk

SETTINGS = ((3, None), (3, 100), (10, None), (10, 45), (50, None), (50, 12))
BENDS = {3: 15.0, 10: 5.0, 50: 1.2}
REACH = 0.999


def target_set(bones: int, half: int | None, count: int = 2000):
    """Targets (count, 2), lengths, angles, limits or None; half [deg]: of the ranges of all joints but the first.

    Without limits the targets fill a disc; with limits they are ends of poses, half of them bent mostly to one side.
    """
    rng = np.random.default_rng(bones)
    rest = np.full(bones, np.radians(BENDS[bones]))
    rest[0] = 0.3
    lengths = np.full(bones, 1.0 / bones)
    if half is None:
        d, angle = REACH * np.sqrt(rng.random(count)), rng.uniform(-np.pi, np.pi, count)
        return np.stack([d * np.cos(angle), d * np.sin(angle)], axis=-1), lengths, rest, None
    high = np.radians(half)
    limits = np.tile([-high, high], (bones, 1))
    limits[0] = -np.pi, np.pi
    angles = rng.uniform(-high, high, (count, bones))
    angles[1::2] = rng.uniform(-0.2 * high, high, angles[1::2].shape)
    angles[:, 0] = rng.uniform(-np.pi, np.pi, count)
    return fk((0.0, 0.0), angles, lengths)[:, -1], lengths, rest, limits
