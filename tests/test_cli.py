"""The command line: what it prints, where, and with which exit code."""

from __future__ import annotations

import csv
import json
import math
import os
import pathlib
import subprocess
import sys
from contextlib import suppress
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

import elbowroom
from elbowroom.checks import CHECKS
from elbowroom.cli import main, say
from elbowroom.cli.app import COMMANDS
from elbowroom.formats import load
from elbowroom.solve import solve

RIG = {
    "format": "elbowroom-rig/1",
    "name": "scout",
    "bones": [
        {"name": "hip", "y": 85},
        {"name": "thigh", "parent": "hip", "length": 50, "rotation_deg": -80},
        {"name": "shin", "parent": "thigh", "x": 50, "length": 45, "rotation_deg": -15},
    ],
    "constraints": [
        {
            "name": "leg",
            "bones": ["thigh", "shin"],
            "on_miss": "accept",
            "target": {"position": [0, 5], "space": "world"},
        },
    ],
    "clips": {
        "stand": {"bones": {"hip": {"x": [[0, 0], [0.5, 4]]}}},
        "step": {"targets": {"leg": {"position": [[0, 0, 5], [1, 64, 5]], "space": [[0, "world"]]}}},
    },
}
SOLVE = ("solve", "--upper", "150", "--lower", "125")


def run(*words: object) -> Result:
    """One call of the program."""
    return CliRunner().invoke(main, [str(word) for word in words])


def error(*words: object) -> str:
    """What a call says that ends with 2: one line on stderr and nothing else."""
    result = run(*words)
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    assert result.stderr.startswith("elbowroom: ")
    assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("elbowroom: ").strip()


def process(*words: object, code: str = "import elbowroom.__main__ as m; m.main()", **more: object) -> object:
    """A real process; `code` has the words as sys.argv[1:]."""
    call = [sys.executable, "-W", "error", "-c", code, *map(str, words)]
    return subprocess.run(call, capture_output=True, text=True, check=False, **more)


@pytest.fixture
def rig(tmp_path: pathlib.Path) -> pathlib.Path:
    """A rig with one leg, which misses in the animation "step"."""
    return write(tmp_path / "scout.rig.json", RIG)


def write(path: pathlib.Path, data: object) -> pathlib.Path:
    """A JSON file."""
    path.write_text(json.dumps(data), "utf-8")
    return path


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_an_example(command):
    """Every command explains itself, with an example that begins like what one would type."""
    result = run(command, "--help")
    assert result.exit_code == 0
    assert f"elbowroom {command}" in result.stdout.split("Example:")[1]


def test_help_and_version():
    """Without a command the help, which lists them all; --version says which."""
    assert run().stdout == run("--help").stdout
    assert all(f"\n  {name} " in run().stdout for name in COMMANDS)
    assert (run().exit_code, run("--version").stdout) == (0, f"elbowroom {elbowroom.__version__}\n")


@pytest.mark.parametrize("words", [["--help"], ["solve", "--help"], [*SOLVE, "--target", "200,0", "--json"]])
def test_light_commands_load_nothing_heavy(words):
    """Help, and solving one limb, work where NumPy, msgspec and rich cannot be imported."""
    block = "import sys; sys.modules.update(dict.fromkeys(['numpy', 'msgspec', 'rich', 'numba']))\n"
    done = process(*words, code=block + "import elbowroom.__main__ as m; m.main()")
    assert (done.returncode, done.stderr) == (0, "")


def test_solve_json_is_what_was_promised():
    """The 150/125 limb at distance 200: joints, angles, triangle, ring and gain."""
    answer = json.loads(run(*SOLVE, "--target", "200,0", "--json").stdout)
    assert list(answer) == [
        "joints", "angles_deg", "interior_elbow_deg", "shoulder_offset_deg", "error", "reached", "why", "annulus",
        "gain_deg", "over_deg", "side_shut",
    ]  # fmt: skip
    assert answer["joints"][2] == [200.0, 0.0]
    assert answer["interior_elbow_deg"] == pytest.approx(92.8659839)
    assert answer["shoulder_offset_deg"] == pytest.approx(38.6248329)
    assert answer["angles_deg"] == pytest.approx([38.6248329, -87.1340161])
    assert (answer["error"], answer["reached"], answer["why"], answer["annulus"]) == (0.0, True, [], [25.0, 275.0])
    assert answer["gain_deg"] == pytest.approx(math.degrees(400 / math.sqrt((275**2 - 200**2) * (200**2 - 25**2))))


