"""Keys of Spine animations as they stand in a file: one record a kind of key, strict about its types."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Literal, TypeAlias

from msgspec import UNSET, DecodeError, Raw, Struct, UnsetType, json

from elbowroom.rig.paths import Path, json_path

# a way to the next key: held; handles, time and value of both, for each value; up to 3.8 the first of four numbers
Four: TypeAlias = tuple[float, float, float, float]
Eight: TypeAlias = tuple[float, float, float, float, float, float, float, float]
Twelve: TypeAlias = tuple[float, float, float, float, float, float, float, float, float, float, float, float]
Step: TypeAlias = Literal["stepped"]
Own: TypeAlias = float | UnsetType  # a number that stands for another one where it is left out


class SpineFault(ValueError):
    """What is wrong with a Spine file.  where : place in it ($.bones[1].x);  problem : one sentence."""

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where}: {problem}" if where else problem)
        self.where, self.problem = where, problem


class Moment(Struct, gc=False):
    """A key of which only the time matters here."""

    time: float = 0.0


class Inherit(Moment, gc=False):
    """What a bone takes over from its parent, from here on."""

    inherit: str = "normal"


class Shown(Moment, gc=False):
    """What a slot shows, from here on."""

    name: str | None = None


class Old(Moment, gc=False):
    """A key before 4.0: one curve for all its values; c2 to c4 belong to a curve that is a number."""

    curve: float | Step | Four | UnsetType = UNSET
    c2: float = 0.0
    c3: float = 1.0
    c4: float = 1.0


class One(Moment, gc=False):
    """A key from 4.0 on, with one curve."""

    curve: Step | Four | UnsetType = UNSET


class Two(Moment, gc=False):
    """A key from 4.0 on, with two curves."""

    curve: Step | Eight | UnsetType = UNSET


class Value(One, gc=False):
    """One number that adds, or stands for itself."""

    value: float = 0.0


class Factor(One, gc=False):
    """One number that multiplies."""

    value: float = 1.0


class Pair(Two, gc=False):
    """Two numbers that add."""

    x: float = 0.0
    y: float = 0.0


class Factors(Two, gc=False):
    """Two numbers that multiply."""

    x: float = 1.0
    y: float = 1.0


class Reach(Two, gc=False):
    """Settings of an IK constraint; the flags step."""

    mix: float = 1.0
    softness: float = 0.0
    bendPositive: bool = True
    compress: bool = False
    stretch: bool = False


class Follow(Moment, gc=False):
    """Settings of a transform constraint."""

    curve: Step | tuple[(float,) * 24] | UnsetType = UNSET  # type: ignore[valid-type]
    mixRotate: float = 1.0
    mixX: float = 1.0
    mixY: Own = UNSET
    mixScaleX: float = 1.0
    mixScaleY: Own = UNSET
    mixShearY: float = 1.0


class Ride(Moment, gc=False):
    """Mixes of a path constraint."""

    curve: Step | Twelve | UnsetType = UNSET
    mixRotate: float = 1.0
    mixX: float = 1.0
    mixY: Own = UNSET


class Deform(One, gc=False):
    """How an attachment is bent: numbers from one index on."""

    offset: int = 0
    vertices: list[float] | UnsetType = UNSET


class Angle(Old, gc=False):
    """A rotation before 4.0 [deg]."""

    angle: float = 0.0


class OldPair(Old, gc=False):
    """Two numbers that add."""

    x: float = 0.0
    y: float = 0.0


class OldFactors(Old, gc=False):
    """Two numbers that multiply."""

    x: float = 1.0
    y: float = 1.0


class OldReach(Old, gc=False):
    """Settings of an IK constraint; the flags step."""

    mix: float = 1.0
    softness: float = 0.0
    bendPositive: bool = True
    compress: bool = False
    stretch: bool = False


class OldFollow(Old, gc=False):
    """Settings of a transform constraint, one for x and y each."""

    rotateMix: float = 1.0
    translateMix: float = 1.0
    scaleMix: float = 1.0
    shearMix: float = 1.0


class OldRide(Old, gc=False):
    """Mixes of a path constraint, one for x and y."""

    rotateMix: float = 1.0
    translateMix: float = 1.0


class OldPosition(Old, gc=False):
    """Where on a path."""

    position: float = 0.0


class OldSpacing(Old, gc=False):
    """How far apart on a path."""

    spacing: float = 0.0


class OldDeform(Old, gc=False):
    """How an attachment is bent: numbers from one index on."""

    offset: int = 0
    vertices: list[float] | UnsetType = UNSET


Group: TypeAlias = dict[str, Raw]  # name -> its keys
Groups: TypeAlias = dict[str, Group]  # name -> timeline -> its keys


def values_of(kind: type[Moment]) -> tuple[str, ...]:
    """The fields of a kind of key that are its values."""
    return kind.__struct_fields__[len((Old if issubclass(kind, Old) else One).__struct_fields__) :]


@cache
def _decoder(kind: Any) -> json.Decoder[Any]:
    return json.Decoder(kind)


@cache
def _list_decoder(kind: type[Moment]) -> json.Decoder[Any]:
    return json.Decoder(list[kind])  # type: ignore[valid-type]


def decoded(here: Path, raw: Raw, kind: Any) -> Any:
    """Data of a kind; of a kind of key, a list of them.

    Raises SpineFault with the place where it is none, `here` being that of `raw`.
    """
    try:
        return (_list_decoder if isinstance(kind, type) and issubclass(kind, Moment) else _decoder)(kind).decode(raw)
    except DecodeError as error:
        raise SpineFault(*_told(here, str(error))) from None


def _told(here: Path, text: str) -> tuple[str, str]:
    """Place and problem of what could not be decoded."""
    problem, _, inside = text.partition(" - at `$")
    place, wrong = json_path(here) + inside.rstrip("`"), problem[:1].lower() + problem[1:]
    count, type_ = re.fullmatch(r"Expected `array` of length (\d+)", problem), re.search(r"got `(.*)`", problem)
    curve = re.search(r"\.curve(\[\d+\])?$", place)
    if curve and count:
        wrong = f"the curve does not have {count[1]} numbers (four for every value from 4.0 on, four before)"
    elif curve and not curve[1]:
        wrong = f'the curve is no curve: {problem[:1].lower() + problem[1:]} ("stepped" or numbers were expected)'
    elif type_ and "Expected `float`" in problem:
        wrong = f"{type_[1]} (a number was expected)"
    return place, wrong
