"""`elbowroom bench noise`: what a shaking target does to the elbow, and what softness and filters do about it.

The limb is 150 and 125 long, the noise one unit (a pixel) on each axis, the clock 60 fps. Closed forms stand beside
what is measured on solved limbs; random numbers have fixed seeds, so every run prints the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from elbowroom.bench.table import Line, report
from elbowroom.kernel.angles import unwrap
from elbowroom.kernel.fk import fk
from elbowroom.kernel.reach import CURVES, gain
from elbowroom.kernel.savgol import weights
from elbowroom.kernel.smooth import smooth
from elbowroom.kernel.two_bone import two_bone

Array: TypeAlias = npt.NDArray[np.float64]

A, B = 150.0, 125.0
REACH, HOLE = A + B, A - B
DEG = 180.0 / math.pi
SOFT = (0.03, 0.05, 0.08)
FPS = 60.0
REST = 272.0  # distance of a target that should stand still
FILTERS: dict[str, dict[str, Any]] = {
    "half_life 0.05 s": {"method": "half_life"},
    "one_euro": {"method": "one_euro"},
    "one_euro, min_cutoff 0.5 Hz": {"method": "one_euro", "min_cutoff": 0.5},
    "savgol 15, 3": {"method": "savgol"},
    "savgol 31, 3": {"method": "savgol", "window": 31},
}


def run(*, as_json: bool = False) -> int:
    """Print the table; 1 if a line fails."""
    return report([*gains(), *swings(), *shortfalls(), *spreads(), *at_rest(), *in_motion()], as_json=as_json)


def largest_gain(softness: float) -> float:
    """The largest |d elbow / d distance| [rad/unit] from sqrt(L l) on: that where the band begins."""
    ring = HOLE / REACH
    inside = softness * (2 - softness) * ((1 - softness) ** 2 - ring**2)
    return 2 * (1 - softness) / (REACH * math.sqrt(inside))


def elbow(d: Any, **more: Any) -> Array:
    """Bend [rad] of limbs that reach for (d, 0)."""
    distances = np.asarray(d, dtype=np.float64)
    return np.asarray(-solved(np.stack([distances, 0 * distances], axis=-1), **more)[..., 1])


def solved(targets: Array, **more: Any) -> Array:
    """Both angles (..., 2) [rad] of limbs that reach for targets (..., 2)."""
    return np.asarray(two_bone((0.0, 0.0), targets, A, B, **more).angles)


def steepest(softness: float, curve: str, count: int = 40_000) -> float:
    """The largest |change of the elbow| / |change of the distance| [rad/unit] of random pairs.

    The distances of a pair differ by a thousandth to ten units; none is below sqrt(L l), and half are at the onset.
    """
    rng = np.random.default_rng(11)
    least, onset = math.sqrt(REACH * HOLE), REACH * (1 - softness)
    near = rng.uniform(onset, onset + 0.01, count)
    d = np.concatenate([rng.uniform(least, 400.0, count), near])
    step = np.concatenate([10.0 ** rng.uniform(-3, 1, count), np.full(count, 1e-3)])
    bent = [elbow(at, softness=softness, curve=curve) for at in (d, d + step)]
    return float((np.abs(bent[1] - bent[0]) / step).max())


def gains() -> Iterator[Line]:
    """Largest gain, closed and as found among random pairs of targets."""
    group = "Largest gain from sqrt(L l) on, degrees per unit"
    for softness in SOFT:
        told = largest_gain(softness)
        for curve in CURVES:
            found, name = steepest(softness, curve), f"softness {softness:.0%}, {curve}"
            yield Line(group, name, found * DEG, told * DEG, 5e-4, unit="deg")
            yield Line(group, "  measured less the closed form [rad]", found - told, bound=1e-6, unit="rad")
    hard = float((elbow(274.0) - elbow(275.0)) * DEG)
    told = 180.0 - math.acos((A * A + B * B - 274.0**2) / (2 * A * B)) * DEG
    yield Line(group, "hard clamp, one unit in from full reach", hard, told, 1e-9, unit="deg")


def swings() -> Iterator[Line]:
    """The most that the elbow differs within a disc of one unit, wherever the disc is."""
    group = "Worst swing of the elbow in a disc of radius 1, degrees"
    turn = np.linspace(0.0, 2 * math.pi, 8, endpoint=False)
    disc = np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    middle = np.arange(1500, 3200)[:, None] / 10.0
    targets = disc + np.stack([middle, 0 * middle], axis=-1)
    told = 180.0 - math.acos((A * A + B * B - (REACH - 2) ** 2) / (2 * A * B)) * DEG
    yield Line(group, "hard clamp", float(np.ptp(solved(targets)[..., 1], axis=1).max() * DEG), told, 0.05, unit="deg")
    for softness in SOFT:
        for curve in CURVES:
            bent = solved(targets, softness=softness, curve=curve)[..., 1] * DEG
            most = 2 * largest_gain(softness) * DEG
            worst = float(np.ptp(bent, axis=1).max())
            yield Line(group, f"softness {softness:.0%}, {curve}", worst, bound=most, unit="deg")


def shortfalls() -> Iterator[Line]:
    """What softness costs: how far the limb stays behind a target at full reach."""
    group = "Shortfall at full reach, units"
    left = {"exponential": math.exp(-1.0), "cubic": (2 / 3) ** 3, "quadratic": 0.25}
    for softness in SOFT:
        for curve, share in left.items():
            short = two_bone((0.0, 0.0), (REACH, 0.0), A, B, softness=softness, curve=curve).error
            yield Line(group, f"softness {softness:.0%}, {curve}", short, softness * REACH * share, 1e-9, unit="length")


def spreads(count: int = 40_000) -> Iterator[Line]:
    """Standard deviation of the elbow; under softness never more than the largest gain, as no slope is steeper."""
    group = "Elbow under Gaussian noise of 1 on each axis, standard deviation in degrees"
    noise = np.random.default_rng(12).normal(size=(count, 2))
    for d in (200.0, 274.0, 275.0):
        for softness in (0.0, *SOFT):
            spread = float(solved(noise + np.array((d, 0.0)), softness=softness)[:, 1].std() * DEG)
            name = f"at {d:g}, {f'softness {softness:.0%}' if softness else 'hard clamp'}"
            most = largest_gain(softness) * DEG if softness else None
            yield Line(group, name, spread, bound=most, unit="deg")


def at_rest(frames: int = 5000) -> Iterator[Line]:
    """A target that should stand still, filtered before the solve and, for comparison, as angles after it.

    The closed form is the gain at that place times what a filter leaves of white noise.
    """
    noisy = np.random.default_rng(13).normal(size=(frames, 2)) + np.array((REST, 0.0))
    for softness, known in ((0.05, True), (0.0, False)):
        what = f"softness {softness:.0%}" if softness else "hard clamp"
        group = f"Target at rest at {REST:g}, {what}: deviation of the elbow in degrees"
        slope = gain(REST, A, B, softness=softness) * DEG
        yield Line(group, "no filter", _calm(solved(noisy, softness=softness)), unit="deg")
        for name, options in FILTERS.items():
            told = slope * _left(options) if known and _left(options) else None
            before, after = _both(noisy, options, softness)
            within = None if told is None else 0.05 * told
            yield Line(group, f"{name}, before the solve", _calm(before), told, within, unit="deg")
            yield Line(group, f"{name}, after it", _calm(after), unit="deg")


def in_motion(frames: int = 1800) -> Iterator[Line]:
    """A moving target, near and far: how late the elbow is, and how far off elbow and hand are."""
    times = np.arange(frames) / FPS
    noisy = _path(times) + np.random.default_rng(14).normal(size=(frames, 2))
    clean = solved(_path(times), softness=0.05)
    rows: list[tuple[str, Array, float | None]] = [("no filter", solved(noisy, softness=0.05), 0.0)]
    for name, options in FILTERS.items():
        before, after = _both(noisy, options, 0.05)
        rows += [(f"{name}, before the solve", before, _late(options)), (f"{name}, after it", after, None)]
    for name, angles, told in rows:
        group = "Moving target, softness 5%: lag of the elbow in milliseconds"
        yield Line(group, name, _lag(angles), told, None if told is None else 3.0, unit="ms")
    for name, angles, _ in rows:
        off = _rms((angles - clean)[:, 1:]) * DEG
        yield Line("The same: rms error of the elbow in degrees", name, off, unit="deg")
    for name, angles, _ in rows:
        off = _rms(_hand(angles) - _hand(clean))
        yield Line("The same: rms error of the hand in units", name, off, unit="length")


def _both(targets: Array, options: dict[str, Any], softness: float) -> tuple[Array, Array]:
    """Angles (T, 2) of the filtered target, and filtered angles, in degrees as a degree is about as large as a unit."""
    before = solved(smooth(targets, FPS, **options), softness=softness)
    raw = unwrap(solved(targets, softness=softness), axis=0)
    return before, smooth(raw * DEG, FPS, **options) / DEG


def _calm(angles: Array) -> float:
    return float(angles[60:, 1].std() * DEG)


def _rms(vectors: Array) -> float:
    return float(np.sqrt((vectors[60:] ** 2).sum(axis=-1).mean()))


def _path(times: Array) -> Array:
    """Where the hand should be (T, 2): between 150 and 280 away, at up to 230 units a second."""
    return np.stack([215 + 55 * np.sin(3.7 * times), 60 * np.sin(2.3 * times)], axis=-1)


def _hand(angles: Array) -> Array:
    return np.asarray(fk((0.0, 0.0), angles, (A, B))[..., 2, :])


def _lag(angles: Array) -> float:
    """The delay [ms] at which the undisturbed elbow is nearest to this one."""
    times = np.arange(len(angles)) / FPS
    delays = np.arange(-10, 101) / 1000.0
    fine = np.arange(-0.25, times[-1] + 0.05, 0.001)
    known = solved(_path(fine), softness=0.05)[:, 1]
    off = [float(((np.interp(times - late, fine, known) - angles[:, 1])[60:] ** 2).sum()) for late in delays]
    return float(delays[int(np.argmin(off))] * 1000.0)


def _left(options: dict[str, Any]) -> float | None:
    """What a linear filter leaves of the deviation of white noise."""
    if options["method"] == "savgol":
        window = options.get("window", 15)
        return math.sqrt(weights(window, 3)[window // 2][window // 2])
    kept = 2.0 ** (-1.0 / FPS / 0.05)
    return math.sqrt((1 - kept) / (1 + kept)) if options["method"] == "half_life" else None


def _late(options: dict[str, Any]) -> float | None:
    """How far a linear filter lags behind even motion [ms]."""
    kept = 2.0 ** (-1.0 / FPS / 0.05)
    return {"savgol": 0.0, "half_life": 1000.0 / FPS * kept / (1 - kept)}.get(options["method"])
