"""Check component files: their format, their provenance, and the errors for invalid files."""

from __future__ import annotations

import pickle
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec
import pytest

from spieltisch.core import components
from spieltisch.core.component_checks import Problems
from spieltisch.core.components import Components, ComponentsError, read
from spieltisch.core.provenance import Mark, Provenance, ProvenanceIndex
from spieltisch.core.toml_limits import MAX_FILE_BYTES
from spieltisch.core.words import LANGUAGES, Name, message
from tests.core.component_findings import findings_of, validation, whole_number_required
from tests.sentences import sentence_after

invalid_toml = partial(sentence_after, "core/components.py", "def parse_toml")
is_missing = partial(validation, "elif field.required:")
is_unknown = partial(validation, "unknown = self.path((*steps, key))")
one_of_required = partial(validation, "def _read_simple")
appears_twice = partial(validation, "self._add_problem((*steps, index, first),")
is_empty = partial(validation, "elif not value:")
table_required = partial(validation, "if not isinstance(value, dict):")
line_too_long = partial(sentence_after, "core/toml_limits.py", "if length > MAX_LINE_LENGTH:")
nested_too_deeply = partial(sentence_after, "core/toml_limits.py", "if brackets > MAX_DEPTH:")


class Ship(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: str
    name: Name
    sails: int
    route: tuple[tuple[int, int], ...]
    rig: Literal["brig", "sloop"] = "sloop"
    steam: bool = False


class Harbour(components.ComponentFile, frozen=True, kw_only=True, forbid_unknown_fields=True):
    depth: int
    ships: tuple[Ship, ...]


TEXT = """\
game = "harbour"  # a comment with "quotes" and [brackets]
name = "first"
title = { en = "Harbour", de = "Hafen", fr = "Port", nl = "Haven" }
depth = 9

[[ships]]
id = "argo"
name = { en = "Argo", de = "Argo", fr = "Argo", nl = "Argo" }
sails = 3
route = [
  [1, 2],
  [3, 4],  # there
]

[[ships]]
id = "beagle"
sails = 2
route = []
rig = "brig"
[ships.name]
en = "Beagle"
de = "Spürhund"
fr = "Limier"
nl = "Speurhond"

[[provenance]]
of = "*"
mark = "reconstructed"
evidence = "ours"

[[provenance]]
of = "ships.*.sails"
mark = "reported"
evidence = "a review"

[[provenance]]
of = "ships.beagle.sails"
mark = "printed"
evidence = "the board"
"""


def harbour(text: str = TEXT) -> Components[Harbour]:
    return read(text, Harbour)


def findings(text: str) -> list[tuple[str, str]]:
    with pytest.raises(ComponentsError) as error:
        harbour(text)
    return findings_of(error.value)


def changed_text(old: str, new: str) -> str:
    assert TEXT.count(old) == 1, old
    return TEXT.replace(old, new)


def test_values_names_and_provenance_are_read_from_a_component_file() -> None:
    parsed = harbour()
    assert (parsed.game, parsed.name, parsed.title.de) == ("harbour", "first", "Hafen")
    assert parsed.contents.ships[0].route == ((1, 2), (3, 4))
    assert parsed.contents.ships[1].name.nl == "Speurhond"
    assert parsed.data["ships"][1]["rig"] == "brig"
    assert parsed.mark_of("ships.argo.sails") == Mark("reported", "a review")
    assert parsed.mark_of("ships.beagle.sails") == Mark("printed", "the board")
    assert parsed.mark_of("ships.beagle.name.en").mark == "reconstructed"
    assert ("ships.argo.route", [[1, 2], [3, 4]], Mark("reconstructed", "ours")) in list(parsed.values())


def test_component_values_cannot_be_changed() -> None:
    component_values = harbour()
    with pytest.raises(TypeError):
        component_values.data["depth"] = 10  # type: ignore[index]  # that is what is tried
    with pytest.raises(TypeError):
        component_values.data["ships"][0]["route"][0][0] = 7


def test_the_digest_of_components_depends_only_on_their_values() -> None:
    same_values = changed_text("depth = 9", "# as deep as this:\ndepth   =   9").replace(
        '"a review"', '"another review"'
    )
    assert harbour(same_values) == harbour()
    assert hash(harbour(same_values)) == hash(harbour())
    assert harbour(changed_text("depth = 9", "depth = 8")) != harbour()
    assert harbour().digest != harbour(changed_text('"Spürhund"', '"Beagle"')).digest


def test_pickled_components_are_restored_unchanged() -> None:
    unpickled = pickle.loads(pickle.dumps(harbour()))  # noqa: S301  # our own
    assert unpickled == harbour()
    assert unpickled.mark_of("depth") == harbour().mark_of("depth")


def test_a_component_file_with_bom_and_windows_line_ends_is_read(tmp_path: Path) -> None:
    file = tmp_path / "harbour.toml"
    file.write_bytes(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())
    assert read(file, Harbour) == harbour()
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "none.toml", Harbour)


