"""lint-rig: something in the rig hangs together and is hardly meant.

What it means
  The file can be read and solved, but one of its settings works against another. Severity: warning. No threshold.

What causes it, and how to cure it
  limits_deg against bend   The limits of the lower bone leave no room on the side that "bend" names. The limits win,
                            and the elbow bends the other way. Change the sign of one of the two.
  space keys too close      The next change of space comes before the blend into the last one is over, which cuts it
                            short. Move the keys apart, or shorten "blend".
  a bone of length 0        A limb of several bones has one that ends where it begins, so there is nothing to fold: the
                            last bone without "length", or one whose child sits on its root. Give it a length.
  a space without a key     A target changes its space and no position key is written in the new one, so the numbers
                            of the old space are taken as they are. Add a position key in that space.
  settings that do nothing  A strategy after "accept" in "on_miss", a setting of a strategy that is not listed: put
                            "accept" last, list the strategy, or drop the setting.
  a root of its own         "move_root" shifts a bone of the limb itself, which comes off what it hangs on. Name a bone
                            above it, unless that is meant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise

from elbowroom.checks.kind import Check
from elbowroom.checks.report import Finding
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.faults import advice
from elbowroom.rig.paths import quote
from elbowroom.rig.rig import Rig
from elbowroom.rig.torecord import to_record

_STEP = re.compile(r'\.([^\W\d][\w-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]')
_HINT = re.compile(r"(.*) \(([^()]*)\)", re.DOTALL)


def find(rig: Rig, threshold: float | None) -> Iterator[Finding]:
    """A warning for each animation and constraint that the rig's advice is about."""
    if rig.runtime is not None:  # a file of Spine has rules of its own
        return
    grouped: dict[tuple[str | None, str | None], list[str]] = {}
    for sentence in advice(to_record(rig)):
        path, text = sentence.split(": ", 1)
        grouped.setdefault(_about(path, rig), []).append(f"{path}: {text}")
    for i, limb in enumerate(rig.constraints):
        if bone := _flat(rig, limb):
            text = f"$.constraints[{i}]: bone {quote(bone)} has length 0, so the limb cannot fold (give it a length)"
            grouped.setdefault((None, limb.name), []).append(text)
    for (animation, constraint), sentences in grouped.items():
        yield _finding(animation, constraint, sentences)


def _flat(rig: Rig, limb: IKConstraint) -> str:
    """The first bone of a limb of several that at rest ends where it begins, or ''."""
    skeleton, bones = rig.skeleton, [rig.skeleton.index(name) for name in limb.bones]
    for bone, after in pairwise(bones):
        if skeleton.parents[after] == bone and skeleton.rest["x"][after] == skeleton.rest["y"][after] == 0.0:
            return skeleton.names[bone]
    return skeleton.names[bones[-1]] if len(bones) > 1 and skeleton.lengths[bones[-1]] == 0.0 else ""


def _about(path: str, rig: Rig) -> tuple[str | None, str | None]:
    """The animation and the constraint that a JSON path leads to."""
    steps = [word or number or json.loads(quoted) for word, number, quoted in _STEP.findall(path)]
    if steps[:1] == ["constraints"]:
        return None, rig.constraints[int(steps[1])].name
    return (steps[1], steps[3]) if steps[:1] == ["clips"] and len(steps) > 3 else (None, None)


def _finding(animation: str | None, constraint: str | None, sentences: list[str]) -> Finding:
    parted = _HINT.fullmatch(sentences[0])
    text, hint = (parted[1], parted[2]) if parted else (sentences[0], "")
    more = f" (and {len(sentences) - 1} more of this)" if len(sentences) > 1 else ""
    return Finding(
        code="lint-rig",
        severity="warning",
        message=text + more,
        hint=hint,
        animation=animation,
        constraint=constraint,
    )


CHECK = Check(code="lint-rig", page=__doc__, of_rig=find)
