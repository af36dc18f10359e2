"""Changes of what a player has, added up from events."""

from collections.abc import Sequence
from dataclasses import dataclass

from spieltisch.core.events import GameEvent
from spieltisch.games.era_of_inventions.pieces import PLAYER
from spieltisch.games.era_of_inventions.state import BONUS_DISC, GOODS, INFLUENCE, MOST_PATENTS


@dataclass(frozen=True)
class Change:
    """A player's gains, or if negative payments: goods, influence and bonus discs.

    `track` counts those of the goods that came from symbols of the influence track. The bonuses at the end of the game
    belong to no move.
    """

    row: list[int]
    track: list[int]

    @property
    def paid(self) -> list[int]:
        """The payments."""
        return [max(0, -number) for number in self.row]

    @property
    def got(self) -> list[int]:
        """The gains, without influence."""
        gains = [max(0, number) for number in self.row]
        gains[INFLUENCE] = 0
        return gains

    @property
    def step(self) -> "Change":
        """The change of the step alone, without the goods from the track and without the bonus disc it used."""
        goods = [number - track for number, track in zip(self.row[:GOODS], self.track, strict=True)]
        return Change([*goods, self.row[INFLUENCE], 0], self.track)


def change_of(events: Sequence[GameEvent], seat: int) -> Change:
    """Return the change that the events cause for a seat."""
    row, track = [0] * (BONUS_DISC + 1), [0] * GOODS
    for event in events:
        if event.kind == "moved" and (event.numbers[0] < GOODS or event.numbers[0] == BONUS_DISC):
            piece, number, source, target = event.numbers
            row[piece] += number * ((target == PLAYER + seat) - (source == PLAYER + seat))
        elif event.kind == "points" and event.seat == seat and event.numbers[1] < MOST_PATENTS:
            row[INFLUENCE] += event.numbers[0]
        elif event.kind == "gets symbol" and event.seat == seat:
            track[event.numbers[1]] += 1
    return Change(row, track)
