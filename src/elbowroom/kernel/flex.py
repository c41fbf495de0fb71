"""One step of a whole chain: springs at the joints, the end drawn to the target, in linear time.

Joint i turns by d_i. Bone k turns with all the joints up to it, by f_k, so that d_i = f_i − f_{i−1}. A step makes least

    ½ Σ spring_i (d_i − wish_i)² + ½ Σ (pull·v_k) f_k²      with v_k the bones as vectors

where the end moves by `gap`; the second sum is the curvature of the chain under the pull at its end. That is a matrix
of three bands with two constraints: one elimination over the bones and a 2 x 2 system. A joint held by a limit has a
spring of HELD.

Source: the step of J. Nocedal and S. Wright, Numerical Optimization (2006), 16.1 and 18.1, for the chain's matrix; its
inertia (Theorem 16.3) tells whether the step leads to a minimum.
"""

from __future__ import annotations

from typing import Any

from elbowroom.kernel.trig import sincos

HELD = 1e12  # spring of a joint that stays where it is
FLAT = 1e-13  # below this share of its trace squared the determinant counts as none: the chain is straight
# Rows of `work` (chainflow.ROWS) in this module, pull.py, lm.py and least_core.py:
# 0 sines, 1 cosines, 2 springs, 3 wishes, 4 pivots, 5 turns, 6 and 7 columns of the end's movement, 8 held joints,
# 9 and 10 the end's movement a joint, 11 pose drawn, 12 best pose, 13 pose before, 14 pose begun with, 15 and 16 tails


def trace(bones: Any, q: Any, work: Any) -> tuple[float, float]:
    """Where the end is; the bones' directions go to rows 0 and 1, how it moves with each joint to rows 9 and 10."""
    sines, cosines, across, along = work[0], work[1], work[9], work[10]
    count = len(bones)
    turn, x, y = 0.0, 0.0, 0.0
    for i in range(count):
        turn = turn + q[i]
        sines[i], cosines[i] = sincos(turn)
        across[i], along[i] = y, x
        x, y = x + bones[i] * cosines[i], y + bones[i] * sines[i]
    for i in range(count):
        across[i], along[i] = across[i] - y, x - along[i]
    return x, y


def flex(
    bones: Any, gap_x: float, gap_y: float, pull_x: float, pull_y: float, ridge: float, convex: bool, work: Any
) -> tuple[float, float, bool]:
    """Turns of the joints to row 5, from the springs and wishes in rows 2 and 3.

    ridge : 0: the end closes the gap; 1: ½ |gap left|² is part of what is made least
    convex : whether only what stiffens the chain counts of its curvature
    Returns the pull at the end (x, y), and whether the step leads to a minimum.
    """
    sines, cosines, springs, wishes, pivots = work[0], work[1], work[2], work[3], work[4]
    turns, right, up = work[5], work[6], work[7]
    count = len(bones)
    a, b, c, below = ridge, 0.0, ridge, 0
    soft = 0.0
    for i in range(count):
        k = bones[i] * (pull_x * cosines[i] + pull_y * sines[i])
        k = 0.0 if convex and k < 0.0 else k
        spring = springs[i]
        after = springs[i + 1] if i + 1 < count else 0.0
        push = spring * wishes[i] - (after * wishes[i + 1] if i + 1 < count else 0.0)
        x, y = -bones[i] * sines[i], bones[i] * cosines[i]
        if i > 0:
            share = spring / pivots[i - 1]
            soft = k + share * soft  # springs in series: no difference of large numbers
            x, y, push = x + share * right[i - 1], y + share * up[i - 1], push + share * turns[i - 1]
        else:
            soft = k + spring
        pivot = soft + after
        pivot = 1e-300 if pivot == 0.0 else pivot
        below += 1 if pivot < 0.0 else 0
        pivots[i], right[i], up[i], turns[i] = pivot, x, y, push
        a, b, c = a + x * x / pivot, b + x * y / pivot, c + y * y / pivot
        gap_x, gap_y = gap_x - x * push / pivot, gap_y - y * push / pivot
    det, both = a * c - b * b, a + c
    good = below == (1 if det < 0.0 else (2 if both < 0.0 else 0))
    if (det if det > 0.0 else -det) <= FLAT * both * both:  # straight: move along the line only
        a, c = a + 1e-9 * both, c + 1e-9 * both
        det = a * c - b * b
    det = det if det != 0.0 else 1e-300
    pull_x, pull_y = (c * gap_x - b * gap_y) / det, (a * gap_y - b * gap_x) / det
    _turns(pull_x, pull_y, work, count)
    return pull_x, pull_y, good


def _turns(pull_x: float, pull_y: float, work: Any, count: int) -> None:
    """The way back of the elimination: bones' turns, then joints'."""
    springs, pivots, turns, right, up = work[2], work[4], work[5], work[6], work[7]
    later = 0.0
    for j in range(count):
        i = count - 1 - j
        after = springs[i + 1] if i + 1 < count else 0.0
        this = (turns[i] + pull_x * right[i] + pull_y * up[i] + after * later) / pivots[i]
        if i + 1 < count:
            turns[i + 1] = later - this
        turns[i] = this
        later = this


def widest(work: Any, count: int) -> float:
    """The most that a bone turns in the step of row 5 [rad]."""
    most, turn = 0.0, 0.0
    for i in range(count):
        turn = turn + work[5][i]
        size = turn if turn > 0.0 else -turn
        most = size if size > most else most
    return most


def hold(q: Any, low: Any, high: Any, limited: Any, work: Any, count: int) -> int:
    """Hold the joints that the step of row 5 would lead out of their ranges at the ends they meet; how many."""
    springs, wishes, turns, held = work[2], work[3], work[5], work[8]
    found = 0
    for i in range(count):
        if limited[i] and held[i] == 0.0:
            there = q[i] + turns[i]
            if there < low[i] or there > high[i]:
                held[i], springs[i] = 1.0, HELD
                wishes[i] = (low[i] if there < low[i] else high[i]) - q[i]
                found += 1
    return found


def turn_by(share: float, q: Any, low: Any, high: Any, limited: Any, work: Any, count: int) -> float:
    """Turn every joint by a share of row 5, no farther than its range; the most that one turned [rad]."""
    most = 0.0
    for i in range(count):
        was = q[i]
        there = was + share * work[5][i]
        if limited[i]:
            there = low[i] if there < low[i] else (high[i] if there > high[i] else there)
            if work[8][i] != 0.0 and share == 1.0:
                there = low[i] if there - low[i] < high[i] - there else high[i]
        q[i] = there
        size = there - was if there > was else was - there
        most = size if size > most else most
    return most
