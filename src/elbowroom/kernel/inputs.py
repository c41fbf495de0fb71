"""Arguments of a public function: checked, told apart (plain numbers or arrays) and broadcast.

Plain numbers and (nested) lists stay plain, and NumPy is never imported for them; any ndarray among the arguments,
or inside their lists, makes the whole call an array call. Both broadcast as NumPy does, over leading axes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from numbers import Real
from typing import Any, NamedTuple

from elbowroom.errors import InputError

BIGGEST = 1e150
DEEPEST = 32  # lists in lists in lists: as many axes as every NumPy takes


def is_array(value: Any) -> bool:
    """Whether `value` is an ndarray; NumPy is not imported to find out."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.ndarray)


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
        for place in _first(broken):
            x = float(data.reshape(-1)[place]) if is_array(data) else data[place]
            raise InputError(f"{self.where} {name}{_index(place, shape)}: {x:g} is not a side (give +1, -1 or 0)")

    def direction(self, name: str, value: Any) -> None:
        """An argument of shape (..., 2), no element (0, 0)."""
        self.point(name, value)
        data, shape = self._values[-1].data, self._values[-1].shape
        if is_array(data):
            broken = (data == 0.0).all(axis=-1).reshape(-1)
        else:
            broken = [x == 0.0 == y for x, y in zip(data[::2], data[1::2], strict=True)]
        for place in _first(broken):
            where = f"{self.where} {name}{_index(place, shape)}"
            raise InputError(f"{where}: (0, 0) has no direction (give a vector that is not zero)")

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
            if is_array(value) or _holds_array(value):
                self.plain = False
                data = _as_floats(value)
                shape = data.shape
                if data.size and not (data.min() >= low and data.max() <= high):  # false for NaN, too
                    _check(data.reshape(-1).tolist(), shape, low, high)
            else:
                shape, data = _flatten(value)
                _check(data, shape, low, high)
        except _Fault as fault:
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
            picks = _spread(shape, whole)
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


def fault(x: float, low: float = -BIGGEST, high: float = BIGGEST) -> str:
    """What is wrong with a number outside [low, high], and what would be right."""
    if x != x or x in (float("inf"), float("-inf")):
        return f"{x} is not a finite number"
    if abs(x) > BIGGEST:
        return f"{x:g} is too large (numbers go to ±1e150)"
    bound = f"{low:g} to {high:g}" if high < BIGGEST else f"at least {low:g}"
    return f"{x:g} is out of range (give {bound})"


def nested(flat: Sequence[Any], shape: tuple[int, ...]) -> Any:
    """A flat sequence as nested tuples of `shape`."""
    if not shape:
        return flat[0]
    if len(shape) == 1:
        return tuple(flat)
    step = prod(shape[1:])
    return tuple(nested(flat[i * step : (i + 1) * step], shape[1:]) for i in range(shape[0]))


class _Fault(Exception):
    """What is wrong inside an argument; `path` is where, as indices."""

    def __init__(self, problem: str, path: str = "") -> None:
        self.problem, self.path = problem, path


def _check(flat: Sequence[float], shape: tuple[int, ...], low: float, high: float) -> None:
    for place, x in enumerate(flat):
        if not low <= x <= high:
            raise _Fault(fault(x, low, high), _index(place, shape))


def _flatten(value: Any, depth: int = 0) -> tuple[tuple[int, ...], list[float]]:
    """Shape and flat floats of a number or of nested lists."""
    if not isinstance(value, (list, tuple)):
        return (), [value if type(value) is float else _float(value)]
    if all(type(x) is float for x in value):
        return (len(value),), list(value)
    _check_depth(depth)
    parts = []
    for i, item in enumerate(value):
        try:
            parts.append(_flatten(item, depth + 1))
        except _Fault as fault:
            fault.path = f"[{i}]{fault.path}"
            raise
    shapes = sorted({shape for shape, _ in parts})
    if len(shapes) > 1:
        raise _Fault(f"rows of different lengths: {', '.join(map(str, shapes))} (give a full rectangle)")
    return (len(parts), *shapes[0]), [x for _, flat in parts for x in flat]


def _float(value: Any) -> float:
    if type(value) is not int and (isinstance(value, bool) or not isinstance(value, Real)):
        raise _Fault(f"{type(value).__name__} is not a number or a list of numbers")
    try:
        return float(value)
    except OverflowError:
        raise _Fault("the number is too large (numbers go to ±1e150)") from None


def _check_depth(depth: int) -> None:
    if depth >= DEEPEST:
        raise _Fault(f"lists nested more than {DEEPEST} deep (give the numbers themselves)")


def _holds_array(value: Any, depth: int = 0) -> bool:
    """Whether an ndarray is anywhere in nested lists."""
    if "numpy" not in sys.modules or not isinstance(value, (list, tuple)):
        return False
    inner = [x for x in value if type(x) is not float]
    if inner:
        _check_depth(depth)
    return any(is_array(x) or _holds_array(x, depth + 1) for x in inner)


def _as_floats(value: Any) -> Any:
    """An array, or a list that holds some, as float64."""
    import numpy as np

    try:
        array = np.asarray(value)
    except (TypeError, ValueError):
        raise _Fault("arrays of different shapes in one list (give a full rectangle)") from None
    if array.dtype.kind not in "iuf":
        raise _Fault(f"an array of {array.dtype} is not an array of numbers")
    with np.errstate(over="ignore"):  # a wider float beyond ours becomes infinite, and is refused as that
        return array.astype(np.float64, copy=False)


def _first(broken: Any) -> list[int]:
    """The place of the first true element of a list or a flat array, if any."""
    if is_array(broken):
        return [int(broken.argmax())] if broken.any() else []
    return [broken.index(True)] if True in broken else []


def _spread(shape: tuple[int, ...], whole: tuple[int, ...]) -> list[int]:
    """For every element of `whole`, the flat index of the element of `shape` it is broadcast from."""
    if shape == whole:
        return list(range(prod(shape)))
    padded = (1,) * (len(whole) - len(shape)) + shape
    steps = [prod(padded[i + 1 :]) if n > 1 else 0 for i, n in enumerate(padded)]
    return [sum(map(int.__mul__, index, steps)) for index in product(*map(range, whole))]


def _index(place: int, shape: tuple[int, ...]) -> str:
    parts: list[int] = []
    for n in reversed(shape):
        place, rest = divmod(place, n)
        parts.append(rest)
    return "".join(f"[{i}]" for i in reversed(parts))
