"""Brute force for limited limbs: a dense grid over both angles, then a bounded search from its best points."""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import minimize

EDGE = 1e-12  # [rad] so near to straight or folded a limit stands on it


def pieces(low, high, bend):
    """The parts of an elbow's range on the bend's side (0: both), as (low, high); all of them if that side is shut.

    It is shut, too, if nothing but the fold is left of it.
    """
    high = min(high, low + 2.0 * math.pi)
    found = []
    for k in range(math.floor(low / math.pi) - 1, math.ceil(high / math.pi) + 1):
        start, stop = max(low, k * math.pi), min(high, (k + 1) * math.pi)
        side = 1 if k % 2 else -1  # +1 turns the lower bone by an angle in -pi..0
        if stop >= start - EDGE and bend in (0, side):
            found.append((min(start, stop), max(start, stop)))
    folded = all(stop - start <= EDGE and math.cos(start) < -0.5 for start, stop in found)
    return pieces(low, high, 0) if folded and bend else found


def least_error(target, lengths, limits, bend, grid=(91, 61), starts=3):
    """The least distance from the end of the limb to the target, within both ranges and on the side."""
    (a, b), (x, y) = lengths, target

    def off(upper, lower):
        return a * np.cos(upper) + b * np.cos(upper + lower) - x, a * np.sin(upper) + b * np.sin(upper + lower) - y

    def squared(angles):
        u, v = off(*angles)
        lower_x, lower_y = -b * math.sin(angles[0] + angles[1]), b * math.cos(angles[0] + angles[1])
        upper_x, upper_y = lower_x - a * math.sin(angles[0]), lower_y + a * math.cos(angles[0])
        slope = np.array([u * upper_x + v * upper_y, u * lower_x + v * lower_y])
        return (u * u + v * v) / (a + b) ** 2, 2.0 * slope / (a + b) ** 2

    low, high = limits[0]
    first, best = (low, min(high, low + 2.0 * math.pi)), math.inf
    for piece in pieces(*limits[1], bend):
        upper, lower = np.linspace(*first, grid[0]), np.linspace(*piece, grid[1])
        errors = np.hypot(*off(upper[:, np.newaxis], lower))
        best = min(best, float(errors.min()))
        for place in np.argsort(errors, axis=None)[:starts]:
            i, j = divmod(int(place), grid[1])
            options = {"ftol": 1e-18, "gtol": 1e-14}
            found = minimize(
                squared, [upper[i], lower[j]], jac=True, bounds=[first, piece], method="L-BFGS-B", options=options
            )
            best = min(best, float(np.hypot(*off(*found.x))))
    return best
