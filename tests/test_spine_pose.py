"""Whole Spine rigs, posed as their runtimes pose them."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from spine_golden import FILES, farthest, opened, read, recorded

import elbowroom.solve.spine.run  # noqa: F401
from elbowroom import Pose, Target, solve
from elbowroom.formats import spine
from elbowroom.kernel.solution import Why
from elbowroom.rig.spine.state import SpineState
from elbowroom.solve.spine.order import schedule

BUNDLED = Path(__file__).resolve().parent / "data" / "spine"
UNITS, ENTRIES = 2e-4, 1.7e-7  # a matrix entry of 1.7e-7 is 1e-5 degrees
MANY = 8  # animations; of files with more, the plain run takes every third
ROOT = {"name": "root"}
LIMB = [
    ROOT,
    {"name": "upper", "parent": "root", "length": 150},
    {"name": "lower", "parent": "upper", "length": 125, "x": 150},
    {"name": "goal", "parent": "root", "x": 200},
]


def rig_of(bones, version="4.2.00", **sections):
    """A rig from plain data."""
    data = {"skeleton": {"spine": version}, "bones": bones, **sections}
    return spine.from_bytes("small.json", json.dumps(data).encode())


def limb(version="4.2.00", **settings):
    """Two bones that reach for a third, by one constraint "k"."""
    record = {"name": "k", "bones": ["upper", "lower"], "target": "goal", **settings}
    if version >= "4.3":
        return rig_of(LIMB, version, constraints=[{"type": "ik", **record}])
    return rig_of(LIMB, version, ik=[record])


def rest(rig, skin=None):
    """The setup pose."""
    return Pose(rig.skeleton, state=SpineState(skin=skin))


def check(shared, name, step):
    """Every `step`-th animation of a recorded file, IK on and off, and its setup pose."""
    record, rig = recorded(shared, name)
    active = np.array([bone["active"] for bone in record["bones"]])
    kinds = {"ik": 1.0, "fk": 0.0}
    for animation, rows in list(record["animations"].items())[::step]:
        for kind, mix in kinds.items():
            if isinstance(rows[kind], str):
                continue
            clip = rig.clip(animation, 30.0, skin=record.get("skin"))[: len(rows[kind])]
            assert len(clip) == len(rows[kind]), animation
            entries, units = farthest(solve(rig, clip, mix=mix)[0].world(), rows[kind], active)
            assert entries <= ENTRIES, (animation, kind)
            assert units <= UNITS, (animation, kind)
    for kind, mix in kinds.items():
        if isinstance(record["setup"].get(kind), list):
            world = solve(rig, rest(rig, record.get("skin")), mix=mix)[0].world()
            entries, units = farthest(world, record["setup"][kind], active)
            assert (entries, units) <= (ENTRIES, UNITS), kind


@pytest.mark.parametrize("name", FILES)
def test_recorded_poses(shared, name):
    """World transforms of all bones at recorded frames; of files with many animations, of some."""
    count = len(opened(shared / name)["animations"])
    check(shared, name, 1 if count <= MANY or "spineboy" in name else 3)


@pytest.mark.parametrize("name", [str(path.relative_to(BUNDLED)) for path in sorted(BUNDLED.glob("*/*/*.gz"))])
def test_bundled_poses(name):
    """The same for the few records that come with the tests: inherit modes, timelines, skins with paths and orders."""
    check(BUNDLED, name, 1)


@pytest.mark.full
@pytest.mark.parametrize("name", FILES)
def test_every_recorded_pose(shared, name):
    """World transforms of all bones, of every recorded animation."""
    check(shared, name, 1)


@pytest.mark.parametrize("name", [name for name in FILES if "spine-lab" in name and "3.8" not in name])
def test_recorded_local_values(shared, name):
    """The applied local values of the setup pose, as the runtime derives them (3.8 does not where nobody asks)."""
    record, rig = recorded(shared, name)
    pose, _ = solve(rig, rest(rig, record.get("skin")))
    angles = [np.rad2deg(values) for values in (pose.rotation, pose.shear_x, pose.shear_y)]
    ours = np.stack([pose.x, pose.y, angles[0], pose.scale_x, pose.scale_y, *angles[1:]], axis=-1)
    away = np.abs(ours - np.asarray(record["setup"]["applied"], dtype=np.float64).reshape(ours.shape))
    turns = [2, 5, 6]
    away[:, turns] -= 360.0 * np.round(away[:, turns] / 360.0)
    active = np.array([bone["active"] for bone in record["bones"]])
    assert np.abs(away[active]).max() <= 1e-5


@pytest.mark.parametrize("version", ["4.2", "4.3"])
def test_recorded_leg(shared, version):
    """A leg whose mix, softness, bend and stretch are keyed."""
    record = opened(shared / "golden" / f"own-mini-leg-{version}.pose.json.gz")
    rig = read(shared / "rigs" / "own" / f"mini-leg-{version}.json")
    entries, units = farthest(solve(rig, rig.clip("reach", 30.0))[0].world(), [frame[2] for frame in record["frames"]])
    assert entries <= ENTRIES
    assert units <= UNITS


@pytest.mark.parametrize("version", ["3.8.99", "4.0.31", "4.1.00", "4.2.00", "4.3.00"])
def test_a_limb_reaches(version):
    """A two-bone limb turns as every version turns it, and its tip is on the target."""
    pose, found = solve(limb(version), rest(limb(version)))
    assert np.rad2deg(pose.rotation[1:3]) == pytest.approx([-38.62483, 87.13402], abs=1e-5)
    assert pose.tips()[2] == pytest.approx([200, 0], abs=1e-5)
    assert found["k"].reached
    assert found["k"].why == 0
    assert found["k"].joints[1] == pytest.approx([117.1875, -93.63274], abs=1e-4)


def test_bend_mix_and_the_callers_factor():
    """bendPositive false bends the other way; mix 0 of the call leaves the keyed pose, flagged MIX."""
    rig = limb(bendPositive=False)
    pose, _ = solve(rig, rest(rig))
    assert np.rad2deg(pose.rotation[2]) == pytest.approx(-87.13402, abs=1e-5)
    pose, found = solve(rig, rest(rig), mix=0.0)
    assert (pose.rotation == 0.0).all()
    assert found["k"].why == Why.MIX
    assert found["k"].error == pytest.approx(75.0, abs=1e-6)


@pytest.mark.parametrize(
    ("settings", "x", "why", "error"),
    [
        ({}, 300, Why.FAR, 25.0),
        ({"stretch": True}, 300, Why.FAR | Why.STRETCH, 0.0),
        ({"stretch": True, "softness": 20}, 300, Why.FAR | Why.SOFT, 25.0),
        ({"softness": 20}, 265, Why.SOFT, 1.25),
        ({}, 10, Why.NEAR, 15.0),
        ({}, 0, Why.NEAR | Why.DEGENERATE, 25.0),
        ({"mix": 0.5}, 275, Why.MIX, 0.0),
    ],
)
def test_misses_have_their_causes(settings, x, why, error):
    """Error and flags say what kept the tip from the target."""
    rig = limb(**settings)
    _, found = solve(rig, rest(rig), {"k": (float(x), 0.0)})
    assert found["k"].error == pytest.approx(error, abs=1e-5)
    assert found["k"].why == why


def test_targets_go_before_the_target_bone():
    """A caller's target counts instead of the bone: a point for each frame, or one in a bone's or a handed space."""
    rig = limb()
    points = np.array([[200.0, 40.0], [120.0, 40.0], [-200.0, 50.0]])
    pose, found = solve(rig, rest(rig), {"k": points})
    assert pose.tips()[:, 2] == pytest.approx(points, abs=1e-5)
    assert found["k"].reached.all()
    _, found = solve(rig, rest(rig), {"k": Target((-20, 30), space="goal")})
    assert found["k"].joints[-1] == pytest.approx([180, 30], abs=1e-5)
    _, found = solve(rig, rest(rig), {"k": Target((1, 2), space="door")}, frames={"door": [[1, 0, 100], [0, 1, 50]]})
    assert found["k"].joints[-1] == pytest.approx([101, 52], abs=1e-5)


def test_long_clips_come_out_the_same(monkeypatch):
    """Frames are worked on in parts; where they are cut changes no bit."""
    rig = limb()
    points = np.stack([np.linspace(-250, 250, 40), np.linspace(90, -30, 40)], axis=-1)
    whole, found = solve(rig, rest(rig), {"k": points})
    monkeypatch.setattr(sys.modules["elbowroom.solve.spine.run"], "CELLS", 7 * len(rig.skeleton))
    parts, again = solve(rig, rest(rig), {"k": points})
    assert np.array_equal(whole.world(), parts.world())
    assert np.array_equal(whole.rotation, parts.rotation)
    assert np.array_equal(found["k"].why, again["k"].why)
    single, _ = solve(rig, rest(rig), {"k": points[11]})
    assert np.array_equal(single.world(), whole.world()[11])


def test_our_kernel_reaches_as_well():
    """parity=False: the same targets and bends, by our own arithmetic."""
    rig = limb(bendPositive=False)
    points = np.array([[200.0, 40.0], [120.0, -40.0]])
    pose, found = solve(rig, rest(rig), {"k": points}, parity=False)
    theirs, _ = solve(rig, rest(rig), {"k": points})
    assert pose.rotation == pytest.approx(theirs.rotation, abs=1e-6)
    assert (found["k"].error < 1e-5).all()
    assert (found["k"].why == 0).all()


def test_order_is_the_files_own():
    """Of two constraints of one order the second never runs, nor does one whose order is too large."""
    follow = {"name": "f", "bones": ["goal"], "target": "root", "order": 0, "mixX": 1}
    late = {"name": "late", "bones": ["lower"], "target": "root", "order": 9}
    ik = [{"name": "k", "bones": ["upper", "lower"], "target": "goal", "order": 0}]
    with pytest.warns(UserWarning, match="order"):
        rig = rig_of(LIMB, ik=ik, transform=[follow, late])
    plan = schedule(rig.skeleton, rig.runtime)
    assert plan.idle == {("transform", "f"): "order", ("transform", "late"): "order"}
    assert [step[1].name for step in plan.steps if step[0] == "constraint"] == ["k"]
    assert solve(rig, rest(rig))[1]["k"].reached


def test_a_bone_above_is_evaluated_again():
    """A limb that a later constraint carries off is said to miss by MIX: its answer is not all there is."""
    bones = [*LIMB, {"name": "far", "parent": "root", "x": 500}]
    carry = {"name": "carry", "bones": ["upper"], "target": "far", "order": 1, "mixRotate": 0, "mixX": 0.5, "mixY": 0}
    rig = rig_of(bones, ik=[{"name": "k", "bones": ["upper", "lower"], "target": "goal", "order": 0}], transform=[
        carry | {"mixScaleX": 0, "mixScaleY": 0, "mixShearY": 0}
    ])  # fmt: skip
    pose, found = solve(rig, rest(rig))
    assert pose.tips()[2] == pytest.approx([450, 0], abs=1e-4)
    assert found["k"].why == Why.MIX
    assert found["k"].error == pytest.approx(250, abs=1e-4)


def test_what_a_skin_leaves_out_stands_still():
    """Bones of a skin that is not worn stand as they are set up, its constraints do nothing; worn, they act."""
    bones = [*LIMB[:3], LIMB[3] | {"skin": True}]
    ik = [{"name": "k", "bones": ["upper", "lower"], "target": "goal"}]
    skins = [{"name": "default"}, {"name": "one", "bones": ["goal"]}]
    rig = rig_of(bones, ik=ik, skins=skins)
    pose, found = solve(rig, rest(rig))
    assert pose.world()[3, :, 2] == pytest.approx([200, 0])
    assert found["k"].why == Why.MIX
    assert solve(rig, rest(rig, "one"))[1]["k"].reached


def test_a_parent_of_no_width_gives_numbers():
    """Squashed bones, and targets nobody can aim at, leave no NaN in any version."""
    for version in ("3.8.99", "4.0.31", "4.1.00", "4.2.00", "4.3.00"):
        bones = [ROOT | {"scaleX": 0}, *LIMB[1:]]
        ik = {"name": "k", "bones": ["upper", "lower"], "target": "goal", "softness": 400}
        follow = {"name": "f", "bones": ["lower"], "order": 1}
        more = {"ik": [ik], "transform": [follow | {"target": "goal"}]}
        if version >= "4.3":
            every = {"rotate": {"to": {"rotate": {}}}, "x": {"to": {"x": {}}}, "scaleX": {"to": {"scaleX": {}}}}
            moved = {"type": "transform", "name": "f", "bones": ["lower"], "source": "goal", "properties": every}
            more = {"constraints": [{"type": "ik", **ik}, moved]}
        with pytest.warns(UserWarning, match="scale"):
            rig = rig_of(bones, version, **more)
        for ours in (None, False):
            pose, found = solve(rig, rest(rig), parity=ours)
            assert np.isfinite(pose.world()).all()
            assert np.isfinite(found["k"].error)


CASES = ("C02", "C03", "C05", "M07", "Z02")


@pytest.fixture(scope="module")
def cases(shared):
    """Collected cases by id."""
    return {case["id"]: case for case in json.loads((shared / "cases.json").read_text("utf-8"))}


def posed(values, parity=None, **changes):
    """(pose, solutions, {bone: index}) of a case's bones and constraints, targets given as points."""
    ik = [
        {"name": record.get("name", f"k{i}"), "order": i} | {k: v for k, v in record.items() if k != "target"}
        | {"target": record["target"] if isinstance(record["target"], str) else "root"} | changes
        for i, record in enumerate(values.get("ik", []))
    ]  # fmt: skip
    rig = rig_of(values["bones"], ik=ik)
    scale = tuple(values.get("skeleton_scale", (1.0, 1.0)))
    rig = replace(rig, runtime=replace(rig.runtime, scale=scale))
    points = {
        name["name"]: record["target"]
        for name, record in zip(ik, values.get("ik", []), strict=True)
        if not isinstance(record["target"], str)
    }
    pose, found = solve(rig, rest(rig), points, parity=parity)
    return pose, found, {name: i for i, name in enumerate(rig.skeleton.names)}


