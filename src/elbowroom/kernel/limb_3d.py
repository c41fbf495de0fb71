"""The two-bone limb in space: the plane it lies in, and in that plane the limb of two_bone.py.

    u   unit vector root -> target; `fallback` where the target is on the root
    s   unit vector across it, toward the pole: s = n x u with n = u x (pole - root). It is made by two cross products,
        so it is square to u however near the pole is to the line; subtracting a projection would not be.
    elbow = root + along u + across s, and (along, across) is the 2D elbow of the side +1 for a target at distance d

The distance must not be rounded before P = L^2 - d^2 is: near full reach that would cost half the digits. The plain
leaf carries d^2 as hi + lo. The general leaf hands the leaf of anywhere.py two numbers (x, y) with x^2 + y^2 = d^2 to
twice the digits, so softness, stretch and every odd size are computed by the code of the plane.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from elbowroom.kernel.anywhere import F_DEGENERATE, any_limb, length, scale, size, unit
from elbowroom.kernel.exact import square, two_sum
from elbowroom.kernel.loops import LANE
from elbowroom.kernel.ops import leaf
from elbowroom.kernel.trig import atan2
from elbowroom.kernel.two_bone import elbow, limb, place, plain_full

AXIS = 1e-9  # of reach: a pole nearer to the line than this names no side
SLANT = 1e-9  # sine: a last elbow direction nearer to the line than this names none either
DIM = 1e-15  # sine: a pole in line with the limb but for this has no side left after rounding, however far it is
PLAIN_AXIS, PLAIN_DIM = 1e-17, 1e-28  # squares of both, and room: closer decisions are the general leaf's
STEEP = 0.8  # of a unit vector: beyond, z is too near to it to make a plane with
LESS = 1.0 - 2.0**-51
TINY, HUGE = 1e-40, 1e40  # outside: products of six lengths would leave the range of floats


@leaf
def cross(ax: float, ay: float, az: float, bx: float, by: float, bz: float) -> tuple[float, float, float]:
    """The vector product a x b."""
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


@leaf
def size_3d(x: float, y: float, z: float) -> float:
    """The largest magnitude."""
    return size(size(x, y), z)


@leaf
def length_3d(x: float, y: float, z: float) -> float:
    """sqrt(x^2 + y^2 + z^2) without overflow."""
    return length(length(x, y), z)


@leaf
def unit_3d(x: float, y: float, z: float, fx: float, fy: float, fz: float) -> tuple[float, float, float]:
    """(x, y, z) at length 1; (fx, fy, fz) at length 1 where it is zero."""
    zero = x == 0.0 and y == 0.0 and z == 0.0
    x, y, z = fx if zero else x, fy if zero else y, fz if zero else z
    grow = scale(size_3d(x, y, z))
    x, y, z = x * grow, y * grow, z * grow
    r = sqrt(x * x + y * y + z * z)
    r = r if r > 0.0 else 1.0
    return x / r + 0.0, y / r + 0.0, z / r + 0.0


@leaf
def toward(ux: float, uy: float, uz: float, px: float, py: float, pz: float) -> tuple[float, float, float, float]:
    """Unit vector across u on the side of p (zero where p lies along u), and the sine of the angle between them."""
    qx, qy, qz = unit_3d(px, py, pz, 0.0, 0.0, 0.0)
    nx, ny, nz = cross(ux, uy, uz, qx, qy, qz)
    sine = length_3d(nx, ny, nz)
    nx, ny, nz = unit_3d(nx, ny, nz, 0.0, 0.0, 0.0)
    sx, sy, sz = cross(nx, ny, nz, ux, uy, uz)
    sx, sy, sz = unit_3d(sx, sy, sz, 0.0, 0.0, 0.0)
    return sx, sy, sz, sine


@leaf
def plane(
    dx: float, dy: float, dz: float, px: float, py: float, pz: float, reach: float,
    fx: float, fy: float, fz: float, lx: float, ly: float, lz: float,
) -> tuple[float, float, float, float, float, float, float]:  # fmt: skip
    """u, s, and 1 where s is arbitrary: by the pole p (from the root), else the last side l, else level."""
    ux, uy, uz = unit_3d(dx, dy, dz, fx, fy, fz)
    sx, sy, sz, sine = toward(ux, uy, uz, px, py, pz)
    clear = length_3d(px, py, pz) * sine > AXIS * reach and sine > DIM
    kx, ky, kz, slant = toward(ux, uy, uz, lx, ly, lz)
    known = slant > SLANT
    steep = uz > STEEP or uz < -STEEP
    # z x u: level, and left of u seen from above, as bend +1 in the plane z = 0; x x u where u is near z
    ax, ay, az = unit_3d(0.0 if steep else -uy, -uz if steep else ux, uy if steep else 0.0, 0.0, 0.0, 1.0)
    kx, ky, kz = kx if known else ax, ky if known else ay, kz if known else az
    sx, sy, sz = sx if clear else kx, sy if clear else ky, sz if clear else kz
    return ux, uy, uz, sx, sy, sz, 0.0 if clear or known else 1.0


@leaf
def swivel_angle(
    dx: float, dy: float, dz: float, ex: float, ey: float, ez: float, rx: float, ry: float, rz: float
) -> float:
    """Angle around d from the side of r to the side of e, in (-pi, pi]; 0 where one of the three gives no side."""
    ux, uy, uz = unit_3d(dx, dy, dz, 0.0, 0.0, 0.0)
    sx, sy, sz, sine = toward(ux, uy, uz, ex, ey, ez)
    kx, ky, kz, slant = toward(ux, uy, uz, rx, ry, rz)
    nx, ny, nz = cross(kx, ky, kz, sx, sy, sz)
    angle = atan2(ux * nx + uy * ny + uz * nz + 0.0, kx * sx + ky * sy + kz * sz + 0.0)
    return angle if sine > DIM and slant > DIM else 0.0


@leaf
def two_for_three(dx: float, dy: float, dz: float) -> tuple[float, float]:
    """(x, y) with x^2 + y^2 = dx^2 + dy^2 + dz^2 to twice the digits: the root, not rounded up, and what is missing.

    Where the root is exact nothing is missing: a target exactly on a bound stays there.
    """
    up = scale(size_3d(dx, dy, dz))
    xx, xx_lo = square(dx * up)
    yy, yy_lo = square(dy * up)
    zz, zz_lo = square(dz * up)
    part, part_lo = two_sum(xx, yy)
    dd, dd_lo = two_sum(part, zz)
    dd_lo = dd_lo + (part_lo + (xx_lo + yy_lo + zz_lo))
    x = sqrt(dd)
    cc, cc_lo = square(x)
    x = x * LESS if (dd - cc) + (dd_lo - cc_lo) < 0.0 else x
    cc, cc_lo = square(x)
    rest = (dd - cc) + (dd_lo - cc_lo)
    return x / up, sqrt(rest if rest > 0.0 else 0.0) / up


@leaf
def any_limb_3d(
    dx: float, dy: float, dz: float, px: float, py: float, pz: float, a: float, b: float,
    softness: float, curve: float, stretch: float,
    fx: float, fy: float, fz: float, lx: float, ly: float, lz: float,
) -> tuple[float, float, float, float, float, float, float, float, float, float, float, float]:  # fmt: skip
    """Any numbers. Elbow and end from the root, the upper bone as (along, across), sqrt P, sqrt Q, scale, flags."""
    ux, uy, uz, sx, sy, sz, arbitrary = plane(dx, dy, dz, px, py, pz, a + b, fx, fy, fz, lx, ly, lz)
    x, y = two_for_three(dx, dy, dz)
    ex, ey, gx, gy, tx, ty, sp, sq, k, flags = any_limb(x, y, a, b, 1.0, softness, 0.0, curve, stretch, 1.0, 0.0)
    c, s = unit(x, y, 1.0, 0.0)
    along, across, f = ex * c + ey * s, ey * c - ex * s, gx * c + gy * s
    tx, ty = tx * c + ty * s, ty * c - tx * s
    ty = ty if ty > 0.0 else 0.0
    across = across if across > 0.0 else 0.0
    hits = gx == x and gy == y
    flags = flags + (F_DEGENERATE if arbitrary > 0.0 and flags < F_DEGENERATE else 0.0)
    return (
        along * ux + across * sx, along * uy + across * sy, along * uz + across * sz,
        dx if hits else f * ux, dy if hits else f * uy, dz if hits else f * uz, tx, ty, sp, sq, k, flags,
    )  # fmt: skip


@leaf
def plain_limb_3d(
    dx: float, dy: float, dz: float, px: float, py: float, pz: float,
    rr: float, rr_lo: float, hh: float, hh_lo: float, hr: float, hr_lo: float,
) -> tuple[float, float, float, float, float, float, float, float, float]:  # fmt: skip
    """Elbow from the root, the factor k that clamps the target, P, Q, along and across as shares of d, and room.

    room > 0: the pole is clear of the line. Otherwise the rest is of no use.
    """
    xx, xx_lo = square(dx)
    yy, yy_lo = square(dy)
    zz, zz_lo = square(dz)
    part, part_lo = two_sum(xx, yy)
    dd, dd_lo = two_sum(part, zz)
    dd_lo = dd_lo + (part_lo + (xx_lo + yy_lo + zz_lo))
    p, p_lo = two_sum(rr, -dd)
    q, q_lo = two_sum(dd, -hh)
    p, q = p + (p_lo + (rr_lo - dd_lo)), q + (q_lo + (dd_lo - hh_lo))
    far, near = p < 0.0, q < 0.0
    c = rr if far else (hh if near else dd)
    c_lo = rr_lo if far else (hh_lo if near else dd_lo)
    k = sqrt(c / dd)
    along, across = elbow(1.0, 0.0, 1.0, c, c_lo, k, 0.0 if far or near else p * q, hr, hr_lo)
    nx, ny, nz = cross(dx, dy, dz, px, py, pz)
    nn = nx * nx + ny * ny + nz * nz
    room = nn - dd * (PLAIN_AXIS * rr + PLAIN_DIM * (px * px + py * py + pz * pz))
    wx, wy, wz = cross(nx, ny, nz, dx, dy, dz)
    ww = wx * wx + wy * wy + wz * wz
    v = across * sqrt(dd / (ww if ww > 0.0 else 1.0))
    return along * dx + v * wx, along * dy + v * wy, along * dz + v * wz, k, p, q, along, across, room


def full_limb_3d(
    dx: float, dy: float, dz: float, px: float, py: float, pz: float, a: float, b: float,
    softness: float, curve: float, stretch: float,
    fx: float, fy: float, fz: float, lx: float, ly: float, lz: float,
) -> tuple[float, float, float, float, float, float, float, float, float, float, float, float]:  # fmt: skip
    """What any_limb_3d returns, the short way where the numbers are ordinary."""
    far = (dx if dx > 0.0 else -dx) + (dy if dy > 0.0 else -dy) + (dz if dz > 0.0 else -dz)
    out = (px if px > 0.0 else -px) + (py if py > 0.0 else -py) + (pz if pz > 0.0 else -pz)
    off = softness == 0.0 and stretch == 0.0
    if off and far > TINY and far < HUGE and out > TINY and out < HUGE and a + b > a and a + b > b:
        reach, rr, rr_lo, hh, hh_lo, hr, hr_lo = limb(a, b)
        if reach > TINY and reach < HUGE:
            ex, ey, ez, k, p, q, along, across, room = plain_limb_3d(
                dx, dy, dz, px, py, pz, rr, rr_lo, hh, hh_lo, hr, hr_lo
            )
            if room > 0.0:
                _, _, _, _, tx, ty, sp, sq, one, flags = plain_full(1.0, 0.0, along, across, k, p, q)
                return ex, ey, ez, k * dx, k * dy, k * dz, tx, ty, sp, sq, one, flags
    return any_limb_3d(dx, dy, dz, px, py, pz, a, b, softness, curve, stretch, fx, fy, fz, lx, ly, lz)


def full_loop_3d(values: Any, count: int, out: Any) -> None:
    """full_limb_3d of the first `count` columns of values (17, n) into out (12, n)."""
    for i in range(count):
        (out[0, i], out[1, i], out[2, i], out[3, i], out[4, i], out[5, i], out[6, i], out[7, i], out[8, i], out[9, i],
         out[10, i], out[11, i]) = full_limb_3d(
            values[0, i], values[1, i], values[2, i], values[3, i], values[4, i], values[5, i], values[6, i],
            values[7, i], values[8, i], values[9, i], values[10, i], values[11, i], values[12, i], values[13, i],
            values[14, i], values[15, i], values[16, i],
        )  # fmt: skip


def plain_rows_3d(
    target: Any, pole: Any, rx: float, ry: float, rz: float, bones: Any, joints: Any, scratch: Any
) -> int:
    """Joints (n, 9) of one limb for targets and poles (n, 3); returns how many are not plain, and then it is no use.

    bones : limb(a, b) without its reach;  scratch : (12 LANE,), the components of a block one after the other
    """
    odd = 0
    rr, rr_lo, hh, hh_lo, hr, hr_lo = bones
    for start in range(0, target.shape[0], LANE):
        count = min(LANE, target.shape[0] - start)
        for i in range(count):
            at = start + i
            scratch[i], scratch[LANE + i], scratch[2 * LANE + i] = target[at, 0], target[at, 1], target[at, 2]
            scratch[3 * LANE + i], scratch[4 * LANE + i], scratch[5 * LANE + i] = pole[at, 0], pole[at, 1], pole[at, 2]
        odd += plain_block_3d(scratch, count, rx, ry, rz, rr, rr_lo, hh, hh_lo, hr, hr_lo)
        for i in range(count):
            at = start + i
            joints[at, 0], joints[at, 1], joints[at, 2] = rx, ry, rz
            joints[at, 3], joints[at, 4], joints[at, 5] = (
                scratch[6 * LANE + i], scratch[7 * LANE + i], scratch[8 * LANE + i]
            )  # fmt: skip
            joints[at, 6], joints[at, 7], joints[at, 8] = (
                scratch[9 * LANE + i], scratch[10 * LANE + i], scratch[11 * LANE + i]
            )  # fmt: skip
    return odd


def plain_block_3d(
    rows: Any, count: int, rx: float, ry: float, rz: float,
    rr: float, rr_lo: float, hh: float, hh_lo: float, hr: float, hr_lo: float,
) -> int:  # fmt: skip
    """Elbows and ends of a block. One array, fixed offsets: so the compiler sees that nothing overlaps."""
    odd = 0
    for i in range(count):
        tx, ty, tz = rows[i], rows[LANE + i], rows[2 * LANE + i]
        dx, dy, dz = tx - rx, ty - ry, tz - rz
        px, py, pz = rows[3 * LANE + i] - rx, rows[4 * LANE + i] - ry, rows[5 * LANE + i] - rz
        far = (dx if dx > 0.0 else -dx) + (dy if dy > 0.0 else -dy) + (dz if dz > 0.0 else -dz)
        out = (px if px > 0.0 else -px) + (py if py > 0.0 else -py) + (pz if pz > 0.0 else -pz)
        x, y, z, k, _, _, _, _, room = plain_limb_3d(dx, dy, dz, px, py, pz, rr, rr_lo, hh, hh_lo, hr, hr_lo)
        odd += 0 if far > TINY and far < HUGE and out > TINY and out < HUGE and room > 0.0 else 1
        rows[6 * LANE + i], rows[7 * LANE + i], rows[8 * LANE + i] = rx + x, ry + y, rz + z
        rows[9 * LANE + i] = place(rx, k * dx, dx, tx)
        rows[10 * LANE + i] = place(ry, k * dy, dy, ty)
        rows[11 * LANE + i] = place(rz, k * dz, dz, tz)
    return odd
