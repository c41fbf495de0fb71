"""Reading Spine files: every layout, what a rig is made of, and writing it back as it was."""

from __future__ import annotations

import dataclasses
import json
import math
import pickle
import warnings

import numpy as np
import pytest
from limb_rigs import arm
from spine_small import read, small, text

import elbowroom as er
from elbowroom.errors import FormatError, InputError, LossyWarning
from elbowroom.rig.skeleton import INHERIT

VERSIONS = {"3.7.90": (3, 7), "3.8.99": (3, 8), "4.0.31": (4, 0), "4.1.17": (4, 1), "4.2.22": (4, 2), "4.3.13": (4, 3)}


def skin(attachments, **more):
    """A default skin with these attachments of the slot "cloth"."""
    return [{"name": "default", "attachments": {"cloth": attachments}, **more}]


def cloth(data, name="flag"):
    """What the slot "cloth" shows under a name."""
    return read(data).runtime.attachment(None, 1, name)


class TestLayouts:
    """Six versions, one rig."""

    @pytest.mark.parametrize("version", VERSIONS)
    def test_the_same_rig_in_every_layout(self, version):
        """Bones, limb, follower, path and animation come out alike whatever the layout."""
        rig, newest = read(small(version)), read(small("4.3.13"))
        assert rig.runtime.version == VERSIONS[version]
        assert rig.runtime.written == rig.foreign.version == version
        assert rig.skeleton.names == newest.skeleton.names
        assert rig.skeleton.inherit.tolist() == [0, 0, INHERIT.index("noScale"), 0, 0]
        assert rig.constraints == newest.constraints
        assert [(c.name, c.bones) for c in rig.runtime.ik] == [("leg", (2, 3))]
        assert [(c.name, c.bones, c.slot) for c in rig.runtime.path] == [("ride", (1,), 0)]
        assert rig.clips == ("wave",)
        assert rig.runtime.skin_bones.tolist() == [False] * 4 + [True]

    @pytest.mark.parametrize("version", ["3.7.90", "3.8.99"])
    def test_four_old_mixes_are_spread_over_six(self, version):
        """Before 4.0 translate, scale and shear have one mix each, two for a path."""
        spine = read(small(version)).runtime
        assert spine.transform[0].mixes == (0.1, 0.3, 0.3, 1.0, 1.0, 1.0)
        assert spine.path[0].mixes == (1.0, 0.2, 0.2)

    @pytest.mark.parametrize("version", ["4.0.31", "4.2.22"])
    def test_a_missing_mix_y_is_that_of_x(self, version):
        """The y of position and scale follow x unless they are written."""
        spine = read(small(version)).runtime
        assert spine.transform[0].mixes == (0.1, 0.3, 0.3, 1.0, 1.0, 1.0)
        assert spine.path[0].mixes == (1.0, 0.2, 0.2)

    def test_properties_of_the_newest_layout(self):
        """A source that drives nothing is dropped, and a mix of what nothing drives is 0."""
        spine = read(small("4.3.13")).runtime
        rotate, scale = spine.transform[0].properties
        assert (rotate.source, rotate.offset, rotate.to) == ("rotate", 3.0, (("x", 0.0, 9.0, 2.0),))
        assert scale.to == (("scaleX", 0.0, 1.0, 1.0),)
        assert spine.transform[0].mixes == (0.0, 0.3, 0.0, 1.0, 0.0, 0.0)
        assert [c.name for c in spine.constraints] == ["follow", "leg", "ride"]
        assert [c.order for c in spine.constraints] == [0, 1, 2]
        assert spine.ik[0].scale == "volume"

    def test_kinds_in_turn_before_the_newest_layout(self):
        """Up to 4.2 the list of all constraints has ik, transform, path one kind after the other."""
        spine = read(small("4.2.22")).runtime
        assert [(c.name, c.order) for c in spine.constraints] == [("leg", 1), ("follow", 0), ("ride", 2)]
        assert spine.ik[0].scale == "uniform"

    def test_words_of_any_case_before_four(self):
        """3.8 takes inherit modes in any case; later only the first letter may differ."""
        data = small("3.8.99")
        data["bones"][2]["transform"] = "NOSCALE"
        assert read(data).skeleton.inherit[2] == INHERIT.index("noScale")
        data = small("4.2.22")
        data["bones"][2]["inherit"] = "NoScale"
        assert read(data).skeleton.inherit[2] == INHERIT.index("noScale")
        data["bones"][2]["inherit"] = "NOSCALE"
        with pytest.raises(FormatError, match=r'\$\.bones\[2\]\.inherit: bone "thigh": inherit is "NOSCALE"'):
            read(data)


