"""Hints as somebody reads them who works in Spine: its names for things, and its units."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping

import numpy as np

from elbowroom.checks.report import Finding, short
from elbowroom.rig.rig import Rig
from elbowroom.solve.geometry import norm

_SOFTNESS = re.compile(r"(softness|it) to (0\.\d+)")
_PLAIN: Mapping[str, str] = {
    ", or allow stretch": ", or turn Stretch on (it needs Softness 0)",
    'smooth the target ("smooth": "savgol")': "even out the keys of the target bone",
    ", or raise inner_softness": "",
    ", in a space that stays": ", on a bone that stays",
}


def in_spine(rig: Rig, finding: Finding) -> Finding:
    """A finding about a Spine rig, its hint in Spine's words; one about another rig as it is."""
    if rig.runtime is None or finding.code.startswith("lint"):
        return finding
    hint = finding.hint
    for ours, theirs in _PLAIN.items():
        hint = hint.replace(ours, theirs)
    hint = _SOFTNESS.sub(_length(rig, finding.constraint), hint)
    return finding if hint == finding.hint else dataclasses.replace(finding, hint=hint)


def _length(rig: Rig, name: str | None) -> Callable[[re.Match[str]], str]:
    """Softness is a length in Spine: a fraction of the reach, as the limb is at setup."""
    limb = next((limb for limb in rig.constraints if limb.name == name), None)
    if limb is None:
        return lambda found: found[0]
    bones = [rig.skeleton.index(bone) for bone in limb.bones]
    world = rig.skeleton.rest_pose().world()
    tips = rig.skeleton.rest_pose().tips()[bones[-1]]
    joints = np.stack([*(world[bone, :, 2] for bone in bones), tips])
    reach = float(norm(np.diff(joints, axis=0)).sum())

    def said(found: re.Match[str]) -> str:
        what = "Softness" if found[1] == "softness" else found[1]
        return f"{what} to {short(float(found[2]) * reach)}"

    return said
