"""The native rig record, "elbowroom-rig/1", as it stands in a file: names, numbers, degrees.

Every record here mirrors one JSON object; defaults are left out when written. Keys that begin with "x-", and
"comment" and "notes", belong to whoever wrote them: they are kept under `kept` and written back.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

FORMAT = "elbowroom-rig/1"
LARGEST = 1e150
KEPT = "\ue000kept"  # the name under which an object's own keys travel inside a record; no file has it
FREE_KEYS, FREE_PREFIX = ("comment", "notes"), "x-"
MISS_CHOICES = 'choose "accept", "move_root" or "stretch", or a list of them'


def says(description: str, *, want: str = "", missing: str = "") -> Meta:
    """Metadata of a field: its text in the schema; what a fault message calls it; why it must be there."""
    extra = {"want": want, "missing": missing}
    return Meta(description=description, extra={k: v for k, v in extra.items() if v})


Number = Annotated[float, Meta(ge=-LARGEST, le=LARGEST)]
Size = Annotated[float, Meta(ge=0.0, le=LARGEST)]
Rate = Annotated[float, Meta(gt=0.0, le=LARGEST)]
Fraction = Annotated[float, Meta(ge=0.0, le=1.0)]
Pair = tuple[Number, Number]
Side = Literal[-1, 0, 1]
Inherit = Literal["normal", "onlyTranslation", "noRotationOrReflection", "noScale", "noScaleOrReflection"]
Solver = Literal["aim", "two_bone", "ccd", "fabrik", "least_change"]
Rounds = Annotated[int, Meta(ge=1, le=1_000_000)]
Miss = Literal["accept", "move_root", "stretch"]
Key = list[Number | str | list[Number]]
Keys = Annotated[
    list[Key],
    says(
        "keys [time, value, curve?] with rising times [s]; values replace the setup value; no curve is "
        'linear, else "stepped" or [cx1, cy1, cx2, cy2] in time and value',
        want="a list of keys [time, value, curve?]",
    ),
]
PointKeys = Annotated[
    list[Key],
    says(
        "keys [time, x, y, curve?]; curve: 4 numbers with cy as progress from 0 to 1, or 8: 4 for each value",
        want="a list of keys [time, x, y, curve?]",
    ),
]
WordKeys = Annotated[
    list[tuple[Number, str]], says("keys [time, word] that step", want="a list of keys [time, word]")
]
Name = Annotated[str, says("a name of its own", want="a text", missing='every one has a "name"')]


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What all objects of the record share: the keys that are kept but not read."""

    kept: dict[str, Any] = msgspec.field(default_factory=dict, name=KEPT)


class Bone(Entry, frozen=True, kw_only=True):
    """A bone at rest, in its parent's space; it lies along its own +x."""

    name: Name
    parent: Annotated[str | None, says("name of the bone it hangs on; null or absent: none")] = None
    x: Annotated[Number, says("offset of its origin [length]")] = 0.0
    y: Annotated[Number, says("offset of its origin [length], up")] = 0.0
    length: Annotated[Size, says("from its origin to its tip [length]")] = 0.0
    rotation_deg: Annotated[Number, says("[deg], counterclockwise")] = 0.0
    scale_x: Annotated[Number, says("factor along itself")] = 1.0
    scale_y: Annotated[Number, says("factor across itself")] = 1.0
    shear_x_deg: Annotated[Number, says("turn of its x axis alone [deg]")] = 0.0
    shear_y_deg: Annotated[Number, says("turn of its y axis alone [deg]")] = 0.0
    inherit: Annotated[Inherit, says("what it takes over from its parent")] = "normal"


class Aim(Entry, frozen=True, kw_only=True):
    """A point and the space it is written in."""

    position: Annotated[Pair, says("[x, y] [length]", want="[x, y]", missing='write [x, y] for "position"')]
    space: Annotated[str, says('"world", "character", a bone or a frame')] = "world"


class Constraint(Entry, frozen=True, kw_only=True):
    """One limb and how it follows its target."""

    name: Name
    bones: Annotated[list[str], says("from the root of the limb to its tip", missing="list the limb's bones")]
    on_miss: Annotated[
        Miss | list[Miss],
        says(
            'when the target is out of reach: "accept", "move_root", "stretch", or a list in order',
            want='"accept", "move_root" or "stretch", or a list of them',
            missing=MISS_CHOICES,
        ),
    ]
    target: Annotated[
        Aim | None,
        says("where it goes when no clip keys it", want='{"position": [x, y], "space": "world"}'),
    ] = None
    bend: Annotated[Side, says("+1: the elbow is left of root to target; -1: right; 0: the nearer")] = 1
    softness: Annotated[Fraction, says("ease before full reach [fraction of reach]")] = 0.0
    curve: Annotated[Literal["exponential", "cubic", "quadratic"], says("shape of that ease")] = "exponential"
    inner_softness: Annotated[Fraction, says("ease before the dead zone [fraction of reach]")] = 0.0
    limits_deg: Annotated[
        list[Annotated[Pair, says("[low, high]", want="[low, high] in degrees")]] | None,
        says("[low, high] of each bone's own rotation_deg [deg]", want="a list of one [low, high] a bone"),
    ] = None
    mix: Annotated[Fraction, says("weight of the solution, 0 to 1")] = 1.0
    max_stretch: Annotated[Size, says("by which part the bones may lengthen or shorten")] = 0.0
    root: Annotated[str | None, says('bone that "move_root" shifts')] = None
    max_shift: Annotated[Size | None, says("the farthest root shift [length]; absent: no bound")] = None
    shift_half_life: Annotated[Size, says("how fast the root shift follows [s]")] = 0.1
    solver: Annotated[Solver | None, says("absent: by the number of bones")] = None
    iterations: Annotated[Rounds | None, says("at most this many rounds of a chain")] = None
    tolerance: Annotated[Rate | None, says("when a chain is close enough [fraction of reach]")] = None
    orientation: Annotated[
        Literal["free", "keep", "follow"], says("what the child of the last bone does")
    ] = "free"
    smooth: Annotated[
        Literal["savgol", "one_euro", "half_life"] | dict[str, Any] | None,
        says('filter of the target before solving: its name, or {"method": name, and its options}'),
    ] = None


