"""Names that people give themselves."""

from __future__ import annotations

import pytest

from spieltisch.tables import clean_name
from spieltisch.tables.confusables import skeleton
from spieltisch.tables.names import normalize_name, require_distinct
from tests.tables.harness import refused

SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
"""A flag, told by tags that cannot be seen."""


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Ada", "Ada"),
        ("  Ada \u00a0 King ", "Ada King"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("{name} & Söhne", "{name} & Söhne"),
        ("Zoe\u0308", "Zo\u00eb"),
        ("👩\u200d🔧", "👩\u200d🔧"),
        (SCOTLAND, SCOTLAND),
        ("李", "李"),
        ("x" * 40, "x" * 40),
    ],
)
def test_a_name_is_kept_as_text(given: str, kept: str) -> None:
    assert clean_name(given) == kept


@pytest.mark.parametrize(
    "given",
    [
        "",
        "   ",
        "x" * 81,
        "a\x00b",
        "a\nb",
        "a\u202eb",
        "\u200d",
        "\u200b",
        "a\ud800b",
        "\u0301",
        "x" * 100_000,
        SCOTLAND[:-1],
        f"A{SCOTLAND[1:]}",
    ],
)
def test_a_name_that_is_none(given: str) -> None:
    with refused("name"):
        clean_name(given)


@pytest.mark.parametrize(
    "given",
    [
        "Ελένη",
        "Борис",
        "Ім'я",
        "李雷",
        "李雷 Li Lei",
        "さくら子",
        "김철수",
        "O'Brien",
        "Zoë",
        "Nguyễn Văn Ân",
        "Łukasz 2",
        "ʻIolani",
        "محمد",
        "می\u200cخواهم",
        "क\u094d\u200dष",
        "นภา",
        "ᎠᎳ",
        "Ada ❤\ufe0f",
    ],
)
def test_a_name_in_any_one_script_is_a_name(given: str) -> None:
    assert clean_name(given) == given


@pytest.mark.parametrize(
    ("given", "first", "second"),
    [
        ("\u0410da", "\u0410", "d"),
        ("Ad\u0430", "A", "\u0430"),
        ("Ada \u03a9", "A", "\u03a9"),
        ("P\u0663", "P", "\u0663"),
        ("Бо\u03c1ис", "Б", "\u03c1"),
    ],
)
def test_letters_of_two_scripts_are_named(given: str, first: str, second: str) -> None:
    with refused("name") as caught:
        clean_name(given)
    assert f"“{first}” and “{second}” are from different scripts" in str(caught.value)
    assert normalize_name(given) == given, "who has had it keeps it"


@pytest.mark.parametrize("sign", ["\u200c", "\u200d", "\u3164", "\u115f", "\u034f", "\ufe0f", "\U000e0101", "\u2800"])
def test_what_cannot_be_seen_is_no_part_of_a_latin_name(sign: str) -> None:
    with refused("name"):
        clean_name(f"Ad{sign}a")
    assert skeleton(f"Ad{sign}a") == skeleton("Ada")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Ada", "Ada"),
        ("Aca", "\u0410\u0441\u0430"),
        ("Bob", "\u0412\u043e\u042c"),
        ("Ill", "lIl"),
        ("Ada", "𝐀𝐝𝐚"),
        ("Ada", "Ａｄａ"),
        ("O'Brien", "O’Brien"),
        ("Modem", "Modern"),
        ("ADA", "ᎪᎠᎪ"),
        ("Ada", "ada"),
        ("Ilse", "llse"),
        ("ILSE", "Ilse"),
        ("Adam", "Adarn"),
        ("Willem", "VVillem"),
        ("Tim", "Ti\u0307m"),
        ("Jan", "j\u0307an"),
        ("Zoé", "Zoé\u0301"),
        ("Zoé", "Zoe\u0301\u0301"),
        ("Nguyễn", "Nguye\u0302\u0303\u0302n"),
        ("Łukasz", "L\u0338ukasz"),
        ("Ørsted", "O\u0338rsted"),
        ("Straße", "STRASSE"),
        ("Lea", "L℮a"),
    ],
)
def test_names_that_look_the_same_are_kept_apart(first: str, second: str) -> None:
    with refused("name") as caught:
        require_distinct(first, ["Grace", second])
    assert second in str(caught.value)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Zoe", "Zoë"),
        ("Zoé", "Zoè"),
        ("Zoé", "Zoé\u0302"),
        ("Anna", "Anne"),
        ("Ben", "Jen"),
        ("Lea", "Iea"),
        ("LISA", "LlSE"),
        ("李雷", "李蕾"),
        ("Ім'я", "Ім'ї"),
        ("नीना", "निना"),
        (SCOTLAND, "\U0001f3f4"),
    ],
)
def test_names_that_can_be_told_apart_sit_together(first: str, second: str) -> None:
    require_distinct(first, [second])
