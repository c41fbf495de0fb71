"""Pictures: SVG written here, and pixels made from it with the `render` extra."""

from elbowroom.render.limbpicture import draw_limb
from elbowroom.render.page import View
from elbowroom.render.picture import film, picture, save_picture
from elbowroom.render.plot import plot_error
from elbowroom.render.raster import to_gif, to_png, to_webp
from elbowroom.render.scene import draw
from elbowroom.render.strip import strip

__all__ = [
    "View", "draw", "draw_limb", "film", "picture", "plot_error", "save_picture", "strip",
    "to_gif", "to_png", "to_webp",
]  # fmt: skip
