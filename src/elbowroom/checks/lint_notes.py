"""lint-file, lint-curve: what the reader of a Spine file had to guess or passed over."""

from __future__ import annotations

from collections.abc import Iterator

from elbowroom.checks.lint_spine import Said, of_rule
from elbowroom.rig.rig import Rig
from elbowroom.rig.spine.records import Spine

_BACK = "handles of key"  # told by lint-curve
_TOLD = (": order ", "sits on the origin", "(nearly) no length", "not simulated")


def file(rig: Rig, spine: Spine) -> Iterator[Said]:
    """lint-file: something in the file is odd.

    What it means
      The file could be read, but something in it was guessed or passed over: its version, two keys at one time, and
      the like. What no version of Spine could have written is refused when it
      is read, with the place: the layout of 4.3 in a file of 4.2 and the reverse, which the runtimes pass over without
      a word, and keys that are not in the order of their times. Severity: warning. No threshold.

    What causes it, and how to cure it
      Files that a script wrote or changed. Export them again, for the version that is used.
    """
    for note in spine.notes:
        if not any(words in note for words in (*_TOLD, _BACK)):
            yield "", note, "export the file again"


def curve(rig: Rig, spine: Spine) -> Iterator[Said]:
    """lint-curve: the handles of a key lead back in time.

    What it means
      A Bezier handle lies outside the time between its key and the next one, so the curve is not clear about some
      times. The runtimes do not clamp it: they take the first of its ten pieces that reaches a time, and so does the
      pose here. The editor writes such curves now and then. Severity: info. No threshold.

    What causes it, and how to cure it
      A handle that was dragged too far, or keys that were moved closer together. Pull the handle in.
    """
    for note in spine.notes:
        if _BACK in note:
            yield "", note, "pull the handles in between the two keys"


CHECKS = (of_rule(file), of_rule(curve, "info"))