class TestVersions:
    """What the file says, and what it looks like."""

    @pytest.mark.parametrize(
        ("written", "layout", "version"),
        [
            ("5.0.01", "4.3.13", (4, 3)),
            ("4.7", "4.2.22", (4, 2)),
            ("3.9.2", "3.8.99", (3, 8)),
            (None, "3.7.90", (3, 7)),
            (None, "3.8.99", (3, 8)),
            ("", "4.1.17", (4, 1)),
            ({"a": 1}, "4.2.22", (4, 2)),
            (None, "4.3.13", (4, 3)),
        ],
    )
    def test_an_odd_version_is_guessed_from_the_layout(self, written, layout, version):
        """A version that is missing, unknown or no version is warned of, and the layout decides."""
        data = small(layout)
        data["skeleton"]["spine"] = written
        with pytest.warns(UserWarning, match=r"the version in skeleton\.spine .* by the rules of"):
            assert read(data).runtime.version == version

    def test_a_number_as_version(self):
        """The number 4.2 is taken for the text, with a warning."""
        with pytest.warns(UserWarning, match=r"is the number 4\.2, not a text: taken for 4\.2$"):
            assert read(small("4.2.22", skeleton={"spine": 4.2})).runtime.version == (4, 2)

    def test_three_six_is_read_as_three_seven(self):
        """A file of 3.6 has the layout of 3.7 and is read by its rules, with a warning."""
        with pytest.warns(UserWarning, match=r'version "3\.6\.32" is older .* rules of 3\.7'):
            assert read(small("3.6.32")).runtime.version == (3, 7)

    @pytest.mark.parametrize("version", ["2.1.27", "3.5.51", "1.0"])
    def test_old_versions_are_refused(self, version):
        """What is older than that is refused with the versions that are read."""
        with pytest.raises(
            FormatError, match=r"\$\.skeleton\.spine: .* not read \(known: 3\.7, 3\.8, 4\.0, 4\.1, 4\.2, 4\.3"
        ):
            read(small("4.2.22", skeleton={"spine": version}))

    @pytest.mark.parametrize(
        ("layout", "version", "where"),
        [
            ("4.3.13", "4.2.22", r"\$\.constraints: \"constraints\" is written by Spine 4\.3,"),
            ("4.2.22", "4.3.13", r"\$\.ik: \"ik\" at the top is written by Spine up to 4\.2,"),
            ("4.1.17", "4.2.22", r"\$\.bones\[2\]\.transform: .* up to 4\.1,"),
            ("4.2.22", "4.1.17", r"\$\.bones\[2\]\.inherit: .* from 4\.2 on,"),
            ("3.7.90", "3.8.99", r"\$\.skins: \"skins\" as an object .* up to 3\.7,"),
            ("3.8.99", "3.7.90", r"\$\.skins: \"skins\" as an array .* from 3\.8 on,"),
            ("3.8.99", "4.0.31", r"\$\.transform\[0\]\.rotateMix: .* up to 3\.8,"),
            ("4.0.31", "3.8.99", r"\$\.transform\[0\]\.mixRotate: .* from 4\.0 on,"),
        ],
    )
    def test_a_layout_of_another_version_is_named(self, layout, version, where):
        """A file whose layout is not that of its version is refused with the place and both versions."""
        data = small(layout)
        data["skeleton"]["spine"] = version
        with pytest.raises(FormatError, match=f'{where}.* says version "{version}"'):
            read(data)

    @pytest.mark.parametrize(
        ("group", "keys", "version"),
        [
            ("deform", {}, "4.1.17"),
            ("attachments", {}, "4.0.31"),
            ("bones", {"hip": {"rotate": [{"angle": 5}]}}, "4.0.31"),
            ("bones", {"hip": {"rotate": [{"value": 5}]}}, "3.8.99"),
        ],
    )
    def test_animations_of_another_layout_are_named(self, group, keys, version):
        """Keys that only other versions write are refused, not passed over."""
        with pytest.raises(FormatError, match=rf"\$\.animations\.wave\.{group}: .* is written by Spine"):
            read(small(version, transform=[], path=[], animations={"wave": {group: keys}}))

    def test_two_layouts_in_one_file(self):
        """The keys of 4.2 and 4.3 side by side are refused with both places."""
        data = small("4.2.22") | {"constraints": small("4.3.13")["constraints"]}
        with pytest.raises(
            FormatError, match=r'\$\.constraints: two layouts are mixed: "constraints" \(4\.3\) .*\$\.ik'
        ):
            read(data)


