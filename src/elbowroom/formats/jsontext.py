"""JSON as people write it: read strictly, with line and column; written so that they can read it."""

from __future__ import annotations

import json
import os
import re
from bisect import bisect_left
from typing import Any, NoReturn

from elbowroom.errors import FormatError
from elbowroom.rig.paths import Fault

_WIDTH = 110
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|-?\bInfinity\b|\bNaN\b')
_HALVES = re.compile(r"\\u[dD][89a-fA-F]")

PathLike = str | os.PathLike[str]


class _Constant(Exception):
    """NaN or Infinity stands in the text."""


def parse(path: PathLike, text: str) -> tuple[Any, list[Fault]]:
    """Plain data out of JSON text, and a fault for every key that is there twice.

    Raises FormatError with line and column for what is not JSON (NaN, Infinity and comments included), and
    for text that is nested too deeply.
    """
    doubled = False

    def to_dict(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal doubled
        data = dict(pairs)
        doubled = doubled or len(data) != len(pairs)
        return data

    try:
        data = json.loads(text, object_pairs_hook=to_dict, parse_constant=_refuse_constant)
        if _HALVES.search(text):
            json.dumps(data, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise _not_json(path, text, error) from None
    except _Constant as error:
        raise _constant(path, text, str(error)) from None
    except RecursionError:
        raise FormatError(path, "", "the JSON is nested too deeply") from None
    except UnicodeEncodeError:
        raise FormatError(path, "", "a text holds half a character (an unpaired \\ud800 to \\udfff)") from None
    except ValueError:
        raise FormatError(path, "", "a number has too many digits") from None
    return data, _doubled(text) if doubled else []


def _refuse_constant(name: str) -> NoReturn:
    raise _Constant(name)


def _place(text: str, at: int) -> str:
    line = text.count("\n", 0, at) + 1
    return f"line {line}, column {at - text.rfind(chr(10), 0, at)}"


def _not_json(path: PathLike, text: str, error: json.JSONDecodeError) -> FormatError:
    comma = _last_comma(text, error.pos)
    if comma is not None:
        problem = "not JSON: a comma before a closing bracket (take it out)"
        return FormatError(path, _place(text, comma), problem)
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        return FormatError(path, _place(text, len(text)), "the JSON ends early (is the file cut off?)")
    what = error.msg[:1].lower() + error.msg[1:]
    return FormatError(path, _place(text, error.pos), f"not JSON: {what}")


def _last_comma(text: str, at: int) -> int | None:
    """Where the comma too many is, if that is what stopped the parser here (which points at it or behind it)."""
    comma = at if text[at : at + 1] == "," else len(text[:at].rstrip()) - 1
    behind = text[comma + 1 :].lstrip()[:1]
    return comma if comma >= 0 and text[comma] == "," and behind in ("]", "}") else None


def _constant(path: PathLike, text: str, name: str) -> FormatError:
    at = next((m.start() for m in _TOKEN.finditer(text) if m.group() == name), 0)
    return FormatError(path, _place(text, at), f"{name} is not JSON (write a finite number)")


def _doubled(text: str) -> list[Fault]:
    """A fault for every key that repeats one of the same object; the text is known to be JSON."""
    faults: list[Fault] = []
    path: list[str | int] = []  # the key or index of each open object or list
    seen: list[dict[str, int]] = []  # the keys of each open object so far, and where they stand
    breaks = [match.start() for match in re.finditer("\n", text)]
    last, at = "", 0
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token in "{[":
            seen.append({})
            path.append("" if token == "{" else 0)
        elif token in "}]":
            seen.pop()
            path.pop()
        elif token == "," and isinstance(path[-1], int):
            path[-1] += 1
        elif token == ":":
            path[-1] = key = json.loads(last)
            first = seen[-1].setdefault(key, at)
            if first != at:
                lines = " and ".join(f"line {bisect_left(breaks, place) + 1}" for place in (first, at))
                faults.append(Fault(tuple(path), f"this key is there twice, on {lines} (one of them must go)"))
        else:
            last, at = token, match.start()
    return faults


def layout(data: Any, opaque: tuple[str, ...] = ()) -> str:
    """JSON text for people: what fits on a line stands on one, objects in a list on a line each.

    opaque : keys whose values are written on one line, whatever their length
    """
    return _lay(data, 0, opaque) + "\n"


def _lay(data: Any, depth: int, opaque: tuple[str, ...], lead: int = 0) -> str:
    """`lead` is what stands before the value on its line, beside `depth` spaces."""
    if isinstance(data, dict):
        parts = []
        for key, item in data.items():
            name = f"{_text(key)}: "
            text = json_line(item) if key in opaque else _lay(item, depth + 1, opaque, len(name))
            parts.append(name + text)
        return _wrap("{}", parts, depth, room=0 if depth == 0 else _WIDTH - depth - lead)
    if isinstance(data, list | tuple):
        parts = [_lay(item, depth + 1, opaque) for item in data]
        records = len(data) > 1 and isinstance(data[0], dict)
        return _wrap("[]", parts, depth, room=0 if records else _WIDTH - depth - lead)
    return _scalar(data)


def _wrap(brackets: str, parts: list[str], depth: int, room: int) -> str:
    flat = ", ".join(parts)
    if not parts or (len(flat) + 3 <= room and "\n" not in flat):
        return f"{brackets[0]}{flat}{brackets[1]}"
    inner = "\n" + " " * (depth + 1)
    return f"{brackets[0]}{inner}{f',{inner}'.join(parts)}\n{' ' * depth}{brackets[1]}"


def _scalar(data: Any) -> str:
    """A value on its own: numbers so that they read back exactly, whole ones without a point."""
    if isinstance(data, str):
        return _text(data)
    if isinstance(data, float):
        plain = data.is_integer() and abs(data) < 1e15 and str(data) != "-0.0"
        return str(int(data)) if plain else repr(float(data))
    return json.dumps(data)


def _text(data: str) -> str:
    return json.dumps(data, ensure_ascii=False)


def json_line(data: Any) -> str:
    """JSON on one line, numbers exactly as they are."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False)
