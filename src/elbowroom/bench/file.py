"""`elbowroom bench file`: what reading, posing and keeping a Spine rig costs, beside parsing the same bytes as JSON.

The files are made up here: many bones, limbs and animations, so that their size is known and nothing has to be at hand.
Give a file of your own, `elbowroom bench file RIG.json`, to see it posed as well.
"""

from __future__ import annotations

import json
import math
import tempfile
import tracemalloc
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from elbowroom.bench.table import Line, ratios, report
from elbowroom.formats import load
from elbowroom.rig.pose import Clip
from elbowroom.rig.rig import Rig
from elbowroom.solve import solve

FRAMES = 600
BIG = {"bones": 120, "limbs": 20, "animations": 12, "keys": 190}  # about 20 MB
SMALL = {"bones": 60, "limbs": 4, "animations": 10, "keys": 2}  # about 75 kB
MANY = 100  # of them


def run(*, as_json: bool = False, path: str | None = None) -> int:
    """Print the table; 1 if a line fails."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        lines = [*_big(Path(folder)), *_many(Path(folder)), *_posing(_medium(Path(folder)), "a made-up rig")]
        if path is not None:
            lines += _posing(Path(path), Path(path).name)
    return report(lines, as_json=as_json)


def made_up(bones: int, limbs: int, animations: int, keys: int) -> dict[str, Any]:
    """A Spine 4.2 rig: limbs of two bones on one body, a chain of the bones that are left, everything keyed."""
    rng = np.random.default_rng(bones + limbs)
    found: list[dict[str, Any]] = [{"name": "root"}, {"name": "body", "parent": "root", "y": 200.0}]
    ik = []
    for i in range(limbs):
        upper, lower, goal = (f"{word}-{i}" for word in ("upper", "lower", "goal"))
        found += [
            {"name": upper, "parent": "body", "length": 100.5, "rotation": -70.25, "x": float(i)},
            {"name": lower, "parent": upper, "length": 90.25, "rotation": -35.5, "x": 100.5},
            {"name": goal, "parent": "root", "x": 20.0 + i, "y": 4.5},
        ]
        ik.append({"name": f"limb-{i}", "order": i, "bones": [upper, lower], "target": goal, "softness": 6.5})
    while len(found) < bones:
        found.append({"name": f"bone-{len(found)}", "parent": found[-1]["name"], "length": 10.0, "x": 10.0})
    return {
        "skeleton": {"hash": "none", "spine": "4.2.22"},
        "bones": found,
        "ik": ik,
        "skins": [{"name": "default"}],
        "animations": {f"animation-{i}": {"bones": _keyed(found, keys, rng)} for i in range(animations)},
    }


def _keyed(bones: list[dict[str, Any]], keys: int, rng: np.random.Generator) -> dict[str, Any]:
    times = [round(i / 30.0, 4) for i in range(keys)]
    values = np.round(rng.uniform(-20.0, 20.0, (len(bones), keys)), 2).tolist()
    return {bone["name"]: {"rotate": _turns(times, row)} for bone, row in zip(bones, values, strict=True)}


def _turns(times: list[float], values: list[float]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for time, value in zip(times, values, strict=True):
        key: dict[str, Any] = {"time": time, "value": value} if time else {"value": value}
        found.append(key | {"curve": [round(time + 0.0111, 4), value, round(time + 0.0222, 4), round(value * 0.5, 2)]})
    found[-1].pop("curve")
    return found


def _big(folder: Path) -> list[Line]:
    """One large file: time, and memory at its peak."""
    path = folder / "big.json"
    data = json.dumps(made_up(**BIG)).encode()
    path.write_bytes(data)
    group = f"one file of {len(data) / 1e6:.1f} MB, multiples of json.loads of its bytes"
    (time,) = ratios(lambda: json.loads(data), lambda: load(path), rounds=3)
    share = peak(lambda: load(path)) / peak(lambda: json.loads(data))
    return [
        Line(group, "file to ready rig", time, bound=1.0, unit="x"),
        Line(group, "memory at the peak", share, bound=3.0, unit="x"),
    ]


def peak(run: Callable[[], Any]) -> float:
    """Most memory that a call holds at a time [bytes]."""
    tracemalloc.start()
    try:
        kept = run()
        most = tracemalloc.get_traced_memory()[1]
        del kept
    finally:
        tracemalloc.stop()
    return float(most)


def _many(folder: Path) -> list[Line]:
    """Many small files."""
    paths = [folder / f"small-{i}.json" for i in range(MANY)]
    data = json.dumps(made_up(**SMALL)).encode()
    for path in paths:
        path.write_bytes(data)
    (time,) = ratios(lambda: [json.loads(p.read_bytes()) for p in paths], lambda: [load(p) for p in paths], rounds=3)
    group = f"{MANY} files of {len(data) / 1e3:.0f} kB, multiples of json.loads"
    return [Line(group, "files to ready rigs", time, bound=5.0, unit="x")]


def _medium(folder: Path) -> Path:
    path = folder / "medium.json"
    path.write_text(json.dumps(made_up(bones=70, limbs=7, animations=4, keys=60)), "utf-8")
    return path


def _posing(path: Path, name: str) -> list[Line]:
    """Every constraint of a rig over many frames, beside reading its file."""
    rig = load(path)
    clip = many_frames(rig)
    runs = (lambda: rig.clip(clip.name, clip.fps), lambda: solve(rig, clip), lambda: solve(rig, clip, parity=False))
    found = ratios(lambda: load(path), *runs, rounds=3)
    group = f"{len(clip)} frames of {name}, {len(rig.skeleton)} bones, multiples of reading its file"
    names = ("sampling", "posing as the runtime", "posing by our kernel")
    return [Line(group, what, time, unit="x") for what, time in zip(names, found, strict=True)]


def many_frames(rig: Rig) -> Clip:
    """The longest animation in as many samples as wanted."""
    name = max(rig.clips, key=lambda each: rig.animation(each).duration)
    length = rig.animation(name).duration
    return rig.clip(name, (FRAMES - 1) / length if length > 0.0 and math.isfinite(length) else 60.0)
