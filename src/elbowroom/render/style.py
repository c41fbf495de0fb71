"""Colours that stay apart for every eye, and what a name says about a bone.

The palette is that of M. Okabe and K. Ito, Color Universal Design (2008).
"""

from __future__ import annotations

import re

from elbowroom.kernel.solution import Why

BLACK, ORANGE, SKY, GREEN = "#000000", "#e69f00", "#56b4e9", "#009e73"
YELLOW, BLUE, VERMILLION, PURPLE = "#f0e442", "#0072b2", "#d55e00", "#cc79a7"

INK, FAINT, RULE = "#333333", "#767676", "#d9d9d9"
TARGET, SHORTFALL = BLUE, VERMILLION
NEAR_LIMB, FAR_LIMB, MIDDLE, LIMB = ORANGE, SKY, "#8c8c8c", GREEN
GROUND = "#6b5d4d"
PALETTE = (BLACK, ORANGE, SKY, GREEN, YELLOW, BLUE, VERMILLION, PURPLE, INK, FAINT, RULE, MIDDLE, GROUND)

CAUSES = {
    Why.FAR: VERMILLION,
    Why.NEAR: PURPLE,
    Why.SOFT: YELLOW,
    Why.LIMIT: BLUE,
    Why.STRETCH: GREEN,
    Why.MIX: SKY,
    Why.BUDGET: BLACK,
    Why.DEGENERATE: "#999999",
    Why.RATE: ORANGE,
}
"""The colour of each cause."""

_LEFT = re.compile(r"(^|[\W_])(l|left)([\W_\d]|$)|^left|left$", re.IGNORECASE)
_RIGHT = re.compile(r"(^|[\W_])(r|right)([\W_\d]|$)|^right|right$", re.IGNORECASE)


def side(name: str, facing: int = 1) -> int:
    """+1 for a bone on the side the viewer sees, −1 for one behind the body, 0 where the name has no left or right.

    A character that faces right shows its right side.

    >>> side("thigh_l"), side("ArmRight"), side("spine")
    (-1, 1, 0)
    """
    left, right = _LEFT.search(name) is not None, _RIGHT.search(name) is not None
    return facing * (int(right) - int(left))


def causes(why: int) -> list[str]:
    """The names of the flags, in the order of their values.

    >>> causes(5)
    ['FAR', 'SOFT']
    """
    return [str(flag.name) for flag in Why if why & flag]


def measure(value: float) -> str:
    """A length for people: three digits that matter, without tails of zeros.

    >>> measure(12.3456), measure(0.0), measure(1e-12), measure(250000.0)
    ('12.3', '0', '1e-12', '250000')
    """
    size = abs(value)
    if size == 0.0 or 1e-3 <= size < 1e6:
        digits = 0 if size >= 100.0 else 1 if size >= 10.0 else 2 if size >= 1.0 else 3
        text = f"{value:.{digits}f}"
        return (text.rstrip("0").rstrip(".") if "." in text else text) or "0"
    return f"{value:.3g}"
