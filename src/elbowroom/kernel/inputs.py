"""Arguments of a public function: checked, told apart (plain numbers or arrays) and broadcast.

Plain numbers and (nested) lists stay plain, and NumPy is never imported for them; any ndarray among the arguments,
or inside their lists, makes the whole call an array call. Both broadcast as NumPy does, over leading axes.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple

from elbowroom.errors import InputError
from elbowroom.kernel.reading import (
    BIGGEST,
    MOST_TURN,
    Fault,
    as_floats,
    check,
    first,
    flatten,
    holds_array,
    index,
    is_array,
    nested,
    spread,
)  # fmt: skip


class Argument(NamedTuple):
    """One argument, read: its batch shape, its number of components (0: a plain number), its numbers."""

    name: str
    shape: tuple[int, ...]
    size: int
    data: Any  # a flat list of floats, or an array of float64 in its own shape


class Call:
    """The arguments of one call. Add them in the order the leaf takes them, then read `.columns` and `.shape`.

    Each is checked as it is added: InputError names the argument and the index of what is wrong.
    """

    def __init__(self, where: str) -> None:
        self.where = where
        self.plain = True
        """Whether no argument is or holds an ndarray."""
        self.widths: dict[str, int] = {}
        self._values: list[Argument] = []
        self._ready: tuple[tuple[int, ...], list[Any]] | None = None

    def number(self, name: str, value: Any, low: float = -BIGGEST, high: float = BIGGEST) -> None:
        """An argument of shape (...), each element in [low, high]."""
        self._add(name, value, 0, low, high)

    def point(self, name: str, value: Any) -> None:
        """An argument of shape (..., 2): x, y."""
        self._add(name, value, 2, -BIGGEST, BIGGEST)

    def row(self, name: str, value: Any, low: float = -BIGGEST, high: float = BIGGEST) -> None:
        """An argument of shape (..., n), any n >= 1; its n is widths[name]."""
        self._add(name, value, None, low, high)

    def side(self, name: str, value: Any) -> None:
        """An argument of shape (...), each element -1, 0 or 1."""
        self.number(name, value)
        data, shape = self._values[-1].data, self._values[-1].shape
        broken = (data * data != abs(data)).reshape(-1) if is_array(data) else [x not in (-1.0, 0.0, 1.0) for x in data]
        for place in first(broken):
            x = float(data.reshape(-1)[place]) if is_array(data) else data[place]
            raise InputError(f"{self.where} {name}{index(place, shape)}: {x:g} is not a side (give +1, -1 or 0)")

    def direction(self, name: str, value: Any) -> None:
        """An argument of shape (..., 2), no element (0, 0)."""
        self.point(name, value)
        data, shape = self._values[-1].data, self._values[-1].shape
        if is_array(data):
            broken = (data == 0.0).all(axis=-1).reshape(-1)
        else:
            broken = [x == 0.0 == y for x, y in zip(data[::2], data[1::2], strict=True)]
        for place in first(broken):
            where = f"{self.where} {name}{index(place, shape)}"
            raise InputError(f"{where}: (0, 0) has no direction (give a vector that is not zero)")

    def ranges(self, name: str, value: Any, count: int) -> None:
        """An argument of shape (..., count, 2) [rad]: low and high of each of `count` joints, low <= high."""
        self.number(name, value, -MOST_TURN, MOST_TURN)
        given, where = self._values.pop(), f"{self.where} {name}"
        if given.shape[-2:] != (count, 2):
            wanted = f"one (low, high) a joint: shape (..., {count}, 2)"
            raise InputError(f"{where}: shape {given.shape} does not fit (give {wanted})")
        flat = given.data.reshape(-1) if is_array(given.data) else given.data
        lows, highs = flat[::2], flat[1::2]
        broken = lows > highs if is_array(flat) else [a > b for a, b in zip(lows, highs, strict=True)]
        for place in first(broken):
            fault = f"low {lows[place]:g} is above high {highs[place]:g} (write low first, then high)"
            raise InputError(f"{where}{index(place, given.shape[:-1])}: {fault}")
        data = given.data.reshape(*given.shape[:-2], 2 * count) if is_array(given.data) else given.data
        self._values.append(Argument(name, given.shape[:-2], 2 * count, data))

    def constant(self, value: float) -> None:
        """A number the code supplies itself."""
        self._values.append(Argument("", (), 0, [value]))

    @property
    def shape(self) -> tuple[int, ...]:
        """The broadcast batch shape."""
        return self._resolve()[0]

    @property
    def columns(self) -> list[Any]:
        """One entry a component: flat lists of floats (plain) or flat arrays, all of prod(shape) elements.

        In an array call an argument that is one number for the whole batch stays a float.
        """
        return self._resolve()[1]

    def leaf(self, function: Callable[..., Any]) -> Any:
        """The leaf's single result for every element."""
        if self.plain:
            return self.map(function)
        from elbowroom.kernel.engine import rows

        return self.shaped(getattr(rows(), function.__name__)(*self.columns))

    def map(self, function: Callable[..., Any]) -> Any:
        """Plain calls: `function` of every element; a tuple result becomes a tuple of nested results."""
        shape, columns = self.shape, self.columns
        if not shape:
            return function(*(column[0] for column in columns))
        results = [function(*element) for element in zip(*columns, strict=True)]
        if results and isinstance(results[0], tuple):
            return tuple(nested(part, shape) for part in zip(*results, strict=True))
        return nested(results, shape)

    def shaped(self, flat: Any) -> Any:
        """Array calls: a flat result in the batch shape."""
        import numpy as np

        return np.asarray(np.broadcast_to(flat, (prod(self.shape),)).reshape(self.shape) + 0.0)

    def _add(self, name: str, value: Any, size: int | None, low: float, high: float) -> None:
        where = f"{self.where} {name}"
        try:
            if is_array(value) or holds_array(value):
                self.plain = False
                data = as_floats(value)
                shape = data.shape
                if data.size and not (data.min() >= low and data.max() <= high):  # false for NaN, too
                    check(data.reshape(-1).tolist(), shape, low, high)
            else:
                shape, data = flatten(value)
                check(data, shape, low, high)
        except Fault as fault:
            raise InputError(f"{where}{fault.path}: {fault.problem}") from None
        self._values.append(Argument(name, *self._split(name, shape, size), data))

    def _resolve(self) -> tuple[tuple[int, ...], list[Any]]:
        if self._ready is None:
            whole = self._broadcast()
            self._ready = whole, [part for one in self._values for part in self._parts(one, whole)]
        return self._ready

    def _parts(self, one: Argument, whole: tuple[int, ...]) -> list[Any]:
        """One column a component."""
        shape, size, data = one.shape, one.size, one.data
        if self.plain:
            if not whole:
                return [[x] for x in data]
            picks = spread(shape, whole)
            return [[data[i * (size or 1) + c] for i in picks] for c in range(size or 1)]
        if not (shape or is_array(data)):
            return list(data)
        import numpy as np

        array = np.reshape(data, (*shape, size) if size else shape)
        parts = [array[..., c] for c in range(size)] if size else [array]
        return [np.broadcast_to(p, whole).reshape(-1) if shape else float(p) for p in parts]

    def _split(self, name: str, shape: tuple[int, ...], size: int | None) -> tuple[tuple[int, ...], int]:
        """Batch shape and number of components (0: a plain number)."""
        if size == 0:
            return shape, 0
        if not shape or (size is not None and shape[-1] != size) or shape[-1] == 0:
            want = "x, y: shape (..., 2)" if size == 2 else "a row of numbers: shape (..., n)"
            raise InputError(f"{self.where} {name}: shape {shape} does not fit (give {want})")
        self.widths[name] = shape[-1]
        return shape[:-1], shape[-1]

    def _broadcast(self) -> tuple[int, ...]:
        whole: list[int] = []
        for shape in (one.shape for one in self._values if one.shape):
            padded = [1] * (max(len(shape), len(whole)) - len(shape)) + list(shape)
            whole = [1] * (len(padded) - len(whole)) + whole
            if any(p != w and p != 1 and w != 1 for p, w in zip(padded, whole, strict=True)):
                names = ", ".join(f"{one.name} {one.shape}" for one in self._values if one.shape)
                raise InputError(f"{self.where}: batch shapes do not broadcast ({names})")
            whole = [w if p == 1 else p for p, w in zip(padded, whole, strict=True)]
        return tuple(whole)
