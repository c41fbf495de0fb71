"""Pictures: what is drawn where, when, and that it comes out whole."""

from __future__ import annotations

import dataclasses
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

import elbowroom as er
from elbowroom.errors import FormatError, InputError
from elbowroom.kernel.solution import Why
from elbowroom.render import (
    View,
    draw,
    draw_limb,
    film,
    font,
    picture,
    plot_error,
    save_picture,
    strip,
    to_gif,
    to_png,
    to_webp,
)
from elbowroom.render.page import Box, Page, num
from elbowroom.render.shots import shots
from elbowroom.render.style import BLUE, VERMILLION, causes, measure, side
from elbowroom.rig.animation import Animation, TargetKeys
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.keys import Track
from elbowroom.rig.rig import Rig
from elbowroom.rig.skeleton import Skeleton
from elbowroom.rig.target import Target
from elbowroom.solve import solve

NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
HORIZONTAL, VERTICAL = ("x", "x1", "x2", "cx"), ("y", "y1", "y2", "cy")


def arm(target: tuple[float, float] = (60.0, 30.0), *, scale: float = 1.0, name: str = "arm", **more: object) -> Rig:
    """A rig of one arm, 50 and 40 long, reaching for a target; all lengths times `scale`."""
    bones = [("upper", None, 50.0 * scale), ("lower", "upper", 40.0 * scale, 50.0 * scale)]
    goal = Target((target[0] * scale, target[1] * scale))
    limb = IKConstraint(name, ("upper", "lower"), goal, "accept", **more)  # type: ignore[arg-type]
    return Rig(Skeleton.from_bones(bones), (limb,), name="test")


def reaching(*points: tuple[float, float]) -> Rig:
    """The arm with an animation "go" that takes its target through points, one every 0.1 s."""
    keys = TargetKeys(Track(np.arange(len(points)) / 10.0, np.array(points)))
    return dataclasses.replace(arm(), animations={"go": Animation("go", targets={"arm": keys})})


def shown(rig: Rig, **options: object) -> str:
    """The rig at rest, solved and drawn."""
    pose, solutions = solve(rig, rig.skeleton.rest_pose())
    return draw(rig, pose, solutions=solutions, **options)  # type: ignore[arg-type]


def elements(svg: str, tag: str = "", kind: str = "") -> list[ET.Element]:
    """The elements of a tag and class."""
    found = [e for e in ET.fromstring(svg).iter() if not tag or e.tag.endswith("}" + tag)]
    return [e for e in found if not kind or e.get("class") == kind]


def corners(svg: str) -> np.ndarray:
    """Every coordinate pair that anything is drawn at, circles by their bounds."""
    points: list[tuple[float, float]] = []
    for e in elements(svg):
        at = {k: float(e.get(k, 0.0)) for k in (*HORIZONTAL, *VERTICAL, "r", "width", "height")}
        if e.tag.endswith("}line"):
            points += [(at["x1"], at["y1"]), (at["x2"], at["y2"])]
        elif e.tag.endswith("}circle"):
            points += [(at["cx"] + s * at["r"], at["cy"] + s * at["r"]) for s in (-1, 1)]
        elif e.tag.endswith("}rect"):
            points += [(at["x"], at["y"]), (at["x"] + at["width"], at["y"] + at["height"])]
        elif e.tag.endswith("}path"):
            numbers = [float(n) for n in NUMBER.findall(e.get("d", ""))]
            points += list(zip(numbers[::2], numbers[1::2], strict=True))
    return np.array(points)


def words(svg: str) -> list[str]:
    """All text of a picture."""
    return [label for e in elements(svg) if (label := e.get("aria-label")) and e.tag.endswith("}path")]


def pictures() -> dict[str, str]:
    """One picture of every kind."""
    rig = reaching((60.0, 30.0), (95.0, 0.0), (0.0, 2.0), (40.0, -40.0))
    clip, solutions = solve(rig, rig.clip("go", 30))
    return {
        "rest": draw(rig, rig.skeleton.rest_pose()),
        "frame": draw(rig, clip, solutions=solutions, frame=3, ground=-10.0),
        "side by side": strip(rig, clip, solutions, frames=5, ground=0.0),
        "onion": strip(rig, clip, solutions, onion=True),
        "film": list(film(rig, clip, solutions, onion=True))[-1],
        "plot": plot_error(clip, solutions, max_miss=0.5),
        "limb": draw_limb(er.two_bone((0, 0), (80, 80), 50, 40, softness=0.1), softness=0.1, title="soft & <far>"),
    }


