"""Transform constraints of 4.3: properties of a source that drive properties of bones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from elbowroom.errors import closest
from elbowroom.formats.spine.faults import Fields, show
from elbowroom.rig.paths import quote
from elbowroom.rig.spine.records import PROPERTIES, Mapped, SpineTransform

_OFFSETS = ("rotation", "x", "y", "scaleX", "scaleY", "shearY")


def read_mapped(fields: Fields, order: int) -> SpineTransform | None:
    """One constraint; None after a fault in what it names."""
    source = fields.index("source", fields.reading.bones, "bone")
    properties = tuple(_properties(fields))
    found = SpineTransform(
        name=str(fields.data["name"]),
        bones=fields.indexes("bones", fields.reading.bones, "bone"),
        target=source,
        order=order,
        skin=fields.flag("skin"),
        offsets=tuple(fields.number(key) for key in _OFFSETS),
        mixes=_mixes(fields, properties),
        local_source=fields.flag("localSource"),
        local_target=fields.flag("localTarget"),
        additive=fields.flag("additive"),
        clamp=fields.flag("clamp"),
        properties=properties,
    )
    return found if source >= 0 else None


def _mixes(fields: Fields, properties: tuple[Mapped, ...]) -> tuple[float, ...]:
    """Six mixes; of what no property drives it is 0, whatever is written."""
    driven = {name for mapped in properties for name, *_ in mapped.to}

    def mix(key: str, name: str, default: float) -> float:
        written = fields.number(key, default)
        return written if name in driven else 0.0

    x, scale = mix("mixX", "x", 1.0), mix("mixScaleX", "scaleX", 1.0)
    return (
        mix("mixRotate", "rotate", 1.0),
        x,
        mix("mixY", "y", x),
        scale,
        mix("mixScaleY", "scaleY", scale),
        mix("mixShearY", "shearY", 1.0),
    )


def _properties(fields: Fields) -> Iterator[Mapped]:
    """Those that drive something, in the file's order."""
    for name, data in _known(fields, fields.data.get("properties", {}), "properties"):
        source = Fields(fields.reading, (*fields.path, "properties", name), data, fields.who)
        to = tuple(_driven(source))
        if to:
            yield Mapped(name, source.number("offset"), to)


def _driven(source: Fields) -> Iterator[tuple[str, float, float, float]]:
    for name, data in _known(source, source.data.get("to", {}), "to"):
        to = Fields(source.reading, (*source.path, "to", name), data, source.who)
        yield name, to.number("offset"), to.number("max", 1.0), to.number("scale", 1.0)


def _known(fields: Fields, value: object, key: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if not isinstance(value, dict):
        fields.fault(f"{key} is {show(value)} (an object was expected)", key)
        return
    for name, data in value.items():
        if name not in PROPERTIES:
            fields.fault(f"{key} has {quote(name)}{closest(name, PROPERTIES)}", key, name)
        elif not isinstance(data, dict):
            fields.fault(f"{quote(name)} is {show(data)} (an object was expected)", key, name)
        else:
            yield name, data
