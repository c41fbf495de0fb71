"""The triangle at 50 digits, for bench tables: an oracle that shares no formula with the kernel's leaves."""

from __future__ import annotations

from decimal import Decimal, getcontext, localcontext

DIGITS = 60


def angles(x: float, y: float, a: float, b: float, bend: int) -> tuple[Decimal, Decimal]:
    """Upper and lower angle [rad] of the limb that reaches (x, y), by half angles; the target is within reach."""
    with localcontext() as context:
        context.prec = DIGITS
        tx, ty, p, q = Decimal(x), Decimal(y), Decimal(a), Decimal(b)
        dd = tx * tx + ty * ty
        far, near = max((p + q) ** 2 - dd, Decimal(0)), max(dd - (p - q) ** 2, Decimal(0))
        alpha = atan2((far * near).sqrt(), p * p - q * q + dd)
        upper = atan2(ty, tx) + bend * alpha
        turn = 2 * pi()
        upper = upper - turn if upper > pi() else (upper + turn if upper <= -pi() else upper)
        return upper, -bend * 2 * atan2(far.sqrt(), near.sqrt())


def atan2(y: Decimal, x: Decimal) -> Decimal:
    """The angle of (x, y): halved until the series is short."""
    if x == 0 and y == 0:
        return Decimal(0)
    r = (x * x + y * y).sqrt()
    if x < 0 and y == 0:
        return pi()
    return 2 * _atan(y / (r + x)) if r + x != 0 else pi()


def _atan(t: Decimal) -> Decimal:
    halvings = 0
    while abs(t) > Decimal("0.01"):
        t = t / (1 + (1 + t * t).sqrt())
        halvings += 1
    total, power, n = Decimal(0), t, 1
    while abs(power) > Decimal(10) ** (-getcontext().prec - 5):
        total += power / n if n % 4 == 1 else -power / n
        power, n = power * t * t, n + 2
    return total * Decimal(2**halvings)


def pi() -> Decimal:
    """By J. Machin's formula."""
    return 4 * (4 * _atan(Decimal(1) / 5) - _atan(Decimal(1) / 239))