@pytest.fixture(scope="module")
def every() -> dict[str, str]:
    """One picture of every kind."""
    return pictures()


def test_every_picture_is_xml_and_stays_on_its_page(every: dict[str, str]) -> None:
    """All elements of every picture lie within its viewBox."""
    for kind, svg in every.items():
        root = ET.fromstring(svg)
        left, top, wide, high = (float(v) for v in root.get("viewBox", "").split())
        assert (root.get("width"), root.get("height")) == (f"{wide:g}", f"{high:g}")
        points = corners(svg)
        assert len(points) > 20, kind
        assert (points >= [left, top]).all(), kind
        assert (points <= [left + wide, top + high]).all(), kind


def test_same_input_same_bytes(every: dict[str, str]) -> None:
    """Drawing again gives the same bytes, and drawing something else does not."""
    assert pictures() == every
    assert shown(arm((60.0, 30.0))) != shown(arm((60.0, 31.0)))


def test_scale_of_the_world_does_not_show() -> None:
    """A rig 2^200 times as large or small gives the same drawing, but for the numbers written in it."""
    text = re.compile(r'<path[^>]*fill="none"[^>]*/>')
    plain, *scaled = (text.sub("", shown(arm((85.0, 45.0), scale=s))) for s in (1.0, 2.0**200, 2.0**-200))
    assert scaled == [plain, plain]


def test_text_needs_no_font(every: dict[str, str]) -> None:
    """No picture has a text element: letters are strokes, and each printable one has its own."""
    assert not any(elements(svg, "text") for svg in every.values())
    printable = [chr(code) for code in range(33, 127)] + list("°×±−…·→")
    assert [letter for letter in printable if letter not in font.LETTERS] == []
    assert font.strokes("日", 0, 0, 10) == font.strokes("本", 0, 0, 10) != []
    assert font.strokes("é", 0, 0, 10) == font.strokes("e", 0, 0, 10)


def test_long_text_is_cut_to_its_room() -> None:
    """A name too wide for its place ends in "…" and fits; one that fits stays."""
    cut = font.shorten("a_very_long_constraint_name", 60.0, 11.0)
    assert cut.endswith("…")
    assert 40.0 < font.width(cut, 11.0) <= 60.0
    assert font.shorten("arm", 60.0, 11.0) == "arm"


def test_up_in_the_world_is_up_on_the_page() -> None:
    """The flip of y: a higher point has the smaller page y, by the same scale as x."""
    page = Page((200, 100), "flip", view=View(0.0, 0.0, 20.0, 10.0))
    assert page.point((0.0, 0.0)) == (0.0, 100.0)
    assert page.point((20.0, 10.0)) == (200.0, 0.0)
    assert page.point((5.0, 2.0)) == (50.0, 80.0)


@pytest.mark.parametrize(
    ("value", "text"), [(0.0, "0"), (-0.001, "0"), (1.0, "1"), (-2.346, "-2.35"), (1e300, "100000")]
)
def test_numbers_have_one_spelling(value: float, text: str) -> None:
    """Page numbers have two digits at most, no −0 and no exponent."""
    assert num(value) == text


@pytest.mark.parametrize("target", [(60.0, 30.0), (90.0, 0.0), (-20.0, 50.0)])
def test_no_shortfall_where_the_limb_gets_there(target: tuple[float, float]) -> None:
    """A reached target has a cross and no dashed line; the caption says reached."""
    svg = shown(arm(target))
    assert elements(svg, "line", "shortfall") == []
    assert "reached" in words(svg)


@pytest.mark.parametrize(("target", "more"), [((130.0, 20.0), {}), ((3.0, -4.0), {}), ((89.0, 0.0), {"softness": 0.1})])
def test_shortfall_is_the_miss_to_scale(target: tuple[float, float], more: dict[str, float]) -> None:
    """The dashed line runs from the end of the limb to the target, as long as the error, and says so."""
    rig = arm(target, **more)
    pose, solutions = solve(rig, rig.skeleton.rest_pose())
    view = View(-100.0, -100.0, 140.0, 100.0)
    svg = draw(rig, pose, solutions=solutions, view=view, size=(600, 500), caption=False, title="")
    (line,) = elements(svg, "line", "shortfall")
    x1, y1, x2, y2 = (float(line.get(k, 0)) for k in ("x1", "y1", "x2", "y2"))
    scale = min(580 / 240, 480 / 200)
    error = float(solutions["arm"].error)
    assert error > 0.5
    assert np.hypot(x2 - x1, y2 - y1) == pytest.approx(error * scale, abs=0.02)
    assert x2 - x1 == pytest.approx(scale * (target[0] - pose.tips()[1, 0]), abs=0.02)
    assert y1 - y2 == pytest.approx(scale * (target[1] - pose.tips()[1, 1]), abs=0.02)
    assert measure(error) in words(svg)


