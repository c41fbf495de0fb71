"""jitter: an elbow trembles.

What it means
  The angle of an elbow or knee shakes faster than anybody moves: what is above 12 Hz in it, as a root mean square in
  degrees. Beside it stands the limb's gain: by how many degrees the elbow turns, at that distance, for each unit the
  target moves. It tells whether the target is noisy or the limb touchy. Frames whose mix is 0 are not looked at.
  Severity: warning.

Threshold
  More than 0.5 degrees within any second (or within the whole clip, if it is shorter).
  `thresholds={"jitter": DEGREES}` replaces it.
  How it is measured: the unwrapped angle less its low-pass, a windowed sinc (Hamming) of 12 Hz that reaches 0.25 s to
  both sides; the ends of the clip, where it does not fit, are left out. What is more than 4 times the median is cut
  down to that, so that a single jump or a hard contact is no tremble: the check "pop" is about those.
  Clips of less than 0.75 s, of fewer than 30 frames a second, or with an uneven clock are skipped, and the report says
  so.

What causes it, and how to cure it
  The target is noisy, as from a camera or a network: "smooth": "savgol" in the constraint filters it in its own space,
  before solving.
  The limb is touchy: near the end of its reach the gain of a hard limb has no bound. Raise "softness", or move the
  body so that the limb is less straight.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from elbowroom.checks.kind import Array, Check, Mask, Take
from elbowroom.checks.report import Finding, Skip, short
from elbowroom.kernel.angles import unwrap
from elbowroom.kernel.reach import gain
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.units import RADIANS
from elbowroom.solve.geometry import norm

TREMBLE = 0.5  # [deg] rms
CUTOFF = 12.0  # [Hz]
ARM = 0.25  # [s] how far the filter reaches to each side
WINDOW = 1.0  # [s] the rms is taken over
SHORTEST = 0.25  # [s] of what the filter leaves of a clip
SLOWEST = 30.0  # [1/s] fewer frames do not show 12 Hz
OUTLIER = 4.0  # medians
SOFT = 0.08  # the most softness a hint asks for


@dataclass(frozen=True)
class Trembles:
    """rms (k,) [deg] of what is above 12 Hz in k windows of `width` frames that begin at `starts` (k,)."""

    rms: Array
    starts: npt.NDArray[np.int64]
    width: int


def find(take: Take, threshold: float | None) -> Iterator[Finding | Skip]:
    """A finding for each elbow that trembles; a Skip for a clip that cannot show it."""
    if len(take.keyed) < 2 or not take.elbows:
        return
    frames, reason = usable(take.keyed.times, take.keyed.fps)
    if reason:
        yield take.skip("jitter", reason)
        return
    bound = TREMBLE if threshold is None else threshold
    for limb in take.elbows:
        on = take.mixes[limb.name][:frames] > 0.0
        found = trembles(take.turns(limb.bones[1])[:frames], on, take.keyed.fps)
        if (found.rms > bound).any():
            yield _finding(take, limb, found, bound)


def usable(times: Array, fps: float) -> tuple[int, str]:
    """How many frames of a clock (T,) [s] can be filtered, and why none can; a last frame off the beat is left out."""
    even = np.abs(np.diff(times) * fps - 1.0) <= 1e-3
    frames = len(times) - (0 if even[-1] else 1)
    if fps < SLOWEST:
        return 0, f"fewer than {SLOWEST:g} frames a second cannot show what is above {CUTOFF:g} Hz"
    if frames - 1 < (2.0 * ARM + SHORTEST) * fps * (1.0 - 1e-9):
        return 0, f"shorter than {2.0 * ARM + SHORTEST:g} s"
    if not even[: frames - 1].all():
        return 0, "its frames are not evenly spaced in time"
    return frames, ""


def high_pass(fps: float) -> Array:
    """The filter's taps (2 h + 1,): a windowed sinc with h = 0.25 s. Source: any text on FIR design by windows."""
    h = round(ARM * fps)
    n = np.arange(-h, h + 1)
    low = np.sinc(2.0 * CUTOFF / fps * n) * np.hamming(2 * h + 1)
    return np.asarray((n == 0) - low / low.sum())


def trembles(angle: Array, on: Mask, fps: float) -> Trembles:
    """What is above 12 Hz in an angle (T,) [rad], in windows that overlap by half; 0 in those that are not all `on`."""
    rest = np.convolve(np.asarray(unwrap(angle)) / RADIANS, high_pass(fps), "valid")
    h, width = round(ARM * fps), min(round(WINDOW * fps), len(rest))
    starts = np.unique(np.append(np.arange(0, len(rest) - width, max(width // 2, 1)), len(rest) - width))
    size = np.abs(sliding_window_view(rest, width)[starts])
    size = np.minimum(size, OUTLIER * np.median(size, axis=-1, keepdims=True))
    off = np.append(0, np.cumsum(~on))
    whole = off[starts + width + 2 * h] == off[starts]
    return Trembles(np.where(whole, np.sqrt(np.mean(size * size, axis=-1)), 0.0), starts + h, width)


def _finding(take: Take, limb: IKConstraint, found: Trembles, bound: float) -> Finding:
    worst = int(found.rms.argmax())
    span = slice(found.starts[worst], found.starts[worst] + found.width)
    shaking = np.zeros(len(take.keyed), dtype=np.bool_)
    for start in found.starts[found.rms > bound]:
        shaking[start : start + found.width] = True
    frame, frames = int(span.start + found.width // 2), int(shaking.sum())
    here, best = gains(take, limb, span)
    turn = f"by {short(here)}°" if np.isfinite(here) else "without bound"
    ease = f", or raise softness to {SOFT:g}: the gain is {short(best)}° at most then" if here > best else ""
    return take.finding(
        limb,
        frame,
        code="jitter",
        severity="warning",
        message=f'{limb.name} {take.place}: the elbow at "{limb.bones[1]}" trembles by {short(found.rms[worst])}° rms '
        f"above {CUTOFF:g} Hz around frame {frame} ({take.keyed.times[frame]:.3f} s){take.often(frames)}; one unit of "
        f"target movement turns it {turn} at that distance (gain)",
        hint=f'smooth the target ("smooth": "savgol"){ease}',
        frames=frames,
        value=float(found.rms[worst]),
        limit=bound,
        unit="deg rms",
    )


def gains(take: Take, limb: IKConstraint, span: slice) -> tuple[float, float]:
    """[deg / length] the closed-form gain at the middle distance of some frames, and the most there is at 8 %.

    A hard limb whose target lies out of its reach has the gain of the bound: it trembles where the target comes back.
    """
    joints = take.joints(limb)[span]
    stretch = np.asarray(take.solutions[limb.name].stretch)[span]
    a, b = (float(np.median(length)) for length in (norm(np.diff(joints, axis=1)) / stretch[:, np.newaxis]).T)
    distance = float(np.median(norm(take.goal(limb)[span] - joints[:, 0])))
    if limb.softness == 0.0:
        distance = min(max(distance, abs(a - b)), a + b)
    here = gain(distance, a, b, softness=limb.softness, curve=limb.curve)
    return here / RADIANS, gain((a + b) * (1.0 - SOFT), a, b) / RADIANS


CHECK = Check(code="jitter", page=__doc__, of_take=find)
