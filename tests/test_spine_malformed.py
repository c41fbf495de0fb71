"""Broken and odd Spine files: refused with the place and the reason, warned of, or read; never anything else."""

from __future__ import annotations

import copy
import json
import warnings
from functools import partial

import pytest
from spine_small import read, small, text

import elbowroom as er
from elbowroom.errors import FormatError

# What the message about each shared file must say, whether it is refused with it or warned of.
SAYS = {
    "empty": "the file is empty",
    "not-json": "line 1, column 1: not JSON",
    "truncated": r"line \d+, column \d+: the JSON ends early",
    "root-array": "a JSON object was expected",
    "trailing-comma": r"line \d+, column \d+: not JSON: a comma before a closing bracket",
    "comment": "line 1, column 1: not JSON",
    "utf16": r"this is UTF-16 \(save it as UTF-8\)",
    "latin1-name": "not UTF-8: byte 0xFC at offset 112",
    "duplicate-key": r"\$\.bones: this key is there twice, on line 6 and line 45",
    "no-bones": r'\$\.ik\[0\]\.bones\[0\]: ik "leg": bone "thigh" does not exist',
    "bones-missing": r"\$\.bones: bones is missing",
    "bone-no-name": r"\$\.bones\[4\]\.name: bone 4: has no name",
    "self-parent": 'bone "hip": is its own parent',
    "parent-cycle": '"hip" -> "shin" -> "thigh" -> "hip"',
    "parent-after-child": 'bone "thigh": stands before its parent "hip"',
    "missing-parent": r'bone "thigh": parent "hipp" does not exist \(did you mean "hip"\?\)',
    "two-roots": '2 bones have no parent: "root", "root2"',
    "duplicate-bone": r'bone "shin": .*\(entries 3 and 5; every bone needs its own\)',
    "bone-name-types": r"bone 4: name is 42 \(a text in quotes was expected\)",
    "zero-length": r'ik "leg": "shin" has \(nearly\) no length',
    "zero-upper": 'ik "leg": "shin" sits on the origin of "thigh"',
    "negative-length": r'\$\.bones\[3\]\.length: bone "shin": length is -90 \(a number, 0 or more\)',
    "zero-scale": 'ik "leg": .* "hip": no way back from the world, IK cannot be solved there',
    "tiny-scale": 'ik "leg": .* "hip": no way back from the world',
    "nan": r"line \d+, column \d+: NaN is not JSON",
    "infinity": r"line \d+, column \d+: -Infinity is not JSON",
    "overflow": r'\$\.bones\[2\]\.x: bone "thigh": x is inf \(a finite number',
    "huge": r'\$\.bones\[2\]\.length: bone "thigh": length is 1e\+308 \(a finite number, at most 1e\+150\)',
    "denormal": r'ik "leg": "shin" has \(nearly\) no length',
    "number-as-string": r'bone "thigh": length is "100" \(a number was expected\)',
    "null-field": r'bone "thigh": rotation is null \(a number was expected\)',
    "bool-field": r'bone "thigh": rotation is true \(a number was expected\)',
    "ik-missing-target": r'\$\.ik\[0\]\.target: ik "leg": target bone "nothing" does not exist',
    "ik-missing-bone": r'ik "leg": bone "shank" does not exist \(did you mean "shin"\?\)',
    "ik-no-bones": 'ik "leg": has no bones',
    "ik-three-bones": r'ik "leg": drives 3 bones \(Spine knows 1 or 2\)',
    "ik-not-adjacent": 'ik "leg": "shin" is no child of "hip"',
    "ik-reversed": 'ik "leg": the order is wrong: "shin" hangs on "thigh"',
    "ik-same-bone": 'ik "leg": "thigh" is there twice',
    "ik-target-in-chain": 'ik "leg": the target "foot-target" hangs on "thigh".*a feedback loop',
    "ik-target-is-bone": 'ik "leg": the target "shin" is a bone of the chain itself',
    "ik-on-root": 'ik "aim": "root" has no parent',
    "ik-duplicate-name": r'ik constraint "leg": .*\(entries 0 and 1;',
    "ik-order-gap": "order 7 leaves a gap: .*Spine leaves it out",
    "ik-mix-range": r"(?s)mix is 2\.5 \(a number, 0 to 1\).*softness is -10 \(a number, 0 or more\)",
    "version-2": r'version "2\.1\.27" is not read \(known: 3\.7, 3\.8, 4\.0, 4\.1, 4\.2, 4\.3',
    "version-5": r'is not among those known: "5\.0\.00" \(3\.7 to 4\.3\); the layout is that of 4\.2',
    "version-missing": r"skeleton\.spine is missing; the layout is that of 4\.2",
    "version-type": r"the number 4\.2, not a text: taken for 4\.2",
    "mixed-layout": "two layouts are mixed",
    "anim-unknown-bone": r'\$\.animations\.reach\.bones\.ghost: bone "ghost" does not exist',
    "anim-unknown-ik": r'\$\.animations\.reach\.ik\.ghost: .*"ghost" does not exist',
    "anim-unsorted": r"\$\.animations\.reach\.bones\.foot-target\.translate.* 0\.5 s .* 1 s",
    "anim-duplicate-time": r"\$\.animations\.reach\.bones\.foot-target\.translate.*0\.5 s: the last one counts",
    "anim-negative-time": r"\$\.animations\.reach\.bones\.foot-target\.translate.*-1 s",
    "anim-bad-curve": r"\$\.animations\.reach\.bones\.foot-target\.translate\[0\].*curve .*8 numbers",
    "anim-curve-outside": r"\$\.animations\.reach\.bones\.foot-target\.translate.*handles of",
    "anim-very-long": r"\$\.animations\.reach: .*3e\+08 frames",
    "deep-json": "nested too deeply",
    "binary-renamed": "looks like Spine's binary export",
}
FINE = (
    *("ok", "bom", "equal-length-fold", "nonuniform-scale", "big-coordinates", "ik-shared-bone", "anim-empty-timeline"),
    *("anim-zero-duration", "deep-chain", "odd-names"),
)