def test_a_failed_check_reports_its_findings_with_their_paths() -> None:
    def check(harbour_values: Harbour) -> Problems:
        yield ("ships", 0, "route", 1), message("Not there.")
        assert harbour_values.depth < 90

    def later_check(harbour_values: Harbour) -> Problems:
        raise AssertionError

    with pytest.raises(ComponentsError) as error:
        read(TEXT, Harbour, [check], [later_check])
    assert findings_of(error.value) == [("ships[0].route[1]", "Not there.")]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("depth = 9", "depth = ", ("", invalid_toml(reason="Invalid value (at line 4, column 9)"))),
        (
            "depth = 9",
            "depth = 9\ndepth = 9",
            ("", invalid_toml(reason="Cannot overwrite a value (at line 5, column 10)")),
        ),
        ('fr = "Limier"', 'fr = "Limier', ("", invalid_toml(reason="Illegal character '\\n' (at line 23, column 13)"))),
        ("depth = 9\n", "", ("depth", is_missing(path="depth"))),
        ("depth = 9", "depth = 9\ndepht = 9", ("depht", is_unknown(path="depht"))),
        ("depth = 9", "depth = 9.0", ("depth", whole_number_required(path="depth"))),
        ("depth = 9", "depth = true", ("depth", whole_number_required(path="depth"))),
        ("depth = 9", 'depth = "9"', ("depth", whole_number_required(path="depth"))),
        ("depth = 9", "depth = 1889-05-06", ("depth", whole_number_required(path="depth"))),
        ("sails = 2\n", "", ("ships[1].sails", is_missing(path="ships.beagle.sails"))),
        (
            "sails = 2",
            "sails = 2\nsteam = 1",
            ("ships[1].steam", validation("if not isinstance(value, bool):", path="ships.beagle.steam")),
        ),
        (
            'rig = "brig"',
            'rig = "raft"',
            ("ships[1].rig", one_of_required(path="ships.beagle.rig", choices="brig, sloop")),
        ),
        ('id = "beagle"', 'id = "argo"', ("ships[1].id", appears_twice(path="ships.argo"))),
        ('id = "beagle"', 'id = ""', ("ships[1].id", is_empty(path="ships..id"))),
        ('id = "beagle"', "id = 1889-05-06", ("ships[1].id", validation("def _check_text", path="ships.1.id"))),
        (
            "[3, 4]",
            "[3, 4, 5]",
            ("ships[0].route[1]", validation("count = len(item_types)", path="ships.argo.route.1", count=2)),
        ),
        ("[3, 4]", "[3,\n 'x']", ("ships[0].route[1][1]", whole_number_required(path="ships.argo.route.1.1"))),
        ("[3, 4]", "34", ("ships[0].route[1]", validation("def _read_list", path="ships.argo.route.1"))),
        (
            'fr = "Limier"\n',
            "",
            ("ships[1].name.fr", validation("missing =", path="ships.beagle.name", language="French")),
        ),
        ('fr = "Limier"', 'fr = ""', ("ships[1].name.fr", is_empty(path="ships.beagle.name.fr"))),
        (
            'fr = "Limier"',
            'fr = "Limier"\nes = "Sabueso"',
            ("ships[1].name.es", is_unknown(path="ships.beagle.name.es")),
        ),
        (
            'fr = "Limier"',
            f'fr = "{"L" * 61}"',
            ("ships[1].name.fr", validation("def _check_name", path="ships.beagle.name.fr", most=60)),
        ),
        (
            'fr = "Limier"',
            'fr = "Lim\\nier"',
            (
                "ships[1].name.fr",
                validation("elif value.strip() != value or not value.isprintable():", path="ships.beagle.name.fr"),
            ),
        ),
        (
            'title = { en = "Harbour", de = "Hafen", fr = "Port", nl = "Haven" }',
            'title = "Harbour"',
            ("title", table_required(path="title")),
        ),
        (
            'mark = "printed"',
            'mark = "sure"',
            (
                "provenance[2].mark",
                one_of_required(
                    path="provenance.ships.beagle.sails.mark", choices="printed, reported, example, reconstructed"
                ),
            ),
        ),
        (
            'of = "ships.beagle.sails"',
            'of = "ships.bugle.sails"',
            (
                "provenance[2].of",
                sentence_after("core/components.py", "def _check_provenance", path="ships.bugle.sails"),
            ),
        ),
        (
            'of = "ships.beagle.sails"',
            'of = "ships.*.sails"',
            ("provenance[2].of", appears_twice(path="provenance.ships.*.sails")),
        ),
        ('of = "*"', 'of = "ships"', ("game", sentence_after("core/components.py", "yield steps,", path="game"))),
    ],
)
def test_errors_in_a_component_file_name_the_key_path(old: str, new: str, expected: tuple[str, str]) -> None:
    assert expected in findings(changed_text(old, new))


