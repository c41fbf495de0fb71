"""A keyed value: times, values, and how it gets from one key to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from elbowroom.errors import InputError
from elbowroom.kernel.reading import BIGGEST
from elbowroom.rig import bezier
from elbowroom.rig.channels import frozen

Array = npt.NDArray[np.float64]
Curve = Literal["stepped"] | tuple[float, ...] | None


class _Segments(NamedTuple):
    """The way from each key to the next, one row a key."""

    steps: npt.NDArray[np.bool_]  # (k,)
    curved: npt.NDArray[np.bool_]  # (k,)
    times: Array  # (k, m, 2) of the two control points, as parts of the segment, in [0, 1]
    values: Array  # (k, m, 2) of the two control points


@dataclass(frozen=True, eq=False)
class Track:
    """Keys of m values that move together; before the first and after the last key they are held.

    times : (k,) [s], rising, at least one;  values : (k, m), or (k,) for one value
    curves : the way from each key to the next, k of them or none: None is linear, "stepped" holds the value,
             (cx1, cy1, cx2, cy2) is a Bézier curve in time and value; for two values cy is the progress from
             0 to 1, or there are 8 numbers, 4 for each value. cx is kept inside the segment.

    Raises InputError naming the key.
    """

    times: Array
    values: Array
    curves: tuple[Curve, ...] = ()

    def __post_init__(self) -> None:
        times, values = frozen(self.times, "times"), frozen(self.values, "values")
        values = values[:, np.newaxis] if values.ndim == 1 else values
        _check(times, values)
        curves = tuple(_curve(c, i, values.shape[1]) for i, c in enumerate(self.curves))
        curves = curves or (None,) * len(times)
        if len(curves) != len(times):
            raise InputError(f"keys: {len(curves)} curves for {len(times)} keys (one each, or none)")
        for name, value in (("times", times), ("values", values), ("curves", curves)):
            object.__setattr__(self, name, value)

    def __len__(self) -> int:
        return len(self.times)

    @classmethod
    def from_keys(cls, keys: Sequence[Sequence[Any]], width: int, *, plain: Curve = None) -> Track:
        """Keys as a record has them, [time, `width` values…, curve?]; `plain` where no curve is written."""
        curves = tuple(_read_curve(key[1 + width]) if len(key) > 1 + width else plain for key in keys)
        return cls(
            np.array([key[0] for key in keys], dtype=np.float64),
            np.array([key[1 : 1 + width] for key in keys], dtype=np.float64),
            curves,
        )

    def to_keys(self, *, plain: Curve = None) -> list[list[Any]]:
        """The keys as a record has them; a curve that is `plain` is left out."""
        rows = zip(self.times.tolist(), self.values.tolist(), self.curves, strict=True)
        return [[time, *values, *_written(curve, plain)] for time, values, curve in rows]

    def sample(
        self,
        times: npt.ArrayLike,
        *,
        first: npt.NDArray[np.intp] | int = 0,
        last: npt.NDArray[np.intp] | int | None = None,
    ) -> Array:
        """The values at times (T,) [s]: (T, m). A time alone gives the same bits as among others.

        first, last : only these keys count, both included, for all times or (T,) for each
        """
        t = np.asarray(times, dtype=np.float64)
        if np.isnan(t).any():
            raise InputError("times: not a number (a time in seconds)")
        last = len(self) - 1 if last is None else last
        i = np.clip(np.searchsorted(self.times, t, side="right") - 1, first, last)
        j = np.minimum(i + 1, last)
        start, span = self.times[i], self.times[j] - self.times[i]
        inside = (t > start) & (span > 0.0) & ~self._segments.steps[i]
        progress = np.where(inside, t - start, 0.0) / np.where(span > 0.0, span, 1.0)
        out = self.values[i] + progress[:, np.newaxis] * (self.values[j] - self.values[i])
        curved = np.flatnonzero(inside & self._segments.curved[i])
        if curved.size:
            left = (self.times[j] - t)[curved] / span[curved]
            out[curved] = self._along(progress[curved], left, i[curved])
        return out

    def stepped(self) -> Track:
        """The same keys, each held until the next."""
        return Track(self.times, self.values, tuple("stepped" for _ in self.curves))

    def _along(self, progress: Array, left: Array, i: npt.NDArray[np.intp]) -> Array:
        """Values (s, m) on curved segments i, at a part (s,) of their time; `left` is the rest of it.

        The second half of a segment is walked from its end, where small differences keep their digits.
        """
        m, back = self.values.shape[1], (progress > left)[:, np.newaxis]
        times, points = self._segments.times[i], self._segments.values[i]
        early = np.where(back, 1.0 - times[..., 1], times[..., 0])
        late = np.where(back, 1.0 - times[..., 0], times[..., 1])
        gone = np.where(back, left[:, np.newaxis], progress[:, np.newaxis])
        u = bezier.parameter(np.repeat(gone, m), early.ravel(), late.ravel()).reshape(-1, m)
        start, end = (np.where(back, self.values[i + k], self.values[i + 1 - k]) for k in (1, 0))
        first, second = (np.where(back, points[..., 1 - k], points[..., k]) for k in (0, 1))
        return bezier.blend(u, start, first, second, end)

    @cached_property
    def _segments(self) -> _Segments:
        k, m = self.values.shape
        curved = np.array([isinstance(c, tuple) for c in self.curves])
        curved[-1] = False  # nothing follows the last key
        steps = np.array([c == "stepped" for c in self.curves])
        times, values = np.zeros((k, m, 2)), np.zeros((k, m, 2))
        for i in np.flatnonzero(curved).tolist():
            points = np.array(self.curves[i], dtype=np.float64).reshape(-1, 2, 2)  # (m or 1, 2 points, cx cy)
            start, end = self.values[i], self.values[i + 1]
            span = self.times[i + 1] - self.times[i]
            times[i] = np.clip((points[..., 0] - self.times[i]) / span, 0.0, 1.0)
            shared = len(points) < m
            values[i] = start[:, None] + points[..., 1] * (end - start)[:, None] if shared else points[..., 1]
        return _Segments(steps, curved, times, values)


def _check(times: Array, values: Array) -> None:
    if times.ndim != 1 or not times.size or values.ndim != 2 or len(values) != len(times):
        raise InputError(f"keys: times {times.shape}, values {values.shape} (as many rows of each, at least one)")
    if not (np.abs(times) <= BIGGEST).all() or not (np.abs(values) <= BIGGEST).all():
        raise InputError(f"keys: every time and value is a finite number of at most {BIGGEST:g}")
    back = np.flatnonzero(np.diff(times) <= 0.0)
    if back.size:
        i = int(back[0])
        raise InputError(f"keys: key {i + 1} at {times[i + 1]:g} s follows {times[i]:g} s (times rise)")


def _curve(curve: Any, i: int, width: int) -> Curve:
    if curve is None:
        return None
    if isinstance(curve, str) and curve == "stepped":
        return "stepped"
    numbers = () if isinstance(curve, str) else tuple(float(c) for c in curve)
    if len(numbers) not in {4, 4 * width} or not all(abs(c) <= BIGGEST for c in numbers):
        counts = "4" if width == 1 else f"4 or {4 * width}"
        raise InputError(f'keys: the curve of key {i} is {curve!r} (None, "stepped" or {counts} numbers)')
    return numbers


def _read_curve(written: Any) -> Any:
    if written == "linear":
        return None
    return written if isinstance(written, str) else tuple(written)


def _written(curve: Curve, plain: Curve) -> list[Any]:
    if curve == plain:
        return []
    return ["linear" if curve is None else curve if isinstance(curve, str) else list(curve)]