@pytest.fixture(scope="session")
def wanted(shared):
    """What is expected of each shared file: reject, accept-with-warning or accept."""
    index = json.loads((shared / "malformed" / "index.json").read_text("utf-8"))
    return {file["file"]: file["expect"] for file in index["files"] if file["format"] == "spine"}


def attempt(load):
    """What becomes of a file, as the index has it, and what is said about it."""
    with warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("always")
        try:
            load()
        except FormatError as error:
            return "reject", str(error)
    return ("accept-with-warning" if noted else "accept"), "\n".join(str(each.message) for each in noted)


class TestSharedFiles:
    """Seventy files, each wrong in one way."""

    @pytest.mark.parametrize("name", [*SAYS, *FINE])
    def test_each_is_met_as_it_should(self, name, wanted, shared):
        """It is refused, warned of or read, and the message names place and reason."""
        file = f"spine-{name}.json"
        became, said = attempt(lambda: er.load(shared / "malformed" / file))
        assert became == wanted[file], said
        if name in SAYS:
            with pytest.raises(FormatError, match=SAYS[name]):
                raise FormatError("", "", said)

    def test_none_is_forgotten(self, wanted):
        """The lists here have every file."""
        assert {f"spine-{name}.json" for name in (*SAYS, *FINE)} == wanted.keys()


def bones(*more, **changes):
    """A small file whose fourth bone has other values, or with more bones."""
    data = small()
    data["bones"][3] |= changes
    data["bones"] += more
    return data


def limb(**changes):
    """A small file whose limb has other values; None takes one away."""
    data = small()
    data["ik"][0] |= changes
    data["ik"][0] = {key: value for key, value in data["ik"][0].items() if value is not None}
    return data


