"""Fixtures every test may use."""

from __future__ import annotations

import os
import pathlib

import pytest
from hypothesis import settings

# The same examples on every run: a build must not depend on luck. HYPOTHESIS_PROFILE=explore draws fresh ones.
settings.register_profile("build", derandomize=True, deadline=None, database=None)
settings.register_profile("explore", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "build"))

ROOT = pathlib.Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> pathlib.Path:
    """The folder of shared test data beside the checkout; tests that need it skip where it is missing."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("needs the shared data folder ../shared/data beside this checkout")
    return folder


@pytest.fixture(scope="session")
def project() -> pathlib.Path:
    """The root of this checkout."""
    return ROOT
