"""Limbs that went wrong for somebody: the collected cases, each solved and compared with what it should be.

Input and expected values are read from the shared data; `test_cases_own.py` holds some that always run.
"""

from __future__ import annotations

import json

import pytest
from cases.ops import OPS

CASES = [
    *("F01", "F02", "F03", "F05", "F06", "H04", "H05", "H06", "K01", "K07", "L02"),
    *("L04", "L05", "L06", "L08", "L09", "L10", "M02", "M03", "M05", "M08", "N01"),
    *("N02", "N03", "N06", "N09", "N10", "N11", "N12", "N13", "O01", "Q02", "Q03"),
    *("Q04", "S01", "S02", "S06", "S07", "T01", "X03", "Y01", "Z05", "Z06"),
]


@pytest.fixture(scope="session")
def cases(shared):
    """All cases by id."""
    return {case["id"]: case for case in json.loads((shared / "cases.json").read_text("utf-8"))}


@pytest.mark.parametrize("name", CASES)
def test_case(name, cases, tmp_path):
    """The case comes out as its expected values say."""
    values, wanted = cases[name]["input"], cases[name]["expected"]
    OPS[values["op"]](values, wanted, tmp_path)
