"""Arrays out of the keys of a Spine animation."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import UNSET, Raw

from elbowroom.errors import InputError
from elbowroom.formats.spine import keys as kinds
from elbowroom.rig.paths import Path, json_path
from elbowroom.rig.skeleton import INHERIT
from elbowroom.rig.spine.curves import Curves, Keys, points, single
from elbowroom.rig.spine.records import Array, Vertices
from elbowroom.rig.spine.sampling import BoneKeys, Timelines


class Line(NamedTuple):
    """One timeline, unread.  group : "bones", "slots", …;  target : what it sets;  here : its place in the file."""

    group: str
    target: Any
    here: Path
    raw: Raw
    kind: type[kinds.Moment]

    def read(self) -> Written:
        """Its keys as the file has them."""
        return Written(self.here, kinds.decoded(self.here, self.raw, self.kind), self.kind)


class Written(NamedTuple):
    """The keys of a timeline as the file has them."""

    here: Path
    keys: list[Any]
    kind: type[kinds.Moment]

    @property
    def old(self) -> bool:
        """Whether all values share one curve in the unit square, as before 4.0."""
        return issubclass(self.kind, kinds.Old)

    def times(self) -> Array:
        """(k,) [s]."""
        return np.array([key.time for key in self.keys], dtype=np.float64)

    def table(self, fields: tuple[str, ...] = ()) -> Array:
        """(k, n) the values of fields; all that the kind of key has, if none are given."""
        names = fields or kinds.values_of(self.kind)
        return np.array(list(map(attrgetter(*names), self.keys)), dtype=np.float64).reshape(-1, len(names))


def build(lines: tuple[Line, ...], version: tuple[int, int]) -> Timelines:
    """All of an animation as arrays.  Raises InputError for a number that single precision cannot hold."""
    out: dict[str, dict[Any, Any]] = {"ik": {}, "transform": {}, "path": {}, "shown": {}, "deforms": {}}
    bones = []
    for line in lines:
        if line.group == "bones":
            bones.append(_bone(line.target[0], line.target[1], line.read()))
        elif line.group == "slots":
            out["shown"][line.target] = _shown(line.read())
        elif line.group == "deforms":
            place, vertices = line.target
            out["deforms"][place] = partial(_deform, line, vertices)
        elif line.group == "ik":
            out["ik"][line.target] = _reach(line.read())
        elif line.group == "transform":
            out["transform"][line.target] = _follow(line.read(), version)
        else:
            constraint, columns = line.target
            out["path"].setdefault(constraint, []).append((columns, _ride(line.read())))
    return Timelines(tuple(bones), **out)


def _bone(bone: int, channels: tuple[str, ...], line: Written) -> BoneKeys:
    if line.kind is kinds.Inherit:
        codes = [INHERIT.index(key.inherit[:1].lower() + key.inherit[1:]) for key in line.keys]
        return BoneKeys(bone, channels, Keys.held(line.times(), codes))
    return BoneKeys(bone, channels, _curved(line, line.table()))


def _shown(line: Written) -> tuple[tuple[str, ...], Keys]:
    names = tuple(dict.fromkeys(key.name for key in line.keys if key.name is not None))
    index = {name: i for i, name in enumerate(names)} | {None: -1}
    return names, Keys.held(line.times(), [index[key.name] for key in line.keys])


def _reach(line: Written) -> tuple[Keys, Keys]:
    flags = [(1 if key.bendPositive else -1, key.compress, key.stretch) for key in line.keys]
    return _curved(line, line.table(("mix", "softness"))), Keys.held(line.times(), flags)


def _follow(line: Written, version: tuple[int, int]) -> Keys:
    """Six mixes.  From 4.0 to 4.2 every key has the shear mix of the first; 4.3 reads one scale mix for itself."""
    if line.old:
        return _curved(line, line.table()[:, [0, 1, 1, 2, 2, 3]])
    for key in line.keys:
        _stand_in(key, "mixY", key.mixX)
        _stand_in(key, "mixScaleY", key.mixScaleX if version < (4, 3) else 1.0)
    written = line.table()
    held = written.copy()
    if version < (4, 3):
        held[:, 5] = written[0, 5]
    return _curved(line, held, following=written)


def _ride(line: Written) -> Keys:
    if line.kind is kinds.OldRide:
        return _curved(line, line.table()[:, [0, 1, 1]])
    if line.kind is kinds.Ride:
        for key in line.keys:
            _stand_in(key, "mixY", key.mixX)
    return _curved(line, line.table())


def _stand_in(key: Any, field: str, value: float) -> None:
    if getattr(key, field) is UNSET:
        setattr(key, field, value)


def _deform(line: Line, vertices: Vertices) -> Keys:
    """Absolute numbers of unweighted vertices, offsets of weighted ones."""
    written = line.read()
    setup = np.zeros(vertices.numbers.size) if vertices.weighted else vertices.numbers.ravel()
    values = np.zeros((len(written.keys), setup.size))
    for row, key in zip(values, written.keys, strict=True):
        if key.vertices is not UNSET:
            row[key.offset : key.offset + len(key.vertices)] = key.vertices
    return _curved(written, single(values) + setup, share=True)


def _curved(line: Written, values: Array, *, following: Array | None = None, share: bool = False) -> Keys:
    """Keys with their curves; where the last one's would lead does not matter.

    values : (k, n);  following : (k, n) what the curve to each key ends at, `values` if not given
    share : one curve for all values
    """
    times = line.times()
    stepped = np.array([key.curve == "stepped" for key in line.keys], dtype=np.bool_)
    bent = [i for i, key in enumerate(line.keys[:-1]) if type(key.curve) in (float, tuple)]
    at = np.array(bent, dtype=np.intp)
    row = np.full(len(times), -1, dtype=np.intp)
    row[at] = np.arange(len(at))
    share = share or line.old
    channels = 1 if share else values.shape[1]
    arms = np.array([_handles(line.keys[i]) for i in bent], dtype=np.float64).reshape(-1, channels, 2, 2)
    start, end = np.zeros((len(at), channels, 2)), np.ones((len(at), channels, 2))
    if not line.old:
        start[..., 0], end[..., 0] = times[at][:, np.newaxis], times[1:][at][:, np.newaxis]
        if not share:
            start[..., 1], end[..., 1] = values[at], (values if following is None else following)[1:][at]
    curves = Curves(stepped, row, _held(line, points(start, arms, end), bent), share=share, unit=line.old)
    return Keys(_held(line, times), _held(line, values), curves, turning=line.kind is kinds.Angle)


def _handles(key: Any) -> tuple[float, ...]:
    return key.curve if isinstance(key.curve, tuple) else (key.curve, key.c2, key.c3, key.c4)


def _held(line: Written, values: npt.NDArray[Any], keys: list[int] | None = None) -> Array:
    """Numbers in single precision, a row a key (`keys`: which; all if not given)."""
    out = single(values)
    if not np.isfinite(out).all():
        i = int(np.argwhere(~np.isfinite(out))[0, 0])
        where = json_path((*line.here, keys[i] if keys else i))
        raise InputError(f"{where}: a number beyond single precision, which keys have (at most 3.4e38)")
    return out
