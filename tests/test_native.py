"""Native files: read with every mishap as one sentence, written so that nothing is lost."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import threading
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sample_rig import TEXT, changed, sample

from elbowroom.errors import FormatError, InputError, RigError
from elbowroom.formats import load, native, save, text
from elbowroom.formats.jsontext import layout, parse
from elbowroom.rig import files
from elbowroom.rig.build import to_record
from elbowroom.rig.record import Foreign
from elbowroom.rig.rig import Rig
from elbowroom.rig.skeleton import Skeleton


@pytest.fixture
def file(tmp_path):
    """Writes a file and gives its path."""

    def write(content, name="a.rig.json"):
        path = tmp_path / name
        if isinstance(content, dict):
            content = json.dumps(content)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def problem(path, action=load):
    """The text of the FormatError for a file, without the path in front."""
    with pytest.raises(FormatError) as error:
        action(path)
    assert error.value.path == path
    assert str(error.value).startswith(f"{path}: ")
    assert "\n" not in str(error.value)
    return str(error.value).removeprefix(f"{path}: ")


def test_a_saved_rig_reads_the_same_and_is_written_the_same(file, tmp_path):
    """load → save → load loses nothing, and the text a person sees is stable."""
    rig = load(file(TEXT))
    save(rig, tmp_path / "b.rig.json")
    again = load(tmp_path / "b.rig.json")
    assert to_record(again) == to_record(rig)
    assert (tmp_path / "b.rig.json").read_text() == native.dumps(again) == native.dumps(rig)


def test_the_written_text_is_for_people(file):
    """Keys stand on one line each, whole numbers have no point, defaults are left out."""
    lines = native.dumps(load(file(TEXT))).splitlines()
    assert ' "name": "scout",' in lines
    assert '  {"name": "thigh", "parent": "hip", "length": 50, "rotation_deg": -80},' in lines
    assert '   "bones": {"hip": {"x": [[0, 0], [1, 4]], "rotation_deg": [[0, 0, "stepped"], [1, 9]]}},' in lines
    assert max(map(len, lines)) <= 112
    long = changed("clips", "wave", "bones", "hip", "x", to=[[i, i / 7] for i in range(50)])
    lines = native.dumps(load(file(long))).splitlines()
    assert "      [3, 0.42857142857142855]," in lines


@settings(max_examples=100, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=30,
    )
)
def test_what_is_laid_out_reads_back_exactly(data):
    """Every number, text and nesting survives the layout; whole floats come back as whole numbers."""
    again, doubled = parse("x", layout(data))
    assert again == data
    assert doubled == []


def test_minus_zero_and_great_numbers_keep_their_bits():
    """What has no short whole form is written in full."""
    assert layout([-0.0, 1e15, 123456789012345.0, 0.1, 1e300, 5e-324]) == (
        "[-0.0, 1000000000000000.0, 123456789012345, 0.1, 1e+300, 5e-324]\n"
    )


def test_the_foreign_part_is_carried_as_it_is(file, tmp_path):
    """What came from another format is opaque: kept to the last digit and type, on one line."""
    data = {"slots": [{"name": "a", "x": 1.0, "deep": [[[]]], "big": 2**70, "none": None}], "comment": "mine"}
    rig = load(file(changed("foreign", to={"format": "spine", "version": "4.2", "data": data})))
    assert rig.foreign == Foreign(format="spine", version="4.2", data=data)
    save(rig, tmp_path / "b.rig.json")
    written = (tmp_path / "b.rig.json").read_text()
    assert '"x": 1.0' in written
    assert json.loads(written)["foreign"]["data"] == data


def test_the_same_rig_through_dictionaries_and_files(file):
    """Writing JSON by other means changes nothing: indented, ASCII, with a byte order mark, CRLF."""
    want = to_record(load(file(TEXT)))
    for content in (
        json.dumps(sample(), indent=4),
        b"\xef\xbb\xbf" + TEXT.encode(),
        TEXT.replace("\n", "\r\n"),
        "\n\n" + TEXT,
    ):
        assert to_record(load(file(content))) == want


# files that cannot be read


@pytest.mark.parametrize(
    ("content", "name", "text"),
    [
        (b"", "a.rig.json", "the file is empty"),
        (b" \n\t\n", "a.rig.json", "the file is empty"),
        (b"\xef\xbb\xbf", "a.rig.json", "the file is empty"),
        (b"hello", "a.rig.json", "line 1, column 1: not JSON: expecting value"),
        (
            b'{"a": 1,\n "b": [1, 2,]}',
            "a.rig.json",
            "line 2, column 12: not JSON: a comma before a closing bracket (take it out)",
        ),
        (b'{"a": 1,\n "b', "a.rig.json", "line 2, column 4: the JSON ends early (is the file cut off?)"),
        (b'{"a": [1, 2', "a.rig.json", "line 1, column 12: the JSON ends early (is the file cut off?)"),
        (b'{"a":\n [1, NaN]}', "a.rig.json", "line 2, column 6: NaN is not JSON (write a finite number)"),
        (
            b'{"-Infinity":\n -Infinity}',
            "a.rig.json",
            "line 2, column 2: -Infinity is not JSON (write a finite number)",
        ),
        (b"\xff\xfe{\x00}\x00", "a.rig.json", "this is UTF-16 (save it as UTF-8)"),
        (b'{"n": "\xe4"}', "a.rig.json", "not UTF-8: byte 0xE4 at offset 7 (save it as UTF-8 text)"),
        (b"[" * 100_000, "a.rig.json", "the JSON is nested too deeply"),
        (b'{"a":' * 100_000, "a.rig.json", "the JSON is nested too deeply"),
        (b"[" + b"9" * 5000 + b"]", "a.rig.json", "a number has too many digits"),
        (b'{"n": "\\ud800"}', "a.rig.json", "a text holds half a character (an unpaired \\ud800 to \\udfff)"),
        (b"[1]", "a.rig.json", 'a JSON object was expected: {"format": "elbowroom-rig/1", …}'),
        (
            b'{"bones": []}',
            "a.rig.json",
            '$.format: missing: this is no rig (a native rig has "format": "elbowroom-rig/1")',
        ),
        (
            b'{"format": "elbowroom-rig/2"}',
            "a.rig.json",
            '$.format: "elbowroom-rig/2" is not a version this release reads (it reads "elbowroom-rig/1")',
        ),
        (
            b'{"format": 1}',
            "a.rig.json",
            '$.format: that is not a version this release reads (it reads "elbowroom-rig/1")',
        ),
        (
            b'{"skeleton": {"spine": "4.2"}, "bones": []}',
            "a.json",
            "$.bones: there are none (a skeleton has at least one bone)",
        ),
        (
            b'{"armature": []}',
            "a_ske.json",
            "a DragonBones file, not read yet by this version (native rigs (*.rig.json) and Spine JSON are)",
        ),
        (
            b'{"target": [0, 0], "space": "world"}',
            "a.json",
            "target tracks, not a rig (give them as targets beside a rig)",
        ),
        (b"time,x,y\n", "a.csv", "this is a table, such as target tracks; it holds no rig"),
        (
            b"\x00\x01",
            "a.skel",
            "this is Spine's binary export, which is not read (export JSON instead)",
        ),
        (b"HIERARCHY", "a.bvh", "this is no rig that can be read (native rigs (*.rig.json) and Spine JSON are)"),
    ],
)
def test_what_is_no_rig_is_refused_in_one_sentence(file, content, name, text):
    """Each kind of file that is no rig has its sentence, with the place in it."""
    assert problem(file(content, name)) == text


def test_a_missing_file_is_told_with_the_closest(file):
    """A typing error in the name is pointed at."""
    path = file(TEXT)
    assert problem(path.with_name("b.rig.json")) == 'there is no such file (did you mean "a.rig.json"?)'
    assert problem(path.parent / "nowhere" / "x.json") == "there is no such file"


def test_a_folder_is_told_with_a_file_inside(file, tmp_path):
    """A folder is not a file; a rig inside it comes to mind first."""
    assert problem(tmp_path) == "this is a folder, not a file (name a file inside it)"
    file("{}", "a.json")
    file("{}", "b.rig.json")
    assert problem(tmp_path) == "this is a folder, not a file (name a file inside, such as b.rig.json)"


def test_a_pipe_is_not_waited_for(tmp_path):
    """Reading a pipe nobody writes to would never end."""
    os.mkfifo(tmp_path / "pipe.json")
    assert problem(tmp_path / "pipe.json") == "this is a device or a pipe, not a file"


def test_an_unreadable_file_is_told(file, monkeypatch):
    """Permissions are told as such, other trouble in the system's words; none of it is a traceback."""
    path = file(TEXT)

    def forbidden(*_):
        raise PermissionError

    monkeypatch.setattr(type(path), "read_bytes", forbidden)
    assert problem(path) == "the file may not be read (its permissions forbid it)"
    assert problem(path.with_name("x" * 5000)) == "the file cannot be read: File name too long"


