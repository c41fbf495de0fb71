"""Does plain JSON data have the shape of a record? Every misfit is listed; what fits is read all the same.

`msgspec` stops at the first misfit. Where it does, the walk here goes through the same types
(`msgspec.inspect`), notes each misfit with its JSON path, puts a harmless stand-in there and goes on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from elbowroom.errors import closest
from elbowroom.rig.paths import MOST_LINES, Fault, Path, quote
from elbowroom.rig.record import FREE_KEYS, FREE_PREFIX, KEPT, LARGEST

T = TypeVar("T")

_COUNTS = ("no value was", "one was", "two were", "three were", "four were")


class _Misfit:
    """Stands for a value that could not be read."""


_MISFIT = _Misfit()


def read(data: object, kind: type[T]) -> tuple[T, list[Fault]]:
    """The data as a record of `kind`, and every misfit; where there are any, stand-ins are in their place."""
    try:
        return msgspec.convert(data, kind), []
    except msgspec.ValidationError:
        walk = _Walk()
        value = walk.fit(data, inspect.type_info(kind), ())
        return msgspec.convert(value, kind), walk.faults


class _Walk:
    """One walk over data and types; `faults` collects what does not fit."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def fit(self, data: object, kind: inspect.Type, path: Path) -> Any:
        """The part of the data that fits the type, with a stand-in when nothing does."""
        value = self.value(data, kind, path)
        return _stand_in(kind) if value is _MISFIT else value

    def value(self, data: object, kind: inspect.Type, path: Path, want: str = "") -> Any:
        """As `fit`, but _MISFIT when nothing of it can be read; `want` is what a message calls the type."""
        if isinstance(kind, inspect.Metadata):
            return self.value(data, kind.type, path, (kind.extra or {}).get("want", want))
        want = want or _name(kind)
        if isinstance(kind, inspect.UnionType):
            branch = next((t for t in kind.types if _matches(data, t)), None)
        else:
            branch = kind if _matches(data, kind) else None
        if branch is None:
            return self.fault(path, f"{_noun(data)} is not {want}")
        if branch is not kind:
            return self.value(data, branch, path, want)
        reader = _READERS.get(type(kind))
        return reader(self, data, kind, path, want) if reader else data

    def hint(self, name: str, known: Iterable[str]) -> str:
        """The closest known name, for the first faults only: thousands of searches would take their time."""
        return closest(name, known) if len(self.faults) < MOST_LINES else ""

    def fault(self, path: Path, text: str) -> _Misfit:
        """Note a misfit."""
        self.faults.append(Fault(path, text))
        return _MISFIT


def _struct(walk: _Walk, data: dict[str, Any], kind: inspect.StructType, path: Path, want: str) -> Any:
    """An object: known keys by their types, free keys aside, the rest are faults."""
    fields = {f.encode_name: f for f in kind.fields if f.encode_name != KEPT}
    free = {key: v for key, v in data.items() if key in FREE_KEYS or key.startswith(FREE_PREFIX)}
    out: dict[str, Any] = {KEPT: free} if free else {}
    for key in data:
        if key not in fields and key not in free:
            walk.fault((*path, key), f"unknown key{walk.hint(key, fields)}")
    for key, field in fields.items():
        if key in data:
            value = walk.value(data[key], field.type, (*path, key))
        else:
            value = _missing(walk, (*path, key), field) if field.required else _MISFIT
        if value is not _MISFIT or field.required:
            out[key] = _stand_in(field.type) if value is _MISFIT else value
    return out


def _missing(walk: _Walk, path: Path, field: inspect.Field) -> _Misfit:
    extra = field.type.extra if isinstance(field.type, inspect.Metadata) else None
    hint = (extra or {}).get("missing") or f"{_name(field.type)} belongs here"
    return walk.fault(path, f"missing ({hint})")


def _list(walk: _Walk, data: list[Any], kind: inspect.ListType, path: Path, want: str) -> Any:
    return [walk.fit(item, kind.item_type, (*path, i)) for i, item in enumerate(data)]


def _tuple(walk: _Walk, data: list[Any], kind: inspect.TupleType, path: Path, want: str) -> Any:
    types = kind.item_types
    if len(data) != len(types):
        return walk.fault(path, f"{len(data)} values ({_COUNTS[len(types)]} expected: {want})")
    return [walk.fit(item, types[i], (*path, i)) for i, item in enumerate(data)]


def _dict(walk: _Walk, data: dict[str, Any], kind: inspect.DictType, path: Path, want: str) -> Any:
    """Each value by its type; one that does not fit is left out."""
    read = {key: walk.value(item, kind.value_type, (*path, key)) for key, item in data.items()}
    return {key: value for key, value in read.items() if value is not _MISFIT}