def test_caption_names_limb_miss_and_causes() -> None:
    """The line below the picture has the constraint's name, its error and its causes."""
    svg = shown(arm((130.0, 20.0), name="reach & <grab>", softness=0.05))
    assert {"reach & <grab>", "misses by 41.5", "FAR SOFT"} <= set(words(svg))


def test_crowded_captions_show_the_worst() -> None:
    """With more limbs than lines, the largest misses are named, and how many are not."""
    bones = [(f"b{i}", None, 10.0, 0.0, 30.0 * i) for i in range(20)]
    limbs = [IKConstraint(f"c{i}", (f"b{i}",), Target((11.0 + i, 30.0 * i)), "accept") for i in range(20)]
    svg = shown(Rig(Skeleton.from_bones(bones), tuple(limbs)))
    assert {"c19", "c13", "and 13 more"} <= set(words(svg))
    assert "c12" not in words(svg)


def test_ring_has_the_limbs_radii() -> None:
    """Reach and dead zone are drawn to scale around the limb's root."""
    svg = shown(arm(), view=View(-100.0, -100.0, 100.0, 100.0), size=(420, 420), caption=False, title="")
    radii = {float(e.get("r", 0)) for e in elements(svg, "circle")}
    assert {90.0 * 2, 10.0 * 2} <= radii
    assert not {90.0 * 2, 10.0 * 2} & {float(e.get("r", 0)) for e in elements(shown(arm(), rings=False), "circle")}


def test_goal_follows_from_the_answer() -> None:
    """Without a declared target the goal is found from the solution: out of reach, too near and inside."""
    rng = np.random.default_rng(5)
    points = rng.uniform(-120.0, 120.0, (200, 2))
    points[::4] *= 0.05  # inside the dead zone
    rig = arm()
    clip = er.Clip.from_pose(rig.skeleton.rest_pose(), len(points), 30.0)
    solved, solutions = solve(rig, clip, {"arm": Target(points)})
    found = np.array([shot.limbs[0].goal for shot in shots(rig, solved, solutions)])
    assert np.abs(found - points).max() < 1e-9
    assert (np.asarray(solutions["arm"].why) & int(Why.NEAR)).any()


def test_declared_goal_goes_before_a_guess() -> None:
    """Where the answer alone leaves two goals, softened away from the dead zone, the declared one is drawn."""
    rig = arm((0.0, 12.0), inner_softness=0.2)
    pose, solutions = solve(rig, rig.skeleton.rest_pose())
    assert solutions["arm"].error > 1.0
    assert Why(int(solutions["arm"].why)) == Why.SOFT
    (shot,) = shots(rig, pose, solutions)
    assert shot.limbs[0].goal.tolist() == [0.0, 12.0]


def test_goal_of_a_clip_is_that_of_its_frame() -> None:
    """A keyed target is drawn where it is in that frame, which also says its time."""
    rig = reaching((60.0, 30.0), (200.0, 0.0))
    clip, solutions = solve(rig, rig.clip("go", 10))
    (last,) = shots(rig, clip, solutions, frames=[-1])
    assert last.limbs[0].goal.tolist() == [200.0, 0.0]
    assert last.time == pytest.approx(0.1)


def test_view_of_a_film_stands_still() -> None:
    """All frames of a film have the same ring and ground: only what moves moves."""
    rig = reaching((60.0, 30.0), (95.0, 0.0), (40.0, -40.0))
    clip, solutions = solve(rig, rig.clip("go", 30))
    frames = list(film(rig, clip, solutions, ground=0.0))
    grounds = {e.get("y1") for svg in frames for e in elements(svg, "line", "ground")}
    assert len(frames) == len(clip) == 7
    assert len(grounds) == 1
    assert len(set(frames)) == 7


