"""The project as a whole: what it imports, what it says of itself, and the rules its files keep."""

from __future__ import annotations

import ast
import doctest
import importlib.util
import inspect
import pkgutil
import re
import subprocess
import sys
import tomllib

import pytest

import elbowroom as er

HEAVY = ("numpy", "numba", "msgspec", "rich")
LONGEST = 300  # lines of a module
MACHINE_PATH = re.compile(r"(?<![\w.])(?:/(?:work|tmp|farm|root|home|opt|Users)/|[A-Z]:\\Users\\)[\w.-]+")
REGISTRY = re.compile(r"\b(?:pypi\.org|pythonhosted\.org|registry\.npmjs|npmjs\.com|anaconda\.org)|index[-]url")


def loaded(code):
    """The heavy packages that are loaded after running some code in a fresh interpreter."""
    ask = f"\nimport sys\nprint('loaded', [m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code + ask], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1]


def tracked(project, *suffixes):
    """Files that git tracks or would track, by ending."""
    ask = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    try:
        found = subprocess.run(ask, cwd=project, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("needs git and a checkout to know which files belong to the project")
    paths = [project / line for line in found.splitlines()]
    return [path for path in paths if path.is_file() and path.suffix in (suffixes or (path.suffix,))]


def test_import_loads_nothing_heavy():
    """`import elbowroom` takes no time: NumPy and the others come with the first name that needs them."""
    assert loaded("import elbowroom") == "loaded []"


def test_single_calls_on_plain_numbers_load_nothing_heavy():
    """One limb, one aim, one chain walked: plain numbers need no arrays."""
    code = """
import elbowroom as er
er.two_bone((0, 0), (200, 0), 150, 125, softness=0.05)
er.aim((0, 0), (1, 1), 2)
er.fk((0, 0), [0.1, 0.2], [3, 4])
er.soften(270, 275)
er.annulus([3, 4, 5])
"""
    assert loaded(code) == "loaded []"


def test_help_loads_nothing_heavy():
    """`elbowroom --help` lists its commands without loading what they need."""
    code = """
import runpy, sys
sys.argv = ["elbowroom", "--help"]
try:
    runpy.run_module("elbowroom", run_name="__main__", alter_sys=True)
except SystemExit as end:
    assert not end.code, end.code
"""
    assert loaded(code) == "loaded []"


def test_help_names_the_commands():
    """The entry point `elbowroom.cli:main` and `python -m elbowroom` are one thing and list the commands."""
    entry = "import sys; from elbowroom.cli import main; sys.argv = ['elbowroom', '--help']; sys.exit(main())"
    calls = ([sys.executable, "-m", "elbowroom", "--help"], [sys.executable, "-c", entry])
    said = [subprocess.run(call, capture_output=True, text=True, check=True).stdout for call in calls]
    for command in ("solve", "info", "check", "bake", "render"):
        assert re.search(rf"^\s+{command}\b", said[0], re.MULTILINE), command
    assert said[0].split("\n", 1)[1] == said[1].split("\n", 1)[1]


@pytest.mark.parametrize("name", er.__all__)
def test_public_names_have_a_docstring(name):
    """Every public class and function says what it does."""
    thing = getattr(er, name)
    assert inspect.getdoc(thing)
    assert callable(thing)
    for part in vars(thing) if inspect.isclass(thing) else ():
        if not part.startswith("_") and inspect.isroutine(getattr(thing, part)):
            assert inspect.getdoc(getattr(thing, part)), f"{name}.{part}"


def test_public_names_are_sorted_and_listed_once():
    """`__all__` can be searched by eye, and `dir` shows it."""
    assert list(er.__all__) == sorted(set(er.__all__))
    assert set(er.__all__) <= set(dir(er))


def test_function_wins_over_the_room_of_its_name():
    """`er.solve` is the function, also after the package `elbowroom.solve` was imported by someone else."""
    code = "import elbowroom.solve, elbowroom as er; from elbowroom import bake; er.bake; print(er.solve.__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "solve"


def test_unknown_public_name_is_an_attribute_error():
    """A name that does not exist is told apart from one that fails to load."""
    with pytest.raises(AttributeError, match="elbowroom has no 'twobone'"):
        er.twobone  # noqa: B018


def test_docstring_examples_hold():
    """What the docstrings show is what comes out."""
    rooms = [m.name for m in pkgutil.walk_packages(er.__path__, "elbowroom.") if not m.name.endswith("__main__")]
    tried = [doctest.testmod(importlib.import_module(name)) for name in rooms]
    assert not [name for name, result in zip(rooms, tried, strict=True) if result.failed]
    assert sum(result.attempted for result in tried) >= 5


def test_imports_point_down(project):
    """The import contract of pyproject.toml holds: no room enters one above it or beside it."""
    if importlib.util.find_spec("importlinter") is None:
        pytest.skip("needs import-linter (make setup)")
    code = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_cache=True, no_logo=True))"
    call = [sys.executable, "-c", code]
    done = subprocess.run(call, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_modules_are_short(project):
    """A module of more than 300 lines is two modules."""
    sizes = {p: p.read_text("utf-8").count("\n") for p in (project / "src").rglob("*.py")}
    assert not {str(p.relative_to(project)): n for p, n in sizes.items() if n > LONGEST}


def test_every_test_has_a_docstring(project):
    """A test says in a sentence what it holds true."""
    silent = []
    for path in (project / "tests").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and not ast.get_docstring(node):
                silent.append(f"{path.name}: {node.name}")
    assert not silent


def test_no_paths_of_a_machine_and_no_registries(project):
    """Files name no folder of anybody's machine, and no place that packages are fetched from."""
    found = []
    for path in tracked(project):
        try:
            lines = path.read_text("utf-8").splitlines()
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(lines, 1):
            if MACHINE_PATH.search(line) or REGISTRY.search(line):
                found.append(f"{path.relative_to(project)}:{number}: {line.strip()[:100]}")
    assert not found


def test_nothing_large_is_tracked(project):
    """The project stays small enough to clone in a moment."""
    assert not [str(path) for path in tracked(project) if path.stat().st_size > 2_000_000]


def test_version_is_the_same_everywhere(project):
    """The package, pyproject.toml and the newest entry of the changelog name one version."""
    declared = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    entries = re.findall(r"^## \[(\d\S*)\]", (project / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert er.__version__ == declared == entries[0]


def test_make_alone_lists_every_target(project):
    """`make` without a target lists what can be made."""
    text = (project / "Makefile").read_text("utf-8")
    for target in ("run", "test", "studio", "lint", "bench", "bench-studio", "test-full", "setup"):
        assert re.search(rf"^{target}:.*## \S", text, re.MULTILINE), target
