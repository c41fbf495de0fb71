"""elbowroom bake: animations that play without inverse kinematics."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from elbowroom.cli.files import about, load_rig, load_tracks, refuse_same, remark_tracks, wrote
from elbowroom.cli.kinds import FILE, FPS, LENGTH, later, not_yet
from elbowroom.cli.say import note, one_line, quoted, steps
from elbowroom.errors import InputError, closest

if TYPE_CHECKING:
    from elbowroom.checks.report import Report
    from elbowroom.formats.tracks import TargetTracks
    from elbowroom.rig.pose import Pose
    from elbowroom.rig.rig import Rig

FORMATS = ("native", "csv")
LATER = ("spine-4.2", "spine-4.3", "spine-3.8", "dragonbones-5.5")
SUFFIXES = {".json": "native", ".csv": "csv"}


@click.command("bake")
@click.argument("file", type=FILE)
@click.option("-o", "--out", type=FILE, required=True, help="The file to write; one that exists is replaced.")
@click.option("--targets", type=FILE, help="Target tracks (.csv, .json) in place of the rig's own targets.")
@click.option("--animation", "animations", multiple=True,
              help="Only this animation goes into the new rig; may be repeated.")  # fmt: skip
@click.option("--fps", type=FPS, default=60.0, show_default=True, help="Samples a second.")
@click.option("--tolerance", type=LENGTH, default=0.1, show_default=True,
              help="How far any bone's tip may be off, in rig units, for fewer keys.")  # fmt: skip
@click.option("--keep-constraints", is_flag=True,
              help="Leave the constraints and their keys in, those of --targets too; a mix between 0 and 1 then pulls "
                   "twice.")  # fmt: skip
@click.option("--match", is_flag=True, help="Where a mix ends, stay in the pose of the last full-mix frame.")
@click.option("--to", "form", metavar="FORMAT", help="native or csv; told by the name of OUT if left out.")
@click.option("--max-miss", type=LENGTH,
              help="Exit with 1 if a limb at full mix misses its target by more, in rig units.")  # fmt: skip
@click.option("--overwrite", is_flag=True, help="OUT may be the file that is read.")
@later("--skin", "--workers", "--dask")
@later("--improve", flag=True)
def command(
    file: str, out: str, targets: str | None, animations: tuple[str, ...], fps: float, tolerance: float,
    keep_constraints: bool, match: bool, form: str | None, max_miss: float | None, overwrite: bool,
) -> int:  # fmt: skip
    """Write the solved animations of a rig as keys.

    What comes out plays the same without inverse kinematics. A .csv has a row for each frame and bone: its own x, y,
    rotation_deg, scale_x, scale_y in its parent's space, and its tip in the world.

    \b
    Example:
      elbowroom bake scout.rig.json -o baked.rig.json
      elbowroom bake scout.rig.json --targets hand.csv -o baked.csv --max-miss 2
    """
    from elbowroom.rig.files import check_place, is_stdout

    form = format_of(out, form)
    check_place(out)  # before anything is solved for nothing
    for source in (file, targets):
        if source is not None:
            refuse_same(source, out, overwrite)
    own = load_rig(file)
    rig, tracks = load_tracks(targets, own)
    if not rig.constraints and rig.runtime is None:
        _copy(rig, file, out, form, fps)
        return 0
    names = tuple(dict.fromkeys(animations)) or rig.clips
    options = {"fps": fps, "tolerance": 0.0 if form == "csv" else tolerance, "match": match}
    with about(file):
        remark_tracks(rig, names, tracks, chosen=bool(animations))
        baked = baked_rig(rig, names, tracks, keep_constraints=keep_constraints, **options)
        report = _misses(rig, baked, names, tracks, max_miss=max_miss, fps=fps, match=match)
        if keep_constraints:
            _remark_twice(rig, names, fps)
    if not keep_constraints:  # the spaces of the tracks have done their work
        baked = dataclasses.replace(baked, frames=own.frames, checked=True)
    _save(baked, out, form, fps)
    wrote(out, _content(baked, form))
    _show(report, err=is_stdout(out))
    return 1 if max_miss is not None and any(f.unit == "units" for f in report.at_least("error")) else 0


def format_of(out: str, named: str | None) -> str:
    """The format to write, named or told by the suffix; InputError otherwise."""
    if named is None:
        suffix = Path(out).suffix.lower()
        if suffix not in SUFFIXES:
            raise InputError(f"{out}: its name does not tell the format (end it in .rig.json or .csv, or give --to)")
        return SUFFIXES[suffix]
    if named in LATER:
        not_yet(f"bake --to {named}")
    if named not in FORMATS:
        raise InputError(f'bake --to: there is no format "{named}"{closest(named, FORMATS)}')
    return named


def baked_rig(
    rig: Rig, names: tuple[str, ...], tracks: TargetTracks | None, *, keep_constraints: bool, **options: Any
) -> Rig:
    """The rig with all that was named baked, one animation after the other."""
    from elbowroom.solve import bake

    options |= {"targets": tracks.tracks if tracks else None, "keep_constraints": keep_constraints}
    if not names:
        return bake(rig, **options)
    parts = {name: bake(rig, name, **options) for name in steps(names, "baking")}
    kept = dict(rig.animations) if keep_constraints else {}
    baked = {name: part.animations[name] for name, part in parts.items()}
    return dataclasses.replace(next(iter(parts.values())), animations={**kept, **baked}, checked=True)


def _misses(
    rig: Rig, baked: Rig, names: tuple[str, ...], tracks: TargetTracks | None, *,
    max_miss: float | None, fps: float, match: bool,
) -> Report:  # fmt: skip
    """What is written, measured: keys as they play, or, where the constraints are still there, solved again."""
    from elbowroom.checks import check
    from elbowroom.checks.baked import misses

    if baked.constraints:
        thresholds = {} if max_miss is None else {"reach": max_miss}
        return check(baked, names or None, only=("reach",), thresholds=thresholds, fps=fps)
    targets = tracks.tracks if tracks else None
    return misses(rig, baked, names, targets=targets, fps=fps, match=match, threshold=max_miss)


def _remark_twice(rig: Rig, names: tuple[str, ...], fps: float) -> None:
    """Say which kept constraints pull a second time on keys that are pulled already."""
    from elbowroom.solve.order import sampled

    twice: dict[str, list[str]] = {}
    played: dict[str, Pose] = {quoted(name): rig.clip(name, fps) for name in names}
    for where, pose in (played or {"the setup pose": rig.skeleton.rest_pose()}).items():
        for limb in rig.constraints:
            mix = sampled(limb, pose, 1.0)[1]
            if ((mix > 0.0) & (mix < 1.0)).any():
                twice.setdefault(limb.name, []).append(where)
    for name, places in twice.items():
        listed = ", ".join(places[:6]) + (", …" if len(places) > 6 else "")
        note(
            f"{quoted(name)} is kept with a mix between 0 and 1 in {listed}: a player that solves again pulls the "
            "baked keys a second time there (leave --keep-constraints out, or key the mix to 0 or 1)"
        )


def _show(report: Report, *, err: bool) -> None:
    for finding in report.findings:
        click.echo(one_line(f"{'miss' if finding.severity == 'error' else 'note'}: {finding.sentence}"), err=err)
    if not report.at_least("error"):
        click.echo("every limb reaches its target at full mix", err=err)


def _content(rig: Rig, form: str) -> str:
    """'2 animations, 57 keys'; a table has no keys."""
    from elbowroom.checks.report import counted
    from elbowroom.rig.animation import Animation

    if form == "csv":
        return counted(len(rig.animations), "animation")
    own = [a for a in rig.animations.values() if isinstance(a, Animation)]
    keys = sum(len(t) for a in own for tracks in a.bones.values() for t in tracks.values())
    return f"{counted(len(rig.animations), 'animation')}, {counted(keys, 'key')}"


def _save(rig: Rig, out: str, form: str, fps: float) -> None:
    from elbowroom.formats import save, table

    if form == "csv":
        table.save(rig, out, fps=fps)
    else:
        save(rig, out, format=form)


def _copy(rig: Rig, file: str, out: str, form: str, fps: float) -> None:
    """What has no inverse kinematics is baked already."""
    from elbowroom.formats.text import read_text, write_text

    if form == "native":
        write_text(out, read_text(file))
    else:
        _save(rig, out, form, fps)
    note(f"{file}: no IK constraint in this rig (copied to {out} as it is)")
