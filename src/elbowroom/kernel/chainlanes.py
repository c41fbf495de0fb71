"""Chain solvers compiled by Numba: a flow and everything it calls, bound anew without the interpreter.

A solver is one function over rows of numbers; `rows_of` joins it with its beginning and end (chainflow.py), interpreted
or compiled: the same bits, for both run the same operations in the same order.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import sys
import types
from collections.abc import Callable
from typing import Any

from elbowroom.kernel import chainflow
from elbowroom.kernel.engine import check_engine, choose, has_lanes

FROM = 200_000  # bones times iterations: below this, loading Numba costs more than it gives
SMALL_LEAVES = ("ccd", "fabrik", "chainturn")  # modules whose leaves go into the loops that call them
FROM_LOADED = 2_000  # the same once it is there


@functools.cache
def rows_of(core: Callable[..., int], compiled: bool) -> Any:
    """chainflow.solve_rows around a solver."""
    if compiled:
        return compile_flow(chainflow.solve_rows, core)
    row = _rebound(chainflow.solve_row, {"core": core})
    return _rebound(chainflow.solve_rows, {"solve_row": row})


def compiled_wanted(engine: str, work: int) -> bool:
    """Whether Numba runs a batch of so many bones times iterations."""
    check_engine(engine)
    if engine != "auto":
        return choose(engine, 0) == "lanes"
    return has_lanes() and work >= (FROM_LOADED if "numba" in sys.modules else FROM)


def _rebound(function: Any, names: dict[str, Any]) -> Any:
    return types.FunctionType(function.__code__, function.__globals__ | names, function.__name__)


def compile_flow(function: Any, core: Any = None) -> Any:
    """A flow compiled with all flows and leaves it calls, cached on disk; `core` is what is called by that name.

    Numba's cache looks at the flow's own file only, and its linker at names: so every name ends in a digest of the
    function and of all that it calls. A change finds no stale code, and two solvers do not get each other's parts.
    """
    return _compiled(function, core, {}, True)[0]


def _compiled(function: Any, core: Any, done: dict[Any, Any], outer: bool) -> tuple[Any, str]:
    """A function bound to compiled twins of what it calls, compiled; and its digest."""
    if function in done:
        found: tuple[Any, str] = done[function]
        return found
    import numba

    names, parts = {}, [inspect.getsource(function), inspect.getsource(sys.modules[__name__])]
    for name in function.__code__.co_names:
        value = core if name == "core" and core is not None else function.__globals__.get(name)
        if isinstance(value, types.FunctionType):
            value, digest = _compiled(value, core, done, False)
            parts.append(digest)
        elif isinstance(value, (int, float)):
            parts.append(repr(value))
        if value is not None:
            names[name] = value
    digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]
    twin = types.FunctionType(function.__code__, names, function.__name__)
    twin.__qualname__, twin.__module__ = f"{function.__name__}_{digest}", function.__module__
    jit = functools.partial(numba.njit, fastmath=False, error_model="numpy", nogil=True)
    if outer:
        return jit(cache=True)(twin), digest
    hot = getattr(function, "__leaf__", False) and function.__module__.endswith(SMALL_LEAVES)
    # called from compiled code only: the ways in from the interpreter would double the time to compile
    done[function] = jit(forceinline=hot, no_cpython_wrapper=True, no_cfunc_wrapper=True)(twin), digest
    return _compiled(function, core, done, False)
