"""The two-bone limb in space: the elbow turns toward a pole point. The geometry is in limb_3d.py."""

from __future__ import annotations

from typing import Any, Self

from elbowroom.errors import InputError
from elbowroom.kernel.anywhere import limb_angles
from elbowroom.kernel.engine import check_engine
from elbowroom.kernel.flow import TOLERANCE
from elbowroom.kernel.inputs import Call
from elbowroom.kernel.limb_3d import full_limb_3d, length_3d, plane
from elbowroom.kernel.reach import curve_code
from elbowroom.kernel.reading import first, index, is_array, nested
from elbowroom.kernel.solution import FIELDS, Solution, Why
from elbowroom.kernel.two_bone import place

NOWHERE = (0.0, 0.0, 0.0)  # the last side when there is none


class Solution3D(Solution):
    """A Solution in space: .joints (..., 3, 3), .direction (..., 3), and

    .side (..., 3) unit   across the direction, toward the elbow: the next frame's `side`
    """

    __slots__ = ("side",)
    side: Any

    def __getattr__(self, name: str) -> Any:
        # Reached only while a slot is empty.
        if name != "side":
            return super().__getattr__(name)
        self.side = self._later(self._state, "side")
        return self.side

    def replace(self, **fields: Any) -> Self:
        """The same solution with some fields exchanged."""
        return super().replace(**{"side": self.side} | fields)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, ({name: getattr(self, name) for name in (*FIELDS, "side")},)

    def __repr__(self) -> str:
        shape = getattr(self.joints, "shape", None)
        if shape is None or len(shape) == 2:
            return f"Solution3D(error={self.error!r}, why={self.why!r}, joints={self.joints!r})"
        return super().__repr__()


def _rebuild(fields: dict[str, Any]) -> Solution3D:
    return Solution3D(**fields)


def two_bone_3d(
    root: Any,
    target: Any,
    upper: Any,
    lower: Any,
    pole: Any,
    *,
    softness: Any = 0.0,
    curve: str = "exponential",
    max_stretch: Any = 0.0,
    fallback: Any = (1.0, 0.0, 0.0),
    side: Any = None,
    engine: str = "auto",
) -> Solution3D:
    """Solve an arm or a leg in space: the end goes to the target, the elbow toward the pole.

    root, target, pole : (..., 3) [length]      in one space; the limb lies in the plane of the three, and the elbow on
                                                the pole's side of the line through root and target
    upper, lower : (...) [length]               bone lengths, >= 0
    softness : (...) [fraction of reach]        0..1; curve: "exponential", "cubic", "quadratic"
    max_stretch : (...) [fraction]              bones may be scaled within 1 +- max_stretch to close the miss
    fallback : (..., 3)                         where to aim when the target is exactly on the root
    side : (..., 3)                             where the elbow was last, as a direction (the frame before's `.side`):
                                                used while the pole is within 1e-9 of the reach of the line. Without it,
                                                or along the line itself, the elbow goes level, left of the line seen
                                                from +z, or along the y axis if the line is steep: DEGENERATE
    engine : "auto", "numpy" or "numba"         for batches; all give the same bits
    Returns Solution3D: a Solution whose joints are (..., 3, 3) and `direction` (..., 3), and with `.side` (..., 3).
    `.angles` (..., 2) lie in the limb's own plane, with `direction` as x and `side` as y: first the upper bone's from
    the line root -> target, 0 to pi, then the lower bone's from the upper one, -pi to 0, as of two_bone with bend 1. So
    joint i = root + x direction + y side, where (x, y) is joint i of fk((0, 0), angles, lengths).
    Raises InputError for NaN, infinite or > 1e150 numbers, wrong shapes, values out of range.
    Source: the brackets of two_bone in the plane of the pole.

    >>> arm = two_bone_3d((0, 0, 0), (0, 0, 8), 5, 5, pole=(0, 100, 0))
    >>> arm.joints[1], arm.side
    ((0.0, 3.0, 4.0), (0.0, 1.0, 0.0))
    """
    call = Call("two_bone_3d")
    for name, value in (("root", root), ("target", target), ("pole", pole)):
        vector(call, name, value)
    call.number("upper", upper, low=0.0)
    call.number("lower", lower, low=0.0)
    call.number("softness", softness, low=0.0, high=1.0)
    call.constant(curve_code(curve))
    call.number("max_stretch", max_stretch, low=0.0)
    vector(call, "fallback", fallback, zero=False)
    vector(call, "side", NOWHERE if side is None else side)
    check_engine(engine)
    if call.plain:
        return gather_3d([_one(*element) for element in zip(*call.columns, strict=True)], call.shape)
    from elbowroom.kernel.batch_3d import LimbBatch3D

    batch = LimbBatch3D(call.columns, call.shape, engine)
    return Solution3D(LimbBatch3D.later, batch, joints=batch.joints())


def vector(call: Call, name: str, value: Any, *, zero: bool = True) -> None:
    """Add an argument of shape (..., 3); with zero=False no element may be (0, 0, 0)."""
    call.row(name, value)
    found = call._values[-1]
    if call.widths[name] != 3:
        shape = (*found.shape, call.widths[name])
        raise InputError(f"{call.where} {name}: shape {shape} does not fit (give x, y, z: shape (..., 3))")
    if zero:
        return
    data = found.data
    if is_array(data):
        broken = (data == 0.0).all(axis=-1).reshape(-1)
    else:
        broken = [data[i : i + 3] == [0.0] * 3 for i in range(0, len(data), 3)]
    for at in first(broken):
        where = f"{call.where} {name}{index(at, found.shape)}"
        raise InputError(f"{where}: (0, 0, 0) has no direction (give a vector that is not zero)")


def _one(
    rx: float, ry: float, rz: float, tx: float, ty: float, tz: float, vx: float, vy: float, vz: float,
    a: float, b: float, softness: float, curve: float, stretch: float, *guides: float,
) -> Solution3D:  # fmt: skip
    """One limb of plain numbers; guides: fallback and last side."""
    dx, dy, dz = tx - rx, ty - ry, tz - rz
    way = dx, dy, dz, vx - rx, vy - ry, vz - rz
    found = full_limb_3d(*way, a, b, softness, curve, stretch, *guides)
    ex, ey, ez, gx, gy, gz, along, across, sp, sq, k, flags = found
    error = length_3d(gx - dx, gy - dy, gz - dz)
    end = place(rx, gx, dx, tx), place(ry, gy, dy, ty), place(rz, gz, dz, tz)
    return Solution3D(
        _later, ((along, across, sp, sq), (*way, a + b, *guides)),
        joints=((rx, ry, rz), (rx + ex, ry + ey, rz + ez), end), error=error, reached=error <= TOLERANCE * (a + b),
        why=Why(int(flags)), over=(0.0, 0.0), stretch=k, iterations=0,
    )  # fmt: skip


def _later(state: tuple[Any, ...], name: str) -> Any:
    (along, across, sp, sq), frame = state
    if name == "angles":
        return limb_angles(along, across, sp, sq, 1.0, 0.0)
    found = plane(*frame)
    return found[:3] if name == "direction" else found[3:6]


def gather_3d(parts: list[Solution3D], shape: tuple[int, ...]) -> Solution3D:
    """Solutions of single elements as one solution of nested tuples."""
    return parts[0] if not shape else Solution3D(_gather_later, (parts, shape))


def _gather_later(state: tuple[list[Solution3D], tuple[int, ...]], name: str) -> Any:
    parts, shape = state
    return nested([getattr(part, name) for part in parts], shape)
