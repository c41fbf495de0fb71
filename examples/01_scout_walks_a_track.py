"""Scout walks where a table says, and every limb says how far it misses, and why.

The table examples/tracks/scout_feet.csv has a point for each foot, thirty times a second, as motion capture or a game
would send it. The feet stay planted in the world while the hip moves over them. The last step is longer than the leg:
the leg stretches as far as its record allows, and the report says what is still missing.

The report and the baked animation have 60 frames a second, as in `elbowroom check` and `elbowroom bake`; a GIF cannot
show that many, so the pictures have 30.

Writes into the folder given as argument, or into ./out: the baked animation (plain keys, no inverse kinematics left),
a moving picture, a strip of frames, and the miss of each limb over time.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import elbowroom as er
from elbowroom.formats.tracks import load_targets
from elbowroom.render import film, plot_error, save_picture, strip
from elbowroom.rig.animation import TargetKeys

HERE = Path(__file__).parent
RATE, SHOWN = 60, 30  # frames a second: of what is measured and baked, and of what is drawn


def report(clip: er.Clip, solutions: dict[str, er.Solution], feet: dict[str, TargetKeys]) -> None:
    print(f"{'limb':8}{'worst miss':>12}{'frame':>8}{'missed':>11}   {'why':18}planted foot moves")
    for name, solution in solutions.items():
        frame = int(np.argmax(solution.error))
        missed = ~solution.reached
        why = " ".join(str(flag.name) for flag in er.Why if solution.why[frame] & flag) if missed.any() else "-"
        print(
            f"{name:8}{solution.error[frame]:12.3f}{frame if missed.any() else '-':>8}"
            f"{f'{missed.sum()} of {len(missed)}':>11}   {why:18}{drift(clip, solution, feet.get(name))}"
        )


def drift(clip: er.Clip, solution: er.Solution, track: TargetKeys | None) -> str:
    """How far a foot whose target stands still moves from frame to frame, at most, while it is in reach."""
    if track is None:
        return "-"
    target, foot = track.sample(clip.times)["position"], solution.joints[:, -1]
    still = (np.diff(target, axis=0) == 0.0).all(axis=1) & solution.reached[1:] & solution.reached[:-1]
    steps = np.diff(foot, axis=0)[still]
    return f"{np.abs(steps).max():.1e}"


def main(out: Path) -> None:
    rig = er.load(HERE / "rigs" / "scout.rig.json")
    feet = dict(load_targets(HERE / "tracks" / "scout_feet.csv", rig).tracks)
    clip, solutions = er.solve(rig, rig.clip("walk", RATE), targets=feet)
    report(clip, solutions, feet)
    out.mkdir(parents=True, exist_ok=True)
    er.save(er.bake(rig, "walk", targets=feet, fps=RATE), out / "scout_walk.rig.json")
    drawn, drawn_solutions = er.solve(rig, rig.clip("walk", SHOWN), targets=feet)
    save_picture(out / "scout_walk.gif", film(rig, drawn, drawn_solutions, targets=feet, ground=0), fps=SHOWN)
    save_picture(out / "scout_walk.svg", strip(rig, clip, solutions, targets=feet, ground=0))
    save_picture(out / "scout_miss.svg", plot_error(clip, solutions, max_miss=0.5))
    for name in ("scout_walk.rig.json", "scout_walk.gif", "scout_walk.svg", "scout_miss.svg"):
        print(f"wrote {out / name}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out"))
