"""What a limb can reach, where it should go, and what is missing: ring, cross, dashed line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from elbowroom.render import font, stops
from elbowroom.render.page import Page
from elbowroom.render.shots import Limb
from elbowroom.render.style import FAINT, INK, RULE, SHORTFALL, TARGET, causes

Point = tuple[float, float]
CROSS = 5.0  # [px] half a target cross
LABEL = 11.0  # [px] size of a label
WAYS = ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.4), (1.0, 1.0), (-1.0, 1.0), (1.0, -1.4), (-1.0, -1.4))
SHORT = 24.0  # [px] a missing piece too short for a label beside it


def ring(page: Page, limb: Limb, *, band: bool = False, heated: bool = False) -> None:
    """The annulus of a limb of two bones or more: all points it can touch; with `band` the soft part of it.

    heated : the ring is coloured already, and what limits leave of it is drawn as an outline
    """
    if len(limb.joints) < 3 or limb.reach <= 0.0 or limb.mix == 0.0:
        return
    center, outer = page.point(limb.joints[0]), limb.reach * page.scale
    onset = outer * (1.0 - limb.softness)
    if band and limb.softness > 0.0:
        page.circle(center, (outer + onset) / 2.0, fill="none", stroke="#fdf5c4", stroke_width=outer - onset)
    page.circle(center, outer, fill="none", stroke="#b8b8b8", stroke_width=1.0)
    if limb.softness > 0.0:
        page.circle(center, onset, fill="none", stroke=RULE, stroke_width=0.8, stroke_dasharray="2 4")
    if limb.hole * page.scale > 0.5:
        page.circle(center, limb.hole * page.scale, fill="#f3f3f3", stroke="#b8b8b8", stroke_width=1.0)
    if limb.stops is not None:
        stops.draw_region(page, limb.joints[0], limb.stops, filled=not heated)


def limits(page: Page, limb: Limb, *, over: bool) -> None:
    """At every joint of a limited limb the angles it may have, to be drawn under bones; what lies over them."""
    if limb.stops is not None:
        (stops.draw_ends if over else stops.draw_fans)(page, limb.joints, limb.stops)


def goals(page: Page, limbs: Sequence[Limb], *, size: float = CROSS, label: bool = True, shortest: float = 0.0) -> None:
    """Of every limb its target and what it misses it by; labels, from `shortest` [px] on, keep off all targets.

    Limbs whose mix is 0 have none.
    """
    limbs = [limb for limb in limbs if limb.mix > 0.0]
    for limb in limbs:
        target(page, limb, size=size)
    crosses = [page.point(limb.goal) for limb in limbs]
    for limb in limbs:
        shortfall(page, limb, label=label and limb.error * page.scale >= shortest, crosses=crosses)


def target(page: Page, limb: Limb, *, size: float = CROSS) -> None:
    """A cross where the limb should go."""
    x, y = page.point(limb.goal)
    for turn in (1.0, -1.0):
        page.line((x - size, y - turn * size), (x + size, y + turn * size), stroke=TARGET, stroke_width=2.0,
                  stroke_linecap="round")  # fmt: skip


def shortfall(page: Page, limb: Limb, *, label: bool = True, crosses: Sequence[Point] = ()) -> None:
    """A dashed line from the end of a limb to its goal, with its length; nothing where it gets there."""
    if not limb.missed:
        return
    end, goal = page.point(limb.joints[-1]), page.point(limb.goal)
    page.line(end, goal, stroke=SHORTFALL, stroke_width=1.8, stroke_dasharray="4 3", class_="shortfall")
    if label:
        text = limb.miss
        at = _free(_places(page, end, goal, text), text, crosses)
        page.text(at, text, color=SHORTFALL, weight=1.2, anchor="middle", halo=True)


def _places(page: Page, a: Point, b: Point, text: str) -> Iterator[Point]:
    """Where the label of a line from end to goal may stand: beside its middle, or past a short one; around its goal."""
    (ax, ay), (bx, by) = a, b
    length = max(((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5, 1e-9)
    along = ((bx - ax) / length, (by - ay) / length)
    up = 1.0 if along[0] > 0.0 or (along[0] == 0.0 and along[1] > 0.0) else -1.0
    half, side = font.width(text, LABEL) / 2.0, (up * along[1], -up * along[0])
    first = (b, along) if length < SHORT else (((ax + bx) / 2.0, (ay + by) / 2.0), side)
    for (x, y), (ux, uy) in (first, *((b, way) for way in WAYS)):
        x = min(max(x + ux * (half + 9.0), page.box.left + half + 2.0), page.box.right - half - 2.0)
        y = min(max(y + uy * 15.0 + 4.0, page.box.top + 12.0), page.box.bottom - 4.0)
        yield x, y


def _free(places: Iterable[Point], text: str, crosses: Sequence[Point]) -> Point:
    """The first place that leaves every cross to be seen, or else hides the fewest."""
    wide, high, low = font.width(text, LABEL) / 2.0 + CROSS + 2.0, LABEL + CROSS, CROSS + 2.0

    def hidden(at: Point) -> int:
        return sum(abs(x - at[0]) < wide and at[1] - high < y < at[1] + low for x, y in crosses)

    return min(places, key=hidden)


def caption(page: Page, limbs: Sequence[Limb], left: float, top: float, *, columns: int, rows: int) -> None:
    """Name, miss and causes of every limb, in columns; the worst of them where there is no room for all."""
    room = (page.size[0] - 2.0 * left) / columns
    shown = list(limbs)
    if len(shown) > columns * rows:
        worst = sorted(range(len(shown)), key=lambda i: -shown[i].error)[: columns * rows - 1]
        shown = [limbs[i] for i in sorted(worst)]
    for i, limb in enumerate(shown):
        at = (left + room * (i // rows), top + 15.0 * (i % rows))
        _line(page, limb, at, room - 10.0)
    if len(shown) < len(limbs):
        at = (left + room * (columns - 1), top + 15.0 * (rows - 1))
        page.text(at, f"and {len(limbs) - len(shown)} more", color=FAINT)


def _line(page: Page, limb: Limb, at: tuple[float, float], room: float) -> None:
    name = font.shorten(limb.name, room * 0.4, 11.0)
    page.text(at, name, weight=1.3)
    x = at[0] + font.width(name, 11.0) + 8.0
    said = "off" if limb.mix == 0.0 else f"misses by {limb.miss}" if limb.missed else "reached"
    flags = "" if limb.mix == 0.0 else " ".join(causes(limb.why))
    page.text((x, at[1]), said, color=SHORTFALL if limb.missed and limb.mix > 0.0 else INK, room=at[0] + room - x)
    x += font.width(said, 11.0) + 8.0
    if at[0] + room - x > 20.0:
        page.text((x, at[1]), flags, color=FAINT, room=at[0] + room - x)


def ground(page: Page, y: float, color: str) -> None:
    """A line on the ground at height y [length], through the whole box."""
    height = page.point((0.0, y))[1]
    page.line((page.box.left, height), (page.box.right, height), stroke=color, stroke_width=1.5, class_="ground")
