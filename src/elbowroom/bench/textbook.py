"""The textbook form of cyclic coordinate descent: forward kinematics of the whole chain at every joint.

It is what `ccd` is measured against, compiled by the same compiler; a sweep costs n² sines and cosines.
"""

from __future__ import annotations

import time
from math import atan2, cos, sin
from typing import Any

import numpy as np

from elbowroom.kernel.ccd import sweep_out
from elbowroom.kernel.chainflow import ROWS
from elbowroom.kernel.chainlanes import compile_flow
from elbowroom.kernel.chainturn import KEEP_X, KEEP_Y, UX, UY, places, prepare, read_angles

SWEEPS, TARGETS = 50, 100


def textbook_joints(lengths: Any, q: Any, joints: Any) -> None:
    """Forward kinematics: joints (n+1, 2) of angles (n,)."""
    turn = 0.0
    for i in range(len(lengths)):
        turn = turn + q[i]
        joints[i + 1, 0] = joints[i, 0] + lengths[i] * cos(turn)
        joints[i + 1, 1] = joints[i, 1] + lengths[i] * sin(turn)


def textbook_rows(tx: Any, ty: Any, lengths: Any, q: Any, sweeps: int, joints: Any) -> None:
    """Turn the angles q (N, n) of N chains towards their targets, root to tip, so many sweeps."""
    for k in range(len(tx)):
        for _ in range(sweeps):
            for i in range(len(lengths)):
                textbook_joints(lengths, q[k], joints)
                px, py, ex, ey = joints[i, 0], joints[i, 1], joints[-1, 0], joints[-1, 1]
                q[k, i] += atan2(ty[k] - py, tx[k] - px) - atan2(ey - py, ex - px)


def linear_rows(tx: Any, ty: Any, lengths: Any, q: Any, sweeps: int, free: Any, work: Any) -> None:
    """The same by the sweeps of `ccd`, from angles to angles."""
    rows = work[UX], work[UY], work[KEEP_X], work[KEEP_Y]
    for k in range(len(tx)):
        prepare(q[k], q[k], q[k], free, work)
        x, y = places(lengths, work)
        for _ in range(sweeps):
            x, y, _ = sweep_out(tx[k], ty[k], x, y, lengths, *rows)
        read_angles(q[k], q[k], q[k], free, work)


def ccd_speed(bones: int) -> tuple[float, float]:
    """Seconds a sweep of one chain of so many equal bones: textbook form, and that of `ccd`; both compiled by Numba."""
    random = np.random.default_rng(bones)
    radius, angle = 0.95 * np.sqrt(random.random(TARGETS)), random.uniform(-np.pi, np.pi, TARGETS)
    tx, ty = radius * np.cos(angle), radius * np.sin(angle)
    lengths, rest = np.full(bones, 1.0 / bones), np.tile(np.full(bones, 0.5 / bones), (TARGETS, 1))
    extra = np.zeros(bones, dtype=np.bool_), np.empty((ROWS, bones))
    plain, linear, joints = compile_flow(textbook_rows), compile_flow(linear_rows), np.zeros((bones + 1, 2))
    slow = _seconds(lambda: plain(tx, ty, lengths, rest.copy(), SWEEPS, joints))
    return slow, _seconds(lambda: linear(tx, ty, lengths, rest.copy(), SWEEPS, *extra))


def _seconds(run: Any, tries: int = 7) -> float:
    """Least time of several runs a sweep; the first run compiles."""
    best = float("inf")
    for _ in range(tries + 1):
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
    return best / (SWEEPS * TARGETS)
