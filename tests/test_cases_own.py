"""The most telling cases of limbs that went wrong, written out here so that they always run."""

from __future__ import annotations

import pytest
from cases.ops import OPS

CASES = {
    "lower bone turns against the upper one": (
        {"op": "two_bone_pair", "root": [26.5, 25.5], "lengths": [8.5, 8.5], "target": [28.5, 41.5],
         "bends": [1, -1]},
        {"plus": {"upper_deg": 101.3429497, "lower_rel_deg": -36.93593202, "end": [28.5, 41.5]},
         "minus": {"upper_deg": 64.40701764, "lower_rel_deg": 36.93593202, "end": [28.5, 41.5]}},
    ),
    "elbow keeps its side when the target leaves and comes back": (
        {"op": "sequence", "root": [0, 0], "lengths": [150, 125], "bend": 1,
         "targets": [[260, 0], [270, 0], [275, 0], [300, 0], [275, 0], [270, 0], [260, 0]]},
        {"elbow_y": [44.58364152, 25.98863943, 0.0, 0.0, 0.0, 25.98863943, 44.58364152], "elbow_y_min": 0.0},
    ),
    "neighbouring floats of both bounds": (
        {"op": "two_bone_sweep", "root": [0, 0], "lengths": [0.1, 0.2], "direction_deg": [0, 37, 180],
         "bend": [1, -1]},
        {"end_error_max": 1e-9},
    ),
    "target on the shoulder of equal bones": (
        {"op": "two_bone", "root": [0, 0], "lengths": [10, 10], "target": [0, 0], "previous_direction_deg": 30},
        {"upper_deg": 120, "lower_rel_deg": 180, "elbow": [-5, 8.660254038], "end": [0, 0], "gap": 0},
    ),
    "soft bones in a small unit": (
        {"op": "two_bone", "root": [0, 0], "lengths": [0.08, 0.08], "target": [0.1, 0], "softness": 0.01},
        {"upper_deg": 51.31781255, "lower_rel_deg": -102.6356251, "end": [0.1, 0], "gap": 0, "reached": True},
    ),
    "bones of length zero": (
        {"op": "two_bone_many", "root": [0, 0],
         "items": [{"lengths": [10, 0], "target": [5, 0]}, {"lengths": [0, 10], "target": [5, 0]},
                   {"lengths": [0, 0], "target": [1, 0]}, {"lengths": [10, 0], "target": [10, 0]}]},
        {"ends": [[10, 0], [10, 0], [0, 0], [10, 0]], "gaps": [5, 5, 1, 0]},
    ),
    "a miss is told, with its cause": (
        {"op": "report", "items": [{"lengths": [150, 125], "target": [x, 0]} for x in (300, 200, 10)]},
        {"reached": [False, True, False], "status": ["too_far", "ok", "too_near"], "gap": [25, 0, 15]},
    ),
    "a dragged hand passes the root and both bounds": (
        {"op": "drag_sequence", "lengths": [60, 45], "root": [0, 0], "bend": 1},
        {"gap_tol": 1e-9},
    ),
    "mirrored parent": (
        {"op": "two_bone_in_parent", "parent": {"x": 100, "y": 0, "rotation_deg": 0, "scale": [-1, 1]},
         "lengths": [60, 50], "world_target": [30, 40], "bend": 1},
        {"world_end": [30, 40], "local_target": [70, 40]},
    ),
    "mirrored and turned parent, other bend": (
        {"op": "two_bone_in_parent", "parent": {"x": 10, "y": -20, "rotation_deg": 90, "scale": [2, -2]},
         "lengths": [60, 50], "world_target": [-40, 100], "bend": -1},
        {"world_end": [-40, 100], "local_target": [60, -25]},
    ),
    "child off its parent's axis": (
        {"op": "two_bone_rest_offset", "bones": [{"child_offset": [3, 4]}, {"child_offset": [5, 0]}],
         "target": [6, 0], "bend": 1},
        {"lengths": [5, 5], "rest_angle_deg": [53.13010235], "segment_upper_deg": 53.13010235,
         "bone_rotation_deg": [0.0], "end": [6, 0]},
    ),
    "mix 0 changes nothing": (
        {"op": "two_constraints", "lengths": [100, 80], "root": [0, 0],
         "ik": [{"name": "on", "mix": 1, "target": [120, 40]},
                {"name": "off", "mix": 0, "target": [-100, 0]}]},
        {"end": [120, 40], "pose": {"upper_deg": 57.65184923, "lower_rel_deg": -91.43254374}},
    ),
    "angles are blended, lengths stay": (
        {"op": "blend", "lengths": [1, 1], "ik_relative_deg": [60, -90], "weights": [0, 0.25, 0.5, 1]},
        {"relative_deg": [[0, 0], [15, -22.5], [30, -45], [60, -90]]},
    ),
    "planted foot": (
        {"op": "bake", "lengths": [50, 50], "hip_y": 90, "body_x_by_frame": "0..30 step 3",
         "targets": [{"name": "foot", "point": [10, 0], "space": "world"}]},
        {"foot_drift_max": 1e-6, "reach_limit_x": 53.58898944},
    ),
    "hand on a moving thing": (
        {"op": "bake", "lengths": [60, 60], "root": [0, 0], "weapon_x_by_frame": [50, 60, 70, 80, 90],
         "targets": [{"name": "grip", "point": [5, 0], "space": "weapon"}]},
        {"end_x": [55, 65, 75, 85, 95], "gap_max": 1e-9},
    ),
    "parent of scale zero for a frame": (
        {"op": "bake", "lengths": [50, 50], "target": [60, 40], "root_scale_by_frame": [1, 0, 1]},
        {"frame0": {"upper_deg": 77.54384614, "lower_rel_deg": -87.70755722, "end": [60, 40]}},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_case(name, tmp_path):
    """The limb does what the name of the case says, with these numbers."""
    values, wanted = CASES[name]
    OPS[values["op"]](values, wanted, tmp_path)
