"""Draw every picture of the documents again: python docs/make_pictures.py [FOLDER]

Each picture is a function below that returns SVG; the tests compare the bytes with those in docs/pictures.
"""

from __future__ import annotations

import json
import math
import re
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import elbowroom as er
from elbowroom.render import draw_limb, plot_error, strip
from elbowroom.render.page import Box, Page, View
from elbowroom.render.style import BLUE, FAINT, GREEN, INK, PURPLE, RULE, VERMILLION

DOCS = Path(__file__).resolve().parent
RIGS = DOCS.parent / "examples" / "rigs"
UPPER, LOWER = 150.0, 125.0
REACH = UPPER + LOWER
COLORS = {"exponential": BLUE, "cubic": GREEN, "quadratic": VERMILLION}

Curve = tuple[str, str, Callable[[float], float]]  # name, colour, function


def rig_of(page: str, name: str, **bones: object) -> er.Rig:
    """The rig that a page shows as the file `name`, with further keys of bones in its first clip."""
    text = (DOCS / page).read_text("utf-8")
    shown = re.search(rf"^```json {re.escape(name)}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    if shown is None:
        raise SystemExit(f"{page} shows no {name}")
    record = json.loads(shown[1])
    if bones:
        next(iter(record["clips"].values())).setdefault("bones", {}).update(bones)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(json.dumps(record), "utf-8")
        return er.load(path)


def frame(rig: er.Rig, name: str, i: int) -> str:
    """One frame of a solved clip."""
    clip, found = er.solve(rig, rig.clip(name, 30))
    return er.draw(rig, clip, solutions=found, frame=i, size=(480, 360))


def reach() -> str:
    """Scout reaches for something too far away."""
    rig, targets = er.load(RIGS / "scout.rig.json"), {"arm_r": (62, 200)}
    pose, found = er.solve(rig, rig.skeleton.rest_pose(), targets)
    return er.draw(rig, pose, solutions=found, targets=targets, ground=0, size=(560, 420))


def wave() -> str:
    """Scout waves."""
    rig = er.load(RIGS / "scout.rig.json")
    clip, found = er.solve(rig, rig.clip("wave", 30))
    return strip(rig, clip, found, ground=0, size=(960, 220))


def postie_short() -> str:
    """The quickstart's first clip where the hand is at the slot."""
    return frame(rig_of("quickstart.md", "postie.rig.json"), "post", 18)


def postie_strip() -> str:
    """The quickstart's clip when postie steps forward, baked: plain keys, no constraint left."""
    rig = rig_of("quickstart.md", "postie.rig.json", body={"x": [[0, 0], [0.6, 14], [1, 14], [1.6, 0]]})
    baked = er.bake(rig, "post", tolerance=0.1)
    return strip(baked, baked.clip("post", 30), size=(960, 200))


def one_number() -> str:
    """The frame that docs/data-flow.md follows."""
    return frame(rig_of("data-flow.md", "porter.rig.json"), "open", 12)


def one_number_over_time() -> str:
    """The miss along that clip."""
    rig = rig_of("data-flow.md", "porter.rig.json")
    return plot_error(*er.solve(rig, rig.clip("open", 30)), size=(640, 220))


def bend_left() -> str:
    """bend = 1: the elbow is left of the way from the root to the target."""
    return draw_limb(er.two_bone((0, 0), (200, 40), UPPER, LOWER, bend=1), (200, 40), title="bend = 1", size=(400, 340))


def bend_right() -> str:
    """bend = -1: right of it."""
    answer = er.two_bone((0, 0), (200, 40), UPPER, LOWER, bend=-1)
    return draw_limb(answer, (200, 40), title="bend = -1", size=(400, 340))


def softness() -> str:
    """The three curves, reach 1 and a soft zone of 0.1."""

    def eased(curve: str) -> Callable[[float], float]:
        return lambda d: float(er.soften(d, 1.0, 0.1, curve=curve))

    curves: list[Curve] = [("hard", FAINT, lambda d: min(d, 1.0))]
    curves += [(curve, color, eased(curve)) for curve, color in COLORS.items()]
    return chart(curves, (0.85, 1.25), (0.85, 1.01), steps=(0.05, 0.05),
                 labels=("asked distance", "distance the limb goes to"))  # fmt: skip


def gain() -> str:
    """Degrees of elbow for a unit of target, by softness."""

    def turned(softness: float) -> Callable[[float], float]:
        return lambda d: math.degrees(er.gain(d, UPPER, LOWER, softness=softness))

    shades = {0.0: FAINT, 0.03: VERMILLION, 0.05: BLUE, 0.08: PURPLE}
    curves: list[Curve] = [(f"softness {s:g}", color, turned(s)) for s, color in shades.items()]
    return chart(curves, (230.0, 300.0), (0.0, 4.0), steps=(10.0, 1.0),
                 labels=("distance of the target", "degrees of elbow for each unit"))  # fmt: skip


def chart(
    curves: Sequence[Curve],
    across: tuple[float, float],
    up: tuple[float, float],
    *,
    steps: tuple[float, float],
    labels: tuple[str, str],
) -> str:
    """Functions of one number in a frame with a grid."""
    page = Page((640, 360), f"{labels[1]} over {labels[0]}")
    box = Box(54.0, 40.0, 626.0, 318.0)

    def at(x: float, y: float) -> tuple[float, float]:
        shown = min(max(y, up[0]), up[1])
        return (
            box.left + (x - across[0]) / (across[1] - across[0]) * (box.right - box.left),
            box.bottom - (shown - up[0]) / (up[1] - up[0]) * (box.bottom - box.top),
        )

    for y in ticks(*up, steps[1]):
        page.line(at(across[0], y), at(across[1], y), stroke=RULE, stroke_width=0.8)
        page.text((box.left - 6.0, at(across[0], y)[1] + 3.5), f"{y:g}", size=9.0, color=FAINT, anchor="end")
    for x in ticks(*across, steps[0]):
        page.line(at(x, up[0]), at(x, up[1]), stroke=RULE, stroke_width=0.8)
        page.text((at(x, up[0])[0], box.bottom + 16.0), f"{x:g}", size=9.0, color=FAINT, anchor="middle")
    xs = [across[0] + k * (across[1] - across[0]) / 800 for k in range(801)]
    for _, color, function in curves:
        for piece in visible([(x, function(x)) for x in xs], up[1]):
            page.path([at(x, y) for x, y in piece], fill="none", stroke=color, stroke_width=2.0)
    legend(page, curves, box.left)
    page.text((10.0, 14.0), labels[1], size=10.0, color=INK)
    page.text((box.right, 350.0), labels[0], size=10.0, color=INK, anchor="end")
    return page.svg()


def legend(page: Page, curves: Sequence[Curve], left: float) -> None:
    """A line and a name for each curve."""
    for i, (name, color, _) in enumerate(curves):
        x = left + 140.0 * i
        page.line((x, 26.0), (x + 18.0, 26.0), stroke=color, stroke_width=2.5)
        page.text((x + 24.0, 30.0), name)


def ticks(first: float, last: float, step: float) -> list[float]:
    """The numbers from first to last in equal steps."""
    return [first + i * step for i in range(int((last - first) / step + 1e-9) + 1)]


def visible(points: Sequence[tuple[float, float]], top: float) -> list[list[tuple[float, float]]]:
    """The pieces of a curve below `top`, each going out at the top where it leaves."""
    pieces: list[list[tuple[float, float]]] = [[]]
    for x, y in points:
        pieces[-1].append((x, y))
        if y > top and len(pieces[-1]) > 1:
            pieces.append([])
        elif y > top:
            pieces[-1].clear()
    return [piece for piece in pieces if len(piece) > 1]


def limit_region() -> str:
    """What limits leave of an arm's reach."""
    limits = [[math.radians(low), math.radians(high)] for low, high in ((-120, 20), (-110, -10))]
    arm = er.two_bone((0, 0), (140, 160), UPPER, LOWER, limits=limits)
    return draw_limb(arm, (140, 160), limits=limits, size=(480, 400))


def gain_ring() -> str:
    """Gain around a limb without softness, and a range of its elbow that keeps the hand out of the red."""
    limits = [[-math.pi, math.pi], [math.radians(-140), math.radians(-45)]]
    arm = er.two_bone((0, 0), (190, 110), UPPER, LOWER, limits=limits)
    return draw_limb(arm, (190, 110), limits=limits, heat=True, size=(480, 400))


def strategies() -> str:
    """The leg of docs/limits.md with each of the three strategies."""
    choices = {
        "accept": {},
        "stretch": {"on_miss": ("stretch",), "max_stretch": 0.1},
        "move_root": {"on_miss": ("move_root",), "root": "hip"},
    }
    rig = rig_of("limits.md", "climber.rig.json")
    pages = []
    for name, changes in choices.items():
        leg = replace(rig.constraints[0], **changes)
        changed = replace(rig, constraints=(leg,))
        pose, found = er.solve(changed, rig.skeleton.rest_pose())
        look = {"size": (320, 340), "view": View(-98.0, -14.0, 98.0, 194.0), "ground": 0.0}
        pages.append(er.draw(changed, pose, solutions=found, title=name, **look))
    return beside(pages, across=3)


def spaces() -> str:
    """The guard of docs/spaces.md, and the same with a foot that rides along."""
    rig = rig_of("spaces.md", "guard.rig.json")
    foot = replace(rig.constraints[1], target=er.Target((18, -85), space="character"))
    limbs = (rig.constraints[0], foot, *rig.constraints[2:])
    pages = []
    for guard in (replace(rig, name="foot in world"), replace(rig, name="foot in character", constraints=limbs)):
        clip, found = er.solve(guard, guard.clip("push", 30))
        pages.append(
            strip(guard, clip, found, ground=0, onion=True, size=(400, 320), view=View(-62.0, -12.0, 98.0, 172.0))
        )
    return beside(pages, across=2)


def chain_loops() -> str:
    """One loop followed for four laps by each chain solver: the first lap grey, the last one dark."""
    return beside([chain_loop(solver) for solver in (er.least_change, er.ccd, er.fabrik)], across=3)


def chain_loop(solver: Callable[..., er.Solution]) -> str:
    """A chain of ten bones whose end goes round and round a circle, each frame from the pose before."""
    bones, drawn = [0.1] * 10, [0.9] + [-0.12] * 9
    turn = [2.0 * math.pi * i / 240 for i in range(4 * 240 + 1)]
    pose, laps = drawn, []
    for angle in turn:
        target = (0.45 + 0.22 * math.cos(angle), 0.12 + 0.22 * math.sin(angle))
        found = solver((0.0, 0.0), target, bones, drawn if solver is er.least_change else pose)
        pose = list(found.angles)
        laps.append(found.joints)
    page = Page((320, 300), solver.__name__, view=View(-0.35, -0.45, 0.85, 0.65), box=Box(10.0, 26.0, 310.0, 290.0))
    page.text((10.0, 18.0), solver.__name__, color=FAINT)
    page.path([page.point((0.45 + 0.22 * math.cos(a), 0.12 + 0.22 * math.sin(a))) for a in turn[:241]], fill="none",
              stroke=BLUE, stroke_width=1.0, stroke_dasharray="3 3")  # fmt: skip
    for start, color in ((0, RULE), (3 * 240, INK)):
        for joints in laps[start : start + 240 : 30]:
            page.path([page.point(joint) for joint in joints], fill="none", stroke=color, stroke_width=1.6)
    return page.svg()


def overreach() -> str:
    """The clip of docs/spine.md whose foot cannot follow."""
    rig = er.load(DOCS.parent / "examples" / "rigs" / "scout-4.2.json")
    clip, found = er.solve(rig, rig.clip("overreach", 30, skin="pack"))
    return strip(rig, clip, found, size=(960, 320))


def beside(pages: Sequence[str], *, across: int) -> str:
    """Several pictures of one size as one, in rows."""
    wide, high = map(int, re.findall(r'<svg [^>]*width="(\d+)" height="(\d+)"', pages[0])[0])
    down = -(-len(pages) // across)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{across * wide}" height="{down * high}" role="img">\n'
    placed = (
        page.replace("<svg ", f'<svg x="{i % across * wide}" y="{i // across * high}" ', 1)
        for i, page in enumerate(pages)
    )
    return head + "".join(placed) + "</svg>\n"


PICTURES = (
    reach, wave, postie_short, postie_strip, one_number, one_number_over_time, bend_left, bend_right, softness, gain,
    limit_region, gain_ring, strategies, spaces, overreach,
    chain_loops,
)  # fmt: skip


def make(folder: Path) -> list[Path]:
    """Write every picture into a folder."""
    paths = []
    for draw in PICTURES:
        paths.append(folder / f"{draw.__name__.replace('_', '-')}.svg")
        paths[-1].write_bytes(draw().encode())
    return paths


if __name__ == "__main__":
    for path in make(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS / "pictures"):
        print(path)
