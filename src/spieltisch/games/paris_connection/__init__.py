"""Paris Connection: six railway companies build out of Paris; nobody owns one, everybody holds locomotives of all.
 `rules.py` holds the rules as functions over the records of `state.py`; `board.py` prepares a component file;
`notation.py` has the moves in words, the reasons and the log; `imagining.py` and `deal.py` imagine hidden portfolios;
`document.py` writes and reads positions; `drawing.py` draws.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from spieltisch.core import bits
from spieltisch.core.chance import Chance
from spieltisch.core.components import Components
from spieltisch.core.documents import Form
from spieltisch.core.events import Event
from spieltisch.core.game import Drawing, Option, Rules
from spieltisch.core.game import Game as Contract
from spieltisch.core.moves import Move, Word
from spieltisch.core.observation import EVERYBODY, Observation
from spieltisch.core.position import Position
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, Name, message
from spieltisch.games.paris_connection import document, foresight, imagining, notation, rules, state
from spieltisch.games.paris_connection.board import Board, board
from spieltisch.games.paris_connection.contents import Contents
from spieltisch.games.paris_connection.evaluate import evaluate


class Game(Contract):
    """Paris Connection for 3 to 6 players (P1)."""

    key = "paris-connection"
    title = Name("Paris Connection", "Paris Connection", "Paris Connection", "Paris Connection")
    seats = range(3, 7)
    options = (
        Option(
            "cut_off",
            message("When a company is cut off"),
            message("What rule P10 protects of a company that has not reached a city."),
            (("strict", message("it keeps a way to a free city")), ("weak", message("it keeps a hex it can enter"))),
            "strict",
        ),
        Option(
            "memory_aid",
            message("Memory aid"),
            message("Whether pages show all trades of the game and what each player has taken and given back."),
            ((True, message("shown")), (False, message("not shown"))),
            True,
        ),
    )
    reveals = False  # of the others' locomotives nothing is seen by building or trading
    folder = Path(__file__).parent
    rule_names = rules.RULES
    moves = rules.MOVES
    rules = Rules(rules.start, rules.legal, rules.refusal, rules.play, rules.observe, rules.points, evaluate)
    State = state.State
    View = state.View
    Params = state.Params
    Work = state.Work

    @cached_property
    def drawing(self) -> Drawing:
        from spieltisch.games.paris_connection.drawing import ParisDrawing

        return ParisDrawing()

    def read_components(self, source: str | Path) -> Components[Contents]:
        from spieltisch.games.paris_connection import components

        return components.read(source)

    def board(self, components: Components[Any]) -> Board:
        return board(components)

    def params(self, board: Board, seats: int, options: Mapping[str, Any]) -> Any:
        return state.params(board, seats, weak=options["cut_off"] == "weak")

    def words(self, setup: Setup, number: int) -> tuple[Word, ...]:
        return notation.words(setup, number)

    def explain(self, observation: Observation, move: Move, rule: int) -> Message:
        return notation.explain(observation, move, rule)

    def tell(
        self, before: Observation, move: Move, after: Observation, seat: int, drew: Sequence[str]
    ) -> list[Message]:
        return notation.tell(before, move, after, seat)

    def prompt(self, observation: Observation) -> Message:
        return notation.prompt(observation)

    def ending(self, observation: Observation) -> Message:
        return notation.ending(observation)

    def hint(self, observation: Observation, move: Move, events: Sequence[Event]) -> Message | None:
        return foresight.hint(observation, move)

    def turn_summary(self, begun: Observation, events: Sequence[Event], after: Observation) -> list[Message]:
        return foresight.turn_summary(begun, after, begun.view.viewer)

    def draw_words(self, setup: Setup) -> Sequence[str]:
        return notation.draw_words(setup)

    def sees_draw(self, setup: Setup, number: int, index: int, viewer: int | None) -> bool:
        """The deal goes seat by seat; each seat sees its own portfolio, everybody the stations and the start player
        (P2, P3).
        """
        size = setup.plain_params.portfolio
        return number != 0 or index >= size * setup.seats or index // size == viewer

    def knows(self, observation: Observation, seat: int) -> bool:
        """Points come from portfolios: the own one, and all at the end (P2, P16)."""
        return observation.over or observation.view.viewer in (seat, EVERYBODY)

    def forgets(self, setup: Setup, plays: Sequence[tuple[int, Move]], index: int) -> bool:
        """T5: without the memory aid, trades older than one round are not shown."""
        if setup.options["memory_aid"] or plays[index][1].number < rules.FIRST_TRADE:
            return False
        turns = sum(1 for (a, _), (b, _) in zip(plays[index:], plays[index + 1 :], strict=False) if a != b)
        return turns >= setup.seats

    def imagine(self, observation: Observation, chance: Chance) -> Any:
        """A state that fits the view: the others' portfolios from the exact distribution of deals (T5)."""
        return imagining.imagine(observation, chance)

    def document_form(self, setup: Setup) -> Form:
        return document.form(setup)

    def restore(self, setup: Setup, document_: Mapping[str, Any]) -> Any:
        return document.restore(setup, document_)

    def invariants(self, position: Position) -> Mapping[str, int]:
        """Each company has 32 locomotives besides its value marker: in the depot, on the map, in portfolios (P1)."""
        s = position.state
        return {
            one.id: s.depot[k] + bits.count(s.net[k]) + sum(player.shares[k] for player in s.players)
            for k, one in enumerate(position.setup.board.companies)
        }
