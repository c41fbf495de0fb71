"""The bytes of a file, cut into its sections without reading what is in them."""

from __future__ import annotations

import json
import re
from typing import Any, TypeAlias

import msgspec

Raw: TypeAlias = msgspec.Raw
Parts: TypeAlias = dict[str, Raw]

BOM = b"\xef\xbb\xbf"
SMALL = 4_000_000  # [bytes] up to which a section is searched to its depth for keys that are there twice
_DEEPEST = 12
_ANIMATED = 3  # animations, their groups, the names in those; not every key of them
_KEY = re.compile(rb'\s*[{,]\s*"((?:[^"\\]|\\.)*)"\s*:\s*', re.DOTALL)
_END = re.compile(rb"\s*(?:\{\s*)?\}\s*")
_OPENING = re.compile(rb"\s*(\{|\[\s*\{)")
_VERSION = re.compile(rb"\d\.\d{1,2}\.\d{1,3}")
_HEAD = 400  # [bytes] in which a binary export has its version


def split(raw: bytes) -> Parts | None:
    """The sections by key of a JSON object, UTF-8 without a mark; None for what is none, or nested too deeply."""
    try:
        return msgspec.json.decode(raw, type=Parts)
    except (msgspec.MsgspecError, RecursionError):
        return None


def decode(section: Raw) -> Any:
    """The plain data of a section, known to be JSON; numbers beyond float64 are infinite."""
    try:
        return msgspec.json.decode(section)
    except msgspec.ValidationError:
        return json.loads(bytes(section))


def has_doubled(raw: bytes, parts: Parts, animations: Parts) -> bool:
    """Whether a key is there twice: at the top, among the animations, or anywhere in the smaller sections.

    parts : the sections of `raw`;  animations : those of its "animations"
    """
    if _steps_over(memoryview(raw), parts):
        return True
    if animations and _steps_over(memoryview(parts["animations"]), animations):
        return True
    return any(_doubled(section, _ANIMATED if key == "animations" else _DEEPEST) for key, section in parts.items())


def _doubled(section: Raw, depth: int) -> bool:
    opening = _OPENING.match(section) if depth and len(memoryview(section)) <= SMALL else None
    if opening is None:
        return False
    if opening.group(1) != b"{":
        return any(_doubled(item, depth - 1) for item in msgspec.json.decode(section, type=list[Raw]))
    parts = msgspec.json.decode(section, type=Parts)
    return _steps_over(memoryview(section), parts) or any(_doubled(part, depth - 1) for part in parts.values())


def _steps_over(whole: memoryview, parts: Parts) -> bool:
    """Whether an object has more in it than its mapping: a key that comes again leaves its first value behind."""
    at = 0
    for key, part in parts.items():
        found = _KEY.match(whole, at)
        if found is None or (b"\\" not in found.group(1) and found.group(1) != key.encode()):
            return True
        at = found.end() + len(memoryview(part))
    return _END.fullmatch(whole, at) is None


def looks_binary(raw: bytes) -> bool:
    """Whether these bytes look like Spine's binary export: control characters, and a version early on."""
    head = raw[:_HEAD]
    return not head.lstrip().startswith((b"{", b"[", BOM)) and b"\x00" in head and bool(_VERSION.search(head))