def test_a_huge_file_is_not_begun(file, monkeypatch):
    """A size limit ends what would not."""
    monkeypatch.setattr(text, "LARGEST", 100)
    assert problem(file(TEXT)) == "the file is too large: 0 MB (at most 0 MB are read)"


# records with faults


def test_faults_are_told_with_the_file(file):
    """The RigError of a file begins with its name; its faults are places in it."""
    path = file(changed("bones", 1, "parent", to="hipp"))
    with pytest.raises(RigError) as error:
        load(path)
    fault = '$.bones[1].parent: bone "hipp" does not exist (did you mean "hip"?)'
    assert str(error.value) == f"{path}: {fault}"
    assert error.value.faults == (fault,)


def test_a_key_that_is_there_twice_is_a_fault(file):
    """Of two frames, clips, tracks or fields of one name none is silently dropped."""
    doubled = TEXT.replace('"frames": {', '"frames": {"door": {}, ').replace(
        '"mix": {"leg": [[0, 1]]}', '"mix": {"leg": [[0, 1]], "leg": [[0, 0]]}'
    )
    with pytest.raises(RigError) as error:
        load(file(doubled))
    assert error.value.faults == (
        "$.frames.door: this key is there twice, on line 24 and line 24 (one of them must go)",
        "$.clips.wave.mix.leg: this key is there twice, on line 33 and line 33 (one of them must go)",
    )
    with pytest.raises(RigError, match=r"\$\.bones\[2\]\.x: this key is there twice, on line 7 and line 8"):
        load(file(TEXT.replace('"x": 50,', '"x": 50,\n "\\u0078": 51,')))


