"""A Spine skeleton as its runtime sees it, frozen: indexes instead of names, degrees and lengths as in the file.

Bones, their setup values and their inherit modes are the rig's Skeleton (in radians); this is the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.float64]
Indexes: TypeAlias = npt.NDArray[np.intp]

PROPERTIES = ("rotate", "x", "y", "scaleX", "scaleY", "shearY")  # the order of offsets and mixes everywhere


@dataclass(frozen=True)
class SpineIK:
    """One or two bones that reach for a bone.

    bones : indexes, one or two;  target : index of a bone
    order : which turn it has (4.3: its place in the list of constraints);  skin : only with a skin that lists it
    mix : 0 to 1;  softness : [length];  bend : +1 where the file says bendPositive, −1 where not (Spine's sense: the
    lower bone turns counterclockwise)
    scale : what stretching does to scale y: "none", "uniform" or "volume" (4.3)
    """

    name: str
    bones: tuple[int, ...]
    target: int
    order: int = 0
    skin: bool = False
    mix: float = 1.0
    softness: float = 0.0
    bend: int = 1
    compress: bool = False
    stretch: bool = False
    scale: str = "none"


@dataclass(frozen=True)
class Mapped:
    """One property of a 4.3 source and those it drives.

    source : of PROPERTIES;  offset : subtracted from it
    to : (property, offset, max, scale) of each that follows
    """

    source: str
    offset: float
    to: tuple[tuple[str, float, float, float], ...]


@dataclass(frozen=True)
class SpineTransform:
    """Bones that follow a bone.

    bones : indexes;  target : index (4.3: the source)
    offsets, mixes : six numbers in the order of PROPERTIES ([deg], [length], factors); files before 4.0 have four
    mixes, spread over six
    local, relative : up to 4.2
    local_source, local_target, additive, clamp, properties : 4.3
    """

    name: str
    bones: tuple[int, ...]
    target: int
    order: int = 0
    skin: bool = False
    offsets: tuple[float, ...] = (0.0,) * 6
    mixes: tuple[float, ...] = (1.0,) * 6
    local: bool = False
    relative: bool = False
    local_source: bool = False
    local_target: bool = False
    additive: bool = False
    clamp: bool = False
    properties: tuple[Mapped, ...] = ()


@dataclass(frozen=True)
class SpinePath:
    """Bones that lie along the path a slot shows.

    bones : indexes;  slot : index
    position_mode : "fixed", "percent";  spacing_mode : "length", "fixed", "percent", "proportional"
    rotate_mode : "tangent", "chain", "chainScale";  rotation : [deg]
    position, spacing : [length] or a share, by mode;  mixes : rotate, x, y
    """

    name: str
    bones: tuple[int, ...]
    slot: int
    order: int = 0
    skin: bool = False
    position_mode: str = "percent"
    spacing_mode: str = "length"
    rotate_mode: str = "tangent"
    rotation: float = 0.0
    position: float = 0.0
    spacing: float = 0.0
    mixes: tuple[float, float, float] = (1.0, 1.0, 1.0)


@dataclass(frozen=True)
class Unsimulated:
    """A physics constraint or a slider: it has its turn in the order, but does nothing here.

    kind : "physics" or "slider";  bone : index, −1 for none
    """

    name: str
    kind: str
    bone: int = -1
    order: int = 0
    skin: bool = False


SpineConstraint: TypeAlias = SpineIK | SpineTransform | SpinePath | Unsimulated


@dataclass(frozen=True)
class Slot:
    """Where attachments hang.  bone : index;  attachment : what it shows at setup, or None."""

    name: str
    bone: int
    attachment: str | None = None


@dataclass(frozen=True, eq=False)
class Vertices:
    """Points that follow bones.  numbers : (V, 2) float64 of float32 values, in the space of the slot's bone; or

    weighted: counts (V,) influences of each, bones (Σ,) indexes, numbers (Σ, 2) in those bones' space, weights (Σ,).
    """

    numbers: Array
    counts: Indexes | None = None
    bones: Indexes | None = None
    weights: Array | None = None

    @property
    def weighted(self) -> bool:
        """Whether several bones may pull at one point."""
        return self.counts is not None


@dataclass(frozen=True, eq=False)
class Attachment:
    """What a slot can show.

    kind : "region", "mesh", "linkedmesh", "boundingbox", "path", "point", "clipping"
    data : the mapping in the file, every key of it
    vertices : of meshes, paths, bounding boxes and clippings; None otherwise
    closed, constant_speed, lengths : of a path
    timelines : (skin, slot index, placeholder) whose deform keys move it: its own or, of a linked mesh, its source's
    """

    name: str
    kind: str
    data: Mapping[str, Any]
    vertices: Vertices | None = None
    closed: bool = False
    constant_speed: bool = True
    lengths: Array = field(default_factory=lambda: np.zeros(0))
    timelines: tuple[str, int, str] | None = None


@dataclass(frozen=True, eq=False)
class Skin:
    """What a character wears.

    bones : indexes that are active only with it
    constraints : (kind, name) listed, kind "ik", "transform", "path", "physics" or "slider"
    attachments : (slot index, placeholder) -> Attachment
    """

    name: str
    bones: tuple[int, ...] = ()
    constraints: frozenset[tuple[str, str]] = frozenset()
    attachments: Mapping[tuple[int, str], Attachment] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Spine:
    """All of one Spine file that poses it, beside skeleton and animations.

    version : (major, minor) whose rules it is posed by: (3, 7), (3, 8), (4, 0) … (4, 3)
    written : the version text in the file
    ik, transform, path, unsimulated : in the file's order of each kind
    constraints : all of them in the order of a 4.3 file's list; up to 4.2 ik, transform, path, physics in turn
    scale, offset : of the whole skeleton, set by a game rather than a file; scales may be negative
    slots, skins : in the file's order; a skin of that name is "default"
    skin_bones : (n,) bones that are active only with a skin that lists them
    notes : what the reader warned of
    """

    version: tuple[int, int]
    written: str = ""
    ik: tuple[SpineIK, ...] = ()
    transform: tuple[SpineTransform, ...] = ()
    path: tuple[SpinePath, ...] = ()
    unsimulated: tuple[Unsimulated, ...] = ()
    constraints: tuple[SpineConstraint, ...] = ()
    slots: tuple[Slot, ...] = ()
    skins: Mapping[str, Skin] = field(default_factory=lambda: MappingProxyType({}))
    skin_bones: npt.NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))
    scale: tuple[float, float] = (1.0, 1.0)
    offset: tuple[float, float] = (0.0, 0.0)
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        counts = f"{len(self.ik)} IK, {len(self.transform)} transform, {len(self.path)} path constraints"
        return f"Spine({self.written or self.version}: {counts}, {len(self.slots)} slots, {len(self.skins)} skins)"

    def attachment(self, skin: str | None, slot: int, name: str) -> Attachment | None:
        """What a slot shows under a name: of the skin worn, else of the default skin."""
        worn = [self.skins[each] for each in (skin, "default") if each is not None and each in self.skins]
        return next((found for each in worn if (found := each.attachments.get((slot, name))) is not None), None)
