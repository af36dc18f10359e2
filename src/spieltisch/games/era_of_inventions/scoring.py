"""The end of a game of Era of Inventions: everybody's influence by what brought it, with the figures that decided the
bonuses and a tie (E54 to E58).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from spieltisch.core.words import Message, SeatName, Words, message, messages
from spieltisch.games.era_of_inventions.rules.ending import inventions_of, standing
from spieltisch.games.era_of_inventions.state import (
    BUILT,
    EXCHANGED,
    INVENTED,
    MOST_CAPACITY,
    MOST_INVESTED,
    MOST_PATENTS,
    PAID,
    PATENTED,
    PRODUCED,
)

if TYPE_CHECKING:
    from spieltisch.core.observation import Observation


class Source(NamedTuple):
    """What influence comes from: its number in the state, its id, its name, and the sign beside it."""

    number: int
    id: str
    name: Message
    sign: str


SOURCES: Final = (
    Source(INVENTED, "invented", message("Inventing"), "field-gold"),
    Source(PATENTED, "patented", message("Patents"), "patent"),
    Source(PRODUCED, "produced", message("Producing"), "action-produce-inventions"),
    Source(PAID, "paid", message("Paid by others"), "paid"),
    Source(BUILT, "built", message("Factories"), "factory"),
    Source(EXCHANGED, "exchanged", message("Exchange market"), "action-exchange-market"),
    Source(MOST_PATENTS, "most-patents", message("Highest patent marker"), "patent"),
    Source(MOST_INVESTED, "most-invested", message("Most stones invested"), "good-stone"),
    Source(MOST_CAPACITY, "most-capacity", message("Greatest capacity"), "factory"),
)
"""In the order of the page: first what the actions brought, then the three bonuses at the end (E56)."""


def _steps(number: int) -> Message:
    return messages("{count} step on the patent track", "{count} steps on the patent track", number)


def _stones(number: int) -> Message:
    return messages("{count} development stone invested", "{count} development stones invested", number)


def _capacity(number: int) -> Message:
    return message("a capacity of {number}", number=number)


FIGURES: Final[Mapping[int, Callable[[int], Message]]] = {
    MOST_PATENTS: _steps,
    MOST_INVESTED: _stones,
    MOST_CAPACITY: _capacity,
}
"""How the figure that decides a bonus is said."""


def end(observation: Observation, words: Words, names: Sequence[str] = ()) -> dict[str, Any]:
    """What `end.html` is given: why the game ended, the winners, the sources, and a row for each player, the first
    place first. The observation is one of a game that is over.

    A row holds the player (`seat`, `colour`, `name`, `own`), `place` and `winner`, the `points` by the id of their
    source and their `total`, the `inventions` held, which decide a tie (E58), and under `figures`, by the id of the
    bonus, the `number` that decided it and the same in words (`said`).
    """
    game, seats = observation.setup.game, range(observation.setup.seats)
    totals = [int(player.influence) for player in observation.view.players[: len(seats)]]
    winners = game.winners(totals, observation)
    rows = [_row(observation, words, names, seat) for seat in seats]
    for row in rows:
        row["winner"] = row["seat"] in winners
        row["place"] = 1 + sum(_standing(other) > _standing(row) for other in rows)
    return {
        "reason": words.say(game.ending(observation), names),
        "rule": game.rule_names[int(observation.view.ended_by)],
        "winners": [row["name"] for row in rows if row["winner"]],
        "sources": [
            {
                "id": source.id,
                "name": words.say(source.name, names),
                "sign": source.sign,
                "bonus": source.number in FIGURES,
            }
            for source in SOURCES
        ],
        "rows": sorted(rows, key=lambda row: (row["place"], row["seat"])),
    }


def _standing(row: Mapping[str, Any]) -> tuple[int, int]:
    """What decides the place (E58)."""
    return row["total"], row["inventions"]


def _row(observation: Observation, words: Words, names: Sequence[str], seat: int) -> dict[str, Any]:
    view, table = observation.view, observation.setup.plain_params
    player, figures = view.players[seat], {}
    for source in SOURCES:
        if source.number in FIGURES:
            number = int(standing(view, table, seat, source.number - MOST_PATENTS))
            figures[source.id] = {"number": number, "said": words.say(FIGURES[source.number](number), names)}
    return {
        "seat": seat,
        "colour": observation.setup.board.contents.colours[seat].id,
        "name": words.say(SeatName(seat), names),
        "own": seat == view.viewer,
        "total": int(player.influence),
        "points": {source.id: int(player.earned[source.number]) for source in SOURCES},
        "inventions": int(inventions_of(view, seat)),
        "figures": figures,
    }