def test_two_constraints_of_one_name_are_a_fault(file):
    """Names of constraints are their own."""
    data = changed("constraints", 1, to=sample()["constraints"][0])
    with pytest.raises(
        RigError, match=r'\$\.constraints\[1\]\.name: "leg" is the name of \$\.constraints\[0\] already'
    ):
        load(file(data))


@pytest.mark.parametrize("high", [150, 180])
def test_loading_warns_of_limits_that_shut_the_bend(file, high):
    """Legal but hardly meant: told once, as a warning with file and place; the fold alone does not open a side."""
    path = file(changed("constraints", 0, "limits_deg", 1, to=[20, high]))
    with pytest.warns(UserWarning, match=rf"limits_deg\[1\]: \[20, {high}\] leaves no room for the elbow") as caught:
        load(path)
    assert str(caught[0].message).startswith(f"{path}: $.constraints[0]")
    assert caught[0].filename == __file__


# writing


def small_rig():
    """One bone."""
    return Rig(Skeleton.from_bones([("bone", None, 1.0)]))


def test_a_failed_write_leaves_the_old_file(file, monkeypatch):
    """Whatever goes wrong while writing, the old file stays and no half one lies beside it."""
    path = file("old")

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert problem(path, lambda p: save(small_rig(), p)) == "the file cannot be written: No space left on device"
    assert path.read_text() == "old"
    assert os.listdir(path.parent) == [path.name]


def test_an_interrupted_write_leaves_the_old_file(file, monkeypatch):
    """Ctrl-C in the middle is no exception to that."""
    path = file("old")

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save(small_rig(), path)
    assert path.read_text() == "old"
    assert os.listdir(path.parent) == [path.name]


def test_a_written_file_has_the_usual_permissions(file, tmp_path):
    """A new file gets what the umask gives, a replaced one keeps what it had; a link stays a link."""
    mask = os.umask(0o027)
    try:
        save(small_rig(), tmp_path / "new.rig.json")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "new.rig.json").stat().st_mode) == 0o640
    path = file("old")
    path.chmod(0o604)
    link = tmp_path / "link.rig.json"
    link.symlink_to(path)
    save(small_rig(), link)
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o604
    assert load(path).skeleton.names == ("bone",)


@pytest.mark.parametrize("linked", [False, True])
def test_a_pipe_is_written_into_and_stays(linked, tmp_path):
    """What is no file is no place for one: a reader of the pipe gets the text, also through a link."""
    pipe, place = tmp_path / "pipe", tmp_path / "link.rig.json"
    os.mkfifo(pipe)
    place.symlink_to(pipe) if linked else pipe.rename(place)
    got = []
    reader = threading.Thread(target=lambda: got.append(place.read_bytes()), daemon=True)
    reader.start()
    save(small_rig(), place)
    reader.join(20)
    assert got == [native.dumps(small_rig()).encode()]
    assert stat.S_ISFIFO(place.stat().st_mode)
    assert place.is_symlink() == linked


def test_a_device_is_written_into_and_a_disk_is_not(file, monkeypatch):
    """A thing that says it is a device gets the bytes where it is; one that says it is a disk gets none."""
    path, kinds, real = file("old"), [stat.S_IFCHR], os.stat

    def told(place, **more):
        found = real(place, **more)
        return os.stat_result((kinds[0] | 0o666, *found[1:])) if place == path else found

    inode = real(path).st_ino
    monkeypatch.setattr(os, "stat", told)
    files.write_bytes(path, b"new")
    assert (path.read_bytes(), real(path).st_ino) == (b"new", inode)
    kinds[0] = stat.S_IFBLK
    assert problem(path, lambda p: files.write_bytes(p, b"")) == "this is a disk, not a file"
    assert path.read_bytes() == b"new"


