"""Transforms of the plane: composing, inverting, taking apart."""

from __future__ import annotations

import json
import math
import pathlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elbowroom.errors import RigError
from elbowroom.rig import affine

places = st.floats(-100.0, 100.0)
angles = st.floats(-7.0, 7.0)
scales = st.floats(0.1, 5.0).flatmap(lambda size: st.sampled_from((size, -size)))
shears = st.floats(-1.0, 1.0)
parts = st.tuples(places, places, angles, scales, scales, shears, shears)
transforms = parts.map(lambda seven: affine.from_parts(*seven))
points = st.tuples(places, places)


@given(transforms, transforms, transforms)
def test_compose_is_associative(one, two, three):
    """It does not matter which of two products is taken first."""
    left = affine.compose(affine.compose(one, two), three)
    right = affine.compose(one, affine.compose(two, three))
    np.testing.assert_allclose(left, right, rtol=1e-12, atol=1e-9)


@given(transforms, transforms, points)
def test_compose_applies_the_inner_transform_first(outer, inner, point):
    """world_from_hip ∘ hip_from_thigh takes a point of the thigh through the hip to the world."""
    both = affine.apply(affine.compose(outer, inner), point)
    np.testing.assert_allclose(both, affine.apply(outer, affine.apply(inner, point)), rtol=1e-12, atol=1e-9)


@given(transforms, points)
def test_the_inverse_undoes_the_transform(matrix, point):
    """There and back is where one was, on both sides."""
    back = affine.invert(matrix)
    np.testing.assert_allclose(affine.compose(back, matrix), affine.IDENTITY, atol=1e-8)
    np.testing.assert_allclose(affine.apply(back, affine.apply(matrix, point)), point, atol=1e-8)


@given(transforms, transforms)
def test_determinants_multiply(one, two):
    """The area factor of a product is the product of the factors, mirrors included."""
    product = affine.determinant(one) * affine.determinant(two)
    np.testing.assert_allclose(affine.determinant(affine.compose(one, two)), product, rtol=1e-9, atol=1e-9)


@given(parts)
def test_columns_are_the_turned_sheared_scaled_axes(seven):
    """The columns follow the formula, with the standard library's sine and cosine as the witness."""
    x, y, turn, sx, sy, hx, hy = seven
    expected = [
        [math.cos(turn + hx) * sx, -math.sin(turn + hy) * sy, x],
        [math.sin(turn + hx) * sx, math.cos(turn + hy) * sy, y],
    ]
    np.testing.assert_allclose(affine.from_parts(*seven), expected, rtol=1e-14, atol=1e-14)


def test_a_transform_without_rotation_is_exact():
    """At angle 0 nothing is rounded: sine is 0 and cosine is 1."""
    exact = affine.from_parts(3.0, 4.0, 0.0, 2.0, -0.1, 0.0, 0.0)
    assert exact.tolist() == [[2.0, 0.0, 3.0], [0.0, -0.1, 4.0]]


@given(parts, st.sampled_from(("x", "y")))
def test_parts_put_a_transform_together_again(seven, mirror):
    """Taken apart and rebuilt it is the same transform, whichever axis carries the mirror."""
    matrix = affine.from_parts(*seven)
    apart = affine.parts_from(matrix, mirror)
    np.testing.assert_allclose(affine.from_parts(*apart), matrix, rtol=1e-12, atol=1e-12)
    other = apart.scale_y if mirror == "x" else apart.scale_x
    assert other > 0.0
    assert apart.shear_x == 0.0