def test_solve_says_what_it_missed():
    """A miss is an answer: exit 0, the distance and the causes; an infinite gain is null."""
    far = json.loads(run(*SOLVE, "--target", "300,0", "--json", "--bend", "-1").stdout)
    assert (far["error"], far["reached"], far["why"], far["gain_deg"]) == (25.0, False, ["FAR"], 0.0)
    assert json.loads(run(*SOLVE, "--target", "275,0", "--json").stdout)["gain_deg"] is None
    stretched = json.loads(run(*SOLVE, "--target", "300,0", "--max-stretch", "0.05", "--json").stdout)
    assert stretched["why"] == ["FAR", "STRETCH"]
    text = run(*SOLVE, "--target", "300,0").stdout
    assert "miss      25 (not reached)   FAR" in text
    assert "reach     25 to 275" in text


def test_solve_keeps_within_limits():
    """--limits-deg: the nearest point of the limited limb, LIMIT, and how far outside the unlimited answer lies."""
    free = json.loads(run(*SOLVE, "--target", "140,160", "--json").stdout)
    assert free["over_deg"] == [0.0, 0.0]
    words = [*SOLVE, "--target", "140,160", "--limits-deg", "-120:20, -110:-10"]
    held = json.loads(run(*words, "--json").stdout)
    assert (held["why"], held["reached"], held["gain_deg"]) == (["LIMIT"], False, 0.0)
    assert held["angles_deg"] == pytest.approx([20.0, -10.0])
    assert held["over_deg"] == pytest.approx([free["angles_deg"][0] - 20.0, 0.0])
    text = run(*words).stdout
    assert "limits    upper -120° to 20° (without: 64.0814° above)   lower -110° to -10°\n" in text
    assert "miss      151.516 (not reached)   LIMIT\n" in text
    assert "limits" not in run(*SOLVE, "--target", "140,160").stdout


def test_angles_in_limits_are_those_of_the_range():
    """An elbow range above 180° gives angles up there; the angle inside the elbow stays between 0° and 180°."""
    words = [*SOLVE, "--target", "100,20", "--json"]
    plain = json.loads(run(*words).stdout)
    turned = json.loads(run(*words, "--limits-deg", "-180:180,190:340").stdout)
    assert turned["angles_deg"][1] == pytest.approx(plain["angles_deg"][1] + 360.0)
    for name in ("interior_elbow_deg", "shoulder_offset_deg", "gain_deg"):
        assert turned[name] == pytest.approx(plain[name])


def test_gain_under_a_limit_is_that_of_the_limited_elbow():
    """With the upper bone held at 20° the lower one turns as a single bone that aims from there."""
    words = [*SOLVE, "--target", "200,0", "--limits-deg", "0:20,-180:0", "--json"]
    held = json.loads(run(*words).stdout)
    x, y = (end - joint for end, joint in zip((200.0, 0.0), held["joints"][1], strict=True))
    assert held["why"] == ["LIMIT"]
    assert held["gain_deg"] == pytest.approx(math.degrees(abs(y) / (x * x + y * y)), rel=1e-6)


@pytest.mark.parametrize(
    "words", [["-20,5"], ["=-20,5"], ["-20, 5"], [" -20 5 "], ["-20 ,5"], ["-2e1,+5."]], ids=lambda words: words[0]
)
def test_points_may_be_negative_and_spaced(words):
    """However a point is typed, it is the same point."""
    [word] = words
    target = ["--target" + word] if word.startswith("=") else ["--target", word]
    result = run("solve", "--upper", "10", "--lower", "12", *target, "--json")
    assert json.loads(result.stdout)["joints"][2] == [-20.0, 5.0]


@pytest.mark.parametrize(
    ("point", "said"),
    [
        ("200", '"200" is not a point (two numbers x,y such as 200,-12.5)'),
        ("1,2,3", '"1,2,3" is not a point (two numbers x,y such as 200,-12.5)'),
        ("", '"" is not a point (two numbers x,y such as 200,-12.5)'),
        ("a,2", '"a" is not a number (such as 12.5)'),
        ("1_0,2", '"1_0" is not a number (such as 12.5)'),
        ("nan,2", "nan is not a finite number"),
        ("1,-inf", "-inf is not a finite number"),
        ("1e999,0", "inf is not a finite number"),
        ("1e200,0", "1e+200 is too large (numbers go to ±1e150)"),
        ("x\x1b[31m,1", '"x\\x1b[31m" is not a number (such as 12.5)'),
    ],
)
def test_odd_points_are_refused(point, said):
    """Every way to type no point has its sentence, safe for a terminal."""
    assert error(*SOLVE, "--target", point).removesuffix(" (elbowroom solve --help shows an example)") == (
        f"solve --target: {said}"
    )


