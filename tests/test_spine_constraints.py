"""Spine's transform and path constraints: what holds whatever the numbers, on skeletons made here."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elbowroom.rig.skeleton import INHERIT, Skeleton
from elbowroom.rig.spine.records import Attachment, Mapped, Skin, Slot, Spine, SpinePath, SpineTransform, Vertices
from elbowroom.rig.spine.state import PathState
from elbowroom.solve.spine import path, transform, transform43
from elbowroom.solve.spine.derive import derive
from elbowroom.solve.spine.frames import Frames
from elbowroom.solve.spine.pathpoints import path as made
from elbowroom.solve.spine.pathpoints import walk

SETUP = {"x": 0.0, "y": 0.0, "rotation": 0.0, "scale_x": 1.0, "scale_y": 1.0, "shear_x": 0.0, "shear_y": 0.0}
WORLD = ("a", "b", "c", "d", "wx", "wy")
VERSIONS = [(3, 8), (4, 0), (4, 1), (4, 2), (4, 3)]
OLDER = [(4, 0), (4, 1), (4, 2)]
angles = st.floats(-170.0, 170.0)
scales = st.floats(0.3, 3.0)
NONE = np.array([1, 0, 0, 0, 0, 0], dtype=np.float64)


def frames(bones: list[dict[str, Any]], *, version: tuple[int, int] = (4, 2), count: int = 1, **spine: Any) -> Frames:
    """Evaluated frames of bones, each {channel: number or (T,), "parent": index, "length", "inherit"}."""
    parents = np.array([bone.get("parent", -1) for bone in bones])
    lengths = np.array([bone.get("length", 0.0) for bone in bones])
    modes = np.array([INHERIT.index(bone.get("inherit", "normal")) for bone in bones], dtype=np.int8)
    local = {k: np.array([np.broadcast_to(bone.get(k, v), count) for bone in bones], float) for k, v in SETUP.items()}
    rest = {k: np.array([v] * len(bones)) for k, v in SETUP.items()}
    skeleton = Skeleton(tuple(f"b{i}" for i in range(len(bones))), parents, lengths, rest, modes)
    found = Frames(skeleton, Spine(version, **spine), local, np.repeat(modes[:, np.newaxis], count, axis=1))
    update(found)
    return found


def update(found: Frames) -> None:
    """Worlds of all bones from their applied local values."""
    for bone in range(len(found.parents)):
        found.update(bone)
    found.fresh[:] = True


def world(found: Frames) -> np.ndarray:
    """(6, n, T): a, b, c, d, x, y of every bone."""
    return np.array([getattr(found, name) for name in WORLD])


def whole(found: Frames) -> np.ndarray:
    """(13, n, T): worlds and applied local values."""
    return np.concatenate([world(found), np.array([getattr(found, name) for name in SETUP])])


def heading(found: Frames, bone: int) -> np.ndarray:
    """Unit vectors (2, T) of a bone's x axis."""
    axis = np.array([found.a[bone], found.c[bone]])
    return axis / np.sqrt((axis * axis).sum(axis=0))


def follow(found: Frames, constraint: SpineTransform, mixes: Any) -> None:
    """Apply a transform constraint by the rules of the frames' version."""
    rows = np.broadcast_to(np.asarray(mixes, dtype=np.float64), (found.count, 6))
    (transform43 if found.version >= (4, 3) else transform).apply(found, constraint, rows)


def same(*names: str) -> tuple[Mapped, ...]:
    """Each property of a 4.3 source onto itself."""
    return tuple(Mapped(name, 0.0, ((name, 0.0, 1.0, 1.0),)) for name in names)


def leaning(version: tuple[int, int], **changes: Any) -> Frames:
    """A turned root, a target and a bone on a second, sheared and stretched bone."""
    bones = [
        {"rotation": 20.0},
        {"parent": 0, "x": 40.0, "y": 15.0, "rotation": 70.0, "scale_x": 1.4},
        {"parent": 0, "x": -30.0, "rotation": -50.0, "shear_y": 12.0, "scale_y": 0.8},
        {"parent": 2, "x": 22.0, "y": 5.0, "rotation": 33.0, "length": 25.0} | changes,
    ]
    return frames(bones, version=version)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("local", [False, True])
