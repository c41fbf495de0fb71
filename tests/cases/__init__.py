"""What the case tests share: each feature of the case files as a function, and small rigs written by hand."""

import pytest

MODULES = ("answers", "hung", "limbs", "limited", "moving", "noisy")
pytest.register_assert_rewrite(*(f"cases.{name}" for name in MODULES))
