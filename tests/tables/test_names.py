"""Names that people give themselves."""

from __future__ import annotations

import pytest

from spieltisch.tables import check_name
from tests.tables.sitting import refused


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Ada", "Ada"),
        ("  Ada \u00a0 King ", "Ada King"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("{name} & Söhne", "{name} & Söhne"),
        ("Zoe\u0308", "Zo\u00eb"),
        ("👩\u200d🔧", "👩\u200d🔧"),
        ("李", "李"),
        ("x" * 40, "x" * 40),
    ],
)
def test_a_name_is_kept_as_text(given: str, kept: str) -> None:
    assert check_name(given) == kept


@pytest.mark.parametrize(
    "given",
    ["", "   ", "x" * 81, "a\x00b", "a\nb", "a\u202eb", "\u200d", "\u200b", "a\ud800b", "\u0301", "x" * 100_000],
)
def test_a_name_that_is_none(given: str) -> None:
    with refused("name"):
        check_name(given)