def test_huge_and_tiny_limbs_solve():
    """Up to the largest numbers there is an answer, and it is JSON."""
    for upper, target in (("1e150", "1e150,1e150"), ("1e-300", "-1e150,0"), ("0", "0,0")):
        result = run("solve", "--upper", upper, "--lower", upper, "--target", target, "--root", "-1e150,0", "--json")
        assert result.exit_code == 0, result.output
        assert json.loads(result.stdout)["joints"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["wlak"], 'there is no command "wlak" (known: solve, info, check, explain, bake, render, schema, bench)'),
        (["chekc"], 'there is no command "chekc" (did you mean "check"?)'),
        ([*SOLVE, "--traget", "1,2"], 'solve: there is no option --traget (did you mean "--target"?)'),
        ([*SOLVE], "solve --target: missing (elbowroom solve --help shows an example)"),
        ([*SOLVE, "--target", "1,2", "x"], "solve: got unexpected extra argument (x)"),
        (["solve", "--upper", "-1"], "solve --upper: -1 is out of range (give at least 0)"),
        (["solve", "--upper"], "solve --upper: requires an argument"),
        ([*SOLVE, "--target", "1,2", "--softness", "2"], "solve --softness: 2 is out of range (give 0 to 1)"),
        (
            [*SOLVE, "--limits-deg", "0:1"],
            'solve --limits-deg: "0:1" is not two ranges (degrees low:high of the upper and the lower bone, such as '
            "-120:60,-150:0)",
        ),
        (
            [*SOLVE, "--limits-deg", "9:1,0:1"],
            "solve --limits-deg: 9:1 of the upper bone is upside down (such as 1:9)",
        ),
        (
            [*SOLVE, "--limits-deg", "0:x,0:1"],
            'solve --limits-deg: 0:x of the upper bone: "x" is not a number (such as 12.5)',
        ),
        (
            [*SOLVE, "--limits-deg", "0:nan,0:1"],
            "solve --limits-deg: 0:nan of the upper bone: nan is not a finite number (elbowroom solve --help shows an "
            "example)",
        ),
        (
            [*SOLVE, "--limits-deg", "0:1,-5"],
            'solve --limits-deg: "0:1,-5" is not two ranges: "-5" is no range (degrees low:high of the upper and the '
            "lower bone, such as -120:60,-150:0)",
        ),
        (
            [*SOLVE, "--limits-deg", "0:1,9:2"],
            "solve --limits-deg: 9:2 of the lower bone is upside down (such as 2:9)",
        ),
        ([*SOLVE, "--json=1"], "solve --json: does not take a value"),
        (["info"], "info FILE: missing (elbowroom info --help shows an example)"),
        (["info", ""], 'info FILE: "" is no name of a file (elbowroom info --help shows an example)'),
        (["check", "a", "--workers", "2"], "check --workers: not supported yet in this version"),
        (["check", "a", "--dask", "b"], "check --dask: not supported yet in this version"),
        (["check", "a", "--fps", "0"], "check --fps: 0 is out of range (give more than 0)"),
        (["check", "a", "--fps", "-5"], "check --fps: -5 is out of range (give more than 0)"),
        (["check", "a", "--threshold", "pop"], 'check --threshold: "pop" is not CODE=NUMBER (such as pop=20)'),
        (["check", "a", "--threshold", "pop=x"], 'check --threshold: "x" is not a number (such as 12.5)'),
        (["check", "a", "--threshold", "pop=-1"], "check --threshold: -1 is out of range (give at least 0)"),
        (["check", "a", "--only", ","], 'check --only: "," names nothing (names with commas between them)'),
        (["explain", "rech"], 'explain CODE: there is no check or cause "rech" (did you mean "reach"?)'),
        (["explain", "FAR|NAER"], 'explain CODE: there is no check or cause "NAER" (did you mean "NEAR"?)'),
        (["bench", "walk"], "bench walk: not supported yet in this version"),
        (["bake", "a", "-o", "b", "--skin", "s"], "bake --skin: not supported yet in this version"),
        (["bake", "a", "-o", "b"], "b: its name does not tell the format (end it in .rig.json or .csv, or give --to)"),
        (["bake", "a", "-o", "b", "--to", "spine-4.2"], "bake --to spine-4.2: not supported yet in this version"),
        (["bake", "a", "-o", "b", "--to", "cvs"], 'bake --to: there is no format "cvs" (did you mean "csv"?)'),
        (["render", "a", "--size", "0x9"], "render --size: 0x9 is out of range (1 to 10000 pixels a side)"),
    ],
)
def test_wrong_calls_are_one_sentence(words, said):
    """Where, what, and what would be right, on one line; exit 2."""
    assert error(*words) == said


