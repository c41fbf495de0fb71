"""Chains that went wrong for somebody: the collected cases, with every method of chain_ops.METHODS.

Input and expected values are read from the shared data; the marks are bounds for all methods, whichever one the case
names. E08 and F07, about the angle of a hand or a foot, are cases of whole limbs.
"""

from __future__ import annotations

import json

import pytest
from chain_ops import METHODS, OPS

CASES = ("C01", "E01", "E02", "E03", "E04", "E05", "E06", "E11", "E12", "F04", "H01", "L11", "L12", "L13", "S08", "Z04")


@pytest.fixture(scope="session")
def cases(shared):
    """All cases by id."""
    return {case["id"]: case for case in json.loads((shared / "cases.json").read_text("utf-8"))}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", CASES)
def test_case(name, method, cases):
    """The case comes out as its expected values say."""
    values = cases[name]["input"]
    OPS[values["op"]](values, cases[name]["expected"], METHODS[method])
