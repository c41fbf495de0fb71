"""What a file of Spine says and its runtime passes over without a word: one rule a code, the page of each inside it."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from elbowroom.checks import lint_keys
from elbowroom.checks.kind import Check
from elbowroom.checks.report import Finding, short
from elbowroom.rig.paths import quote
from elbowroom.rig.rig import Rig
from elbowroom.rig.skeleton import INHERIT, Skeleton
from elbowroom.rig.spine.records import Spine, SpineConstraint, SpineIK, SpinePath, SpineTransform
from elbowroom.solve.geometry import norm

EVEN = 1e-4  # by how much two scales may differ for the runtime to call them equal
TINY = 1e-4  # [length] below which the runtime takes a bone for none

_KINDS = {SpineIK: "ik", SpineTransform: "transform", SpinePath: "path"}

# of the reader's remarks, what other rules tell with its constraint, and the report's own part on what is not simulated

Said = tuple[str, str, str]  # constraint, what is wrong, what to do


def order(rig: Rig, spine: Spine) -> Iterator[Said]:
    """lint-order: a constraint never gets its turn.

    What it means
      Up to Spine 4.2 every constraint has an "order". The runtime asks for 0, 1, 2 … up to the number of constraints
      and takes the first one it finds for each: a second one with the same order, and one whose order is as large as
      that number, are dropped without a word. They are dropped here, too. Severity: warning. No threshold.

    What causes it, and how to cure it
      A file that was merged or written by a script. Number all constraints, of all kinds together, from 0 without
      gaps, or export the file again. Files of 4.3 have no orders: there the place in the list counts.
    """
    if spine.version >= (4, 3):
        return
    taken: dict[int, str] = {}
    most = len(spine.constraints)
    for each in spine.constraints:
        who = f"{_kind(each)} constraint {quote(each.name)}"
        drops = f"Spine {_version(spine)} drops it without a word"
        if each.order >= most or each.order < 0:
            gap = f"{who} has order {each.order}, and {most} constraints have the orders 0 to {most - 1}: {drops}"
            yield each.name, gap, "number the constraints from 0 without gaps"
        elif each.order in taken:
            same = f"{who} has order {each.order}, as {quote(taken[each.order])} has: {drops}"
            yield each.name, same, "give every constraint an order of its own, from 0 without gaps"
        taken.setdefault(each.order, each.name)


def inherit(rig: Rig, spine: Spine) -> Iterator[Said]:
    """lint-inherit: a limb of two bones whose bones do not inherit everything.

    What it means
      From Spine 4.2 on the runtime leaves a two-bone IK constraint out as soon as one of its bones has another
      "inherit" than "normal"; the limb keeps its keys. 4.1 and older solve it as if it were normal, and the limb ends
      somewhere else. Severity: warning. No threshold.

    What causes it, and how to cure it
      Inherit Rotation or Inherit Scale is switched off on a bone of the limb. Switch it on, or put the bone that must
      not inherit above the limb.
    """
    for ik in _elbows(spine):
        odd = [bone for bone in ik.bones if rig.skeleton.inherit[bone]]
        if odd:
            does = (
                "skips it, and the limb keeps its keys" if spine.version >= (4, 2) else "solves it as if it were normal"
            )
            what = f"{_name(rig, odd[0])} has inherit {INHERIT[rig.skeleton.inherit[odd[0]]]}"
            yield ik.name, f"ik {quote(ik.name)}: {what}; Spine {_version(spine)} {does}", 'set inherit to "normal"'


def bones(rig: Rig, spine: Spine) -> Iterator[Said]:
    """lint-bones: an IK constraint of three bones or more.

    What it means
      The runtimes know one bone and two. With more they load the file and do nothing at all. Reading such a file is
      refused; in a rig made by a program it is found here. Severity: warning. No threshold.

    What causes it, and how to cure it
      Three bones were selected. Use two constraints: two bones, and one for the foot or the hand.
    """
    for ik in spine.ik:
        if len(ik.bones) > 2:
            text = f"ik {quote(ik.name)} has {len(ik.bones)} bones; Spine loads it and does nothing (it knows 1 or 2)"
            yield ik.name, text, "use a constraint of two bones and one of one"


def length(rig: Rig, spine: Spine) -> Iterator[Said]:
    """lint-length: a limb with a bone of no length.

    What it means
      A limb of two bones needs two lengths. Where the lower bone has none, the runtime turns it but nothing gets any
      nearer; where it sits on the beginning of the upper one, only one bone turns. Stretch and compress do nothing for
      a bone without length. Severity: warning. No threshold.

    What causes it, and how to cure it
      The lower bone is a control without length: give it one, up to the hand or foot. Or it was not moved to the end
      of the upper bone.
    """
    for ik in spine.ik:
        upper, lower = _measure(rig.skeleton, ik)
        last = _name(rig, ik.bones[-1])
        if len(ik.bones) > 1 and upper < TINY:
            text = f"ik {quote(ik.name)}: {last} begins where {_name(rig, ik.bones[0])} does; Spine turns only one bone"
            yield ik.name, text, f"move {last} to the end of the bone above"
        elif lower < TINY and (len(ik.bones) > 1 or ik.stretch or ik.compress):
            does = "Spine solves it as one bone" if len(ik.bones) > 1 else "Spine neither stretches nor compresses it"
            yield ik.name, f"ik {quote(ik.name)}: {last} has no length; {does}", f"give {last} a length"


def target(rig: Rig, spine: Spine) -> Iterator[Said]:
    """lint-target: a limb reaches for something that hangs on itself.

    What it means
      The target is a bone of the limb, or hangs on it. The limb turns, and takes its target along: the runtime uses
      where it was before, and the limb never arrives. Reading such a file is refused; in a rig made by a program it is
      found here. Severity: warning. No threshold.

    What causes it, and how to cure it
      The target was made a child of the wrong bone. Hang it on the root.
    """
    for ik in spine.ik:
        if rig.skeleton.below(ik.bones[:1])[ik.target]:
            text = f"its target {_name(rig, ik.target)} hangs on {_name(rig, ik.bones[0])}, which it turns"
            does = "Spine reaches for where it was before"
            yield ik.name, f"ik {quote(ik.name)}: {text}; {does}", "hang the target on the root"


def softness(rig: Rig, spine: Spine) -> Iterator[Said]:
    """lint-softness: softness that is as long as the limb.

    What it means
      Softness is a length in Spine. If it is as long as the limb, the limb is eased wherever its target is: near its
      root it turns away from the target, and with the target on the root the runtime gets no number at all and the
      limb disappears. Severity: warning. No threshold.

    What causes it, and how to cure it
      A number for a limb of another size, or a percentage. About 5 % of the length of the limb is enough.
    """
    for ik in _elbows(spine):
        reach = sum(_measure(rig.skeleton, ik))
        if ik.softness >= reach > 0.0:
            text = f"ik {quote(ik.name)}: softness {short(ik.softness)} is not below the limb's reach of {short(reach)}"
            does = "Spine turns it away from near targets, and hides it when the target is on its root"
            yield ik.name, f"{text}; {does}", f"lower it to about {short(0.05 * reach)}"


def stretch(rig: Rig, spine: Spine) -> Iterator[Said]:
    """lint-stretch: stretch that never acts.

    What it means
      Softness keeps a limb of two bones from ever getting straight, and only a straight limb is stretched: with both,
      stretch is dead until the softness is keyed to 0. The same where the upper bone has an uneven scale.
      Severity: warning. No threshold.

    What causes it, and how to cure it
      Both were switched on. Choose one: softness for a limb that must not get longer, stretch for one that may.
    """
    for ik in _elbows(spine):
        text = f"ik {quote(ik.name)} has stretch"
        if ik.stretch and ik.softness > 0.0:
            soft = f"{text} and softness {short(ik.softness)}; Spine never stretches a limb with softness"
            yield ik.name, soft, "take one of the two away"
        elif ik.stretch and _uneven(rig.skeleton, ik):
            uneven = f"{text}, and {_name(rig, ik.bones[0])} an uneven scale; Spine does not stretch it then"
            yield ik.name, uneven, f"scale {_name(rig, ik.bones[0])} evenly"


def uneven(rig: Rig, spine: Spine) -> Iterator[Said]:
    """lint-uneven: the lower bone is put elsewhere while IK acts.

    What it means
      If scaleX and scaleY of the upper bone differ, or stretch is on, the runtime sets the lower bone's y to 0 as long
      as the limb is solved; the shear of the upper bone is dropped in any case up to 4.2. The limb looks different with
      and without IK. Severity: warning. No threshold.

    What causes it, and how to cure it
      Scale the upper bone evenly, and scale what hangs on it. Put the lower bone on the axis of the upper one (y 0).
    """
    for ik in _elbows(spine):
        upper, lower = ik.bones[0], ik.bones[1]
        rest, y = rig.skeleton.rest, float(rig.skeleton.rest["y"][lower])
        name, says = _name(rig, upper), f"local y of {_name(rig, lower)} ({short(y)}) is dropped by Spine"
        if _uneven(rig.skeleton, ik) and abs(y) > EVEN:
            text = f"uneven scale on {name}: {says}; same for shear on {name}"
            yield ik.name, text, f"scale {name} evenly, or set y of {_name(rig, lower)} to 0"
        elif ik.stretch and abs(y) > EVEN and spine.version >= (4, 0):
            yield ik.name, f"stretch in ik {quote(ik.name)}: {says}", f"set y of {_name(rig, lower)} to 0"
        if spine.version < (4, 3) and (rest["shear_x"][upper] or rest["shear_y"][upper]):
            yield (
                ik.name,
                f"ik {quote(ik.name)}: the shear of {name} is dropped by Spine",
                f"take the shear of {name} away",
            )


def twice(rig: Rig) -> Iterator[Said]:
    """lint-twice: a bone is driven by two constraints.

    What it means
      Two limbs share a bone, so the one that is solved later decides where it points, and the other one misses. The
      order is that of the file's constraints ("order" up to Spine 4.2, the list elsewhere); baking keeps to it.
      Severity: warning. No threshold.

    What causes it, and how to cure it
      An elbow that is aimed by a second constraint, or a copy that was not taken away. Use "bend" for the side of an
      elbow, and take one of the two away; if both are meant for different animations, key the mix of one to 0.
    """
    counts = Counter(bone for limb in rig.constraints for bone in set(limb.bones))
    for bone in (bone for bone, count in counts.items() if count > 1):
        names = [limb.name for limb in rig.constraints if bone in limb.bones]
        if rig.runtime is not None:
            turn = {ik.name: ik.order for ik in rig.runtime.ik}
            names.sort(key=lambda name: turn.get(name, 0))
        both = " and ".join(quote(name) for name in names)
        text = (
            f"{quote(bone)} is driven by {both}; order decides: they are solved in file order, {quote(names[-1])} last"
        )
        yield names[0], text, "take one of them away, or key its mix to 0 where the other one acts"


def _kind(each: SpineConstraint) -> str:
    return _KINDS.get(type(each), getattr(each, "kind", ""))


def _version(spine: Spine) -> str:
    return f"{spine.version[0]}.{spine.version[1]}"


def _elbows(spine: Spine) -> list[SpineIK]:
    return [ik for ik in spine.ik if len(ik.bones) == 2]


def _name(rig: Rig, bone: int) -> str:
    return quote(rig.skeleton.names[bone])


def _measure(skeleton: Skeleton, ik: SpineIK) -> tuple[float, float]:
    """The two lengths of a limb at setup, in the space it hangs in [length]; the first is 0 for one bone."""
    first, last = ik.bones[0], ik.bones[-1]
    rest = {channel: values[[first, last]] for channel, values in skeleton.rest.items()}
    own = float(skeleton.lengths[last] * abs(rest["scale_x"][1]))
    if first == last:
        return 0.0, own
    offset = np.array([rest["x"][1] * rest["scale_x"][0], rest["y"][1] * rest["scale_y"][0]])
    return float(norm(offset)), own * abs(float(rest["scale_x"][0]))


def _uneven(skeleton: Skeleton, ik: SpineIK) -> bool:
    sx, sy = (abs(float(skeleton.rest[channel][ik.bones[0]])) for channel in ("scale_x", "scale_y"))
    return abs(sx - sy) > EVEN


def of_rule(rule: Callable[[Rig, Spine], Iterable[Said]], severity: str = "warning") -> Check:
    """The check of a rule for files of Spine; other rigs have nothing of the kind."""

    def find(rig: Rig) -> Iterable[Said]:
        return () if rig.runtime is None else rule(rig, rig.runtime)

    return made(rule.__name__, rule.__doc__, find, severity)


def made(name: str, page: str | None, rule: Callable[[Rig], Iterable[Said]], severity: str = "warning") -> Check:
    """A check of the rig itself, with findings of one severity."""

    def find(rig: Rig, threshold: float | None) -> Iterator[Finding]:
        return (
            Finding(code=f"lint-{name}", severity=severity, message=what, hint=cure, constraint=limb or None)
            for limb, what, cure in rule(rig)
        )

    return Check(code=f"lint-{name}", page=inspect.cleandoc(page or ""), of_rig=find)


_RULES = (order, inherit, bones, length, target, softness, stretch, uneven)
CHECKS = (*map(of_rule, _RULES), made("twice", twice.__doc__, twice), lint_keys.CHECK)
