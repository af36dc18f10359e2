"""Component files: their format, their provenance marks, and the errors for invalid ones."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import msgspec
import pytest
from msgspec import Meta

from spieltisch.core import components
from spieltisch.core.component_checks import HexColour, Id, Letter, Problems, check_distinct, check_range
from spieltisch.core.components import Components, ComponentsError, read
from spieltisch.core.provenance import Mark, Provenance, ProvenanceIndex
from spieltisch.core.toml_limits import MAX_FILE_BYTES
from spieltisch.core.words import Name, message


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
    with pytest.raises(ComponentsError) as caught:
        harbour(text)
    return findings_of(caught.value)


def findings_of(error: ComponentsError) -> list[tuple[str, str]]:
    """Return the findings: each key path with its problem."""
    listed = [(finding.path, str(finding.message)) for finding in error.findings]
    assert str(error) == "\n".join(f"{path}: {text}" if path else text for path, text in listed)
    return listed


def changed(old: str, new: str) -> str:
    assert TEXT.count(old) == 1, old
    return TEXT.replace(old, new)


def test_reads_values_names_and_marks() -> None:
    parsed = harbour()
    assert (parsed.game, parsed.name, parsed.title.de) == ("harbour", "first", "Hafen")
    assert parsed.contents.ships[0].route == ((1, 2), (3, 4))
    assert parsed.contents.ships[1].name.nl == "Speurhond"
    assert parsed.data["ships"][1]["rig"] == "brig"
    assert parsed.mark_of("ships.argo.sails") == Mark("reported", "a review")
    assert parsed.mark_of("ships.beagle.sails") == Mark("printed", "the board")
    assert parsed.mark_of("ships.beagle.name.en").mark == "reconstructed"
    assert ("ships.argo.route", [[1, 2], [3, 4]], Mark("reconstructed", "ours")) in list(parsed.values())


def test_data_cannot_be_changed() -> None:
    found = harbour()
    with pytest.raises(TypeError):
        found.data["depth"] = 10  # type: ignore[index]  # that is what is tried
    with pytest.raises(TypeError):
        found.data["ships"][0]["route"][0][0] = 7


def test_digest_is_over_values_only() -> None:
    same = changed("depth = 9", "# as deep as this:\ndepth   =   9").replace('"a review"', '"another review"')
    assert harbour(same) == harbour()
    assert hash(harbour(same)) == hash(harbour())
    assert harbour(changed("depth = 9", "depth = 8")) != harbour()
    assert harbour().digest != harbour(changed('"Spürhund"', '"Beagle"')).digest


def test_pickles_for_worker_processes() -> None:
    again = pickle.loads(pickle.dumps(harbour()))  # noqa: S301  # our own
    assert again == harbour()
    assert again.mark_of("depth") == harbour().mark_of("depth")


def test_reads_a_file(tmp_path: Path) -> None:
    file = tmp_path / "harbour.toml"
    file.write_bytes(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())
    assert read(file, Harbour) == harbour()
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "none.toml", Harbour)


def test_a_check_adds_its_findings_with_their_paths() -> None:
    def check(found: Harbour) -> Problems:
        yield ("ships", 0, "route", 1), message("Not there.")
        assert found.depth < 90

    def later(found: Harbour) -> Problems:
        raise AssertionError

    with pytest.raises(ComponentsError) as caught:
        read(TEXT, Harbour, [check], [later])
    assert findings_of(caught.value) == [("ships[0].route[1]", "Not there.")]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("depth = 9", "depth = ", ("", "Invalid TOML: Invalid value (at line 4, column 9).")),
        (
            "depth = 9",
            "depth = 9\ndepth = 9",
            ("", "Invalid TOML: Cannot overwrite a value (at line 5, column 10)."),
        ),
        ('fr = "Limier"', 'fr = "Limier', ("", "Invalid TOML: Illegal character '\\n' (at line 23, column 13).")),
        ("depth = 9\n", "", ("depth", "depth is missing.")),
        ("depth = 9", "depth = 9\ndepht = 9", ("depht", "depht is unknown.")),
        ("depth = 9", "depth = 9.0", ("depth", "depth must be a whole number.")),
        ("depth = 9", "depth = true", ("depth", "depth must be a whole number.")),
        ("depth = 9", 'depth = "9"', ("depth", "depth must be a whole number.")),
        ("depth = 9", "depth = 1889-05-06", ("depth", "depth must be a whole number.")),
        ("sails = 2\n", "", ("ships[1].sails", "ships.beagle.sails is missing.")),
        ("sails = 2", "sails = 2\nsteam = 1", ("ships[1].steam", "ships.beagle.steam must be true or false.")),
        (
            'rig = "brig"',
            'rig = "raft"',
            ("ships[1].rig", "ships.beagle.rig must be one of these: brig, sloop."),
        ),
        ('id = "beagle"', 'id = "argo"', ("ships[1].id", "ships.argo appears twice.")),
        ('id = "beagle"', 'id = ""', ("ships[1].id", "ships..id is empty.")),
        (
            'id = "beagle"',
            "id = 1889-05-06",
            ("ships[1].id", "ships.1.id must be text in quotation marks."),
        ),
        ("[3, 4]", "[3, 4, 5]", ("ships[0].route[1]", "ships.argo.route.1 must be a list of 2 values.")),
        ("[3, 4]", "[3,\n 'x']", ("ships[0].route[1][1]", "ships.argo.route.1.1 must be a whole number.")),
        ("[3, 4]", "34", ("ships[0].route[1]", "ships.argo.route.1 must be a list.")),
        ('fr = "Limier"\n', "", ("ships[1].name.fr", "ships.beagle.name has no text in French.")),
        ('fr = "Limier"', 'fr = ""', ("ships[1].name.fr", "ships.beagle.name.fr is empty.")),
        (
            'fr = "Limier"',
            'fr = "Limier"\nes = "Sabueso"',
            ("ships[1].name.es", "ships.beagle.name.es is unknown."),
        ),
        (
            'fr = "Limier"',
            f'fr = "{"L" * 61}"',
            ("ships[1].name.fr", "ships.beagle.name.fr is longer than 60 characters."),
        ),
        (
            'fr = "Limier"',
            'fr = "Lim\\nier"',
            (
                "ships[1].name.fr",
                "ships.beagle.name.fr starts or ends with a space, or has an invisible character.",
            ),
        ),
        (
            'title = { en = "Harbour", de = "Hafen", fr = "Port", nl = "Haven" }',
            'title = "Harbour"',
            ("title", "title must be a table."),
        ),
        (
            'mark = "printed"',
            'mark = "sure"',
            (
                "provenance[2].mark",
                "provenance.ships.beagle.sails.mark must be one of these: printed, reported, example, reconstructed.",
            ),
        ),
        (
            'of = "ships.beagle.sails"',
            'of = "ships.bugle.sails"',
            ("provenance[2].of", "This file doesn’t contain ships.bugle.sails."),
        ),
        (
            'of = "ships.beagle.sails"',
            'of = "ships.*.sails"',
            ("provenance[2].of", "provenance.ships.*.sails appears twice."),
        ),
        ('of = "*"', 'of = "ships"', ("game", "The source of game is missing under provenance.")),
    ],
)
def test_what_is_broken_is_told_by_its_key_path(old: str, new: str, expected: tuple[str, str]) -> None:
    assert expected in findings(changed(old, new))


def test_all_slips_are_found_at_once_and_those_of_one_thing_stand_together() -> None:
    text = changed("depth = 9", "depth = 'x'").replace("sails = 3", "sails = 'y'").replace("[3, 4]", "[3, 'z']")
    text = text.replace("sails = 2", "sails = 'z'")
    paths = ["depth", "ships[0].route[1][1]", "ships[0].sails", "ships[1].sails"]
    assert [path for path, _ in findings(text)] == paths


def test_a_path_is_written_as_toml_writes_keys() -> None:
    assert findings(changed("depth = 9", 'depth = 9\n"how deep?" = 9'))[0][0] == '"how deep?"'


def test_no_more_is_told_than_can_be_read_nor_said_twice_that_there_is_more() -> None:
    with pytest.raises(ComponentsError) as caught:
        harbour(TEXT.replace("route = []", f"route = {[[0]] * 110}"))
    *first, last = caught.value.findings
    assert [finding.path for finding in first] == [
        f"ships[1].route[{index}]" for index in range(components.MAX_FINDINGS)
    ]
    assert str(last) == "These are only the first 100 errors; there are more."
    assert pickle.loads(pickle.dumps(caught.value)).findings == caught.value.findings  # noqa: S301  # our own


def test_ships_that_are_no_tables() -> None:
    start = TEXT[: TEXT.index("[[ships]]")]
    end = TEXT[TEXT.index("[[provenance]]") :]
    assert ("ships", "ships must be a list of tables.") in findings(f"{start}ships = 3\n{end}")
    assert ("ships[0]", "ships.0 must be a table.") in findings(f"{start}ships = [\n3]\n{end}")


def test_a_huge_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "huge.toml"
    file.write_text("# a comment\n" * (MAX_FILE_BYTES // 12 + 1), "utf-8")
    for source in (file, file.read_text("utf-8")):
        with pytest.raises(ComponentsError, match="larger than"):
            read(source, Harbour)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"depth = {'9' * 5000}", "Line 1 is longer than 1,000 characters."),
        (f"\n{'.'.join(['a'] * 2000)} = 1", "Line 2 is longer than 1,000 characters."),
        ("depth = " + "[\n" * 20000, "Line 9: lists are nested too deeply."),
        (
            "\ndepth = { a = [{ b = [{ c = [{ d = [{ e = 1 }] }] }] }] }",
            "Line 2: lists are nested too deeply.",
        ),
        ("depth = 9\n[a . b.'c'.d]\ne.f.g.\"h\".i.j.k.l.m = 1", "Line 3: a key has more than 8 levels."),
        ('evidence = """\n' + "of the map\\\n" * 400 + '"""', "Line 1: a text is longer than 4,000 characters."),
    ],
)
def test_what_would_choke_a_parser_is_refused(text: str, says: str) -> None:
    assert findings(text) == [("", says)]


def test_half_a_character_in_a_comment_hurts_nobody() -> None:
    assert ("depth", "depth is missing.") in findings("# \ud800")


def test_a_file_that_is_not_utf8_is_told_by_its_line(tmp_path: Path) -> None:
    file = tmp_path / "latin.toml"
    file.write_bytes(TEXT.encode("latin-1"))
    with pytest.raises(ComponentsError) as caught:
        read(file, Harbour)
    assert findings_of(caught.value) == [("", "Line 22 is not in UTF-8.")]


def test_the_more_specific_provenance_wins_whatever_the_order() -> None:
    entries = [Provenance(of, "printed", of) for of in ("a.b", "a.*", "*.b", "a", "*", "a.b.c")]
    fitting = [
        entry.of for entry in sorted(ProvenanceIndex(entries).lookup("a.b.c.d"), key=lambda entry: entry.precision)
    ]
    assert fitting == ["*", "a", "*.b", "a.*", "a.b", "a.b.c"]
    assert ProvenanceIndex([Provenance("a.b.c", "printed", "")]).lookup("a.b") == []


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
        ("most = 9", "most = 10", ("most", "10 is not between 1 and 9.")),
        ("most = 9", f"most = {10**30}", ("most", "most must be a whole number.")),
        ("[1, 9]", "[1, 0]", ("crates[0].weights[1]", "0 is not between 1 and 9.")),
        ("[1, 9]", "[1, 1, 1]", ("crates[0].weights", "crates.tea.weights: at most 2 allowed, 3 found.")),
        ("[1, 9]", "[]\nsize = [3,\n0]", ("crates[0].size[1]", "0 is not between 1 and 9.")),
        ('"tea"', '"Tea!"', ("crates[0].id", "Tea! may only contain lowercase letters a to z, digits and hyphens.")),
        ("#00ff00", "green", ("crates[0].ink", "Write colours like #a7373a.")),
        ('"B"]', '"b"]', ("letters[1]", "letters.1 must be one capital letter from A to Z.")),
        ('"B"]', "]", ("letters", "letters: 2 required, 1 found.")),
        (
            "[[prov",
            "".join(f'[[crates]]\nid = "a{i}"\nink = "#00000{i}"\n' for i in range(3)) + "[[prov",
            ("crates", "crates: 1 to 3 required, 4 found."),
        ),
        (
            "[[prov",
            '[[crates]]\nid = "rum"\nink = "#00FF00"\n[[prov',
            ("crates[1].ink", "crates.tea already has #00FF00."),
        ),
    ],
)
def test_what_breaks_a_bound_beside_its_field_is_told_by_its_key_path(
    old: str, new: str, expected: tuple[str, str]
) -> None:
    assert CARGO.count(old) == 1
    read(CARGO, Cargo, [heavy])
    with pytest.raises(ComponentsError) as caught:
        read(CARGO.replace(old, new), Cargo, [heavy])
    assert findings_of(caught.value) == [expected]


def test_bounds_and_checks_of_several_fields_are_told_together() -> None:
    text = CARGO.replace("#00ff00", "green").replace("[1, 9]", "[2, 9]").replace('"B"]', '"b"]')
    with pytest.raises(ComponentsError) as caught:
        read(text, Cargo, [heavy])
    assert [path for path, _ in findings_of(caught.value)] == ["crates[0].ink", "crates[0].weights", "letters[1]"]
