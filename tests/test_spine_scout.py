"""A Spine rig of our own in two layouts: posed, picked apart, drawn, told about. Always runs."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import elbowroom as er
from elbowroom.cli.app import main
from elbowroom.errors import RigError
from elbowroom.rig.spine.outlines import outlines, placed, region
from elbowroom.rig.spine.records import Vertices
from elbowroom.rig.spine.state import SpineState
from elbowroom.rig.track import SampledTrack

RIGS = Path(__file__).resolve().parent.parent / "examples" / "rigs"
FILES = {version: RIGS / f"scout-{version}.json" for version in ("4.2", "4.3")}


@pytest.fixture(scope="module")
def scout() -> er.Rig:
    """The layout of 4.2."""
    return er.load(FILES["4.2"])


def run(*words: str) -> str:
    """What a command prints when all is well."""
    done = CliRunner().invoke(main, list(words))
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.parametrize("skin", [None, "pack"])
@pytest.mark.parametrize("name", ["overreach", "stand", "walk"])
def test_both_layouts_come_to_one_pose(scout: er.Rig, name: str, skin: str | None) -> None:
    """What 4.2 and 4.3 write differently poses the same."""
    newer = er.load(FILES["4.3"])
    one, other = (er.solve(rig, rig.clip(name, 30, skin=skin)) for rig in (scout, newer))
    assert np.abs(one[0].world() - other[0].world()).max() < 1e-5
    for limb, found in one[1].items():
        assert np.abs(found.joints - other[1][limb].joints).max() < 1e-5


@pytest.mark.parametrize("parity", [None, False])
@pytest.mark.parametrize("name", ["overreach", "stand", "walk"])
def test_a_frame_alone_is_that_frame_of_the_clip(scout: er.Rig, name: str, parity: bool | None) -> None:
    """Keys of constraints, slots and paths go along with a frame, a slice or a copy; a solved pose keeps its world."""
    clip = scout.clip(name, 20)
    whole, found = er.solve(scout, clip, parity=parity)
    for i in (0, 7, len(clip) - 1):
        alone, own = er.solve(scout, clip[i], parity=parity)
        assert np.abs(alone.world() - whole.world()[i]).max() < 1e-9
        assert np.array_equal(whole[i].world(), whole.world()[i])
        assert all(abs(float(own[limb].error) - found[limb].error[i]) < 1e-9 for limb in found)
    part, _ = er.solve(scout, clip[3:9:2], parity=parity)
    assert np.abs(part.world() - whole.world()[3:9:2]).max() < 1e-9
    again, _ = er.solve(scout, pickle.loads(pickle.dumps(clip)), parity=parity)
    assert np.array_equal(again.world(), whole.world())


def test_our_kernel_agrees_where_nothing_is_odd(scout: er.Rig) -> None:
    """The same limbs, ours and the runtime's, keyed softness and mixes included."""
    for name in scout.clips:
        clip = scout.clip(name, 30)
        one, other = (er.solve(scout, clip, parity=parity)[0].world() for parity in (None, False))
        assert np.abs(one - other).max() < 1e-4


def test_the_foot_that_cannot_follow_is_told(scout: er.Rig) -> None:
    """In "overreach" one foot misses, in "walk" both arrive but for their softness."""
    _, found = er.solve(scout, scout.clip("overreach", 60))
    leg = found["leg_r"]
    assert 2.5 < leg.error.max() < 3.5
    assert int(leg.why[leg.error.argmax()]) & er.Why.FAR
    assert found["leg_l"].error.max() < 0.5
    _, found = er.solve(scout, scout.clip("walk", 60))
    assert max(found["leg_l"].error.max(), found["leg_r"].error.max()) < 0.5


def test_switched_off_the_limbs_are_as_keyed(scout: er.Rig) -> None:
    """mix=0 leaves transform and path constraints, and the legs where their keys put them."""
    clip = scout.clip("walk", 30)
    off, found = er.solve(scout, clip, mix=0.0)
    leg = [scout.skeleton.index(name) for name in ("thigh_l", "shin_l")]
    assert np.abs(off.rotation[:, leg] - clip.rotation[:, leg]).max() < 1e-9
    assert all((np.asarray(each.why) & er.Why.MIX).all() for each in found.values())


def test_a_given_world_is_dropped_with_new_channels(scout: er.Rig) -> None:
    """`replace` makes a pose whose world follows from its channels again."""
    solved, _ = er.solve(scout, scout.clip("walk", 10))
    moved = solved.replace(x=solved.x + 1.0)
    assert not np.allclose(moved.world(), solved.world())


def test_skins_are_asked_for_by_name(scout: er.Rig) -> None:
    """An unknown skin names the nearest; the setup pose can be dressed as well."""
    with pytest.raises(RigError, match=r'skin "pak" does not exist \(did you mean "pack"\?\)'):
        scout.clip("walk", skin="pak")
    with pytest.raises(RigError, match='skin "pak"'):
        scout.setup(skin="pak")
    assert len(outlines(scout.runtime, scout.setup(skin="pack"))) == len(outlines(scout.runtime, scout.setup())) + 1


