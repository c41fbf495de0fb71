"""Reading field by field: what is wrong is gathered with its place and owner, what is odd is noted."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, TypeGuard

from elbowroom.errors import FormatError, LossyWarning
from elbowroom.kernel.reading import BIGGEST
from elbowroom.rig.paths import Fault, Log, Path, json_path, quote

_MOST = 40  # faults spelled out in one message
_SHOWN = 60  # letters of a value that are shown


@dataclass
class Reading:
    """What one file has shown so far.

    log : its faults;  notes : (text, category) of the warnings to come
    version : whose rules it is read by
    bones, slots : name -> index
    """

    log: Log = field(default_factory=Log)
    notes: list[tuple[str, type[Warning]]] = field(default_factory=list)
    version: tuple[int, int] = (4, 2)
    bones: dict[str, int] = field(default_factory=dict)
    slots: dict[str, int] = field(default_factory=dict)

    def note(self, text: str) -> None:
        """Something odd that is read all the same."""
        self.notes.append((text, UserWarning))

    def lossy(self, text: str) -> None:
        """Something that is kept but does nothing here."""
        self.notes.append((text, LossyWarning))


def refuse(path: str | os.PathLike[str], faults: Sequence[Fault]) -> None:
    """Raise the FormatError that lists every fault, the first one's place as its own; nothing for none."""
    if not faults:
        return
    lines = [faults[0].text, *(str(fault) for fault in faults[1:_MOST])]
    if len(faults) > _MOST:
        lines.append(f"… and {len(faults) - _MOST} more")
    raise FormatError(path, json_path(faults[0].path), "\n  ".join(lines))


def is_number(value: object) -> TypeGuard[int | float]:
    """A number of JSON that can be computed with: no bool, finite, within ±1e150."""
    return (type(value) is float and isfinite(value) and abs(value) <= BIGGEST) or (
        type(value) is int and abs(value) <= BIGGEST
    )


def show(value: object) -> str:
    """A value of the file in a message, on one line and not too long."""
    if isinstance(value, str):
        return quote(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list):
        return f"an array of {len(value)}"
    return str(value)[:_SHOWN]


@dataclass(frozen=True)
class Fields:
    """One object of the file: each method reads a field, or notes a fault and returns the default."""

    reading: Reading
    path: Path
    data: Mapping[str, Any]
    who: str

    def fault(self, text: str, *at: str | int) -> None:
        """Something is wrong with this object, or with a field of it."""
        self.reading.log.add((*self.path, *at), f"{self.who}: {text}")

    def number(self, key: str, default: float = 0.0, low: float = -BIGGEST, high: float = BIGGEST) -> float:
        """A finite number in [low, high]."""
        value = self.data.get(key, default)
        if not is_number(value):
            self.fault(f"{key} is {show(value)} ({_wanted(value)})", key)
            return default
        if not low <= value <= high:
            upper = "or more" if high >= BIGGEST else f"to {high:g}"
            self.fault(f"{key} is {show(value)} (a number, {low:g} {upper})", key)
            return default
        return float(value)

    def whole(self, key: str, default: int = 0) -> int:
        """A whole number, 0 or more."""
        value = self.data.get(key, default)
        if not is_number(value) or value < 0 or value != int(value):
            self.fault(f"{key} is {show(value)} (a whole number, 0 or more)", key)
            return default
        return int(value)

    def flag(self, key: str, default: bool = False) -> bool:
        """True or false."""
        value = self.data.get(key, default)
        if not isinstance(value, bool):
            self.fault(f"{key} is {show(value)} (true or false, without quotes)", key)
            return default
        return value

    def text(self, key: str) -> str | None:
        """A text, or None where it is absent or null."""
        value = self.data.get(key)
        if value is not None and not isinstance(value, str):
            self.fault(f"{key} is {show(value)} (a text in quotes was expected)", key)
            return None
        return value

    def word(self, key: str, default: str, known: Sequence[str], any_case: bool = False) -> str:
        """One of the known words, whose first letter may stand in either case (before 4.0 all of them)."""
        value = self.data.get(key, default)
        for word in known if isinstance(value, str) else ():
            if value in (word, word[0].upper() + word[1:]) or (any_case and value.lower() == word.lower()):
                return word
        self.fault(f"{key} is {show(value)} (one of: {', '.join(known)})", key)
        return default

    def items(self, key: str, needed: bool = True) -> list[Any]:
        """An array; its absence is a fault where it is needed."""
        value = self.data.get(key)
        if value is None and key not in self.data:
            if needed:
                self.fault(f"{key} is missing (an array of names)", key)
            return []
        if not isinstance(value, list):
            self.fault(f"{key} is {show(value)} (an array was expected)", key)
            return []
        return value

    def index(self, key: str, known: Mapping[str, int], what: str) -> int:
        """The index of the bone or slot a field names; −1 after a fault."""
        if self.data.get(key) is None:
            self.fault(f"{key} is missing (the name of a {what})", key)
            return -1
        return self.find(self.data[key], known, what if key == what else f"{key} {what}", key)

    def indexes(self, key: str, known: Mapping[str, int], what: str, needed: bool = True) -> tuple[int, ...]:
        """The indexes of all a field names; those with a fault are left out."""
        found = (self.find(name, known, what, key, i) for i, name in enumerate(self.items(key, needed)))
        return tuple(index for index in found if index >= 0)

    def find(self, name: object, known: Mapping[str, int], what: str, *at: str | int) -> int:
        """The index of a name; −1 after a fault, which has the closest one."""
        if not isinstance(name, str):
            self.fault(f"{what} is {show(name)} (a name in quotes was expected)", *at)
            return -1
        if name not in known:
            self.fault(f"{what} {quote(name)} does not exist{self.reading.log.hint(name, known)}", *at)
        return known.get(name, -1)


def _wanted(value: object) -> str:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"a finite number, at most {BIGGEST:g}"
    return "a number was expected"


def objects(reading: Reading, path: Path, value: object) -> list[tuple[int, Mapping[str, Any]]]:
    """The objects of an array with their places; whatever else is there is a fault."""
    if not isinstance(value, list):
        reading.log.add(path, f"{show(value)} (an array was expected)")
        return []
    for i, item in enumerate(value):
        if not isinstance(item, dict):
            reading.log.add((*path, i), f"{show(item)} (an object was expected)")
    return [(i, item) for i, item in enumerate(value) if isinstance(item, dict)]


def name_of(reading: Reading, path: Path, data: Mapping[str, Any], what: str) -> str | None:
    """The name of an entry; None after a fault that says which entry it is."""
    name = data.get("name")
    if isinstance(name, str):
        return name
    found = "has no name" if name is None else f"name is {show(name)}"
    reading.log.add((*path, "name"), f"{what} {path[-1]}: {found} (a text in quotes was expected)")
    return None


def twice(reading: Reading, path: Path, names: Iterable[tuple[int, str]], what: str) -> None:
    """A fault for every name that an earlier entry has."""
    first: dict[str, int] = {}
    for i, name in names:
        if name in first:
            problem = (
                f"the name is taken by entry {first[name]} (entries {first[name]} and {i}; every {what} needs its own)"
            )
            reading.log.add((*path, i, "name"), f"{what} {quote(name)}: {problem}")
        first.setdefault(name, i)