def sizes(pose, bone):
    """Lengths of a bone's world axes."""
    return np.sqrt((pose.world()[bone, :, :2] ** 2).sum(axis=0))


@pytest.mark.parametrize("name", CASES)
def test_case(cases, name):
    """A rig that went wrong for somebody comes out as its expected values say."""
    values, wanted = cases[name]["input"], cases[name]["expected"]
    globals()[f"_case_{name.lower()}"](values, wanted, *posed(values))


def _case_c02(values, wanted, pose, found, at):
    for bone, scale in wanted["world_scale"].items():
        assert sizes(pose, at[bone]) == pytest.approx(scale, abs=1e-6)
    assert pose.world()[at["wrist"], :, 2] == pytest.approx(wanted["wrist_world"], abs=UNITS)
    half, _, _ = posed(values | {"skeleton_scale": [0.5, 0.5]})
    assert sizes(half, at["wrist"]) == pytest.approx(wanted["with_skeleton_scale_half"]["wrist_scale"], abs=1e-6)


def _case_c03(values, wanted, pose, found, at):
    assert pose.world()[at["b"], :, 2] == pytest.approx(wanted["b_world"], abs=UNITS)


def _case_c05(values, wanted, pose, found, at):
    assert pose.world()[at["head"], :, 2] == pytest.approx(wanted["head_world"], abs=UNITS)
    assert sizes(pose, at["head"]) == pytest.approx(wanted["head_world_scale"], abs=1e-6)


def _case_m07(values, wanted, pose, found, at):
    """Spine bends a bone of scale x −1 to the side of one of scale 1: there the file says bendPositive false."""
    other = {"ik": [values["ik"][0], values["ik"][1] | {"bendPositive": False}]}
    for posed_now in (posed(values | other)[0], posed(values, parity=False)[0]):
        ends = posed_now.tips()[[at["foreL"], at["foreR"]]]
        assert ends == pytest.approx(np.array(wanted["ends"]), abs=UNITS)
        left, right = posed_now.world()[at["foreL"], :, 2], posed_now.world()[at["foreR"], :, 2]
        assert right == pytest.approx(left * [-1, 1], abs=UNITS)
    assert pose.tips()[[at["foreL"], at["foreR"]]] == pytest.approx(np.array(wanted["ends"]), abs=UNITS)


def _case_z02(values, wanted, pose, found, at):
    assert pose.scale_x[at["a"]] == pytest.approx(wanted["a_scaleX"], abs=1e-9)
    assert pose.tips()[at["a"]] == pytest.approx(wanted["tip"], abs=UNITS)
    plain, _, _ = posed(values, stretch=False)
    assert plain.tips()[at["a"]] == pytest.approx(wanted["without_stretch"]["tip"], abs=UNITS)
