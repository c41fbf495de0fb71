"""Target tracks: tables and JSON, with every odd row told by its line."""

from __future__ import annotations

import json
import re
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sample_rig import changed, sample

from elbowroom.errors import FormatError, LossyWarning
from elbowroom.formats.tracks import load_targets
from elbowroom.rig.build import from_record
from elbowroom.rig.faults import check

RIG = from_record(check(sample()))
ARM = {"name": "arm", "bones": ["shin"], "on_miss": "accept"}
TWO = from_record(check(changed("constraints", 1, to=ARM)))
NONE = from_record(check({"format": "elbowroom-rig/1", "bones": [{"name": "bone"}]}))


@pytest.fixture
def targets(tmp_path):
    """Reads text as target tracks of a rig, without warnings."""

    def read(text, rig=RIG):
        name = "t.json" if isinstance(text, dict) else "t.csv"
        path = tmp_path / name
        content = json.dumps(text) if isinstance(text, dict) else text
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return load_targets(path, rig)

    return read


def refused(read, text, rig=RIG):
    """The text of the refusal, without the path."""
    with pytest.raises(FormatError) as error:
        read(text, rig)
    return str(error.value).removeprefix(f"{error.value.path}: ")


# tables


def test_a_table_is_linear_and_held(targets):
    """Between rows in proportion to time, outside held; without a space column in the world."""
    found = targets("time,constraint,x,y\n0,leg,0,0\n1,leg,10,20\n")
    track = found.sample([-1.0, 0.0, 0.25, 1.0, 9.0])["leg"]
    assert track.position.tolist() == [[0, 0], [0, 0], [2.5, 5], [10, 20], [10, 20]]
    assert set(track.space) == {"world"}
    assert (found.warnings, dict(found.frames), found.duration) == ((), {}, 1.0)


def test_no_constraint_column_means_the_only_one(targets):
    """One constraint needs no name; several are named in the refusal, and so is none."""
    assert list(targets("time,x,y\n0,1,2\n").tracks) == ["leg"]
    assert refused(targets, "time,x,y\n0,1,2\n", TWO) == (
        "line 1: the rig has 2 constraints, leg, arm (add a column constraint)"
    )
    assert refused(targets, "time,x,y\n0,1,2\n", NONE) == "line 1: the rig has no constraint that could follow a target"


def test_tables_of_several_constraints(targets):
    """Rows of different constraints may be mixed; each has its own clock."""
    found = targets("time,constraint,x,y\n0,leg,0,0\n0,arm,5,5\n1,arm,6,5\n0.5,leg,1,1\n", TWO)
    assert found.warnings == ()
    assert found.tracks["arm"].position.times.tolist() == [0.0, 1.0]
    assert found.tracks["leg"].position.times.tolist() == [0.0, 0.5]


def test_a_change_of_space_is_not_interpolated(targets):
    """Where the space changes, the old one's last value is held and the new one's first value begins."""
    found = targets("time,x,y,space\n0,0,0,world\n1,10,0,world\n2,99,0,door\n3,90,0,door\n")
    track = found.sample([0.5, 1.5, 2.0, 2.5])["leg"]
    assert track.position[:, 0].tolist() == [5.0, 10.0, 99.0, 94.5]
    assert track.space == ("world", "world", "door", "door")
    assert track.weight.tolist() == [1.0] * 4


@pytest.mark.parametrize(
    "text",
    [
        "time,x,y\r\n0,1,2\r\n1,3,4\r\n",
        "time,x,y\r0,1,2\r1,3,4\r",
        "\ufefftime,x,y\n0,1,2\n1,3,4\n",
        " Time , X,\tY\n 0, 1 ,2\n\n  \n1,3,4",
        '"time","x","y"\n"0","1","2"\n1,3,4\n',
        "y,time,x\n2,0,1\n4,1,3\n",
        "time,x,y\n0,1,2,\n1,3,4,,\n",
        "time,x,y\n0,+1.0,2e0\n1,3.,.4E1\n",
    ],
)
def test_tables_as_programs_write_them(targets, text):
    """Line ends, marks, spaces, quotes, order of columns, empty cells at the end: all read the same."""
    found = targets(text)
    assert found.warnings == ()
    assert found.tracks["leg"].position.to_keys() == [[0.0, 1.0, 2.0], [1.0, 3.0, 4.0]]


GAPS = "time,x,y\n0,0,0\n0.0333,1,0\n0.1333,,\n0.1666,5,0\n0.1666,5.1,0\n0.15,4.7,0\n0.2,nan,1\n0.2333,7,0\n"
GAP_REMARKS = (
    "line 4: x is empty: left out",
    "line 5: gap of 0.1333 s before it, where 0.0333 s is usual (a straight line bridges it)",
    "line 6: time 0.1666 repeats that of line 5: left out",
    "line 7: time 0.15 goes back behind 0.1666 of line 5: left out",
    'line 8: x is "nan": left out',
)


