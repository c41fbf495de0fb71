"""A Spine file beside our kernel, from Python and from the command line; skins of a check."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from elbowroom import load
from elbowroom.checks import check
from elbowroom.checks.compare import worst
from elbowroom.cli import main
from elbowroom.errors import RigError

SKELETON = {
    "skeleton": {"spine": "4.2.22"},
    "bones": [
        {"name": "root"},
        {"name": "hip", "parent": "root", "y": 180},
        {"name": "thigh", "parent": "hip", "length": 100, "rotation": -80, "scaleX": 1.2},
        {"name": "shin", "parent": "thigh", "length": 90, "x": 100, "y": 12, "rotation": -30},
        {"name": "head", "parent": "hip", "length": 20, "rotation": 90},
        {"name": "toe", "parent": "root", "x": 20},
    ],
    "ik": [
        {"name": "leg", "bones": ["thigh", "shin"], "target": "toe", "softness": 60, "bendPositive": False},
        {"name": "look", "order": 1, "bones": ["head"], "target": "toe"},
    ],
    "skins": [{"name": "default"}, {"name": "boots"}],
    "animations": {
        "step": {"bones": {"toe": {"translate": [{}, {"time": 0.5, "x": 20}, {"time": 1}]}}},
        "kick": {"bones": {"toe": {"translate": [{}, {"time": 0.5, "x": 60, "y": 20}, {"time": 1}]}}},
    },
}


@pytest.fixture
def file(tmp_path):
    """A leg with far too much softness and an uneven scale, in Spine 4.2."""
    (tmp_path / "leg.json").write_text(json.dumps(SKELETON), "utf-8")
    return tmp_path / "leg.json"


def test_our_kernel_is_told_beside_the_runtime(file):
    """Both misses, the gain and how far the ends are apart, for every animation and constraint."""
    report = check(load(file), only="reach", improve=True)
    told = report.to_dict()["summary"]["improve"]
    assert [(d["animation"], d["constraint"]) for d in told] == [
        ("step", "leg"), ("step", "look"), ("kick", "leg"), ("kick", "look"),
    ]  # fmt: skip
    missed = {f.animation: f.value for f in report.findings if f.constraint == "leg"}
    for each in told[::2]:
        assert each["parity"] == pytest.approx(missed[each["animation"]])
        assert each["gain"] == each["parity"] - each["ours"]
        assert each["apart"] >= abs(each["gain"]) - 1e-9
        assert each["apart"] > 0.01
    assert all(each["parity"] < 1e-3 for each in told[1::2])  # a bone that aims: no distance


def test_the_table_has_the_worst_of_each_constraint(file):
    """One line for each constraint on the command line, with the animation it is worst in."""
    report = check(load(file), improve=True)
    rows = {each.constraint: each for each in worst(report.improved)}
    assert list(rows) == ["leg", "look"]
    assert rows["leg"].parity == max(d.parity for d in report.improved if d.constraint == "leg")
    shown = CliRunner().invoke(main, ["check", str(file), "--only", "reach", "--improve"]).stdout.splitlines()
    assert "As its runtime solves it, and by our kernel (units)" in shown
    [line] = [line for line in shown if line.startswith("leg ") and " in " not in line]
    assert line.split()[1] == rows["leg"].animation
    assert float(line.split()[2]) == pytest.approx(rows["leg"].parity, abs=5e-4)


def test_it_is_asked_for(file, project):
    """Without it the report says nothing of it; a native rig has nothing to compare, which is said."""
    assert "improve" not in check(load(file), only="reach").to_dict()["summary"]
    done = CliRunner().invoke(
        main, ["check", str(project / "examples/rigs/scout.rig.json"), "--improve", "--only", "reach"]
    )
    assert done.exit_code == 0
    assert "--improve: there is nothing to compare" in done.output


def test_a_skin_is_worn(file):
    """A skin of the file is taken, another one refused with the closest."""
    rig = load(file)
    assert check(rig, skin="boots", only="reach").animations == ("step", "kick")
    with pytest.raises(RigError, match=r'skin "boot" does not exist \(did you mean "boots"\?\)'):
        check(rig, skin="boot")
    done = CliRunner().invoke(main, ["check", str(file), "--skin", "boot"])
    assert (done.exit_code, 'skin "boot" does not exist' in done.output) == (2, True)
