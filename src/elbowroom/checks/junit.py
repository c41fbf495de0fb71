"""A report as JUnit XML, which build servers show: a test case for each check of the rig, and each animation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias
from xml.etree import ElementTree

if TYPE_CHECKING:
    from elbowroom.checks.report import Finding, Report

Key: TypeAlias = tuple[str, str]  # code of a check, name of an animation or RIG
RIG = "rig"  # the case of what is not about an animation
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_junit(report: Report, fail_on: str) -> str:
    """The XML text; findings at least as bad as `fail_on` are failures, the others output of their case."""
    cases = _cases(report)
    for finding in report.findings:
        cases.setdefault(_case_of(finding), []).append(finding)
    skips = _skips(report)
    bad = report.at_least(fail_on)
    failed = sum(any(finding in bad for finding in found) for found in cases.values())
    left_out = sum(key in skips and not found for key, found in cases.items())
    counts = {"tests": str(len(cases)), "failures": str(failed), "errors": "0", "skipped": str(left_out)}
    suites = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(suites, "testsuite", {"name": _clean(report.file or "elbowroom"), **counts})
    for key, found in cases.items():
        _case(suite, key, found, bad, "" if found else skips.get(key, ""))
    ElementTree.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(suites, encoding="unicode") + "\n"


def _cases(report: Report) -> dict[Key, list[Finding]]:
    """A case for each check of a rig, and for each animation of those that look at animations; empty."""
    return {
        (code, name): []
        for code in report.checks
        for name in ((RIG,) if _of_rig(code) else report.animations or (RIG,))
    }


def _case_of(finding: Finding) -> Key:
    return finding.code, RIG if _of_rig(finding.code) else finding.animation or RIG


def _of_rig(code: str) -> bool:
    """Whether a check looks at the rig alone, once for all of its animations."""
    from elbowroom.checks import CHECKS  # it reports by way of this module

    return code in CHECKS and CHECKS[code].of_take is None


def _skips(report: Report) -> dict[Key, str]:
    """What a check could not look at, and why."""
    left_out: dict[Key, str] = {}
    for sentence in report.skipped:
        for skip in getattr(sentence, "skips", ()):  # of sentences about a check
            left_out[skip.code, skip.animation or RIG] = skip.reason
    return left_out


def _case(suite: ElementTree.Element, key: Key, found: list[Finding], bad: tuple[Finding, ...], skipped: str) -> None:
    code, name = key
    case = ElementTree.SubElement(suite, "testcase", {"classname": _clean(f"elbowroom.{code}"), "name": _clean(name)})
    if skipped:
        ElementTree.SubElement(case, "skipped", {"message": _clean(skipped)})
    failures = [str(finding) for finding in found if finding in bad]
    if failures:
        first = ElementTree.SubElement(case, "failure", {"message": _clean(failures[0])})
        first.text = _clean("\n".join(failures))
    rest = [str(finding) for finding in found if finding not in bad]
    if rest:
        ElementTree.SubElement(case, "system-out").text = _clean("\n".join(rest))


def _clean(text: str) -> str:
    """Without the characters that XML cannot hold."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