@given(places, places, st.floats(-3.1, 3.1), st.floats(0.1, 5.0), scales, st.floats(-1.5, 1.5))
def test_parts_come_back_as_they_were(x, y, turn, sx, sy, shear):
    """Without a shear of x and with the mirror in y, every channel is recovered, not only the matrix."""
    apart = affine.parts_from(affine.from_parts(x, y, turn, sx, sy, 0.0, shear))
    np.testing.assert_allclose(apart, (x, y, turn, sx, sy, 0.0, shear), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("matrix", [
    [[0, 0, 1], [0, 0, 2]], [[0, -3, 0], [0, 4, 0]], [[3, 0, 0], [4, 0, 0]], [[1, 2, 0], [2, 4, 0]],
])  # fmt: skip
def test_squashed_transforms_come_apart_and_go_together(matrix):
    """A point, a lost x axis, a lost y axis, a line: finite parts that rebuild the matrix."""
    np.testing.assert_allclose(affine.from_parts(*affine.parts_from(matrix)), matrix, atol=1e-14)


@settings(max_examples=30)
@given(st.lists(st.tuples(parts, parts, points), min_size=2, max_size=40))
def test_one_alone_has_the_bits_of_one_in_a_batch(cases):
    """Every function gives the same bits for one transform alone and for the same one among others."""
    first, second, point = (np.array(column) for column in zip(*cases, strict=True))
    a, b = affine.from_parts(*first.T), affine.from_parts(*second.T)
    whole = (a, affine.compose(a, b), affine.apply(a, point), affine.invert(a), affine.parts_from(a))
    for i in range(len(cases)):
        alone_a, alone_b = affine.from_parts(*first[i]), affine.from_parts(*second[i])
        assert alone_a.tobytes() == whole[0][i].tobytes()
        assert affine.compose(alone_a, alone_b).tobytes() == whole[1][i].tobytes()
        assert affine.apply(alone_a, point[i]).tobytes() == whole[2][i].tobytes()
        assert affine.invert(alone_a).tobytes() == whole[3][i].tobytes()
        assert np.array(affine.parts_from(alone_a)).tobytes() == np.array([p[i] for p in whole[4]]).tobytes()


@pytest.mark.parametrize("left", [(), (4,), (3, 1)])
@pytest.mark.parametrize("right", [(), (4,), (3, 4)])
def test_batch_axes_broadcast(left, right):
    """Leading axes combine as in NumPy."""
    one = np.broadcast_to(affine.IDENTITY, (*left, 2, 3))
    two = np.broadcast_to(affine.IDENTITY, (*right, 2, 3))
    shape = np.broadcast_shapes(left, right)
    assert affine.compose(one, two).shape == (*shape, 2, 3)
    assert affine.apply(one, np.ones((*right, 2))).shape == (*shape, 2)


def test_only_what_is_squashed_counts_as_singular():
    """A tiny or a lopsided scale has an inverse; a zero scale and a shear by 90° have none, turned or not."""
    thin = affine.from_parts(0, 0, 0, 1, 1e-9)
    assert not affine.singular(affine.compose(thin, affine.from_parts(0, 0, math.pi / 4, 1, 1)))
    for turn in (0.0, 0.3, math.pi / 4, 2.0):
        good = [(1e-9, 1e-9, 0.0), (1.0, 1e-9, 0.0), (-1.0, 1.0, 0.5)]
        bad = [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 0.0), (1.0, 1.0, math.pi / 2)]
        for sx, sy, shear in good:
            assert not affine.singular(affine.from_parts(5, 6, turn, sx, sy, 0, shear))
        for sx, sy, shear in bad:
            assert affine.singular(affine.from_parts(5, 6, turn, sx, sy, 0, shear))


def test_a_squashed_transform_is_named():
    """No inverse, no NaN: the error says what is squashed, to what, at which frame, and the way out."""
    flat = affine.from_parts(0, 0, 0.4, 1.0, [1.0, 1.0, 0.0])
    with pytest.raises(RigError) as line:
        affine.invert(flat, 'space "flat"')
    assert str(line.value) == (
        'space "flat" is squashed to a line at frame 2: it has no inverse (give it a scale other than 0)'
    )
    with pytest.raises(RigError, match=r"^the transform is squashed to a point: it has no inverse"):
        affine.invert(np.zeros((2, 3)))


def reparented(bone: dict, parent: dict) -> tuple[affine.Parts, np.ndarray, np.ndarray]:
    """The bone's channels under the parent, its world transform before, and after."""
    turn, (sx, sy) = math.radians(bone["world_rotation_deg"]), bone["world_scale"]
    before = affine.from_parts(*bone["world"], turn, sx, sy)
    px, py = parent["scale"]
    above = affine.from_parts(parent["x"], parent["y"], math.radians(parent["rotation_deg"]), px, py)
    local = affine.reparent(before, above)
    return local, before, affine.compose(above, affine.from_parts(*local))


def test_reparenting_under_a_mirror_keeps_the_picture():
    """Under a parent of scale (−1, 1) the local transform takes the mirror, and the bone stays as it was."""
    bone = {"world": [40, 10], "world_rotation_deg": 30, "world_scale": [1, 1]}
    local, before, after = reparented(bone, {"x": 0, "y": 0, "rotation_deg": 0, "scale": [-1, 1]})
    assert (local.x, local.y) == (-40.0, 10.0)
    assert local.scale_x * local.scale_y == pytest.approx(-1.0, abs=1e-15)
    np.testing.assert_allclose(after, before, atol=1e-13)
    assert affine.determinant(after) == pytest.approx(1.0, abs=1e-14)


def test_reparenting_case_m08(shared: pathlib.Path):
    """The reported case of flipped pictures comes out as expected."""
    case = next(c for c in json.loads((shared / "cases.json").read_text()) if c["id"] == "M08")
    local, before, after = reparented(case["input"]["bone"], case["input"]["new_parent"])
    assert (local.x, local.y) == (case["expected"]["local"]["x"], case["expected"]["local"]["y"])
    assert affine.determinant(affine.from_parts(*local)) == pytest.approx(-1.0, abs=1e-14)
    np.testing.assert_allclose(after[:, 2], case["expected"]["world_after"], atol=1e-13)
    assert affine.determinant(after) == pytest.approx(case["expected"]["world_determinant"], abs=1e-14)
    np.testing.assert_allclose(after, before, atol=1e-13)


@given(transforms, transforms)
def test_reparenting_never_moves_the_bone(bone, parent):
    """Under any parent that has an inverse the world transform stays."""
    local = affine.from_parts(*affine.reparent(bone, parent))
    np.testing.assert_allclose(affine.compose(parent, local), bone, rtol=1e-9, atol=1e-7)


def test_reparenting_to_a_squashed_parent_is_refused():
    """A parent without an inverse is named."""
    with pytest.raises(RigError, match=r'^bone "door" is squashed to a line'):
        affine.reparent(affine.IDENTITY, affine.from_parts(0, 0, 0, 0, 1), 'bone "door"')
