"""Named bones, parents first: who hangs on whom, how long, and how they rest. A skeleton never changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from elbowroom.errors import RigError, closest
from elbowroom.kernel.reading import BIGGEST
from elbowroom.rig.tree import loop_faults, parents_first

if TYPE_CHECKING:
    from elbowroom.rig.pose import Pose

CHANNELS = ("x", "y", "rotation", "scale_x", "scale_y", "shear_x", "shear_y")
SETUP: Mapping[str, float] = MappingProxyType({c: 1.0 if c.startswith("scale") else 0.0 for c in CHANNELS})
INHERIT = ("normal", "onlyTranslation", "noRotationOrReflection", "noScale", "noScaleOrReflection")
FIELDS = ("name", "parent", "length", *CHANNELS, "inherit")

Array = npt.NDArray[np.float64]
Indexes = npt.NDArray[np.intp]
Codes = npt.NDArray[np.int8]


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Skeleton:
    """Bones in an order that puts parents before children; a bone lies along its own +x.

    names : n different names
    parents : (n,) int, the index of each bone's parent, −1 for none
    lengths : (n,) [length], 0 or more
    rest : channel -> (n,) local values at rest ([length], [rad], factors); what is absent is 0, scales 1
    inherit : (n,) int8, what each bone takes over from its parent: an index into INHERIT
    levels : the bones by depth, arrays of indexes; each level needs only the levels before it

    Raises RigError that lists every fault: names that repeat, loops, unknown parents, a child before its
    parent, values that are no finite numbers, negative lengths.
    """

    names: tuple[str, ...]
    parents: Indexes
    lengths: Array
    rest: Mapping[str, Array]
    inherit: Codes
    levels: tuple[Indexes, ...]
    _indexes: Mapping[str, int]

    def __init__(
        self,
        names: Iterable[str],
        parents: npt.ArrayLike,
        lengths: npt.ArrayLike = 0.0,
        rest: Mapping[str, npt.ArrayLike] | None = None,
        inherit: npt.ArrayLike = 0,
    ) -> None:
        """Check and freeze; arguments as the attributes, single numbers stand for every bone."""
        bones = tuple(names)
        _refuse(_name_faults(bones))
        links = _parents(bones, parents)
        _refuse(_tree_faults(bones, links))
        faults: list[str] = []
        size = _values(bones, "length", lengths, faults, low=0.0)
        at_rest = _rest(bones, rest or {}, faults)
        codes = _codes(bones, inherit, faults)
        _refuse(faults)
        fields = {"names": bones, "parents": links, "lengths": size, "rest": at_rest, "inherit": codes}
        fields |= {"levels": _levels(links), "_indexes": {name: i for i, name in enumerate(bones)}}
        for field, value in fields.items():
            object.__setattr__(self, field, value)

    @classmethod
    def from_bones(cls, bones: Iterable[Mapping[str, Any] | Sequence[Any]]) -> Skeleton:
        """A skeleton of bones in any order, each a mapping or a sequence of FIELDS (angles in radians).

        A bone is moved behind its parent where it stands before it; apart from that the order is kept.
        Only "name" is needed; "parent" is a name or None, "inherit" a word of INHERIT or its index.

        >>> Skeleton.from_bones([("shin", "thigh", 45, 50), ("thigh", None, 50)]).names
        ('thigh', 'shin')
        """
        records = [_record(i, bone) for i, bone in enumerate(bones)]
        names = [record["name"] for record in records]
        _refuse(_name_faults(names))
        parent_of = {record["name"]: record.get("parent") for record in records}
        named = {name: parent for name, parent in parent_of.items() if isinstance(parent, str)}
        _refuse([*_unknown_parents(parent_of), *loop_faults(named, "bones")])
        order = parents_first(parent_of)
        position = {name: i for i, name in enumerate(order)}
        by_name = {record["name"]: record for record in records}
        ordered = [by_name[name] for name in order]
        return cls(
            order,
            np.array([position.get(parent_of[name] or "", -1) for name in order], dtype=np.intp),
            [record.get("length", 0.0) for record in ordered],
            {c: [record.get(c, SETUP[c]) for record in ordered] for c in CHANNELS},
            [_code(record) for record in ordered],
        )

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"Skeleton({len(self)} bones: {', '.join(self.names[:6])}{', …' if len(self) > 6 else ''})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.names, self.parents, self.lengths, dict(self.rest), self.inherit)

    @property
    def root(self) -> int:
        """Index of the first bone without a parent: its frame is the character's."""
        return int(self.levels[0][0])

    def index(self, name: str) -> int:
        """The bone's place in every array; RigError with the closest name if there is none."""
        try:
            return self._indexes[name]
        except (KeyError, TypeError):
            raise RigError(f'bone "{name}" does not exist{closest(name, self.names)}') from None

    def below(self, bones: Iterable[int]) -> npt.NDArray[np.bool_]:
        """(n,) True for the given bones and everything that hangs on them."""
        moved = np.zeros(len(self) + 1, dtype=np.bool_)  # the last one stands for "no parent"
        moved[list(bones)] = True
        for level in self.levels[1:]:
            moved[level] |= moved[self.parents[level]]
        return moved[:-1]

    def rest_pose(self) -> Pose:
        """The skeleton at rest: one frame."""
        from elbowroom.rig.pose import Pose

        return Pose(self)


def rebuild(kind: type[Any], fields: Mapping[str, Any]) -> Any:
    """Unpickle a frozen record through its constructor, so that its arrays are read-only again."""
    return kind(**fields)