def test_files_that_cannot_be_read(tmp_path, rig):
    """Missing files, folders, what is no JSON, what is no rig: one sentence, exit 2, for every command."""
    out = ("-o", tmp_path / "o.csv")
    for command, more in (("info", ()), ("check", ()), ("bake", out), ("render", out)):
        assert error(command, tmp_path / "scuot.rig.json", *more).endswith('(did you mean "scout.rig.json"?)')
        assert "this is a folder, not a file" in error(command, tmp_path, *more)
        odd = tmp_path / "odd\nname.json"
        odd.write_text('{"format": ', "utf-8")
        assert "the JSON ends early" in error(command, odd, *more)
        faulty = write(tmp_path / "faulty.json", RIG | {"facing": 2, "bonse": []})
        assert "faulty.json: 2 faults: $" in error(command, faulty, *more)
        odd.unlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["faulty.json", "scout.rig.json"]


def test_info_tells_what_is_in_a_rig(rig):
    """Bones, constraints, animations, spaces and features, as tables and as JSON."""
    data = json.loads(run("info", rig, "--json").stdout)
    assert data["bones"][1] == {"name": "thigh", "parent": "hip", "length": 50.0}
    assert [c["bones"] for c in data["constraints"]] == [["thigh", "shin"]]
    assert [(a["name"], a["duration"]) for a in data["animations"]] == [("stand", 0.5), ("step", 1.0)]
    assert data["uses"] == ["IK with 2 bones", "keyed targets"]
    text = run("info", rig).stdout
    for part in ('native rig "scout", uses IK with 2 bones, keyed targets', "shin   thigh   45", "0, 5 in world"):
        assert part in text


def test_check_reports(rig):
    """Exit 1 for an error; the same findings as lines and as JSON; --animation and --max-miss narrow it."""
    result = run("check", rig, "--json")
    report = json.loads(result.stdout)
    assert (result.exit_code, result.stderr, report["file"]) == (1, "", str(rig))
    finding, hard = report["findings"]
    assert (finding["animation"], finding["constraint"], finding["why"]) == ("step", "leg", ["FAR"])
    assert (hard["code"], hard["severity"]) == ("softness", "info")
    lines = run("check", rig).stdout.splitlines()
    assert lines[0].startswith(f"error reach: {finding['message']} — ")
    assert lines[-1] == "1 error, 1 remark in 2 animations (92 frames)"
    assert run("check", rig, "--animation", "stand").exit_code == 0
    assert run("check", rig, "--max-miss", "9").exit_code == 0
    assert error("check", rig, "--animation", "stpe") == f'{rig}: clip "stpe" does not exist (did you mean "step"?)'
    assert error("check", rig, "--only", "rech") == f'{rig}: only: there is no check "rech" (did you mean "reach"?)'


def test_check_takes_targets_and_writes_junit(rig, tmp_path):
    """Target tracks replace the rig's own, their warnings stand on stderr; JUnit lands in its file."""
    track = tmp_path / "leg.csv"
    track.write_text("time,x,y\n0,0,5\n1,nan,5\n2,1,6\n", "utf-8")
    result = run("check", rig, "--targets", track, "--json", "--junit", tmp_path / "report.xml")
    findings = json.loads(result.stdout)["findings"]
    assert (result.exit_code, [finding["code"] for finding in findings]) == (0, ["softness"])
    assert result.stderr.splitlines() == [
        f'elbowroom: warning: {track}: line 3: x is "nan": left out',
        'elbowroom: "stand" lasts 0.5 s, the target tracks 2 s (what is later is not used)',
        'elbowroom: "step" lasts 1 s, the target tracks 2 s (what is later is not used)',
        "elbowroom: the target tracks are laid over 2 animations: stand, step (choose with --animation)",
    ]
    one = run("check", rig, "--targets", track, "--animation", "step")
    assert "laid over" not in one.stderr
    assert '"step" lasts 1 s' in one.stderr
    suite = ElementTree.parse(tmp_path / "report.xml").getroot()[0]
    each = sum(1 if check.of_take is None else 2 for check in CHECKS.values())  # the rig, or two animations
    assert (suite.get("tests"), suite.get("failures")) == (str(each), "0")