def test_a_name_given_only_in_english_is_used_in_all_languages() -> None:
    read_title = harbour(
        changed_text(
            'title = { en = "Harbour", de = "Hafen", fr = "Port", nl = "Haven" }', 'title = { en = "Harbour" }'
        )
    ).title
    assert [read_title.text(language) for language in LANGUAGES] == ["Harbour"] * 4


def test_all_errors_of_a_component_file_are_reported_at_once_grouped_by_item() -> None:
    text = changed_text("depth = 9", "depth = 'x'").replace("sails = 3", "sails = 'y'").replace("[3, 4]", "[3, 'z']")
    text = text.replace("sails = 2", "sails = 'z'")
    paths = ["depth", "ships[0].route[1][1]", "ships[0].sails", "ships[1].sails"]
    assert [path for path, _ in findings(text)] == paths


def test_a_key_path_quotes_keys_as_toml_does() -> None:
    assert findings(changed_text("depth = 9", 'depth = 9\n"how deep?" = 9'))[0][0] == '"how deep?"'


def test_the_number_of_reported_findings_is_limited() -> None:
    with pytest.raises(ComponentsError) as error:
        harbour(TEXT.replace("route = []", f"route = {[[0]] * 110}"))
    *first, last_finding = error.value.findings
    assert [finding.path for finding in first] == [
        f"ships[1].route[{index}]" for index in range(components.MAX_FINDINGS)
    ]
    assert str(last_finding) == sentence_after("core/components.py", "def __init__", count=100)
    assert pickle.loads(pickle.dumps(error.value)).findings == error.value.findings  # noqa: S301  # our own


def test_a_value_in_place_of_a_list_of_toml_tables_is_refused() -> None:
    start = TEXT[: TEXT.index("[[ships]]")]
    end = TEXT[TEXT.index("[[provenance]]") :]
    assert ("ships", validation("def _read_tables", path="ships")) in findings(f"{start}ships = 3\n{end}")
    assert ("ships[0]", table_required(path="ships.0")) in findings(f"{start}ships = [\n3]\n{end}")


def test_a_huge_component_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "huge.toml"
    file.write_text("# a comment\n" * (MAX_FILE_BYTES // 12 + 1), "utf-8")
    for source in (file, file.read_text("utf-8")):
        with pytest.raises(ComponentsError, match="larger than"):
            read(source, Harbour)


@pytest.mark.parametrize(
    ("text", "expected_text"),
    [
        (f"depth = {'9' * 5000}", line_too_long(line="1", count=1000)),
        (f"\n{'.'.join(['a'] * 2000)} = 1", line_too_long(line="2", count=1000)),
        ("depth = " + "[\n" * 20000, nested_too_deeply(line="9")),
        (
            "\ndepth = { a = [{ b = [{ c = [{ d = [{ e = 1 }] }] }] }] }",
            nested_too_deeply(line="2"),
        ),
        (
            "depth = 9\n[a . b.'c'.d]\ne.f.g.\"h\".i.j.k.l.m = 1",
            sentence_after("core/toml_limits.py", "if dots >= MAX_DEPTH:", line="3", count=8),
        ),
        (
            'evidence = """\n' + "of the map\\\n" * 400 + '"""',
            sentence_after("core/toml_limits.py", "def _too_deep", line="1", count=4000),
        ),
    ],
)
def test_texts_that_would_overload_a_parser_are_refused(text: str, expected_text: str) -> None:
    assert findings(text) == [("", expected_text)]


def test_a_lone_surrogate_in_a_comment_is_ignored() -> None:
    assert ("depth", is_missing(path="depth")) in findings("# \ud800")


def test_a_line_that_is_not_utf8_is_named_in_the_error(tmp_path: Path) -> None:
    file = tmp_path / "latin.toml"
    file.write_bytes(TEXT.encode("latin-1"))
    with pytest.raises(ComponentsError) as error:
        read(file, Harbour)
    assert findings_of(error.value) == [("", sentence_after("core/components.py", "def _text", line="22"))]


def test_the_most_specific_provenance_entry_applies_in_any_order() -> None:
    entries = [Provenance(value_path, "printed", value_path) for value_path in ("a.b", "a.*", "*.b", "a", "*", "a.b.c")]
    fitting = [
        entry.of for entry in sorted(ProvenanceIndex(entries).lookup("a.b.c.d"), key=lambda entry: entry.precision)
    ]
    assert fitting == ["*", "a", "*.b", "a.*", "a.b", "a.b.c"]
    assert ProvenanceIndex([Provenance("a.b.c", "printed", "")]).lookup("a.b") == []
