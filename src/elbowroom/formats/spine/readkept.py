"""The file a rig was read from, kept as it was; its parts are decoded when they are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from elbowroom.formats.spine.layout_text import Parts, decode, split

if TYPE_CHECKING:
    from elbowroom.rig.rig import Rig


class Kept(Mapping[str, Any]):
    """The plain data of a file by its keys, unknown ones included; every look-up decodes that part anew.

    raw : the bytes, UTF-8 JSON without a byte order mark
    """

    def __init__(self, raw: bytes, parts: Parts | None = None) -> None:
        self.raw = raw
        self._parts: Parts = (split(raw) or {}) if parts is None else parts
        self._read: tuple[object, ...] = ()

    def __getitem__(self, key: str) -> Any:
        return decode(self._parts[key])

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def __repr__(self) -> str:
        return f"Kept({len(self.raw)} bytes: {', '.join(self._parts)})"

    def __getstate__(self) -> tuple[bytes, tuple[object, ...]]:
        return self.raw, self._read

    def __setstate__(self, state: tuple[bytes, tuple[object, ...]]) -> None:
        self.__init__(state[0])  # type: ignore[misc]
        self._read = state[1]

    def read_as(self, rig: Rig) -> None:
        """Remember what was made of the file, to tell later whether a rig is still that."""
        self._read = _content(rig)

    def unchanged(self, rig: Rig) -> bool:
        """Whether a rig has the very content that was read from this file."""
        now = _content(rig)
        return len(now) == len(self._read) and all(a is b for a, b in zip(now, self._read, strict=True))


def _content(rig: Rig) -> tuple[object, ...]:
    return (rig.skeleton, rig.runtime, *rig.constraints, *rig.animations.values())
