"""Era of Inventions: factories, goods and nine inventions; who invents, patents and produces most gains influence.

`rules.py` holds the rules as functions over the records of `state.py`, an action a file beside it; `board.py` prepares
a component file; `notation.py` has the moves in words, `reasons.py` the refusals, `story.py` the log; `document.py`
writes and reads positions; `evaluate.py` is the greedy bot's judgement.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from spieltisch.core import twin
from spieltisch.core.chance import Chance
from spieltisch.core.components import Components
from spieltisch.core.documents import Form
from spieltisch.core.events import Event
from spieltisch.core.game import Drawing, Option, Rules
from spieltisch.core.game import Game as Contract
from spieltisch.core.moves import Move, Word
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, Name, message
from spieltisch.games.era_of_inventions import (
    document,
    foresight,
    notation,
    numbers,
    opening,
    reasons,
    rules,
    state,
    story,
)
from spieltisch.games.era_of_inventions.board import GOODS as KIND_WORDS
from spieltisch.games.era_of_inventions.board import Board, board
from spieltisch.games.era_of_inventions.contents import Contents
from spieltisch.games.era_of_inventions.evaluate import evaluate
from spieltisch.games.era_of_inventions.goods import inventions_of
from spieltisch.games.era_of_inventions.state import NOBODY, NONE


class Game(Contract):
    """Era of Inventions for 3 to 5 players (E1)."""

    key = "era-of-inventions"
    title = Name("Era of Inventions", "Era of Inventions", "Era of Inventions", "Era of Inventions")
    seats = range(3, 6)
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
        ),
        Option(
            "capacity",
            message("Production capacity"),
            message("What the bonus for production capacity counts (R12)."),
            (
                ("all", message("cubes, coins and development stones")),
                ("cubes", message("cubes only")),
            ),
            "all",
        ),
    )
    folder = Path(__file__).parent
    rule_names = numbers.RULES
    moves = numbers.MOVES
    rules = Rules(opening.start, rules.legal, rules.refusal, rules.play, opening.observe, rules.points, evaluate)
    secrets = False
    State = state.State
    View = state.View
    Params = state.Params
    Work = state.Work

    @cached_property
    def drawing(self) -> Drawing:
        from spieltisch.games.era_of_inventions.drawing import EraDrawing

        return EraDrawing()

    def read_components(self, source: str | Path) -> Components[Contents]:
        from spieltisch.games.era_of_inventions import components

        return components.read(source)

    def board(self, components: Components[Any]) -> Board:
        return board(components)

    def params(self, board: Board, seats: int, options: Mapping[str, Any]) -> Any:
        return state.params(
            board,
            seats,
            any_gain=options["track_symbols"] == "any gain",
            wait_round=options["bonus_disc_wait"] == "round",
            cubes_only=options["capacity"] == "cubes",
        )

    def words(self, setup: Setup, number: int) -> tuple[Word, ...]:
        return notation.words(setup, number)

    def word_orders(self, setup: Setup, number: int) -> tuple[tuple[Word, ...], ...]:
        return notation.turned(setup, number)

    def explain(self, observation: Observation, move: Move, rule: int) -> Message:
        return reasons.explain(observation, move, rule)

    def tell(
        self, before: Observation, move: Move, after: Observation, seat: int, drew: Sequence[str]
    ) -> list[Message]:
        return story.tell(before, move, after, seat, drew)

    def prompt(self, observation: Observation) -> Message:
        return reasons.prompt(observation)

    def ending(self, observation: Observation) -> Message:
        return story.ending(observation)

    def stage(self, observation: Observation) -> Message:
        """A round; the last exchange and the bonuses belong to the last one (E54)."""
        return message("Round {round}", round=observation.view.round_number)

    def hint(self, observation: Observation, move: Move, events: Sequence[Event]) -> Message | None:
        return foresight.hint(observation, move)

    def turn_summary(self, begun: Observation, events: Sequence[Event], after: Observation) -> list[Message]:
        return foresight.turn_summary(begun, after, begun.view.viewer)

    def draw_words(self, setup: Setup) -> Sequence[str]:
        return notation.draw_words(setup)

    def winners(self, points: Sequence[int], observation: Observation) -> tuple[int, ...]:
        """E58: most influence; tie: most inventions; still tied: shared."""
        standings = [(total, inventions_of(observation.view, p)) for p, total in enumerate(points)]
        return tuple(p for p, standing in enumerate(standings) if standing == max(standings))

    def imagine(self, observation: Observation, chance: Chance) -> Any:
        """The state that the view shows: nothing is hidden but the generator (R37)."""
        view, s = observation.view, twin.new(state.State)
        for name in s.__slots__:
            if name in ("rng", "players"):
                continue
            value = getattr(view, name)
            if isinstance(value, list):
                value = [row[:] if isinstance(row, list) else row for row in value]
            setattr(s, name, value)
        for p in range(observation.setup.seats):
            twin.assign(view.players[p], s.players[p])
        return s

    def document_form(self, setup: Setup) -> Form:
        return document.form(setup)

    def restore(self, setup: Setup, document_: Mapping[str, Any]) -> Any:
        return document.restore(setup, document_)

    def invariants(self, position: Position) -> Mapping[str, int]:
        """Goods in supply, hands and stores; cards, each in one place; factories; discs, bonus discs, markers (R8)."""
        s, c = position.state, position.setup.plain_params
        found = {
            kind: s.supply[k]
            + sum(player.goods[k] for player in s.players)
            + sum(s.load[n] for n in range(c.stores) if c.store_good[n] == k)
            for k, kind in enumerate(KIND_WORDS)
        }
        piles = (s.pile, s.discards, s.fresh, s.aside, s.gone)
        for card in position.setup.board.cards:
            found[card.word] = sum(pile[card.number] for pile in piles) + s.row.count(card.number)
        for works in position.setup.board.works:
            f = works.number
            lying = s.factory_pile[f] + s.factory_discards[f] + s.factory_row.count(f)
            found[works.word] = lying + int(s.owner[f] != NOBODY)
        for p in range(s.seats):
            me, seat = s.players[p], f"seat {p + 1}"
            found[f"{seat}: discs"] = me.hand + sum(row.count(p) for row in s.discs)
            fields = [(i, k) for i in range(state.INVENTIONS) for k in range(2) if s.holder[i][k] == p]
            found[f"{seat}: markers"] = me.markers + len(fields) + sum(s.patented[i][k] for i, k in fields)
            found[f"{seat}: influence by source"] = me.influence - sum(me.earned)
        found["bonus discs"] = s.bonus_supply + sum(player.bonus for player in s.players)
        found["empty action fields"] = sum(row.count(NONE) for row in s.discs) - sum(p.hand for p in s.players)
        return found
