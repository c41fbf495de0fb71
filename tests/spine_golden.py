"""Recorded poses of Spine's runtimes: which file goes with which rig, and how far ours are from them."""

from __future__ import annotations

import gzip
import json
import pathlib
import re
import warnings
from dataclasses import replace

import numpy as np

from elbowroom.formats import load

SHARED = pathlib.Path(__file__).resolve().parents[2] / "shared" / "data"
PATTERNS = ("golden/spine-*.pose.json.gz", "spine-lab/golden/*.pose.json.gz", "spine-lab/golden-older/*.pose.json.gz")
FILES = [str(path.relative_to(SHARED)) for pattern in PATTERNS for path in sorted(SHARED.glob(pattern))]
LAB = re.compile(r"(?P<rig>[a-z]+-[\d.]+?)(?:\.(?:mirror|scaled|double|default|one|two))?$")
ORDER = ([0, 0, 1, 1, 0, 1], [0, 1, 0, 1, 2, 2])  # a, b, c, d, worldX, worldY in a (2, 3) matrix


def opened(path):
    """A gzipped record."""
    with gzip.open(path) as file:
        return json.load(file)


def read(path):
    """A rig; what the reader warns of is another test's matter."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return load(path)


def recorded(shared, name):
    """(record, rig) of one file, the skeleton scaled as it was for the record."""
    record, stem = opened(shared / name), pathlib.Path(name).name.removesuffix(".pose.json.gz")
    if name.startswith("spine-lab"):
        rig = read(shared / "spine-lab" / f"{LAB.match(stem)['rig']}.json")
    else:
        _, version, rest = stem.split("-", 2)
        rig = read(shared / "rigs" / "spine" / version / f"{rest}.json")
    if whole := record.get("skeleton"):
        scale, offset = (whole["scaleX"], whole["scaleY"]), (whole["x"], whole["y"])
        rig = replace(rig, runtime=replace(rig.runtime, scale=scale, offset=offset))
    return record, rig


def farthest(world, rows, active=None):
    """(largest difference of a matrix entry, of a position) from recorded rows of six numbers a bone."""
    ours = world[..., ORDER[0], ORDER[1]]
    theirs = np.asarray(rows, dtype=np.float64).reshape(ours.shape)
    away = np.abs(ours - theirs)
    away = away if active is None else away[..., active, :]
    return away[..., :4].max(), away[..., 4:].max()
