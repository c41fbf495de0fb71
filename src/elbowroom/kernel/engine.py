"""Three engines over one formula source.

floats   the leaves as they are written, interpreted: a single call, nothing to import
rows()   the same source with `x if c else y` turned into `where(c, x, y)`: NumPy, whole rows at a time
lanes()  the same functions compiled by Numba (the `fast` extra), loaded on first use

A leaf uses only operations that IEEE 754 rounds in one way, in a fixed order, so the engines agree bit by bit.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib
import importlib.util
import inspect
import math
import textwrap
import types
from collections.abc import Callable
from typing import Any

from elbowroom.errors import InputError, closest

ENGINES = ("auto", "numpy", "numba")
LEAF_MODULES = ("exact", "trig", "reach", "two_bone", "anywhere", "limits", "aim", "fk")
HOT = ("exact", "two_bone")
FAST_FROM = 200_000  # elements: below this, loading Numba costs more than it gives


def _modules() -> list[types.ModuleType]:
    return [importlib.import_module(f"elbowroom.kernel.{name}") for name in LEAF_MODULES]


def _leaves(module: types.ModuleType) -> list[types.FunctionType]:
    return [f for f in vars(module).values() if getattr(f, "__leaf__", False) and f.__module__ == module.__name__]


def _bind(make: Callable[[types.FunctionType, dict[str, Any]], Any], words: dict[str, Any]) -> dict[Any, Any]:
    """{leaf: its bound twin}. Every module keeps its own names: `make` gets the twin's globals, filled afterwards."""
    spaces: dict[str, dict[str, Any]] = {m.__name__: {} for m in _modules()}
    bound = {f: make(f, spaces[m.__name__]) for m in _modules() for f in _leaves(m)}
    for module in _modules():
        for name, value in vars(module).items():
            if isinstance(value, (int, float)):
                spaces[module.__name__][name] = value
            elif isinstance(value, types.FunctionType) and value in bound:
                spaces[module.__name__][name] = bound[value]
        spaces[module.__name__].update(words)
    return bound


class _Rows(ast.NodeTransformer):
    """Conditional expressions and truth words, for whole arrays."""

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        return ast.Call(ast.Name("where", ast.Load()), [node.test, node.body, node.orelse], [])

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        word = ast.BitAnd() if isinstance(node.op, ast.And) else ast.BitOr()
        return functools.reduce(lambda left, right: ast.BinOp(left, word, right), node.values)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        call = ast.Call(ast.Name("logical_not", ast.Load()), [node.operand], [])
        return call if isinstance(node.op, ast.Not) else node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.decorator_list, node.returns = [], None
        for argument in node.args.args:
            argument.annotation = None
        return node


def _quiet(function: Callable[..., Any], errstate: Callable[..., Any]) -> Callable[..., Any]:
    """Both branches are computed, so the one not taken may warn: silence belongs here and nowhere else."""

    @functools.wraps(function)
    def call(*values: Any) -> Any:
        with errstate(all="ignore"):
            return function(*values)

    return call


@functools.cache
def rows() -> types.SimpleNamespace:
    """The leaves compiled for NumPy: each takes and returns arrays (or numbers) that broadcast."""
    import numpy as np

    words = {"where": np.where, "logical_not": np.logical_not, "sqrt": np.sqrt, "floor": np.floor}
    bound = _bind(_as_rows, words)
    return types.SimpleNamespace(**{f.__name__: _quiet(twin, np.errstate) for f, twin in bound.items()})


def _as_rows(function: types.FunctionType, names: dict[str, Any]) -> Any:
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    code = ast.fix_missing_locations(_Rows().visit(tree))
    exec(compile(code, f"<rows of {function.__module__}>", "exec"), names)
    return names[function.__name__]


@functools.cache
def has_lanes() -> bool:
    """Whether Numba is installed (it is not imported to find out)."""
    return importlib.util.find_spec("numba") is not None


@functools.cache
def lanes() -> types.SimpleNamespace:
    """The leaves and the loops of loops.py and keep.py compiled by Numba; one cached machine-code file a loop.

    Numba's cache looks at the loop's own file only, so a digest of every leaf is part of the loop's name: a change
    in any leaf finds no stale code.
    """
    import numba

    from elbowroom.kernel import keep, loops

    jit = functools.partial(numba.njit, fastmath=False, error_model="numpy", nogil=True)
    mathematics = {"sqrt": math.sqrt, "floor": math.floor}
    bound = _bind(functools.partial(_as_lane, jit), mathematics)
    names = mathematics | {f.__name__: twin for f, twin in bound.items()}
    sources = "".join(inspect.getsource(m) for m in [*_modules(), loops, keep])
    digest = hashlib.sha256(sources.encode()).hexdigest()[:12]
    found: dict[str, Any] = {}
    for module in (loops, keep):
        words = {k: v for k, v in vars(module).items() if not callable(v)} | names
        for name in (*module.FLOWS, *module.LOOPS):
            loop = types.FunctionType(getattr(module, name).__code__, words, name)
            loop.__qualname__, loop.__module__ = f"{name}_{digest}", module.__name__
            words[name] = jit(cache=name in module.LOOPS)(loop)
        names |= {name: words[name] for name in module.FLOWS}
        found |= {name: words[name] for name in module.LOOPS}
    return types.SimpleNamespace(**found)


def _as_lane(jit: Callable[..., Any], function: types.FunctionType, names: dict[str, Any]) -> Any:
    # A call left in a hot loop would keep it from using vector instructions; elsewhere inlining costs seconds.
    hot = function.__module__.rpartition(".")[2] in HOT
    return jit(forceinline=hot)(types.FunctionType(function.__code__, names, function.__name__))


def check_engine(engine: str) -> None:
    """Raise InputError for what is no engine, naming the three and the closest."""
    if engine not in ENGINES:
        raise InputError(f'engine: "{engine}" is none of {", ".join(ENGINES)}{closest(str(engine), ENGINES)}')


def choose(engine: str, size: int) -> str:
    """"rows" or "lanes" for a batch of `size` elements; "auto" takes Numba where it pays."""
    check_engine(engine)
    if engine == "numba" and not has_lanes():
        raise InputError('engine: "numba" is not installed (pip install "elbowroom[fast]", or engine="numpy")')
    wanted = engine == "numba" or (engine == "auto" and size >= FAST_FROM and has_lanes())
    return "lanes" if wanted else "rows"
