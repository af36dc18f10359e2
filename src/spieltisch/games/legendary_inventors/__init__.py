"""Legendary Inventors: five teams of four inventors work on the inventions of three ages.

The player with the most cubes on a complete invention chooses first among patent and tokens. `moves.py` declares the
moves, `refusals.py` the reasons why they are refused, `log.py` their effects, `pieces.py` the locations of pieces;
`rules/` contains the rules as functions over the records of `state.py` and `params.py`. `evaluate.py` has the
evaluation of a position, `hints.py` the messages shown before a move. `board.py` prepares a component file,
`document.py` writes and reads positions, `drawing.py` draws, `icons.py` has the icons.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, SupportsIndex, Unpack

from spieltisch.core.components import ComponentFile, Components
from spieltisch.core.documents import Codec
from spieltisch.core.events import GameEvent
from spieltisch.core.game import Game as Contract
from spieltisch.core.game import GameInfo
from spieltisch.core.game_drawing import Drawing
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.options import Option
from spieltisch.core.position import Position
from spieltisch.core.rules import Rules
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, Name, message
from spieltisch.games.legendary_inventors import (
    component_checks,
    document,
    hints,
    log,
    moves,
    params,
    pieces,
    refusals,
    state,
)
from spieltisch.games.legendary_inventors.board import Board, board
from spieltisch.games.legendary_inventors.component_file import Contents
from spieltisch.games.legendary_inventors.evaluate import POINT, evaluate, expected_points
from spieltisch.games.legendary_inventors.features import FEATURES
from spieltisch.games.legendary_inventors.options import SetupOptions, StartOptions
from spieltisch.games.legendary_inventors.remarks import REMARKS
from spieltisch.games.legendary_inventors.rules import entry_points, legal, scoring
from spieltisch.games.legendary_inventors.state import IS_POINTS
from spieltisch.games.legendary_inventors.styles import STYLES, TRAITS


def _team(setup: Setup, s: Any, seat: int) -> str:
    team = s.players[seat].team
    return setup.board.teams[team].id if team >= 0 else ""


class Game(Contract):
    """Legendary Inventors for 2 to 5 players (L1)."""

    key = "legendary-inventors"
    title = Name("Legendary Inventors", "Club der Erfinder", "Les Inventeurs", "Legendary Inventors")
    about = GameInfo(
        message(
            "Send four great minds to work on inventions that changed the world, and be the first to choose your"
            " reward."
        ),
        minutes=(40, 60),
        weight=2,
    )
    seats = range(2, state.MAX_SEATS + 1)
    first_hand_location = pieces.PLAYER
    seat_traits = MappingProxyType({"team": _team})
    traits, styles, remarks = TRAITS, STYLES, REMARKS
    options = (
        Option(
            "teams",
            message("Teams"),
            message(
                "How teams are assigned (S7). The rulebook lets each player choose but doesn’t say in which order."
            ),
            (("choose", message("each player chooses, in seat order")), ("random", message("at random"))),
            "choose",
            rulebook_editions=(("choose", message("As in the rulebook")),),
        ),
        Option(
            "cubes",
            message("Cubes for two players"),
            message(
                "How many cubes each player has in a two-player game (S6). The rulebook gives no number; with one"
                " colour, many games stall and end early."
            ),
            (("enough", message("two colours, so cubes don’t run out")), ("box", message("one colour, as in the box"))),
            "enough",
            ruling=True,
        ),
        Option(
            "patents_in_run",
            message("Patents per run"),
            message(
                "Can one patent and classification tokens make a run (S5)? The rulebook asks for two cards but"
                " doesn’t say whether tokens count as cards."
            ),
            ((1, message("at least one patent")), (2, message("at least two patents"))),
            1,
            ruling=True,
        ),
    )
    folder = Path(__file__).parent
    features = FEATURES
    rules = Rules(
        entry_points.start,
        legal.refusal,
        entry_points.play,
        scoring.points,
        legal.legal,
        evaluate,
        outlook=expected_points,
    )
    evaluation_per_point = POINT
    rule_names = state.RULES
    space, reasons, events = moves.SPACE, refusals.REASONS, log.EVENTS
    has_hidden_information = False
    search_params = MappingProxyType({"scale": 3.0, "max_playout": 12})
    Contents, checks = Contents, component_checks.CHECKS
    State, View, Params, Work = state.State, state.View, params.Params, state.Work

    @cached_property
    def drawing(self) -> Drawing:
        """The drawing of the panel."""
        from spieltisch.games.legendary_inventors.drawing import InventorsDrawing

        return InventorsDrawing()

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
            choosing=options["teams"] == "choose",
            enough_cubes=options["cubes"] == "enough",
            patents_in_run=options["patents_in_run"],
        )

    def prompt(self, observation: Observation) -> Message:
        """Return the request to the seat to move."""
        return hints.prompt(observation)

    def ending_text(self, observation: Observation) -> Message:
        """Return the reason why the game ended."""
        return log.ENDINGS[observation.view.ended_by].fill({})

    def between_turns(self, observation: Observation) -> bool:
        """Return True while teams (S7), rewards (L11, L12) or upgrades before the scoring (S1) are chosen."""
        return bool(observation.view.phase in (state.Phase.TEAMS, state.Phase.REWARDS, state.Phase.LAST_UPGRADES))

    def start_turn_of(self, state_: Any, seat: int) -> bool:
        """Give the turn to a seat, unless a seat is placing cubes or choosing a reward."""
        if state_.phase != state.Phase.TURN:
            return False
        state_.seat = seat
        return True

    def stage(self, observation: Observation) -> Message:
        """Return the name of the age; the teams are chosen before the first one (S7)."""
        ages = observation.setup.board.ages
        return message("{age}", age=ages[max(int(observation.view.age), 1) - 1].name)

    def stage_heading(self, observation: Observation) -> Message:
        """Return the name of the age, its number and the number of ages (L3)."""
        number, ages = max(int(observation.view.age), 1), observation.setup.board.ages
        return message("{age} ({number} of {all})", age=ages[number - 1].name, number=number, all=len(ages))

    def point_source_name(self, setup: Setup, number: int) -> Message:
        """Return the name of a source of points: patents, runs, tokens or goals."""
        return log.SOURCES[number]

    def draw_texts(self, setup: Setup) -> Sequence[str]:
        """Return the texts of the draws: a team, the start player, an invention or a token."""
        return moves.draw_words(setup)

    def point_source_ids(self, setup: Setup) -> Sequence[str]:
        """Return where points come from, as documents write it."""
        return document.SOURCES

    def seat_sources(self, setup: Setup, state: Any, seat: int) -> Sequence[int]:
        """Return a seat's points from patents, runs, tokens and goals."""
        player, c = state.players[seat], setup.plain_params
        printed, runs = int(player.printed), int(player.runs)
        tokens = sum(int(player.tokens[kind]) * c.value[kind] for kind in range(c.kinds) if c.front[kind] == IS_POINTS)
        return [printed, runs, tokens, int(scoring.points(state, c, seat)) - printed - runs - tokens]

    def document_form(self, setup: Setup) -> Codec:
        """Return the codec of a state."""
        return document.form(setup)

    def restore(self, setup: Setup, document_: Mapping[str, Any]) -> Any:
        """Return the plain twin of the state that a position document describes."""
        return document.restore(setup, document_)

    def winners(self, points: Sequence[int], observation: Observation) -> tuple[int, ...]:
        """Return the seats with the most points, then the most patents; if still tied, they share the rank (L29)."""
        patents = [sum(player.numbers) for player in observation.view.players[: len(points)]]
        best = max(zip(points, patents, strict=True))
        return tuple(p for p, standing in enumerate(zip(points, patents, strict=True)) if standing == best)

    def hint(self, observation: Observation, move: Move, events: Sequence[GameEvent]) -> Message | None:
        """Return the cubes that are placed, the rewards of a completed invention, or the use or loss of a token."""
        return hints.hint(observation, move, events)

    def word_hint(self, observation: Observation, moves: Sequence[Move]) -> Message | None:
        """Return the cubes that an inventor can place and their fields, or what turning a token over brings."""
        return hints.word_hint(observation, moves)

    def any_choice(self, observation: Observation) -> Message | None:
        """Return the label of a button that takes any team (S7)."""
        return message("Take any") if observation.view.phase == state.Phase.TEAMS else None

    def advice_reasons(self, observation: Observation, events: Sequence[GameEvent]) -> list[Message]:
        """Return the reasons for a move: its effects on cubes, inventors and points; see `hints.gains`."""
        return hints.gains(observation, events)

    def needs_confirmation(self, observation: Observation, move: Move) -> bool:
        """Return True if the move completes an invention."""
        return hints.completes(observation, move)

    def piece_locations(self, position: Position) -> Iterator[tuple[int, int, int]]:
        """Yield the pieces by location: with players, in the bag and the piles, on the table, out of the game (L14)."""
        return pieces.lying(position.state, position.setup.plain_params)

    def piece_names(self, setup: Setup) -> Sequence[str]:
        """Return the ids of the pieces: Leonardo, cubes by seat, tokens by kind, inventions."""
        return pieces.piece_names(setup.board)

    def amount_text(self, setup: Setup, piece: int, count: int) -> Message | Name:
        """Return a number of pieces of a kind in words."""
        return pieces.amount(setup.board, piece, count)
