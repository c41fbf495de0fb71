"""Gain as colour: how far the elbow turns for each unit that the target comes or goes, all around the limb."""

from __future__ import annotations

import math

import numpy as np

from elbowroom.kernel.reach import gain
from elbowroom.render.page import Page
from elbowroom.render.shots import Limb

BANDS = 48
COOL, HOT = 1.0, 8.0  # [deg of elbow per 1 % of reach] where colour begins and where it is full
SHADES = ((255, 255, 255), (253, 245, 196), (240, 190, 90), (213, 94, 0))


def heat(page: Page, limb: Limb) -> None:
    """Rings from the dead zone to the reach of a limb of two bones, coloured by gain; nothing for other limbs."""
    if len(limb.joints) != 3 or limb.reach <= limb.hole:
        return
    center, width = page.point(limb.joints[0]), (limb.reach - limb.hole) / BANDS
    for radius in limb.hole + width * (np.arange(BANDS) + 0.5):
        page.circle(center, float(radius) * page.scale, class_="heat", fill="none", stroke=shade(limb, float(radius)),
                    stroke_width=width * page.scale + 0.4)  # fmt: skip


def shade(limb: Limb, radius: float) -> str:
    """The colour of the gain with the target at a distance from the root."""
    upper, lower = limb.lengths
    found = gain(radius, float(upper), float(lower), softness=limb.softness, curve=limb.curve)
    return color(math.degrees(found) * limb.reach / 100.0)


def color(turn: float) -> str:
    """White for 1° of elbow and less for each 1 % of reach, over yellow to red for 8° and more, in even ratios.

    >>> color(0.5), color(8.0), color(math.inf)
    ('#ffffff', '#d55e00', '#d55e00')
    """
    share = math.log(min(max(turn, COOL), HOT) / COOL) / math.log(HOT / COOL) * (len(SHADES) - 1)
    first = min(int(share), len(SHADES) - 2)
    mixed = (a + (b - a) * (share - first) for a, b in zip(SHADES[first], SHADES[first + 1], strict=True))
    return "#" + "".join(f"{round(part):02x}" for part in mixed)
