"""What can go wrong, in one tree.

ElbowroomError
├── InputError   (ValueError)  a number, shape or name handed to a function
├── RigError     (ValueError)  a record that does not hang together
└── FormatError  (ValueError)  a file: .path, .where, .problem
LossyWarning     (UserWarning) something could not be carried over

Every message reads *where: what is wrong (what would be right)*.
"""

from __future__ import annotations

from collections.abc import Iterable


class ElbowroomError(Exception):
    """Anything this library refuses to do; its text is one clear sentence."""


class InputError(ElbowroomError, ValueError):
    """A number, shape or name handed to a function is not one it can use."""


class RigError(ElbowroomError, ValueError):
    """A rig record that does not hang together; `.faults` lists every fault, not only the first."""

    def __init__(self, message: str, faults: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.faults = tuple(faults) or (message,)


class FormatError(ElbowroomError, ValueError):
    """A file that cannot be read or written.

    path : the file;  where : line, JSON path or "" inside it;  problem : what is wrong (what would be right)
    """

    def __init__(self, path: object, where: str, problem: str) -> None:
        super().__init__(": ".join(part for part in (str(path), where, problem) if part))
        self.path, self.where, self.problem = path, where, problem


class LossyWarning(UserWarning):
    """Something was dropped or could not be carried over; the text says what and where."""


def closest(name: str, known: Iterable[str]) -> str:
    """A hint to end a message with: ' (did you mean "shin"?)', or the known names, or ''."""
    from difflib import get_close_matches

    names = [str(k) for k in known]
    near = get_close_matches(str(name), names, n=1, cutoff=0.6)
    if near:
        return f' (did you mean "{near[0]}"?)'
    return f" (known: {', '.join(names[:12])}{', …' if len(names) > 12 else ''})" if names else ""
