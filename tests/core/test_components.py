"""Component files: their form, their lines, their marks, and what is said about broken ones."""

from __future__ import annotations

import datetime
import pickle
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from spieltisch.core import components
from spieltisch.core.checks import Id, Ink, Letter, Wrong, distinct, within
from spieltisch.core.components import Components, ComponentsError, read
from spieltisch.core.provenance import Mark, Provenance, Sources
from spieltisch.core.toml_bounds import LARGEST
from spieltisch.core.toml_lines import toml_lines
from spieltisch.core.words import Name, message


class Ship(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: str
    name: Name
    sails: int
    route: tuple[tuple[int, int], ...]
    rig: Literal["brig", "sloop"] = "sloop"
    steam: bool = False


class Harbour(components.Contents, frozen=True, kw_only=True, forbid_unknown_fields=True):
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


def findings(text: str) -> list[tuple[int, str, str]]:
    with pytest.raises(ComponentsError) as caught:
        harbour(text)
    assert str(caught.value) == "\n".join(f"line {found.line}: {found.message}" for found in caught.value.findings)
    return [(found.line, found.path, str(found.message)) for found in caught.value.findings]


def changed(old: str, new: str) -> str:
    assert TEXT.count(old) == 1, old
    return TEXT.replace(old, new)


def test_reads_values_names_and_marks() -> None:
    found = harbour()
    assert (found.game, found.name, found.title.de) == ("harbour", "first", "Hafen")
    assert found.contents.ships[0].route == ((1, 2), (3, 4))
    assert found.contents.ships[1].name.nl == "Speurhond"
    assert found.data["ships"][1]["rig"] == "brig"
    assert found.mark_of("ships.argo.sails") == Mark("reported", "a review")
    assert found.mark_of("ships.beagle.sails") == Mark("printed", "the board")
    assert found.mark_of("ships.beagle.name.en").mark == "reconstructed"
    assert ("ships.argo.route", [[1, 2], [3, 4]], Mark("reconstructed", "ours")) in list(found.values())


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


def test_a_check_adds_its_findings_at_the_right_lines() -> None:
    def check(found: Harbour) -> Wrong:
        yield ("ships", 0, "route", 1), message("Not there.")
        assert found.depth < 90

    def later(found: Harbour) -> Wrong:
        raise AssertionError

    with pytest.raises(ComponentsError) as caught:
        read(TEXT, Harbour, [check], [later])
    assert [(found.line, found.path) for found in caught.value.findings] == [(12, "ships.argo.route.1")]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("depth = 9", "depth = ", (4, "", "This is not TOML: Invalid value.")),
        ("depth = 9", "depth = 9\ndepth = 9", (5, "", "This is not TOML: Cannot overwrite a value.")),
        ('fr = "Limier"', 'fr = "Limier', (23, "", "This is not TOML: Illegal character '\\n'.")),
        ("depth = 9\n", "", (1, "depth", "depth is missing.")),
        ("depth = 9", "depth = 9\ndepht = 9", (5, "depht", "depht is not known here.")),
        ("depth = 9", "depth = 9.0", (4, "depth", "depth must be a whole number.")),
        ("depth = 9", "depth = true", (4, "depth", "depth must be a whole number.")),
        ("depth = 9", 'depth = "9"', (4, "depth", "depth must be a whole number.")),
        ("depth = 9", "depth = 1889-05-06", (4, "depth", "depth must be a whole number.")),
        ("sails = 2\n", "", (15, "ships.beagle.sails", "ships.beagle.sails is missing.")),
        ("sails = 2", "sails = 2\nsteam = 1", (18, "ships.beagle.steam", "ships.beagle.steam must be true or false.")),
        (
            'rig = "brig"',
            'rig = "raft"',
            (19, "ships.beagle.rig", "ships.beagle.rig must be one of these: brig, sloop."),
        ),
        ('id = "beagle"', 'id = "argo"', (16, "ships.argo", "ships.argo is there twice.")),
        ('id = "beagle"', 'id = ""', (16, "ships..id", "ships..id is empty.")),
        (
            'id = "beagle"',
            "id = 1889-05-06",
            (16, "ships.1.id", "ships.1.id must be a text in quotes."),
        ),
        ("[3, 4]", "[3, 4, 5]", (12, "ships.argo.route.1", "ships.argo.route.1 must be a list of 2 values.")),
        ("[3, 4]", "[3,\n 'x']", (13, "ships.argo.route.1.1", "ships.argo.route.1.1 must be a whole number.")),
        ("[3, 4]", "34", (12, "ships.argo.route.1", "ships.argo.route.1 must be a list.")),
        ('fr = "Limier"\n', "", (20, "ships.beagle.name.fr", "ships.beagle.name has no text in French.")),
        ('fr = "Limier"', 'fr = ""', (23, "ships.beagle.name.fr", "ships.beagle.name.fr is empty.")),
        (
            'fr = "Limier"',
            'fr = "Limier"\nes = "Sabueso"',
            (24, "ships.beagle.name.es", "ships.beagle.name.es is not known here."),
        ),
        (
            'fr = "Limier"',
            f'fr = "{"L" * 61}"',
            (23, "ships.beagle.name.fr", "ships.beagle.name.fr is longer than 60 letters."),
        ),
        (
            'fr = "Limier"',
            'fr = "Lim\\nier"',
            (
                23,
                "ships.beagle.name.fr",
                "ships.beagle.name.fr has a space at an end, or a sign that cannot be seen.",
            ),
        ),
        (
            'title = { en = "Harbour", de = "Hafen", fr = "Port", nl = "Haven" }',
            'title = "Harbour"',
            (3, "title", "title must be a table."),
        ),
        (
            'mark = "printed"',
            'mark = "sure"',
            (
                38,
                "provenance.ships.beagle.sails.mark",
                "provenance.ships.beagle.sails.mark must be one of these: printed, reported, example, reconstructed.",
            ),
        ),
        (
            'of = "ships.beagle.sails"',
            'of = "ships.bugle.sails"',
            (37, "provenance.ships.bugle.sails.of", "There is no value ships.bugle.sails in this file."),
        ),
        (
            'of = "ships.beagle.sails"',
            'of = "ships.*.sails"',
            (37, "provenance.ships.*.sails", "provenance.ships.*.sails is there twice."),
        ),
        ('of = "*"', 'of = "ships"', (1, "game", "Nothing under provenance says where game is from.")),
    ],
)
def test_a_broken_file_is_told_by_its_line(old: str, new: str, expected: tuple[int, str, str]) -> None:
    assert expected in findings(changed(old, new))


