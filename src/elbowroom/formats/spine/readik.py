"""IK constraints of a file: one or two bones that reach for a bone."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np

from elbowroom.formats.spine.faults import Fields, Reading
from elbowroom.formats.spine.readbones import Bones
from elbowroom.rig import affine
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.paths import quote
from elbowroom.rig.skeleton import Skeleton
from elbowroom.rig.spine.records import SpineIK
from elbowroom.rig.target import Target

_SCALES = ("none", "uniform", "volume")
_TINY = 1e-4  # [length], and factor of area: the runtimes divide by nothing smaller


def read_ik(fields: Fields, bones: Bones, order: int) -> SpineIK | None:
    """One constraint; None after a fault in what it names."""
    chain = _chain(fields, bones)
    target = fields.index("target", fields.reading.bones, "bone")
    found = SpineIK(
        name=str(fields.data["name"]),
        bones=tuple(chain),
        target=target,
        order=order,
        skin=fields.flag("skin"),
        mix=fields.number("mix", 1.0, low=0.0, high=1.0),
        softness=fields.number("softness", 0.0, low=0.0),
        bend=1 if fields.flag("bendPositive", True) else -1,
        compress=fields.flag("compress"),
        stretch=fields.flag("stretch"),
        scale=_scale(fields),
    )
    if not chain or target < 0:
        return None
    if bones.whole:
        _check_target(fields, bones, found)
    return found


def _scale(fields: Fields) -> str:
    if fields.reading.version >= (4, 3):
        return fields.word("scaleY", "none", _SCALES)
    return "uniform" if fields.flag("uniform") else "none"


def _chain(fields: Fields, bones: Bones) -> Sequence[int]:
    """Indexes of the one or two bones; empty after a fault."""
    names = fields.items("bones")
    if not names:
        if isinstance(fields.data.get("bones"), list):
            fields.fault("has no bones (one or two are needed)", "bones")
        return ()
    chain = fields.indexes("bones", fields.reading.bones, "bone")
    if len(names) > 2:
        fields.fault(f"drives {len(names)} bones (Spine knows 1 or 2)", "bones")
        return ()
    if len(chain) < len(names):
        return ()
    if bones.whole:
        _check_chain(fields, bones, chain)
    return chain


def _check_chain(fields: Fields, bones: Bones, chain: Sequence[int]) -> None:
    first, last = chain[0], chain[-1]
    upper, lower = quote(bones.names[first]), quote(bones.names[last])
    if bones.parents[first] < 0:
        fields.fault(f"{upper} has no parent, and IK on a root cannot be posed (give it a parent bone)", "bones", 0)
    elif len(chain) == 2 and first == last:
        fields.fault(f"{upper} is there twice (a bone and its child)", "bones", 1)
    elif len(chain) == 2 and bones.parents[first] == last:
        fields.fault(f"the order is wrong: {upper} hangs on {lower} (the parent first: {lower}, {upper})", "bones")
    elif len(chain) == 2 and bones.parents[last] != first:
        fields.fault(f"{lower} is no child of {upper} (a bone and its child)", "bones", 1)


def _check_target(fields: Fields, bones: Bones, found: SpineIK) -> None:
    target = quote(bones.names[found.target])
    if found.target in found.bones:
        fields.fault(f"the target {target} is a bone of the chain itself (name a bone outside it)", "target")
    elif bones.under(found.target, found.bones[0]):
        on = quote(bones.names[found.bones[0]])
        text = f"the target {target} hangs on {on}, which this constraint turns (a feedback loop: hang it elsewhere)"
        fields.fault(text, "target")


def to_constraint(ik: SpineIK, skeleton: Skeleton) -> IKConstraint:
    """The same limb as any rig has it: the bend is of the other sense, softness a fraction of the reach."""
    reach = sum(_lengths(ik, skeleton))
    return IKConstraint(
        ik.name,
        [skeleton.names[bone] for bone in ik.bones],
        Target((0.0, 0.0), space=skeleton.names[ik.target]),
        "accept",
        bend=-ik.bend,
        softness=min(1.0, ik.softness / reach) if reach > 0.0 else 0.0,
        curve="quadratic",
        mix=ik.mix,
    )


def _lengths(ik: SpineIK, skeleton: Skeleton) -> list[float]:
    """Of the bones at setup [length], in the space of the first one's parent."""
    last, rest = ik.bones[-1], skeleton.rest
    if len(ik.bones) == 1:
        return [float(skeleton.lengths[last] * abs(rest["scale_x"][last]))]
    sx, sy = (abs(float(rest[channel][ik.bones[0]])) for channel in ("scale_x", "scale_y"))
    x, y = sx * float(rest["x"][last]), sy * float(rest["y"][last])
    return [sqrt(x * x + y * y), float(skeleton.lengths[last] * abs(rest["scale_x"][last]) * sx)]


def note_oddities(reading: Reading, constraints: Sequence[SpineIK], skeleton: Skeleton) -> None:
    """Note limbs that cannot bend, or that hang where there is no way back from the world."""
    if not constraints:
        return
    with np.errstate(over="ignore", invalid="ignore"):  # far too large a rig is told so elsewhere
        area = affine.determinant(skeleton.rest_pose().world())
    for ik in constraints:
        who = f"ik {quote(ik.name)}"
        parent = int(skeleton.parents[ik.bones[0]])
        if not abs(area[parent]) > _TINY:
            scaled = f"the bones above are scaled to (nearly) nothing at {quote(skeleton.names[parent])}"
            reading.note(f"{who}: {scaled}: no way back from the world, IK cannot be solved there")
        if len(ik.bones) == 2:
            upper, lower = _lengths(ik, skeleton)
            first, last = (quote(skeleton.names[bone]) for bone in ik.bones)
            if upper < _TINY:
                reading.note(f"{who}: {last} sits on the origin of {first}: only one bone turns")
            if lower < _TINY:
                reading.note(f"{who}: {last} has (nearly) no length: in effect one bone")
