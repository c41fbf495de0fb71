"""Which function plays which `op`; each takes the case's input, its expected values, and an empty folder."""

from __future__ import annotations

from cases import hung, limbs, limited, moving, noisy

OPS = {
    function.__name__: function
    for function in (
        limbs.two_bone, limbs.two_bone_many, limbs.two_bone_pair, limbs.two_bone_sweep, limbs.translate_pair,
        limbs.y_down_pair, limbs.report, limbs.aim, limbs.soft_validate, limbs.sequence, limbs.drag_sequence,
        hung.world_to_local, hung.two_bone_in_parent, hung.reparent, hung.two_bone_rest_offset,
        hung.two_constraints, hung.blend, hung.multi, moving.bake, limited.mirror_pair, noisy.noise, noisy.rate_pair,
    )
}  # fmt: skip
