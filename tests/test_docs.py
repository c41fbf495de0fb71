"""The documents: every block of code on every page is run, and what it prints is what the page shows."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import json
import re
import runpy
import shlex
import shutil
import tomllib
import xml.etree.ElementTree as ET
from itertools import pairwise

import msgspec
import pytest
from click.testing import CliRunner
from conftest import ROOT

from elbowroom.cli import main
from elbowroom.rig import record

PAGES = ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\w*)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
PRINTED = re.compile(r"^\s*print\(.*\)\s+# (.*)$")
KINDS = {"", "python", "json", "csv", "console", "text"}


@dataclasses.dataclass(frozen=True)
class Block:
    """A fenced block: its language, the file it is to be saved as, and what stands in it."""

    page: str
    line: int
    kind: str
    file: str
    text: str
    touching: bool
    """Whether nothing but blank lines stands between it and the block before."""

    @property
    def place(self):
        """Where it is, for messages."""
        return f"{self.page}:{self.line}"


def blocks(page):
    """The fenced blocks of a page, in order."""
    text = (ROOT / page).read_text("utf-8")
    found, end = [], 0
    for match in FENCE.finditer(text):
        kind, file, inside = match[1], match[2] or "", match[3]
        line = text.count("\n", 0, match.start()) + 2
        found.append(Block(page, line, kind, file, inside, not text[end : match.start()].strip()))
        end = match.end()
    return found


def same(shown, printed):
    """Whether a page shows what was printed: … stands for any text, alone on a line for any lines."""
    lines = [line.rstrip() for line in shown.strip("\n").splitlines()]
    parts = [".*\n" if line == "…" else re.escape(line).replace("…", ".*?") + "\n" for line in lines]
    parts = [f"(?:{part})*" if line == "…" else part for line, part in zip(lines, parts, strict=True)]
    printed = "".join(line.rstrip() + "\n" for line in printed.strip("\n").splitlines())
    return re.fullmatch("".join(parts), printed) is not None


def expected(block, after):
    """What a block of Python says it prints: the text block that follows at once, else the comments on its prints."""
    if after is not None and after.kind == "text" and after.touching:
        return after.text
    return "\n".join(found[1] for found in map(PRINTED.match, block.text.splitlines()) if found)


def run_python(block, after, names):
    """Run a block among the names of its page and compare what it prints."""
    printed = io.StringIO()
    code = compile("\n" * (block.line - 1) + block.text, str(ROOT / block.page), "exec")
    with contextlib.redirect_stdout(printed):
        exec(code, names)
    shown = expected(block, after)
    assert same(shown, printed.getvalue()), f"{block.place} shows\n{shown}\nbut prints\n{printed.getvalue()}"


def run_console(block, code=0):
    """Run the lines of a console block that begin with $ and compare what each prints; returns the last exit code."""
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        typed, _, shown = part.partition("\n")
        program, *arguments = shlex.split(typed, comments=True)
        if typed == "echo $?":
            printed = str(code)
        else:
            assert program == "elbowroom", f"{block.place}: {typed} is not a command that pages are tested with"
            done = CliRunner().invoke(main, arguments)
            printed, code = done.output, done.exit_code
            assert done.exception is None or isinstance(done.exception, SystemExit), done.exc_info
        assert same(shown, printed), f"{block.place}: {typed} shows\n{shown}\nbut prints\n{printed}"
    return code


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_shows_is_what_happens(page, tmp_path, monkeypatch):
    """A reader who types a page from top to bottom sees what it shows: programs, commands, and files between them."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    found, names, code = blocks(page), {"__name__": "__main__"}, 0
    for block, after in pairwise([*found, None]):
        assert block.kind in KINDS | {"sh"}, f"{block.place}: nobody runs {block.kind!r}"
        if block.file:
            (tmp_path / block.file).write_text(block.text, "utf-8")
        if block.kind == "json":
            json.loads(block.text)
        if block.kind == "python":
            run_python(block, after, names)
        if block.kind == "console":
            code = run_console(block, code)


def test_a_page_that_shows_something_else_is_noticed():
    """The comparison itself: a wrong line, a line too few and a line too many are all told apart."""
    assert same("a\nb 1…\n…\nz", "a\nb 12\nc\nd\nz\n")
    assert not same("a\nb", "a\n")
    assert not same("a", "a\nb\n")
    assert not same("a", "A\n")
    assert not same("", "a\n")
    wrong = Block("README.md", 1, "python", "", "print(1 + 1)  # 3\n", False)
    with pytest.raises(AssertionError, match=r"but prints\s+2"):
        run_python(wrong, None, {})


