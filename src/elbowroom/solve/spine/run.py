"""A pose, or every frame of a clip, as the runtime of its file's version would have it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from elbowroom.errors import RigError
from elbowroom.kernel.reading import BIGGEST
from elbowroom.kernel.solution import Solution
from elbowroom.rig.pose import Pose
from elbowroom.rig.rig import Rig
from elbowroom.rig.units import RADIANS
from elbowroom.solve.spine import answers
from elbowroom.solve.spine.block import Block
from elbowroom.solve.spine.frames import LOCAL
from elbowroom.solve.spine.goals import Goals
from elbowroom.solve.spine.order import schedule

P = TypeVar("P", bound=Pose)
CELLS = 400_000  # bones × frames worked on at once, some 100 MB
ANGLES = ("rotation", "shear_x", "shear_y")


def run(
    rig: Rig,
    pose: P,
    targets: Mapping[str, Any] | None = None,
    *,
    frames: Mapping[str, npt.ArrayLike] | None = None,
    mix: float | None = None,
    ours: bool = False,
) -> tuple[P, dict[str, Solution]]:
    """Everything a Spine rig does after its keys: bones and constraints in the runtime's order.

    pose : keyed, with the state of the constraints in `pose.state` (None: as in the setup)
    targets : {IK constraint: Target, or world position (2,) or (frames, 2)} instead of the target bone
    frames : {name: world_from_frame (..., 2, 3)} for targets in such spaces
    mix : factor on the mix of every IK constraint
    ours : the same order, but every IK constraint solved by our own kernel
    Returns the pose with applied local values and the runtime's world transforms, and {constraint: Solution} in the
    world. Bones that the skin leaves out stand as posed. Solution.reached allows 1e-6 of the reach.
    Raises InputError, RigError.
    """
    spine = rig.runtime
    if spine is None:
        raise RigError("run: the rig is no Spine rig")
    goals = Goals.of(rig, pose, targets or {}, frames)
    plan = schedule(rig.skeleton, spine, None if pose.state is None else pose.state.skin)
    done = _Done(pose)
    for span, piece in _pieces(pose):
        block = Block(rig, piece, plan, goals.picked(span, piece), 1.0 if mix is None else mix)
        block.run(ours)
        done.take(span, block)
    return done.pose(), done.solutions()


def _pieces(pose: Pose) -> Iterator[tuple[slice, Pose]]:
    """Successive parts along the first axis, each of a size that memory allows."""
    if not pose.shape:
        yield slice(0, 1), pose
        return
    width = len(pose.skeleton) * int(np.prod(pose.shape[1:]))
    step = max(1, CELLS // max(1, width))
    for start in range(0, len(pose), step):
        span = slice(start, min(start + step, len(pose)))
        yield span, (pose if step >= len(pose) else pose[span])


class _Done:
    """The results of all parts."""

    def __init__(self, pose: Pose) -> None:
        self.before = pose
        self.lead = pose.shape[0] if pose.shape else 1
        self.inner = int(np.prod(pose.shape[1:]))
        count = self.lead * self.inner
        self.world = np.empty((count, len(pose.skeleton), 2, 3))
        self.local = {name: np.empty((count, len(pose.skeleton))) for name in LOCAL}
        self.found: dict[str, list[Solution]] = {}

    def take(self, span: slice, block: Block) -> None:
        """The rows of one part."""
        at = slice(span.start * self.inner, span.stop * self.inner)
        self.world[at] = block.frames.matrices()
        for name, rows in self.local.items():
            rows[at] = block.local(name)
        for name, solution in block.solutions(self.world[at]).items():
            self.found.setdefault(name, []).append(solution)

    def pose(self) -> Any:
        """The pose asked for, with these values."""
        shape, n = self.before.shape, len(self.before.skeleton)
        beyond = ~(np.abs(self.world) <= BIGGEST).all(axis=(0, 2, 3))
        if beyond.any():
            name = self.before.skeleton.names[int(np.argmax(beyond))]
            raise RigError(f'bone "{name}": its world transform exceeds {BIGGEST:g} (use smaller values)')
        values = {name: (rows * RADIANS if name in ANGLES else rows) for name, rows in self.local.items()}
        fields = {name: rows.reshape(*shape, n) for name, rows in values.items()}
        return self.before.replace(**fields).given(self.world.reshape(*shape, n, 2, 3))

    def solutions(self) -> dict[str, Solution]:
        """One a constraint, for all frames."""
        return {name: answers.joined(pieces, self.before.shape) for name, pieces in self.found.items()}
