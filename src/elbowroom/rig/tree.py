"""Who hangs on whom, by name: for bones and for frames alike."""

from __future__ import annotations

from collections.abc import Mapping


def parents_first(parent_of: Mapping[str, str | None]) -> list[str]:
    """The keys with every parent before its children, otherwise in their own order (no loops allowed)."""
    order: dict[str, None] = {}
    for name in parent_of:
        line: list[str] = []
        above: str | None = name
        while above is not None and above not in order:
            line.append(above)
            above = parent_of[above]
        order.update(dict.fromkeys(reversed(line)))
    return list(order)


def loops(parent_of: Mapping[str, str | None]) -> list[list[str]]:
    """Every loop of a "hangs on" relation, each as [a, b, …, a] from its first key on."""
    seen: set[str] = set()
    found = []
    for name in parent_of:
        line: dict[str, None] = {}
        above: str | None = name
        while above is not None and above in parent_of and above not in seen and above not in line:
            line[above] = None
            above = parent_of[above]
        if above is not None and above in line:
            ring = list(line)[list(line).index(above) :]
            found.append([*ring, ring[0]])
        seen.update(line)
    return found


def loop_faults(parent_of: Mapping[str, str | None], what: str) -> list[str]:
    """One sentence a loop: 'bones hang on each other: a -> b -> a (…)'."""
    return [
        f"{what} hang on each other: {' -> '.join(ring)} (one of them needs another parent)"
        for ring in loops(parent_of)
    ]
