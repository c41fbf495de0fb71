"""Arrays of limbs: NumPy rows in blocks, or Numba loops; joints at once, the rest when somebody asks."""

from __future__ import annotations

from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elbowroom.kernel.engine import choose, lanes, rows
from elbowroom.kernel.flow import TOLERANCE
from elbowroom.kernel.loops import LANE
from elbowroom.kernel.solution import Solution
from elbowroom.kernel.two_bone import HUGE, TINY, limb

Array = NDArray[np.float64]
BLOCK = 32768  # elements that NumPy handles at a time: the temporaries stay in the cache
PARTS = 10  # results of full_limb


def cut(values: tuple[Any, ...], place: Any) -> tuple[Any, ...]:
    """A block (a slice or a mask) of every argument; one number for all elements stays as it is."""
    return tuple(v[place] if isinstance(v, np.ndarray) else v for v in values)


def full_rows(values: tuple[Any, ...], count: int) -> Array:
    """full_limb of every element by NumPy: all by the plain leaf, the others gathered, solved and scattered."""
    out = np.empty((PARTS, count))
    for start in range(0, count, BLOCK):
        block = slice(start, min(start + BLOCK, count))
        out[:, block] = _full_block(cut(values, block), block.stop - start)
    return out


def _full_block(values: tuple[Any, ...], count: int) -> Any:
    dx, dy, a, b, bend, softness, inner, _, stretch, _, _ = values
    plain = np.broadcast_to(_is_plain(dx, dy, a, b, softness, inner, stretch), (count,))
    into = np.empty((PARTS, count))
    if plain.any():
        leaves, (_, *rest) = rows(), rows().limb(a, b)
        parts = leaves.plain_full(dx, dy, *leaves.plain_limb(dx, dy, bend, *rest))
        for i, part in enumerate(parts):
            into[i] = part
    if not plain.all():
        odd = ~plain
        for i, part in enumerate(rows().any_limb(*cut(values, odd))):
            into[i, odd] = part
    return into


def _is_plain(dx: Any, dy: Any, a: Any, b: Any, softness: Any, inner: Any, stretch: Any) -> Any:
    far, reach = np.abs(dx) + np.abs(dy), a + b
    off = (softness == 0.0) & (inner == 0.0) & (stretch == 0.0)
    return off & (far > TINY) & (far < HUGE) & (reach > a) & (reach > b) & (reach > TINY) & (reach < HUGE)


def plain_rows(target: Any, root: Any, bend: float, bones: Any, joints: Array) -> bool:
    """Joints (n, 3, 2) of one plain limb by NumPy; False, and `joints` unusable, if a target is not plain.

    All targets are solved as if within reach; those that are not are gathered, solved by the whole leaf, put back.
    """
    leaves, (rx, ry) = rows(), root
    missed: list[Any] = []
    for start in range(0, len(joints), BLOCK):
        tx, ty = (column[start : start + BLOCK] for column in target)
        into = joints[start : start + BLOCK]
        dx, dy = tx - rx, ty - ry
        far = np.abs(dx) + np.abs(dy)
        if not (far.min() > TINY and far.max() < HUGE):
            return False
        dd, dd_lo, p, q = leaves.brackets(dx, dy, *bones[:4])
        ex, ey = leaves.elbow(dx, dy, bend, dd, dd_lo, 1.0, p * q, *bones[4:])
        into[:, 1, 0], into[:, 1, 1], into[:, 2, 0], into[:, 2, 1] = rx + ex, ry + ey, tx, ty
        missed.append(start + np.flatnonzero((p < 0.0) | (q < 0.0)))
    joints[:, 0, 0], joints[:, 0, 1] = root
    for start in range(0, len(odd := np.concatenate(missed)) if missed else 0, BLOCK):
        _missed_rows(odd[start : start + BLOCK], target, root, bend, bones, joints)
    return True


def _missed_rows(which: Any, target: Any, root: Any, bend: float, bones: Any, joints: Array) -> None:
    leaves, (rx, ry), (tx, ty) = rows(), root, (column[which] for column in target)
    dx, dy = tx - rx, ty - ry
    ex, ey, k, _, _ = leaves.plain_limb(dx, dy, bend, *bones)
    joints[which, 1, 0], joints[which, 1, 1] = rx + ex, ry + ey
    joints[which, 2, 0] = leaves.place(rx, k * dx, dx, tx)
    joints[which, 2, 1] = leaves.place(ry, k * dy, dy, ty)


def plain_lanes(target: Array, root: Any, bend: float, bones: Any, joints: Array) -> bool:
    """The same by Numba, for targets (n, 2)."""
    scratch = np.empty((6, LANE))
    return not lanes().plain_rows(target, *root, bend, *bones, joints.reshape(-1, 6), 6, scratch)


def full_lanes(values: tuple[Any, ...], count: int) -> Array:
    """full_limb of every element by Numba."""
    out = np.empty((PARTS, count))
    # Whole writable arrays throughout: every other kind of argument would be compiled again.
    lanes().full_loop(*(v if isinstance(v, np.ndarray) else np.full(count, float(v)) for v in values), out)
    return out