def test_check_takes_thresholds(rig):
    """--threshold replaces the bound of one check, several of several; --max-miss is that of reach."""
    for words, severities in (
        ((), ["error", "info"]), (("--threshold", "softness=0"), ["error"]), (("--threshold", "reach=9"), ["info"]),
        (("--threshold", "softness=0", "--threshold", "reach=9"), []), (("--max-miss", "9"), ["info"]),
    ):  # fmt: skip
        report = json.loads(run("check", rig, "--json", *words).stdout)
        assert [finding["severity"] for finding in report["findings"]] == severities, words
    text = f'{rig}: thresholds: there is no check "rech" (did you mean "reach"?)'
    assert error("check", rig, "--threshold", "rech=1") == text


def test_fail_on_warning_widens(tmp_path):
    """A warning alone is exit 0, and 1 with --fail-on warning; advice is told once."""
    limb = RIG["constraints"][0] | {"limits_deg": [[-90, 90], [10, 90]]}
    path = write(tmp_path / "shut.rig.json", RIG | {"constraints": [limb]})
    result = run("check", path, "--only", "lint-rig")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("warning lint-rig: $.constraints[0].limits_deg[1]: ")
    assert run("check", path, "--only", "lint-rig", "--fail-on", "warning").exit_code == 1
    assert 'info limit: leg in "step": "shin" stops at its lower limit of 10°' in run("check", path).stdout
    assert run("info", path).stderr.startswith(f"elbowroom: warning: {path}: $.constraints[0].limits_deg[1]: ")


def test_explain_prints_the_page():
    """The page of a check, or the list of all."""
    assert run("explain", "reach").stdout.startswith("reach: a limb does not get to its target.\n\nWhat it means\n")
    assert [line.split(":")[0] for line in run("explain").stdout.splitlines()] == list(CHECKS)
    for word in ("FAR", "far"):
        text = run("explain", word).stdout
        assert text.startswith("  FAR         The target is beyond")
        assert text.endswith("(from the page of reach: elbowroom explain reach)\n")
        assert "NEAR" not in text
    both = run("explain", "FAR|SOFT").stdout
    assert both.startswith("  FAR  ")
    assert "\n  SOFT  " in both
    known = error("explain", "zzzzzz")
    assert all(name in known for name in (*CHECKS, *CHECKS["reach"].causes))


def test_schema_is_json():
    """The schema of the record, nothing else."""
    assert json.loads(run("schema").stdout)["title"] == "elbowroom rig"


def test_bake_writes_keys_and_prints_misses(rig, tmp_path):
    """The baked rig has keys in place of constraints; misses are told; --max-miss makes them exit 1."""
    out = tmp_path / "baked.rig.json"
    result = run("bake", rig, "-o", out)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(f"wrote {out} (2 animations, ")
    assert 'miss: leg in "step": the tip of "shin" stops' in result.stdout
    baked = load(out)
    assert (baked.constraints, baked.clips) == ((), ("stand", "step"))
    assert {"thigh", "shin"} <= set(baked.animation("stand").bones)
    assert run("bake", rig, "-o", out, "--max-miss", "1").exit_code == 1
    assert run("bake", rig, "-o", out, "--max-miss", "20").exit_code == 0
    again = run("bake", rig, "-o", out, "--animation", "stand")
    assert "every limb reaches its target at full mix" in again.stdout
    assert load(out).clips == ("stand",)
    options = ("--keep-constraints", "--match", "--tolerance", "0", "--fps", "10")
    run("bake", rig, "-o", out, "--animation", "stand", *options)
    assert (len(load(out).constraints), load(out).clips) == (1, ("stand", "step"))
    assert error("bake", rig, "-o", out, "--animation", "x").startswith(f'{rig}: clip "x" does not exist')


def test_bake_measures_what_it_wrote(rig, tmp_path):
    """The miss printed is that of the keys: thinned out, matched, or solved again where constraints are kept."""
    out = tmp_path / "baked.rig.json"
    words = ("bake", rig, "-o", out, "--animation", "stand", "--max-miss", "0.001", "--tolerance")
    thin, whole = run(*words, "3"), run(*words, "0")
    assert "the keys are only as near as the tolerance of baking asks (KEYS)" in thin.stdout
    assert "every limb reaches its target at full mix" in whole.stdout
    assert (thin.exit_code, whole.exit_code) == (1, 0)
    data = json.loads(json.dumps(RIG))
    still = {"bones": {"hip": {"x": [[0, 0], [0.5, 0]]}}, "mix": {"leg": [[0, 1], [0.2, 1], [0.3, 0]]}}
    fading = write(tmp_path / "fading.rig.json", data | {"clips": {"stand": still}})
    assert "the mix is below 1 (MIX)" in run("bake", fading, "-o", out).stdout
    matched = run("bake", fading, "-o", out, "--match").stdout
    assert matched.splitlines()[1:] == ["every limb reaches its target at full mix"]