def test_far_side_is_drawn_first() -> None:
    """Bones of the side away from the viewer come before the body, those of the near side after it."""
    bones = [("arm_r", None, 9.0), ("spine", None, 9.0, 0.0, 5.0), ("arm_l", None, 9.0, 0.0, 9.0)]
    rig = Rig(Skeleton.from_bones(bones))
    shapes = filled(draw(rig, rig.skeleton.rest_pose()))
    assert [e.get("fill") for e in shapes] == ["#56b4e9", "#8c8c8c", "#e69f00"]
    mirrored = filled(draw(dataclasses.replace(rig, facing=-1), rig.skeleton.rest_pose()))
    assert [e.get("fill") for e in mirrored] == ["#56b4e9", "#8c8c8c", "#e69f00"]
    assert [e.get("d") for e in mirrored] == [e.get("d") for e in reversed(shapes)]


def filled(svg: str) -> list[ET.Element]:
    """The shapes of the bones, in the order they are drawn."""
    return [e for e in elements(svg, "path") if e.get("fill") != "none"]


@pytest.mark.parametrize(
    ("name", "which"),
    [("thigh_l", -1), ("thigh.R", 1), ("LeftArm", -1), ("armRight", 1), ("l_hand", -1), ("spine", 0), ("leg_l2", -1),
     ("head", 0), ("tail", 0), ("rotor", 0)],
)  # fmt: skip
def test_names_tell_the_side(name: str, which: int) -> None:
    """l, r, left and right count as words, not as letters inside one."""
    assert side(name) == which
    assert side(name, -1) == -which


def test_causes_in_order() -> None:
    """Flags are named in the order of their values."""
    assert causes(int(Why.STRETCH | Why.FAR)) == ["FAR", "STRETCH"]
    assert causes(0) == []


def test_strip_shows_first_and_last_frame() -> None:
    """Frames are spread evenly over the clip, both ends included, never one twice."""
    rig = reaching((60.0, 30.0), (95.0, 0.0), (40.0, -40.0))
    clip, solutions = solve(rig, rig.clip("go", 30))
    times = [word for word in words(strip(rig, clip, solutions, frames=3)) if word.endswith(" s")]
    assert times == ["0.00 s", "0.10 s", "0.20 s"]
    assert len([w for w in words(strip(rig, clip, frames=50)) if w.endswith(" s")]) == len(clip)


def test_strip_shows_the_worst_frame() -> None:
    """The frame of the largest miss is in the strip, in place of its neighbour; the number of frames stays."""
    rig = reaching((60.0, 30.0), (60.0, 30.0), (140.0, 0.0), *[(60.0, 30.0)] * 11)
    clip, solutions = solve(rig, rig.clip("go", 10))
    svg = strip(rig, clip, solutions, frames=4)
    times = [word for word in words(svg) if word.endswith(" s")]
    assert times == ["0.00 s", "0.20 s", "0.90 s", "1.30 s"]
    assert len(elements(svg, "line", "shortfall")) == 1
    fine = reaching((60.0, 30.0), *[(60.0, 30.0)] * 13)
    assert "0.40 s" in words(strip(fine, *solve(fine, fine.clip("go", 10)), frames=4))


@pytest.mark.parametrize("angle", range(0, 360, 15))
@pytest.mark.parametrize("reach", [93.0, 99.0, 120.0])
def test_no_label_hides_a_target(angle: int, reach: float) -> None:
    """Whatever way a limb misses, in a page's middle or at its edge, the number leaves every cross to be seen."""
    turn = np.radians(angle)
    rig = arm((reach * np.cos(turn), reach * np.sin(turn)))
    two = dataclasses.replace(rig, constraints=(*rig.constraints, IKConstraint(
        "other", ("tail",), Target((reach * np.cos(turn) + 6.0, reach * np.sin(turn) + 14.0)), "accept")),
        skeleton=Skeleton.from_bones([("upper", None, 50.0), ("lower", "upper", 40.0, 50.0), ("tail", None, 9.0)]),
    )  # fmt: skip
    for each in (rig, two):
        clip, solutions = solve(each, er.Clip.from_pose(each.skeleton.rest_pose(), 3, 30.0))
        for svg in (strip(each, clip, solutions, size=(480, 200)), shown(each, rings=False, size=(300, 200))):
            labels = [box(e) for e in elements(svg, "path") if NUMBER.fullmatch(e.get("aria-label") or "")]
            crosses = [box(e) for e in elements(svg, "line") if e.get("stroke") == BLUE]
            assert labels
            assert crosses
            for low, high in labels:
                assert not any((low < end).all() and (start < high).all() for start, end in crosses)


