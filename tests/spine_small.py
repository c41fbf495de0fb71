"""Small Spine files written by hand, in the layout of each version."""

from __future__ import annotations

import copy
import json

from elbowroom.formats import spine

_BONES = [
    {"name": "root"},
    {"name": "hip", "parent": "root", "y": 90, "skin": False},
    {"name": "thigh", "parent": "hip", "length": 50, "rotation": -80, "inherit": "noScale"},
    {"name": "shin", "parent": "thigh", "length": 45, "x": 50, "rotation": -15, "shearY": 5},
    {"name": "goal", "parent": "root", "x": 12, "y": 4, "skin": True},
]
_REACH = {"bones": ["thigh", "shin"], "target": "goal", "softness": 19, "bendPositive": False, "mix": 0.5}
_PATH = {"type": "path", "vertexCount": 6, "lengths": [30], "closed": False}
_POINTS = [0, 0, 0, 1, 10, 10, 20, 10, 30.1, 0, 40, 0]


def small(version="4.2.22", **changes):
    """The plain data of a file of that version with one limb, one follower, one path; `changes` replace sections."""
    data = {"skeleton": {"hash": "h", "spine": version, "note": "kept"}, "bones": copy.deepcopy(_BONES)}
    data["slots"] = [{"name": "line", "bone": "hip", "attachment": "curve"}, {"name": "cloth", "bone": "shin"}]
    data |= _constraints(version)
    attachments = {"line": {"curve": {**_PATH, "vertices": _POINTS}}}
    data["skins"] = [{"name": "default", "attachments": attachments}]
    data["animations"] = {"wave": {"bones": {"hip": {"translate": [{"x": 1}, {"time": 1, "x": 3, "y": 2}]}}}}
    if version < "4.2":
        data["bones"][2]["transform"] = data["bones"][2].pop("inherit")
    if version < "3.8":
        data["skins"] = {"default": attachments}
    return copy.deepcopy(data | changes)


def _constraints(version):
    if version >= "4.3":
        follow = {
            "rotate": {"offset": 3, "to": {"x": {"max": 9, "scale": 2}}},
            "y": {},
            "scaleX": {"to": {"scaleX": {}}},
        }
        return {
            "constraints": [
                {"type": "transform", "name": "follow", "bones": ["hip"], "source": "goal", "rotation": 7, "mixX": 0.3,
                 "properties": follow},
                {"type": "ik", "name": "leg", "scaleY": "volume", **_REACH},
                {"type": "path", "name": "ride", "bones": ["hip"], "slot": "line", "mixX": 0.2},
            ]
        }  # fmt: skip
    follow = {"name": "follow", "bones": ["hip"], "target": "goal", "rotation": 7}
    ride = {"name": "ride", "bones": ["hip"], "target": "line", "order": 2}
    mixes = {"rotateMix": 0.1, "translateMix": 0.3} if version < "4.0" else {"mixRotate": 0.1, "mixX": 0.3}
    return {
        "ik": [{"name": "leg", "order": 1, "uniform": True, **_REACH}],
        "transform": [follow | mixes],
        "path": [ride | ({"translateMix": 0.2} if version < "4.0" else {"mixX": 0.2})],
    }


def text(data):
    """The bytes of a file; infinities as a number that is too large."""
    return json.dumps(data).replace("Infinity", "1e999").encode()


def read(data, name="small.json"):
    """A rig of plain data, or of bytes."""
    return spine.from_bytes(name, data if isinstance(data, bytes) else text(data))