def test_bake_tells_of_a_mix_that_pulls_twice(rig, tmp_path):
    """Constraints kept with a mix between 0 and 1 are told; those of full or no mix are not."""
    out, data = tmp_path / "baked.rig.json", json.loads(json.dumps(RIG))
    assert run("bake", rig, "-o", out, "--keep-constraints").stderr == ""
    data["clips"]["stand"]["mix"] = {"leg": [[0, 1], [0.2, 1], [0.3, 0]]}
    fading = write(tmp_path / "fading.rig.json", data)
    told = run("bake", fading, "-o", out, "--keep-constraints").stderr
    assert told.startswith('elbowroom: "leg" is kept with a mix between 0 and 1 in "stand": a player that solves ')
    assert run("bake", fading, "-o", out).stderr == ""


def test_solve_tells_where_limits_shut_the_side():
    """The side that bend asks for is gone: said in words and JSON, and the remark "without" speaks of that side."""
    words = [*SOLVE, "--target", "200,0", "--limits-deg", "-180:180,30:150"]
    text = run(*words).stdout
    assert "side      the limits leave nothing of the side that bend asks for, so the elbow is on the other" in text
    assert "lower 30° to 150° (without, on the side of bend: 117.1340° below)" in text
    assert json.loads(run(*words, "--json").stdout)["side_shut"] is True
    for more in (["--bend", "-1"], ["--bend", "0"]):
        assert json.loads(run(*words, "--json", *more).stdout)["side_shut"] is False
        assert "leave nothing" not in run(*words, *more).stdout
    assert json.loads(run(*SOLVE, "--target", "200,0", "--json").stdout)["side_shut"] is False


def test_bake_to_a_table(rig, tmp_path):
    """One row for each frame and bone; the tips are the solved ones, in the world."""
    out = tmp_path / "baked.csv"
    assert run("bake", rig, "-o", out, "--fps", "10", "--tolerance", "5").exit_code == 0
    rows = list(csv.DictReader(out.read_text("utf-8").splitlines()))
    assert ",".join(rows[0]) == "time,animation,frame,bone,x,y,rotation_deg,scale_x,scale_y,tip_x,tip_y"
    assert len(rows) == (6 + 11) * 3
    shin = [row for row in rows if row["bone"] == "shin" and row["animation"] == "step"]
    for i, row in enumerate(shin[:8]):  # every frame as it was solved, not thinned out
        found = [float(row[key]) for key in ("time", "frame", "x", "tip_x", "tip_y")]
        assert found == pytest.approx([0.1 * i, i, 50, 6.4 * i, 5])


def test_bake_takes_tracks(rig, tmp_path):
    """A track with a space of its own moves the limb; that space is in the baked rig only where the track is."""
    track, out = tmp_path / "leg.json", tmp_path / "o.csv"
    spaces = {"door": {"parent": "world", "x": 10}}
    write(track, {"tracks": {"leg": [[0, -10, 5], [3, 20, 5]]}, "space": "door", "spaces": spaces})
    result = run("bake", rig, "-o", out, "--targets", track, "--animation", "step")
    assert result.exit_code == 0, result.output
    assert 'note: "step" lasts 1 s' in result.stderr.replace("elbowroom:", "note:")
    last = out.read_text("utf-8").splitlines()[-1].split(",")
    assert [float(x) for x in last[-2:]] == pytest.approx([10, 5])
    baked = tmp_path / "baked.rig.json"
    run("bake", rig, "-o", baked, "--targets", track)
    assert load(baked).frames == {}
    run("bake", rig, "-o", baked, "--targets", track, "--keep-constraints")
    assert load(baked).animation("step").targets["leg"].space_names == ("door",)
    assert load(baked).frames["door"].x == 10.0
    kept = load(baked)  # what is in it solves to the same
    assert solve(kept, kept.clip("step", 10))[0].tips()[10, 2] == pytest.approx([10, 5])
    still = write(tmp_path / "still.rig.json", {key: RIG[key] for key in RIG if key != "clips"})
    run("bake", still, "-o", baked, "--targets", track)
    assert load(baked).animation("targets").duration == 3.0


