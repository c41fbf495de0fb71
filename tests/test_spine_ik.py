"""One- and two-bone IK of Spine's runtimes, called alone."""

from __future__ import annotations

import numpy as np
import pytest
from spine_golden import opened

from elbowroom.kernel.spine import Local, Matrix, Settings, one_bone
from elbowroom.kernel.spine_two import two_bones
from elbowroom.rig.skeleton import INHERIT

UNIT = Matrix(*(np.array([v]) for v in (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)))
LEG = {"upper": (0, 0, 0, 1, 1, 0, 0), "lower": (150, 0, 0, 1, 1, 0, 0)}
ANGLE = 1e-5  # [deg]


def settings(version=(4, 2), scale="none", mix=1.0, bend=1.0, softness=0.0, compress=False, stretch=False):
    """Settings of many calls, or of one."""
    values = (np.atleast_1d(np.asarray(v, dtype=np.float64)) for v in (mix, bend, softness))
    return Settings(version, scale, *values, np.atleast_1d(compress) > 0, np.atleast_1d(stretch) > 0)


def local(rows):
    """Local values from rows of seven."""
    return Local(*np.atleast_2d(np.asarray(rows, dtype=np.float64)).T)


def matrix(rows):
    """World transforms from rows of six."""
    return Matrix(*np.asarray(rows, dtype=np.float64).T)


def under(parent, bone):
    """The world of a bone that inherits everything, by the true π: what is asked of the two-bone solve is its place."""
    x, y, rotation, sx, sy, hx, hy = (float(v[0]) for v in bone)
    one, two = np.deg2rad(rotation + hx), np.deg2rad(rotation + 90.0 + hy)
    own = np.array([[np.cos(one) * sx, np.cos(two) * sy, x], [np.sin(one) * sx, np.sin(two) * sy, y], [0, 0, 1]])
    (a, b, c, d, wx, wy) = (float(v[0]) for v in parent)
    whole = np.array([[a, b, wx], [c, d, wy], [0, 0, 1]]) @ own
    return matrix([[whole[i, j] for i, j in ((0, 0), (0, 1), (1, 0), (1, 1), (0, 2), (1, 2))]])


def bent(target, *, parent=UNIT, upper=LEG["upper"], lower=LEG["lower"], length=125.0, **more):
    """Two bones 150 and 125 long at the origin, solved for one target."""
    one, two, goal = local(upper), local(lower), tuple(np.array([float(v)]) for v in target)
    return two_bones(settings(**more), (one, two), (150.0, length), parent, goal, world=under(parent, one))


def turned(values, wanted):
    """Difference of angles [deg], whole turns aside."""
    away = np.abs(np.asarray(values) - np.asarray(wanted))
    return np.abs(away - 360.0 * np.round(away / 360.0))


TABLE = [
    ("plus", (200, 0), {}, -38.62483, 87.13402),
    ("minus", (200, 0), {"bend": -1}, 38.62483, -87.13402),
    ("behind", (-200, 50), {}, 128.93624, 83.30023),
    ("behind, minus", (-200, 50), {"bend": -1}, -157.00873, -83.30023),
    ("near", (120, 40), {}, -34.49369, 126.15701),
    ("far", (300, 0), {}, 0, 0),
    ("inside the dead zone", (10, 0), {}, 0, 180),
    ("on the root", (0, 0), {}, 0, 180),
    ("soft, before", (250, 0), {"softness": 20}, -22.33164, 49.4584),
    ("soft, at the reach", (275, 0), {"softness": 20}, -9.97728, 21.97713),
    ("soft, beyond the reach", (290, 0), {"softness": 20}, -2.49353, 5.48619),
    ("soft, at the end", (295, 0), {"softness": 20}, 0, 0),
    ("a quarter of it", (120, 40), {"mix": 0.25, "upper": (0, 0, 30, 1, 1, 0, 0), "lower": (150, 0, -40, 1, 1, 0, 0)},
     13.87658, 1.53925),
    ("lower bone aside", (200, 0), {"lower": (150, 30, 0, 1, 1, 0, 0)}, -49.97721, 99.84901),
    ("aside but stretching", (200, 0), {"lower": (150, 30, 0, 1, 1, 0, 0), "stretch": True}, -38.62483, 87.13402),
    ("upper larger", (120, 40), {"upper": (0, 0, 0, 1.5, 1.5, 0, 0)}, -38.00232, 145.79556),
    ("lower shorter and soft", (205, 0), {"lower": (150, 0, 0, 0.5, 1, 0, 0), "softness": 20}, -10.28407, 35.65448),
    ("upper mirrored in x", (200, 40), {"upper": (0, 0, 0, -1, 1, 0, 0)}, 153.70410, -84.68296),
    ("upper mirrored in y", (200, 40), {"upper": (0, 0, 0, 1, -1, 0, 0)}, -26.29591, -84.68296),
    ("lower mirrored in x", (200, 40), {"lower": (150, 0, 0, -1, 1, 0, 0)}, -26.29591, -95.31704),
    ("uneven", (200, 40), {"upper": (0, 0, 0, 1.2, 0.8, 0, 0)}, -18.04617, 90.85179),
    ("uneven and far", (400, 40), {"upper": (0, 0, 0, 1.2, 0.8, 0, 0)}, 5.71059, 0),
]  # fmt: skip


