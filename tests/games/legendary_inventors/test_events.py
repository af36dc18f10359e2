"""Check that events explain all effects of moves: points by source, and the location of every piece."""

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
from tests.paths import ROOT

GOLDEN = sorted((ROOT / "tests" / "golden" / "legendary-inventors").glob("*.txt"))


def by_source(position: Position) -> Counter[tuple[int, int]]:
    """Count the points by seat and source from the pieces of the players, as at the end of the game."""
    board, state = position.setup.board, position.state
    points: Counter[tuple[int, int]] = Counter()
    min_patents = int(position.setup.options["patents_in_run"])
    for p in range(position.seats):
        own_player = state.players[p]
        patents = [card for n, card in enumerate(board.inventions) if state.whereabouts[n] == PATENT + p]
        tokens = list(zip(own_player.tokens, board.tokens, strict=False))
        wild = sum(n for n, token in tokens if token.kind == "number")
        runs = arrangement([(card.classification, n) for n, card in enumerate(patents)], wild, min_patents)
        points[p, FROM_PATENTS] = sum(card.points for card in patents)
        points[p, FROM_RUNS] = sum(run.points for run in runs)
        points[p, FROM_TOKENS] = sum(n * token.value for n, token in tokens if token.kind == "points")
        for i, knowledge_value in zip(
            board.teams[own_player.team].inventors if own_player.team >= 0 else (), own_player.knowledge, strict=False
        ):
            if all(value >= goal for value, goal in zip(knowledge_value, board.inventors[i].goal, strict=True)):
                points[p, FROM_GOALS] += board.inventors[i].points
    return +points


class Account:
    """Points and locations of pieces, computed only from the events of a game."""

    def __init__(self, position: Position) -> None:
        self.points = by_source(position)
        self.lying = Counter(position.setup.game.piece_counts(position))
        self.names = piece_names(position.setup.board)
        self.totals = self.in_all()

    def in_all(self) -> Counter[str]:
        """Return the total number of each kind of piece."""
        totals: Counter[str] = Counter()
        for (piece, _), count in self.lying.items():
            totals[self.names[piece]] += count
        return totals

    def follow(self, events: Sequence[GameEvent], position: Position) -> None:
        """Add the events of a move, and check the account against the position."""
        for event in events:
            if event.kind == "points":
                assert event.seat is not None
                amount, source, *_ = event.numbers
                self.points[event.seat, source] += amount
            elif event.kind == "moved":
                piece, count, source, target = event.numbers
                assert count > 0
                assert source != target
                self.lying[piece, source] -= count
                self.lying[piece, target] += count
        assert +self.points == by_source(position)
        scores = Counter({p: n for p, n in enumerate(position.scores) if n})
        assert scores == Counter(p for (p, _), n in self.points.items() for _ in range(n))
        assert min(self.lying.values()) >= 0
        assert +self.lying == +Counter(position.setup.game.piece_counts(position))
        assert self.in_all() == self.totals


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_events_explain_every_change_in_the_golden_games(file: Path) -> None:
    record = Record.read(file)
    position = next(record.positions())
    account = Account(position)
    for play in record.moves:
        account.follow(position.play(play.move, play.drew or None, collect_events=True).events, position)
    assert position.is_over


@pytest.mark.build
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_events_explain_every_change_in_random_games_on_both_engines(game: Game, seats: int) -> None:
    position = game.start(seats, seed=seats, teams="choose")
    compiled = spieltisch.game(game.key, compiled=True).start(seats, seed=seats, teams="choose")
    account = Account(position)
    while not position.is_over:
        move = position.legal_moves[7919 * (position.number + 1) % len(position.legal_moves)]
        move_result = position.play(move, collect_events=True)
        assert move_result.events == compiled.play(move, collect_events=True).events
        account.follow(move_result.events, position)


def test_every_kind_of_piece_is_counted_under_the_name_of_the_kind() -> None:
    position = spieltisch.game("legendary-inventors").start(5, seed=1)
    totals = Account(position).totals
    board = position.setup.board
    assert [totals[f"cube of seat {p + 1}"] for p in range(5)] == [board.box.cubes] * 5
    assert {name: n for name, n in totals.items() if name.startswith("token ")} == {
        f"token {token.id}": token.count for token in board.tokens
    }
    assert {totals[card.id] for card in board.inventions} == {totals["leonardo"]} == {1}


@pytest.mark.rule("S4")
def test_lost_points_name_their_source(game: Game) -> None:
    hand = {"points-3": 1, "number": 1}
    position = position_with(game, tokens={1: hand}, patents={1: ["axe"]}, knowledge={"hypatia": (0, 0, 0, 3)})
    log_lines = []
    for move in ("turn points-3 for Hypatia in physics", "turn number for Hypatia in chemistry"):
        events = position.play(move, collect_events=True).events
        log_lines.append([event.numbers[:2] for event in events if event.kind == "points"])
    assert log_lines == [[(-3, FROM_TOKENS), (3, FROM_GOALS)], [(-1, FROM_RUNS)]]
