"""Cases of targets that shake, and of the same motion at several frame rates."""

from __future__ import annotations

import math

import numpy as np
import pytest

import elbowroom as er
from cases.answers import EXACT, degrees


def noise(values, wanted, _):
    """How far one pixel of travel turns the elbow: near full reach, there with softness, and half way."""
    told = [(values["distance"], s) for s in values["s"]] + [(200.0, 0.0)]
    names = ("hard_delta_deg", "soft_delta_deg", "midrange_delta_deg_at_200")
    for (d, s), name in zip(told, names, strict=True):
        ends = np.array([[d - values["noise_px"], 0.0], [d + values["noise_px"], 0.0]])
        softness = s / sum(values["lengths"])
        found = degrees(er.two_bone((0.0, 0.0), ends, *values["lengths"], softness=softness))
        assert abs(found[1, 1] - found[0, 1]) == pytest.approx(wanted[name], abs=EXACT), name


def rate_pair(values, wanted, _):
    """The same motion sampled at several rates is the same limb at common times; smoothed, the end is nearly so."""
    assert values["path"] == "x=100*cos(2*pi*t), y=30*sin(4*pi*t), 2 s"
    assert values["smoothing"] == [None, "exponential, time constant 0.08 s"]
    joints, smoothed = (np.stack([limb_at(rate, values, s) for rate in values["rates"]]) for s in (False, True))
    assert apart(joints) <= wanted["without_smoothing_common_times_equal"]
    assert 0.0 < apart(smoothed[..., 2, :]) <= wanted["with_smoothing_common_times_spread_px_max"]


def apart(points):
    """The largest distance between the points (rates, ..., 2) of two rates."""
    return np.linalg.norm(points[:, np.newaxis] - points, axis=-1).max()


def limb_at(rate, values, smoothed):
    """Joints (7, 3, 2) at the thirds of a second, which all the rates share."""
    t = np.arange(2 * rate + 1) / rate
    target = np.stack([100.0 * np.cos(2.0 * np.pi * t), 30.0 * np.sin(4.0 * np.pi * t)], axis=-1)
    if smoothed:
        target = er.smooth(target, rate, method="half_life", half_life=0.08 * math.log(2.0))
    return er.two_bone(values["root"], target, *values["lengths"]).joints[:: rate // 3]