def box(e: ET.Element) -> tuple[np.ndarray, np.ndarray]:
    """The least and the largest x, y of an element."""
    points = corners(f'<svg xmlns="http://www.w3.org/2000/svg">{ET.tostring(e, encoding="unicode")}</svg>')
    return points.min(axis=0), points.max(axis=0)


def test_bones_without_a_body_have_thickness() -> None:
    """A lone bone is a fortieth as thick as long, and one limb as thick in a strip whether folded or straight."""
    lone = Rig(Skeleton.from_bones([("bone", None, 90.0)]))
    svg = draw(lone, lone.skeleton.rest_pose(), view=View(-10.0, -55.0, 100.0, 55.0), size=(460, 460), title="")
    (shape,) = filled(svg)
    low, high = box(shape)
    assert high[1] - low[1] == pytest.approx(2 * 0.026 * 90.0 * 4.0, rel=0.01)


def test_plot_shows_causes_and_threshold() -> None:
    """A stripe for each cause where it acted and only there; a threshold line if one is asked for."""
    rig = reaching((60.0, 30.0), (60.0, 30.0), (120.0, 0.0))
    clip, solutions = solve(rig, rig.clip("go", 50))
    svg = plot_error(clip, solutions, max_miss=5.0)
    (stripe,) = elements(svg, "rect", "cause")
    far = (np.asarray(solutions["arm"].why) & int(Why.FAR)) != 0
    assert stripe.get("aria-label") == "FAR"
    (curve,) = elements(svg, "path", "error")
    numbers = [float(n) for n in NUMBER.findall(curve.get("d", ""))]
    xs, ys = np.array(numbers[::2]), np.array(numbers[1::2])
    assert float(stripe.get("x", 0)) == pytest.approx(xs[far][0], abs=(xs[1] - xs[0]) / 2 + 0.02)
    assert ys[-1] == ys.min() < ys[0] == ys.max()
    assert len(elements(svg, "line", "threshold")) == 1
    assert elements(plot_error(clip, solutions), "line", "threshold") == []


def test_png_has_the_size_asked_for(tmp_path: Path) -> None:
    """PNG pixels are the SVG's size times zoom, white where nothing is drawn."""
    image = pytest.importorskip("PIL.Image")
    svg = shown(arm(), size=(320, 240))
    paths = to_png(svg, tmp_path / "a.png"), to_png(svg, tmp_path / "b.png", zoom=2)
    with image.open(paths[0]) as small, image.open(paths[1]) as large:
        assert small.size == (320, 240)
        assert large.size == (640, 480)
        assert small.convert("RGB").getpixel((0, 0)) == (255, 255, 255)
        assert len(small.convert("RGB").getcolors(10_000)) > 5


@pytest.mark.parametrize(("fps", "kind"), [(30.0, "gif"), (24.0, "gif"), (50.0, "gif"), (30.0, "webp")])
def test_moving_pictures_have_all_frames_and_the_right_length(tmp_path: Path, fps: float, kind: str) -> None:
    """As many frames as given, and a duration that is theirs at that fps to the hundredth of a second."""
    image = pytest.importorskip("PIL.Image")
    frames = [shown(arm((60.0, y)), size=(96, 64), caption=False, title="") for y in range(-40, 40, 8)]
    path = save_picture(tmp_path / f"a.{kind}", frames, fps=fps)
    with image.open(path) as moving:
        assert moving.n_frames == len(frames)
        assert moving.size == (96, 64)
        lasting = 0
        for i in range(moving.n_frames):
            moving.seek(i)
            moving.load()
            lasting += moving.info["duration"]
    assert lasting == pytest.approx(1000.0 * len(frames) / fps, abs=5.0)