@pytest.mark.parametrize("relative", [False, True])
def test_nothing_at_mix_zero(version: tuple[int, int], local: bool, relative: bool) -> None:
    """A transform constraint whose mixes are all 0 leaves every world as it is, offsets or not."""
    found = leaning(version)
    before = world(found)
    flags = {"local": local, "relative": relative, "local_source": local, "local_target": local, "additive": relative}
    constraint = SpineTransform("c", (3,), 1, offsets=(10.0, 3.0, 4.0, 0.5, 0.2, 7.0), properties=same("rotate", "x"))
    follow(found, replace(constraint, **flags), [0.0] * 6)
    np.testing.assert_array_equal(world(found), before)


@pytest.mark.parametrize("version", VERSIONS)
def test_full_rotate_mix_copies_the_direction(version: tuple[int, int]) -> None:
    """With a rotate mix of 1 the bone's x axis points where the target's does, from wherever it hangs."""
    found = leaning(version)
    follow(found, SpineTransform("c", (3,), 1, properties=same("rotate")), NONE)
    np.testing.assert_allclose(heading(found, 3), heading(found, 1), atol=1e-7)


@pytest.mark.parametrize("version", VERSIONS)
def test_full_translate_mix_meets_the_target(version: tuple[int, int]) -> None:
    """With both translate mixes of 1 the origin comes to the offset point in the target's frame."""
    found = leaning(version)
    constraint = SpineTransform("c", (3,), 1, offsets=(0.0, 5.0, -2.0, 0.0, 0.0, 0.0), properties=same("x", "y"))
    follow(found, constraint, [0, 1, 1, 0, 0, 0])
    a, b, c, d, wx, wy = world(found)[:, 1, 0]
    np.testing.assert_allclose((found.wx[3, 0], found.wy[3, 0]), (a * 5 - b * 2 + wx, c * 5 - d * 2 + wy), atol=1e-9)


@pytest.mark.parametrize("version", VERSIONS)
def test_only_acting_frames_change(version: tuple[int, int]) -> None:
    """Frames with mixes of 0 keep world and local values bit by bit beside frames that are moved."""
    found = frames(
        [{}, {"parent": 0, "rotation": 50.0}, {"parent": 0, "rotation": [7.0] * 3}], version=version, count=3
    )
    before, local = world(found), found.rotation.copy()
    follow(found, SpineTransform("c", (2,), 1, properties=same("rotate")), np.array([[0.0], [1.0], [0.0]]) * NONE)
    assert found.a[2, 1] != before[0, 2, 1]
    np.testing.assert_array_equal(world(found)[:, :, [0, 2]], before[:, :, [0, 2]])
    np.testing.assert_array_equal(found.rotation[:, [0, 2]], local[:, [0, 2]])


@pytest.mark.parametrize("version", OLDER)
def test_negative_shear_mix_is_ignored_in_the_world(version: tuple[int, int]) -> None:
    """A negative shear mix does nothing in the world modes, a positive one turns the y axis."""
    for mix, moves in ((-0.5, False), (0.5, True)):
        found = leaning(version)
        before = world(found)
        follow(found, SpineTransform("c", (3,), 2), [0, 0, 0, 0, 0, mix])
        assert bool((world(found) != before).any()) == moves


def test_local_scale_is_divided_by_the_own() -> None:
    """A bone with scale 2 takes 1.5 from a target with scale 3 at full mix, up to 4.2; 3 in 4.3."""
    bones = [{}, {"parent": 0, "scale_x": 3.0}, {"parent": 0, "scale_x": 2.0}]
    for version, wanted in (((3, 8), 1.5), ((4, 0), 1.5), ((4, 2), 1.5), ((4, 3), 3.0)):
        found = frames(bones, version=version)
        flags = {"local": True, "local_source": True, "local_target": True}
        follow(found, SpineTransform("c", (2,), 1, properties=same("scaleX"), **flags), [0, 0, 0, 1, 0, 0])
        assert found.scale_x[2, 0] == pytest.approx(wanted)


