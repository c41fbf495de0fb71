"""A page of SVG, and the one place where the world's y up becomes the page's y down."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
import numpy.typing as npt

from elbowroom.errors import InputError
from elbowroom.render import font
from elbowroom.render.style import INK

Array = npt.NDArray[np.float64]
Size = tuple[int, int]
LARGEST = 8192  # [px] a side; beyond, rasterisers and viewers give up
FAR_OFF = 1e5  # [px] where a coordinate is cut: nobody sees it, and every reader of SVG still takes the number


@dataclass(frozen=True)
class View:
    """The part of the world that is shown [length]; hand the same one to every frame and nothing jumps."""

    left: float
    bottom: float
    right: float
    top: float

    def __post_init__(self) -> None:
        if not (np.isfinite([self.left, self.bottom, self.right, self.top]).all() and self.left < self.right
                and self.bottom < self.top):  # fmt: skip
            raise InputError(
                f"view: left {self.left:g}, bottom {self.bottom:g}, right {self.right:g}, top {self.top:g} "
                "(left below right, bottom below top)"
            )

    @classmethod
    def around(cls, points: npt.ArrayLike, *, margin: float = 0.06) -> View:
        """The smallest view of points (..., 2), and a margin [fraction of its larger side]; never of size 0."""
        flat = np.asarray(points, dtype=np.float64).reshape(-1, 2)
        low, high = flat.min(axis=0), flat.max(axis=0)
        side = float((high - low).max())
        side = side if side > 1e-9 * float(np.abs(flat).max(initial=0.0)) else max(float(np.abs(flat).max()), 1.0)
        (left, bottom), (right, top) = low - side * margin, high + side * margin
        return cls(float(left), float(bottom), float(right), float(top))


def num(value: float) -> str:
    """A page coordinate with two digits at most, the same text for the same number everywhere."""
    text = f"{min(max(value, -FAR_OFF), FAR_OFF):.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def checked_size(size: Sequence[float]) -> Size:
    """(width, height) in whole pixels. InputError for anything else."""
    try:
        wide, high = (int(side) for side in size)
        fits = (wide, high) == tuple(size) and 16 <= wide <= LARGEST and 16 <= high <= LARGEST
    except (TypeError, ValueError, OverflowError):
        fits = False
    if not fits:
        raise InputError(f"size: {size!r} (width and height in whole pixels, 16 to {LARGEST})")
    return wide, high


@dataclass(frozen=True)
class Box:
    """A rectangle of the page [px], y down."""

    left: float
    top: float
    right: float
    bottom: float


class Page:
    """Collects SVG elements; `point` puts the world of `view` into `box` of a page of `size` [px]."""

    def __init__(self, size: Sequence[float], title: str, *, view: View | None = None, box: Box | None = None) -> None:
        self.size = checked_size(size)
        self.title = title
        self.parts: list[str] = []
        self.aim(view or View(0.0, 0.0, *map(float, self.size)), box or Box(0.0, 0.0, *map(float, self.size)))

    def aim(self, view: View, box: Box) -> None:
        """From now on `view` is shown in `box`: as large as it fits, in the middle, one scale for both axes."""
        wide, high = view.right - view.left, view.top - view.bottom
        self.view, self.box = view, box
        self.scale = min((box.right - box.left) / wide, (box.bottom - box.top) / high)
        self._left = (box.left + box.right - wide * self.scale) / 2.0
        self._bottom = (box.top + box.bottom + high * self.scale) / 2.0

    def point(self, p: Sequence[float] | Array) -> tuple[float, float]:
        """World (x, y), y up [length], to page (x, y), y down [px]."""
        x = self._left + (float(p[0]) - self.view.left) * self.scale
        return x, self._bottom - (float(p[1]) - self.view.bottom) * self.scale

    def add(self, tag: str, **attributes: object) -> None:
        """An element; numbers are rounded, underscores in names become dashes."""
        words = (
            f'{name.rstrip("_").replace("_", "-")}="{num(v) if isinstance(v, float) else escape(str(v))}"'
            for name, v in attributes.items()
            if v is not None
        )
        self.parts.append(f"<{tag} {' '.join(words)}/>")

    def group(self, **attributes: object) -> None:
        """Open a group; `end` closes it."""
        self.add("g", **attributes)
        self.parts[-1] = self.parts[-1][:-2] + ">"

    def end(self) -> None:
        """Close the group."""
        self.parts.append("</g>")

    def line(self, a: Sequence[float], b: Sequence[float], **style: object) -> None:
        """A line between two page points."""
        self.add("line", x1=float(a[0]), y1=float(a[1]), x2=float(b[0]), y2=float(b[1]), **style)

    def circle(self, center: Sequence[float], radius: float, **style: object) -> None:
        """A circle around a page point."""
        self.add("circle", cx=float(center[0]), cy=float(center[1]), r=float(radius), **style)

    def path(self, points: Iterable[Sequence[float]], *, closed: bool = False, **style: object) -> None:
        """A polyline, or a polygon, of page points."""
        text = "L".join(f"{num(x)} {num(y)}" for x, y in points)
        self.add("path", d=f"M{text}{'Z' if closed else ''}", **style)

    def text(self, at: Sequence[float], text: str, *, size: float = 11.0, color: str = INK, anchor: str = "start",
             room: float | None = None, weight: float = 1.0, halo: bool = False) -> None:  # fmt: skip
        """Text as strokes from, around or up to a page point on its baseline; cut where wider than `room`.

        halo : a white rim, to be read on top of bones
        """
        shown = text if room is None else font.shorten(text, room, size)
        shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * font.width(shown, size)
        strokes = font.strokes(shown, float(at[0]) - shift, float(at[1]), size)
        d = "".join(command + " ".join(num(v) for v in numbers) for command, numbers in strokes)
        thick, round_ = size * 0.095 * weight, {"stroke_linecap": "round", "stroke_linejoin": "round"}
        if d and halo:
            self.add("path", d=d, fill="none", stroke="#ffffff", stroke_width=thick + 2.4, **round_)
        if d:
            self.add("path", d=d, fill="none", stroke=color, stroke_width=thick, **round_, aria_label=shown)

    def svg(self) -> str:
        """The document."""
        wide, high = self.size
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}" '
            f'role="img">\n<title>{escape(self.title)}</title>\n'
        )
        ground = f'<rect width="{wide}" height="{high}" fill="#ffffff"/>'
        return head + "\n".join([ground, *self.parts]) + "\n</svg>\n"
