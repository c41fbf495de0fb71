"""Samples of a track that are not a number: where they are, for the message that refuses them."""

from __future__ import annotations

from typing import Any

SHOWN = 5


def gaps(points: Any) -> str:
    """" (samples 3 to 5, 9 are gaps: ...)", or "" where no number of (T, ...) `points` is NaN."""
    try:
        rows = points.tolist() if hasattr(points, "tolist") else list(points)
    except TypeError:
        return ""
    runs: list[list[int]] = []
    for i in (i for i, row in enumerate(rows if isinstance(rows, list) else ()) if _missing(row)):
        if runs and runs[-1][1] == i - 1:
            runs[-1][1] = i
        else:
            runs.append([i, i])
    if not runs:
        return ""
    parts = [f"{a}" if a == b else f"{a} to {b}" for a, b in runs[:SHOWN]]
    more = len(runs) - len(parts)
    listed = ", ".join(parts) + (f" and {more} more" if more else "")
    one = len(runs) == 1
    many = "samples" if not one or runs[0][0] != runs[0][1] else "sample"
    what = f"{many} {listed} {'are' if many == 'samples' else 'is'} {'a gap' if one else 'gaps'}"
    them = "them" if many == "samples" else "it"
    return f" ({what}: fill {them}, or drop {them} and give times)"


def _missing(value: Any) -> bool:
    """Whether a number of a nested list is NaN."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return any(map(_missing, value))
    return isinstance(value, float) and value != value
