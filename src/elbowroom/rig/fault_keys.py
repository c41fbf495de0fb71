"""Faults of keys: times that do not rise, values that are missing, curves that are none."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from elbowroom.errors import closest
from elbowroom.rig import record
from elbowroom.rig.paths import Log, Path, quote

_CURVES = ("stepped", "linear")
_FORMS = {1: "[time, value, curve?]", 2: "[time, x, y, curve?]"}
_COUNTS = {1: "one was", 2: "two were"}

Test = Callable[[float], str]  # what is wrong with a value, or ""


def check_keys(
    keys: Sequence[record.Key],
    width: int,
    path: Path,
    log: Log,
    *,
    test: Test | None = None,
    steps: bool = False,
) -> None:
    """Note every fault of keys [time, `width` values…, curve?].

    test : what else a value must be;  steps : the keys step anyway, a curve has no meaning
    """
    before: float | None = None
    for i, key in enumerate(keys):
        count = next((n for n, part in enumerate(key) if not isinstance(part, float)), len(key))
        values, rest = key[1:count], key[count:]
        if count == 0:
            log.add((*path, i), f"a key begins with its time: {_FORMS[width]}")
            continue
        if len(values) != width:
            text = f"{len(values)} values after the time ({_COUNTS[width]} expected: {_FORMS[width]})"
            log.add((*path, i), text)
        elif rest:
            _check_curve(rest, width, (*path, i), log, steps)
        for v, value in enumerate(values if test else ()):
            if text := test(value):  # type: ignore[misc,arg-type]
                log.add((*path, i, v + 1), text)
        before = check_time(key[0], before, (*path, i, 0), log)  # type: ignore[arg-type]


def check_time(time: float, before: float | None, path: Path, log: Log) -> float:
    """Note a time below 0 or not after the one before; return it."""
    if time < 0.0:
        log.add(path, f"time {time:g} is before the clip begins (0 or later)")
    if before is not None and time <= before:
        log.add(path, f"time {time:g} does not come after {before:g} (times rise from key to key)")
    return time


def check_words(
    keys: Sequence[tuple[float, str]], path: Path, log: Log, test: Callable[[Path, str], None]
) -> None:
    """Note every fault of keys [time, word]; `test` notes what is wrong with a word."""
    before: float | None = None
    for i, (time, word) in enumerate(keys):
        before = check_time(time, before, (*path, i, 0), log)
        test((*path, i, 1), word)


def _check_curve(
    rest: Sequence[float | str | list[float]], width: int, path: Path, log: Log, steps: bool
) -> None:
    curve, where = rest[0], (*path, width + 1)
    if len(rest) > 1:
        log.add(path, f"{width + 1 + len(rest)} parts ({_FORMS[width]} was expected)")
    elif isinstance(curve, str) and curve not in _CURVES:
        log.add(
            where, f'{quote(curve)} is no curve{closest(curve, _CURVES)} ("stepped" or [cx1, cy1, cx2, cy2])'
        )
    elif steps and curve != "stepped":
        log.add(where, "these keys step, there is no curve between them (leave it out)")
    elif isinstance(curve, list) and len(curve) not in {4, 4 * width}:
        more = " or 8" if width == 2 else ""
        log.add(where, f"a curve of {len(curve)} numbers (4{more} were expected: cx1, cy1, cx2, cy2)")


def check_frame(frame: record.Frame, path: Path, log: Log) -> None:
    """Note the faults of a frame's values: keys, and a scale of 0 that nothing ever changes."""
    for name in ("x", "y", "rotation_deg"):
        value = getattr(frame, name)
        if isinstance(value, list):
            _check_some(value, 1, (*path, name), log)
    where, scale = (*path, "scale"), frame.scale
    parts = scale if isinstance(scale, list) else [scale]
    numbers = [part for part in parts if isinstance(part, float)]
    if numbers and len(numbers) == len(parts):
        if isinstance(scale, list) and len(parts) != 2:
            log.add(where, f"{len(parts)} numbers (a factor or [sx, sy] was expected)")
        elif 0.0 in numbers:
            what = "point" if not any(numbers) else "line"
            log.add(where, f"the space is squashed to a {what} and has no inverse (a scale other than 0)")
    elif numbers:
        log.add(where, "numbers and keys are mixed (a factor, [sx, sy] or keys [time, sx, sy])")
    else:
        _check_some([part for part in parts if isinstance(part, list)], None, where, log)


def _check_some(keys: Sequence[record.Key], width: int | None, path: Path, log: Log) -> None:
    """Keys that stand for a number: at least one. Without a width the first key tells it, one or two."""
    if not keys:
        log.add(path, "no keys (a number, or at least one key [time, value])")
        return
    check_keys(keys, width or scale_width(keys), path, log)


def scale_width(keys: Sequence[record.Key]) -> int:
    """One value or two, as the first key has it."""
    numbers = [part for part in keys[0][1:] if isinstance(part, float)] if keys else []
    return 2 if len(numbers) == 2 else 1
