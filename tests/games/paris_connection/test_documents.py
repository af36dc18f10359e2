"""Check that a position is restored from its document and that other documents are refused."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spieltisch
from spieltisch.core.errors import DocumentError
from spieltisch.core.game import Game
from tests.games.paris_connection.positions import COLOURS, position_with
from tests.tiers import examples

JUNK: list[Any] = [
    None,
    True,
    False,
    -1,
    0,
    1,
    7,
    10**20,
    1.5,
    "",
    "red",
    "Lyon",
    [],
    ["Lyon"],
    [["Lyon"]],
    {},
    {"red": 1},
    {"red": []},
]


def leaves(value: Any, steps: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value in a document."""
    if steps:
        yield steps
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from leaves(value[key], (*steps, key))


def changed(document: Mapping[str, Any], steps: tuple[Any, ...], new_value: Any) -> dict[str, Any]:
    """Return the document with one value replaced."""
    changed_document = copy.deepcopy(dict(document))
    container: Any = changed_document
    for step in steps[:-1]:
        container = container[step]
    container[steps[-1]] = new_value
    return changed_document


def played(seats: int, moves: int, seed: int) -> dict[str, Any]:
    """Return the document of a position in a random game."""
    position = spieltisch.game("paris-connection").start(seats=seats, seed=seed)
    chance = random.Random(seed)
    while position.number < moves and not position.is_over:
        position.play(chance.choice(position.legal_moves))
    return dict(position.document())


@given(seats=st.integers(3, 6), moves=st.sampled_from([0, 1, 5, 60, 1000]), seed=st.integers(0, 99), data=st.data())
@examples(100, 400)
def test_a_damaged_position_document_is_refused_or_gives_a_playable_position(
    seats: int, moves: int, seed: int, data: st.DataObject
) -> None:
    document = played(seats, moves, seed)
    steps = data.draw(st.sampled_from(list(leaves(document))))
    damaged = changed(document, steps, data.draw(st.sampled_from(JUNK)))
    game = spieltisch.game("paris-connection")
    try:
        position = game.position(damaged)
    except ValueError:
        return
    assert position.is_over or len(position.legal_moves) > 0
    assert position.is_over == (position.outcome is not None)
    state, given_state = position.document()["state"], damaged["state"]
    assert {k: set(v) for k, v in state.pop("map").items()} == {k: set(given_state["map"][k]) for k in COLOURS}
    assert state.items() <= given_state.items()
    for viewer in (*range(position.seats), None):
        assert position.observe(viewer).imagine(0).observe(viewer).bytes == position.observe(viewer).bytes


@pytest.mark.parametrize(
    ("steps", "new", "expected_text"),
    [
        (("options", "components"), "x", "options: paris-connection has no such option"),
        (("options", "cut_off"), ["weak"], "options: "),
        (("seats",), [3], "seats: "),
        (("number",), -1, "number: "),
        (("number",), 10**20, "number: "),
        (("state",), "turn", "state: "),
        (("state", "phase"), "sleeping", "phase: 'sleeping' is none of turn, building, over"),
        (("state", "phase"), "over", "ended_by: None is none of P14, P15, T6"),
        (("state", "phase"), "building", "building: a table is needed"),
        (("state", "building"), {"company": "red", "placed": 1}, "building: .* does not fit the phase"),
        (("state", "ended_by"), "P14", "ended_by: 'P14' does not fit the phase"),
        (("state", "seat"), 4, "seat: 4 is no number from 1 to 3"),
        (("state", "trades_in_a_row"), 10, "trades_in_a_row: 10 is no number from 0 to 9"),
        (("state", "trades_in_a_row"), 9, "phase: .* it is over by T6"),
        (("state", "map", "red"), ["Gare Saint-Lazare", "Lyons"], "map.red: 'Lyons' is unknown"),
        (("state", "map", "red"), ["Gare Saint-Lazare", ["Lyon"]], r"map.red: \['Lyon'\] is unknown"),
        (("state", "map", "red"), ["Gare Saint-Lazare"] * 2, "map.red: 'Gare Saint-Lazare' is there twice"),
        (("state", "map", "red"), ["Gare du Nord"], "map.red: no room in 'Gare du Nord'"),
        (("state", "map", "red"), ["Lyon"], "map.red: a company stands on one station"),
        (("state", "map", "red"), [], "map.red: a company stands on one station"),
        (("state", "map", "red"), {}, "map.red: a list is needed"),
        (("state", "map"), {}, "map.purple: missing"),
        (("state", "map", "green"), [], "map.green: unknown"),
        (("state", "depots", "red"), "5", "depots.red: '5' is no number from 0 to 999"),
        (("state", "map", "red"), ["Gare Saint-Lazare", "tour Eiffel"], "map.red: no room in 'tour Eiffel'"),
        (("state", "depots", "red"), 5, "depots.red: 9 locomotives where the box has 32 besides the marker"),
        (("state", "players"), [], "players: 3 are needed"),
        (("state", "players", 0), None, "players.1: a table is needed"),
        (("state", "players", 1, "given", "red"), 1, "players.2: no deal and these trades lead to this portfolio"),
        (("state", "players", 1, "owed", "red"), 2, "players.2: no deal and these trades lead to this portfolio"),
    ],
)
def test_an_error_in_a_position_document_names_the_path_of_the_value(
    game: Game, steps: tuple[Any, ...], new: Any, expected_text: str
) -> None:
    with pytest.raises(DocumentError, match=expected_text):
        game.position(changed(position_with(game, standstill="ends").document(), steps, new))


def test_a_position_document_whose_ending_contradicts_the_position_is_refused(game: Game) -> None:
    position = position_with(game, track={"red": ["Toulon"]})
    position.play("build red Marseille")
    document = position.document()
    assert game.position(document).outcome == position.outcome
    for ending in ("P14", "T6"):
        with pytest.raises(DocumentError, match="it is over by P15"):
            game.position(changed(document, ("state", "ended_by"), ending))
    with pytest.raises(DocumentError, match="it is not over"):
        game.position(
            changed(changed(position_with(game).document(), ("state", "phase"), "over"), ("state", "ended_by"), "P15")
        )
    with pytest.raises(DocumentError, match="it is over by P14"):
        position_with(game, depots=dict.fromkeys(COLOURS, 0) | {"red": 2})
    assert not position_with(game, idle=9, standstill="goes on").is_over
