"""Events account for all effects of moves: points by source, and the location of every piece."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

import spieltisch
from spieltisch.core.events import GameEvent
from spieltisch.core.game import Game
from spieltisch.core.position import Position
from spieltisch.core.record import Record
from spieltisch.games.legendary_inventors.log import FROM_GOALS, FROM_PATENTS, FROM_RUNS, FROM_TOKENS
from spieltisch.games.legendary_inventors.pieces import piece_names
from spieltisch.games.legendary_inventors.rules.runs import arrangement
from spieltisch.games.legendary_inventors.state import PATENT
from tests.games.legendary_inventors.positions import position_with

GOLDEN = sorted((Path(__file__).parents[2] / "golden" / "legendary-inventors").glob("*.txt"))


def by_source(position: Position) -> Counter[tuple[int, int]]:
    """The points by seat and source, counted from what lies before the players, as at the end of the game."""
    board, state = position.setup.board, position.state
    points: Counter[tuple[int, int]] = Counter()
    least = int(position.setup.options["patents_in_run"])
    for p in range(position.seats):
        me = state.players[p]
        patents = [card for n, card in enumerate(board.inventions) if state.whereabouts[n] == PATENT + p]
        tokens = list(zip(me.tokens, board.tokens, strict=False))
        wild = sum(n for n, token in tokens if token.kind == "number")
        runs = arrangement([(card.classification, n) for n, card in enumerate(patents)], wild, least)
        points[p, FROM_PATENTS] = sum(card.points for card in patents)
        points[p, FROM_RUNS] = sum(run.points for run in runs)
        points[p, FROM_TOKENS] = sum(n * token.value for n, token in tokens if token.kind == "points")
        for i, known in zip(board.teams[me.team].inventors if me.team >= 0 else (), me.knowledge, strict=False):
            if all(value >= goal for value, goal in zip(known, board.inventors[i].goal, strict=True)):
                points[p, FROM_GOALS] += board.inventors[i].points
    return +points


class Account:
    """The account of a game, computed from its events."""

    def __init__(self, position: Position) -> None:
        self.points = by_source(position)
        self.lying = Counter(position.setup.game.piece_counts(position))
        self.names = piece_names(position.setup.board)
        self.totals = self.in_all()

    def in_all(self) -> Counter[str]:
        """Return the total number of each kind of piece."""
        totals: Counter[str] = Counter()
        for (thing, _), many in self.lying.items():
            totals[self.names[thing]] += many
        return totals

    def follow(self, events: Sequence[GameEvent], position: Position) -> None:
        """Take in what a move did, and look whether that is what the position has come to."""
        for event in events:
            if event.kind == "points":
                assert event.seat is not None
                amount, source, *_ = event.numbers
                self.points[event.seat, source] += amount
            elif event.kind == "moved":
                thing, many, source, target = event.numbers
                assert many > 0
                assert source != target
                self.lying[thing, source] -= many
                self.lying[thing, target] += many
        assert +self.points == by_source(position)
        scores = Counter({p: n for p, n in enumerate(position.scores) if n})
        assert scores == Counter(p for (p, _), n in self.points.items() for _ in range(n))
        assert min(self.lying.values()) >= 0
        assert +self.lying == +Counter(position.setup.game.piece_counts(position))
        assert self.in_all() == self.totals


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_events_account_for_the_golden_games(file: Path) -> None:
    record = Record.read(file)
    position = next(record.positions())
    account = Account(position)
    for play in record.moves:
        account.follow(position.play(play.move, play.drew or None, collect_events=True).events, position)
    assert position.is_over


@pytest.mark.build
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_events_account_for_random_games_alike_on_both_engines(game: Game, seats: int) -> None:
    position = game.start(seats, seed=seats, teams="choose")
    compiled = spieltisch.game(game.key, compiled=True).start(seats, seed=seats, teams="choose")
    account = Account(position)
    while not position.is_over:
        move = position.legal_moves[7919 * (position.number + 1) % len(position.legal_moves)]
        played = position.play(move, collect_events=True)
        assert played.events == compiled.play(move, collect_events=True).events
        account.follow(played.events, position)


def test_things_have_names_of_their_own() -> None:
    position = spieltisch.game("legendary-inventors").start(5, seed=1)
    totals = Account(position).totals
    board = position.setup.board
    assert [totals[f"cube of seat {p + 1}"] for p in range(5)] == [board.box.cubes] * 5
    assert {name: n for name, n in totals.items() if name.startswith("token ")} == {
        f"token {token.id}": token.count for token in board.tokens
    }
    assert {totals[card.id] for card in board.inventions} == {totals["leonardo"]} == {1}


@pytest.mark.rule("S4")
def test_points_that_go_are_told_by_their_source(game: Game) -> None:
    hand = {"points-3": 1, "number": 1}
    position = position_with(game, tokens={1: hand}, patents={1: ["axe"]}, knowledge={"hypatia": (0, 0, 0, 3)})
    log_lines = []
    for move in ("turn points-3 for Hypatia in physics", "turn number for Hypatia in chemistry"):
        events = position.play(move, collect_events=True).events
        log_lines.append([event.numbers[:2] for event in events if event.kind == "points"])
    assert log_lines == [[(-3, FROM_TOKENS), (3, FROM_GOALS)], [(-1, FROM_RUNS)]]