def test_local_rotation_wraps_before_4_2() -> None:
    """Half of the way to 300° is −30° where differences are wrapped, 150° from 4.2 on."""
    bones = [{}, {"parent": 0, "rotation": 300.0}, {"parent": 0}]
    for version, wanted in (((3, 8), -30.0), ((4, 0), -30.0), ((4, 1), -30.0), ((4, 2), 150.0)):
        found = frames(bones, version=version)
        follow(found, SpineTransform("c", (2,), 1, local=True), NONE * 0.5)
        assert found.rotation[2, 0] == pytest.approx(wanted)


def test_scale_y_alone_is_forgotten_by_4_0() -> None:
    """With only the scale y mix, 4.0 does nothing and 4.1 scales."""
    for version, moves in (((4, 0), False), ((4, 1), True)):
        found = leaning(version)
        before = world(found)
        follow(found, SpineTransform("c", (3,), 2), [0, 0, 0, 0, 1, 0])
        assert bool((world(found) != before).any()) == moves


def test_offset_turns_the_other_way_on_a_mirrored_target() -> None:
    """An offset of 30° turns the bone counterclockwise of its target, clockwise if the target is a mirror image."""
    for scale_y, wanted in ((1.0, 30.0), (-1.0, -30.0)):
        found = frames([{}, {"parent": 0, "scale_y": scale_y}, {"parent": 0, "rotation": 80.0}])
        follow(found, SpineTransform("c", (2,), 1, offsets=(30.0, 0, 0, 0, 0, 0)), NONE)
        derive(found, 2)
        assert found.rotation[2, 0] == pytest.approx(wanted, abs=1e-6)


def test_older_rules_wait_with_deriving() -> None:
    """Up to 3.8 and in 4.3 a world constraint marks the bone and leaves its local values; between they follow."""
    for version, waits in (((3, 8), True), ((4, 1), False), ((4, 2), False), ((4, 3), True)):
        found = leaning(version)
        before = found.rotation[3, 0]
        follow(found, SpineTransform("c", (3,), 1, properties=same("rotate")), NONE)
        assert bool(found.stale[3, 0]) == waits
        assert (found.rotation[3, 0] == before) == waits


def test_a_property_drives_another_and_is_clamped() -> None:
    """4.3: x of the source, less its offset and scaled, becomes rotation; clamped between offset and max."""
    for clamp, wanted in ((False, 70.0), (True, 45.0)):
        found = frames([{}, {"parent": 0, "x": 40.0}, {"parent": 0}], version=(4, 3))
        drives = (Mapped("x", 10.0, (("rotate", 10.0, 45.0, 2.0),)),)
        constraint = SpineTransform("c", (2,), 1, properties=drives, clamp=clamp, local_target=True, local_source=True)
        follow(found, constraint, NONE)
        assert found.rotation[2, 0] == pytest.approx(wanted)


@given(angles, angles, scales, scales, angles)
def test_derived_values_give_the_same_world(turn: float, rotation: float, sx: float, sy: float, parent: float) -> None:
    """Deriving a bone without shear and evaluating it again returns its world, in every version."""
    bones = [
        {"rotation": parent, "x": 9.0},
        {"parent": 0, "rotation": rotation, "scale_x": sx, "scale_y": sy, "y": 4.0},
    ]
    for version in VERSIONS:
        found = frames(bones, version=version)
        follow(found, SpineTransform("c", (1,), 0, offsets=(turn, 8.0, 2.0, 0, 0, 0), properties=same("x")), NONE * 0.4)
        before = world(found)
        derive(found, 1)
        found.update(1)
        np.testing.assert_allclose(world(found), before, atol=1e-6)


