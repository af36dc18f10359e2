"""Check the end of a round: rules E47 to E53 and the rulings R15, R26, R27."""

from __future__ import annotations

import pytest

from spieltisch.core.errors import DrawError
from spieltisch.core.game import Game
from spieltisch.core.position import Position
from spieltisch.games.era_of_inventions.goods_text import listed
from spieltisch.games.era_of_inventions.log import ROUND_BEGINS
from tests.games.era_of_inventions.positions import (
    MARKET,
    card_text,
    factory_name,
    factory_row,
    log,
    log_line,
    number,
    phase,
    pile,
    position_with,
    row,
)
from tests.sentences import sentence_after

LOG = "games/era_of_inventions/log.py"
LAST = f"take back {MARKET}"


def ending(game: Game, **changes: object) -> Position:
    """Return a position in which the last disc of the round is about to be taken back."""
    position_fields: dict[str, object] = {"discs": {MARKET: [1]}, "numbers": {p: {"bonus": 0} for p in (1, 2, 3, 4)}}
    return position_with(game, **(position_fields | changes))  # type: ignore[arg-type]  # as the test says


@pytest.mark.rule("E47")
def test_start_cards_in_the_row_are_removed_from_the_game(game: Game) -> None:
    position = ending(game, row=["light bulb", None, "telephone a", None, "oil lamp"], piles={"discards": ["umbrella"]})
    position.play(LAST)
    assert pile(position, "gone") == {"light bulb", "oil lamp"}
    all_cards = pile(position, "pile") | set(row(position)) | pile(position, "discards")
    assert {"umbrella", "pocket watch", "telephone a"} <= all_cards


@pytest.mark.rule("E48")
@pytest.mark.rule("R15")
def test_cards_on_arrow_spaces_are_discarded_and_the_other_cards_slide_together(game: Game) -> None:
    cards = ["car a", None, "car b", "camera a", "telephone a", "telephone b", "cash register a"]
    position = ending(game, row=cards, piles={"pile": ["umbrella", "oil lamp", "microscope", "barometer"]})
    position.play(LAST, drew=None)
    assert row(position)[4:] == ["car a", "car b", "camera a"]
    assert pile(position, "discards") == {"telephone a", "telephone b", "cash register a"}
    assert set(row(position)[:4]) == {"umbrella", "oil lamp", "microscope", "barometer"}


@pytest.mark.rule("E48")
def test_sliding_cards_keep_their_order(game: Game) -> None:
    position = ending(game, row=["car a", "car b", None, None, None, None, None])
    position.play(LAST)
    assert row(position)[5:] == ["car a", "car b"]


@pytest.mark.rule("E49")
@pytest.mark.rule("R27")
def test_after_a_new_gold_field_all_cards_are_shuffled_into_the_pile(game: Game) -> None:
    piles = {
        "fresh": ["telephone a", "telephone b", "telephone counterfeit"],
        "discards": ["umbrella"],
        "pile": ["oil lamp"],
    }
    cards = ["car a", None, None, None, "car b"]
    position = ending(game, row=cards, piles=piles, new_original=True)
    position.play(LAST)
    assert row(position)[6] == "car a"  # not shuffled: it lay on the row
    assert set(row(position)) == {None, "car a", "car b", "oil lamp", "umbrella", "telephone a", "telephone b",
                                  "telephone counterfeit"} - {None}  # fmt: skip
    assert not pile(position, "fresh")
    assert not pile(position, "pile")
    assert position.document()["state"]["new_original"] is False
    position = ending(game, row=cards, piles=piles, new_original=False)
    position.play(LAST)
    assert len(pile(position, "fresh")) == 3  # no original, no new cards
    assert row(position)[:3].count(None) == 0


@pytest.mark.rule("E49")
def test_after_a_new_gold_field_discards_are_shuffled_in_even_if_the_pile_is_large_enough(game: Game) -> None:
    piles = {
        "fresh": ["telephone a", "telephone b", "telephone counterfeit"],
        "discards": ["umbrella"],
        "pile": ["oil lamp", "microscope", "barometer", "music box", "weighing scale", "bicycle", "telegraph"],
    }
    recorded_draws = ["umbrella", "telephone a", "oil lamp", "telephone b", "microscope", "barometer", "music box"]
    position = ending(game, row=[], piles=piles, new_original=True)
    position.play(LAST, drew=[*recorded_draws, "workshop 1", "workshop 2", "workshop 3"])
    assert row(position) == recorded_draws
    assert pile(position, "pile") == {"telephone counterfeit", "weighing scale", "bicycle", "telegraph"}


@pytest.mark.rule("E50")
@pytest.mark.rule("R26")
def test_the_discard_pile_is_turned_over_when_a_card_is_needed(game: Game) -> None:
    piles = {"pile": ["oil lamp"], "discards": ["umbrella", "microscope"]}
    position = ending(game, row=[], piles=piles)
    new_cards, new_factories = ["oil lamp", "umbrella", "microscope"], ["foundry 1", "workshop 1", "workshop 2"]
    log_lines = log(position, LAST, [*new_cards, *new_factories])
    assert row(position) == ["oil lamp", "umbrella", "microscope", None, None, None, None]
    assert log_lines[1:] == [
        log_line(ROUND_BEGINS, 2, round=2),
        sentence_after(LOG, "def _new_cards", cards=listed([card_text(card) for card in new_cards], apart=True)),
        sentence_after(LOG, "def _new_factories", factories=listed([factory_name(card) for card in new_factories])),
    ]


