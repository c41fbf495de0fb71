"""When a foot stands on the ground, found in the motion itself.

A foot that stands is low, and it rests in the world, or seen from its hip it keeps one speed: that of the ground below
a walker, or none. While it swings it is higher, or goes up, down or the other way. All of this has two thresholds, so
that noise at one of them does not chop a contact up: a strict one that a contact has to meet somewhere, and a loose one
that it may not leave.

Source: the detector of motion-capture cleaning with the speed taken in the hip's space, so that a foot that slides
along with the character is a contact as well: in the world it would move, and be missed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from elbowroom.checks.kind import Array, Mask
from elbowroom.solve.geometry import norm

Runs = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Sense:
    """What counts as standing, in leg lengths; pairs are (strict, loose).

    height : above the ground
    speed : [1/s] off the contact's own, or in the world;  faster : the same as a fraction of the contact's own
    rise : [1/s] up or down;  shortest : [s];  over : [s] a speed is measured over
    """

    height: tuple[float, float] = (0.04, 0.06)
    speed: tuple[float, float] = (0.25, 0.5)
    faster: tuple[float, float] = (0.25, 0.5)
    rise: tuple[float, float] = (0.25, 0.5)
    shortest: float = 0.1
    over: float = 0.1


DEFAULT = Sense()


def contacts(
    foot: Array, hip: Array, times: Array, leg: float, *, ground: Array | None = None, sense: Sense = DEFAULT
) -> Runs:
    """The contacts of one foot, (k, 2): first frame, and the one after the last.

    foot, hip : (T, 2) [length] in the world;  times : (T,) [s];  leg : [length] its reach
    ground : (T,) [length] height of the ground below the foot; None: the lowest the foot gets in the clip, which finds
             fewer contacts on slopes and stairs
    """
    if len(times) < 2 or leg <= 0.0:
        return np.zeros((0, 2), dtype=np.int64)
    height = (foot[:, 1] - (foot[:, 1].min() if ground is None else ground)) / leg
    seen, world = (velocity(way, times, sense.over) / leg for way in (foot - hip, foot))
    strict, loose = (height <= bound for bound in sense.height)
    found = np.zeros((0, 2), dtype=np.int64)
    for low in joined(strict, loose):
        run = slice(*low)
        even = joined(*_even(seen[run], world[run], strict[run], sense)) + low[0]
        found = np.concatenate([found, even])
    return found[times[np.maximum(found[:, 1] - 1, 0)] - times[found[:, 0]] >= sense.shortest * (1.0 - 1e-9)]


def _even(seen: Array, world: Array, low: Mask, sense: Sense) -> tuple[Mask, Mask]:
    """Where a low foot rests, or keeps to the speed it has most of the time it is down: strictly, loosely.

    seen, world : (m, 2) [leg lengths / s] seen from the hip, and in the world; neither up nor down in one of them
    """
    usual = float(np.median(seen[low, 0]))
    off = np.minimum(np.abs(seen[:, 0] - usual), np.abs(world[:, 0]))
    rise = np.minimum(np.abs(seen[:, 1]), np.abs(world[:, 1]))
    strict, loose = (
        (off <= max(bound, share * abs(usual))) & (rise <= steep)
        for bound, share, steep in zip(sense.speed, sense.faster, sense.rise, strict=True)
    )
    return strict & low, loose


def joined(strict: Mask, loose: Mask) -> Runs:
    """The runs (k, 2) of `loose` frames that hold a `strict` one: a hysteresis that knows the future."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], loose, [False]]).astype(np.int8)))
    runs = edges.reshape(-1, 2).astype(np.int64)
    count = np.append(0, np.cumsum(strict & loose))
    return runs[count[runs[:, 1]] > count[runs[:, 0]]]


def velocity(values: Array, times: Array, over: float) -> Array:
    """How fast values (T, ...) change, (T, ...) [1/s], from `over` / 2 before to as much after.

    One-sided at the ends.
    """
    reach = max(1, round(over / 2.0 / float(np.median(np.diff(times)))))
    index = np.arange(len(times))
    before, after = np.maximum(index - reach, 0), np.minimum(index + reach, len(times) - 1)
    passed = (times[after] - times[before]).reshape(-1, *[1] * (values.ndim - 1))
    return np.asarray((values[after] - values[before]) / passed)


def spread(way: Array) -> float:
    """How far apart the two ends of a way (m,) are [length]; 0 for none."""
    return float(way.max() - way.min()) if len(way) else 0.0


def reach_of(joints: Array) -> float:
    """The middle length [length] of a limb whose joints are (T, n+1, 2), along its bones."""
    return float(np.median(norm(np.diff(joints, axis=1)).sum(axis=-1)))


@dataclass(frozen=True)
class Footing:
    """What a bare track says of one foot: the frames that touch, and how it slides in them over ground that rests.

    slide : [length] the furthest in one contact;  step : [length] the furthest from one frame to the next
    warning : what the speed limit hides, or ""
    """

    frames: tuple[int, ...]
    slide: float
    step: float
    warning: str = ""


def footing(foot: Array, *, ground: float = 0.0, band: float, fastest: float = np.inf) -> Footing:
    """The contacts of a track (T, 2) [length] by height alone, or of slow frames only.

    ground : [length];  band : [length] above it that still touches
    fastest : [length per frame] a foot on the ground that is faster does not count, but is warned of: a limit on the
              speed hides the feet that skate
    """
    points = np.asarray(foot, dtype=np.float64).reshape(-1, 2)
    low = points[:, 1] - ground <= band
    speed = np.abs(np.gradient(points[:, 0])) if len(points) > 1 else np.zeros(len(points))
    touching = low & (speed <= fastest)
    runs = joined(touching, touching)
    steps = [np.abs(np.diff(points[start:stop, 0])) for start, stop in runs]
    hidden = int((low & ~touching).sum())
    count = f"{hidden} frame{'' if hidden == 1 else 's'} at ground height move{'s' if hidden == 1 else ''}"
    return Footing(
        tuple(np.flatnonzero(touching).tolist()),
        max((spread(points[start:stop, 0]) for start, stop in runs), default=0.0),
        max((float(step.max()) for step in steps if len(step)), default=0.0),
        f"{count} faster than the contact speed: possible skating" if hidden else "",
    )