@given(angles, st.floats(-60.0, 60.0), scales, st.sampled_from([-1.0, 1.0]), st.sampled_from(INHERIT))
def test_4_3_derives_exactly_in_every_mode(turn: float, shear: float, scale: float, flip: float, mode: str) -> None:
    """4.3: sheared and mirrored bones come back in all inherit modes, on sheared and mirrored parents."""
    parent = {"rotation": -35.0, "scale_x": scale, "scale_y": flip, "shear_x": 20.0, "x": 3.0}
    bone = {"parent": 0, "rotation": turn, "shear_y": shear, "scale_y": -flip * 1.2, "y": 6.0, "inherit": mode}
    found = frames([parent, bone], version=(4, 3), scale=(1.5, -0.5), offset=(7.0, 2.0))
    before = world(found)
    for number in (0, 1):
        derive(found, number)
    update(found)
    np.testing.assert_allclose(world(found), before, atol=1e-6)


def test_4_2_shortens_a_sheared_axis() -> None:
    """4.2 keeps |y|·cos shear as the scale of a sheared bone; the sign of the derived shear is 4.1's reversed."""
    bones = [{}, {"parent": 0, "shear_y": 30.0}]
    found, older = frames(bones, version=(4, 2)), frames(bones, version=(4, 1))
    for each in (found, older):
        derive(each, 1)
        assert each.scale_y[1, 0] == pytest.approx(np.sqrt(0.75))
    assert found.shear_y[1, 0] == pytest.approx(30.0, abs=1e-5)
    assert older.shear_y[1, 0] == pytest.approx(-30.0, abs=1e-5)


LINE = np.array([[-40, 0], [0, 0], [40, 0], [80, 0], [120, 0], [160, 0]], dtype=np.float64)  # one curve, 0 to 120


def laid(
    constraint: SpinePath,
    *,
    version: tuple[int, int] = (4, 2),
    points: np.ndarray = LINE,
    count: int = 1,
    **changes: Any,
) -> Frames:
    """Frames after a path constraint on bones 1, 2, 3; changes: slot (its bone), attachment, state, shown, deforms."""
    bones = [
        {**changes.get("slot", {})},
        *({"length": 20.0, "x": -7.0, "rotation": 11.0 * i, "shear_y": 10.0} for i in (1, 2, 3)),
    ]
    attachment = Attachment(
        "p", "path", {}, Vertices(points), lengths=np.array([120.0, 0.0]), timelines=("default", 0, "p")
    )
    attachment = replace(attachment, **changes.get("attachment", {}))
    skins = {"default": Skin("default", attachments={(0, "p"): attachment})}
    found = frames(bones, version=version, count=count)
    spine = Spine(version, slots=(Slot("s", 0, "p"),), skins=skins)
    ones = np.ones(count)
    state = PathState(ones * constraint.position, ones * constraint.spacing, np.tile(constraint.mixes, (count, 1)))
    shown = (("p",), np.array(changes.get("shown", [0] * count)))
    path.apply(
        found, spine, constraint, changes.get("state", state), shown, deforms=changes.get("deforms", {}), skin=None
    )
    return found


ON = SpinePath("c", (1, 2, 3), 0, position_mode="fixed", position=10.0)
TWISTED = np.array([[-10, 0], [0, 0], [30, 60], [50, -40], [120, 30], [140, 60]], dtype=np.float64)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("even", [False, True])
@pytest.mark.parametrize(("mode", "spacing", "step"), [("length", 5, 25), ("fixed", 30, 30), ("percent", 0.25, 30)])
def test_a_straight_path_spaces_bones_evenly(
    version: tuple[int, int], even: bool, mode: str, spacing: float, step: float
) -> None:
    """On a line of known length the bones start a step apart and lie along it."""
    constraint = replace(ON, spacing_mode=mode, spacing=float(spacing))
    found = laid(constraint, version=version, attachment={"constant_speed": even})
    np.testing.assert_allclose(found.wx[1:, 0], 10.0 + step * np.arange(3), atol=1e-5)
    np.testing.assert_allclose(found.wy[1:, 0], 0.0, atol=1e-5)
    np.testing.assert_allclose([found.a[1:, 0], found.c[1:, 0]], [[1.0] * 3, [0.0] * 3], atol=1e-6)