def test_gif_keeps_the_colour_of_a_rare_miss(tmp_path: Path) -> None:
    """A colour that only one frame in many shows is in the palette: white stays white, vermillion vermillion."""
    image = pytest.importorskip("PIL.Image")
    plain = [shown(arm((60.0, 0.1 * i)), size=(96, 96), caption=False, title="") for i in range(30)]
    plain[17] = plain[17].replace("</svg>", f'<rect x="1" y="1" width="9" height="9" fill="{VERMILLION}"/></svg>')
    with image.open(to_gif(plain, tmp_path / "a.gif")) as moving:
        moving.seek(17)
        frame = moving.convert("RGB")
        assert frame.getpixel((5, 5)) == (0xD5, 0x5E, 0x00)
        assert frame.getpixel((90, 90)) == (255, 255, 255)


def test_files_appear_whole_or_not_at_all(tmp_path: Path) -> None:
    """Frames that fail halfway leave the old file and nothing else."""
    pytest.importorskip("PIL.Image")
    path = tmp_path / "a.gif"
    path.write_bytes(b"old")

    def failing() -> object:
        yield shown(arm(), size=(64, 64))
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        save_picture(path, failing())  # type: ignore[arg-type]
    assert [p.name for p in tmp_path.iterdir()] == ["a.gif"]
    assert path.read_bytes() == b"old"
    (tmp_path / "folder.svg").mkdir()
    for place, said in (("none/a.svg", "does not exist"), ("folder.svg", "this is a folder"), ("none/a.gif", "exist")):
        with pytest.raises(FormatError, match=said):
            save_picture(tmp_path / place, failing() if place.endswith("gif") else shown(arm()))  # type: ignore[arg-type]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.gif", "folder.svg"]


@pytest.mark.parametrize("missing", ["resvg_py", "PIL"])
def test_missing_extra_is_one_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    """Without the extra, pixels name what to install; SVG needs nothing."""
    monkeypatch.setitem(sys.modules, missing, None)
    svg = shown(arm(), size=(64, 64))
    with pytest.raises(InputError, match=r'pip install "elbowroom\[render\]"'):
        to_gif([svg], tmp_path / "a.gif")
    assert save_picture(tmp_path / "a.svg", svg).read_text() == svg
    assert [p.name for p in tmp_path.iterdir()] == ["a.svg"]


@pytest.mark.parametrize("kind", ["svg", "png", "gif", "webp"])
@pytest.mark.parametrize("onion", [False, True])
def test_picture_of_every_kind(tmp_path: Path, kind: str, onion: bool) -> None:
    """One call solves and draws an animation to every kind of file, and says how far it is."""
    pytest.importorskip("PIL.Image")
    rig = reaching((60.0, 30.0), (95.0, 0.0), (40.0, -40.0))
    told: list[tuple[int, int]] = []
    path, tell = tmp_path / f"a.{kind}", lambda done, total: told.append((done, total))
    out = picture(rig, "go", path, size=(160, 120), fps=20, onion=onion, progress=tell)
    assert out.stat().st_size > 400
    assert told == ([(i, 5) for i in range(1, 6)] if kind in ("gif", "webp") else [])


def test_picture_without_an_animation_is_the_rig_at_rest(tmp_path: Path) -> None:
    """A still of no named animation shows one frame; a rig without any animation can be drawn, targets or not."""
    still = picture(reaching((60.0, 30.0), (95.0, 0.0)), None, tmp_path / "a.svg").read_text()
    assert len(elements(still, "path")) - len(words(still)) == 2  # two bones, once
    bare = dataclasses.replace(arm(), constraints=(dataclasses.replace(arm().constraints[0], target=None),))
    assert words(picture(bare, None, tmp_path / "b.svg").read_text()) == ["test"]


