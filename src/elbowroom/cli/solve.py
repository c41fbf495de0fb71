"""elbowroom solve: one limb, by numbers."""

from __future__ import annotations

import math
from typing import Any

import click

from elbowroom.cli.kinds import FRACTION, LENGTH, POINT, Number
from elbowroom.cli.say import quoted, show_json

DEGREES = 180.0 / math.pi  # of one radian
CURVES = ("exponential", "cubic", "quadratic")
MOST = 1e15  # [deg] doubles beyond lie too far apart to be directions
STEP = 1e-6  # [fraction of reach] to both sides, where the gain of a limited limb is measured
SHUT = "the limits leave nothing of the side that bend asks for, so the elbow is on the other side"
Pair = tuple[float, float]
Ranges = tuple[Pair, Pair]


class RangesDeg(click.ParamType):  # type: ignore[type-arg]  # no parameter before Click 8.5
    """Two ranges low:high of angles [deg], with a comma between them."""

    name = "a:b,c:d"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Ranges:
        """The two ranges, or a BadParameter."""
        if isinstance(value, tuple):
            return value[0], value[1]
        ranges = [[part.strip() for part in text.split(":")] for text in str(value).split(",")]
        if len(ranges) != 2 or any(len(ends) != 2 for ends in ranges):
            told = "degrees low:high of the upper and the lower bone, such as -120:60,-150:0"
            self.fail(f"{quoted(value)} is not two ranges{_odd_range(ranges)} ({told})", param, ctx)
        upper, lower = (self._range(*each, param, ctx) for each in zip(("upper", "lower"), ranges, strict=True))
        return upper, lower

    def _range(self, bone: str, ends: list[str], param: click.Parameter | None, ctx: click.Context | None) -> Pair:
        where = f"{':'.join(ends)} of the {bone} bone: "
        low, high = (self._end(where, end, param, ctx) for end in ends)
        if low > high:
            self.fail(f"{low:g}:{high:g} of the {bone} bone is upside down (such as {high:g}:{low:g})", param, ctx)
        return low, high

    def _end(self, where: str, text: str, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            return Number(-MOST, MOST).convert(text, param, ctx)
        except click.BadParameter as error:
            self.fail(f"{where}{error.message}", param, ctx)


def _odd_range(ranges: list[list[str]]) -> str:
    """Which part of a text of two ranges is none."""
    odd = next((":".join(ends) for ends in ranges if len(ends) != 2), None)
    return f": {quoted(odd)} is no range" if len(ranges) == 2 and odd is not None else ""


@click.command("solve")
@click.option("--upper", type=LENGTH, required=True, help="Length of the upper bone.")
@click.option("--lower", type=LENGTH, required=True, help="Length of the lower bone.")
@click.option("--target", type=POINT, required=True, help="Where the limb shall reach; y up.")
@click.option("--root", type=POINT, default="0,0", show_default=True, help="Where it begins.")
@click.option("--bend", type=click.Choice(["1", "+1", "-1", "0"]), default="1", show_default=True, metavar="1|-1|0",
              help="Elbow left (1) or right (-1) of the line root to target; 0: either.")  # fmt: skip
@click.option("--softness", type=FRACTION, default=0.0, show_default=True, help="Ease before full reach, 0 to 1.")
@click.option("--curve", type=click.Choice(CURVES), default=CURVES[0], show_default=True, help="Shape of that ease.")
@click.option(
    "--limits-deg",
    type=RangesDeg(),
    default=None,
    help="Range of each angle: the upper bone's, the lower one's against it. Such as -120:60,-150:0.",
)
@click.option("--max-stretch", type=LENGTH, default=0.0, show_default=True,
              help="0.1: bones may get up to 10 % longer or shorter.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    upper: float, lower: float, target: Pair, root: Pair, bend: str, softness: float, curve: str,
    limits_deg: Ranges | None, max_stretch: float, as_json: bool,
) -> None:  # fmt: skip
    """Solve one limb of two bones and say how far it misses.

    \b
    Example:
      elbowroom solve --upper 150 --lower 125 --target 200,0
      elbowroom solve --upper 150 --lower 125 --target -20,300 --softness 0.05 --json
      elbowroom solve --upper 150 --lower 125 --target 200,100 --limits-deg -120:20,-150:0
    """
    settings = {"bend": int(bend), "softness": softness, "curve": curve, "max_stretch": max_stretch}
    answer = solved(upper, lower, target, root, limits_deg, settings)
    if as_json:
        show_json(answer)
    else:
        click.echo("\n".join(lines(answer, limits_deg)))


def solved(
    upper: float, lower: float, target: Pair, root: Pair, limits_deg: Ranges | None, settings: dict[str, Any]
) -> dict[str, Any]:
    """The answer as plain data; `settings` are two_bone's."""
    from elbowroom.kernel.reach import annulus
    from elbowroom.kernel.solution import Why
    from elbowroom.kernel.two_bone import two_bone

    if limits_deg is not None:
        settings = settings | {"limits": tuple((low / DEGREES, high / DEGREES) for low, high in limits_deg)}
    found = two_bone(root, target, upper, lower, **settings)
    first, second = found.angles
    return {
        "joints": [list(joint) for joint in found.joints],
        "angles_deg": [first * DEGREES, second * DEGREES],
        "interior_elbow_deg": 180.0 - _turn(second, 0.0) * DEGREES,
        "shoulder_offset_deg": _offset(first, found.direction) * DEGREES,
        "error": found.error,
        "reached": bool(found.reached),
        "why": [flag.name for flag in Why if flag in found.why],
        "annulus": list(annulus([upper, lower])),
        "gain_deg": _gain(root, target, upper, lower, settings, limited=Why.LIMIT in found.why),
        "over_deg": [angle * DEGREES for angle in found.over],
        "side_shut": limits_deg is not None and _shut(limits_deg[1], settings["bend"]),
    }


def _shut(lower_deg: Pair, bend: int) -> bool:
    """Whether the range of the lower bone leaves nothing of the side that bend asks for."""
    from elbowroom.kernel.limits import elbow_ends, ends

    low, high = lower_deg
    return not any(elbow_ends(float(bend), *ends(low / DEGREES, high / DEGREES)))


def _turn(angle: float, other: float) -> float:
    """From one angle to the other the short way [rad], not signed."""
    from elbowroom.kernel.trig import wrap

    return abs(wrap(angle - other))


def _offset(angle: float, direction: Pair) -> float:
    """Between the upper bone and the line to the target [rad], not signed."""
    from elbowroom.kernel.trig import atan2

    return _turn(angle, atan2(direction[1], direction[0]))


def _gain(
    root: Pair, target: Pair, upper: float, lower: float, settings: dict[str, Any], *, limited: bool
) -> float | None:
    """[deg / length], None where it is infinite."""
    from elbowroom.kernel.anywhere import length
    from elbowroom.kernel.reach import gain
    from elbowroom.kernel.reading import BIGGEST

    if limited:
        return _measured_gain(root, target, upper, lower, settings)
    distance = min(length(target[0] - root[0], target[1] - root[1]), BIGGEST)
    found = gain(distance, upper, lower, softness=settings["softness"], curve=settings["curve"]) * DEGREES
    return found if math.isfinite(found) else None


def _measured_gain(root: Pair, target: Pair, upper: float, lower: float, settings: dict[str, Any]) -> float | None:
    """The same where a joint stands at a limit: how the elbow turns as the target moves along its line."""
    from elbowroom.kernel.anywhere import length, unit
    from elbowroom.kernel.two_bone import two_bone

    x, y = target[0] - root[0], target[1] - root[1]
    ux, uy = unit(x, y, 1.0, 0.0)
    step = STEP * max(upper + lower, length(x, y))
    places = [(target[0] + turn * step * ux, target[1] + turn * step * uy) for turn in (-1.0, 1.0)]
    before, after = (two_bone(root, place, upper, lower, **settings).angles[1] for place in places)
    found = _turn(after, before) / (2.0 * step) * DEGREES if step > 0.0 else 0.0
    return found if math.isfinite(found) else None


def lines(answer: dict[str, Any], limits_deg: Ranges | None = None) -> list[str]:
    """The answer for people."""
    joints = "   ".join(f"{x:.6g}, {y:.6g}" for x, y in answer["joints"])
    upper, lower = answer["angles_deg"]
    gain = "infinite" if answer["gain_deg"] is None else f"{answer['gain_deg']:.4g}°"
    why = f"   {' '.join(answer['why'])}" if answer["why"] else ""
    inner, outer = answer["annulus"]
    return [
        f"joints    {joints}",
        f"angles    upper {upper:.4f}°   lower {lower:.4f}°",
        *_limit_lines(answer, limits_deg),
        f"elbow     {answer['interior_elbow_deg']:.4f}° inside   shoulder offset {answer['shoulder_offset_deg']:.4f}°",
        f"miss      {answer['error']:.6g} ({'reached' if answer['reached'] else 'not reached'}){why}",
        f"reach     {inner:.6g} to {outer:.6g}",
        f"gain      {gain} of elbow for each unit the target comes nearer or goes away",
    ]


def _limit_lines(answer: dict[str, Any], limits_deg: Ranges | None) -> list[str]:
    """The ranges, and how far beyond them the limb would go without."""
    if limits_deg is None:
        return []
    said, shut = [], answer["side_shut"]
    free = "without, on the side of bend" if shut else "without"
    for bone, (low, high), over in zip(("upper", "lower"), limits_deg, answer["over_deg"], strict=True):
        beyond = f" ({free}: {abs(over):.4f}° {'above' if over > 0.0 else 'below'})" if over else ""
        said.append(f"{bone} {low:g}° to {high:g}°{beyond}")
    lines = ["limits    " + "   ".join(said)]
    return [*lines, f"side      {SHUT}"] if shut else lines