def test_proportional_spaces_share_the_path() -> None:
    """Spaces proportional to bones of one length are a point's share of the path each."""
    found = laid(replace(ON, spacing_mode="proportional", spacing=0.5, position=0.0, rotate_mode="chain"))
    np.testing.assert_allclose(found.wx[1, 0], 0.0, atol=1e-6)
    scaled = laid(replace(ON, spacing_mode="proportional", spacing=0.5, position=0.0, rotate_mode="chainScale"))
    np.testing.assert_allclose(np.diff(scaled.wx[1:, 0]), 0.5 * 4 / 3 * 120.0 / 4, atol=1e-4)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("mode", ["tangent", "chain", "chainScale"])
def test_no_path_no_mix_no_change(version: tuple[int, int], mode: str) -> None:
    """Without a path shown, or with mixes of 0, every bone stays as it is."""
    still = laid(replace(ON, mixes=(0.0, 0.0, 0.0), rotate_mode=mode), version=version)
    hidden = laid(replace(ON, rotate_mode=mode), version=version, shown=[-1])
    other = laid(replace(ON, rotate_mode=mode), version=version, attachment={"kind": "boundingbox"})
    for found in (hidden, other):
        np.testing.assert_array_equal(world(found), world(still))
    assert found.wx[1, 0] == -7.0


def test_before_and_after_an_open_path_bones_run_straight_on() -> None:
    """Beyond both ends of an open path points lie on the straight continuation of its handles."""
    before, after = laid(replace(ON, position=-50.0)), laid(replace(ON, position=150.0))
    np.testing.assert_allclose(before.wx[1:, 0], [-50.0, -30.0, -10.0], atol=1e-5)
    np.testing.assert_allclose(after.wx[1:, 0], [150.0, 170.0, 190.0], atol=1e-4)


def test_a_chain_keeps_lengths_and_chain_scale_reaches_the_points() -> None:
    """Chain bones keep their length and start at the tip before; scaled ones start and end on the path's points."""
    chain = laid(replace(ON, rotate_mode="chain"), points=TWISTED)
    np.testing.assert_allclose(chain.wx[1:3, 0] + 20.0 * chain.a[1:3, 0], chain.wx[2:, 0], atol=1e-9)
    np.testing.assert_allclose(chain.a[1:, 0] ** 2 + chain.c[1:, 0] ** 2, 1.0, atol=1e-9)
    scaled = laid(replace(ON, rotate_mode="chainScale", spacing=14.0), points=TWISTED)
    np.testing.assert_allclose(scaled.wx[1:3, 0] + 20.0 * scaled.a[1:3, 0], scaled.wx[2:, 0], atol=1e-6)
    assert float(scaled.a[1, 0] ** 2 + scaled.c[1, 0] ** 2) > 1.2


def test_an_offset_turns_the_other_way_where_the_slot_is_mirrored() -> None:
    """An offset rotation of 30° is clockwise of the path if the slot's bone is a mirror image."""
    for slot, sine in (({}, 0.5), ({"scale_y": -1.0}, -0.5)):
        found = laid(replace(ON, rotation=30.0), slot=slot)
        np.testing.assert_allclose(found.c[1:, 0], sine, atol=1e-6)


def test_the_path_moves_with_the_slots_bone() -> None:
    """A bone that turns and moves the path carries the points with it."""
    found = laid(ON, slot={"rotation": 90.0, "x": 5.0})
    np.testing.assert_allclose(found.wx[1:, 0], 5.0, atol=1e-5)
    np.testing.assert_allclose(found.wy[1:, 0], [10.0, 30.0, 50.0], atol=1e-5)


def test_weights_of_one_bone_are_no_weights() -> None:
    """Vertices weighted to the slot's bone alone, in one or two influences, are where unweighted ones are."""
    plain = laid(ON, points=TWISTED)
    halves = Vertices(
        np.repeat(TWISTED, 2, axis=0), np.full(6, 2), np.zeros(12, dtype=np.intp), np.tile([0.25, 0.75], 6)
    )
    np.testing.assert_allclose(world(laid(ON, attachment={"vertices": halves})), world(plain), atol=1e-12)