@pytest.mark.parametrize(("target", "more", "upper", "lower"), [row[1:] for row in TABLE], ids=[r[0] for r in TABLE])
@pytest.mark.parametrize("version", [(4, 2), (4, 3)], ids=["4.2", "4.3"])
def test_two_bones_turn_as_recorded(version, target, more, upper, lower):
    """Rotations of both bones are those the runtime gives."""
    one, two = bent(target, version=version, **more).bones
    assert turned(one.rotation, upper) <= ANGLE
    assert turned(two.rotation, lower) <= ANGLE


@pytest.mark.parametrize(
    ("scale", "version", "wanted"),
    [("none", (4, 2), 1.0), ("uniform", (4, 2), 1.090909), ("uniform", (3, 8), 1.0), ("volume", (4, 3), 0.916667)],
)
def test_stretch_scales_the_upper_bone(scale, version, wanted):
    """Scale x reaches for the target; what scale y does is the mode's (before 4.0 nothing)."""
    answer = bent((300, 0), scale=scale, version=version, stretch=True)
    assert answer.bones[0].scale_x == pytest.approx(1.090909, abs=1e-6)
    assert answer.bones[0].scale_y == pytest.approx(wanted, abs=1e-6)
    assert answer.far.all()
    assert answer.stretch == pytest.approx(300 / 275)


def test_softness_stops_the_stretch():
    """With softness a limb does not stretch, however far the target."""
    answer = bent((300, 0), stretch=True, softness=20.0)
    assert answer.stretch == 1.0
    assert answer.far.all()
    assert answer.soft.all()


def test_versions_differ_where_they_should():
    """3.7 knows no softness; 4.3 leaves the upper bone its shear, 4.2 takes it away."""
    assert turned(bent((275, 0), softness=20.0, version=(3, 7)).bones[1].rotation, 0.0) <= 1e-4
    sheared = {"upper": (0, 0, 0, 1, 1, 0, 7)}
    assert bent((200, 0), version=(4, 2), **sheared).bones[0].shear_y == 0.0
    assert bent((200, 0), version=(4, 3), **sheared).bones[0].shear_y == 7.0


@pytest.mark.parametrize("version", [(3, 7), (3, 8), (4, 0), (4, 1), (4, 2), (4, 3)])
def test_no_numbers_are_lost(version):
    """A finite answer where a runtime has none: target on the root of a very soft limb, no length, no inverse."""
    flat = Matrix(*(np.array([v]) for v in (0.0, 0.0, 0.0, 0.0, 3.0, 4.0)))
    answers = [
        bent((0, 0), softness=300.0, version=version),
        bent((150, 0), length=0.0, version=version),
        bent((20, 10), parent=flat, version=version),
        bent((20, 10), lower=(0, 0, 30, 1, 1, 0, 0), version=version),
        bent((20, 10), upper=(0, 0, 0, 0, 0, 0, 0), softness=5.0, version=version),
        bent((20, 10), upper=(0, 0, 0, 1, 0, 0, 0), version=version),
    ]
    goal, bone = (np.array([20.0]), np.array([10.0])), local((1, 2, 3, 0, 1, 0, 0))
    answers += [
        one_bone(settings(version=version, compress=True, stretch=True), bone, 30.0, flat, goal,
                 origin=(flat.x, flat.y), inherit=inherit)
        for inherit in range(5)
    ]  # fmt: skip
    for answer in answers:
        assert all(np.isfinite(values).all() for bone in answer.bones for values in bone)
        assert np.isfinite(answer.stretch).all()