class TestRig:
    """What the rig of a file is made of."""

    def test_angles_in_radians_and_lengths_as_they_are(self):
        """Rotation and shear of the skeleton are radians, everything else as in the file."""
        skeleton = read(small()).skeleton
        assert skeleton.rest["rotation"][2] == math.radians(-80)
        assert skeleton.rest["shear_y"][3] == math.radians(5)
        assert skeleton.lengths.tolist() == [0, 0, 50, 45, 0]
        assert skeleton.rest["y"][1] == 90

    def test_the_limb_as_any_rig_has_it(self):
        """The bend is of the other sense, softness a fraction of the reach, the target the bone's origin."""
        (leg,) = read(small()).constraints
        assert (leg.name, leg.bones, leg.bend, leg.mix) == ("leg", ("thigh", "shin"), 1, 0.5)
        assert leg.softness == 19 / 95
        assert leg.target == er.Target((0, 0), space="goal")
        assert leg.on_miss == ("accept",)

    def test_limbs_in_the_order_of_their_turns(self):
        """The rig's limbs stand in the order they are posed, the runtime's in that of the file."""
        one = {"bones": ["shin"], "target": "goal"}
        ik = [{"name": "b", "order": 1, **one}, {"name": "a", "order": 0, **one}]
        rig = read(small("4.2.22", ik=ik, transform=[], path=[]))
        assert [c.name for c in rig.constraints] == ["a", "b"]
        assert [c.name for c in rig.runtime.ik] == ["b", "a"]

    def test_named_after_the_file(self):
        """A rig is called what its file is called, without the ending."""
        assert read(text(small()), "some/where/hero-pro.json").name == "hero-pro"

    @pytest.mark.parametrize("newest", [False, True])
    def test_what_is_not_simulated_says_so(self, newest):
        """Physics and sliders are kept with their turn, and a LossyWarning names them."""
        if newest:
            listed = [
                {"type": "physics", "name": "hair", "bone": "shin"},
                {"type": "slider", "name": "s", "animation": "wave"},
            ]
            data = small("4.3.13", constraints=listed)
        else:
            data = small("4.2.22", physics=[{"name": "hair", "order": 3, "bone": "shin"}])
        with pytest.warns(LossyWarning, match='not simulated: 1 .*"(hair|s)"') as noted:
            rig = read(data)
        assert len(noted) == 1 + newest
        assert [(c.name, c.bone, c.order) for c in rig.runtime.unsimulated[:1]] == [("hair", 3, 0 if newest else 3)]

    def test_a_long_chain(self):
        """Thousands of bones on each other are no matter."""
        bones = [{"name": "b0"}, *({"name": f"b{i}", "parent": f"b{i - 1}", "x": 1} for i in range(1, 3000))]
        assert len(read({"skeleton": {"spine": "4.2"}, "bones": bones}).skeleton) == 3000


