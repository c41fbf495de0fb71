"""elbowroom info: what is in a rig."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from elbowroom.cli.files import load_rig
from elbowroom.cli.kinds import FILE
from elbowroom.cli.say import one_line, show_json, show_table

if TYPE_CHECKING:
    from elbowroom.rig.rig import Rig
    from elbowroom.rig.spine.records import Spine


KEYED = {"targets": "keyed targets", "mix": "keyed mix", "bend": "keyed bend", "softness": "keyed softness"}
OTHERS = {"transform": "transform constraints", "path": "path constraints", "unsimulated": "physics or sliders"}


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
        "spine": _spine(rig.runtime),
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
    }


def _animation(rig: Rig, name: str) -> dict[str, Any]:
    a = rig.animation(name)
    return {"name": name, "duration": a.duration, "fps": a.fps, "loop": a.loop, "keyed": a.keyed(rig.skeleton)}


def uses(rig: Rig) -> list[str]:
    """What the rig makes use of, in words."""
    from elbowroom.rig.animation import Animation
    from elbowroom.rig.skeleton import INHERIT

    limbs, rest = rig.constraints, rig.skeleton.rest
    own = [a for a in rig.animations.values() if isinstance(a, Animation)]
    keyed = [a.keyed(rig.skeleton) for a in rig.animations.values()]
    found = {f"inherit {INHERIT[code]}": True for code in sorted(set(rig.skeleton.inherit.tolist())) if code}
    found |= {f"IK with {n} bone{'s' if n > 1 else ''}": True for n in sorted({len(c.bones) for c in limbs})}
    found |= {
        "softness": any(c.softness or c.inner_softness for c in limbs),
        "limits": any(c.limits for c in limbs),
        "stretch": any("stretch" in c.on_miss for c in limbs),
        "root moves": any("move_root" in c.on_miss for c in limbs),
        "smoothing": any(c.smooth for c in limbs),
        **{words: any(each.get(kind) for each in keyed) for kind, words in KEYED.items()},
        "changes of space": any(len(t.space_names) > 1 for a in own for t in a.targets.values()),
        "frames": bool(rig.frames),
        "legs": bool(rig.legs),
        "mirrored bones": bool((rest["scale_x"] < 0.0).any() or (rest["scale_y"] < 0.0).any()),
        "shear": bool(rest["shear_x"].any() or rest["shear_y"].any()),
        "foreign data": rig.foreign is not None and rig.runtime is None,
        **({} if rig.runtime is None else _spine_uses(rig.runtime)),
    }
    return [name for name, used in found.items() if used]


def _spine_uses(spine: Spine) -> dict[str, bool]:
    kinds = {a.kind for skin in spine.skins.values() for a in skin.attachments.values()}
    found = {words: bool(getattr(spine, kind)) for kind, words in OTHERS.items()}
    found |= {"stretch": any(ik.stretch for ik in spine.ik), "compress": any(ik.compress for ik in spine.ik)}
    found |= {"skins": len(spine.skins) > 1, "bones of a skin": bool(spine.skin_bones.any())}
    weighted = (a.vertices for skin in spine.skins.values() for a in skin.attachments.values())
    return (
        found
        | {f"{kind} attachments": True for kind in sorted(kinds)}
        | {"weighted vertices": any(v is not None and v.weighted for v in weighted)}
    )


def _spine(spine: Spine | None) -> dict[str, Any] | None:
    """What a Spine file holds beside bones, limbs and animations."""
    if spine is None:
        return None
    return {
        "version": spine.written,
        "posed_as": ".".join(map(str, spine.version)),
        "slots": [slot.name for slot in spine.slots],
        "skins": list(spine.skins),
        "order": [{"name": c.name, "kind": _kind(c)} for c in ordered(spine)],
        "notes": list(spine.notes),
    }


def _kind(constraint: Any) -> str:
    return str(getattr(constraint, "kind", type(constraint).__name__.removeprefix("Spine").lower()))


def ordered(spine: Spine) -> list[Any]:
    """Its constraints in the order they have their turn."""
    return sorted(spine.constraints, key=lambda c: c.order)


def _show(data: dict[str, Any]) -> None:
    name = f' "{data["name"]}"' if data["name"] else ""
    uses = ", ".join(data["uses"]) or "bones only"
    spine = data["spine"]
    form = (
        data["format"]
        if spine is None
        else f"Spine {spine['version'] or 'of no version'}, posed as {spine['posed_as']}:"
    )
    click.echo(one_line(f"{data['file']}: {form} rig{name}, uses {uses}") + "\n")
    bones = [(b["name"], b["parent"], f"{b['length']:g}") for b in data["bones"]]
    show_table("Bones", ("name", "parent", "length"), bones)
    limbs = [
        (c["name"], " > ".join(c["bones"]), c["bend"], f"{c['softness']:g}", f"{c['mix']:g}", ", ".join(c["on_miss"]),
         _target(c["target"]))
        for c in data["constraints"]
    ]  # fmt: skip
    show_table("Constraints", ("name", "bones", "bend", "softness", "mix", "on miss", "target"), limbs)
    clips = [
        (a["name"], f"{a['duration']:g} s", f"{a['fps']:g}", "loop" if a["loop"] else "",
         ", ".join(f"{what} {len(names)}" for what, names in a["keyed"].items() if names))
        for a in data["animations"]
    ]  # fmt: skip
    show_table("Animations", ("name", "length", "fps", "", "keyed"), clips)
    if spine is not None:
        show_table("Order of constraints", ("name", "kind"), [(c["name"], c["kind"]) for c in spine["order"]])
        show_table("Skins", ("name",), [(name,) for name in spine["skins"]])
    show_table("Frames", ("name", "parent"), [(f["name"], f["parent"]) for f in data["frames"]])


def _target(target: dict[str, Any] | None) -> str:
    return f"{target['position'][0]:g}, {target['position'][1]:g} in {target['space']}" if target else ""