def test_a_deform_in_force_moves_the_path() -> None:
    """Where keys are in force their positions replace the vertices; elsewhere the setup holds."""
    deform = {("default", 0, "p"): (np.array([False, True]), np.tile((LINE + np.array([0.0, 9.0])).ravel(), (2, 1)))}
    found = laid(ON, count=2, deforms=deform)
    np.testing.assert_allclose(found.wy[1:], [[0.0, 9.0]] * 3, atol=1e-6)


def test_frames_do_not_know_of_each_other() -> None:
    """Many frames at once give what each gives alone, bit by bit: other cursors, other sides of the path's ends."""
    position, spacing = np.linspace(-30.0, 190.0, 12), np.linspace(6.0, -40.0, 12)
    mixes = np.stack([np.linspace(-0.5, 1.0, 12), np.linspace(0.0, 1.0, 12), np.linspace(1.0, 0.0, 12)], axis=1)
    shown = [0, -1] + [0] * 10
    for mode in ("tangent", "chain", "chainScale"):
        constraint = replace(ON, rotate_mode=mode)
        state = PathState(position, spacing, mixes)
        many = whole(laid(constraint, points=TWISTED, count=12, state=state, shown=shown))
        for i in range(12):
            one = PathState(position[i : i + 1], spacing[i : i + 1], mixes[i : i + 1])
            alone = whole(laid(constraint, points=TWISTED, state=one, shown=shown[i : i + 1]))
            np.testing.assert_array_equal(many[:, :, i : i + 1], alone)


RING = np.array([[-10, -6], [0, 0], [8, 5], [90, -20], [100, 0], [110, 30], [60, 80], [50, 90], [30, 95]], dtype=float)


@pytest.mark.parametrize("even", [False, True])
def test_a_closed_path_comes_back(even: bool) -> None:
    """On a closed path a whole length further is the same point, forwards and backwards."""
    lengths = np.array([100.0, 220.0, 330.0])
    ring = made(*RING[..., np.newaxis].swapaxes(0, 1), lengths, closed=True, even=even, resets=True)
    total = float(ring.total[0])
    found = walk(ring, np.array([[20.0], [total * 0.7], [20.0 + total], [-total * 0.3], [20.0 - total]]))
    np.testing.assert_allclose(found.x[::2, 0], found.x[0, 0], atol=1e-6)
    np.testing.assert_allclose(found.y[1], found.y[3], atol=1e-6)


def test_constant_speed_covers_equal_lengths() -> None:
    """With constant speed equal steps make nearly equal ways, as far as ten chords can; without it they do not."""
    curve = made(*TWISTED[..., np.newaxis].swapaxes(0, 1), np.zeros(2), closed=False, even=True, resets=False)
    steps = np.linspace(0.0, float(curve.total[0]) * 0.999, 200)[:, np.newaxis]
    found = walk(curve, steps)
    moved = np.sqrt(np.diff(found.x, axis=0) ** 2 + np.diff(found.y, axis=0) ** 2)
    assert float(moved.max() / moved.min()) < 1.6
    uneven = made(*TWISTED[..., np.newaxis].swapaxes(0, 1), curve.total, closed=False, even=False, resets=False)
    found = walk(uneven, steps)
    moved = np.sqrt(np.diff(found.x, axis=0) ** 2 + np.diff(found.y, axis=0) ** 2)
    assert float(moved.max() / moved.min()) > 2.0


def test_cursors_stay_on_closed_paths_before_4_3() -> None:
    """A point behind the one before, in the same curve: 4.2 extrapolates from the later segment, 4.3 starts anew."""
    points = RING[..., np.newaxis].swapaxes(0, 1)
    back = np.array([[90.0], [20.0]])
    for resets in (False, True):
        ring = made(*points, np.zeros(3), closed=True, even=True, resets=resets)
        two, one = walk(ring, back), walk(ring, back[1:])
        assert bool(abs(two.x[1, 0] - one.x[0, 0]) < 1e-9) == resets