def test_odd_rows_are_listed_by_line_and_left_out(targets):
    """Empty cells, NaN, repeated and backward times and gaps: each told once, in order; the rest is read."""
    found = targets(GAPS)
    assert found.warnings == GAP_REMARKS
    assert found.tracks["leg"].position.times.tolist() == [0.0, 0.0333, 0.1666, 0.2333]
    assert np.isfinite(found.sample(np.linspace(0, 1, 50))["leg"].position).all()


def test_what_was_left_out_is_warned_of_once(tmp_path):
    """One warning lists all remarks; when rows are missing it is a LossyWarning, otherwise a plain one."""
    path = tmp_path / "t.csv"
    path.write_text(GAPS)
    with pytest.warns(LossyWarning) as caught:
        load_targets(path, RIG)
    assert [str(w.message) for w in caught] == ["\n  ".join([f"{path}: 5 remarks", *GAP_REMARKS])]
    assert caught[0].filename == __file__
    path.write_text("time,x,y,z\n0,1,2,3\n")
    with pytest.warns(UserWarning, match='line 1: the column "z" is not read') as caught:
        load_targets(path, RIG)
    assert caught[0].category is UserWarning


@pytest.mark.parametrize(
    ("row", "remark"),
    [
        ("0.5,inf,1", 'line 3: x is "inf": left out'),
        ("0.5,1,-Infinity", 'line 3: y is "-Infinity": left out'),
        ("0.5,1e999,1", "line 3: x is not a finite number of at most 1e+150: left out"),
        (",1,1", "line 3: time is empty: left out"),
        ("0.5,1", "line 3: y is empty: left out"),
        ("0.5,N/A,1", 'line 3: x is "N/A": left out'),
        ('0.5,"0,5",1', 'line 3: x is "0,5" (a number such as 0.5 was expected): left out'),
        ("0.5,1_0,1", 'line 3: x is "1_0" (a number such as 0.5 was expected): left out'),
        ("0.5,1,１", 'line 3: y is "１" (a number such as 0.5 was expected): left out'),
        ("later,1,1", 'line 3: time is "later" (a number such as 0.5 was expected): left out'),
        ("0.5,1,1,7", "line 3: 4 cells under a header of 3 (numbers are written with a point, as in 0.5): left out"),
        ("-1,1,1", "line 3: time -1 goes back behind 0 of line 2: left out"),
    ],
)
def test_each_odd_cell_has_its_remark(targets, row, remark):
    """A row that cannot be used costs only itself."""
    found = targets(f"time,x,y\n0,0,0\n{row}\n1,9,9\n")
    assert found.warnings == (remark,)
    assert len(found.tracks["leg"].position) == 2


def test_empty_names_are_remarks_too(targets):
    """A row without its constraint or space cannot be used."""
    found = targets("time,constraint,x,y,space\n0,,1,1,world\n0,leg,1,1,\n0,leg,2,2,door\n")
    assert found.warnings == ("line 2: constraint is empty: left out", "line 3: space is empty: left out")
    assert found.tracks["leg"].space_names == ("door",)


