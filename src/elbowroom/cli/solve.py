"""elbowroom solve: one limb, by numbers."""

from __future__ import annotations

import math
from typing import Any

import click

from elbowroom.cli.kinds import FRACTION, LENGTH, POINT, later
from elbowroom.cli.say import show_json

DEGREES = 180.0 / math.pi  # of one radian
CURVES = ("exponential", "cubic", "quadratic")
Pair = tuple[float, float]


@click.command("solve")
@click.option("--upper", type=LENGTH, required=True, help="Length of the upper bone.")
@click.option("--lower", type=LENGTH, required=True, help="Length of the lower bone.")
@click.option("--target", type=POINT, required=True, help="Where the limb shall reach; y up.")
@click.option("--root", type=POINT, default="0,0", show_default=True, help="Where it begins.")
@click.option("--bend", type=click.Choice(["1", "+1", "-1", "0"]), default="1", show_default=True, metavar="1|-1|0",
              help="Elbow left (1) or right (-1) of the line root to target; 0: either.")  # fmt: skip
@click.option("--softness", type=FRACTION, default=0.0, show_default=True, help="Ease before full reach, 0 to 1.")
@click.option("--curve", type=click.Choice(CURVES), default=CURVES[0], show_default=True, help="Shape of that ease.")
@click.option("--max-stretch", type=LENGTH, default=0.0, show_default=True, help="0.1: bones may get 10 % longer.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@later("--limits-deg")
def command(
    upper: float, lower: float, target: Pair, root: Pair, bend: str, softness: float, curve: str,
    max_stretch: float, as_json: bool,
) -> None:  # fmt: skip
    """Solve one limb of two bones and say how far it misses.

    \b
    Example:
      elbowroom solve --upper 150 --lower 125 --target 200,0
      elbowroom solve --upper 150 --lower 125 --target -20,300 --softness 0.05 --json
    """
    answer = solved(upper, lower, target, root, int(bend), softness, curve, max_stretch)
    if as_json:
        show_json(answer)
    else:
        click.echo("\n".join(lines(answer)))


def solved(
    upper: float, lower: float, target: Pair, root: Pair, bend: int, softness: float, curve: str, max_stretch: float
) -> dict[str, Any]:
    """The answer as plain data."""
    from elbowroom.kernel.reach import annulus
    from elbowroom.kernel.solution import Why
    from elbowroom.kernel.two_bone import two_bone

    found = two_bone(root, target, upper, lower, bend=bend, softness=softness, curve=curve, max_stretch=max_stretch)
    first, second = found.angles
    return {
        "joints": [list(joint) for joint in found.joints],
        "angles_deg": [first * DEGREES, second * DEGREES],
        "interior_elbow_deg": 180.0 - abs(second) * DEGREES,
        "shoulder_offset_deg": _offset(first, found.direction) * DEGREES,
        "error": found.error,
        "reached": bool(found.reached),
        "why": [flag.name for flag in Why if flag in found.why],
        "annulus": list(annulus([upper, lower])),
        "gain_deg": _gain(root, target, upper, lower, softness, curve),
    }


def _offset(angle: float, direction: Pair) -> float:
    """Between the upper bone and the line to the target [rad], not signed."""
    from elbowroom.kernel.trig import atan2, wrap

    return abs(wrap(angle - atan2(direction[1], direction[0])))


def _gain(root: Pair, target: Pair, upper: float, lower: float, softness: float, curve: str) -> float | None:
    """[deg / length], None where it is infinite."""
    from elbowroom.kernel.anywhere import length
    from elbowroom.kernel.reach import gain
    from elbowroom.kernel.reading import BIGGEST

    distance = min(length(target[0] - root[0], target[1] - root[1]), BIGGEST)
    found = gain(distance, upper, lower, softness=softness, curve=curve) * DEGREES
    return found if math.isfinite(found) else None


def lines(answer: dict[str, Any]) -> list[str]:
    """The answer for people."""
    joints = "   ".join(f"{x:.6g}, {y:.6g}" for x, y in answer["joints"])
    upper, lower = answer["angles_deg"]
    gain = "infinite" if answer["gain_deg"] is None else f"{answer['gain_deg']:.4g}°"
    why = f"   {' '.join(answer['why'])}" if answer["why"] else ""
    inner, outer = answer["annulus"]
    return [
        f"joints    {joints}",
        f"angles    upper {upper:.4f}°   lower {lower:.4f}°",
        f"elbow     {answer['interior_elbow_deg']:.4f}° inside   shoulder offset {answer['shoulder_offset_deg']:.4f}°",
        f"miss      {answer['error']:.6g} ({'reached' if answer['reached'] else 'not reached'}){why}",
        f"reach     {inner:.6g} to {outer:.6g}",
        f"gain      {gain} of elbow for each unit the target moves",
    ]
