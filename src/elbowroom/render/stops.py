"""Joint limits as shapes: where each bone may stand, and the region that the limb's end can reach.

On one side of a limb its end and its two angles belong to each other one to one. So the border of the region is the
image of the border of the ranges: the arcs that the end runs along while one joint stands at a limit, straight or
folded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import pi

import numpy as np

from elbowroom.errors import InputError
from elbowroom.render.page import Array, Page, num
from elbowroom.render.style import BLUE
from elbowroom.rig import affine
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.pose import Pose
from elbowroom.solve.geometry import Limb as Measures
from elbowroom.solve.geometry import along, linear, turned
from elbowroom.solve.hung import Hung

TURN = 2.0 * pi
FINE = pi / 90.0  # [rad] between the points of an arc: its chords are off by 0.015 % of its radius
RADIUS = 0.36  # [fraction of its bone] of the fan at a joint
AT_END = 1e-6  # [rad] a bone so near to its limit stands at it
REGION, FAN = "#e3eff7", "#c5dcec"

Range = tuple[float, float]
End = Callable[[Array, Array], Array]  # angles (k,), (k,) of both segments [rad] -> (k, 2) from the root


@dataclass(frozen=True)
class Stops:
    """The limits of one limb in one frame, in the world.

    fans : for each joint (k, 2), the ends of its bone from that joint, from the low end of its range to the high one
    region : pieces of what the end can reach, each of one or two closed outlines (k, 2) from the limb's root
    """

    fans: tuple[Array, ...]
    region: tuple[tuple[Array, ...], ...]

    def stretched(self, k: float) -> Stops:
        """The same for a limb k times as long."""
        region = tuple(tuple(k * outline for outline in piece) for piece in self.region)
        return replace(self, fans=tuple(k * fan for fan in self.fans), region=region)


def of_limb(limits: object, lengths: Array, angles: Array, *, bend: int, base: float) -> Stops:
    """The limits (n, 2) [rad] of a limb alone, as given to the solver; InputError for another shape."""
    try:
        ranges = np.asarray(limits, dtype=np.float64)
    except (TypeError, ValueError):
        ranges = np.empty(0)
    if ranges.shape != (len(lengths), 2) or not np.isfinite(ranges).all():
        raise InputError(f"draw_limb: limits {limits!r} ({len(lengths)} ranges low, high in radians)")
    for i, (low, high) in enumerate(ranges.tolist()):
        if low > high:
            raise InputError(f"draw_limb: limits[{i}]: low {low:g} is above high {high:g} (give low first, then high)")
    bones = np.stack([lengths, np.zeros_like(lengths)], axis=-1)
    starts = base + np.concatenate([[0.0], np.cumsum(angles)[:-1]])
    fans = tuple(turned(bone, start + arc(*r)) for bone, start, r in zip(bones, starts, ranges, strict=True))

    def end(first: Array, second: Array) -> Array:
        return turned(bones[0], base + first) + turned(bones[1], base + first + second)

    return Stops(fans, region_of(ranges, bend, end) if len(bones) == 2 else ())


def of_pose(constraint: IKConstraint, pose: Pose, bend: int) -> Stops | None:
    """The limits of a constraint of one or two bones on one solved pose, its stretch included; None without."""
    if constraint.limits is None or len(constraint.bones) > 2:
        return None
    bones = [pose.skeleton.index(name) for name in constraint.bones]
    hung, limb = Hung.of(pose, pose.world(), bones[0]), Measures.of(pose, bones)
    ranges = limb.ranges(constraint.limits)
    if ranges is None or bool(hung.flat):
        return None
    fans = [along(hung.frame, turned(limb.first, arc(*ranges[0]) - limb.rests[0]))]
    if len(bones) == 1:
        return Stops((fans[0],), ())

    def lower(second: Array) -> Array:
        return turned(limb.tip, limb.side * second - limb.rests[1])

    def end(first: Array, second: Array) -> Array:
        bent = affine.apply(limb.axes, limb.offset + lower(second))
        return along(hung.frame, turned(bent, first - limb.rests[0]))

    stands = hung.inner(pose.rotation[..., bones[0]])
    fans.append(along(hung.frame, turned(affine.apply(linear(limb.axes), lower(arc(*ranges[1]))), stands)))
    return Stops(tuple(fans), region_of(ranges, bend * int(limb.side), end))


def region_of(ranges: Array, bend: int, end: End) -> tuple[tuple[Array, ...], ...]:
    """Outlines of what the end reaches with both angles in their ranges and the elbow on the side of `bend`."""
    (low, high), second = ranges
    pieces = on_side(second, bend) or on_side(second, 0)
    first, whole = arc(low, high), high - low >= TURN
    found: list[tuple[Array, ...]] = []
    for a, b in pieces:
        near, far = (end(first, np.full(len(first), angle)) for angle in (a, b))
        if whole:
            found.append((near, far))
            continue
        lower = arc(a, b)
        out, back = end(np.full(len(lower), first[-1]), lower), end(np.full(len(lower), first[0]), lower[::-1])
        found.append((np.concatenate([near, out, far[::-1], back]),))
    return tuple(found)


def on_side(limits: Sequence[float] | Array, bend: int) -> list[Range]:
    """The parts of a range of elbow angles [rad] that put the elbow left (1) or right (−1) of the way, or (0) both.

    >>> on_side((-1.0, 2.0), 1), on_side((-1.0, 2.0), -1), on_side((1.0, 2.0), 1)
    ([(-1.0, 0.0)], [(0.0, 2.0)], [])
    """
    low, high = float(limits[0]), float(limits[1])
    low, high = (-pi, pi) if high - low >= TURN else (low, high)
    sides = {1: (-1.0,), -1: (0.0,), 0: (-1.0, 0.0)}[bend]
    starts = [(turn + side / 2.0) * TURN for turn in range(int(low // TURN), int(high // TURN) + 2) for side in sides]
    parts = [(max(low, start), min(high, start + pi)) for start in starts]
    wide = [(a, b) for a, b in parts if b > a]
    return wide or [(a, b) for a, b in parts if b == a][:1]


def arc(low: float, high: float) -> Array:
    """Angles from low to high, a turn at most, near enough to each other for a smooth line: (k,) [rad]."""
    width = min(high - low, TURN)
    return np.linspace(low, low + width, max(2, int(np.ceil(width / FINE)) + 1))


def draw_region(page: Page, root: Array, stops: Stops, *, filled: bool = True) -> None:
    """What the limb's end can reach."""
    fill = {"fill": REGION if filled else "none", "fill_rule": "evenodd"}
    for style in (fill, {"fill": "none", "stroke": BLUE, "stroke_width": 0.9}):
        for piece in stops.region:
            d = "".join(f"M{_line(page, root + outline)}Z" for outline in piece)
            page.add("path", d=d, class_="region", stroke_linejoin="round", **style)