def test_a_row_with_shifted_cells_costs_only_itself(targets):
    """A comma too many moves names into other columns: no unknown constraint or space is found there."""
    found = targets("time,constraint,x,y,space\n0,leg,1,1,world\n0,5,leg,1,1,world\n1,leg,0,5,1,world\n", TWO)
    assert [line.split(":")[0] for line in found.warnings] == ["line 3", "line 4"]
    assert found.tracks["leg"].position.to_keys() == [[0.0, 1.0, 1.0]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "time;x;y\n0;0,5;1\n",
            "line 1: semicolons between the cells (write commas between the cells and points in the numbers, "
            'such as "time,x,y" then "0.0333,0.6,1")',
        ),
        (
            "time\tx\ty\n0\t5\t1\n",
            "line 1: tabs between the cells (write commas between the cells and points in the numbers, "
            'such as "time,x,y" then "0.0333,0.6,1")',
        ),
        ("0,1,2\n1,2,3\n", "line 1: numbers where the header belongs (time,constraint,x,y[,space])"),
        (
            "tme,X,y\n0,1,2\n",
            'line 1: no column "time" (its columns: tme, X, y; expected time,constraint,x,y[,space])',
        ),
        ("time,x,x,y\n0,1,2,3\n", 'line 1: the column "x" is there twice'),
        (
            "time,x,y\n0,0,5,1\n1,0,5,1\n",
            'no usable row for constraint "leg" (first: line 2: 4 cells under a header of 3 '
            "(numbers are written with a point, as in 0.5): left out)",
        ),
        (
            'time,x,y\n0,"0,5",1\n1,five,1\n',
            'no usable row for constraint "leg" '
            '(first: line 2: x is "0,5" (a number such as 0.5 was expected): left out)',
        ),
        ("time,x,y\n", 'no usable row for constraint "leg" (only the header is there)'),
        ("time,constraint,x,y\n", "there are no rows below the header"),
        ("time,x,y\n0,,\n", 'no usable row for constraint "leg" (first: line 2: x is empty: left out)'),
        (
            "time,constraint,x,y\n0,lag,1,2\n",
            'line 2: constraint "lag" does not exist (did you mean "leg"?)',
        ),
        (
            "time,x,y,space\n0,1,2,dor\n",
            'line 2: space "dor" does not exist (did you mean "door"? known: world, character, door, hip, thigh, shin)',
        ),
        ("time,x,y,space\n0,1,2,shin\n", 'line 2: space "shin" moves with bone "thigh", which this target drives'),
        ('time,x,y\n0,"1,2\n', "line 2: this is no table: unexpected end of data"),
        ("", "the file is empty"),
        (
            "time,x,y\n0,1,\udc80\n".encode("utf-8", "surrogateescape"),
            "not UTF-8: byte 0x80 at offset 13 (save it as UTF-8 text)",
        ),
    ],
)
def test_tables_that_cannot_be_read_are_refused_by_line(targets, text, message):
    """Each kind of table that would be misread has its sentence."""
    assert refused(targets, text) == message


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 100), *(st.floats(-1e6, 1e6),) * 2), min_size=1, unique_by=lambda r: r[0]))
def test_every_number_of_a_table_is_read_exactly(tmp_path_factory, rows):
    """Numbers written in full are read in full."""
    rows = sorted(rows)
    path = tmp_path_factory.mktemp("t") / "t.csv"
    path.write_text("time,x,y\n" + "".join(f"{t!r},{x!r},{y!r}\n" for t, x, y in rows))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # gaps
        keys = load_targets(path, RIG).tracks["leg"].position
    assert keys.to_keys() == [list(row) for row in rows]


# JSON


def test_one_fixed_target(targets):
    """A target is a point and the space it is written in."""
    found = targets({"target": [120, 40], "space": "hip"})
    track = found.sample([0.0, 3.0])["leg"]
    assert track.position.tolist() == [[120, 40], [120, 40]]
    assert track.space == ("hip", "hip")


def test_tracks_of_several_constraints_in_json(targets):
    """Every constraint has its list of rows, in the one space of the file."""
    found = targets({"tracks": {"leg": [[0, 0, 0], [1, 2, 4]], "arm": [[0, 7, 7]]}, "space": "world"}, TWO)
    at = found.sample([0.5])
    assert at["leg"].position.tolist() == [[1, 2]]
    assert at["arm"].position.tolist() == [[7, 7]]


def test_a_file_may_bring_its_spaces(targets):
    """Frames as in the record, hung on each other and on the rig's; with them the rig can be solved."""
    spaces = {"knob": {"parent": "door", "x": 2}, "tip": {"parent": "knob", "rotation_deg": [[0, 0], [1, 90]]}}
    found = targets({"target": [1, 2], "space": "tip", "spaces": spaces})
    rig = found.with_frames(RIG)
    assert list(rig.frames) == ["door", "knob", "tip"]
    assert rig.local_frames()["knob"][0] == "door"
    assert targets({"target": [1, 2], "space": "hip"}).with_frames(RIG) is RIG


