"""What a caller wrote (a number, nested lists, an array) as a shape and flat numbers, and what is wrong with it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import product
from math import prod
from numbers import Real
from typing import Any

BIGGEST = 1e150
MOST_TURN = 1e15  # [rad]: beyond, a float cannot tell directions apart
DEEPEST = 32  # lists in lists in lists: as many axes as every NumPy takes


def is_array(value: Any) -> bool:
    """Whether `value` is an ndarray; NumPy is not imported to find out."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.ndarray)


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


class Fault(Exception):
    """What is wrong inside an argument; `path` is where, as indices."""

    def __init__(self, problem: str, path: str = "") -> None:
        self.problem, self.path = problem, path


def check(flat: Sequence[float], shape: tuple[int, ...], low: float, high: float) -> None:
    """Raise Fault for the first number outside [low, high]."""
    for place, x in enumerate(flat):
        if not low <= x <= high:
            raise Fault(fault(x, low, high), index(place, shape))


def flatten(value: Any, depth: int = 0) -> tuple[tuple[int, ...], list[float]]:
    """Shape and flat floats of a number or of nested lists."""
    if not isinstance(value, (list, tuple)):
        return (), [value if type(value) is float else one_float(value)]
    if all(type(x) is float for x in value):
        return (len(value),), list(value)
    check_depth(depth)
    parts = []
    for i, item in enumerate(value):
        try:
            parts.append(flatten(item, depth + 1))
        except Fault as fault:
            fault.path = f"[{i}]{fault.path}"
            raise
    shapes = sorted({shape for shape, _ in parts})
    if len(shapes) > 1:
        raise Fault(f"rows of different lengths: {', '.join(map(str, shapes))} (give a full rectangle)")
    return (len(parts), *shapes[0]), [x for _, flat in parts for x in flat]


def one_float(value: Any) -> float:
    """A single number as a float; Fault for what is none."""
    if type(value) is not int and (isinstance(value, bool) or not isinstance(value, Real)):
        raise Fault(f"{type(value).__name__} is not a number or a list of numbers")
    try:
        return float(value)
    except OverflowError:
        raise Fault("the number is too large (numbers go to ±1e150)") from None


def check_depth(depth: int) -> None:
    """Raise Fault for lists nested too deep."""
    if depth >= DEEPEST:
        raise Fault(f"lists nested more than {DEEPEST} deep (give the numbers themselves)")


def holds_array(value: Any, depth: int = 0) -> bool:
    """Whether an ndarray is anywhere in nested lists."""
    if "numpy" not in sys.modules or not isinstance(value, (list, tuple)):
        return False
    inner = [x for x in value if type(x) is not float]
    if inner:
        check_depth(depth)
    return any(is_array(x) or holds_array(x, depth + 1) for x in inner)


def as_floats(value: Any) -> Any:
    """An array, or a list that holds some, as float64."""
    import numpy as np

    try:
        array = np.asarray(value)
    except (TypeError, ValueError):
        raise Fault("arrays of different shapes in one list (give a full rectangle)") from None
    if array.dtype.kind not in "iuf":
        raise Fault(f"an array of {array.dtype} is not an array of numbers")
    with np.errstate(over="ignore"):  # a wider float beyond ours becomes infinite, and is refused as that
        return array.astype(np.float64, copy=False)


def first(broken: Any) -> list[int]:
    """The place of the first true element of a list or a flat array, if any."""
    if is_array(broken):
        return [int(broken.argmax())] if broken.any() else []
    return [broken.index(True)] if True in broken else []


def spread(shape: tuple[int, ...], whole: tuple[int, ...]) -> list[int]:
    """For every element of `whole`, the flat index of the element of `shape` it is broadcast from."""
    if shape == whole:
        return list(range(prod(shape)))
    padded = (1,) * (len(whole) - len(shape)) + shape
    steps = [prod(padded[i + 1 :]) if n > 1 else 0 for i, n in enumerate(padded)]
    return [sum(map(int.__mul__, index, steps)) for index in product(*map(range, whole))]


def index(place: int, shape: tuple[int, ...]) -> str:
    """A flat place as indices: [2][0]."""
    parts: list[int] = []
    for n in reversed(shape):
        place, rest = divmod(place, n)
        parts.append(rest)
    return "".join(f"[{i}]" for i in reversed(parts))
