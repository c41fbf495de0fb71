"""Where in a record something is wrong, and a place to gather all of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import NamedTuple

from elbowroom.errors import RigError, closest

Path = tuple[str | int, ...]

_PLAIN = re.compile(r"[^\W\d][\w-]*")
_LONGEST = 60  # characters of a name that are shown
MOST_LINES = 200  # faults spelled out in one message; the error's .faults has them all
_MOST_NAMES = 24  # known names shown in a message


class Fault(NamedTuple):
    """One thing that is wrong, and where: str() is '$.bones[1].x: …'."""

    path: Path
    text: str

    def __str__(self) -> str:
        return f"{json_path(self.path)}: {self.text}"


class Log:
    """Faults in the order they are found; a place known to be unreadable is not complained about twice."""

    def __init__(self, known: Iterable[Fault] = ()) -> None:
        self.faults = list(known)
        self._muted = {fault.path for fault in self.faults}
        self._around = {fault.path[:n] for fault in self.faults for n in range(len(fault.path) + 1)}

    def add(self, path: Path, text: str) -> None:
        """Note a fault, unless this place or one around it could not be read to begin with."""
        if not self.unread(path):
            self.faults.append(Fault(path, text))

    def unread(self, path: Path) -> bool:
        """Is the value at this path only a stand-in?"""
        return any(path[:n] in self._muted for n in range(len(path) + 1)) if self._muted else False

    def hint(self, name: str, known: Iterable[str]) -> str:
        """The closest known name, for the first faults only: with many names the search takes its time."""
        return closest(name, known) if len(self.faults) < MOST_LINES else ""

    def whole(self, path: Path) -> bool:
        """Could the value at this path be read, and everything in it?"""
        return path not in self._around and not self.unread(path)

    def name(self, path: Path, what: str, name: str, known: Iterable[str]) -> bool:
        """Note a name that is not among the known ones, with the closest; True when it is known."""
        names = known if isinstance(known, dict | set | frozenset) else list(known)
        if name not in names:
            self.add(path, f"{what} {quote(name)} does not exist{self.hint(name, names)}")
        return name in names


def json_path(path: Path) -> str:
    """('bones', 1, 'x') as $.bones[1].x; names with other signs than letters as ["…"]."""
    return "$" + "".join(_step(part) for part in path)


def _step(part: str | int) -> str:
    if isinstance(part, int):
        return f"[{part}]"
    return f".{part}" if _PLAIN.fullmatch(part) else f"[{quote(part)}]"


def quote(name: str) -> str:
    """A name in quotes on one line, control characters escaped, cut when very long."""
    short = name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"
    text = json.dumps(short, ensure_ascii=False)
    return text if text.isprintable() else json.dumps(short)


def refuse(faults: Iterable[object], source: str = "") -> None:
    """Raise the RigError that lists every fault (one clear sentence when it is one), if there is any.

    source : what the faults are in (a file's name), put in front
    """
    texts = [str(fault) for fault in faults]
    if texts:
        raise RigError(listing(texts, source), texts)


def listing(texts: list[str], source: str = "") -> str:
    """One sentence, or a headline with the count and one line each."""
    head = f"{source}: " if source else ""
    if len(texts) == 1:
        return head + texts[0]
    more = len(texts) - MOST_LINES
    lines = texts[:MOST_LINES] + ([f"… and {more} more"] if more > 0 else [])
    return "\n  ".join([f"{head}{len(texts)} faults", *lines])


def among(name: str, known: Iterable[str]) -> str:
    """A hint with the closest name and all known ones: ' (did you mean "door"? known: world, door)'."""
    names = list(dict.fromkeys(known))
    near = closest(name, names)
    guess = f"{near[2:-1]} " if "did you mean" in near else ""
    return f" ({guess}known: {', '.join(names[:_MOST_NAMES])}{', …' if len(names) > _MOST_NAMES else ''})"