def _refuse(faults: Sequence[str]) -> None:
    if faults:
        raise RigError("; ".join(faults), faults)


def _name_faults(names: Sequence[Any]) -> list[str]:
    if not names:
        return ["bones: there are none (a skeleton needs at least one)"]
    odd = [i for i, name in enumerate(names) if not isinstance(name, str)]  # converted files have empty names too
    if odd:
        return [f"bone {i}: name is {names[i]!r} (a text of at least one letter)" for i in odd]
    twice = [(name, times) for name, times in Counter(names).items() if times > 1]
    return [f'bone "{name}" is there {times} times (every bone needs its own name)' for name, times in twice]


def _parents(names: Sequence[str], parents: npt.ArrayLike) -> Indexes:
    links = np.array(parents)
    if links.shape != (len(names),) or links.dtype.kind not in "iu":
        raise RigError(f"parents: one index for each of {len(names)} bones was expected, −1 for none")
    links = links.astype(np.intp)
    links.setflags(write=False)
    return links


def _tree_faults(names: Sequence[str], parents: Indexes) -> list[str]:
    n = len(names)
    faults = [
        f'bone "{name}": parent {p} does not exist (−1 or an index from 0 to {n - 1})'
        for name, p in zip(names, parents, strict=True)
        if not -1 <= p < n
    ]
    if faults:
        return faults
    parent_of = {name: names[p] if p >= 0 else None for name, p in zip(names, parents, strict=True)}
    return loop_faults(parent_of, "bones") or [
        f'bone "{name}" stands before its parent "{names[p]}" (parents first; Skeleton.from_bones sorts them)'
        for i, (name, p) in enumerate(zip(names, parents, strict=True))
        if p >= i
    ]


def _unknown_parents(parent_of: Mapping[str, Any]) -> list[str]:
    return [
        f'bone "{name}": parent "{parent}" does not exist{closest(parent, parent_of.keys() - {name})}'
        for name, parent in parent_of.items()
        if parent is not None and not (isinstance(parent, str) and parent in parent_of)
    ]


def _values(
    names: Sequence[str], what: str, given: npt.ArrayLike, faults: list[str], low: float = -BIGGEST
) -> Array:
    """(n,) numbers in [low, 1e150], read-only; what is not goes into `faults` by bone."""
    try:
        values = np.array(np.broadcast_to(np.array(given, dtype=np.float64), (len(names),)))
    except (ValueError, TypeError):
        faults.append(f"{what}: one number for each of {len(names)} bones was expected")
        return np.zeros(len(names))
    least = "0 or more, " if low == 0.0 else ""
    for i in np.flatnonzero(~((values >= low) & (values <= BIGGEST))).tolist():
        faults.append(f'bone "{names[i]}": {what} is {values[i]:g} ({least}at most {BIGGEST:g})')
    values.setflags(write=False)
    return values


def _rest(names: Sequence[str], rest: Mapping[str, npt.ArrayLike], faults: list[str]) -> Mapping[str, Array]:
    faults += [f'rest: unknown channel "{c}"{closest(c, CHANNELS)}' for c in rest if c not in CHANNELS]
    return MappingProxyType({c: _values(names, c, rest.get(c, SETUP[c]), faults) for c in CHANNELS})


def _codes(names: Sequence[str], inherit: npt.ArrayLike, faults: list[str]) -> Codes:
    given = np.array(inherit)
    if given.dtype.kind not in "iu" or given.shape not in ((), (len(names),)):
        faults.append(f"inherit: one index into INHERIT for each of {len(names)} bones was expected")
        return np.zeros(len(names), dtype=np.int8)
    spread = np.broadcast_to(given, (len(names),))
    words = ", ".join(f"{i} {word}" for i, word in enumerate(INHERIT))
    for i in np.flatnonzero((spread < 0) | (spread >= len(INHERIT))).tolist():
        faults.append(f'bone "{names[i]}": inherit is {spread[i]} ({words})')
    codes = spread.astype(np.int8)
    codes.setflags(write=False)
    return codes


def _levels(parents: Indexes) -> tuple[Indexes, ...]:
    depth = np.zeros(len(parents), dtype=np.intp)
    for i, p in enumerate(parents):
        depth[i] = depth[p] + 1 if p >= 0 else 0
    return tuple(np.flatnonzero(depth == d) for d in range(int(depth.max()) + 1))


def _record(i: int, bone: Mapping[str, Any] | Sequence[Any]) -> dict[str, Any]:
    if isinstance(bone, Mapping):
        record = dict(bone)
    elif isinstance(bone, str) or len(bone) > len(FIELDS):
        raise RigError(f"bone {i}: {bone!r} (a mapping, or a sequence of {', '.join(FIELDS)})")
    else:
        record = dict(zip(FIELDS, bone, strict=False))
    if "name" not in record:
        raise RigError(f"bone {i}: name is missing")
    for field in record.keys() - set(FIELDS):
        raise RigError(f'bone "{record["name"]}": unknown field "{field}"{closest(field, FIELDS)}')
    return record


def _code(record: Mapping[str, Any]) -> int:
    word = record.get("inherit", 0)
    if isinstance(word, str):
        if word not in INHERIT:
            raise RigError(f'bone "{record["name"]}": inherit "{word}" is unknown{closest(word, INHERIT)}')
        return INHERIT.index(word)
    return int(word)