@pytest.mark.rule("R26")
def test_the_pile_is_emptied_before_the_discards_are_used(game: Game) -> None:
    piles = {"pile": ["oil lamp"], "discards": ["umbrella", "microscope"]}
    position = ending(game, row=[], piles=piles)
    with pytest.raises(DrawError):
        position.play(LAST, drew=["umbrella", "oil lamp", "microscope", "workshop 1", "workshop 2", "workshop 3"])
    position = ending(game, row=[], piles={"pile": [], "discards": []})
    position.play(LAST)
    assert row(position) == [None] * 7  # both empty: spaces stay empty


@pytest.mark.rule("R26")
@pytest.mark.parametrize("turn_over", ["when needed", "when the last is drawn"])
def test_an_option_turns_the_discards_over_as_soon_as_the_last_card_is_drawn(game: Game, turn_over: str) -> None:
    cards = ["car a", "car b", "camera a", None, "telephone a", "telephone b", "cash register a"]
    position = ending(game, row=cards, piles={"pile": ["umbrella", "oil lamp", "microscope", "barometer"]},
                      factory_row=["workshop 1", "workshop 2", "foundry 1", None, "foundry 2"],
                      factory_pile=["coal mine 1", "coal mine 2", "coal mine 3"], turn_over=turn_over)  # fmt: skip
    position.play(LAST)
    state = position.document()["state"]
    used_pile, empty = ("discards", "pile") if turn_over == "when needed" else ("pile", "discards")
    assert pile(position, used_pile) == {"telephone a", "telephone b", "cash register a"}
    assert pile(position, f"factory_{used_pile}") == {"foundry 1", "foundry 2"}
    assert state[empty] == state[f"factory_{empty}"] == []


@pytest.mark.rule("R26")
def test_discards_turned_over_at_once_fill_the_remaining_spaces(game: Game) -> None:
    piles = {"pile": ["oil lamp"], "discards": ["umbrella", "microscope"]}
    position = ending(game, row=[], piles=piles, turn_over="when the last is drawn")
    position.play(LAST, drew=["oil lamp", "umbrella", "microscope", "foundry 1", "workshop 1", "workshop 2"])
    assert row(position) == ["oil lamp", "umbrella", "microscope", None, None, None, None]
    position = ending(game, row=[], piles={"pile": [], "discards": ["umbrella"]}, turn_over="when the last is drawn")
    position.play(LAST)  # no card was drawn before
    assert row(position)[0] == "umbrella"


@pytest.mark.rule("E50")
def test_a_card_just_discarded_is_drawn_again_only_when_the_pile_is_empty(game: Game) -> None:
    cards = [None, None, None, None, "car a", None, None]
    position = ending(game, row=cards, piles={"pile": ["oil lamp", "umbrella"]})
    position.play(LAST)
    assert row(position)[:3] == [*row(position)[:2], "car a"]


@pytest.mark.rule("E51")
@pytest.mark.rule("R15")
def test_the_factory_row_slides_and_is_filled(game: Game) -> None:
    position = ending(game, factory_row=["workshop 1", "workshop 2", "foundry 1", None, "foundry 2"])
    position.play(LAST)
    assert factory_row(position)[3:] == ["workshop 1", "workshop 2"]
    assert pile(position, "factory_discards") == {"foundry 1", "foundry 2"}
    assert None not in factory_row(position)
    position = ending(game, factory_row=[None, None, None, "workshop 1", None], factory_pile=[])
    position.play(LAST)
    assert factory_row(position) == ["workshop 1", None, None, None, None]  # the discards, turned over


@pytest.mark.rule("E52")
def test_ships_and_warehouses_are_filled(game: Game) -> None:
    loads = {"coal warehouse 1": 0, "coal warehouse 2": 2, "metal ship": 0, "tool ship": 5}
    position = ending(game, loads=loads)
    supply = position.document()["state"]["supply"]["coal"]
    position.play(LAST)
    stores = position.document()["state"]["stores"]
    assert [stores[store] for store in ("coal-warehouse-1", "coal-warehouse-2", "metal-ship", "tool-ship")] == [
        3,
        3,
        2,
        6,
    ]
    assert (stores["wood-warehouse-1"], stores["technology-ship"]) == (3, 3)
    assert position.document()["state"]["supply"]["coal"] == supply - 4


@pytest.mark.rule("E53")
def test_the_left_neighbour_of_the_start_player_starts_the_next_round(game: Game) -> None:
    position = ending(game, seat=4, start=4, discs={MARKET: [4]})
    position.play(LAST)
    assert phase(position) == ("placing", 1)
    assert position.document()["state"]["round"] == 2
    assert position.document()["state"]["start_player"] == 1
    assert [number(position, p, "hand") for p in (1, 2, 3, 4)] == [2, 2, 2, 2]
