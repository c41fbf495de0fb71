"""What the checks found: findings, worst first, and how to write them down."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from elbowroom.checks.junit import to_junit
from elbowroom.errors import InputError, closest

if TYPE_CHECKING:
    from elbowroom.checks.compare import Difference

SEVERITIES = ("error", "warning", "info")  # the worst first
_LISTED = 4  # names in a sentence


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing an eye would catch: one for each code, animation and constraint, at its worst frame.

    code : of the check;  severity : one of SEVERITIES
    message : what is wrong, in words;  hint : what to do about it
    animation, constraint : names, or None where there is none
    frame, time : [index], [s] of the worst sample;  frames : how many samples it concerns
    value, limit : what was measured there and what it should not exceed;  unit : of both
    why : the causes that acted at that frame, as in Why;  causes : cause -> number of samples
    """

    code: str
    severity: str
    message: str
    hint: str = ""
    animation: str | None = None
    constraint: str | None = None
    frame: int | None = None
    time: float | None = None
    frames: int = 0
    value: float | None = None
    limit: float | None = None
    unit: str = ""
    why: tuple[str, ...] = ()
    causes: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.severity} {self.code}: {self.sentence}"

    @property
    def sentence(self) -> str:
        """Message and hint."""
        return f"{self.message} — {self.hint}" if self.hint else self.message

    def to_dict(self) -> dict[str, Any]:
        """Plain data, JSON's own types."""
        data = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        return data | {"why": list(self.why), "causes": dict(self.causes)}


@dataclass(frozen=True)
class Skip:
    """What a check could not look at, and why: one animation, None for the setup pose."""

    code: str
    reason: str
    animation: str | None = None


@dataclass(frozen=True)
class Measure:
    """What a check measured in an animation, whether or not anything is wrong: plain data for the summary."""

    code: str
    animation: str | None
    values: Mapping[str, Any]


@dataclass(frozen=True)
class Report:
    """Findings, worst severity first.

    file : what was checked, if it was a file
    animations : the animations looked at;  frames : samples in all of them
    checks : codes of the checks that ran;  skipped : sentences about what could not be looked at
    measured : code -> animation -> what was measured there, plain data
    improved : how our kernel differs from the runtime's rules, for each animation and constraint; None: not asked
    """

    findings: tuple[Finding, ...] = ()
    file: str = ""
    animations: tuple[str, ...] = ()
    frames: int = 0
    checks: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    measured: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    improved: tuple[Difference, ...] | None = None

    def __post_init__(self) -> None:
        ordered = sorted(self.findings, key=lambda finding: SEVERITIES.index(finding.severity))
        object.__setattr__(self, "findings", tuple(ordered))

    def __str__(self) -> str:
        return "\n".join([*map(str, self.findings), *self.skipped, self.headline])

    @property
    def counts(self) -> dict[str, int]:
        """Severity -> number of findings."""
        return {s: sum(finding.severity == s for finding in self.findings) for s in SEVERITIES}

    @property
    def headline(self) -> str:
        """'2 errors, 1 info in 3 animations (181 frames)'."""
        found = ", ".join(counted(n, _WORDS[severity]) for severity, n in self.counts.items() if n)
        where = counted(len(self.animations), "animation") if self.animations else "the setup pose"
        return f"{found or 'no findings'} in {where} ({counted(self.frames, 'frame')})"

    def at_least(self, severity: str) -> tuple[Finding, ...]:
        """The findings that are as bad as `severity` or worse; InputError for an unknown one."""
        if severity not in SEVERITIES:
            known = ", ".join(SEVERITIES)
            raise InputError(f'severity: "{severity}" is none of {known}{closest(severity, SEVERITIES)}')
        worst = SEVERITIES[: SEVERITIES.index(severity) + 1]
        return tuple(finding for finding in self.findings if finding.severity in worst)

    def to_dict(self) -> dict[str, Any]:
        """Plain data: file, findings, summary."""
        summary = {
            **self.counts,
            "animations": list(self.animations),
            "frames": self.frames,
            "checks": list(self.checks),
            "skipped": list(map(str, self.skipped)),
            **{code: dict(values) for code, values in self.measured.items()},
            **({} if self.improved is None else {"improve": [each.to_dict() for each in self.improved]}),
        }
        return {"file": self.file, "findings": [f.to_dict() for f in self.findings], "summary": summary}

    def to_json(self) -> str:
        """JSON text of `to_dict`; never NaN or Infinity in it."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False)

    def to_junit(self, fail_on: str = "error") -> str:
        """JUnit XML; findings at least as bad as `fail_on` are failures."""
        return to_junit(self, fail_on)


_WORDS = {"error": "error", "warning": "warning", "info": "remark"}


def counted(number: int, what: str) -> str:
    """'1 frame', '2 frames'."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def short(number: float) -> str:
    """A number as people write one: three decimals at most."""
    if number == 0.0 or 1e-3 <= abs(number) < 1e6:
        return f"{number:.3f}".rstrip("0").rstrip(".")
    return f"{number:.3g}"


def tally(causes: Iterable[str]) -> dict[str, int]:
    """Cause -> how often, the most frequent first."""
    counts: dict[str, int] = {}
    for cause in causes:
        counts[cause] = counts.get(cause, 0) + 1
    return dict(sorted(counts.items(), key=lambda item: -item[1]))


class Skipped(str):
    """A sentence about what a check could not look at; .skips (Skip, …) are what it is about."""

    skips: tuple[Skip, ...]

    @classmethod
    def of(cls, skips: list[Skip]) -> Skipped:
        """The sentence for some animations left out by one check for one reason."""
        names = [f'"{skip.animation}"' if skip.animation else "the setup pose" for skip in skips]
        sentence = cls(f"{skips[0].code} skipped {_listed(names)}: {skips[0].reason}")
        sentence.skips = tuple(skips)
        return sentence


def skipped(skips: Iterable[Skip]) -> tuple[Skipped, ...]:
    """A sentence for each check and reason, with the animations it is about."""
    grouped: dict[tuple[str, str], list[Skip]] = {}
    for skip in skips:
        grouped.setdefault((skip.code, skip.reason), []).append(skip)
    return tuple(map(Skipped.of, grouped.values()))


def gathered(measures: Iterable[Measure]) -> dict[str, dict[str, Any]]:
    """code -> animation -> values; the setup pose is called ""."""
    found: dict[str, dict[str, Any]] = {}
    for measure in measures:
        found.setdefault(measure.code, {})[measure.animation or ""] = dict(measure.values)
    return found


def _listed(names: list[str]) -> str:
    more = [f"{len(names) - _LISTED} more"] if len(names) > _LISTED else []
    *most, last = [*names[:_LISTED], *more]
    return f"{', '.join(most)} and {last}" if most else last