@pytest.mark.parametrize("kind", ["same", "relative", "symlink", "hard link", "targets"])
def test_bake_does_not_overwrite_its_input(kind, rig, tmp_path, monkeypatch):
    """By whatever name, the input stays as it is unless --overwrite says otherwise."""
    before, out, more = rig.read_bytes(), tmp_path / "other.rig.json", []
    monkeypatch.chdir(tmp_path)
    if kind == "same":
        out = rig
    elif kind == "relative":
        out = pathlib.Path("..", tmp_path.name, ".", rig.name)
    elif kind == "symlink":
        out.symlink_to(rig)
    elif kind == "hard link":
        out.hardlink_to(rig)
    else:
        more = ["--targets", write(out, {"target": [0, 9], "space": "world"})]
    before_out = out.read_bytes()
    assert error("bake", rig, "-o", out, *more).endswith("(add --overwrite, or name another file)")
    assert (rig.read_bytes(), out.read_bytes()) == (before, before_out)
    assert run("bake", rig, "-o", out, *more, "--overwrite").exit_code == 0
    assert load(out).constraints == ()


def test_bake_copies_what_has_no_constraints(tmp_path):
    """A rig without inverse kinematics is copied byte by byte, with a note, and exit 0."""
    data = RIG | {"constraints": [], "clips": {"stand": RIG["clips"]["stand"]}}
    path, out = write(tmp_path / "fk.rig.json", data), tmp_path / "copy.rig.json"
    result = run("bake", path, "-o", out)
    assert (result.exit_code, out.read_bytes()) == (0, path.read_bytes())
    assert result.stderr == f"elbowroom: {path}: no IK constraint in this rig (copied to {out} as it is)\n"
    assert run("bake", path, "-o", tmp_path / "copy.csv").exit_code == 0
    assert (tmp_path / "copy.csv").read_text("utf-8").count("\n") == 1 + 31 * 3