def _number(walk: _Walk, data: Any, kind: inspect.FloatType | inspect.IntType, path: Path, want: str) -> Any:
    """A number within the bounds of its type."""
    low, high, above = kind.ge, kind.le, kind.gt
    inside = (low is None or data >= low) and (high is None or data <= high)
    if inside and (above is None or data > above):
        return data
    return walk.fault(path, _outside(data, low, high, above))


def _whole(walk: _Walk, data: Any, kind: inspect.IntType, path: Path, want: str) -> Any:
    """A number without a fraction; 2.0 is one."""
    if data != data // 1:
        return walk.fault(path, f"{_noun(data)} is not {want}")
    return _number(walk, int(data), kind, path, want)


def _word(walk: _Walk, data: Any, kind: inspect.LiteralType, path: Path, want: str) -> Any:
    """One of a few words or numbers."""
    if data in kind.values:
        return kind.values[kind.values.index(data)]
    hint = walk.hint(data, map(str, kind.values)) if isinstance(data, str) else ""
    return walk.fault(path, f"{_noun(data)} is not {_name(kind)}{hint if 'mean' in hint else ''}")


_READERS: Mapping[type[inspect.Type], Callable[..., Any]] = MappingProxyType(
    {
        inspect.StructType: _struct,
        inspect.ListType: _list,
        inspect.TupleType: _tuple,
        inspect.DictType: _dict,
        inspect.FloatType: _number,
        inspect.IntType: _whole,
        inspect.LiteralType: _word,
    }
)


def _matches(data: object, kind: inspect.Type) -> bool:
    """Is this JSON value of the kind the type is made of (what is inside comes later)?"""
    match kind:
        case inspect.Metadata():
            return _matches(data, kind.type)
        case inspect.UnionType():
            return any(_matches(data, t) for t in kind.types)
        case inspect.LiteralType():
            return _is_number(data) if isinstance(kind.values[0], int) else isinstance(data, str)
        case inspect.FloatType() | inspect.IntType():
            return _is_number(data)
        case inspect.StructType() | inspect.DictType():
            return isinstance(data, dict)
        case inspect.ListType() | inspect.TupleType():
            return isinstance(data, list | tuple)
        case inspect.StrType():
            return isinstance(data, str)
        case inspect.BoolType():
            return isinstance(data, bool)
        case inspect.NoneType():
            return data is None
    return True


def _is_number(data: object) -> bool:
    return isinstance(data, int | float) and not isinstance(data, bool)


def _stand_in(kind: inspect.Type) -> Any:
    """The least value of a type."""
    match kind:
        case inspect.Metadata():
            return _stand_in(kind.type)
        case inspect.UnionType():
            return _stand_in(kind.types[0])
        case inspect.LiteralType():
            return kind.values[0]
        case inspect.FloatType() | inspect.IntType():
            return 1
        case inspect.StructType():
            return {f.encode_name: _stand_in(f.type) for f in kind.fields if f.required}
        case inspect.DictType():
            return {}
        case inspect.ListType():
            return []
        case inspect.TupleType():
            return [_stand_in(t) for t in kind.item_types]
        case inspect.StrType():
            return ""
    return None


def _name(kind: inspect.Type) -> str:
    """What a message calls a type: 'a number', 'a list', '"normal" or "noScale"'."""
    match kind:
        case inspect.Metadata():
            return str((kind.extra or {}).get("want") or _name(kind.type))
        case inspect.UnionType():
            return _either(_name(t) for t in kind.types if not isinstance(t, inspect.NoneType))
        case inspect.LiteralType():
            return _either(json.dumps(v) for v in kind.values)
        case inspect.FloatType():
            return "a number"
        case inspect.IntType():
            return "a whole number"
        case inspect.StructType() | inspect.DictType():
            return "an object {…}"
        case inspect.ListType() | inspect.TupleType():
            return "a list […]"
        case inspect.BoolType():
            return "true or false"
    return "a text"


def _either(names: Iterable[str]) -> str:
    *most, last = dict.fromkeys(names)
    return f"{', '.join(most)} or {last}" if most else last


def _noun(data: object) -> str:
    match data:
        case None | bool():
            return json.dumps(data)
        case str():
            return f"the text {quote(data)}"
        case dict():
            return "an object"
        case list() | tuple():
            return "a list"
    return f"the number {_show(data)}"


def _show(number: Any) -> str:
    """A number in a message; whole numbers of thousands of digits are not spelled out."""
    return f"beyond {LARGEST:g}" if abs(number) > LARGEST else repr(number)


def _outside(data: Any, low: Any, high: Any, above: Any) -> str:
    """Which bound a number breaks, and what is allowed."""
    if not abs(data) <= LARGEST:
        return f"not a finite number of at most {LARGEST:g}"
    if above is not None:
        return f"{_show(data)} is not more than {above:g}"
    if high is not None and high < LARGEST:
        return f"{_show(data)} is outside {low:g} to {high:g}"
    return f"{_show(data)} is less than {low:g}"
