"""Legendary Inventors: five teams of four inventors work on the inventions of three ages; whoever does most chooses
first among patent and tokens.
 `rules.py` holds the moves, `listing.py` which of them are legal, `refusals.py` and `sending.py` what forbids them,
`ages.py` the course of the game, `runs.py` the scoring of runs, `seeing.py` points and views, all as functions over
the records of `state.py`; `space.py` numbers the moves; `board.py` prepares a component file; `notation.py` has the
moves in words, `reasons.py` the reasons, `log.py` the log, `foresight.py` what a move sets off; `document.py` writes
and reads positions; `drawing.py` draws, `engraving.py` has its marks.
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
from spieltisch.games.legendary_inventors import (
    document,
    foresight,
    going_on,
    listing,
    log,
    notation,
    reasons,
    refusals,
    rules,
    seeing,
    space,
    state,
)
from spieltisch.games.legendary_inventors.board import Board, board
from spieltisch.games.legendary_inventors.contents import Contents
from spieltisch.games.legendary_inventors.evaluate import evaluate


class Game(Contract):
    """Legendary Inventors for 2 to 5 players (L1)."""

    key = "legendary-inventors"
    title = Name("Legendary Inventors", "Club der Erfinder", "Les Inventeurs", "Legendary Inventors")
    seats = range(2, state.MOST_SEATS + 1)
    options = (
        Option(
            "teams",
            message("Teams"),
            message("How the teams are given out."),
            (("random", message("by chance")), ("choose", message("each player chooses, in the order of the seats"))),
            "random",
        ),
    )
    folder = Path(__file__).parent
    rule_names = going_on.RULES
    moves = space.MOVES
    secrets = False
    rules = Rules(rules.start, listing.legal, refusals.refusal, rules.play, seeing.observe, seeing.points, evaluate)
    State = state.State
    View = state.View
    Params = state.Params
    Work = state.Work

    @cached_property
    def drawing(self) -> Drawing:
        from spieltisch.games.legendary_inventors.drawing import InventorsDrawing

        return InventorsDrawing()

    def read_components(self, source: str | Path) -> Components[Contents]:
        from spieltisch.games.legendary_inventors import components

        return components.read(source)

    def board(self, components: Components[Any]) -> Board:
        return board(components)

    def params(self, board: Board, seats: int, options: Mapping[str, Any]) -> Any:
        return state.params(board, seats, choosing=options["teams"] == "choose")

    def words(self, setup: Setup, number: int) -> tuple[Word, ...]:
        return notation.words(setup, number)

    def explain(self, observation: Observation, move: Move, rule: int) -> Message:
        return reasons.explain(observation, move, rule)

    def tell(
        self, before: Observation, move: Move, after: Observation, seat: int, drew: Sequence[str]
    ) -> list[Message]:
        return log.tell(self._state(before), before, move, after, seat, drew)

    def prompt(self, observation: Observation) -> Message:
        return notation.prompt(observation)

    def ending(self, observation: Observation) -> Message:
        return log.ending(observation)

    def between_turns(self, observation: Observation) -> bool:
        """Teams (S7), rewards (L11, L12) and the upgrade before the scoring (S1)."""
        return bool(observation.view.phase in (state.TEAM, state.REWARD, state.FINAL))

    def stage(self, observation: Observation) -> Message:
        """An age; the teams are chosen before the first one (S7)."""
        ages = observation.setup.board.ages
        return message("{age}", age=ages[max(int(observation.view.age), 1) - 1].name)

    def draw_words(self, setup: Setup) -> Sequence[str]:
        return notation.draw_words(setup)

    def imagine(self, observation: Observation, chance: Chance) -> Any:
        """The state that the view shows; only the generator is hidden (S12), and the kernel sets a new one."""
        return self._state(observation)

    def _state(self, observation: Observation) -> Any:
        s, view = twin.new(state.State), twin.clone(observation.view)
        for name in state.View.names or ():
            if name != "viewer":
                setattr(s, name, getattr(view, name))
        return s

    def document_form(self, setup: Setup) -> Form:
        return document.form(setup)

    def restore(self, setup: Setup, document_: Mapping[str, Any]) -> Any:
        return document.restore(setup, document_)

    def winners(self, points: Sequence[int], observation: Observation) -> tuple[int, ...]:
        """L29: the most points, then the most patents; still tied, the place is shared."""
        patents = [sum(player.numbers) for player in observation.view.players[: len(points)]]
        best = max(zip(points, patents, strict=True))
        return tuple(p for p, standing in enumerate(zip(points, patents, strict=True)) if standing == best)

    def hint(self, observation: Observation, move: Move, events: Sequence[Event]) -> Message | None:
        return foresight.hint(observation, move)

    def asks(self, observation: Observation, move: Move) -> bool:
        return bool(foresight.rewarded(observation, move))

    def invariants(self, position: Position) -> Mapping[str, int]:
        """Cubes of each player in supply and on inventions; tokens in the bag, on inventions, with players, gone; the
        inventions.
        """
        s, c = position.state, position.setup.plain_params
        totals = {
            f"cubes of seat {p + 1}": s.players[p].cubes + sum(sum(slot.cubes[p]) for slot in s.slots)
            for p in range(s.seats)
        }
        for kind, token in enumerate(position.setup.board.tokens):
            lying = sum(one == kind for slot in s.slots for one in slot.tokens)
            held = sum(player.tokens[kind] for player in s.players)
            totals[f"tokens {token.id}"] = c.box[kind] - s.drawn[kind] + lying + held + s.gone[kind]
        return totals