def test_outlines_follow_the_bones(scout: er.Rig) -> None:
    """A region has its corners around its bone, a weighted mesh is pulled by the bones it names."""
    pose, _ = er.solve(scout, scout.setup())
    head, body = outlines(scout.runtime, pose)
    at = scout.skeleton.index("head")
    middle = pose.world()[at] @ np.array([12.0, 0.0, 1.0])
    assert np.allclose(head.mean(axis=0), middle)
    assert np.allclose(np.sort(np.linalg.norm(np.diff(head, axis=0), axis=1)), [22.0, 22.0, 26.0])
    spine = pose.world()[scout.skeleton.index("spine")]
    assert np.allclose(body[0], spine @ np.array([-4.0, -9.0, 1.0]))


def test_placed_vertices_take_their_deform() -> None:
    """Unweighted vertices are replaced by a deform, weighted ones moved by it before their bones pull."""
    world = np.stack([np.eye(2, 3), np.array([[2.0, 0.0, 10.0], [0.0, 2.0, 0.0]])])
    free = Vertices(np.array([(1.0, 2.0), (3.0, 4.0)]))
    assert placed(free, world, 1).tolist() == [[12.0, 4.0], [16.0, 8.0]]
    assert placed(free, world, 1, np.zeros((2, 2))).tolist() == [[10.0, 0.0], [10.0, 0.0]]
    pulled = Vertices(np.array([(1.0, 0.0), (0.0, 1.0), (4.0, 4.0)]), np.array([2, 1]), np.array([0, 1, 0]),
                      np.array([0.5, 0.5, 1.0]))  # fmt: skip
    assert placed(pulled, world, 0).tolist() == [[5.5, 1.0], [4.0, 4.0]]
    assert placed(pulled, world, 0, np.ones((3, 2))).tolist() == [[7.0, 2.5], [5.0, 5.0]]


def test_a_region_turns_and_scales() -> None:
    """Rotation, scale and offset of a rectangle of art are its own."""
    data = {"x": 5.0, "y": 1.0, "width": 4.0, "height": 2.0, "rotation": 90.0, "scaleX": 2.0}
    found = region(data, np.eye(2, 3))
    assert np.allclose(found.min(axis=0), [4.0, -3.0])
    assert np.allclose(found.max(axis=0), [6.0, 5.0])


def test_a_slot_shows_what_is_keyed(scout: er.Rig) -> None:
    """A state that hides a slot takes its outline away."""
    slot = [each.name for each in scout.runtime.slots].index("head")
    hidden = er.Pose(scout.skeleton, state=SpineState(shown={slot: (("head",), np.array(-1))}))
    assert len(outlines(scout.runtime, hidden)) == len(outlines(scout.runtime, scout.setup())) - 1


def test_info_tells_what_a_spine_file_holds(scout: er.Rig) -> None:
    """Version, order of the constraints, skins and slots, in words and as JSON."""
    data = json.loads(run("info", str(FILES["4.3"]), "--json"))
    assert data["format"] == "spine"
    assert data["spine"]["posed_as"] == "4.3"
    assert [each["kind"] for each in data["spine"]["order"]] == ["ik"] * 4 + ["transform", "path"]
    assert {"skins", "path attachments", "weighted vertices", "keyed mix"} <= set(data["uses"])
    text = run("info", str(FILES["4.2"]))
    assert "Spine 4.2.22, posed as 4.2" in text
    assert "pack" in text


def test_the_art_is_drawn(scout: er.Rig) -> None:
    """Pictures have the borders of the art below the bones, and no miss of a limb that is switched off."""
    pose, found = er.solve(scout, scout.setup(skin="pack"))
    svg = er.draw(scout, pose, solutions=found)
    assert svg.count('class="art"') == 3
    off, none = er.solve(scout, scout.setup(), mix=0.0)
    assert "shortfall" in er.draw(scout, off, solutions=none)
    clip = scout.clip("walk", 10)
    quiet = er.Clip(scout.skeleton, **{c: getattr(clip, c) for c in ("x", "y", "rotation")}, fps=10,
                    tracks={limb: SampledTrack(mix=np.zeros(len(clip))) for limb in found})  # fmt: skip
    solved, none = er.solve(scout, quiet, mix=0.0)
    assert "shortfall" not in er.draw(scout, solved, solutions=none, frame=0)


def test_what_is_not_done_yet_says_so(scout: er.Rig, tmp_path: Path) -> None:
    """Baking a Spine rig and writing it in another form are refused in one line."""
    with pytest.raises(RigError, match=r'"scout-4\.2" is a Spine rig, and those are not baked yet'):
        er.bake(scout, "walk")
    done = CliRunner().invoke(main, ["bake", str(FILES["4.2"]), "-o", str(tmp_path / "out.rig.json")])
    assert done.exit_code == 2
    assert not (tmp_path / "out.rig.json").exists()


def test_saving_writes_the_file_it_was(scout: er.Rig, tmp_path: Path) -> None:
    """Every key of the file comes back."""
    er.save(scout, tmp_path / "copy.json")
    assert json.loads((tmp_path / "copy.json").read_bytes()) == json.loads(FILES["4.2"].read_bytes())
