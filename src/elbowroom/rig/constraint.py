"""What a rig records about one limb: which bones, where they reach, and what to do when they cannot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from math import inf, nan
from types import MappingProxyType
from typing import Any, TypeAlias

from elbowroom.errors import RigError, closest
from elbowroom.kernel.reading import BIGGEST
from elbowroom.rig.skeleton import rebuild
from elbowroom.rig.target import Target

MISSES = ("accept", "move_root", "stretch")
CURVES = ("exponential", "cubic", "quadratic")
SOLVERS = ("aim", "two_bone", "ccd", "fabrik", "least_change")
ORIENTATIONS = ("free", "keep", "follow")
SMOOTHERS = ("savgol", "one_euro", "half_life")

_BONES_OF = {"aim": 1, "two_bone": 2}  # solvers for that many bones and no other number
_SAY = 'say what to do when the target is out of reach: "accept", "move_root" or "stretch", or a list of them'

Limits: TypeAlias = tuple[tuple[float, float], ...]


@dataclass(frozen=True, init=False)
class IKConstraint:
    """One limb and its settings, frozen. Lists may be given where tuples are kept.

    name : of the constraint
    bones : names from the limb's root to its tip
    target : where it reaches when neither the call nor the clip says; None: nowhere
    on_miss : "accept", "move_root", "stretch" or several, tried in that order; there is no default
    bend : 1 elbow to the left of root -> target, −1 to the right, 0 the nearer side
    softness, inner_softness : [fraction of reach] 0 to 1;  curve : "exponential", "cubic", "quadratic"
    limits : (n, 2) [rad] low, high for each bone's own rotation, or None
    mix : 0 to 1, how much of the answer is taken
    max_stretch : how much longer or shorter "stretch" may make the limb, as a fraction
    root : the bone "move_root" shifts;  max_shift : [length];  shift_half_life : [s]
    solver : "aim", "two_bone", "ccd", "fabrik", "least_change", or None: by the number of bones
    iterations, tolerance [fraction of reach] : of the chain solvers, or None: the solver's own
    orientation : of what hangs on the limb: "free", "keep" its world direction, "follow"
    smooth : None, "savgol", "one_euro", "half_life", or a mapping with that as "method" and its options

    Raises RigError that lists every fault, each beginning with the constraint's name.
    """

    name: str
    bones: tuple[str, ...]
    target: Target | None
    on_miss: tuple[str, ...]
    bend: int
    softness: float
    curve: str
    inner_softness: float
    limits: Limits | None
    mix: float
    max_stretch: float
    root: str | None
    max_shift: float
    shift_half_life: float
    solver: str | None
    iterations: int | None
    tolerance: float | None
    orientation: str
    smooth: str | Mapping[str, Any] | None = field(hash=False)

    def __init__(
        self,
        name: str,
        bones: Iterable[str],
        target: Target | None,
        on_miss: str | Iterable[str] | None = None,
        *,
        bend: int = 1,
        softness: float = 0.0,
        curve: str = "exponential",
        inner_softness: float = 0.0,
        limits: Iterable[Iterable[float]] | None = None,
        mix: float = 1.0,
        max_stretch: float = 0.0,
        root: str | None = None,
        max_shift: float = inf,
        shift_half_life: float = 0.1,
        solver: str | None = None,
        iterations: int | None = None,
        tolerance: float | None = None,
        orientation: str = "free",
        smooth: str | Mapping[str, Any] | None = None,
    ) -> None:
        """Check and freeze; a missing on_miss is a fault like any other."""
        faults = _Faults(name)
        chain = faults.names("bones", bones)
        values: dict[str, Any] = {
            "name": name,
            "bones": chain,
            "target": faults.target(target),
            "on_miss": faults.on_miss(on_miss),
            "bend": faults.whole("bend", bend, -1, 1),
            "softness": faults.number("softness", softness, 0.0, 1.0),
            "curve": faults.word("curve", curve, CURVES),
            "inner_softness": faults.number("inner_softness", inner_softness, 0.0, 1.0),
            "limits": faults.limits(limits, len(chain)),
            "mix": faults.number("mix", mix, 0.0, 1.0),
            "max_stretch": faults.number("max_stretch", max_stretch, 0.0),
            "root": faults.root(root),
            "max_shift": faults.number("max_shift", max_shift, 0.0, inf),
            "shift_half_life": faults.number("shift_half_life", shift_half_life, 0.0),
            "solver": None if solver is None else faults.word("solver", solver, SOLVERS),
            "iterations": None if iterations is None else faults.whole("iterations", iterations, 1),
            "tolerance": None if tolerance is None else faults.number("tolerance", tolerance, 0.0),
            "orientation": faults.word("orientation", orientation, ORIENTATIONS),
            "smooth": faults.smooth(smooth),
        }
        for field_name, value in faults.settled(values).items():
            object.__setattr__(self, field_name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        smooth = self.smooth if self.smooth is None or isinstance(self.smooth, str) else dict(self.smooth)
        return rebuild, (type(self), values | {"smooth": smooth})


class _Faults:
    """Checks of single fields: each returns the value to keep and notes what is wrong with it."""

    def __init__(self, name: Any) -> None:
        if not (isinstance(name, str) and name):
            raise RigError(f"constraint: name is {name!r} (a text of at least one letter)")
        self.where = f'constraint "{name}"'
        self.found: list[str] = []

    def settled(self, values: dict[str, Any]) -> dict[str, Any]:
        """The values, if they are right alone and together; a RigError that lists every fault otherwise."""
        self.together(values)
        if self.found:
            sentences = [f"{self.where}: {fault}" for fault in self.found]
            raise RigError("; ".join(sentences), sentences)
        return values

    def number(self, what: str, value: Any, low: float, high: float = BIGGEST) -> float:
        """A number in [low, high]."""
        try:
            number = nan if isinstance(value, (str, bool)) else float(value)
        except (TypeError, ValueError, OverflowError):
            number = nan
        if not low <= number <= high:
            upper = f"{low:g} or more" if high >= BIGGEST else f"{low:g} to {high:g}"
            self.found.append(f"{what} is {value!r} (a number, {upper})")
            return low
        return number

    def whole(self, what: str, value: Any, low: int, high: int | None = None) -> int:
        """A whole number in [low, high]."""
        try:
            number = None if isinstance(value, (str, bool)) or value != int(value) else int(value)
        except (TypeError, ValueError, OverflowError):
            number = None
        if number is None or number < low or (high is not None and number > high):
            choice = f"{low} or more" if high is None else ", ".join(map(str, range(low, high + 1)))
            self.found.append(f"{what} is {value!r} (a whole number: {choice})")
            return low
        return number

    def word(self, what: str, value: Any, known: Sequence[str]) -> str:
        """One of the known words."""
        if value not in known:
            self.found.append(f"{what} is {value!r} ({_one_of(value, known)})")
            return known[0]
        return str(value)

    def names(self, what: str, value: Any) -> tuple[str, ...]:
        """One name or more, all different."""
        given = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, Iterable) else ()
        if not given or not all(isinstance(name, str) and name for name in given):
            self.found.append(f"{what} is {value!r} (names of bones, from the limb's root to its tip)")
            return ("",)
        twice = sorted({name for name in given if given.count(name) > 1})
        self.found += [f'{what} has "{name}" twice (every bone once)' for name in twice]
        return given

    def target(self, value: Any) -> Target | None:
        """A Target: never a bare coordinate."""
        if value is not None and not isinstance(value, Target):
            self.found.append(f'target is {value!r} (a Target with its space: Target((x, y), space="world"))')
            return None
        return value

    def on_miss(self, value: Any) -> tuple[str, ...]:
        """The strategies in order."""
        if value is None:
            self.found.append(f"on_miss is missing ({_SAY})")
            return ()
        given = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, Iterable) else ()
        if not given:
            self.found.append(f"on_miss is {value!r} ({_SAY})")
        odd = [word for word in given if word not in MISSES]
        self.found += [f"on_miss has {word!r} ({_one_of(word, MISSES)})" for word in odd]
        twice = [word for word in MISSES if given.count(word) > 1]
        self.found += [f'on_miss has "{word}" twice (each once, in the order to try them)' for word in twice]
        return given

    def limits(self, value: Any, bones: int) -> Limits | None:
        """One (low, high) a bone, in radians."""
        if value is None:
            return None
        try:
            ranges = tuple((float(low), float(high)) for low, high in value)
        except (TypeError, ValueError):
            self.found.append(f"limits is {value!r} (one (low, high) for each of {bones} bones, in radians)")
            return None
        if len(ranges) != bones:
            self.found.append(f"limits has {len(ranges)} ranges (one (low, high) for each of {bones} bones)")
        for i, (low, high) in enumerate(ranges):
            if not (-BIGGEST <= low <= BIGGEST and -BIGGEST <= high <= BIGGEST):
                self.found.append(f"limits[{i}] is ({low:g}, {high:g}) (finite angles in radians)")
            elif low > high:
                self.found.append(f"limits[{i}] is ({low:g}, {high:g}) (low first, then high)")
        return ranges

    def root(self, value: Any) -> str | None:
        """A bone's name, or None."""
        if value is not None and not (isinstance(value, str) and value):
            self.found.append(f"root is {value!r} (the name of a bone)")
            return None
        return value

    def smooth(self, value: Any) -> str | Mapping[str, Any] | None:
        """A method's name, or a mapping with it."""
        if value is None:
            return None
        method = value.get("method") if isinstance(value, Mapping) else value
        self.word("smooth" if method is value else 'smooth["method"]', method, SMOOTHERS)
        return MappingProxyType(dict(value)) if isinstance(value, Mapping) else str(value)

    def together(self, values: Mapping[str, Any]) -> None:
        """What one field asks of another."""
        if "stretch" in values["on_miss"] and values["max_stretch"] == 0.0:
            self.found.append('on_miss has "stretch" but max_stretch is 0 (set how much: 0.1 is 10 %)')
        if "move_root" in values["on_miss"] and values["root"] is None:
            self.found.append('on_miss has "move_root" but root is missing (name the bone to shift)')
        wanted = _BONES_OF.get(values["solver"] or "")
        if wanted is not None and len(values["bones"]) != wanted:
            self.found.append(
                f'solver "{values["solver"]}" takes {wanted} bone{"s" if wanted > 1 else ""}, '
                f"not {len(values['bones'])} (ccd, fabrik and least_change take any number)"
            )


def _one_of(value: Any, known: Sequence[str]) -> str:
    """'one of: a, b, c', with the closest of them if one is near."""
    near = closest(value, known) if isinstance(value, str) else ""
    guess = f"{near[2:-1]} " if "did you mean" in near else ""
    return f"{guess}one of: {', '.join(known)}"
