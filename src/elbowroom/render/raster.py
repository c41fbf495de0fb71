"""SVG to pixels: PNG, GIF and WebP, with the `render` extra."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elbowroom.errors import InputError
from elbowroom.render.style import PALETTE
from elbowroom.rig.files import write_bytes

if TYPE_CHECKING:
    from PIL.Image import Image

PathLike = str | os.PathLike[str]
EXTRA = 'needs the "render" extra (pip install "elbowroom[render]")'
FASTEST_GIF = 50.0  # [1/s] viewers play a GIF frame of less than 1/50 s as a slow one
COLORS, SAMPLED = 112, 6  # colours of a GIF's one palette that are taken from frames, and from how many
ALIKE = 7  # levels of a colour that make none of its own: matching looks at the upper six bits


def to_png(svg: str, path: PathLike, *, zoom: float = 1.0) -> Path:
    """Write an SVG as PNG, `zoom` times its size; the file appears whole or not at all.

    Raises InputError without the `render` extra, FormatError where the file cannot be written.
    """
    data = _png(svg, zoom)
    write_bytes(path, data)
    return Path(path)


def to_gif(frames: Iterable[str], path: PathLike, fps: float = 30.0) -> Path:
    """Write SVG frames as a looping GIF with one palette, so that nothing flickers.

    fps : [1/s], at most 50. A GIF counts hundredths of a second: frames take turns of them, so that the sum is right.
    Identical frames in a row become one that lasts longer.
    Raises InputError for an odd fps, no frames or a missing extra, FormatError where the file cannot be written.
    """
    if not 0.0 < fps <= FASTEST_GIF:
        raise InputError(f"gif: fps is {fps!r} (above 0, at most {FASTEST_GIF:g}: viewers show faster ones slower)")
    pages = _pages(frames, "gif")
    palette, plain = _palette(pages), _pillow().Dither.NONE  # dots of dither would crawl
    delays = [10 * (round(100 * (i + 1) / fps) - round(100 * i / fps)) for i in range(len(pages))]
    return _save((_opened(page).quantize(palette=palette, dither=plain) for page in pages), path, "GIF",
                 duration=delays, optimize=False)  # fmt: skip


def to_webp(frames: Iterable[str], path: PathLike, fps: float = 30.0) -> Path:
    """Write SVG frames as a looping WebP without loss. Errors as in `to_gif`; fps at most 1000."""
    if not 0.0 < fps <= 1000.0:
        raise InputError(f"webp: fps is {fps!r} (above 0, at most 1000)")
    pages = _pages(frames, "webp")
    delays = [round(1000 * (i + 1) / fps) - round(1000 * i / fps) for i in range(len(pages))]
    return _save(map(_opened, pages), path, "WEBP", duration=delays, lossless=True, method=4)


def _save(images: Iterator[Image], path: PathLike, kind: str, **options: Any) -> Path:
    file = io.BytesIO()
    next(images).save(file, kind, save_all=True, append_images=images, loop=0, **options)
    write_bytes(path, file.getvalue())
    return Path(path)


def _pages(frames: Iterable[str], kind: str) -> list[bytes]:
    """The frames as PNG files in memory, a hundredth of their pixels; all of one size."""
    pages = [_png(svg, 1.0) for svg in frames]
    if not pages:
        raise InputError(f"{kind}: there are no frames (one SVG or more)")
    sizes = [page[16:24] for page in pages]  # width and height in the head of a PNG
    odd = [i for i, size in enumerate(sizes) if size != sizes[0]]
    if odd:
        raise InputError(f"{kind}: frame {odd[0]} has another size than frame 0 (one size for all)")
    return pages


def _opened(page: bytes) -> Image:
    image: Image = _pillow().open(io.BytesIO(page)).convert("RGB")
    return image


def _palette(pages: Sequence[bytes]) -> Image:
    """One palette for all frames: the exact colours, and shades from some frames put below each other."""
    some = [_opened(page) for page in [*pages[:: -(-len(pages) // SAMPLED)], pages[-1]]]
    wide, high = some[0].size
    tall: Image = _pillow().new("RGB", (wide, high * len(some)))
    for i, image in enumerate(some):
        tall.paste(image, (0, high * i))
    found = tall.quantize(colors=COLORS).getpalette() or []
    exact = [(255, 255, 255), *(tint for color in PALETTE for tint in _tints(color))]
    shades = [tuple(found[i : i + 3]) for i in range(0, len(found), 3)]
    apart = [s for s in shades if all(max(abs(x - y) for x, y in zip(s, e, strict=True)) > ALIKE for e in exact)]
    palette: Image = _pillow().new("P", (1, 1))
    palette.putpalette([level for color in (*exact, *apart) for level in color])
    return palette


def _tints(color: str) -> list[tuple[int, ...]]:
    """A colour and what smoothed edges make of it on white: a palette has them, however few frames show it."""
    levels = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
    return [tuple(255 - (255 - level) * part // 3 for level in levels) for part in (3, 2, 1)]


def _png(svg: str, zoom: float) -> bytes:
    if not 0.0 < zoom <= 16.0:
        raise InputError(f"png: zoom is {zoom!r} (above 0, at most 16)")
    return bytes(_resvg()(svg_string=svg, skip_system_fonts=True, zoom=None if zoom == 1.0 else zoom))


def _resvg() -> Callable[..., bytes]:
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise InputError(f"drawing pixels {EXTRA}; SVG needs nothing") from None
    found: Callable[..., bytes] = svg_to_bytes
    return found


def _pillow() -> Any:
    try:
        from PIL import Image
    except ImportError:
        raise InputError(f"drawing pixels {EXTRA}; SVG needs nothing") from None
    return Image