class LimbBatch:
    """A batch of limbs as flat columns (see flow.solve_limbs for their order).

    It keeps copies: what is asked for later answers the call, whatever became of the caller's arrays.
    """

    def __init__(self, columns: list[Any], shape: tuple[int, ...], engine: str) -> None:
        rx, ry, tx, ty, *rest = columns
        rx, ry, a, b, bend, softness, inner, curve, stretch, base, fx, fy, *self.ranges = (
            np.array(v) if isinstance(v, np.ndarray) else v for v in (rx, ry, *rest)
        )
        self.targets = np.stack([tx, ty], axis=-1)
        if isinstance(tx, np.ndarray):
            tx, ty = self.targets[:, 0], self.targets[:, 1]
        self.shape, self.count = shape, prod(shape)
        self.engine = choose(engine, self.count)
        self.root, self.target = (rx, ry), (tx, ty)
        self.bend, self.base, self.fallback = bend + (bend == 0.0), base, (fx, fy)
        self.reach = a + b
        self.side = bend  # 0: either, as long as limits leave a choice
        self.limb = (a, b, self.bend, softness, inner, curve, stretch, fx, fy)

    def solution(self) -> Solution:
        """The answer; its joints are solved, everything else waits to be asked for."""
        return Solution(LimbBatch.later, self, joints=self.joints())

    @cached_property
    def step(self) -> tuple[Any, Any]:
        """Target minus root, x and y."""
        return self.target[0] - self.root[0], self.target[1] - self.root[1]

    @cached_property
    def parts(self) -> Array:
        """full_limb of every element, (10, n); worked out once."""
        values = (*self.step, *self.limb)
        if self.ranges:
            return self._limited(values)
        return full_lanes(values, self.count) if self.engine == "lanes" else full_rows(values, self.count)

    def _limited(self, values: tuple[Any, ...]) -> Array:
        from elbowroom.kernel.keeprows import limited_lanes, limited_rows

        low_1, high_1, low_2, high_2 = self.ranges
        first = rows().ends(low_1 + self.base, high_1 + self.base)
        ends = (*first, *rows().ends(low_2, high_2))
        dx, dy, a, b, _, *rest = values
        solve = limited_lanes if self.engine == "lanes" else limited_rows
        return solve((dx, dy, a, b, self.side, *rest), ends, self.count)

    def joints(self) -> Array:
        """(..., 3, 2)"""
        out = np.empty((self.count, 3, 2))
        if not self._one_plain_limb(out):
            for axis in (0, 1):
                root, target = self.root[axis], self.target[axis]
                out[:, 0, axis] = root
                out[:, 1, axis] = root + self.parts[axis]
                out[:, 2, axis] = rows().place(root, self.parts[2 + axis], self.step[axis], target)
        return out.reshape(*self.shape, 3, 2)

    def later(self, name: str) -> Any:
        """One field of the solution."""
        return np.reshape(getattr(self, f"_{name}")(), (*self.shape, *_TRAILING.get(name, ())))

    def _one_plain_limb(self, out: Array) -> bool:
        """One limb and many targets, nothing special about either: the short way. False where it does not apply."""
        a, b, bend, softness, inner, _, stretch, _, _ = self.limb
        if self.ranges:
            return False
        shared = (*self.root, a, b, bend, softness, inner, stretch)
        if any(isinstance(v, np.ndarray) for v in shared) or not all(isinstance(v, np.ndarray) for v in self.target):
            return False
        if not (softness == inner == stretch == 0.0 and a < a + b > b and TINY < a + b < HUGE):
            return False
        bones = limb(float(a), float(b))[1:]
        if self.engine == "lanes":
            return plain_lanes(self.targets, self.root, bend, bones, out)
        return plain_rows(self.target, self.root, bend, bones, out)

    def _angles(self) -> Array:
        name = "limited_angles" if self.ranges else "limb_angles"
        found = getattr(rows(), name)(*self.parts[4:8], self.bend, self.base, *self.ranges)
        return np.stack(found, axis=-1)

    def _error(self) -> Array:
        found: Array = rows().length(self.parts[2] - self.step[0], self.parts[3] - self.step[1])
        return found

    def _reached(self) -> NDArray[np.bool_]:
        return np.asarray(self._error() <= TOLERANCE * self.reach)

    def _why(self) -> NDArray[np.int64]:
        return np.asarray(self.parts[9], dtype=np.int64)

    def _over(self) -> Array:
        if not self.ranges:
            return np.zeros((self.count, 2))
        a, b, bend, softness, inner, curve, _, fx, fy = self.limb
        free = full_rows((*self.step, a, b, bend, softness, inner, curve, 0.0, fx, fy), self.count)
        return np.stack(rows().overs(*free[4:8], self.bend, self.base, *self.ranges), axis=-1)

    def _stretch(self) -> Array:
        return np.array(self.parts[8])

    def _iterations(self) -> NDArray[np.int64]:
        return np.zeros(self.count, dtype=np.int64)

    def _direction(self) -> Array:
        ux, uy = rows().unit(*self.step, *self.fallback)
        return np.stack(np.broadcast_arrays(ux, uy, np.empty(self.count))[:2], axis=-1)


_TRAILING = {"angles": (2,), "over": (2,), "direction": (2,)}
