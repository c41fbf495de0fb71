"""What a rig records about one limb."""

from __future__ import annotations

import copy
import dataclasses
import math
import pickle

import numpy as np
import pytest

from elbowroom.errors import RigError
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.target import Target

GOAL = Target((10, 0))


def test_defaults_are_those_of_the_contract():
    """A constraint with the four things it needs has the documented settings."""
    arm = IKConstraint("arm", ["upper", "lower"], GOAL, "accept")
    assert dataclasses.asdict(arm) | {"target": None} == {
        "name": "arm", "bones": ("upper", "lower"), "target": None, "on_miss": ("accept",), "bend": 1,
        "softness": 0.0, "curve": "exponential", "inner_softness": 0.0, "limits": None, "mix": 1.0,
        "max_stretch": 0.0, "root": None, "max_shift": math.inf, "shift_half_life": 0.1, "solver": None,
        "iterations": None, "tolerance": None, "orientation": "free", "smooth": None,
    }  # fmt: skip
    assert arm.target is GOAL


def test_lists_become_tuples_and_numbers_floats():
    """What a file or an array brings is kept in one frozen form."""
    arm = IKConstraint(
        "arm", ("a", "b"), None, ["stretch", "move_root", "accept"], bend=-1.0, softness=np.float64(0.05),
        limits=np.array([[-1, 1], [-2, 0]]), max_stretch=1, root="hip", max_shift=6, iterations=20.0,
        tolerance=1e-4, solver="ccd", smooth={"method": "savgol", "window": 7},
    )  # fmt: skip
    assert arm.on_miss == ("stretch", "move_root", "accept")
    assert arm.limits == ((-1.0, 1.0), (-2.0, 0.0))
    assert (arm.bend, arm.iterations) == (-1, 20)
    assert type(arm.bend) is type(arm.iterations) is int
    assert type(arm.softness) is type(arm.max_stretch) is float
    assert arm.smooth["window"] == 7
    assert IKConstraint("finger", "tip", None, "accept").bones == ("tip",)