@pytest.mark.parametrize("page", [*PAGES, "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_lead_somewhere(page):
    """Every relative link of a page names a file of the project, and its #part a heading in there."""
    folder, broken = (ROOT / page).parent, []
    for link in LINK.findall(FENCE.sub("", (ROOT / page).read_text("utf-8"))):
        if "://" in link:
            continue
        name, _, part = link.partition("#")
        goal = folder / name if name else ROOT / page
        if not goal.exists() or (part and part not in anchors(goal)):
            broken.append(link)
    assert not broken


def anchors(path):
    """The headings of a page as links name them."""
    titles = re.findall(r"^#+ (.+)$", FENCE.sub("", path.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_page_is_reached_from_the_readme():
    """No page of docs/ is left out of the README's list."""
    linked = set(LINK.findall((ROOT / "README.md").read_text("utf-8")))
    assert {page for page in PAGES if page.startswith("docs/")} <= linked


OBJECTS = {
    "The file": record.RigRecord,
    "Bones": record.Bone,
    "Constraints": record.Constraint,
    "Target": record.Aim,
    "Legs": record.Leg,
    "Frames": record.Frame,
    "Clips": record.Clip,
    "Keyed bones": record.BoneKeys,
    "Keyed targets": record.AimKeys,
    "Foreign": record.Foreign,
}
ROW = re.compile(r"^\| `(\w+)`(?: †)? \| [^|]*\| (required|`[^`]*`) \| .+ \|$", re.MULTILINE)


@pytest.mark.parametrize("title", OBJECTS)
def test_every_key_of_the_record_is_described(title):
    """docs/rig-record.md has a row for each key of each object of the record, in its order, with its default."""
    text = (ROOT / "docs" / "rig-record.md").read_text("utf-8")
    section = re.search(rf"^##+ {title}\n(.*?)(?=^##|\Z)", text, re.MULTILINE | re.DOTALL)
    assert section is not None
    shown = {key: default.strip("`") for key, default in ROW.findall(section[1])}
    assert shown == {f.encode_name: default_of(f) for f in msgspec.structs.fields(OBJECTS[title])[1:]}


def default_of(field):
    """The default of a field of a record as JSON, or that it has to be there."""
    if field.name == "format" or field.required:
        return "required"
    value = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
    return json.dumps(int(value) if isinstance(value, float) and value.is_integer() else value)


def test_house_of_the_docs_is_the_house_of_the_code():
    """The rooms that docs/architecture.md draws are the folders of the package, in the layers of the contract."""
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    rooms = {path.parent.name for path in (ROOT / "src" / "elbowroom").glob("*/__init__.py")}
    assert set(re.findall(r"^[│├└─ ]*(\w+)/ ", text, re.MULTILINE)) == rooms
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    layers = [set(re.findall(r"\w+", line)) for line in settings["tool"]["importlinter"]["contracts"][0]["layers"]]
    there = [layer & (rooms | {"errors"}) for layer in layers]
    drawn = next(block.text for block in blocks("docs/architecture.md") if block.text.startswith("cli"))
    assert [set(line.split()) for line in drawn.splitlines()] == [layer for layer in there if layer]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The pictures as docs/make_pictures.py draws them now: name -> bytes."""
    folder = tmp_path_factory.mktemp("pictures")
    runpy.run_path(str(ROOT / "docs" / "make_pictures.py"))["make"](folder)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_pictures_are_drawn_by_the_program(made):
    """Drawing them again gives the pictures of docs/pictures, byte for byte (python docs/make_pictures.py)."""
    kept = {path.name: path.read_bytes() for path in (ROOT / "docs" / "pictures").iterdir()}
    assert sorted(made) == sorted(kept)
    assert [name for name in made if made[name] != kept[name]] == []


def test_pictures_are_well_formed_and_shown(made):
    """Every picture is XML, and some page shows it."""
    pages = "".join((ROOT / page).read_text("utf-8") for page in PAGES)
    for name, data in made.items():
        assert ET.fromstring(data).tag.endswith("svg"), name
        assert f"pictures/{name})" in pages, name