def draw_fans(page: Page, joints: Array, stops: Stops) -> None:
    """At every joint that has limits the angles its bone may have."""
    for joint, fan in zip(joints, stops.fans, strict=False):
        if not _whole(fan):
            corners = np.concatenate([joint[np.newaxis], joint + RADIUS * fan])
            page.add("path", d=f"M{_line(page, corners)}Z", class_="fan", fill=FAN, stroke=BLUE, stroke_width=0.9,
                     stroke_linejoin="round")  # fmt: skip


def draw_ends(page: Page, joints: Array, stops: Stops) -> None:
    """A heavy line where a bone stands at the end of its range."""
    for joint, tip, fan in zip(joints, joints[1:], stops.fans, strict=False):
        limit = next((end for end in (fan[0], fan[-1]) if _alike(end, tip - joint)), None)
        if limit is not None and not _whole(fan):
            page.line(page.point(joint), page.point(joint + 1.25 * RADIUS * limit), class_="stop", stroke=BLUE,
                      stroke_width=3.0, stroke_linecap="round")  # fmt: skip


def _whole(fan: Array) -> bool:
    """Whether a fan goes all around."""
    return len(fan) > 2 and _alike(fan[0], fan[-1])


def _alike(a: Array, b: Array) -> bool:
    """Whether two vectors point the same way."""
    across, ahead = float(a[0] * b[1] - a[1] * b[0]), float(a[0] * b[0] + a[1] * b[1])
    return ahead > 0.0 and abs(across) <= AT_END * ahead


def _line(page: Page, points: Array) -> str:
    return "L".join(f"{num(x)} {num(y)}" for x, y in map(page.point, points))
