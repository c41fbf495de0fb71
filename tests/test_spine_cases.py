"""Spine files that went wrong for somebody: the collected cases about reading them.

Input and expected values are read from the shared data; what they show always runs in `test_spine_reader.py` and
`test_spine_malformed.py` too.
"""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest
from spine_small import read, text

import elbowroom as er
from elbowroom.errors import FormatError
from elbowroom.rig.skeleton import INHERIT


@pytest.fixture(scope="session")
def cases(shared):
    """All cases by id."""
    return {case["id"]: case for case in json.loads((shared / "cases.json").read_text("utf-8"))}


def opened(data):
    """A rig of plain data, and what was warned of."""
    with warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("always")
        return read(data), [str(each.message) for each in noted]


def angles(rig, times):
    """What the only animation says of bone "a" at some times [deg]."""
    (name,) = rig.clips
    rotation = rig.animation(name).channels(rig.skeleton, np.array(times, dtype=float))["rotation"]
    return np.degrees(rotation[:, rig.skeleton.index("a")])


def same_again(data, folder):
    """Whether the data is the same after loading and saving."""
    rig, _ = opened(data)
    er.save(rig, folder / "again.json")
    return json.loads((folder / "again.json").read_text("utf-8")) == json.loads(text(data))


def flags_of_ik_keys(values, wanted, folder):
    """The flags of a key are read as they stand, the missing ones as the format has them."""
    rig, _ = opened(values["json"])
    state = rig.animation("x").state(np.array([0.0, 1.0]), None).ik["k"]
    assert state.bend.tolist() == wanted["bend"]
    assert state.compress.tolist() == wanted["compress"]
    assert same_again(values["json"], folder) == wanted["written_again_identical"]


def ik_key_with_only_a_mix(values, wanted, folder):
    """A key without bendPositive means true, not what the setup says."""
    rig, _ = opened(values["json"])
    clip = rig.clip("x")
    assert clip.state.ik["k"].bend.tolist() == [wanted["key_bend"]]
    pose, _ = er.solve(rig, clip)
    assert np.degrees(pose.rotation[0, rig.skeleton.index("a")]) == pytest.approx(wanted["rotation_at_0"], abs=1e-5)


def loads(values, wanted, folder):
    """Each of the files can be read."""
    for data in values["jsons"]:
        assert opened(data)[0].clips == ()


def missing_attachment(values, wanted, folder):
    """A deform timeline for an attachment that is not there is kept, with a warning that names it."""
    _, noted = opened(values["json"])
    assert any("x" in text and "gone" in text for text in noted), noted
    assert same_again(values["json"], folder)


def inherit_keys(values, wanted, folder):
    """Keys of inherit are read from the field of that name."""
    rig, _ = opened(values["json"])
    codes = rig.animation("x").channels(rig.skeleton, np.array([0.0, 1.0]))["inherit"][:, rig.skeleton.index("a")]
    assert [INHERIT[code] for code in codes] == wanted["values"]


def way_round(values, wanted, folder):
    """Before 4.0 a rotation goes the short way, from then on as the numbers say."""
    middles = [angles(opened(data)[0], [0.5])[0] for data in values["jsons"]]
    assert middles == pytest.approx(wanted["mid_deg"], abs=1e-4)


def same_name(values, wanted, folder):
    """Two bones of one name are refused with the name and both entries."""
    with pytest.raises(FormatError, match=r'"leg".*entries 1 and 2'):
        read(values["json"])


def child_first(values, wanted, folder):
    """A child before its parent is refused, naming both."""
    with pytest.raises(FormatError, match=r'"shin".*"thigh"'):
        read(values["json"])


def missing_target(values, wanted, folder):
    """A limb whose target is no bone is refused, naming both."""
    with pytest.raises(FormatError, match=r'\$\.ik\[0\]\.target: ik "leg": target bone "missing"'):
        read(values["json"])


def curve(values, wanted, folder):
    """The value between two keys is that of the curve."""
    times, values_at = zip(*wanted["value_at"], strict=True)
    assert angles(opened(values["json"])[0], times) == pytest.approx(values_at, abs=wanted.get("tolerance", 1e-4))


def before_the_first_key(values, wanted, folder):
    """The setup holds until the first key, which adds to it."""
    times, rotation = zip(*wanted["rotation_at"], strict=True)
    assert angles(opened(values["json"])[0], times) == pytest.approx(rotation, abs=1e-4)


def skins_of_both_layouts(values, wanted, folder):
    """Skins as an object and as an array are the same."""
    for data in values["jsons"]:
        rig, noted = opened(data)
        assert (list(rig.runtime.skins), noted) == (wanted["skins"], [])
        assert rig.runtime.attachment(None, 0, "p").kind == "region"


def odd_versions(values, wanted, folder):
    """Every version text is read, with a warning for what is no plain version."""
    noted = [opened(data)[1] for data in values["jsons"]]
    assert len(noted) == len(wanted["loads"])
    said = ["", '"4.2-beta", not just numbers: taken for 4.2', "skeleton.spine is missing; ", 'as is all of "skeleton"']
    assert all(part in " ".join(texts) for part, texts in zip(said, noted, strict=True)), noted
    assert [len(texts) for texts in noted] == [0, 1, 1, 1]


def too_old_and_newest(values, wanted, folder):
    """A file that is too old is refused with its version, the newest layout is read."""
    old, newest = values["jsons"]
    with pytest.raises(FormatError, match=r'version "2\.1\.27" is not read'):
        read(old)
    assert [c.name for c in opened(newest)[0].constraints] == ["k"]


def deep_chain(values, wanted, folder):
    """As many bones below each other as the case asks for, in a Spine file and in one of our own."""
    count, step = values["chain_of"], values["each"]["x"]
    names = [f"b{i}" for i in range(count)]
    bones = [{"name": name, "x": step} | ({"parent": names[i - 1]} if i else {"x": 0}) for i, name in enumerate(names)]
    record = {"format": "elbowroom-rig/1", "name": "deep", "bones": bones}
    (folder / "deep.rig.json").write_text(json.dumps(record))
    spine, _ = opened({"skeleton": {"spine": "4.2.00"}, "bones": bones})
    for rig in (spine, er.load(folder / "deep.rig.json")):
        pose, _ = er.solve(rig, rig.skeleton.rest_pose())
        assert pose.world()[-1, 0, 2] == wanted["last_world_x"]


CASES = {
    "D02": flags_of_ik_keys, "D03": ik_key_with_only_a_mix, "D04": loads, "D05": missing_attachment,
    "D06": inherit_keys, "G01": way_round, "R03": same_name, "R04": child_first, "S04": missing_target,
    "U01": curve, "U03": curve, "U05": before_the_first_key, "V01": skins_of_both_layouts, "V03": odd_versions,
    "V04": too_old_and_newest, "R05": deep_chain,
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_case(name, cases, tmp_path):
    """The case comes out as its expected values say."""
    CASES[name](cases[name]["input"], cases[name]["expected"], tmp_path)


def test_every_case_of_reading_is_played(cases):
    """No case about reading a Spine file is left out."""
    played = {
        name
        for name, case in cases.items()
        if case["input"]["op"].startswith(("load_spine", "round_trip_spine", "load_rig"))
    }
    assert played == set(CASES)
