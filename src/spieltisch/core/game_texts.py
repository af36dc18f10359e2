"""The texts of a game beyond its prompt, its log and its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from spieltisch.core.events import GameEvent
from spieltisch.core.moves import Move
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, Name

if TYPE_CHECKING:
    from spieltisch.core.observation import Observation


class GameTexts:
    """Hints, summaries and headings; a game overrides those that it has."""

    def amount_text(self, setup: Setup, piece: int, count: int) -> Message | Name | None:
        """Return a number of pieces of a kind in words, as a gain or loss: "2 Ruby".

        None for a kind that need not be mentioned.
        """
        return None

    def hint(self, observation: Observation, move: Move, events: Sequence[GameEvent]) -> Message | None:
        """Return the hint shown next to a legal move of the seat to move; None if its words say everything.

        One or a few short sentences: costs and gains, gains of other seats, or what the move would make possible. They
        use only what the seat knows, and never the result of a draw. `events` are the effects of the move up to chance,
        as far as the seat may know them. A page requests the hints of all legal moves together, so a hint must take
        well under a millisecond. Where a row has room for two or three words only, it shows the hint's `short` form.
        """
        return None

    def word_hint(self, observation: Observation, moves: Sequence[Move]) -> Message | None:
        """Return the hint shown next to a word that these legal moves of the seat to move share; None for none."""
        return None

    def any_choice(self, observation: Observation) -> Message | None:
        """Return the label of a button that plays any legal move, such as "Take any"; None where there is none."""
        return None

    def turn_summary(self, begun: Observation, events: Sequence[GameEvent]) -> list[Message]:
        """Return the costs and gains of the moves that a seat, the viewer of `begun`, made in one turn.

        `events` are the effects of these moves since that observation, as far as the seat may know them. No move of
        another seat is between them.
        """
        return []

    def advice_reasons(self, observation: Observation, events: Sequence[GameEvent]) -> list[Message]:
        """Return the reasons for a sequence of moves that a seat, the viewer, may play in its turn.

        One or a few short sentences: the gains, and whose they are. `events` are the effects of the moves up to chance,
        as far as the seat may know them. The default is the summary of costs and gains.
        """
        return self.turn_summary(observation, events)

    def result_tip(self, observation: Observation) -> Message | None:
        """Return a sentence that tells a player who lost, the viewer, what would have brought more points; or None."""
        return None

    def stage(self, observation: Observation) -> Message | None:
        """Return the part of the game to which the observation belongs, such as a round or an age.

        It is the same for all viewers; reviews of a game are divided by it. After the end, the last part. A game
        without parts always returns None.
        """
        return None

    def stage_heading(self, observation: Observation) -> Message | None:
        """Return `stage` as announced when it begins, with the number of all parts if the rules fix it."""
        return self.stage(observation)

    def seat_sources(self, setup: Setup, state: Any, seat: int) -> Sequence[int]:
        """Return a seat's points in a state by the numbers of their sources; empty if they are not distinguished."""
        return ()

    def point_source_name(self, setup: Setup, number: int) -> Message | Name | None:
        """Return the name of the source of points with this number in POINTS events.

        None for a game that does not distinguish its points.
        """
        return None
