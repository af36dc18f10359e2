"""Build positions of Legendary Inventors for the tests of its rules.

`position_with` seats Antiquity, Modern era, Renaissance, Middle Ages and Contemporary era in this order and lays out
the inventions of `TABLE`; a test names the differences. Fields are physics, chemistry, mechanics, mathematics; the
start values of the first two teams:

    Hypatia 0002, Archimedes 1010, Aristotle 1001, Hippocrates 0200
    James Watt 0020, Ada Lovelace 0011, Antoine Lavoisier 0200, Benjamin Franklin 1001

and the spaces of the first age's inventions on the table:

    Bow 1022, Canoe 2012, Papyrus 0320, Sundial 2003, Fire 3101
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import spieltisch
from spieltisch.core.components import Components
from spieltisch.core.game import Game
from spieltisch.core.position import Position
from spieltisch.core.words import SeatName, Value, Words
from spieltisch.games.legendary_inventors.log import EVENTS
from spieltisch.games.legendary_inventors.refusals import REASONS
from tests.games.declared_sentences import event_text, reason_text
from tests.sentences import template_after

PLAYER_NAMES = tuple(f"P{seat}" for seat in range(1, 6))
BOARD = spieltisch.game("legendary-inventors").setup(3).board
TEAMS = ("antiquity", "modern-era", "renaissance", "middle-ages", "contemporary-era")
TABLE = {
    "bow": ("upgrade-2", "refresh"),
    "canoe": ("upgrade-3", "points-1"),
    "papyrus": ("number", "points-2"),
    "sundial": ("genius", "points-3"),
    "fire": ("upgrade-4", "upgrade-2"),
}
"""Inventions with their tokens."""

Cubes = Mapping[int, Sequence[int]]


def position_with(
    game: Game,
    *,
    seats: int = 2,
    seat: int | None = 1,
    phase: str = "turn",
    age: int = 1,
    leonardo: int = 1,
    passes: int = 0,
    ended_by: str | None = None,
    table: Mapping[str, Sequence[str | None]] | None = None,
    cubes: Mapping[str, Cubes] | None = None,
    tokens: Mapping[int, Mapping[str, int]] | None = None,
    knowledge: Mapping[str, Sequence[int]] | None = None,
    exhausted: Sequence[str] = (),
    patents: Mapping[int, Sequence[str]] | None = None,
    rewards: Mapping[str, Any] | None = None,
    asked_seat: int = 0,
    removed_pieces: Mapping[str, int] | None = None,
    components: Components[Any] | None = None,
    has_enough_cubes: bool = False,
    **options: Any,
) -> Position:
    """Return a position in which seat `seat` (from 1) decides.

    `table`: inventions with their tokens; `cubes`: on an invention, by seat, in each field; `tokens`, `patents`: of a
    seat; `knowledge`: of an inventor, else the start values; `rewards`: slot, order and chosen, in the phase "rewards";
    `enough`: two players have the cubes of two colours (S6).
    """
    setup = game.setup(seats, components, cubes="enough" if has_enough_cubes else "box", **options)
    board = setup.board
    inventions: list[dict[str, Any]] = []
    for slot, (name, cubes_on_card) in enumerate((TABLE if table is None else table).items(), 1):
        on_it = (cubes or {}).get(name, {})
        rows = [list(on_it.get(p, (0, 0, 0, 0))) for p in range(1, seats + 1)]
        inventions.append({"slot": slot, "invention": name, "tokens": list(cubes_on_card), "cubes": rows})
    drawn_tokens: dict[str, int] = dict(removed_pieces or {})
    for invention in inventions:
        for kind in invention["tokens"]:
            if kind is not None:
                drawn_tokens[kind] = drawn_tokens.get(kind, 0) + 1
    for hand in (tokens or {}).values():
        for kind, n in hand.items():
            drawn_tokens[kind] = drawn_tokens.get(kind, 0) + n
    players = []
    for p in range(1, seats + 1):
        team = next(team for team in board.teams if team.id == TEAMS[p - 1])
        inventors = {}
        for i in team.inventors:
            inventor = board.inventors[i]
            knowledge_of_inventor = (knowledge or {}).get(inventor.id, inventor.start)
            inventors[inventor.id] = {"knowledge": list(knowledge_of_inventor), "exhausted": inventor.id in exhausted}
        players.append(
            {
                "team": team.id,
                "inventors": inventors,
                "tokens": dict((tokens or {}).get(p, {})),
                "patents": list((patents or {}).get(p, ())),
            }
        )
    state = {
        "phase": phase,
        "seat": seat,
        "age": age,
        "leonardo": leonardo,
        "passes_in_a_row": passes,
        "ended_by": ended_by,
        "placing": None,
        "rewards": rewards,
        "asked": asked_seat,
        "inventions": inventions,
        "gone": [],
        "tokens_drawn": drawn_tokens,
        "tokens_gone": dict(removed_pieces or {}),
        "players": players,
    }
    return Position.of_twin(setup, game.restore(setup, state))


def refused(position: Position, move: str) -> str:
    """Return the rule that forbids a move, and check that its reason is a sentence."""
    refusal = position.why_not(move)
    assert refusal is not None, move
    assert str(refusal.message).endswith((".", "!"))
    assert position.setup.move(move) not in position.legal_moves
    return refusal.rule


def texts(position: Position, start: str = "") -> list[str]:
    """Return the texts of the legal moves with this beginning."""
    return [move.text for move in position.legal_moves if move.text.startswith(start)]


def play_and_log(position: Position, move: str) -> list[str]:
    """Play the move and return its log in English."""
    move_result = position.play(move, collect_events=True)
    log = position.setup.game.log(position.setup, move_result.events, None)
    return [Words("en").say(line, PLAYER_NAMES) for line in log]


def open_inventions(position: Position) -> dict[str, dict[str, Any]]:
    """Return the open inventions with their tokens and cubes, by id."""
    inventions = position.document()["state"]["inventions"]
    return {invention["invention"]: invention for invention in inventions}


def player(position: Position, seat: int) -> dict[str, Any]:
    """Return the document of a seat (from 1)."""
    document: dict[str, Any] = position.document()["state"]["players"][seat - 1]
    return document


def exhausted_inventors(position: Position, seat: int) -> set[str]:
    """Return the exhausted inventors of a seat."""
    return {name for name, inventor in player(position, seat)["inventors"].items() if inventor["exhausted"]}


def cubes_in_supply(position: Position, seat: int) -> int:
    """Return the number of cubes that a seat has not placed."""
    return int(position.state.players[seat - 1].cubes)


def token_text(token: str) -> Value:
    """Return the name of a token in sentences: "points-1"."""
    name: Value = next(kind.name for kind in BOARD.tokens if kind.id == token)
    return name


def reason(code: int, **values: Value) -> tuple[str, str]:
    """Return the rule and the English sentence of a reason."""
    return reason_text(REASONS, code, values)


def log_line(code: int, seat: int | None, **values: Value) -> str:
    """Return the English sentence of an event, as `play_and_log` does."""
    return event_text(EVENTS, code, seat, values, PLAYER_NAMES)


def completion_line(seat: int, invention: str, rewarded: Sequence[int]) -> str:
    """Return the English sentence of the log for an invention that a seat has completed."""
    for_so_many = ["sentence("] * len(rewarded)
    sentence = template_after("games/legendary_inventors/log.py", "def _completion_text", *for_so_many)
    seats = dict(zip(("first", "second", "third"), (SeatName(p - 1) for p in rewarded), strict=False))
    filled = sentence.fill({"player": SeatName(seat - 1), "invention": invention, **seats})
    assert sentence.placeholders == {"player", "invention", *seats}
    return Words("en").say(filled, PLAYER_NAMES)
