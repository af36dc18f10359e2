"""Check that bots do not play certain moves in certain positions, listed in `tests/positions/*.toml`."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

import spieltisch
from spieltisch import bots
from spieltisch.bots import levels, lost_games, styles
from spieltisch.bots.search.searcher import Budget, Searcher
from spieltisch.bots.search.turn_search import TurnSearch
from spieltisch.bots.turns import Answer
from spieltisch.core.position import Position
from spieltisch.games import GAMES
from tests.bots.conftest import LibraryOf
from tests.bots.played_positions import SMALL
from tests.paths import ROOT

FOLDER = ROOT / "tests" / "positions"
SEEDS = range(1, 6)
"""The seeds with which each bot is asked in each position."""


def positions_in(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))["positions"]
    return found


LOST_GAMES = positions_in("lost_games.toml")
OTHERS = [
    listed for file in sorted(FOLDER.glob("*.toml")) if file.stem != "lost_games" for listed in positions_in(file.name)
]


def position_of(listed: dict[str, Any]) -> Position:
    position: Position = spieltisch.game(listed["game"]).start(listed["seats"], seed=listed["seed"])
    for move in listed["moves"].split(", "):
        position.play(move)
    return position


def name_of(listed: dict[str, Any]) -> str:
    return f"{listed['game']}-{listed['seed']}-{listed['moves'].count(',') + 1}"


@pytest.fixture(params=LOST_GAMES, ids=name_of)
def listed(request: pytest.FixtureRequest) -> dict[str, Any]:
    found: dict[str, Any] = request.param
    return found


@pytest.mark.parametrize("key", GAMES)
def test_every_game_has_five_positions(key: str) -> None:
    assert sum(listed["game"] == key for listed in (*LOST_GAMES, *OTHERS)) >= 5


def test_every_listed_move_ends_a_game_that_its_seat_loses(listed: dict[str, Any]) -> None:
    position, moves = position_of(listed), listed["must_not_play"].split(", ")
    for move in moves:
        after = position.copy()
        after.play(move)
        assert after.outcome is not None
        assert position.seat not in after.outcome.winners
    assert len(position.legal_moves) > len(moves)


@pytest.mark.parametrize("level", ["beginner", "easy"])
def test_no_bot_with_a_style_plays_a_listed_move(listed: dict[str, Any], level: str) -> None:
    position = position_of(listed)
    seen = position.observe(position.seat)
    for style in styles.STYLES:
        assert bots.choose(f"{level}+{style}", seen, seed=1) not in listed["must_not_play"].split(", ")


@pytest.mark.parametrize("listed", OTHERS, ids=name_of)
def test_no_easy_bot_with_a_style_plays_a_move_that_is_worse_than_another(listed: dict[str, Any]) -> None:
    """A beginner sees only half of the moves, so it may have to play the worse one."""
    position, moves = position_of(listed), listed["must_not_play"].split(", ")
    assert set(moves) < {move.text for move in position.legal_moves}
    seen = position.observe(position.seat)
    for style in styles.STYLES:
        assert {bots.choose(f"easy+{style}", seen, seed=seed) for seed in SEEDS}.isdisjoint(moves)


def test_a_search_prefers_a_move_that_may_win_to_the_end_of_a_lost_game(
    library_of: LibraryOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = LOST_GAMES[0]
    position, forbidden = position_of(listed), listed["must_not_play"].split(", ")
    searcher = Searcher(position.setup, 4000, library_of(listed["game"]))
    kept = next(move for move in position.legal_moves if move.text not in forbidden)
    ends = position.setup.move(forbidden[0])

    def played(shares: dict[int, float], *, plays_on: bool = True) -> str:
        monkeypatch.setattr(Searcher, "tried", lambda _: {ends.number: (9, 1.0), kept.number: (1, 0.1)})
        monkeypatch.setattr(Searcher, "win_shares", lambda _: shares)
        return position.setup.move(
            TurnSearch(searcher, 1, Budget(4), SMALL, plays_on=plays_on).next_move(position, ())
        ).text

    assert played({ends.number: 0.0, kept.number: 0.1}) == kept.text
    assert played({ends.number: 0.0, kept.number: 0.1}, plays_on=False) == ends.text
    assert played({ends.number: 0.2, kept.number: 0.1}) == ends.text, "every alternative is worse"
    assert played({ends.number: 0.9, kept.number: 0.95}) == ends.text, "it is winning"


def test_the_levels_play_on_in_a_lost_game(monkeypatch: pytest.MonkeyPatch) -> None:
    modes = list[bool]()

    def answer(*_: object, plays_on: bool) -> Answer:
        modes.append(plays_on)
        return ()

    monkeypatch.setattr(levels, "search_turn", answer)
    position = spieltisch.game("paris-connection").start(3, seed=1)
    levels.answer_as_level("medium", position.observe(position.seat), 1)
    assert modes == [True]


def test_a_bot_ends_a_lost_game_if_every_alternative_is_worse() -> None:
    position, forbidden = position_of(LOST_GAMES[0]), LOST_GAMES[0]["must_not_play"].split(", ")
    seen, ends = position.observe(position.seat), position.setup.move(forbidden[0]).number
    gains = {move.number: -50.0 for move in position.legal_moves} | {ends: -11.0}
    assert lost_games.move_instead(seen, 1, ends, gains) == ends
    other = next(move.number for move in position.legal_moves if move.text not in forbidden)
    assert lost_games.move_instead(seen, 1, ends, gains | {other: -11.5}) == other