@pytest.mark.parametrize(
    ("target", "flags", "scale_x", "rotation"),
    [
        ((0, 150), {"stretch": True}, 1.5, 90.0),
        ((0, 150), {}, 1.0, 90.0),
        ((30, 40), {"compress": True}, 0.5, 53.130102),
        ((30, 40), {"stretch": True}, 1.0, 53.130102),
        ((30, 40), {"compress": True, "mix": 0.5}, 0.75, 26.565051),
    ],
)
def test_one_bone_aims_and_sizes(target, flags, scale_x, rotation):
    """A bone of 100 at the origin aims, and is stretched or shrunk to the target only where it may."""
    goal = tuple(np.array([float(v)]) for v in target)
    answer = one_bone(
        settings(**flags), local((0, 0, 0, 1, 1, 0, 0)), 100.0, UNIT, goal, origin=(UNIT.x, UNIT.y)
    ).bones[0]
    assert answer.scale_x == pytest.approx(scale_x, abs=1e-12)
    assert answer.scale_y == 1.0
    assert turned(answer.rotation, rotation) <= ANGLE


CALLS = [("spine-4.2-lab", (4, 2)), ("spine-4.3-lab", (4, 3)), ("spine-4.2-spineboy-pro", (4, 2)),
         ("spine-3.8-spineboy-pro", (3, 8))]  # fmt: skip


@pytest.mark.parametrize(("name", "version"), CALLS, ids=[name for name, _ in CALLS])
def test_every_recorded_call(shared, name, version):
    """All numbers a recorded solve wrote, for everything that went into it."""
    calls = [call for call in _calls(shared, name) if len(call["after"])]
    assert len(calls) > 2000
    groups = {}
    for call in calls:
        key = (call["scale"], call["inherit"], tuple(call["skeleton"]), len(call["before"]))
        groups.setdefault(key, []).append(call)
    for (scale, inherit, skeleton, _), group in groups.items():
        _check(group, version, scale, INHERIT.index(inherit), skeleton)


def _check(group, version, scale, inherit, skeleton):
    mix, softness, bend, compress, stretch = np.array([call["settings"] for call in group], dtype=np.float64).T
    chosen = settings(version, scale, mix, bend, softness, compress, stretch)
    parent, world = matrix([call["parent"] for call in group]), matrix([call["world"] for call in group])
    target = tuple(np.array([call["target"] for call in group], dtype=np.float64).T)
    lengths = np.array([call["lengths"] for call in group], dtype=np.float64).T
    bones = [local([call["before"][k] for call in group]) for k in range(len(lengths))]
    if len(bones) == 1:
        answer = one_bone(chosen, bones[0], lengths[0], parent, target, origin=(world.x, world.y),
                          inherit=inherit, skeleton=skeleton)  # fmt: skip
    else:
        answer = two_bones(chosen, tuple(bones), lengths, parent, target, world=world)
    for k, bone in enumerate(answer.bones):
        wanted = local([call["after"][k] for call in group])
        good = ~np.isnan(wanted.rotation)
        assert all(np.isfinite(values).all() for values in bone)
        assert (turned(bone.rotation, wanted.rotation)[good] <= ANGLE).all()
        for ours, theirs in zip(bone._replace(rotation=0.0), wanted._replace(rotation=0.0), strict=True):
            assert np.allclose(ours, theirs, rtol=0.0, atol=1e-9)


def _calls(shared, name):
    record = opened(shared / "golden" / f"{name}.ikcalls.json.gz")
    if name == "spine-4.2-lab":
        return [_lab(row) for row in record["cases"]]
    if name == "spine-4.3-lab":
        inputs = opened(shared / "golden" / "spine-4.2-lab.ikcalls.json.gz")["cases"]
        return [
            _lab(inputs[index]) | {"scale": mode.lower(), "after": [row for row in (upper, lower) if row]}
            for index, mode, upper, _, lower, _ in record["cases"]
        ]
    return [_real(row, record) for row in record["calls"]]


def _lab(row):
    _, chosen, uniform, inherit, skeleton, *lengths, parent, upper, world, lower, _, target, one, _, two, _ = row
    return {
        "settings": chosen, "scale": "uniform" if uniform else "none", "inherit": inherit, "skeleton": skeleton,
        "lengths": lengths if lower else lengths[:1], "parent": parent, "world": world, "target": target,
        "before": [row for row in (upper, lower) if row], "after": [row for row in (one, two) if row],
    }  # fmt: skip


def _real(row, record):
    _, _, constraint, chosen, parent, upper, world, lower, _, target, one, _, two, _ = row
    ik = record["ik"][constraint]
    return {
        "settings": chosen, "scale": "uniform" if ik["uniform"] else "none", "inherit": "normal", "skeleton": (1, 1),
        "lengths": [record["bones"][bone]["length"] for bone in ik["bones"]], "parent": parent, "world": world,
        "target": target, "before": [row for row in (upper, lower) if row], "after": [row for row in (one, two) if row],
    }  # fmt: skip