class Leg(Entry, frozen=True, kw_only=True):
    """A limb that walks; heel and toe are in the space of its last bone, by default its tip."""

    constraint: Annotated[str, says("the constraint that moves it", missing="a leg names its constraint")]
    heel: Annotated[Pair | None, says("[x, y] [length]", want="[x, y]")] = None
    toe: Annotated[Pair | None, says("[x, y] [length]", want="[x, y]")] = None


class Frame(Entry, frozen=True, kw_only=True):
    """A named space. Each number may be keys instead, on the clock of the clip that is played."""

    parent: Annotated[str, says("the space it is written in", want="the name of one space")] = "world"
    x: Annotated[Number | list[Key], says("origin [length]", want="a number or keys [time, x]")] = 0.0
    y: Annotated[Number | list[Key], says("origin [length]", want="a number or keys [time, y]")] = 0.0
    rotation_deg: Annotated[Number | list[Key], says("[deg]", want="a number or keys [time, degrees]")] = 0.0
    scale: Annotated[
        Number | list[Number | Key],
        says("factor, or [sx, sy]", want="a number, [sx, sy] or keys [time, sx, sy]"),
    ] = 1.0


class BoneKeys(Entry, frozen=True, kw_only=True):
    """The keyed channels of one bone."""

    x: Keys = []
    y: Keys = []
    rotation_deg: Keys = []
    scale_x: Keys = []
    scale_y: Keys = []
    shear_x_deg: Keys = []
    shear_y_deg: Keys = []
    inherit: WordKeys = []


class AimKeys(Entry, frozen=True, kw_only=True):
    """A target that moves, and the spaces it is written in."""

    position: PointKeys = []
    space: WordKeys = []
    blend: Annotated[Size, says("how long a change of space takes [s]")] = 0.0


class Clip(Entry, frozen=True, kw_only=True):
    """One animation."""

    fps: Annotated[Rate, says("frames a second it was made for")] = 60.0
    loop: Annotated[bool, says("whether it starts over")] = False
    bones: dict[str, BoneKeys] = {}
    targets: dict[str, AimKeys] = {}
    mix: Annotated[dict[str, Keys], says("weight of a constraint, 0 to 1")] = {}
    bend: Annotated[dict[str, Keys], says("side of a constraint: -1, 0 or 1; steps")] = {}


class Foreign(Entry, frozen=True, kw_only=True):
    """What the record cannot say of a converted file; taken along as it is."""

    format: Annotated[str, says("where it came from", missing="name the file format it came from")]
    version: Annotated[str, says("version of that format")] = ""
    data: Any = None


class RigRecord(Entry, frozen=True, kw_only=True):
    """A rig: bones, the limbs that reach for targets, and clips. x right, y up, degrees counterclockwise."""

    format: Annotated[Literal["elbowroom-rig/1"], says("version of this record")] = "elbowroom-rig/1"
    name: str = ""
    bones: Annotated[list[Bone], says("the skeleton", missing="a rig has at least one bone")]
    constraints: Annotated[list[Constraint], says("limbs, in the order they are solved")] = []
    legs: Annotated[list[Leg], says("limbs that walk, in the order of the gait's phases")] = []
    body: Annotated[str | None, says("bone a walk moves; absent: the legs' common parent")] = None
    facing: Annotated[Literal[1, -1], says("+1 looks to the right, -1 to the left")] = 1
    frames: Annotated[dict[str, Frame], says("named spaces")] = {}
    clips: Annotated[dict[str, Clip], says("animations")] = {}
    foreign: Foreign | None = None


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of the rig record: every key with its unit and range."""
    found: dict[str, Any] = msgspec.json.schema(RigRecord)
    for entry in found["$defs"].values():
        if entry.get("properties", {}).pop(KEPT, None) is not None:
            entry["patternProperties"] = {f"^({'|'.join(FREE_KEYS)}|{FREE_PREFIX}.*)$": {}}
    found["$defs"]["RigRecord"]["required"] = ["format", "bones"]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "elbowroom rig", **found}
