"""Lines of a bench table: what is claimed, what was measured, and whether it holds."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Line:
    """One line: what was measured, and what it is held against.

    formula : the closed form; within : how far `measured` may lie off it
    bound : the most that `measured` may be
    """

    group: str
    name: str
    measured: float
    formula: float | None = None
    within: float | None = None
    bound: float | None = None
    unit: str = ""

    @property
    def passed(self) -> bool | None:
        """Whether the line holds; None for one that only informs."""
        if self.within is not None and self.formula is not None:
            return abs(self.measured - self.formula) <= self.within
        return None if self.bound is None else self.measured <= self.bound


def ratios(yardstick: Callable[[], Any], *others: Callable[[], Any], rounds: int = 9) -> list[float]:
    """Median time of each of `others` as a multiple of the yardstick, measured in turn in one run."""
    for run in (yardstick, *others):
        run()
    shares: list[list[float]] = [[] for _ in others]
    for _ in range(rounds):
        unit = seconds(yardstick)
        for share, run in zip(shares, others, strict=True):
            share.append(seconds(run) / unit)
    return [statistics.median(share) for share in shares]


def seconds(run: Callable[[], Any]) -> float:
    """Wall time of one call [s]."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def report(lines: Sequence[Line], *, as_json: bool) -> int:
    """Print the table (or JSON) and return the exit code: 1 if a bound is broken."""
    failed = [line for line in lines if line.passed is False]
    if as_json:
        import json

        print(json.dumps({"lines": [asdict(line) | {"passed": line.passed} for line in lines]}, indent=1))
        return 1 if failed else 0
    group = ""
    for line in lines:
        if line.group != group:
            group = line.group
            print(f"\n{group}\n  {'':46}{'closed form':>16}{'measured':>16}{'at most':>14}")
        print(f"  {line.name:46}{_text(line.formula)}{_text(line.measured)}{_text(line.bound, 14)}  {_mark(line)}")
    print(f"\n{len(lines)} lines, {len(failed)} failed")
    return 1 if failed else 0


def _text(value: float | None, width: int = 16) -> str:
    return " " * width if value is None else f"{value:>{width}.6g}"


def _mark(line: Line) -> str:
    verdict = {None: "", True: "PASS", False: "FAIL"}[line.passed]
    return f"{line.unit:12} {verdict}".rstrip()
