"""How far the elbow of a limb in space is turned around the line from its root to its target."""

from __future__ import annotations

from typing import Any

from elbowroom.kernel.inputs import Call
from elbowroom.kernel.limb_3d import swivel_angle
from elbowroom.kernel.two_bone_3d import vector


def swivel(root: Any, target: Any, elbow: Any, reference: Any) -> Any:
    """The swivel angle of an elbow, the one freedom that a limb in space has left.

    root, target, elbow : (..., 3) [length]
    reference : (..., 3)     the direction from which it is measured, such as (0, -1, 0) for down
    Returns (...) [rad] in (-pi, pi], positive by the right hand around root -> target; 0 where there is no such angle:
    target on the root, elbow on the line, reference along the line. Raises InputError.

    >>> round(swivel((0, 0, 0), (0, 0, 8), elbow=(0, 3, 4), reference=(1, 0, 0)), 4)
    1.5708
    """
    call = Call("swivel")
    for name, value in (("root", root), ("target", target), ("elbow", elbow)):
        vector(call, name, value)
    vector(call, "reference", reference, zero=False)
    if call.plain:
        return call.map(_swivel)
    from elbowroom.kernel.batch_3d import rows

    rx, ry, rz, tx, ty, tz, ex, ey, ez, *direction = call.columns
    return call.shaped(rows().swivel_angle(tx - rx, ty - ry, tz - rz, ex - rx, ey - ry, ez - rz, *direction))


def _swivel(
    rx: float, ry: float, rz: float, tx: float, ty: float, tz: float, ex: float, ey: float, ez: float, *direction: float
) -> float:
    return swivel_angle(tx - rx, ty - ry, tz - rz, ex - rx, ey - ry, ez - rz, *direction)
