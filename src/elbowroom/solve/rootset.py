"""The least shift of a root that lets all its limbs reach: what limbs reach is bounded by circles.

A limb whose root moves by r reaches its target if v = target - root - r lies in what it reaches: between two circles
about the root, and with limits on its joints also bounded by the circles of the lower bone while the upper one stands
at a limit, and of the whole limb while its elbow does. In terms of r these are circles again. The least r that suits
several limbs is 0, or the point nearest to 0 on one of the circles, or a corner of one limb's region, or a crossing of
two circles. All of them are listed, the exact solver says which of them every limb accepts, and the least one of
these is the answer. A listed circle that bounds nothing does no harm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from elbowroom.kernel.engine import rows
from elbowroom.kernel.flow import TOLERANCE
from elbowroom.kernel.reach import curve_code
from elbowroom.kernel.two_bone import two_bone
from elbowroom.rig import affine
from elbowroom.rig.constraint import IKConstraint
from elbowroom.solve.geometry import Array, Mask, along, norm, unit

Index: TypeAlias = npt.NDArray[np.int64]

HALVINGS = 60  # of the interval that the bound of a soft, stretched limb lies in
AT_ONCE = 256  # frames whose candidates are in memory together
TOUCH = 1e-12  # of a radius squared: circles that miss each other by rounding
TURN_BACK = np.array([[1.0, 0.0], [-1.0, 0.0]])  # straight and folded


@dataclass(frozen=True)
class Reach:
    """One limb in k frames, in the space it hangs in.

    step : (k, 2) [length] from its root to its target
    upper, lower : (k,) [length];  bend : (k,) as the kernel takes it
    near, far : (k,) [length] bounds of the distance that it reaches
    ranges : (k, 2, 2) [rad] or None;  stretch : most change of length as a fraction, 0 if its turn has not come
    axes : (k, 2, 3) from this space to the one in which shifts are compared, without an offset
    """

    constraint: IKConstraint
    step: Array
    upper: Array
    lower: Array
    bend: Array
    near: Array
    far: Array
    ranges: Array | None
    stretch: float
    axes: Array

    def pick(self, which: Any) -> Reach:
        """Only the frames `which`."""
        names = ("step", "upper", "lower", "bend", "near", "far", "axes")
        ranges = None if self.ranges is None else self.ranges[which]
        return replace(self, ranges=ranges, **{name: getattr(self, name)[which] for name in names})

    def circles(self) -> tuple[Array, Array]:
        """Centres (k, m, 2) and radii (k, m) [length] of all that bounds the shifts with which it reaches."""
        none = np.zeros_like(self.near)
        centres, radii = [np.stack([none, none], -1)] * 2, [self.near, self.far]
        for k, u, w in self._stops():
            centres += [(k * self.upper)[:, np.newaxis] * u[:, i] for i in (0, 1)] + centres[:2]
            radii += [k * self.lower] * 2 + [k * norm(self._end(u[:, 0], w[:, i])) for i in (0, 1)]
        size = np.sqrt(np.abs(affine.determinant(self.axes)))
        return self._shifts(np.stack(centres, 1)), np.stack(radii, -1) * size[:, np.newaxis]

    def corners(self) -> Array:
        """The shifts (k, n, 2) that put the end where two limits of this limb meet."""
        found = [np.zeros((len(self.near), 0, 2))]
        for k, u, w in self._stops():
            other = w * np.array([1.0, -1.0])
            ends = [k * self._end(u[:, i], turn[:, j]) for i in (0, 1) for turn in (w, other) for j in range(4)]
            found.append(np.stack(ends, 1))
        return self._shifts(np.concatenate(found, 1))

    def accepts(self, shifts: Array, among: Mask | bool = True) -> Mask:
        """Which shifts (k, n, 2) `among` them bring the target within reach, (k, n)."""
        v = self.step[:, np.newaxis] - along(affine.invert(self.axes)[:, np.newaxis], shifts)
        d, slack = norm(v), TOLERANCE * (self.upper + self.lower)[:, np.newaxis]
        ok = np.asarray(among & (d >= self.near[:, np.newaxis] - slack) & (d <= self.far[:, np.newaxis] + slack))
        if self.ranges is not None and ok.any():
            frame, _ = at = np.nonzero(ok)
            ok[at] = self._misses(frame, v[at]) <= slack[frame, 0]
        return ok

    def _misses(self, frame: Index, v: Array) -> Array:
        """What the limb's solver leaves, (n,) [length], for steps v (n, 2) in the given frames."""
        assert self.ranges is not None
        soft = {} if self.stretch == 0.0 or len(self.constraint.bones) == 1 else {
            name: getattr(self.constraint, name) for name in ("softness", "inner_softness", "curve")
        }  # fmt: skip
        sizes = (self.upper[frame], self.lower[frame])
        answer = two_bone(
            np.zeros(2), v, *sizes, bend=self.bend[frame], limits=self.ranges[frame], max_stretch=self.stretch, **soft
        )
        return np.asarray(answer.error)

    def _stops(self) -> list[tuple[float, Array, Array]]:
        """Scale, directions (k, 2, 2) of the upper bone at its limits, and (k, 4, 2) of the lower one seen from it."""
        if self.ranges is None:
            return []
        s, c = rows().sincos(self.ranges)
        ends = np.stack([c, s], -1)
        lower = np.concatenate([ends[:, 1], np.broadcast_to(TURN_BACK, (len(s), 2, 2))], 1)
        scales = {1.0, max(1.0 - self.stretch, 0.0), 1.0 + self.stretch}
        return [(k, ends[:, 0], lower) for k in sorted(scales)]

    def _end(self, u: Array, w: Array) -> Array:
        """Where the limb ends (k, 2), the upper bone along u (k, 2) and, seen from it, the lower one along w (k, 2)."""
        lower = np.stack([u[:, 0] * w[:, 0] - u[:, 1] * w[:, 1], u[:, 1] * w[:, 0] + u[:, 0] * w[:, 1]], -1)
        return self.upper[:, np.newaxis] * u + self.lower[:, np.newaxis] * lower

    def _shifts(self, ends: Array) -> Array:
        return along(self.axes[:, np.newaxis], self.step[:, np.newaxis] - ends)