class TestSkins:
    """What slots show."""

    def test_points_in_single_precision(self):
        """Vertices are kept as the runtimes store them."""
        found = read(small()).runtime.attachment(None, 0, "curve")
        assert found.kind == "path"
        assert found.vertices.numbers[4].tolist() == [float(np.float32(30.1)), 0.0]
        assert found.lengths.tolist() == [30.0, 0.0]
        assert not found.vertices.weighted

    def test_weights(self):
        """Each vertex has a count of influences, each of those a bone, a point and a weight."""
        flag = {"type": "mesh", "uvs": [0, 0, 1, 1], "vertices": [2, 1, 5, 6, 0.25, 3, 7, 8, 0.75, 1, 0, 9, 10, 1]}
        found = cloth(small(skins=skin({"flag": flag}))).vertices
        assert found.counts.tolist() == [2, 1]
        assert found.bones.tolist() == [1, 3, 0]
        assert found.numbers.tolist() == [[5, 6], [7, 8], [9, 10]]
        assert found.weights.tolist() == [0.25, 0.75, 1]

    @pytest.mark.parametrize("version", ["4.2.22", "4.3.13"])
    @pytest.mark.parametrize("follows", [True, False])
    def test_linked_meshes_borrow(self, version, follows):
        """A linked mesh has the points of its source, and its keys too unless it says no."""
        mesh = {"type": "mesh", "uvs": [0, 0], "vertices": [3, 4]}
        word = "source" if version >= "4.3" else "parent"
        link = {"type": "linkedmesh", word: "own", "timelines": follows}
        found = cloth(small(version, skins=skin({"flag": link, "own": mesh})))
        assert found.vertices.numbers.tolist() == [[3, 4]]
        assert found.timelines == ("default", 1, "own" if follows else "flag")

    def test_linked_meshes_in_a_ring(self):
        """Meshes that borrow from each other are refused."""
        links = {"a": {"type": "linkedmesh", "parent": "b"}, "b": {"type": "linkedmesh", "parent": "a"}}
        with pytest.raises(FormatError, match=r"\$\.skins\[0\]\.attachments\.cloth\.a\.parent: .* in a ring"):
            read(small(skins=skin(links)))

    def test_every_kind(self):
        """All seven kinds are read; one that is unknown is kept with a warning."""
        shape = {"vertexCount": 1, "vertices": [1, 2]}
        kinds = {
            "r": {},
            "b": {"type": "boundingbox", **shape},
            "c": {"type": "clipping", **shape},
            "p": {"type": "point"},
        }
        found = read(small(skins=skin(kinds))).runtime.skins["default"].attachments
        assert [found[1, name].kind for name in kinds] == ["region", "boundingbox", "clipping", "point"]
        assert found[1, "b"].data == kinds["b"]
        with pytest.warns(UserWarning, match='type "regoin" is unknown .did you mean "region"'):
            assert cloth(small(skins=skin({"flag": {"type": "regoin"}}))).kind == "regoin"

    def test_what_a_skin_brings_along(self):
        """A skin lists bones and constraints that are active only with it."""
        more = {"name": "red", "bones": ["goal"], "ik": ["leg"], "transform": ["follow"]}
        found = read(small(skins=[{"name": "default"}, more])).runtime.skins["red"]
        assert found.bones == (4,)
        assert found.constraints == {("ik", "leg"), ("transform", "follow")}

    @pytest.mark.parametrize(
        ("wrong", "message"),
        [
            (
                skin({}, bones=["goa"]),
                r'\$\.skins\[0\]\.bones\[0\]: skin "default": bone "goa" does not exist .*"goal"',
            ),
            (skin({}, ik=["lag"]), r'\$\.skins\[0\]\.ik\[0\]: skin "default": ik constraint "lag" .*"leg"'),
            (skin({"flag": 3}), r"\$\.skins\[0\]\.attachments\.cloth\.flag: 3 \(an object"),
            ([{"name": "default", "attachments": {"cloht": {}}}], r'slot "cloht" does not exist .*"cloth"'),
            (skin({"flag": {"type": "path", "vertexCount": 4, "vertices": [0] * 8}}), r"vertexCount is 4 \(three"),
            (
                skin({"flag": {"type": "mesh", "uvs": [0, 0], "vertices": [1, 2, 3]}}),
                "has 3 numbers, which fit neither 1 pairs",
            ),
            (
                skin({"flag": {"type": "mesh", "uvs": [0, 0], "vertices": [1, 9, 0, 0, 1]}}),
                r"vertices\[1\] is 9 .*0 to 4",
            ),
            (skin({"flag": {"type": "mesh", "uvs": [0, 0], "vertices": [True, 2]}}), r"vertices\[0\] is true"),
            (skin({"flag": {"type": "mesh", "uvs": [0, 0], "vertices": [1, 1e39]}}), r"vertices\[1\] is 1e\+39"),
            (skin({"flag": {"type": "linkedmesh", "parent": "x"}}), 'mesh "x" of skin "default" does not exist'),
            ([{"name": "a"}, {"name": "a"}], r"\$\.skins\[1\]\.name: skin .*entries 0 and 1"),
        ],
    )
    def test_faults(self, wrong, message):
        """What is wrong with a skin is refused with its place, its owner and what would be right."""
        with pytest.raises(FormatError, match=message):
            read(small(skins=wrong))


