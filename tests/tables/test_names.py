"""Check the names of people."""

from __future__ import annotations

import pytest

from spieltisch.tables import clean_name
from spieltisch.tables.confusables import skeleton
from spieltisch.tables.names import normalize_name, require_distinct
from tests.tables.harness import refused

SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
"""A flag, told by tags that cannot be seen."""


@pytest.mark.parametrize(
    ("typed_name", "cleaned_name"),
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
def test_a_name_may_contain_symbols_markup_and_any_letters(typed_name: str, cleaned_name: str) -> None:
    assert clean_name(typed_name) == cleaned_name


@pytest.mark.parametrize(
    "typed_name",
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
def test_invalid_names_are_refused(typed_name: str) -> None:
    with refused("name"):
        clean_name(typed_name)


@pytest.mark.parametrize(
    "typed_name",
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
def test_a_name_in_any_single_script_is_valid(typed_name: str) -> None:
    assert clean_name(typed_name) == typed_name


@pytest.mark.parametrize(
    ("typed_name", "first", "second"),
    [
        ("\u0410da", "\u0410", "d"),
        ("Ad\u0430", "A", "\u0430"),
        ("Ada \u03a9", "A", "\u03a9"),
        ("P\u0663", "P", "\u0663"),
        ("Бо\u03c1ис", "Б", "\u03c1"),
    ],
)
def test_a_refused_name_of_two_scripts_is_explained_by_two_of_its_letters(
    typed_name: str, first: str, second: str
) -> None:
    with refused("name") as error:
        clean_name(typed_name)
    assert f"“{first}” and “{second}” are from different scripts" in str(error.value)
    assert normalize_name(typed_name) == typed_name, "who has had it keeps it"


@pytest.mark.parametrize("sign", ["\u200c", "\u200d", "\u3164", "\u115f", "\u034f", "\ufe0f", "\U000e0101", "\u2800"])
def test_latin_names_with_invisible_characters_are_refused_and_compared_without_them(sign: str) -> None:
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
def test_confusable_names_at_one_table_are_refused(first: str, second: str) -> None:
    with refused("name") as error:
        require_distinct(first, ["Grace", second])
    assert second in str(error.value)


def test_default_names_of_guests_are_one_name_in_all_languages() -> None:
    with refused("name"):
        require_distinct("Gast", ["Grace", "Invité"])
    require_distinct("Gaston", ["Grace", "Invité"])


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
def test_distinguishable_names_at_one_table_are_accepted(first: str, second: str) -> None:
    require_distinct(first, [second])
