"""Fixtures every test may use."""

from __future__ import annotations

import pathlib

import pytest

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
