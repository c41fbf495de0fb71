"""From a keyed pose and its targets to the solved pose, and from a solved clip to keys."""

from elbowroom.solve.bake import bake
from elbowroom.solve.order import solve

__all__ = ["bake", "solve"]
