"""Arrays of limbs in space: NumPy rows in blocks, or Numba loops; joints at once, the rest when somebody asks."""

from __future__ import annotations

import functools
import hashlib
import inspect
import sys
import types
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elbowroom.kernel import chainlanes, limb_3d
from elbowroom.kernel import engine as engines
from elbowroom.kernel.batch import BLOCK, cut
from elbowroom.kernel.flow import TOLERANCE
from elbowroom.kernel.limb_3d import HUGE, TINY
from elbowroom.kernel.loops import LANE
from elbowroom.kernel.two_bone import limb

Array = NDArray[np.float64]
PARTS = 12  # results of full_limb_3d


@functools.cache
def rows() -> types.SimpleNamespace:
    """The leaves of limb_3d.py for NumPy, beside those of the plane; made when the first array in space comes."""
    flat = engines.rows()
    names = {name: value for name, value in vars(limb_3d).items() if isinstance(value, (int, float))}
    names |= vars(flat) | {"where": np.where, "logical_not": np.logical_not, "sqrt": np.sqrt}
    found = {
        function.__name__: engines._quiet(engines._as_rows(function, names), np.errstate)
        for function in engines._leaves(limb_3d)
    }
    return types.SimpleNamespace(**vars(flat) | found)


@functools.cache
def full_loop() -> Any:
    """full_loop_3d compiled by Numba."""
    return chainlanes.compile_flow(limb_3d.full_loop_3d)


@functools.cache
def plain_loop() -> Any:
    """plain_rows_3d compiled by Numba, every leaf put into the loop: a call would keep it from vector instructions.

    All names end in a digest of the sources: a change in any of them finds no stale code in Numba's cache.
    """
    parts: dict[Any, Any] = {}
    _collect(limb_3d.plain_rows_3d, parts)
    modules = {f.__module__ for f in parts} | {__name__}
    sources = "".join(inspect.getsource(sys.modules[name]) for name in sorted(modules))
    return _inlined(limb_3d.plain_rows_3d, parts, hashlib.sha256(sources.encode()).hexdigest()[:12], cache=True)


def _collect(function: Any, into: dict[Any, Any]) -> None:
    """A function, and all that it calls, with the names that it uses."""
    into[function] = {n: v for n in function.__code__.co_names if (v := function.__globals__.get(n)) is not None}
    for value in into[function].values():
        if isinstance(value, types.FunctionType) and value not in into:
            _collect(value, into)


def _inlined(function: Any, parts: dict[Any, Any], digest: str, **options: Any) -> Any:
    import numba

    names = {name: _inlined(v, parts, digest) if v in parts else v for name, v in parts[function].items()}
    twin = types.FunctionType(function.__code__, names, function.__name__)
    twin.__qualname__, twin.__module__ = f"{function.__name__}_{digest}", function.__module__
    inline = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "forceinline": True}
    return numba.njit(fastmath=False, error_model="numpy", nogil=True, **options or inline)(twin)


def full_rows(values: tuple[Any, ...], count: int) -> Array:
    """full_limb_3d of every element by NumPy: the plain ones by the plain leaf, the others gathered and put back."""
    out = np.empty((PARTS, count))
    for start in range(0, count, BLOCK):
        block = slice(start, min(start + BLOCK, count))
        out[:, block] = _full_block(cut(values, block), block.stop - start)
    return out


def _full_block(values: tuple[Any, ...], count: int) -> Array:
    dx, dy, dz, px, py, pz, a, b, softness, _, stretch, *_ = values
    leaves, into = rows(), np.empty((PARTS, count))
    far, out, reach = np.abs(dx) + np.abs(dy) + np.abs(dz), np.abs(px) + np.abs(py) + np.abs(pz), a + b
    plain = (softness == 0.0) & (stretch == 0.0) & (far > TINY) & (far < HUGE) & (out > TINY) & (out < HUGE)
    plain = plain & (reach > a) & (reach > b) & (reach > TINY) & (reach < HUGE)
    if np.any(plain):
        bones = leaves.limb(a, b)[1:]
        ex, ey, ez, k, p, q, along, across, room = leaves.plain_limb_3d(dx, dy, dz, px, py, pz, *bones)
        _, _, _, _, tx, ty, *rest = leaves.plain_full(1.0, 0.0, along, across, k, p, q)
        with np.errstate(all="ignore"):
            found = (ex, ey, ez, k * dx, k * dy, k * dz, tx, ty, *rest)
        for i, part in enumerate(found):
            into[i] = part
        plain = plain & (room > 0.0)
    odd = ~np.broadcast_to(plain, (count,))
    if odd.any():
        for i, part in enumerate(leaves.any_limb_3d(*cut(values, odd))):
            into[i, odd] = part
    return into


def full_lanes(values: tuple[Any, ...], count: int) -> Array:
    """full_limb_3d of every element by Numba."""
    out, width = np.empty((PARTS, count)), min(count, BLOCK)
    columns, found = np.empty((len(values), width)), np.empty((PARTS, width))
    for column, value in zip(columns, values, strict=True):
        column[:] = value if not isinstance(value, np.ndarray) else 1.0
    for start in range(0, count, BLOCK):
        size = min(BLOCK, count - start)
        for column, value in zip(columns, values, strict=True):
            if isinstance(value, np.ndarray):
                column[:size] = value[start : start + size]
        full_loop()(columns, size, found)
        out[:, start : start + size] = found[:, :size]
    return out


