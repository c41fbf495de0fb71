"""elbowroom info: what is in a rig."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from elbowroom.cli.files import load_rig
from elbowroom.cli.kinds import FILE
from elbowroom.cli.say import one_line, show_json, show_table

if TYPE_CHECKING:
    from elbowroom.rig.rig import Rig


@click.command("info")
@click.argument("file", type=FILE)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(file: str, as_json: bool) -> None:
    """Show what is in a rig and which features it uses.

    \b
    Example:
      elbowroom info scout.rig.json
    """
    data = facts(file, load_rig(file))
    if as_json:
        show_json(data)
    else:
        _show(data)


def facts(file: str, rig: Rig) -> dict[str, Any]:
    """All of it as plain data."""
    parents = [rig.skeleton.names[i] if i >= 0 else None for i in rig.skeleton.parents.tolist()]
    lengths = rig.skeleton.lengths.tolist()
    bones = zip(rig.skeleton.names, parents, lengths, strict=True)
    return {
        "file": file,
        "format": rig.foreign.format if rig.foreign else "native",
        "name": rig.name,
        "bones": [{"name": name, "parent": parent, "length": length} for name, parent, length in bones],
        "constraints": [_constraint(rig, c.name) for c in rig.constraints],
        "animations": [_animation(rig, name) for name in rig.clips],
        "frames": [{"name": name, "parent": frame.parent} for name, frame in rig.frames.items()],
        "legs": [leg.constraint for leg in rig.legs],
        "uses": uses(rig),
    }


def _constraint(rig: Rig, name: str) -> dict[str, Any]:
    c = rig.constraint(name)
    return {
        "name": c.name,
        "bones": list(c.bones),
        "bend": c.bend,
        "softness": c.softness,
        "mix": c.mix,
        "on_miss": list(c.on_miss),
        "target": None if c.target is None else {"position": c.target.position.tolist(), "space": c.target.space},
        "not_yet": _not_yet(c),
    }


def _not_yet(constraint: Any) -> str | None:
    """Why this version cannot solve a constraint, or None."""
    from elbowroom.errors import RigError
    from elbowroom.solve.limb import check_supported

    try:
        check_supported(constraint)
    except RigError as error:
        return str(error)
    return None


def _animation(rig: Rig, name: str) -> dict[str, Any]:
    a = rig.animation(name)
    keyed = {"bones": list(a.bones), "targets": list(a.targets), "mix": list(a.mix), "bend": list(a.bend)}
    return {"name": name, "duration": a.duration, "fps": a.fps, "loop": a.loop, "keyed": keyed}


def uses(rig: Rig) -> list[str]:
    """What the rig makes use of, in words."""
    from elbowroom.rig.skeleton import INHERIT

    limbs, clips, rest = rig.constraints, rig.animations.values(), rig.skeleton.rest
    found = {f"inherit {INHERIT[code]}": True for code in sorted(set(rig.skeleton.inherit.tolist())) if code}
    found |= {f"IK with {n} bone{'s' if n > 1 else ''}": True for n in sorted({len(c.bones) for c in limbs})}
    found |= {
        "softness": any(c.softness or c.inner_softness for c in limbs),
        "limits": any(c.limits for c in limbs),
        "stretch": any("stretch" in c.on_miss for c in limbs),
        "root moves": any("move_root" in c.on_miss for c in limbs),
        "smoothing": any(c.smooth for c in limbs),
        "keyed targets": any(a.targets for a in clips),
        "changes of space": any(len(t.space_names) > 1 for a in clips for t in a.targets.values()),
        "keyed mix": any(a.mix for a in clips),
        "keyed bend": any(a.bend for a in clips),
        "frames": bool(rig.frames),
        "legs": bool(rig.legs),
        "mirrored bones": bool((rest["scale_x"] < 0.0).any() or (rest["scale_y"] < 0.0).any()),
        "shear": bool(rest["shear_x"].any() or rest["shear_y"].any()),
        "foreign data": rig.foreign is not None,
    }
    return [name for name, used in found.items() if used]


def _show(data: dict[str, Any]) -> None:
    name = f' "{data["name"]}"' if data["name"] else ""
    uses = ", ".join(data["uses"]) or "bones only"
    click.echo(one_line(f"{data['file']}: {data['format']} rig{name}, uses {uses}") + "\n")
    bones = [(b["name"], b["parent"], f"{b['length']:g}") for b in data["bones"]]
    show_table("Bones", ("name", "parent", "length"), bones)
    limbs = [
        (c["name"], " > ".join(c["bones"]), c["bend"], f"{c['softness']:g}", f"{c['mix']:g}", ", ".join(c["on_miss"]),
         _target(c["target"]), c["not_yet"])
        for c in data["constraints"]
    ]  # fmt: skip
    show_table("Constraints", ("name", "bones", "bend", "softness", "mix", "on miss", "target", ""), limbs)
    clips = [
        (a["name"], f"{a['duration']:g} s", f"{a['fps']:g}", "loop" if a["loop"] else "",
         ", ".join(f"{what} {len(names)}" for what, names in a["keyed"].items() if names))
        for a in data["animations"]
    ]  # fmt: skip
    show_table("Animations", ("name", "length", "fps", "", "keyed"), clips)
    show_table("Frames", ("name", "parent"), [(f["name"], f["parent"]) for f in data["frames"]])


def _target(target: dict[str, Any] | None) -> str:
    return f"{target['position'][0]:g}, {target['position'][1]:g} in {target['space']}" if target else ""