def wrong(rig: Rig, tmp_path: Path) -> dict[str, object]:
    """Calls that ask for what there is not, by what the message must say."""
    clip, solutions = solve(rig, rig.clip("go", 30))
    svg = shown(rig, size=(64, 64))
    limb = er.two_bone(np.zeros((3, 2)), np.ones((3, 2)), 5, 4)
    return {
        r"draw: a pose of 4 frames \(say which": lambda: draw(rig, clip),
        r"frame 9 \(0 to 3\)": lambda: draw(rig, clip, frame=9),
        r'solutions: constraint "leg" does not exist': lambda: draw(rig, clip, frame=0, solutions={"leg": limb}),
        r'"arm" has joints of shape \(4, 3, 2\)': lambda: draw(rig, clip[0], solutions=solutions),
        r"size: \(0, 10\) \(width and height": lambda: draw(rig, clip, frame=0, size=(0, 10)),
        r"size: \(64.5, 64\)": lambda: draw(rig, clip, frame=0, size=(64.5, 64)),  # type: ignore[arg-type]
        r"view: left 1, .*left below right": lambda: View(1.0, 0.0, 1.0, 2.0),
        r"strip: frames is 0": lambda: strip(rig, clip, frames=0),
        r"plot_error: max_miss is -1": lambda: plot_error(clip, solutions, max_miss=-1.0),
        r'plot_error: "arm" has errors of shape \(4,\)': lambda: plot_error(rig.clip("go", 60), solutions),
        r"draw_limb: joints of shape \(3, 3, 2\)": lambda: draw_limb(limb),
        r"gif: fps is 60 .*at most 50": lambda: to_gif([svg], tmp_path / "a.gif", 60),
        r"webp: fps is 0": lambda: to_webp([svg], tmp_path / "a.webp", 0),
        r"gif: there are no frames": lambda: to_gif([], tmp_path / "a.gif"),
        r"gif: frame 1 has another size": lambda: to_gif([svg, shown(rig, size=(65, 64))], tmp_path / "a.gif"),
        r"png: zoom is 0": lambda: to_png(svg, tmp_path / "a.png", zoom=0),
        r'"\.gfi" is no kind of picture \(did you mean "\.gif"': lambda: save_picture(tmp_path / "a.gfi", svg),
        r"2 frames for a still picture": lambda: save_picture(tmp_path / "a.svg", [svg, svg]),
    }


def test_wrong_calls_say_what_would_be_right(tmp_path: Path) -> None:
    """Every refusal names the argument, its value and the remedy, and writes nothing."""
    rig = reaching((60.0, 30.0), (95.0, 0.0))
    for message, call in wrong(rig, tmp_path).items():
        with pytest.raises(InputError, match=message):
            call()  # type: ignore[operator]
    assert list(tmp_path.iterdir()) == []


LIMITS = ((-2.0, 0.35), (-1.9, -0.2))


def pieces(svg: str) -> list[list[np.ndarray]]:
    """The outlines of every piece of the regions that are filled."""
    filled = [e.get("d") or "" for e in elements(svg, "path", "region") if e.get("fill") != "none"]
    return [[np.array(NUMBER.findall(part), dtype=float).reshape(-1, 2) for part in d.split("M")[1:]] for d in filled]


def within(point: tuple[float, float], piece: list[np.ndarray]) -> bool:
    """Whether a page point lies in a piece: a ray to the right crosses its outlines an odd number of times."""
    x, y = point
    a, b = np.concatenate(piece), np.concatenate([np.roll(outline, -1, axis=0) for outline in piece])
    crosses = (a[:, 1] > y) != (b[:, 1] > y)
    safe = np.where(crosses, b[:, 1] - a[:, 1], 1.0)
    return bool((crosses & (x < a[:, 0] + (y - a[:, 1]) / safe * (b[:, 0] - a[:, 0]))).sum() % 2)


@pytest.mark.parametrize(("bend", "mirror"), [(1, 1.0), (-1, 1.0), (0, 1.0), (1, -1.0)])
@pytest.mark.parametrize("limits", [LIMITS, ((-4.0, 4.0), (-1.9, 2.5)), ((1.0, 2.0), (-0.5, 1.5)), ((1, 3), (2.5, 4))])
def test_region_is_what_the_limb_reaches(limits: tuple[tuple[float, float], ...], bend: int, mirror: float) -> None:
    """A target is reached exactly where it lies in the filled region; also under a mirrored parent."""
    bones = [
        {"name": "body", "x": 7.0, "scale_x": mirror, "rotation": 0.4},
        {"name": "upper", "parent": "body", "length": 50.0},
        {"name": "lower", "parent": "upper", "length": 40.0, "x": 50.0},
    ]
    limb = IKConstraint("arm", ("upper", "lower"), Target((60.0, 0.0)), "accept", bend=bend, limits=limits)
    rig = Rig(Skeleton.from_bones(bones), (limb,), name="test")
    view = View(-100.0, -100.0, 114.0, 100.0)
    svg = shown(rig, view=view, caption=False, size=(640, 640), title="")
    page = Page((640, 640), "", view=view, box=Box(10.0, 10.0, 630.0, 630.0))
    rest, rng = rig.skeleton.rest_pose(), np.random.default_rng(3)
    turns = np.stack([np.full(150, 0.4), *(rng.uniform(*limit, 150) for limit in limits)], axis=-1)
    posed = [rest.replace(rotation=turn).tips()[-1] for turn in turns]
    points = np.concatenate([posed, rng.uniform(-90.0, 90.0, (150, 2))])
    _, found = solve(rig, rest, {"arm": points})
    drawn, near = pieces(svg), [(x, y) for x in (-0.1, 0.1) for y in (-0.1, 0.1)]  # [px] an arc is made of chords
    places = [np.add(page.point(point), near) for point in points]
    votes = np.array([[any(within(at, piece) for piece in drawn) for at in place] for place in places])
    clear = votes.all(axis=1) | ~votes.any(axis=1)
    assert (votes[:, 0] == found["arm"].reached)[clear].all()
    assert 20 < votes[:, 0].sum() < 290
    assert clear.sum() > 270


