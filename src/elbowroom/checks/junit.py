"""A report as JUnit XML, which build servers show: a test case for each check and animation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree

if TYPE_CHECKING:
    from elbowroom.checks.report import Finding, Report

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_junit(report: Report, fail_on: str) -> str:
    """The XML text; findings at least as bad as `fail_on` are failures, the others output of their case."""
    cases: dict[tuple[str, str], list[Finding]] = {
        (code, name): [] for code in report.checks for name in report.animations or ("rig",)
    }
    for finding in report.findings:
        cases.setdefault((finding.code, finding.animation or "rig"), []).append(finding)
    bad = report.at_least(fail_on)
    failed = sum(any(finding in bad for finding in found) for found in cases.values())
    counts = {"tests": str(len(cases)), "failures": str(failed), "errors": "0"}
    suites = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(suites, "testsuite", {"name": _clean(report.file or "elbowroom"), **counts})
    for (code, name), found in cases.items():
        _case(suite, code, name, found, bad)
    ElementTree.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(suites, encoding="unicode") + "\n"


def _case(
    suite: ElementTree.Element, code: str, name: str, found: list[Finding], bad: tuple[Finding, ...]
) -> None:
    case = ElementTree.SubElement(suite, "testcase", {"classname": _clean(f"elbowroom.{code}"), "name": _clean(name)})
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