def test_a_language_missing_on_one_line_names_that_line() -> None:
    assert findings(changed(', nl = "Argo" }', " }")) == [
        (8, "ships.argo.name.nl", "ships.argo.name has no text in Dutch.")
    ]


def test_all_slips_are_found_at_once_in_the_order_of_the_file() -> None:
    text = changed("depth = 9", "depth = 'x'").replace("sails = 3", "sails = 'y'").replace("sails = 2", "sails = 'z'")
    assert [line for line, _, _ in findings(text)] == [4, 9, 17]


def test_ships_that_are_no_tables() -> None:
    start = TEXT[: TEXT.index("[[ships]]")]
    end = TEXT[TEXT.index("[[provenance]]") :]
    assert (6, "ships", "ships must be a list of tables.") in findings(f"{start}ships = 3\n{end}")
    assert (7, "ships.0", "ships.0 must be a table.") in findings(f"{start}ships = [\n3]\n{end}")


def test_a_file_without_an_end_is_found_at_its_last_line() -> None:
    assert findings(TEXT + "depth = [")[0][0] == TEXT.count("\n") + 1


def test_a_huge_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "huge.toml"
    file.write_text("# a comment\n" * (LARGEST // 12 + 1), "utf-8")
    for source in (file, file.read_text("utf-8")):
        with pytest.raises(ComponentsError, match="larger than"):
            read(source, Harbour)


@pytest.mark.parametrize(
    ("text", "line", "about"),
    [
        (f"depth = {'9' * 5000}", 1, "longer than 1,000 letters"),
        (f"\n{'.'.join(['a'] * 2000)} = 1", 2, "longer than 1,000 letters"),
        ("depth = " + "[\n" * 20000, 9, "too deep"),
        ("\ndepth = { a = [{ b = [{ c = [{ d = [{ e = 1 }] }] }] }] }", 2, "too deep"),
        ("depth = 9\n[a . b.'c'.d]\ne.f.g.\"h\".i.j.k.l.m = 1", 3, "more than 8 steps"),
        ('evidence = """\n' + "of the map\\\n" * 400 + '"""', 1, "text is longer than 4,000 letters"),
        ("# \ud800", 1, "missing"),
    ],
)
def test_what_would_choke_a_parser_is_refused(text: str, line: int, about: str) -> None:
    with pytest.raises(ComponentsError, match=about) as caught:
        harbour(text)
    assert caught.value.findings[0].line == line


def test_a_file_that_is_not_utf8_is_told_by_its_line(tmp_path: Path) -> None:
    file = tmp_path / "latin.toml"
    file.write_bytes(TEXT.encode("latin-1"))
    with pytest.raises(ComponentsError) as caught:
        read(file, Harbour)
    assert [(found.line, str(found.message)) for found in caught.value.findings] == [(22, "The file is not in UTF-8.")]


def test_the_more_specific_provenance_wins_whatever_the_order() -> None:
    entries = [Provenance(of, "printed", of) for of in ("a.b", "a.*", "*.b", "a", "*", "a.b.c")]
    fitting = [entry.of for entry in sorted(Sources(entries).of("a.b.c.d"), key=lambda entry: entry.precision)]
    assert fitting == ["*", "a", "*.b", "a.*", "a.b", "a.b.c"]
    assert Sources([Provenance("a.b.c", "printed", "")]).of("a.b") == []


KEYS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=5)
SCALARS: st.SearchStrategy[Any] = st.one_of(
    st.integers(-(10**6), 10**6),
    st.booleans(),
    st.text(max_size=6),
    st.just(datetime.date(1889, 5, 6)),
    st.sampled_from(['"""', "'''", "#", "[", "]}", "\\", "\n[x]\n"]),
)
TREES = st.recursive(
    SCALARS,
    lambda below: st.one_of(st.lists(below, max_size=3), st.dictionaries(KEYS, below, max_size=3)),
    max_leaves=12,
)
DOCUMENTS = st.dictionaries(KEYS, TREES, max_size=4)


def quoted(text: str) -> str:
    signs = {'"': '\\"', "\\": "\\\\"}
    return '"' + "".join(signs.get(c) or (c if c.isprintable() else f"\\U{ord(c):08x}") for c in text) + '"'


class Writer:
    """Writes a document as TOML and notes on which line it put each value."""

    def __init__(self, choose: Any) -> None:
        self.text = ""
        self.choose = choose
        self.lines: dict[tuple[str | int, ...], int] = {(): 1}

    def note(self, steps: tuple[str | int, ...]) -> None:
        self.lines[steps] = self.text.count("\n") + 1

    def table(self, steps: tuple[str | int, ...], table: dict[str, Any], header: str) -> None:
        below = []
        for key, value in table.items():
            lists = isinstance(value, list) and value and all(isinstance(item, dict) for item in value)
            if (lists or isinstance(value, dict)) and self.choose(["[below]", "inline"]) == "[below]":
                below.append((key, value))
                continue
            self.note((*steps, key))
            self.text += f"{quoted(key)} = "
            self.value((*steps, key), value)
            self.text += self.choose(["\n", " # [[note]]\n", "\n\n", "\r\n"])
        for key, value in below:
            name = f"{header}.{quoted(key)}" if header else quoted(key)
            self.note((*steps, key))
            for index, item in enumerate(value if isinstance(value, list) else [value]):
                inner = (*steps, key, index) if isinstance(value, list) else (*steps, key)
                self.note(inner)
                self.text += f"[[{name}]]\n" if isinstance(value, list) else f"[ {name} ] # =\n"
                self.table(inner, item, name)

    def value(self, steps: tuple[str | int, ...], value: Any) -> None:
        if isinstance(value, list):
            self.text += "["
            for index, item in enumerate(value):
                self.text += self.choose(["", "\n", " # ]\n  "])
                self.note((*steps, index))
                self.value((*steps, index), item)
                self.text += self.choose([",", " , ", ", # ,\n"])
            self.text += "]"
        elif isinstance(value, dict):
            self.text += "{ "
            for number, (key, item) in enumerate(value.items()):
                self.text += ", " if number else ""
                self.note((*steps, key))
                self.text += f"{quoted(key)} = "
                self.value((*steps, key), item)
            self.text += "}"
        elif isinstance(value, bool):
            self.text += str(value).lower()
        elif isinstance(value, str) and value and "'" not in value and self.choose(["plain", "long"]) == "long":
            lines = "".join(c if c.isprintable() or c == "\n" else "" for c in value)
            self.text += f"'''{lines}'''"
        else:
            self.text += quoted(value) if isinstance(value, str) else str(value)


@given(DOCUMENTS, st.data())
def test_every_value_of_any_document_is_found_on_its_line(document: dict[str, Any], data: st.DataObject) -> None:
    writer = Writer(lambda choices: data.draw(st.sampled_from(choices)))
    writer.table((), document, "")
    tomllib.loads(writer.text)
    assert toml_lines(writer.text) == writer.lines


@pytest.mark.parametrize("text", ["'''\n'x'''''", '"""\\\n  "x\\"""""', '"""\r\n\\\\"""', "'\\'", '""', "''''''"])
def test_strings_end_where_toml_ends_them(text: str) -> None:
    document = f"a = {text} # '\nb = 1\n"
    assert tomllib.loads(document)["b"] == 1
    assert toml_lines(document)[("b",)] == document[: document.index("b = 1")].count("\n") + 1


Count: TypeAlias = Annotated[int, Meta(ge=1, le=9)]


class Crate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: Id
    ink: Ink = "#000000"
    weights: Annotated[tuple[Count, ...], Meta(max_length=2)] = ()
    size: tuple[Count, Count] = (1, 1)


class Cargo(components.Contents, frozen=True, kw_only=True, forbid_unknown_fields=True):
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


def heavy(contents: Cargo) -> Wrong:
    for index, crate in enumerate(contents.crates):
        yield from within(("crates", index, "weights"), sum(crate.weights), 0, contents.most + 1)
    yield from distinct("crates", contents.crates, "ink")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("most = 9", "most = 10", (4, "most", "10 is not from 1 to 9.")),
        ("most = 9", f"most = {10**30}", (4, "most", "most must be a whole number.")),
        ("[1, 9]", "[1, 0]", (10, "crates.tea.weights.1", "0 is not from 1 to 9.")),
        ("[1, 9]", "[1, 1, 1]", (10, "crates.tea.weights", "crates.tea.weights: there may be 2, and there are 3.")),
        ("[1, 9]", "[]\nsize = [3,\n0]", (12, "crates.tea.size.1", "0 is not from 1 to 9.")),
        ('"tea"', '"Tea!"', (8, "crates.Tea!.id", "Tea! may hold small letters a to z, digits and hyphens only.")),
        ("#00ff00", "green", (9, "crates.tea.ink", "A colour is written like #a7373a.")),
        ('"B"]', '"b"]', (5, "letters.1", "letters.1 must be one capital letter from A to Z.")),
        ('"B"]', "]", (5, "letters", "letters: 2 are needed, and there are 1.")),
        (
            "[[prov",
            "".join(f'[[crates]]\nid = "a{i}"\nink = "#00000{i}"\n' for i in range(3)) + "[[prov",
            (7, "crates", "crates: 1 to 3 are needed, and there are 4."),
        ),
        (
            "[[prov",
            '[[crates]]\nid = "rum"\nink = "#00FF00"\n[[prov',
            (14, "crates.rum.ink", "crates.tea already has #00FF00."),
        ),
    ],
)
def test_what_breaks_a_bound_beside_its_field_is_told_by_its_line(
    old: str, new: str, expected: tuple[int, str, str]
) -> None:
    assert CARGO.count(old) == 1
    read(CARGO, Cargo, [heavy])
    with pytest.raises(ComponentsError) as caught:
        read(CARGO.replace(old, new), Cargo, [heavy])
    assert [(found.line, found.path, str(found.message)) for found in caught.value.findings] == [expected]


def test_bounds_and_checks_of_several_fields_are_told_together() -> None:
    text = CARGO.replace("#00ff00", "green").replace("[1, 9]", "[2, 9]").replace('"B"]', '"b"]')
    with pytest.raises(ComponentsError) as caught:
        read(text, Cargo, [heavy])
    assert [found.line for found in caught.value.findings] == [5, 9, 10]
