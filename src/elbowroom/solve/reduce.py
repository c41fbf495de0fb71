"""Fewer keys for the same motion: leave out what a straight line between its neighbours says within a tolerance."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from elbowroom.rig.keys import Track

Array: TypeAlias = npt.NDArray[np.float64]


def reduced(times: Array, values: Array, tolerance: float) -> Track:
    """A linear Track through some of the samples that stays within `tolerance` of all of them.

    times : (T,) [s];  values : (T,), unwrapped if they are angles
    Ends are kept; of the samples between two keys the worst becomes a key while it is off by more than the
    tolerance. Source: U. Ramer (1972); D. H. Douglas and T. K. Peucker (1973), on vertical distance.
    """
    if len(times) == 1 or (values == values[0]).all():
        return Track(times[:1], values[:1])
    kept = {0, len(times) - 1}
    spans = [(0, len(times) - 1)]
    while spans:
        start, stop = spans.pop()
        if stop - start < 2:
            continue
        inside = slice(start + 1, stop)
        share = (times[inside] - times[start]) / (times[stop] - times[start])
        off = np.abs(values[start] + share * (values[stop] - values[start]) - values[inside])
        worst = int(off.argmax())
        if off[worst] > tolerance:
            middle = start + 1 + worst
            kept.add(middle)
            spans += [(start, middle), (middle, stop)]
    index = np.array(sorted(kept))
    return Track(times[index], values[index])
