"""Records from before an option existed do not name it, and replay with its earlier meaning."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import spieltisch
from spieltisch import tables
from spieltisch.core.options import Option
from spieltisch.core.position import Position
from spieltisch.core.record import Record
from spieltisch.core.words import message
from spieltisch.live import Live
from spieltisch.tables.events import Opened
from tests.tables.harness import ADA, BEN, SECRET, Sitting

GOLDEN = Path(__file__).parents[1] / "golden" / "legendary-inventors"
EARLY_END = GOLDEN / "2-all-pass-greedy.txt"
"""With more cubes this game would not have ended so."""


def without(text: str, *names: str) -> str:
    """A record as it was written before there were these options."""
    record = Record.parse(text)
    for name in names:
        del record.options[name]
    return record.text


def test_without_a_value_from_before_it_is_the_default() -> None:
    choices = (("a", message("a")), ("b", message("b")))
    assert Option("x", message("x"), message("x"), choices, "b").implied_value == "b"
    assert Option("x", message("x"), message("x"), choices, "b", legacy_default="a").implied_value == "a"
    yes = ((True, message("a")), (False, message("b")))
    assert Option("x", message("x"), message("x"), yes, True, legacy_default=False).implied_value is False


@pytest.mark.parametrize("key", ["era-of-inventions", "legendary-inventors", "paris-connection"])
def test_a_game_is_what_it_was_for_each_of_its_options(key: str) -> None:
    game = spieltisch.game(key)
    implied = {option.name: option.implied_value for option in game.options}
    assert game.setup_from_record(game.seats[0], None, {}).options == implied
    for option in game.options:
        for value, _ in option.choices:
            assert game.setup_from_record(game.seats[0], None, {option.name: value}).options == implied | {
                option.name: value
            }


@pytest.mark.parametrize(
    ("key", "name", "implied", "current"),
    [
        ("era-of-inventions", "last_exchange", "no symbols", "symbols"),
        ("legendary-inventors", "cubes", "box", "enough"),
        ("paris-connection", "standstill", "ends", "goes on"),
    ],
)
def test_what_names_no_option_goes_on_as_it_began(
    tmp_path: Path, key: str, name: str, implied: str, current: str
) -> None:
    """Records, documents and tables from before the option keep its earlier value; a new game has the new default."""
    game = spieltisch.game(key)
    position = Position.start(game.setup(3, None, **{name: implied}), seed=1)
    document = position.document()
    del document["options"][name]
    assert game.position(document).digest() == position.digest()
    assert Record.parse(without(Record.of(position, ()).text, name)).setup().options == position.setup.options
    assert game.setup(3).options == position.setup.options | {name: current}

    async def main() -> None:
        live = await Live.open(tmp_path / "house.sqlite3")
        try:
            opened = Opened(
                game=key, options={}, components=game.components.digest,
                seat_offers=(tables.SeatOffer("open"),) * 3, commitment="", host="", spectators="open",
                rules_version="0.1.0",
            )  # fmt: skip
            assert (await live.components.setup(opened)).options[name] == implied
        finally:
            await live.close()

    asyncio.run(main())


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.build)])
def test_an_old_record_comes_out_the_same(compiled: bool) -> None:
    text = EARLY_END.read_text("utf-8")
    old = Record.parse(without(text, "cubes", "teams"))
    setup = old.verify().setup
    assert (setup.options["cubes"], setup.options["teams"]) == ("box", "random")
    assert old.replay(compiled=compiled).document() == Record.parse(text).replay().document()
    now = spieltisch.game("legendary-inventors").setup(2).options
    assert (now["cubes"], now["teams"]) == ("enough", "choose")


def test_an_old_document_is_the_same_position() -> None:
    position = Record.read(EARLY_END).replay()
    document = position.document()
    del document["options"]["cubes"], document["options"]["teams"]
    again = spieltisch.game("legendary-inventors").position(document)
    assert (again.setup.options["cubes"], again.setup.options["teams"]) == ("box", "random")
    assert again.digest() == position.digest()


def test_a_table_of_an_old_database_goes_on_as_it_began(tmp_path: Path) -> None:
    async def main() -> None:
        live = await Live.open(tmp_path / "house.sqlite3")
        try:
            components = spieltisch.game("legendary-inventors").components.digest
            places = (tables.SeatOffer("open"), tables.SeatOffer("open"))
            opened = Opened(
                game="legendary-inventors", options={"patents_in_run": 1}, components=components, seat_offers=places,
                commitment="", host="", spectators="open", rules_version="0.1.0",
            )  # fmt: skip
            setup = await live.components.setup(opened)
            assert (setup.options["cubes"], setup.options["teams"]) == ("box", "random")
        finally:
            await live.close()

    asyncio.run(main())


def test_a_rematch_names_what_the_first_table_did_not() -> None:
    game = spieltisch.game("legendary-inventors")
    record = Record.parse(without(EARLY_END.read_text("utf-8"), "cubes", "teams"))
    plan = tables.NewTable(
        "legendary-inventors", ("me", "open"), dict(record.options) | {"cubes": "box", "teams": "random"}
    )
    opened, *more = tables.open_table(plan, game, game.components, ADA, SECRET)
    assert isinstance(opened, Opened)
    del opened.options["cubes"], opened.options["teams"]
    sitting = Sitting([opened, *more])
    sitting.does(tables.sit, BEN)
    sitting.to_the_end()
    again, _ = tables.rematch_plan(sitting.table, ADA.id)
    assert (again.options["cubes"], again.options["teams"]) == ("box", "random")