class TestSave:
    """Written back as it was."""

    @pytest.mark.parametrize("version", VERSIONS)
    def test_unchanged_data(self, version, tmp_path):
        """Load, save, load gives the same data, keys nobody knows included."""
        data = small(version) | {"mine": {"a": [1, 2.50, None, "ü"]}}
        data["bones"][0]["icon"] = "flag"
        er.save(read(data), tmp_path / "out.json")
        assert json.loads((tmp_path / "out.json").read_text("utf-8")) == data
        assert er.load(tmp_path / "out.json").runtime.version == VERSIONS[version]

    def test_parts_of_the_file_on_demand(self):
        """The data of the file is there to look at, by its keys."""
        data = small()
        kept = read(data).foreign.data
        assert list(kept) == list(data)
        assert kept["bones"] == data["bones"]
        assert dict(kept) == data

    def test_a_rig_from_elsewhere(self, tmp_path):
        """Converting to Spine is refused with the reason, and nothing is written."""
        with pytest.raises(InputError, match="converting to Spine is not supported yet"):
            er.save(arm(), tmp_path / "out.json", format="spine")
        assert not list(tmp_path.iterdir())

    def test_a_changed_rig(self, tmp_path):
        """A rig whose content was exchanged is not written as if it were the old one."""
        with pytest.raises(InputError, match="changes to a rig from Spine cannot be written yet"):
            er.save(dataclasses.replace(read(small()), animations={}, checked=True), tmp_path / "out.json")

    def test_as_native(self, tmp_path):
        """The native form cannot hold a rig from Spine yet and says so."""
        for name, kind in (("out.rig.json", None), ("out.json", "native")):
            with pytest.raises(InputError, match="cannot be written as native yet"):
                er.save(read(small()), tmp_path / name, format=kind)

    def test_after_a_pickle(self, tmp_path):
        """A rig that went to another process and came back can still be written."""
        er.save(pickle.loads(pickle.dumps(read(small()))), tmp_path / "out.json")
        assert json.loads((tmp_path / "out.json").read_text("utf-8")) == small()


class TestRealFiles:
    """The shared rigs."""

    def test_every_rig_loads_and_is_written_back_unchanged(self, shared, tmp_path):
        """All JSON rigs of 3.6 to 4.3 load, and their data is the same after saving."""
        files = [
            *shared.glob("rigs/spine/*/*.json"),
            *shared.glob("spine-lab/*.json"),
            *shared.glob("rigs/own/*4.?.json"),
        ]
        assert len(files) > 60
        for file in files:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                rig = er.load(file)
            raw = json.loads(file.read_bytes())
            assert list(rig.skeleton.names) == [bone["name"] for bone in raw["bones"]], file
            assert list(rig.clips) == list(raw.get("animations", {})), file
            er.save(rig, tmp_path / "out.json")
            assert json.loads((tmp_path / "out.json").read_bytes()) == raw, file

    def test_the_binary_export_is_refused_by_name(self, shared):
        """A .skel file is named for what it is."""
        with pytest.raises(FormatError, match=r"this is Spine's binary export, which is not read \(export JSON"):
            er.load(shared / "rigs" / "spine" / "4.2" / "spineboy-pro.skel")
