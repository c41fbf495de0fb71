"""One native rig that uses every kind of key, for the tests of records and files."""

from __future__ import annotations

import json
from typing import Any

TEXT = """\
{
 "format": "elbowroom-rig/1",
 "name": "scout",
 "bones": [
  {"name": "hip", "y": 85},
  {"name": "thigh", "parent": "hip", "length": 50, "rotation_deg": -80},
  {"name": "shin", "parent": "thigh", "x": 50, "length": 45, "rotation_deg": -15}
 ],
 "constraints": [
  {
   "name": "leg",
   "bones": ["thigh", "shin"],
   "on_miss": ["stretch", "move_root", "accept"],
   "target": {"position": [0, 0], "space": "world"},
   "softness": 0.05,
   "limits_deg": [[-120, 60], [-150, 0]],
   "max_stretch": 0.05,
   "root": "hip",
   "max_shift": 6
  }
 ],
 "legs": [{"constraint": "leg", "heel": [45, -4], "toe": [45, 12]}],
 "body": "hip",
 "frames": {"door": {"parent": "world", "x": 20}},
 "clips": {
  "wave": {
   "fps": 30,
   "loop": true,
   "bones": {"hip": {"x": [[0, 0], [1, 4]], "rotation_deg": [[0, 0, "stepped"], [1, 9]]}},
   "targets": {
    "leg": {"position": [[0, 0, 0], [1, 4, 0]], "space": [[0, "world"], [0.5, "door"]], "blend": 0.2}
   },
   "mix": {"leg": [[0, 1]]},
   "bend": {"leg": [[0, 1]]}
  }
 }
}
"""


def sample() -> dict[str, Any]:
    """A fresh copy of the rig as plain data; defaults are left out, as `save` does."""
    data: dict[str, Any] = json.loads(TEXT)
    return data


def changed(*steps: str | int, to: Any) -> dict[str, Any]:
    """The rig with the value at a path set to something else."""
    data = sample()
    place: Any = data
    for step in steps[:-1]:
        place = place[step]
    if isinstance(place, list) and steps[-1] == len(place):
        place.append(to)
    else:
        place[steps[-1]] = to
    return data


def without(*steps: str | int) -> dict[str, Any]:
    """The rig with the value at a path taken out."""
    data = sample()
    place: Any = data
    for step in steps[:-1]:
        place = place[step]
    del place[steps[-1]]
    return data