def bounds(constraint: IKConstraint, upper: Array, lower: Array, stretch: float) -> tuple[Array, Array]:
    """Nearest and farthest distance (k,) [length] at which a limb without limits misses nothing.

    Unstretched: where softening begins. Stretched by at most `stretch`: where distance / softened distance is
    1 -+ stretch; found by halving, since that ratio grows with the distance.
    """
    two = len(constraint.bones) == 2
    reach, hole = upper + lower, np.abs(upper - lower)
    soft, inner = (constraint.softness, constraint.inner_softness) if two else (0.0, 0.0)
    s, i = rows().bands(reach, hole, soft, inner)
    near, far = hole + i, reach - s
    if stretch == 0.0:
        return near, far

    def eased(d: Array) -> Array:
        return np.asarray(rows().soft_distance(d, reach, hole, soft, inner, curve_code(constraint.curve)))

    most, least = 1.0 + stretch, max(1.0 - stretch, 0.0)
    outer = far if soft == 0.0 else _halved(far, reach * most, lambda d: d <= most * eased(d))
    return _halved(near * 0.0, near, lambda d: d < least * eased(d)), outer * most if soft == 0.0 else outer


def _halved(low: Array, high: Array, below: Any) -> Array:
    """The last distance (k,) between low and high that is `below`."""
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        under = below(middle)
        low, high = np.where(under, middle, low), np.where(under, high, middle)
    return 0.5 * (low + high)


def least_shifts(limbs: Sequence[Reach]) -> Array:
    """The least shift (k, 2) [length] that lets all limbs reach, (0, 0) where nothing is missing.

    Where none suits all, limbs are added in order, and one that leaves no shift for those before it is left out.
    """
    found = np.zeros_like(limbs[0].step)
    still = found[:, np.newaxis]
    missing = ~np.all([limb.accepts(still)[:, 0] for limb in limbs], axis=0)
    for start in range(0, len(some := np.flatnonzero(missing)), AT_ONCE):
        frames = some[start : start + AT_ONCE]
        picked = [limb.pick(frames) for limb in limbs]
        shift, ok = _least(picked)
        shift[~ok] = _one_by_one([limb.pick(~ok) for limb in picked])
        found[frames] = shift
    return found


def _one_by_one(limbs: Sequence[Reach]) -> Array:
    found = np.zeros_like(limbs[0].step)
    taken: dict[tuple[int, ...], Index] = {(): np.arange(len(found))}
    for i in range(len(limbs)):
        after: dict[tuple[int, ...], Index] = {}
        for kept, frames in taken.items():
            shift, ok = _least([limbs[j].pick(frames) for j in (*kept, i)])
            found[frames[ok]] = shift[ok]
            after |= {(*kept, i): frames[ok], kept: frames[~ok]}
        taken = after
    return found


def _least(limbs: Sequence[Reach]) -> tuple[Array, Mask]:
    """The least of the candidates that all limbs accept, (k, 2), and whether there is one, (k,)."""
    tried = _candidates(limbs)
    order = np.argsort(norm(tried), axis=-1, kind="stable")[..., np.newaxis]
    tried = np.take_along_axis(tried, order, 1)
    ok = np.isfinite(tried[..., 0])
    for limb in sorted(limbs, key=lambda limb: limb.ranges is not None):  # the quick ones first
        ok &= limb.accepts(tried, ok)
    first, found = np.argmax(ok, axis=-1), np.asarray(ok.any(axis=-1))
    return np.where(found[:, np.newaxis], tried[np.arange(len(first)), first], 0.0), found


def _candidates(limbs: Sequence[Reach]) -> Array:
    """0, the nearest points of all circles, the corners and all crossings, (k, n, 2); NaN where there is none."""
    parts = [limb.circles() for limb in limbs]
    centres, radii = (np.concatenate(arrays, 1) for arrays in zip(*parts, strict=True))
    ahead = unit(-centres, (1.0, 0.0))
    corners = [limb.corners() for limb in limbs]
    nearest = centres + radii[..., np.newaxis] * ahead
    return np.concatenate([np.zeros_like(nearest[:, :1]), nearest, *corners, _crossings(centres, radii)], 1)


def _crossings(centres: Array, radii: Array) -> Array:
    """Where any two of the circles (k, m, 2), (k, m) meet or touch: (k, m (m - 1), 2), NaN where they do not."""
    one, other = np.triu_indices(radii.shape[-1], 1)
    way, r = centres[:, other] - centres[:, one], radii[:, one]
    apart = norm(way)
    safe = np.where(apart > 0.0, apart, 1.0)
    along_way = 0.5 * (apart + (r - radii[:, other]) * ((r + radii[:, other]) / safe))
    rest = (r - along_way) * (r + along_way)
    meets = (apart > 0.0) & (rest >= -TOUCH * r * r)
    half = np.sqrt(np.where(rest > 0.0, rest, 0.0))
    x, y = way[..., 0] / safe, way[..., 1] / safe
    ahead, aside = np.stack([x, y], -1) * along_way[..., np.newaxis], np.stack([-y, x], -1) * half[..., np.newaxis]
    both = np.concatenate([centres[:, one] + ahead + aside, centres[:, one] + ahead - aside], 1)
    return np.where(np.concatenate([meets, meets], 1)[..., np.newaxis], both, np.nan)
