"""elbowroom check: what would an eye catch?"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import click

from elbowroom.cli.files import about, load_rig, load_tracks, remark_tracks
from elbowroom.cli.kinds import FILE, FPS, LENGTH, WORDS, Number, later
from elbowroom.cli.say import note, quoted, show_json, show_report, show_table, steps

if TYPE_CHECKING:
    from elbowroom.checks.report import Report


class Height(Number):
    """A number; a file of terrain belongs to a later version."""

    name = "height"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number, or a BadParameter."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            text = f"{error.message}; a file with a terrain is not supported yet in this version, a height is"
            raise click.BadParameter(text, ctx, param) from None


HEIGHT = Height()


def read_thresholds(ctx: click.Context, param: click.Parameter, words: tuple[str, ...]) -> dict[str, float]:
    """CODE=NUMBER as {code: number}; BadParameter for anything else."""
    found = {}
    for word in words:
        code, equals, number = word.partition("=")
        if not (code.strip() and equals):
            raise click.BadParameter(f"{quoted(word)} is not CODE=NUMBER (such as pop=20)", ctx, param)
        found[code.strip()] = LENGTH.convert(number, param, ctx)
    return found


@click.command("check")
@click.argument("file", type=FILE)
@click.option("--animation", "animations", multiple=True, help="Only this animation; may be repeated.")
@click.option("--targets", type=FILE, help="Target tracks (.csv, .json) in place of the rig's own targets.")
@click.option("--fps", type=FPS, default=60.0, show_default=True, help="Samples a second.")
@click.option("--only", type=WORDS, help="Only these checks: codes with commas between them.")
@click.option("--max-miss", type=LENGTH, help="Largest miss in rig units, in place of 0.5 % of the limb's reach.")
@click.option(
    "--threshold",
    "thresholds",
    multiple=True,
    metavar="CODE=NUMBER",
    callback=read_thresholds,
    help="What one check lets pass, in its own unit (see explain CODE); may be repeated.",
)
@click.option("--fail-on", type=click.Choice(["error", "warning"]), default="error", show_default=True,
              help="Exit with 1 for findings as bad as this.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option("--junit", type=FILE, help="Also write the report as JUnit XML to this file.")
@click.option("--max-slide", type=LENGTH, help="Largest slide of a foot in one contact in rig units, as an error.")
@click.option("--ground", type=HEIGHT, help="Height of the ground; without it, where each foot is lowest.")
@click.option("--skin", help="What a Spine character wears.")
@click.option("--improve", is_flag=True, help="Solve a Spine file by our kernel as well, and tell the difference.")
@later("--workers", "--dask")
def command(
    file: str, animations: tuple[str, ...], targets: str | None, fps: float, only: tuple[str, ...] | None,
    max_miss: float | None, thresholds: dict[str, float], fail_on: str, as_json: bool, junit: str | None,
    max_slide: float | None, ground: float | None, skin: str | None, improve: bool,
) -> int:  # fmt: skip
    """Report what an eye would catch in a rig's animations.

    Exit 1 if there is an error; `elbowroom explain CODE` tells about a finding.

    \b
    Example:
      elbowroom check scout.rig.json
      elbowroom check scout.rig.json --animation walk --max-miss 2 --json
      elbowroom check spineboy-pro.json --max-slide 10 --improve
    """
    from elbowroom.checks import check
    from elbowroom.rig.files import check_place

    rig, tracks = load_tracks(targets, load_rig(file, advise=False))
    limits = {"reach": max_miss, "slide": max_slide}
    bounds = thresholds | {code: limit for code, limit in limits.items() if limit is not None}
    names = tuple(dict.fromkeys(animations)) or rig.clips
    if junit:
        check_place(junit)  # before anything is solved for nothing
    with about(file):
        remark_tracks(rig, names, tracks, chosen=bool(animations))
        report = check(
            rig, steps(names, "checking") if names else None, targets=tracks.tracks if tracks else None,
            only=only, thresholds=bounds, fps=fps, ground=ground, skin=skin, improve=improve,
        )  # fmt: skip
    report = dataclasses.replace(report, file=file)
    if junit:
        _write_junit(junit, report.to_junit(fail_on))
    if as_json:
        show_json(report.to_dict())
    else:
        show_report(report)
        show_improved(report)
    return 1 if report.at_least(fail_on) else 0


def show_improved(report: Report) -> None:
    """A table of what our kernel does better, by constraint; the JSON has every animation."""
    from elbowroom.checks.compare import worst
    from elbowroom.checks.report import short

    rows = [
        (
            each.constraint,
            each.animation or "",
            *(short(round(x, 6) + 0.0) for x in (each.parity, each.ours, each.gain, each.apart)),
        )
        for each in worst(report.improved or ())
    ]
    headers = ("constraint", "worst in", "misses by", "ours by", "smaller by", "ends apart by")
    show_table("As its runtime solves it, and by our kernel (units)", headers, rows)
    if report.improved is not None and not rows:
        note("--improve: there is nothing to compare (only limbs of a Spine file have another solver)")


def _write_junit(path: str, text: str) -> None:
    from elbowroom.formats.text import write_text

    write_text(path, text)
