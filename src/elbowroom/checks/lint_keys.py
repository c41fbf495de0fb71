"""lint-defaults: a key of a constraint leaves out what the setup pose has.

What it means
  A key of a Spine constraint that does not name a value takes the default of the format, never the value of the setup
  pose: a limb whose setup mix is 0.5 has mix 1 from a key on that says only "softness", and a bend that is negative
  turns positive. The editor leaves out what equals the default, so in a file that it exported this is meant; in one
  that was written by hand or by a script it seldom is. Severity: info. No threshold.

What causes it, and how to cure it
  Keys that name only what should change. Name every value in every key: mix, softness, bendPositive, compress and
  stretch of IK, all the mixes of a transform or path constraint.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from elbowroom.checks.kind import Check
from elbowroom.checks.report import Finding
from elbowroom.rig.paths import quote
from elbowroom.rig.rig import Rig
from elbowroom.rig.spine.records import Spine, SpineIK

_FOLLOW = ("mixRotate", "mixX", "mixY", "mixScaleX", "mixScaleY", "mixShearY")
_OLD_FOLLOW = ("rotateMix", "translateMix", "scaleMix", "shearMix")
_SPREAD = (0, 1, 3, 5)  # where four mixes stand among six
_SAME_AS = {"mixY": "mixX", "mixScaleY": "mixScaleX"}  # what a mix is taken from where it is left out


def find(rig: Rig, threshold: float | None) -> Iterator[Finding]:
    """A remark for each constraint and animation whose keys leave out what is not at the default in the setup pose."""
    spine, data = rig.runtime, rig.foreign.data if rig.foreign is not None else None
    animations = data.get("animations") if spine is not None and isinstance(data, Mapping) else None
    if spine is None or not isinstance(animations, Mapping):
        return
    for animation, groups in animations.items():
        for group, setups in (("ik", _ik(spine)), ("transform", _transform(spine))):
            for name, keys in _keyed(groups, group).items():
                left = {field: value for field, value in setups.get(name, {}).items() if _falls_back(keys, field)}
                if left:
                    yield _finding(animation, group, name, left)


def _ik(spine: Spine) -> dict[str, dict[str, object]]:
    """Constraint -> what its setup has that is not the default of the format."""
    return {ik.name: _odd(_values(ik), {"mix": 1.0, "bendPositive": True}) for ik in spine.ik}


def _values(ik: SpineIK) -> dict[str, object]:
    return {
        "mix": ik.mix,
        "softness": ik.softness,
        "bendPositive": ik.bend > 0,
        "compress": ik.compress,
        "stretch": ik.stretch,
    }


def _transform(spine: Spine) -> dict[str, dict[str, object]]:
    """The same for the mixes of transform constraints, by their names in the file's version."""
    old = spine.version < (4, 0)
    found = {}
    for each in spine.transform:
        mixes = [each.mixes[i] for i in _SPREAD] if old else each.mixes
        values = dict(zip(_OLD_FOLLOW if old else _FOLLOW, mixes, strict=True))
        found[each.name] = _odd(values, dict.fromkeys(values, 1.0))
    return found


def _odd(values: Mapping[str, object], defaults: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in values.items() if value != defaults.get(name, 0)}


def _keyed(groups: Any, group: str) -> dict[str, list[Mapping[str, Any]]]:
    """Constraint -> its keys."""
    found = groups.get(group) if isinstance(groups, Mapping) else None
    if not isinstance(found, Mapping):
        return {}
    return {name: [k for k in keys if isinstance(k, Mapping)] for name, keys in found.items() if isinstance(keys, list)}


def _falls_back(keys: list[Mapping[str, Any]], field: str) -> bool:
    return any(field not in key and _SAME_AS.get(field) not in key for key in keys)


def _finding(animation: str, group: str, name: str, left: Mapping[str, object]) -> Finding:
    said = ", ".join(f"{field} ({_text(value)} at setup)" for field, value in left.items())
    return Finding(
        code="lint-defaults",
        severity="info",
        message=f"{group} {quote(name)} in {quote(animation)}: its keys leave out {said}; "
        "Spine takes the default of the format there, not the setup pose",
        hint="name every value in every key, unless the editor wrote the file",
        animation=animation,
        constraint=name,
    )


def _text(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else json.dumps(value)


CHECK = Check(code="lint-defaults", page=__doc__, of_rig=find)
