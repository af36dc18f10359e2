"""Check bounds of the fields of a component file, and checks of several fields together."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec
import pytest
from msgspec import Meta

from spieltisch.core import components
from spieltisch.core.component_checks import HexColour, Id, Letter, Problems, check_distinct, check_range
from spieltisch.core.components import ComponentsError, read
from tests.core.component_findings import findings_of, validation, whole_number_required
from tests.games.declared_sentences import already_has, out_of_range
from tests.sentences import sentence_after

Count: TypeAlias = Annotated[int, Meta(ge=1, le=9)]


class Crate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: Id
    ink: HexColour = "#000000"
    weights: Annotated[tuple[Count, ...], Meta(max_length=2)] = ()
    size: tuple[Count, Count] = (1, 1)


class Cargo(components.ComponentFile, frozen=True, kw_only=True, forbid_unknown_fields=True):
    crates: Annotated[tuple[Crate, ...], Meta(min_length=1, max_length=3)]
    letters: Annotated[tuple[Letter, ...], Meta(min_length=2, max_length=2)]
    most: Count


CARGO = """\
game = "cargo"
name = "first"
title = { en = "Cargo", de = "Fracht", fr = "Fret", nl = "Vracht" }
most = 9
letters = ["A", "B"]

[[crates]]
id = "tea"
ink = "#00ff00"
weights = [1, 9]

[[provenance]]
of = "*"
mark = "reconstructed"
evidence = "ours"
"""


def heavy(contents: Cargo) -> Problems:
    for index, crate in enumerate(contents.crates):
        yield from check_range(("crates", index, "weights"), sum(crate.weights), 0, contents.most + 1)
    yield from check_distinct("crates", contents.crates, "ink")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("most = 9", "most = 10", ("most", out_of_range(10, 1, 9))),
        ("most = 9", f"most = {10**30}", ("most", whole_number_required(path="most"))),
        ("[1, 9]", "[1, 0]", ("crates[0].weights[1]", out_of_range(0, 1, 9))),
        (
            "[1, 9]",
            "[1, 1, 1]",
            ("crates[0].weights", validation("elif minimum == 0:", path="crates.tea.weights", most=2, number=3)),
        ),
        ("[1, 9]", "[]\nsize = [3,\n0]", ("crates[0].size[1]", out_of_range(0, 1, 9))),
        (
            '"tea"',
            '"Tea!"',
            ("crates[0].id", sentence_after("core/component_checks.py", "def error_text", text="Tea!")),
        ),
        (
            "#00ff00",
            "green",
            (
                "crates[0].ink",
                sentence_after("core/component_checks.py", "HexColour: TypeAlias = Annotated[", example="#a7373a"),
            ),
        ),
        (
            '"B"]',
            '"b"]',
            (
                "letters[1]",
                sentence_after(
                    "core/component_checks.py", 'str, Meta(pattern=r"^[A-Z]$", extra=error_text', path="letters.1"
                ),
            ),
        ),
        ('"B"]', "]", ("letters", validation("if minimum == maximum:", path="letters", wanted=2, number=1))),
        (
            "[[prov",
            "".join(f'[[crates]]\nid = "a{i}"\nink = "#00000{i}"\n' for i in range(3)) + "[[prov",
            ("crates", validation("else:\n            yield", path="crates", least=1, most=3, number=4)),
        ),
        (
            "[[prov",
            '[[crates]]\nid = "rum"\nink = "#00FF00"\n[[prov',
            ("crates[1].ink", already_has("crates.tea", "#00FF00")),
        ),
    ],
)
def test_values_out_of_bounds_are_reported_with_their_key_path(old: str, new: str, expected: tuple[str, str]) -> None:
    assert CARGO.count(old) == 1
    read(CARGO, Cargo, [heavy])
    with pytest.raises(ComponentsError) as error:
        read(CARGO.replace(old, new), Cargo, [heavy])
    assert findings_of(error.value) == [expected]


def test_values_out_of_bounds_and_failed_checks_are_reported_together() -> None:
    text = CARGO.replace("#00ff00", "green").replace("[1, 9]", "[2, 9]").replace('"B"]', '"b"]')
    with pytest.raises(ComponentsError) as error:
        read(text, Cargo, [heavy])
    assert [path for path, _ in findings_of(error.value)] == ["crates[0].ink", "crates[0].weights", "letters[1]"]
