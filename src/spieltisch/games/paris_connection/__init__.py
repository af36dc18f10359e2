"""Paris Connection: six railway companies build out of Paris, and every player holds locomotives of all of them.

No player owns a company. `moves.py` declares the moves, `refusals.py` the reasons why one is refused, `log.py` the
effects of moves; `rules/` contains the rules as functions over the records of `state.py` and `params.py`; `board.py`
prepares a component file; `observe.py` and `portfolio_deals.py` define what a seat sees and imagine hidden portfolios;
`hints.py` has the messages shown before a move; `document.py` writes and reads positions; `drawing.py` draws.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, SupportsIndex, Unpack

from spieltisch.core import bit_sets
from spieltisch.core.chance import Rng
from spieltisch.core.components import ComponentFile, Components
from spieltisch.core.documents import Codec
from spieltisch.core.events import GameEvent
from spieltisch.core.game import Game as Contract
from spieltisch.core.game import GameInfo
from spieltisch.core.game_drawing import Drawing
from spieltisch.core.moves import Move
from spieltisch.core.observation import ALL_SEATS, Observation
from spieltisch.core.options import Option
from spieltisch.core.position import Position
from spieltisch.core.rules import Rules
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, Name, message
from spieltisch.games.paris_connection import (
    component_checks,
    document,
    hints,
    log,
    moves,
    observe,
    params,
    refusals,
    rules,
    state,
)
from spieltisch.games.paris_connection.board import Board, board
from spieltisch.games.paris_connection.component_file import Contents
from spieltisch.games.paris_connection.evaluate import evaluate, outlook, prunable
from spieltisch.games.paris_connection.features import FEATURES
from spieltisch.games.paris_connection.options import SetupOptions, StartOptions
from spieltisch.games.paris_connection.remarks import REMARKS
from spieltisch.games.paris_connection.rules.turns import penalty
from spieltisch.games.paris_connection.styles import STYLES, TRAITS


class Game(Contract):
    """Paris Connection for 3 to 6 players (P1)."""

    key = "paris-connection"
    title = Name("Paris Connection", "Paris Connection", "Paris Connection", "Paris Connection")
    about = GameInfo(
        message("Six railways race out of Paris, and nobody owns one: build where your shares grow, and hide which."),
        minutes=(30, 45),
        weight=1,
    )
    seats = range(3, 7)
    first_hand_location = log.PORTFOLIO
    traits, styles, remarks = TRAITS, STYLES, REMARKS
    options = (
        Option(
            "cut_off",
            message("Cutting off a company"),
            message("What a company that hasn’t reached a city must keep (P10)."),
            (("strict", message("a route to a free city")), ("weak", message("a hex it can enter"))),
            "strict",
            ruling=True,
        ),
        Option(
            "stations",
            message("Stations of other companies"),
            message(
                "May a company enter another company’s station (P3)? The help page doesn’t say; other sources say no."
            ),
            (("closed", message("closed")), ("open", message("open, like a rural hex"))),
            "closed",
            ruling=True,
        ),
        Option(
            "standstill",
            message("Endless one-for-one trades"),
            message(
                "What happens after three rounds of nothing but one-for-one trades (T6). The help page doesn’t"
                " mention this ending; players can always agree to abort."
            ),
            (("ends", message("the game ends and is scored")), ("goes on", message("the game goes on"))),
            "goes on",
            ruling=True,
            rulebook_editions=(("goes on", message("As on the help page")),),
        ),
        Option(
            "memory_aid",
            message("Memory aid"),
            message("Shows all trades and what each player has taken and given back."),
            ((True, message("on")), (False, message("off"))),
            True,
        ),
    )
    moves_reveal = False  # building or trading shows none of the others' locomotives
    folder = Path(__file__).parent
    rule_names = rules.RULES
    space, reasons, events = moves.SPACE, refusals.REASONS, log.EVENTS
    features = FEATURES
    rules = Rules(
        rules.start,
        rules.refusal,
        rules.play,
        rules.points,
        rules.legal,
        evaluate,
        outlook,
        observe.reshuffle,
        prunable,
        observe.observe,
    )
    evaluation_per_point = 144
    search_params = MappingProxyType({"temperature": 2.0, "scale": 25.0})
    Contents, checks = Contents, component_checks.CHECKS
    State, View, Params, Work = state.State, state.View, params.Params, state.Work

    @cached_property
    def drawing(self) -> Drawing:
        """The drawing of the map and the panel."""
        from spieltisch.games.paris_connection.drawing import ParisDrawing

        return ParisDrawing()

    if TYPE_CHECKING:  # the same with the names and values of the options

        def setup(  # type: ignore[override]  # fewer options than any game may have
            self,
            seats: SupportsIndex,
            components: Components[ComponentFile] | None = None,
            **options: Unpack[SetupOptions],
        ) -> Setup:
            """Return the setup; see the method of the base class."""

        def start(  # type: ignore[override]  # as above
            self, seats: SupportsIndex, **options: Unpack[StartOptions]
        ) -> Position:
            """Return a new game; see the method of the base class."""

    def board(self, components: Components[Any]) -> Board:
        """Prepare the components for drawings and sentences, once for all tables that use them."""
        return board(components)

    def params(self, board: Board, seats: int, options: Mapping[str, Any]) -> Any:
        """Return the twin of `Params` for a board, a number of seats and the options."""
        return params.params(
            board,
            seats,
            weak=options["cut_off"] == "weak",
            open_stations=options["stations"] == "open",
            goes_on=options["standstill"] == "goes on",
        )

    def prompt(self, observation: Observation) -> Message:
        """Return the request to the seat to move."""
        return hints.prompt(observation)

    def ending_text(self, observation: Observation) -> Message:
        """Return the reason why the game ended, as in the last sentence of the log."""
        view, setup = observation.view, observation.setup
        kind = {rules.P14: "depots empty", rules.P15: "goal reached", rules.T6: "stalled"}[view.ended_by]
        goals = [
            h.number for h in setup.board.hexes if h.ends_game and any(bit_sets.has(net, h.number) for net in view.net)
        ]
        return log.EVENTS.sentences_for(setup, [GameEvent(kind, None, tuple(goals))], None)[0]

    def hint(self, observation: Observation, move: Move, events: Sequence[GameEvent]) -> Message | None:
        """Return the effect of a move on values and on the player's own points."""
        return hints.hint(observation, events)

    def word_hint(self, observation: Observation, moves: Sequence[Move]) -> Message | None:
        """Return the value of a company and the shares that the seat holds."""
        return hints.word_hint(observation, moves)

    def turn_summary(self, begun: Observation, events: Sequence[GameEvent]) -> list[Message]:
        """Return the values that have risen during a turn, and the change of the viewer's own points."""
        return hints.turn_summary(begun, events)

    def start_turn_of(self, state_: Any, seat: int) -> bool:
        """Give the turn to a seat, unless a seat is in the middle of building (P3, P4)."""
        if state_.phase != state.Phase.TURN:
            return False
        state_.seat = seat
        return True

    def point_source_name(self, setup: Setup, number: int) -> Message | Name:
        """Return the name of a company, or of the shares above the limit (P17)."""
        companies = setup.board.companies
        return companies[number].name if number < len(companies) else message("Shares over the limit")

    def seat_sources(self, setup: Setup, state: Any, seat: int) -> Sequence[int]:
        """Return a seat's points by company, and those that shares above the limit cost (P17)."""
        shares, values = state.players[seat].shares, state.value
        by_company = [int(shares[k]) * int(values[k]) for k in range(len(setup.board.companies))]
        return [*by_company, -int(penalty(state, setup.plain_params, seat))]

    def advice_reasons(self, observation: Observation, events: Sequence[GameEvent]) -> list[Message]:
        """Return the reasons for a move: the cities it opens, or the shares that a trade leaves; see `hints.gains`."""
        return hints.gains(observation, events)

    def result_tip(self, observation: Observation) -> Message | None:
        """Return what one more share would have brought a player who held fewer than the limit (P17)."""
        return hints.result_tip(observation)

    def draw_texts(self, setup: Setup) -> Sequence[str]:
        """Return the texts of the draws: a company, or the start player."""
        return moves.draw_words(setup)

    def point_source_ids(self, setup: Setup) -> Sequence[str]:
        """Return the ids of the companies, and "penalty" for the shares above the limit (P17)."""
        return (*(company.id for company in setup.board.companies), "penalty")

    def draw_visible(self, setup: Setup, number: int, seat: int | None, index: int, viewer: int | None) -> bool:
        """Return True if the viewer sees a draw (P2, P3).

        The deal goes seat by seat. Each seat sees its own portfolio; the stations and the start player are public.
        """
        size = setup.plain_params.portfolio
        return number != 0 or index >= size * setup.seats or index // size == viewer

    def knows_points(self, observation: Observation, seat: int) -> bool:
        """Return True if the viewer knows the points of a seat.

        Points come from portfolios: a seat knows its own portfolio, and all of them at the end (P2, P16).
        """
        return observation.is_over or observation.view.viewer in (seat, ALL_SEATS)

    def hides_move(self, setup: Setup, plays: Sequence[tuple[int, Move]], index: int) -> bool:
        """Return True for a trade older than one round if the memory aid is off (T5)."""
        if setup.options["memory_aid"] or plays[index][1].kind != "trade":
            return False
        turns = sum(1 for (a, _), (b, _) in zip(plays[index:], plays[index + 1 :], strict=False) if a != b)
        return turns >= setup.seats

    def imagine(self, observation: Observation, chance: Rng) -> Any:
        """Return a state that fits the view, with the other portfolios from the exact distribution of deals (T5)."""
        return observe.imagine(observation, chance)

    def document_form(self, setup: Setup) -> Codec:
        """Return the codec of a state."""
        return document.form(setup)

    def restore(self, setup: Setup, document_: Mapping[str, Any]) -> Any:
        """Return the plain twin of the state that a position document describes."""
        return document.restore(setup, document_)

    def piece_names(self, setup: Setup) -> Sequence[str]:
        """Return the ids of the pieces: locomotives, by company."""
        return [company.id for company in setup.board.companies]

    def amount_text(self, setup: Setup, piece: int, count: int) -> Message:
        """Return the number of locomotives of a company in words."""
        return message("{count} {company}", count=count, company=setup.board.companies[piece].name)

    def piece_locations(self, position: Position) -> Iterator[tuple[int, int, int]]:
        """Yield the locomotives of each company by location: in the depot, on the map, in portfolios (P1).

        Each company has 32 locomotives besides its value marker.
        """
        s = position.state
        for k in range(state.COMPANIES):
            yield k, log.DEPOT, s.depot[k]
            yield k, log.MAP, bit_sets.count(s.net[k])
            for p in range(s.seats):
                yield k, log.PORTFOLIO + p, s.players[p].shares[k]
