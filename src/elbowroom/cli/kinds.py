"""What people type for numbers, points and lists, and options that belong to a later version."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

import click

from elbowroom.cli.say import quoted
from elbowroom.errors import InputError
from elbowroom.kernel.reading import BIGGEST, fault

F = TypeVar("F", bound=Callable[..., Any])

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_WORDS = re.compile(r"[+-]?(nan|inf(inity)?)", re.IGNORECASE)
_SIZE = re.compile(r"(\d{1,6})\s*[xX×]\s*(\d{1,6})", re.ASCII)


class Number(click.ParamType):  # type: ignore[type-arg]  # no parameter before Click 8.5
    """A finite number in [low, high], or above low."""

    name = "number"

    def __init__(self, low: float = -BIGGEST, high: float = BIGGEST, *, above: bool = False) -> None:
        self.low, self.high, self.above = low, high, above

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number, or a BadParameter."""
        number = float(value) if isinstance(value, int | float) else self._read(str(value).strip(), param, ctx)
        if self.above and -BIGGEST <= number <= self.low:
            self.fail(f"{number:g} is out of range (give more than {self.low:g})", param, ctx)
        if not self.low <= number <= self.high:
            self.fail(fault(number, self.low, self.high), param, ctx)
        return number

    def _read(self, text: str, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if not _NUMBER.fullmatch(text) and not _WORDS.fullmatch(text):
            self.fail(f"{quoted(text)} is not a number (such as 12.5)", param, ctx)
        return float(text)


class Point(click.ParamType):  # type: ignore[type-arg]  # no parameter before Click 8.5
    """x,y."""

    name = "x,y"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, float]:
        """The two numbers, or a BadParameter."""
        if isinstance(value, tuple):
            return value[0], value[1]
        parts = re.split(r"\s*,\s*|\s+", str(value).strip())
        if len(parts) != 2:
            self.fail(f"{quoted(value)} is not a point (two numbers x,y such as 200,-12.5)", param, ctx)
        x, y = (Number().convert(part, param, ctx) for part in parts)
        return x, y


class Size(click.ParamType):  # type: ignore[type-arg]  # no parameter before Click 8.5
    """WIDTHxHEIGHT in pixels."""

    name = "WxH"
    largest = 10_000

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """Width and height, or a BadParameter."""
        if isinstance(value, tuple):
            return value[0], value[1]
        found = _SIZE.fullmatch(str(value).strip())
        if not found:
            self.fail(f"{quoted(value)} is not a size (width x height in pixels, such as 640x480)", param, ctx)
        width, height = int(found[1]), int(found[2])
        if not (1 <= width <= self.largest and 1 <= height <= self.largest):
            self.fail(f"{width}x{height} is out of range (1 to {self.largest} pixels a side)", param, ctx)
        return width, height


class Words(click.ParamType):  # type: ignore[type-arg]  # no parameter before Click 8.5
    """Words with commas between them."""

    name = "a,b,…"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        """The words, or a BadParameter for none."""
        if isinstance(value, tuple):
            return value
        words = tuple(word.strip() for word in str(value).split(",") if word.strip())
        if not words:
            self.fail(f"{quoted(value)} names nothing (names with commas between them)", param, ctx)
        return words


class File(click.ParamType):  # type: ignore[type-arg]  # no parameter before Click 8.5
    """The name of a file; whether it is there is found out by opening it."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name, or a BadParameter for none."""
        if not str(value).strip():
            self.fail(f"{quoted(str(value))} is no name of a file", param, ctx)
        return str(value)


FILE, POINT, SIZE, WORDS = File(), Point(), Size(), Words()
FPS = Number(0.0, above=True)
LENGTH = Number(0.0)
FRACTION = Number(0.0, 1.0)


def not_yet(where: str) -> NoReturn:
    """The one sentence for what the command line is going to have."""
    raise InputError(f"{where}: not supported yet in this version")


def later(*names: str, flag: bool = False) -> Callable[[F], F]:
    """Options of a later version: not shown, and refused with one clear sentence."""

    def refuse(ctx: click.Context, param: click.Parameter, value: Any) -> None:
        if value not in (None, False, ()):
            not_yet(f"{ctx.info_name} {param.opts[0]}")

    def add(function: F) -> F:
        for name in names:
            option = click.option(name, is_flag=flag, hidden=True, expose_value=False, callback=refuse)
            function = option(function)
        return function

    return add