def test_constraints_are_frozen_compare_and_copy():
    """Equal fields make equal constraints; pickling, copying and replacing keep them checked and frozen."""
    arm = IKConstraint("arm", ["a", "b"], GOAL, "accept", smooth={"method": "half_life"})
    assert pickle.loads(pickle.dumps(arm)) == copy.deepcopy(arm) == arm
    assert hash(arm) == hash(copy.deepcopy(arm))
    assert arm != dataclasses.replace(arm, softness=0.1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        arm.mix = 0.5  # type: ignore[misc]
    with pytest.raises(TypeError):
        arm.smooth["method"] = "savgol"  # type: ignore[index]
    with pytest.raises(RigError, match=r'^constraint "arm": mix is 2 '):
        dataclasses.replace(arm, mix=2)


def test_a_missing_on_miss_names_the_three_choices():
    """There is no default for what to do when the target is out of reach."""
    for given in ((), (None,)):
        with pytest.raises(RigError) as error:
            IKConstraint("arm", ["a", "b"], GOAL, *given)
        assert str(error.value) == (
            'constraint "arm": on_miss is missing (say what to do when the target is out of reach: '
            '"accept", "move_root" or "stretch", or a list of them)'
        )


FAULTY = {
    "no bones": ({"bones": []}, "bones is [] (names of bones, from the limb's root to its tip)"),
    "bones": ({"bones": 7}, "bones is 7 (names of bones"),
    "bone twice": ({"bones": ["a", "b", "a"]}, 'bones has "a" twice (every bone once)'),
    "bone type": ({"bones": ["a", 3]}, "bones is ['a', 3] (names of bones"),
    "target": ({"target": (1, 2)}, 'target is (1, 2) (a Target with its space: Target((x, y), '),
    "miss": ({"on_miss": "strech"},
             "on_miss has 'strech' (did you mean \"stretch\"? one of: accept, move_root, stretch)"),
    "miss type": ({"on_miss": ["accept", 3]}, "on_miss has 3 (one of: accept, move_root, stretch)"),
    "no miss": ({"on_miss": []}, "on_miss is [] (say what to do when the target is out of reach"),
    "miss twice": ({"on_miss": ["accept", "accept"]}, 'on_miss has "accept" twice (each once, in the order'),
    "bend": ({"bend": 2}, "bend is 2 (a whole number: -1, 0, 1)"),
    "bend true": ({"bend": True}, "bend is True (a whole number: -1, 0, 1)"),
    "bend half": ({"bend": 0.5}, "bend is 0.5 (a whole number"),
    "bend nan": ({"bend": math.nan}, "bend is nan (a whole number"),
    "softness": ({"softness": 20}, "softness is 20 (a number, 0 to 1)"),
    "inner": ({"inner_softness": -0.1}, "inner_softness is -0.1 (a number, 0 to 1)"),
    "curve": ({"curve": "cubc"}, "curve is 'cubc' (did you mean \"cubic\"? one of: exponential, cubic"),
    "limits count": ({"limits": [(0, 1)]}, "limits has 1 ranges (one (low, high) for each of 2 bones)"),
    "limits pair": ({"limits": [(0, 1), 3]}, "limits is [(0, 1), 3] (one (low, high) for each of 2"),
    "limits order": ({"limits": [(0, 1), (1, 0)]}, "limits[1] is (1, 0) (low first, then high)"),
    "limits nan": ({"limits": [(math.nan, 1), (0, 1)]}, "limits[0] is (nan, 1) (finite angles in radians)"),
    "mix": ({"mix": math.nan}, "mix is nan (a number, 0 to 1)"),
    "mix text": ({"mix": "1"}, "mix is '1' (a number, 0 to 1)"),
    "stretch": ({"max_stretch": -1}, "max_stretch is -1 (a number, 0 or more)"),
    "stretch inf": ({"max_stretch": math.inf}, "max_stretch is inf (a number, 0 or more)"),
    "shift": ({"max_shift": -1}, "max_shift is -1 (a number, 0 or more)"),
    "half-life": ({"shift_half_life": None}, "shift_half_life is None (a number, 0 or more)"),
    "solver": ({"solver": "cdd"}, "solver is 'cdd' (did you mean \"ccd\"? one of: aim, two_bone, ccd"),
    "aim": ({"solver": "aim"}, 'solver "aim" takes 1 bone, not 2 (ccd, fabrik and least_change take any'),
    "two_bone": ({"solver": "two_bone", "bones": ["a"]}, 'solver "two_bone" takes 2 bones, not 1 (ccd, '),
    "iterations": ({"iterations": 0}, "iterations is 0 (a whole number: 1 or more)"),
    "iterations inf": ({"iterations": math.inf}, "iterations is inf (a whole number: 1 or more)"),
    "tolerance": ({"tolerance": -1e-3}, "tolerance is -0.001 (a number, 0 or more)"),
    "orientation": ({"orientation": "kep"}, "orientation is 'kep' (did you mean \"keep\"? one of: free"),
    "smooth": ({"smooth": "savgo"}, "smooth is 'savgo' (did you mean \"savgol\"? one of: savgol, one"),
    "smooth method": ({"smooth": {"window": 5}}, 'smooth["method"] is None (one of: savgol, one_euro,'),
    "root": ({"root": 3}, "root is 3 (the name of a bone)"),
    "no stretch": ({"on_miss": ["stretch"]}, 'on_miss has "stretch" but max_stretch is 0 (set how much: '),
    "no root": ({"on_miss": ["move_root"]}, 'on_miss has "move_root" but root is missing (name the bone'),
}  # fmt: skip


@pytest.mark.parametrize("what", FAULTY)
def test_a_faulty_constraint_says_what_is_wrong(what):
    """Every field is checked; the sentence begins with the constraint and ends with what would be right."""
    given, message = FAULTY[what]
    sound = {"bones": ["a", "b"], "target": GOAL, "on_miss": "accept"}
    with pytest.raises(RigError) as error:
        IKConstraint("arm", **(sound | given))
    assert any(fault.startswith(f'constraint "arm": {message}') for fault in error.value.faults)


def test_a_constraint_needs_a_name():
    """Without a name nothing could be said about it."""
    for name in ("", None, 3):
        with pytest.raises(RigError, match=r"^constraint: name is .* \(a text of at least one letter\)$"):
            IKConstraint(name, ["a"], None, "accept")


def test_a_constraint_lists_every_fault():
    """Faults come together, each with the constraint's name."""
    with pytest.raises(RigError) as error:
        IKConstraint("arm", ["a"], None, bend=3, softness=2)
    assert [fault.split(" is ")[0] for fault in error.value.faults] == [
        'constraint "arm": on_miss', 'constraint "arm": bend', 'constraint "arm": softness',
    ]  # fmt: skip
    assert str(error.value) == "; ".join(error.value.faults)