def test_a_link_leads_to_the_file_that_is_replaced(file, tmp_path):
    """A link stays one; its file is replaced where it is, whole, or made where the link leads."""
    (tmp_path / "deep").mkdir()
    path, link = file("old", "deep/real.rig.json"), tmp_path / "link.rig.json"
    inode = path.stat().st_ino
    link.symlink_to(path)
    save(small_rig(), link)
    assert (link.is_symlink(), path.stat().st_ino == inode) == (True, False)
    path.unlink()
    save(small_rig(), link)
    assert load(path).skeleton.names == ("bone",)
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["deep", "link.rig.json", "real.rig.json"]
    link.unlink()
    link.symlink_to(link)
    assert problem(link, lambda p: save(small_rig(), p)).startswith("the file cannot be written: ")


def test_what_may_not_be_written_is_told(file, tmp_path, monkeypatch):
    """A write-protected file stays as it is; a read-only folder is called that; a file is no folder."""
    path = file("old")
    path.chmod(0o444)
    assert problem(path, lambda p: save(small_rig(), p)) == "the file may not be written (its permissions forbid it)"
    assert path.read_text() == "old"
    below = path / "a.rig.json"
    assert problem(below, lambda p: save(small_rig(), p)) == "the file cannot be written: Not a directory"
    monkeypatch.setattr(os, "access", lambda place, mode: False)
    assert problem(tmp_path / "b.rig.json", lambda p: save(small_rig(), p)) == (
        f"the folder {tmp_path} is read-only (choose another, or change its permissions)"
    )
    assert os.listdir(tmp_path) == [path.name]


def test_what_goes_to_stdout_comes_after_what_was_printed(tmp_path):
    """Where stdout is a file, it is not replaced and not begun anew: the text goes on behind what was printed."""
    out = tmp_path / "out.txt"
    code = (
        "import sys; from elbowroom.rig import files\n"
        "print('before'); files.write_bytes(sys.argv[1], b'rig\\n'); print('after')"
    )
    with out.open("w") as stdout:
        subprocess.run([sys.executable, "-c", code, str(out)], stdout=stdout, check=True)
    assert out.read_text().split() == ["before", "rig", "after"]


def test_places_that_cannot_be_written_are_told(tmp_path):
    """A folder, a folder that does not exist, a name that tells no format, a format nobody knows."""
    assert problem(tmp_path, lambda p: native.save(small_rig(), p)) == "this is a folder, not a file"
    missing = tmp_path / "no" / "a.json"
    assert (
        problem(missing, lambda p: save(small_rig(), p))
        == f"the folder {missing.parent} does not exist (make it first)"
    )
    assert problem(tmp_path / "a.rig", lambda p: save(small_rig(), p)) == (
        "its name does not tell the format (end it in .rig.json, or name the format)"
    )
    with pytest.raises(InputError, match=r'format: "natif" is not written by this version \(did you mean "native"\?\)'):
        save(small_rig(), tmp_path / "a.rig", format="natif")
    save(small_rig(), tmp_path / "a.rig", format="native")
    assert load(tmp_path / "a.rig").skeleton.names == ("bone",)


def test_a_foreign_part_that_is_no_json_is_refused(tmp_path):
    """What cannot be written is said before anything is."""
    rig = Rig(Skeleton.from_bones([("bone", None, 1.0)]), foreign=Foreign(format="x", data=float("nan")))
    path = tmp_path / "a.rig.json"
    assert problem(path, lambda p: save(rig, p)).startswith("the foreign part of the rig is no JSON: ")
    assert not path.exists()


def test_names_are_kept_as_they_are(file, tmp_path):
    """Odd names pass through: other scripts, quotes, line breaks, markup."""
    for odd in ("Ünïcödé 骨", 'a "b"', "a\nb", "<b>&", "../x", "a.b[0]", "\x7f"):
        data = {"format": "elbowroom-rig/1", "bones": [{"name": odd}]}
        save(load(file(data)), tmp_path / "b.rig.json")
        assert load(tmp_path / "b.rig.json").skeleton.names == (odd,)


def test_no_broken_file_gives_another_exception(shared):
    """Every malformed file is refused as a file or a record, in bounded time, never with another exception.

    Those of Spine, which may be read, have their own tests.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for path in sorted((shared / "malformed").iterdir()):
            if path.name.startswith("spine-"):
                continue
            with pytest.raises((FormatError, RigError)):
                load(path)
