"""Era of Inventions: players build factories, collect goods, and invent, patent and produce nine inventions.

The player with the most influence wins. `rules/` contains the rules as functions over the records of `state.py` and
`params.py`, with a file for each action. `moves.py` declares the moves with their words, `refusals.py` the reasons that
forbid them, `log.py` their effects; `hints.py` predicts effects and sums up turns. `board.py` prepares a component
file, `document.py` writes and reads positions, and `evaluate.py` is the evaluation of the easy bot.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
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
from spieltisch.games.era_of_inventions import (
    component_checks,
    document,
    end_table,
    hints,
    log,
    moves,
    params,
    pieces,
    prompt,
    refusals,
    state,
)
from spieltisch.games.era_of_inventions.board import Board, board
from spieltisch.games.era_of_inventions.component_file import Contents
from spieltisch.games.era_of_inventions.evaluate import POINT, evaluate, outlook
from spieltisch.games.era_of_inventions.features import FEATURES
from spieltisch.games.era_of_inventions.options import SetupOptions, StartOptions
from spieltisch.games.era_of_inventions.remarks import REMARKS
from spieltisch.games.era_of_inventions.rules import ending, entry_points, setup
from spieltisch.games.era_of_inventions.styles import STYLES, TRAITS


class Game(Contract):
    """Era of Inventions for 3 to 5 players (E1)."""

    key = "era-of-inventions"
    title = Name("Era of Inventions", "Era of Inventions", "Era of Inventions", "Era of Inventions")
    about = GameInfo(
        message(
            "The world’s fair is near: open factories, invent what others will produce, trade your way to influence."
        ),
        minutes=(90, 120),
        weight=3,
    )
    seats = range(3, 6)
    first_hand_location = pieces.PLAYER
    traits, styles, remarks = TRAITS, STYLES, REMARKS
    options = (
        Option(
            "bonus_disc_wait",
            message("Bought bonus discs"),
            message("Decides when you may use a bonus disc bought on the exchange market (R1)."),
            (("turn", message("usable from the next action disc")), ("round", message("usable from the next round"))),
            "turn",
            ruling=True,
        ),
        Option(
            "track_symbols",
            message("Influence track symbols"),
            message("Decides whether you also get a symbol when another player’s action moves you onto it (R2)."),
            (
                ("own action", message("only during your own action")),
                ("any gain", message("whenever you gain influence")),
            ),
            "own action",
            ruling=True,
        ),
        Option(
            "capacity",
            message("Production capacity"),
            message("Decides what counts for the production capacity bonus (R12)."),
            (("all", message("cubes, coins and development stones")), ("cubes", message("cubes only"))),
            "all",
            ruling=True,
        ),
        Option(
            "limits",
            message("Action limits"),
            message(
                "Decides whether the limits of 3 factories and 2 patents count per action or per turn (R24). Only the"
                " Dutch rulebook counts them per turn."
            ),
            (
                ("each action", message("per action, bonus disc separate")),
                ("each turn", message("per turn, bonus disc included")),
            ),
            "each action",
            ruling=True,
            rulebook_editions=(("each action", message("German rulebook")), ("each turn", message("Dutch rulebook"))),
        ),
        Option(
            "last_exchange",
            message("Symbols in the last exchange"),
            message(
                "Decides whether symbols on the influence track count in the last exchange (R10). The German and"
                " Dutch rulebooks apply the earlier rules to it; the French one calls it an action."
            ),
            (("no symbols", message("no effect")), ("symbols", message("as in any exchange"))),
            "symbols",
            ruling=True,
        ),
        Option(
            "bonus_disc_after",
            message("Using bonus discs"),
            message("Decides whether you may use a bonus disc after taking an action disc back unused (R7)."),
            (
                ("disc", message("after any of your action discs")),
                ("action carried out", message("only after an action you carried out")),
            ),
            "disc",
            ruling=True,
            rulebook_editions=(
                ("disc", message("German rulebook")),
                ("action carried out", message("Dutch and French rulebooks")),
            ),
        ),
        Option(
            "turn_over",
            message("Reshuffling discard piles"),
            message("Decides when a discard pile is shuffled into a new draw pile (R26)."),
            (
                ("when needed", message("when a card is needed")),
                ("when the last is drawn", message("as soon as the last card is drawn")),
            ),
            "when needed",
            ruling=True,
            rulebook_editions=(
                ("when needed", message("Dutch and French rulebooks")),
                ("when the last is drawn", message("German rulebook")),
            ),
        ),
        Option(
            "supply",
            message("General supply"),
            message(
                "Decides whether cubes, coins and development stones can run out (R8). The rulebooks don’t say what"
                " happens then."
            ),
            (("unlimited", message("unlimited")), ("box", message("as in the box"))),
            "unlimited",
            ruling=True,
        ),
    )
    folder = Path(__file__).parent
    rule_names = refusals.RULES
    space, reasons, events = moves.SPACE, refusals.REASONS, log.EVENTS
    features = FEATURES
    rules = Rules(
        setup.start, entry_points.refusal, entry_points.play, ending.points, entry_points.legal, evaluate, outlook
    )
    evaluation_per_point = POINT
    has_hidden_information = False
    Contents, checks = Contents, component_checks.CHECKS
    State, View, Params, Work = state.State, state.View, params.Params, state.Work

    @cached_property
    def drawing(self) -> Drawing:
        """The drawing of the game, imported on first use."""
        from spieltisch.games.era_of_inventions.drawing import EraDrawing

        return EraDrawing()

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
        """Return the board for these components."""
        return board(components)

    def params(self, board: Board, seats: int, options: Mapping[str, Any]) -> Any:
        """Return the twin of `Params` for these options."""
        return params.params(
            board,
            seats,
            any_gain=options["track_symbols"] == "any gain",
            wait_round=options["bonus_disc_wait"] == "round",
            cubes_only=options["capacity"] == "cubes",
            turn_limits=options["limits"] == "each turn",
            last_symbols=options["last_exchange"] == "symbols",
            after_action=options["bonus_disc_after"] == "action carried out",
            turn_at_once=options["turn_over"] == "when the last is drawn",
            boxed=options["supply"] == "box",
        )

    def prompt(self, observation: Observation) -> Message:
        """Return the request to the seat to move, with the goods that it has."""
        return prompt.prompt(observation)

    def ending_text(self, observation: Observation) -> Message:
        """Return the sentence that the game has ended after this number of rounds."""
        return log.ENDING.fill({"count": observation.view.round_number})

    def start_turn_of(self, state_: Any, seat: int) -> bool:
        """Let the seat decide if it has a disc to place (E12), or one to choose on the board (E15)."""
        placing = state_.phase == state.Phase.PLACING and state_.players[seat].hand > 0
        choosing = state_.phase == state.Phase.CHOOSING and any(seat in spaces for spaces in state_.discs)
        if placing or choosing:
            state_.seat = seat
        return placing or choosing

    def stage(self, observation: Observation) -> Message:
        """Return the round; the last exchange and the bonuses belong to the last one (E54)."""
        return message("Round {round}", round=observation.view.round_number)

    def stage_heading(self, observation: Observation) -> Message:
        """Return the round and the number of rounds (E54)."""
        rounds = observation.setup.plain_params.rounds
        return message("Round {number} of {all}", number=observation.view.round_number, all=rounds)

    def point_source_name(self, setup: Setup, number: int) -> Message:
        """Return the name of a source of influence."""
        return next(source.name for source in end_table.SOURCES if source.number == number)

    def hint(self, observation: Observation, move: Move, events: Sequence[GameEvent]) -> Message | None:
        """Return what a move would change, or what its action field would offer."""
        return hints.hint(observation, move, events)

    def word_hint(self, observation: Observation, moves: Sequence[Move]) -> Message | None:
        """Return what a kind of step may bring and cost with a bonus disc."""
        return hints.word_hint(observation, moves)

    def turn_summary(self, begun: Observation, events: Sequence[GameEvent]) -> list[Message]:
        """Return the costs and gains of a turn."""
        return hints.turn_summary(begun, events)

    def advice_reasons(self, observation: Observation, events: Sequence[GameEvent]) -> list[Message]:
        """Return the reasons for a sequence of moves: the gains of all seats; see `hints.gains`."""
        return hints.gains(observation, events)

    def draw_texts(self, setup: Setup) -> Sequence[str]:
        """Return the texts of the draws: cards, factories and start players."""
        return moves.draw_words(setup)

    def point_source_ids(self, setup: Setup) -> Sequence[str]:
        """Return the ids of the sources of influence."""
        return document.SOURCES

    def seat_sources(self, setup: Setup, state: Any, seat: int) -> Sequence[int]:
        """Return a seat's influence by source."""
        return [int(earned) for earned in state.players[seat].earned]

    def winners(self, points: Sequence[int], observation: Observation) -> tuple[int, ...]:
        """Return the seats with the most influence, then the most inventions (E58).

        If they are still tied, they share the victory.
        """
        standings = [(total, ending.inventions_of(observation.view, p)) for p, total in enumerate(points)]
        return tuple(p for p, standing in enumerate(standings) if standing == max(standings))

    def document_form(self, setup: Setup) -> Codec:
        """Return the codec for states with these components."""
        return document.form(setup)

    def restore(self, setup: Setup, document_: Mapping[str, Any]) -> Any:
        """Return the plain twin of the state that a position document describes."""
        return document.restore(setup, document_)

    def piece_names(self, setup: Setup) -> Sequence[str]:
        """Return the names of goods, discs and markers by seat, cards and factories."""
        return pieces.piece_names(setup.board)

    def amount_text(self, setup: Setup, piece: int, count: int) -> Message | Name | None:
        """Return a number of goods, bonus discs or factories in words.

        It is None for discs and markers, which move back and forth as the board shows.
        """
        return pieces.amount(setup.board, piece, count)

    def piece_locations(self, position: Position) -> Iterator[tuple[int, int, int]]:
        """Return the pieces of the players, in the supply, on the board and in the piles (R8)."""
        return pieces.lying(position.state, position.setup.plain_params)

    def invariants(self, position: Position) -> Mapping[str, int]:
        """Return for each seat the difference between its influence and the sum over its sources, which is 0."""
        return {
            f"seat {p + 1}: influence by source": player.influence - sum(player.earned)
            for p, player in enumerate(position.state.players)
        }