def test_odd_rows_in_json_are_listed_by_path(targets):
    """Null, repeated and backward rows are left out and told with their index."""
    rows = [[0, 0, 0], [0.1, None, 0], [0.2, 1, 1], [0.2, 2, 2], [0.1, 3, 3], [0.3, 1, 1]]
    found = targets({"tracks": {"leg": rows}, "space": "world"})
    assert found.warnings == (
        "$.tracks.leg[1]: x is null: left out",
        "$.tracks.leg[3]: time 0.2 repeats that of $.tracks.leg[2]: left out",
        "$.tracks.leg[4]: time 0.1 goes back behind 0.2 of $.tracks.leg[2]: left out",
    )
    assert len(found.tracks["leg"].position) == 3


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            {"target": [120, 40]},
            '$.space: missing (a position means nothing without its space: "world", "character", a bone or a frame)',
        ),
        (
            {"target": [4, 12], "space": "door_handel"},
            '$.space: space "door_handel" does not exist (known: world, character, door, hip, thigh, shin)',
        ),
        (
            {"target": [0, 0], "space": "a", "spaces": {"a": {"parent": "b"}, "b": {"parent": "a"}}},
            "$.spaces.a.parent: the frames hang on each other: a -> b -> a (one of them needs another parent)",
        ),
        (
            {"target": [5, 5], "space": "flat", "spaces": {"flat": {"parent": "world", "scale": [1, 0]}}},
            "$.spaces.flat.scale: the space is squashed to a line and has no inverse (a scale other than 0)",
        ),
        (
            {"target": [5, 5], "space": "door", "spaces": {"door": {}}},
            "$.spaces.door: the rig has a frame of that name already (choose another)",
        ),
        ({"target": [1, 2, 3], "space": "world"}, "$.target: 3 values (two were expected: [x, y])"),
        ({"target": [1, "2"], "space": "world"}, '$.target[1]: the text "2" is not a number'),
        (
            {"target": [1, 2], "space": "thigh"},
            '$.space: space "thigh" moves with bone "thigh", which this target drives',
        ),
        ({"space": "world"}, '$: "target" or "tracks": neither is there (one of them)'),
        (
            {"target": [0, 0], "tracks": {"leg": [[0, 0, 0]]}, "space": "world"},
            '$: "target" or "tracks": both are there (one of them)',
        ),
        ({"targets": {}, "target": [0, 0], "space": "world"}, '$.targets: unknown key (did you mean "target"?)'),
        (
            {"tracks": {"lag": [[0, 0, 0]]}, "space": "world"},
            '$.tracks.lag: constraint "lag" does not exist (did you mean "leg"?)',
        ),
        (
            {"tracks": {"leg": [[0, 0]]}, "space": "world"},
            "$.tracks.leg[0]: 2 values (three were expected: [time, x, y])",
        ),
        (
            {"tracks": {"leg": []}, "space": "world"},
            '$.tracks.leg: no usable row for constraint "leg" ([time, x, y])',
        ),
        (
            {"tracks": {}, "space": "world"},
            "$.tracks: empty (a constraint's name and its rows [time, x, y] were expected)",
        ),
    ],
)
def test_json_that_cannot_be_used_is_refused_by_path(targets, data, message):
    """Each kind of file that would be misread has its sentence with its JSON path."""
    assert refused(targets, data) == message


def test_json_faults_are_listed_together(targets):
    """Several faults come in one error."""
    text = refused(targets, {"target": [1, 2, 3], "spaces": {"a": {"scale": 0}}})
    assert text.startswith("3 faults\n  $.target: 3 values")
    assert "$.space: missing" in text
    assert "$.spaces.a.scale" in text


def test_several_constraints_need_their_names(targets):
    """A lone target is for a rig with one constraint."""
    assert refused(targets, {"target": [0, 0], "space": "world"}, TWO) == (
        '$.target: the rig has 2 constraints, leg, arm (write "tracks" with their names)'
    )


def test_json_that_is_no_json_or_doubles_a_key(targets):
    """NaN is no number of JSON, a key stands once, and the file is an object."""
    assert refused(targets, '{"target": [NaN, 2], "space": "world"}') == (
        "line 1, column 13: NaN is not JSON (write a finite number)"
    )
    assert refused(targets, '{"space": "hip", "target": [1, 2], "space": "world"}').startswith(
        "$.space: this key is there twice"
    )
    assert refused(targets, "[1, 2]") == 'a JSON object was expected: {"target": [x, y], "space": "world"}'


EXPECTED = {
    "target-no-space.json": "space",
    "target-unknown-space.json": "known: world, character, door, hip, thigh, shin",
    "target-space-cycle.json": "a -> b -> a",
    "target-space-singular.json": "no inverse",
    "target-three-numbers.json": "two were expected",
    "target-nan.json": "NaN",
    "track-gaps.csv": "line 4.*line 6.*line 7.*line 8",
    "track-semicolon.csv": "semicolons",
}


def test_every_shared_target_file_behaves_as_its_index_says(shared):
    """Rejected with what the message must say, or accepted with a warning that lists the lines."""
    index = json.loads((shared / "malformed" / "index.json").read_text())
    files = {entry["file"]: entry["expect"] for entry in index["files"] if entry["format"] == "targets"}
    assert files.keys() == EXPECTED.keys()
    for name, expect in files.items():
        path, pattern = shared / "malformed" / name, re.compile(EXPECTED[name], re.DOTALL)
        if expect == "reject":
            with pytest.raises(FormatError, match=pattern):
                load_targets(path, RIG)
        else:
            with pytest.warns(LossyWarning, match=pattern):
                load_targets(path, RIG)
