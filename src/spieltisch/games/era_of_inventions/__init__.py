"""Era of Inventions: factories, goods and nine inventions; who invents, patents and produces most gains influence.

`rules/` holds the rules as functions over the records of `state.py` and `params.py`, an action a file; `moves.py` the
moves with their words, `refusals.py` why they are forbidden, `log.py` what they do; `hints.py` what is said before.
`board.py` prepares a component file; `document.py` writes and reads positions; `evaluate.py` is the greedy bot's
judgement.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from spieltisch.core.components import Components
from spieltisch.core.documents import Codec
from spieltisch.core.events import GameEvent
from spieltisch.core.game import Drawing, GameInfo, Option, Rules
from spieltisch.core.game import Game as Contract
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position
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
from spieltisch.games.era_of_inventions.rules import ending, entry_points, setup
from spieltisch.games.era_of_inventions.state import Action


def _of(move: Move, *actions: Action) -> bool:
    """Whether a move chooses one of these actions."""
    return move.kind in ("place", "use") and move.args[0] in actions


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
    styles = MappingProxyType(
        {
            "builder": lambda move: _of(move, Action.BUILD, Action.YIELD) or move.kind in ("build", "run"),
            "trader": lambda move: _of(move, Action.BUY, Action.MARKET),
            "hunter": lambda move: _of(move, Action.DEVELOP) or move.kind in ("develop", "patent"),
        }
    )
    options = (
        Option(
            "bonus_disc_wait",
            message("A bonus disc that was bought"),
            message("When a bonus disc bought on the market may be used (R1)."),
            (
                ("turn", message("may be used from the next action disc on")),
                ("round", message("may be used from the next round on")),
            ),
            "turn",
            ruling=True,
        ),
        Option(
            "track_symbols",
            message("Symbols of the influence track"),
            message("Whether an inventor who is paid while another acts gets what the symbol shows (R2)."),
            (
                ("own action", message("only the player who acts gets them")),
                ("any gain", message("everybody who gains influence gets them")),
            ),
            "own action",
            ruling=True,
        ),
        Option(
            "capacity",
            message("Production capacity"),
            message("What the bonus for production capacity counts (R12)."),
            (("all", message("cubes, coins and development stones")), ("cubes", message("cubes only"))),
            "all",
            ruling=True,
        ),
        Option(
            "limits",
            message("Limits of an action"),
            message(
                "Whether the at most 3 factories and 2 patents hold for each action, a bonus disc being one of its own "
                "(German book), or for a whole turn with its bonus disc (Dutch book, and the French one of factories) "
                "(R24)."
            ),
            (
                ("each action", message("hold for each action, bonus disc apart")),
                ("each turn", message("hold for a turn, bonus disc included")),
            ),
            "each action",
            ruling=True,
            rulebook_editions=(("each action", message("German book")), ("each turn", message("Dutch book"))),
        ),
        Option(
            "last_exchange",
            message("Symbols during the last exchange"),
            message(
                "Whether the symbols of the influence track give anything when the exchange market is used once more "
                "after the last round (R10). All books give them while actions are carried out. The French one calls "
                "this exchange an action; the Dutch one names a single exception, the bonus disc."
            ),
            (("no symbols", message("give nothing any more")), ("symbols", message("give as in any exchange"))),
            "no symbols",
            ruling=True,
        ),
        Option(
            "bonus_disc_after",
            message("A bonus disc may follow"),
            message(
                "Whether a bonus disc may also be used after an action disc that was taken back unused (German book), "
                "or only after an action that was carried out (Dutch and French books) (R7)."
            ),
            (
                ("disc", message("any own action disc")),
                ("action carried out", message("an action that was carried out")),
            ),
            "disc",
            ruling=True,
            rulebook_editions=(
                ("disc", message("German book")),
                ("action carried out", message("Dutch and French books")),
            ),
        ),
        Option(
            "turn_over",
            message("A discard pile becomes the draw pile"),
            message(
                "When a discard pile is shuffled: once a card is needed and none is left (Dutch and French books), or "
                "as soon as the last card is drawn (German book) (R26)."
            ),
            (
                ("when needed", message("when a card is needed")),
                ("when the last is drawn", message("as soon as the last card is drawn")),
            ),
            "when needed",
            ruling=True,
            rulebook_editions=(
                ("when needed", message("Dutch and French books")),
                ("when the last is drawn", message("German book")),
            ),
        ),
        Option(
            "supply",
            message("The supply"),
            message(
                "Whether cubes, coins and development stones are without limit, or as many as the box holds. The books "
                "count them and do not say what happens when none is left (R8)."
            ),
            (("unlimited", message("has no limit")), ("box", message("has as many pieces as the box"))),
            "unlimited",
            ruling=True,
        ),
    )
    folder = Path(__file__).parent
    rule_names = refusals.RULES
    space, reasons, events = moves.SPACE, refusals.REASONS, log.EVENTS
    rules = Rules(
        setup.start, entry_points.refusal, entry_points.play, ending.points, entry_points.legal, evaluate, outlook
    )
    evaluation_per_point = POINT
    has_hidden_information = False
    Contents, checks = Contents, component_checks.CHECKS
    State, View, Params, Work = state.State, state.View, params.Params, state.Work

    @cached_property
    def drawing(self) -> Drawing:
        from spieltisch.games.era_of_inventions.drawing import EraDrawing

        return EraDrawing()

    def board(self, components: Components[Any]) -> Board:
        return board(components)

    def params(self, board: Board, seats: int, options: Mapping[str, Any]) -> Any:
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
        return prompt.prompt(observation)

    def ending_text(self, observation: Observation) -> Message:
        return log.ENDING.fill({"count": observation.view.round_number})

    def start_turn_of(self, state_: Any, seat: int) -> bool:
        """E12, E15: the seat has a disc to place, or one to choose on the board."""
        placing = state_.phase == state.Phase.PLACING and state_.players[seat].hand > 0
        choosing = state_.phase == state.Phase.CHOOSING and any(seat in spaces for spaces in state_.discs)
        if placing or choosing:
            state_.seat = seat
        return placing or choosing

    def stage(self, observation: Observation) -> Message:
        """A round; the last exchange and the bonuses belong to the last one (E54)."""
        return message("Round {round}", round=observation.view.round_number)

    def point_source_name(self, setup: Setup, number: int) -> Message:
        return next(one.name for one in end_table.SOURCES if one.number == number)

    def hint(self, observation: Observation, move: Move, events: Sequence[GameEvent]) -> Message | None:
        return hints.hint(observation, move, events)

    def turn_summary(self, begun: Observation, events: Sequence[GameEvent]) -> list[Message]:
        return hints.turn_summary(begun, events)

    def draw_texts(self, setup: Setup) -> Sequence[str]:
        return moves.draw_words(setup)

    def point_source_ids(self, setup: Setup) -> Sequence[str]:
        return document.SOURCES

    def winners(self, points: Sequence[int], observation: Observation) -> tuple[int, ...]:
        """E58: most influence; tie: most inventions; still tied: shared."""
        standings = [(total, ending.inventions_of(observation.view, p)) for p, total in enumerate(points)]
        return tuple(p for p, standing in enumerate(standings) if standing == max(standings))

    def document_form(self, setup: Setup) -> Codec:
        return document.form(setup)

    def restore(self, setup: Setup, document_: Mapping[str, Any]) -> Any:
        return document.restore(setup, document_)

    def things(self, setup: Setup) -> Sequence[str]:
        """Goods, discs and markers by seat, cards, factories."""
        return pieces.things(setup.board)

    def amount_text(self, setup: Setup, thing: int, many: int) -> Message | Name | None:
        """Goods, bonus discs and factories. Discs and markers go to and fro, which the board shows."""
        return pieces.amount(setup.board, thing, many)

    def piece_locations(self, position: Position) -> Iterator[tuple[int, int, int]]:
        """With players, in the supply, on the board and in the piles (R8)."""
        return pieces.lying(position.state, position.setup.plain_params)

    def invariants(self, position: Position) -> Mapping[str, int]:
        """Influence is the sum of its sources."""
        return {
            f"seat {p + 1}: influence by source": player.influence - sum(player.earned)
            for p, player in enumerate(position.state.players)
        }