def plain_lanes(target: Array, pole: Array, root: Any, bones: tuple[float, ...], joints: Array) -> bool:
    """Joints (n, 9) of one plain limb by Numba; False, and `joints` unusable, if an element is not plain."""
    scratch = np.empty(12 * LANE)
    return not plain_loop()(target, pole, *map(float, root), bones, joints, scratch)


def _kept(columns: list[Any]) -> tuple[Any, ...]:
    """Copies of what is an array."""
    return tuple(np.array(v) if isinstance(v, np.ndarray) else v for v in columns)


def _rows_of(columns: list[Any]) -> tuple[Any, ...]:
    """Copies of the components of a point, as columns of one array (n, 3); plain numbers as they are."""
    if not isinstance(columns[0], np.ndarray):
        return tuple(columns)
    rows = np.empty((len(columns[0]), 3))
    for axis, column in enumerate(columns):
        rows[:, axis] = column
    return rows[:, 0], rows[:, 1], rows[:, 2]


class LimbBatch3D:
    """A batch of limbs as flat columns (see two_bone_3d for their order); it keeps copies, as the 2D one does."""

    def __init__(self, columns: list[Any], shape: tuple[int, ...], engine: str) -> None:
        self.root, self.settings = _kept(columns[:3]), _kept(columns[9:])
        self.target, self.pole = _rows_of(columns[3:6]), _rows_of(columns[6:9])
        self.shape, self.count = shape, prod(shape)
        self.engine = engines.choose(engine, self.count)

    @cached_property
    def step(self) -> tuple[Any, ...]:
        """Target minus root, x, y and z."""
        return tuple(t - r for t, r in zip(self.target, self.root, strict=True))

    @cached_property
    def values(self) -> tuple[Any, ...]:
        """What full_limb_3d takes."""
        pole = tuple(p - r for p, r in zip(self.pole, self.root, strict=True))
        return (*self.step, *pole, *self.settings)

    @cached_property
    def parts(self) -> Array:
        """full_limb_3d of every element, (12, n); worked out once."""
        return (full_lanes if self.engine == "lanes" else full_rows)(self.values, self.count)

    @cached_property
    def frame(self) -> tuple[Any, ...]:
        """Direction and side of every element, and whether the side is arbitrary."""
        a, b, _, _, _, *guides = self.settings
        found = rows().plane(*self.values[:6], a + b, *guides)
        return tuple(np.broadcast_to(v, (self.count,)) for v in found)

    def joints(self) -> Array:
        """(..., 3, 3)"""
        out = np.empty((self.count, 9))
        if not self._one_plain_limb(out):
            for axis in range(3):
                root = self.root[axis]
                out[:, axis] = root
                out[:, 3 + axis] = root + self.parts[axis]
                out[:, 6 + axis] = rows().place(root, self.parts[3 + axis], self.step[axis], self.target[axis])
        return out.reshape(*self.shape, 3, 3)

    def _one_plain_limb(self, out: Array) -> bool:
        """One limb, many targets, by Numba, nothing special about any: the short way. False where it does not apply."""
        a, b, softness, _, stretch, *_ = self.settings
        shared = (*self.root, a, b, softness, stretch)
        if self.engine != "lanes" or any(isinstance(v, np.ndarray) for v in shared):
            return False
        if not (softness == stretch == 0.0 and a < a + b > b and TINY < a + b < HUGE):
            return False
        target, pole = (self._rows(point) for point in (self.target, self.pole))
        return plain_lanes(target, pole, self.root, limb(float(a), float(b))[1:], out)

    def _rows(self, point: Any) -> Array:
        """Points as (n, 3)."""
        if isinstance(point[0], np.ndarray):
            return np.asarray(point[0].base)
        return np.full((self.count, 3), point)

    def later(self, name: str) -> Any:
        """One field of the solution."""
        return np.reshape(getattr(self, f"_{name}")(), (*self.shape, *_TRAILING.get(name, ())))

    def _angles(self) -> Array:
        return np.stack(rows().limb_angles(*self.parts[6:10], 1.0, 0.0), axis=-1)

    def _error(self) -> Array:
        found: Array = rows().length_3d(*(self.parts[3 + axis] - self.step[axis] for axis in range(3)))
        return found

    def _reached(self) -> NDArray[np.bool_]:
        return np.asarray(self._error() <= TOLERANCE * (self.settings[0] + self.settings[1]))

    def _why(self) -> NDArray[np.int64]:
        return np.asarray(self.parts[11], dtype=np.int64)

    def _over(self) -> Array:
        return np.zeros((self.count, 2))

    def _stretch(self) -> Array:
        return np.array(self.parts[10])

    def _iterations(self) -> NDArray[np.int64]:
        return np.zeros(self.count, dtype=np.int64)

    def _direction(self) -> Array:
        return np.stack(self.frame[:3], axis=-1)

    def _side(self) -> Array:
        return np.stack(self.frame[3:6], axis=-1)


_TRAILING = {"angles": (2,), "over": (2,), "direction": (3,), "side": (3,)}
