"""Inverse kinematics for 2D characters that says how far every limb misses, and why.

A target says where and in which space; a solver says what angles; a solution says how far off, and why.
Names are imported on first use: `import elbowroom` alone loads neither NumPy nor anything else of weight.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from elbowroom.checks import check as check
    from elbowroom.checks.report import Finding as Finding
    from elbowroom.checks.report import Report as Report
    from elbowroom.errors import ElbowroomError as ElbowroomError
    from elbowroom.errors import FormatError as FormatError
    from elbowroom.errors import InputError as InputError
    from elbowroom.errors import LossyWarning as LossyWarning
    from elbowroom.errors import RigError as RigError
    from elbowroom.formats import load as load
    from elbowroom.formats import save as save
    from elbowroom.kernel.aim import aim as aim
    from elbowroom.kernel.angles import unwrap as unwrap
    from elbowroom.kernel.angles import wrap as wrap
    from elbowroom.kernel.ccd import ccd as ccd
    from elbowroom.kernel.fabrik import fabrik as fabrik
    from elbowroom.kernel.fk import fk as fk
    from elbowroom.kernel.least_change import least_change as least_change
    from elbowroom.kernel.rate import follow as follow
    from elbowroom.kernel.rate import limit_rate as limit_rate
    from elbowroom.kernel.reach import annulus as annulus
    from elbowroom.kernel.reach import gain as gain
    from elbowroom.kernel.reach import soften as soften
    from elbowroom.kernel.reach import softness_for_gain as softness_for_gain
    from elbowroom.kernel.smooth import smooth as smooth
    from elbowroom.kernel.solution import Solution as Solution
    from elbowroom.kernel.solution import Why as Why
    from elbowroom.kernel.swivel import swivel as swivel
    from elbowroom.kernel.two_bone import two_bone as two_bone
    from elbowroom.kernel.two_bone_3d import two_bone_3d as two_bone_3d
    from elbowroom.render import draw as draw
    from elbowroom.rig.constraint import IKConstraint as IKConstraint
    from elbowroom.rig.pose import Clip as Clip
    from elbowroom.rig.pose import Pose as Pose
    from elbowroom.rig.rig import Rig as Rig
    from elbowroom.rig.skeleton import Skeleton as Skeleton
    from elbowroom.rig.target import Target as Target
    from elbowroom.solve import bake as bake
    from elbowroom.solve import solve as solve

__version__ = "0.1.0"

_ROOMS = {
    "errors": "ElbowroomError FormatError InputError LossyWarning RigError",
    "kernel.aim": "aim",
    "kernel.angles": "unwrap wrap",
    "kernel.ccd": "ccd",
    "kernel.fabrik": "fabrik",
    "kernel.fk": "fk",
    "kernel.least_change": "least_change",
    "kernel.rate": "follow limit_rate",
    "kernel.reach": "annulus gain soften softness_for_gain",
    "kernel.smooth": "smooth",
    "kernel.solution": "Solution Why",
    "kernel.swivel": "swivel",
    "kernel.two_bone": "two_bone",
    "kernel.two_bone_3d": "two_bone_3d",
    "rig.constraint": "IKConstraint",
    "rig.pose": "Clip Pose",
    "rig.rig": "Rig",
    "rig.skeleton": "Skeleton",
    "rig.target": "Target",
    "solve": "bake solve",
    "formats": "load save",
    "checks": "check",
    "checks.report": "Finding Report",
    "render": "draw",
}
_WHERE = {name: room for room, names in _ROOMS.items() for name in names.split()}

__all__ = [
    "Clip", "ElbowroomError", "Finding", "FormatError", "IKConstraint", "InputError", "LossyWarning", "Pose", "Report",
    "Rig", "RigError", "Skeleton", "Solution", "Target", "Why", "aim", "annulus", "bake", "ccd", "check", "draw",
    "fabrik", "fk", "follow", "gain", "least_change", "limit_rate", "load", "save", "smooth", "soften",
    "softness_for_gain", "solve", "swivel", "two_bone", "two_bone_3d", "unwrap", "wrap",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"elbowroom has no {name!r}")
    from importlib import import_module

    # The room of a function may share its name: the function is what is meant, so it is kept under the name.
    value = getattr(import_module(f"elbowroom.{_WHERE[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_WHERE})


class _Face(ModuleType):
    """The package as callers see it: a room (elbowroom/solve/) never hides the function that bears its name."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _WHERE and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Face
