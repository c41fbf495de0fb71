"""How far every limb misses along a clip, and why: one panel a limb."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from elbowroom.errors import InputError
from elbowroom.kernel.solution import Solution, Why
from elbowroom.render.page import Array, Box, Page, checked_size, num
from elbowroom.render.style import CAUSES, FAINT, INK, RULE, SHORTFALL, measure
from elbowroom.rig.pose import Clip

LEFT, RIGHT, TOP, BOTTOM, GAP = 62.0, 14.0, 42.0, 34.0, 12.0  # [px] around and between the panels
STRIPE = 5.0  # [px] height of a cause's stripe


def plot_error(
    clip: Clip,
    solutions: Mapping[str, Solution],
    *,
    max_miss: float | None = None,
    size: tuple[int, int] | None = None,
    unit: str = "units",
    title: str | None = None,
) -> str:
    """The miss of every limb over time as SVG, with a stripe for every cause that acted.

    clip, solutions : as `solve` returned them;  max_miss : [length] a dashed line at the most that is allowed
    size : (width, height) [px]; None: as high as the number of limbs asks for
    unit : what a length is called;  title : None: the clip's name
    Raises InputError for solutions that are not of this clip.
    """
    if max_miss is not None and not 0.0 <= max_miss < math.inf:
        raise InputError(f"plot_error: max_miss is {max_miss!r} (a length, 0 or more)")
    curves = [_curve(clip, name, solution) for name, solution in solutions.items()]
    wide, high = checked_size(size or (860, int(TOP + BOTTOM) + 110 * max(len(curves), 1)))
    name = title if title is not None else clip.name
    page = Page((wide, high), name or "error")
    page.text((EDGE, 18.0), f"{name}: miss [{unit}]" if name else f"miss [{unit}]", color=INK)
    _legend(page, curves)
    tall = (high - TOP - BOTTOM - GAP * (len(curves) - 1)) / max(len(curves), 1)
    span = (float(clip.times[0]), max(float(clip.times[-1]), float(clip.times[0]) + 1.0 / clip.fps))
    for i, curve in enumerate(curves):
        top = TOP + i * (tall + GAP)
        _panel(page, curve, clip.times, span, Box(LEFT, top, wide - RIGHT, top + max(tall, 1.0)), max_miss=max_miss)
    _time_axis(page, span)
    return page.svg()


EDGE = 10.0  # [px]


@dataclass(frozen=True)
class Curve:
    """One limb along time: error (T,) [length], why (T,)."""

    name: str
    error: Array
    why: Array

    @property
    def causes(self) -> list[Why]:
        """The causes that acted in any frame."""
        return [flag for flag in CAUSES if (self.why.astype(int) & int(flag)).any()]


def _curve(clip: Clip, name: str, solution: Solution) -> Curve:
    error, why = np.asarray(solution.error, dtype=np.float64), np.asarray(solution.why)
    if error.shape != (len(clip),):
        raise InputError(f'plot_error: "{name}" has errors of shape {error.shape} ({(len(clip),)} for this clip)')
    return Curve(name, error, np.broadcast_to(why, error.shape))


def _panel(
    page: Page, curve: Curve, times: Array, span: tuple[float, float], box: Box, *, max_miss: float | None
) -> None:
    """Axes, stripes, threshold and the curve of one limb."""
    peak = max(float(curve.error.max()), max_miss or 0.0)
    top = nice(peak * 1.05) if peak > 0.0 else 1.0
    floor = box.bottom - STRIPE * len(curve.causes) - 2.0

    def at(time: float, value: float) -> tuple[float, float]:
        x = box.left + (time - span[0]) / (span[1] - span[0]) * (box.right - box.left)
        return x, floor - value / top * (floor - box.top)

    page.text((EDGE, box.top + 8.0), curve.name, size=10.0, weight=1.2, room=LEFT - EDGE - 4.0)
    for value in (0.0, top / 2.0, top):
        y = at(span[0], value)[1]
        page.line((box.left, y), (box.right, y), stroke=RULE, stroke_width=0.8)
        label = (box.left - 5.0, y + (9.0 if value == top else 3.5))
        page.text(label, measure(value), size=9.0, color=FAINT, anchor="end")
    _stripes(page, curve, [at(float(t), 0.0)[0] for t in times], floor + 2.0)
    if max_miss is not None:
        page.line(at(span[0], max_miss), at(span[1], max_miss), stroke=SHORTFALL, stroke_width=1.2,
                  stroke_dasharray="6 4", class_="threshold")  # fmt: skip
    page.path([at(float(t), float(e)) for t, e in zip(times, curve.error, strict=True)], fill="none", stroke=INK,
              stroke_width=1.5, stroke_linejoin="round", class_="error")  # fmt: skip


def _stripes(page: Page, curve: Curve, xs: Sequence[float], top: float) -> None:
    """Under the curve, for every cause a stripe over the frames it acted in."""
    edges = [xs[0], *((a + b) / 2.0 for a, b in pairwise(xs)), xs[-1]]
    for row, flag in enumerate(curve.causes):
        acted = [False, *((curve.why.astype(int) & int(flag)) != 0).tolist(), False]
        starts = [i for i in range(len(xs)) if acted[i + 1] and not acted[i]]
        ends = [i for i in range(len(xs)) if acted[i + 1] and not acted[i + 2]]
        y = top + STRIPE * row
        for first, last in zip(starts, ends, strict=True):
            page.add("rect", x=edges[first], y=y, width=max(edges[last + 1] - edges[first], 1.0), height=STRIPE - 1.0,
                     fill=CAUSES[flag], class_="cause", aria_label=flag.name)  # fmt: skip


def _legend(page: Page, curves: Sequence[Curve]) -> None:
    x = LEFT
    for flag in CAUSES:
        if any(flag in curve.causes for curve in curves):
            page.add("rect", x=x, y=26.0, width=10.0, height=8.0, fill=CAUSES[flag])
            page.text((x + 14.0, 34.0), str(flag.name), size=10.0)
            x += 100.0


def _time_axis(page: Page, span: tuple[float, float]) -> None:
    wide, high = page.size
    step = nice((span[1] - span[0]) / 8.0)
    for k in range(math.ceil(span[0] / step - 1e-9), math.floor(span[1] / step + 1e-9) + 1):
        x = LEFT + (k * step - span[0]) / (span[1] - span[0]) * (wide - LEFT - RIGHT)
        page.line((x, high - BOTTOM), (x, high - BOTTOM + 4.0), stroke=FAINT, stroke_width=1.0)
        page.text((x, high - BOTTOM + 15.0), num(k * step), size=9.0, color=FAINT, anchor="middle")
    page.text((wide - RIGHT, high - 6.0), "time [s]", size=9.0, color=FAINT, anchor="end")


def nice(value: float) -> float:
    """The least of 1, 2, 5, 10, 20, … times a power of ten that is not below the value.

    >>> nice(0.3), nice(7.0)
    (0.5, 10.0)
    """
    power = 10.0 ** math.floor(math.log10(value))
    return next(factor * power for factor in (1.0, 2.0, 5.0, 10.0) if factor * power >= value * (1.0 - 1e-12))
