"""What the case tests share: each feature of the case files as a function, and small rigs written by hand."""

import pytest

pytest.register_assert_rewrite("cases.answers", "cases.limbs", "cases.hung", "cases.moving")
