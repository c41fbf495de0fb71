"""Which version a file is of: what it says, and what its layout says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from elbowroom.formats.spine.faults import Reading, show
from elbowroom.formats.spine.layout_text import Parts
from elbowroom.rig.paths import Fault, Path, json_path

Version: TypeAlias = tuple[int, int]

KNOWN: tuple[Version, ...] = ((3, 7), (3, 8), (4, 0), (4, 1), (4, 2), (4, 3))
_FIRST, _LAST = KNOWN[0], KNOWN[-1]
_USUAL: Version = (4, 2)
_OLDEST: Version = (3, 6)  # the same layout as 3.7
_MIX = {"mixRotate", "mixX", "mixY", "mixScaleX", "mixScaleY", "mixShearY"}
_OLD_MIX = {"rotateMix", "translateMix", "scaleMix", "shearMix"}
_ROTATE = re.compile(rb'"rotate"\s*:\s*\[\s*\{[^{}]*?"(angle|value)"')


class Sign(NamedTuple):
    """Something that only the versions from `first` to `last` write, and where it stands."""

    path: Path
    what: str
    first: Version = _FIRST
    last: Version = _LAST

    def __str__(self) -> str:
        return f"{self.what} ({said(self)})"


def text(version: Version) -> str:
    """(4, 2) as 4.2."""
    return f"{version[0]}.{version[1]}"


def said(sign: Sign) -> str:
    """'up to 4.2', '4.3' or 'from 4.0 on'."""
    if sign.first == _FIRST:
        return f"up to {text(sign.last)}"
    if sign.first == sign.last == _LAST:
        return f"{text(_LAST)}"
    return f"from {text(sign.first)} on"


def settle(reading: Reading, sections: Mapping[str, Any], animations: Mapping[str, Parts], written: object) -> None:
    """Set the version a file is read by; faults for one that is not known, and for a layout of another version.

    written : what its header says
    """
    signs = [*_signs(sections), *_animated(animations)]
    mixed = _mixed(signs)
    if mixed is not None:
        reading.log.faults.append(mixed)
        return
    header = _header(written)
    if header is not None and header in KNOWN:
        _note_spelling(reading, header, written)
    if header is not None and header < _OLDEST:
        known = ", ".join(text(version) for version in KNOWN)
        problem = f"version {show(written)} is not read (known: {known}; 3.6 by the rules of 3.7)"
        reading.log.add(("skeleton", "spine"), problem)
    elif header is not None and header in KNOWN:
        reading.version = header
        _compare(reading, signs, written)
    elif header == _OLDEST:
        reading.version = KNOWN[0]
        reading.note(f"version {show(written)} is older than those known: read by the rules of 3.7")
        _compare(reading, signs, written)
    else:
        _guess(reading, signs, header, "skeleton" in sections, written)


def _note_spelling(reading: Reading, header: Version, written: object) -> None:
    """Note a known version that is not written as a text of numbers and points."""
    if not isinstance(written, str):
        odd = f"the number {show(written)}, not a text"
    elif not re.fullmatch(r"[\d.]+", written):
        odd = f"{show(written)}, not just numbers"
    else:
        return
    reading.note(f"the version in skeleton.spine is {odd}: taken for {text(header)}")


def _header(written: object) -> Version | None:
    """(major, minor) of a version text or number; None for what is neither."""
    if isinstance(written, bool) or not isinstance(written, str | float | int):
        return None
    found = re.match(r"\s*(\d{1,4})\.(\d{1,4})(?!\d)", str(written))
    return (int(found.group(1)), int(found.group(2))) if found else None


def _guess(reading: Reading, signs: list[Sign], header: Version | None, has_header: bool, written: object) -> None:
    first = max((sign.first for sign in signs), default=_FIRST)
    last = min((sign.last for sign in signs), default=_LAST)
    if header is None:
        reading.version = min(max(_USUAL, first), last)
        missing = "is missing" if has_header else 'is missing, as is all of "skeleton"'
        problem = missing if written is None else f"is no version: {show(written)}"
    else:
        reading.version = min(max(max(v for v in KNOWN if v < header), first), last)
        problem = f"is not among those known: {show(written)} ({text(_FIRST)} to {text(_LAST)})"
    layout = f"the layout is that of {text(reading.version)}" if signs else "the layout could be of any"
    reading.note(
        f"the version in skeleton.spine {problem}; {layout}, and it was read by the rules of {text(reading.version)}"
    )


def _mixed(signs: list[Sign]) -> Fault | None:
    """A fault if no version could have written all of this."""
    newest = max(signs, key=lambda sign: sign.first, default=None)
    oldest = min(signs, key=lambda sign: sign.last, default=None)
    if newest is None or oldest is None or newest.first <= oldest.last:
        return None
    problem = (
        f"two layouts are mixed: {newest} and {oldest}, at {json_path(oldest.path)} "
        "(a file has the layout of one version; export it again)"
    )
    return Fault(newest.path, problem)


def _compare(reading: Reading, signs: list[Sign], written: object) -> None:
    """A fault for what the version of the header does not write and its runtime would pass over."""
    wrong = [sign for sign in signs if not sign.first <= reading.version <= sign.last]
    for sign in wrong[:1]:
        problem = (
            f"{sign.what} is written by Spine {said(sign)}, but the file says version {show(written)}, whose runtime "
            "passes over it without a word (a file has the layout of its version: export it again)"
        )
        reading.log.add(sign.path, problem)


def _signs(sections: Mapping[str, Any]) -> Iterator[Sign]:
    if sections.get("constraints"):
        yield Sign(("constraints",), '"constraints"', first=(4, 3))
    for key in ("ik", "transform", "path", "physics"):
        if sections.get(key):
            yield Sign((key,), f'"{key}" at the top', first=(4, 2) if key == "physics" else _FIRST, last=(4, 2))
    skins = sections.get("skins")
    if skins and isinstance(skins, dict):
        yield Sign(("skins",), '"skins" as an object', last=(3, 7))
    elif skins and isinstance(skins, list):
        yield Sign(("skins",), '"skins" as an array', first=(3, 8))
    for i, bone in _objects(sections.get("bones")):
        if "inherit" in bone:
            yield Sign(("bones", i, "inherit"), '"inherit" of a bone', first=(4, 2))
        if "transform" in bone:
            yield Sign(("bones", i, "transform"), '"transform" of a bone', last=(4, 1))
    for kind in ("transform", "path"):
        for i, constraint in _objects(sections.get(kind)):
            for key in sorted(_OLD_MIX & constraint.keys()):
                yield Sign((kind, i, key), f'"{key}"', last=(3, 8))
            for key in sorted(_MIX & constraint.keys()):
                yield Sign((kind, i, key), f'"{key}"', first=(4, 0))


def _objects(value: object) -> list[tuple[int, dict[str, Any]]]:
    items = value if isinstance(value, list) else []
    return [(i, item) for i, item in enumerate(items) if isinstance(item, dict)]


def _animated(animations: Mapping[str, Parts]) -> Iterator[Sign]:
    for name, groups in animations.items():
        at = ("animations", name)
        if "deform" in groups:
            yield Sign((*at, "deform"), '"deform" of an animation', last=(4, 0))
        if "attachments" in groups:
            yield Sign((*at, "attachments"), '"attachments" of an animation', first=(4, 1))
        if "paths" in groups:
            yield Sign((*at, "paths"), '"paths" of an animation', last=(3, 7))
        bones = groups.get("bones")
        found = _ROTATE.search(bones) if bones is not None else None
        if found is not None and found.group(1) == b"angle":
            yield Sign((*at, "bones"), '"angle" in keys of "rotate"', last=(3, 8))
        elif found is not None:
            yield Sign((*at, "bones"), '"value" in keys of "rotate"', first=(4, 0))