REFUSED = {
    "empty": (b"", "the file is empty"),
    "array": (b"[1]", "a JSON object was expected"),
    "comma": (b'{"bones": [1,]}', "line 1, column 13: not JSON: a comma before"),
    "cut": (text(small())[:-20], "the JSON ends early"),
    "nan": (text(small()).replace(b"90", b"NaN"), "NaN is not JSON"),
    "utf16": (b"\xff\xfe{\x00", "this is UTF-16"),
    "latin1": (text(small()).replace(b"hip", b"h\xfcp"), "not UTF-8: byte 0xFC at offset"),
    "deep": (b'{"skeleton":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
    "twice at the top": (text(small())[:-1] + b',\n"bones": []}', r"\$\.bones: this key is there twice, on line 1 and"),
    "twice within": (text(small()).replace(b'"y": 90', b'"y": 90, "y": 91'), r"\$\.bones\[1\]\.y: this key"),
    "twice an animation": (text(small()).replace(b'"wave"', b'"wave": {}, "wave"'), r"\$\.animations\.wave: this key"),
    "no bones": ({"skeleton": {"spine": "4.2"}}, r"\$\.bones: bones is missing"),
    "number": (bones(length="45"), r'\$\.bones\[3\]\.length: bone "shin": length is "45" \(a number was expected\)'),
    "null": (bones(x=None), "x is null"),
    "true": (bones(rotation=True), "rotation is true"),
    "overflow": (bones(scaleX=float("inf")), r"scaleX is inf \(a finite number, at most 1e\+150\)"),
    "whole overflow": (bones(x=10**400), r"x is 1000.*\(a finite number"),
    "negative": (bones(length=-1), "length is -1 .a number, 0 or more"),
    "flag": (bones(skin="true"), r'skin is "true" \(true or false, without quotes\)'),
    "word": (bones(inherit="noScal"), r'inherit is "noScal" \(one of: normal,'),
    "own parent": (bones(parent="shin"), 'bone "shin": is its own parent'),
    "parent": (bones(parent="thihg"), r'parent "thihg" does not exist \(did you mean "thigh"\?\)'),
    "loop": (bones({"name": "a", "parent": "b"}, {"name": "b", "parent": "a"}), '"a" -> "b" -> "a"'),
    "late parent": (bones({"name": "a", "parent": "b"}, {"name": "b", "parent": "hip"}), 'before its parent "b"'),
    "same name": (bones({"name": "shin", "parent": "hip"}), r'\$\.bones\[5\]\.name: bone "shin".*entries 3 and 5'),
    "no name": (bones({"parent": "hip"}), "bone 5: has no name"),
    "not a bone": (bones(7), r"\$\.bones\[5\]: 7 \(an object was expected\)"),
    "target": (limb(target="gaol"), r'\$\.ik\[0\]\.target: ik "leg": target bone "gaol" .*"goal"'),
    "no target": (limb(target=None), "target is missing"),
    "three bones": (limb(bones=["hip", "thigh", "shin"]), r"drives 3 bones \(Spine knows 1 or 2\)"),
    "apart": (limb(bones=["hip", "shin"]), '"shin" is no child of "hip"'),
    "reversed": (limb(bones=["shin", "thigh"]), 'the order is wrong: "shin" hangs on "thigh"'),
    "twice": (limb(bones=["thigh", "thigh"]), '"thigh" is there twice'),
    "root": (limb(bones=["root"]), '"root" has no parent'),
    "in the chain": (limb(target="shin"), 'the target "shin" is a bone of the chain itself'),
    "no bones in a limb": (limb(bones=[]), 'ik "leg": has no bones'),
    "mix": (limb(mix=1.5, softness=-1), r"(?s)mix is 1\.5 \(a number, 0 to 1\).*softness is -1"),
    "bend": (limb(bendPositive="false"), 'bendPositive is "false"'),
    "order": (limb(order=1.5), r"order is 1\.5 \(a whole number, 0 or more\)"),
    "limb of no name": (limb(name=""), r"\$\.ik\[0\]\.name: ik 0: name is empty"),
    "slot": (small("4.2.22", slots=[{"name": "line", "bone": "hop"}]), r'slot "line": bone "hop" .*"hip"'),
    "type": (small("4.3.13", constraints=[{"name": "a", "type": "spring"}]), r'type is "spring" \(one of: ik,'),
    "property": (
        small("4.3.13", constraints=[{"name": "a", "type": "transform", "source": "hip", "bones": [],
                                      "properties": {"rotat": {}}}]),
        r'constraints\[0\]\.properties\.rotat: transform "a": properties has "rotat" \(did you mean "rotate"',
    ),
    "animation": (
        small("4.2.22", animations={"wave": {"bones": {"hop": {}}}}),
        r'\$\.animations\.wave\.bones\.hop: bone "hop"',
    ),
    "animations": (small("4.2.22", animations=[]), r"\$\.animations: an array of 0 \(an object was expected\)"),
}  # fmt: skip

WARNED = {
    "two roots": (bones({"name": "other"}), '2 bones have no parent: "root", "other"'),
    "no length": (bones(length=0), '"shin" has .nearly. no length'),
    "on the other's origin": (bones(x=0), '"shin" sits on the origin of "thigh"'),
    "late order": (
        limb(order=9),
        r"order 9 leaves a gap: with 3 constraints the orders are 0 to 2; Spine leaves it out",
    ),
    "same order": (
        limb(order=0),
        'transform constraint "follow": order 0 is that of "leg" too; Spine leaves this one out',
    ),
}


class TestSmallFiles:
    """The same, on files made here."""

    @pytest.mark.parametrize("name", REFUSED)
    def test_refused(self, name):
        """It is refused with the place, the owner and what would be right."""
        data, message = REFUSED[name]
        with pytest.raises(FormatError, match=message):
            read(data)

    @pytest.mark.parametrize("name", WARNED)
    def test_warned(self, name):
        """It is read, with a warning that says what the official runtime makes of it."""
        data, message = WARNED[name]
        with pytest.warns(UserWarning, match=message):
            read(data)

    def test_a_byte_order_mark_is_no_matter(self):
        """The mark some editors write is passed over."""
        assert read(b"\xef\xbb\xbf" + text(small())).skeleton.names[0] == "root"

    def test_every_fault_is_named(self):
        """One message lists all that is wrong with the skeleton, each with its place."""
        data = bones(length=-1, rotation="x")
        data["ik"][0]["target"] = "nobody"
        with pytest.raises(
            FormatError, match=r"(?s)\.length: .*\n  \$\.bones\[3\]\.rotation: .*\n  \$\.ik\[0\]\.target: "
        ) as found:
            read(data)
        assert found.value.where == "$.bones[3].length"

    def test_odd_names_are_kept_and_shown_escaped(self):
        """Any text is a name, the empty one too; in messages control characters are escaped."""
        names = ["", "a\nb", "\x00", "../x", "=1+1", "\u202e", "x" * 5000]
        rig = read(bones(*({"name": name, "parent": "root"} for name in names)))
        assert list(rig.skeleton.names[5:]) == names
        with pytest.raises(FormatError, match=r'\$\.bones\[5\]\.x: bone "a\\nb\\u202e": x is null'):
            read(bones({"name": "a\nb\u202e", "parent": "root", "x": None}))

    def test_any_value_in_any_place(self):
        """Whatever stands anywhere in a file, it is read or refused as a file: no other error comes out."""
        odd = (None, True, "x", -1, 1e200, float("inf"), [], {}, [None], "gone")
        for version in ("3.7.90", "4.2.22", "4.3.13"):
            data = small(version)
            for path in places(data):
                for value in odd:
                    attempt(partial(read, changed(data, path, value)))


def places(data, path=()):
    """The path of every value in the data."""
    if path:
        yield path
    steps = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in steps:
        yield from places(value, (*path, key))


def changed(data, path, value):
    """A copy with another value at a place; "gone" takes it away."""
    copied = copy.deepcopy(data)
    at = copied
    for key in path[:-1]:
        at = at[key]
    if value == "gone":
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return copied
