"""What a Spine animation says beside bones, sampled: settings of constraints, what slots show, how paths deform."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from elbowroom.rig.spine.records import Array


@dataclass(frozen=True, eq=False)
class IKState:
    """Of one IK constraint, (...) each; as in SpineIK, bend ±1, flags bool."""

    mix: Array
    softness: Array
    bend: Array
    compress: npt.NDArray[np.bool_]
    stretch: npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class PathState:
    """Of one path constraint: position, spacing (...), mixes (..., 3) rotate, x, y."""

    position: Array
    spacing: Array
    mixes: Array


@dataclass(frozen=True, eq=False)
class SpineState:
    """Sampled at the frames of a clip, whose batch shape (...) every array has; what is absent is as in the setup.

    skin : what is worn, None for the default skin alone
    ik, transform (mixes (..., 6)), path : name of the constraint -> state
    shown : slot index -> (names, (...) index into them, −1 for nothing)
    deforms : (skin, slot index, placeholder) -> (which (...) bool, values (..., m)): where keys are in force, and the
              deform: for unweighted vertices absolute positions, else offsets of each influence, flat
    """

    skin: str | None = None
    ik: Mapping[str, IKState] = field(default_factory=dict)
    transform: Mapping[str, Array] = field(default_factory=dict)
    path: Mapping[str, PathState] = field(default_factory=dict)
    shown: Mapping[int, tuple[tuple[str, ...], npt.NDArray[np.intp]]] = field(default_factory=dict)
    deforms: Mapping[tuple[str, int, str], tuple[npt.NDArray[np.bool_], Array]] = field(default_factory=dict)

    def picked(self, index: tuple[Any, ...]) -> SpineState:
        """The state at some frames: `index` of the leading axes."""
        return self.mapped(lambda values: values[index])

    def mapped(self, change: Callable[[npt.NDArray[Any]], npt.NDArray[Any]]) -> SpineState:
        """The same state with every array changed along its leading axes."""

        def each(state: Any) -> Any:
            return type(state)(**{name: change(values) for name, values in vars(state).items()})

        return replace(
            self,
            ik={name: each(state) for name, state in self.ik.items()},
            transform={name: change(mixes) for name, mixes in self.transform.items()},
            path={name: each(state) for name, state in self.path.items()},
            shown={slot: (names, change(which)) for slot, (names, which) in self.shown.items()},
            deforms={key: (change(on), change(values)) for key, (on, values) in self.deforms.items()},
        )


State: TypeAlias = SpineState | None
