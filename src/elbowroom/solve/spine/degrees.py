"""Angles as the runtimes have them; see `elbowroom.kernel.degrees`."""

from elbowroom.kernel.degrees import (
    DEG,
    PI,
    RAD,
    Row,
    Where,
    angle,
    angle_deg,
    sincos,
    sincos_deg,
    size,
    wrap_once,
    wrap_once_deg,
)

__all__ = [
    "DEG",
    "PI",
    "RAD",
    "Row",
    "Where",
    "angle",
    "angle_deg",
    "sincos",
    "sincos_deg",
    "size",
    "wrap_once",
    "wrap_once_deg",
]
