"""Small rigs as records: a limb or two under one parent, and clips that key it frame by frame."""

from __future__ import annotations

import json

import elbowroom as er

FPS = 10


def bones(name, lengths, parent="body", at=(0.0, 0.0)):
    """A straight limb of two bones, upper and lower."""
    upper, lower = lengths
    return [
        {"name": f"{name}-upper", "parent": parent, "x": at[0], "y": at[1], "length": upper},
        {"name": f"{name}-lower", "parent": f"{name}-upper", "x": upper, "length": lower},
    ]


def constraint(name, target, space="world", limb=None, **more):
    """A two-bone constraint on the limb of that name."""
    chain = [f"{limb or name}-upper", f"{limb or name}-lower"]
    goal = {"position": list(target), "space": space}
    return {"name": name, "bones": chain, "on_miss": "accept", "target": goal, **more}


def frame_keys(values):
    """One key a frame."""
    return [[i / FPS, value] for i, value in enumerate(values)]


def load(folder, limbs, constraints, *, body=None, keyed=None, frames=None):
    """Write a rig record and load it; `keyed` is bone -> channel -> one value a frame, the clip is "clip"."""
    record = {
        "format": "elbowroom-rig/1",
        "name": "case",
        "bones": [{"name": "body", "length": 0} | (body or {}), *limbs],
        "constraints": constraints,
    }
    if frames:
        record["frames"] = frames
    if keyed:
        tracks = {
            bone: {channel: frame_keys(values) for channel, values in channels.items()}
            for bone, channels in keyed.items()
        }
        record["clips"] = {"clip": {"fps": FPS, "bones": tracks}}
    path = folder / "case.rig.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    return er.load(path)


def tips(rig, pose, name):
    """World tips (..., 2) of the lower bone of a limb."""
    return pose.tips()[..., rig.skeleton.index(f"{name}-lower"), :]


def rotations(rig, pose, name):
    """Own rotations (..., 2) [rad] of a limb's two bones."""
    return pose.rotation[..., [rig.skeleton.index(f"{name}-{part}") for part in ("upper", "lower")]]