def test_limits_are_drawn_where_there_are_any() -> None:
    """Fans at both joints, a region, and a heavy line only where a bone stands at the end of its range."""
    assert not elements(shown(arm()), kind="region")
    for target, stops in (((60.0, -40.0), 0), ((30.0, 60.0), 2)):
        svg = shown(arm(target, limits=LIMITS))
        assert [len(elements(svg, kind=kind)) for kind in ("fan", "region", "stop")] == [2, 2, stops]
    free = shown(arm(limits=((-4.0, 4.0), LIMITS[1])))
    assert len(elements(free, kind="fan")) == 1
    assert not elements(shown(arm(limits=LIMITS), rings=False), kind="region")


def test_a_limb_alone_has_the_same_region_as_in_a_rig() -> None:
    """draw_limb and draw agree on what limits leave."""
    view = View(-100.0, -100.0, 100.0, 100.0)
    answer = er.two_bone((0.0, 0.0), (60.0, 30.0), 50.0, 40.0, limits=LIMITS)
    alone = draw_limb(answer, (60.0, 30.0), limits=LIMITS, view=view, size=(400, 430))
    scaled = [(piece - piece.min(axis=0)) / np.ptp(piece) for piece in pieces(alone)[0]]
    in_rig = [(piece - piece.min(axis=0)) / np.ptp(piece) for piece in pieces(shown(arm(limits=LIMITS), view=view))[0]]
    assert len(scaled) == len(in_rig) == 1
    assert np.abs(scaled[0] - in_rig[0]).max() < 1e-3


def test_region_of_a_stretched_limb_is_the_unstretched_one() -> None:
    """As its ring, the region of a limb does not grow with its stretch."""
    view = View(-100.0, -100.0, 100.0, 100.0)
    limb = {"limits": ((-2.0, 1.0), (-1.9, 0.0))}
    plain = shown(arm((120.0, 0.0), **limb), view=view)
    rig = arm((120.0, 0.0), **limb)
    longer = dataclasses.replace(rig.constraints[0], on_miss=("stretch",), max_stretch=0.2)
    stretched = shown(dataclasses.replace(rig, constraints=(longer,)), view=view)
    assert any("STRETCH" in word for word in words(stretched))
    assert np.abs(pieces(plain)[0][0] - pieces(stretched)[0][0]).max() <= 0.02


def test_heat_is_hottest_at_full_reach() -> None:
    """Rings of gain fill the annulus; softness takes the red away; without `heat` there are none."""

    def hot(softness: float) -> list[int]:
        svg = draw_limb(er.two_bone((0, 0), (60, 0), 50, 40, softness=softness), (60, 0), softness=softness, heat=True)
        return [int((e.get("stroke") or "")[5:7], 16) for e in elements(svg, "circle", "heat")]

    hard, soft = hot(0.0), hot(0.08)
    assert hard[-1] < 60 < hard[len(hard) // 2]
    assert min(soft[24:]) > min(hard[24:])
    assert elements(shown(arm(), heat=True), "circle", "heat")
    assert not elements(shown(arm()), "circle", "heat")


@pytest.mark.parametrize("limits", [((0, 1),), ((1, 0), (0, 1)), "wide", ((0, float("nan")), (0, 1))])
def test_wrong_limits_are_refused(limits: object) -> None:
    """draw_limb says which shape limits have."""
    with pytest.raises(InputError, match=r"draw_limb: limits.*(2 ranges low, high in radians|\[0\]: low 1 is above)"):
        draw_limb(er.two_bone((0, 0), (60, 0), 50, 40), limits=limits)