@pytest.mark.parametrize("where", ["elbowroom.cli.bake.baked_rig", "os.replace", "elbowroom.checks.baked.misses"])
def test_ctrl_c_is_quiet_and_leaves_whole_files(where, rig, tmp_path, monkeypatch):
    """Stopped in the middle of the work or of the writing: exit 130, no word, no half file."""
    out = write(tmp_path / "old.rig.json", RIG)
    before = out.read_bytes()

    def stop(*args: object, **more: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(where, stop)
    result = run("bake", rig, "-o", out)
    assert (result.exit_code, result.stdout, result.stderr.strip()) == (130, "", "")
    assert out.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 2


def test_places_that_cannot_be_written(rig, tmp_path):
    """A folder that is missing, a folder where a file belongs: one sentence, exit 2."""
    missing, folder = tmp_path / "none" / "o.rig.json", tmp_path / "dir.csv"
    folder.mkdir()
    assert "does not exist" in error("bake", rig, "-o", missing)
    assert "this is a folder, not a file" in error("bake", rig, "-o", folder)
    assert str(tmp_path / "none") in error("render", rig, "-o", missing.with_suffix(".svg"))
    assert "does not exist" in error("check", rig, "--junit", tmp_path / "none" / "j.xml")


def test_render_draws(rig, tmp_path):
    """A still picture as SVG; unknown suffixes and animations are one sentence."""
    out = tmp_path / "step.svg"
    result = run("render", rig, "--animation", "step", "-o", out, "--size", "320x240", "--onion")
    assert (result.exit_code, result.stdout) == (0, f"wrote {out}\n"), result.output
    assert ElementTree.parse(out).getroot().get("width") == "320"
    tiff = tmp_path / "a.tiff"
    assert error("render", rig, "-o", tiff).startswith(f'{tiff}: ".tiff" is no kind of picture')
    assert 'clip "stpe" does not exist' in error("render", rig, "-o", out, "--animation", "stpe")


def test_render_takes_tracks(rig, tmp_path):
    """The limb is drawn where the track puts it; over which animation is told; a bare rig rests meanwhile."""
    track = tmp_path / "leg.csv"
    track.write_text("time,x,y\n0,0,5\n3,300,5\n", "utf-8")
    pictures = [tmp_path / f"{name}.svg" for name in ("own", "track", "still")]
    run("render", rig, "-o", pictures[0], "--animation", "step")
    assert run("render", rig, "-o", pictures[1], "--animation", "step", "--targets", track).stderr == (
        'elbowroom: "step" lasts 1 s, the target tracks 3 s (what is later is not used)\n'
    )
    first = run("render", rig, "-o", pictures[1], "--targets", track)
    assert 'are drawn over "stand" (--animation names another)' in first.stderr
    still = write(tmp_path / "still.rig.json", {key: RIG[key] for key in RIG if key != "clips"})
    result = run("render", still, "-o", pictures[2], "--targets", track)
    assert (result.exit_code, result.stderr) == (0, "")
    assert 'aria-label="3.00 s"' in pictures[2].read_text("utf-8")
    assert len({path.read_bytes() for path in pictures}) == 3


def test_what_is_baked_to_stdout_is_the_rig_alone(rig, tmp_path):
    """Piped on, the rig is whole JSON: what is said about it goes to stderr; nothing is put in the pipe's place."""
    if not os.path.exists("/dev/stdout"):
        pytest.skip("needs /dev/stdout")
    done = process("bake", rig, "-o", "/dev/stdout", "--to", "native")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["format"] == "elbowroom-rig/1"
    assert "wrote /dev/stdout (2 animations" in done.stderr
    (tmp_path / "link.xml").symlink_to(tmp_path / "report.xml")
    run("check", rig, "--junit", tmp_path / "link.xml")
    assert (tmp_path / "link.xml").is_symlink()
    assert ElementTree.parse(tmp_path / "report.xml").getroot().tag == "testsuites"


def test_progress_ends_at_the_full_count(monkeypatch, capsys):
    """Once lines about long work have been shown, the last says that all of it is done; none after an error."""
    monkeypatch.setattr(say, "PATIENCE", -1.0)
    with say.progress("drawing") as tick:
        tick(1, 3)
        tick(2, 3)
    assert capsys.readouterr().err.splitlines()[-1] == "elbowroom: drawing: 3 of 3"
    assert list(say.steps(("a", "b"), "checking")) == ["a", "b"]
    assert capsys.readouterr().err.splitlines()[-1] == "elbowroom: checking: 2 of 2"
    with suppress(ValueError), say.progress("drawing") as tick:
        tick(1, 3)
        raise ValueError
    assert capsys.readouterr().err == "elbowroom: drawing: 1 of 3\n"
    monkeypatch.setattr(say, "PATIENCE", 99.0)
    assert list(say.steps(("a", "b"), "checking")) == ["a", "b"]
    assert capsys.readouterr() == ("", "")


def test_names_of_any_script_and_streams_of_any_encoding(tmp_path):
    """Letters that a stream lacks are escaped; JSON stays JSON."""
    clip = RIG["clips"]["step"]
    path = write(tmp_path / "Füße.rig.json", RIG | {"clips": {"Füße 👣\x1b[2J": clip}})
    for encoding in ("latin-1", "utf-8"):
        env = {**os.environ, "PYTHONIOENCODING": encoding}
        done = process("check", path, "--json", env=env, encoding=encoding)
        assert (done.returncode, done.stderr) == (1, "")
        assert json.loads(done.stdout)["findings"][0]["animation"] == "Füße 👣\x1b[2J"
        text = process("check", path, env=env, encoding=encoding).stdout
        assert "\x1b" not in text
        assert 'leg in "Füße ' in text
        assert ("👣" in text) == (encoding == "utf-8")


@pytest.mark.parametrize("words", [["schema"], ["info"], ["check"]])
def test_a_reader_that_goes_away_is_no_error(words, rig):
    """`elbowroom … | head -0`: no traceback, the exit code a shell gives for a broken pipe."""
    read, write_end = os.pipe()
    os.close(read)
    words = words if words == ["schema"] else [*words, str(rig)]
    call = [sys.executable, "-m", "elbowroom", *words]
    with os.fdopen(write_end, "w") as stdout:
        done = subprocess.run(call, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (141, "")


def test_a_full_disk_is_one_sentence():
    """What cannot be printed is an error of ours, not a traceback."""
    if not os.path.exists("/dev/full"):
        pytest.skip("needs /dev/full, a device that is always full")
    with open("/dev/full", "w") as full:
        call = [sys.executable, "-m", "elbowroom", "schema"]
        done = subprocess.run(call, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("elbowroom: ")


def test_bench_hands_its_exit_code_on(monkeypatch):
    """`bench kernel` runs the table and exits as it says."""
    monkeypatch.setattr("elbowroom.bench.kernel.run", lambda *, as_json: 1 if as_json else 0)
    assert run("bench").exit_code == 0
    assert run("bench", "kernel", "--json").exit_code == 1
