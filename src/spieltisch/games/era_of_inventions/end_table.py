"""The final account of Era of Inventions (E54 to E58).

It lists the influence of all players by source, with the figures that decided the bonuses and a tie.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from spieltisch.core.words import Message, message, messages
from spieltisch.games.era_of_inventions import state
from spieltisch.games.era_of_inventions.icons import BONUSES
from spieltisch.games.era_of_inventions.rules.ending import bonus_measure

if TYPE_CHECKING:
    from spieltisch.games.era_of_inventions.panel import EraScene


class Source(NamedTuple):
    """A source of influence: its number in the state, its id, its name, and the icon next to it."""

    number: int
    id: str
    name: Message
    icon: str


SOURCES: Final = (
    Source(state.INVENTED, "invented", message("Developing"), "field-gold"),
    Source(state.PATENTED, "patented", message("Patents"), "patent"),
    Source(state.PRODUCED, "produced", message("Producing"), "action-produce-inventions"),
    Source(state.PAID, "paid", message("Paid by others"), "paid"),
    Source(state.BUILT, "built", message("Factories"), "factory"),
    Source(state.EXCHANGED, "exchanged", message("Exchange market"), "action-exchange-market"),
    Source(state.MOST_PATENTS, "most-patents", BONUSES["patent"], "patent"),
    Source(state.MOST_INVESTED, "most-invested", BONUSES["invested"], "good-stone"),
    Source(state.MOST_CAPACITY, "most-capacity", BONUSES["capacity"], "factory"),
)
"""The sources in the order of the page: first the actions, then the three bonuses at the end (E56)."""

FIGURES: Final[Mapping[int, Callable[[int], Message]]] = {
    state.MOST_PATENTS: lambda n: messages(
        "{count} space on the patent track", "{count} spaces on the patent track", n
    ),
    state.MOST_INVESTED: lambda n: messages(
        "{count} development stone invested", "{count} development stones invested", n
    ),
    state.MOST_CAPACITY: lambda n: message("production capacity: {number}", number=n),
}
"""The sentences about the figures that decide a bonus."""


def sources(scene: EraScene) -> list[dict[str, Any]]:
    """Return the rows of the table, with the icon next to each."""
    return [
        {"id": source.id, "name": scene.say(source.name), "icon": source.icon, "bonus": source.number in FIGURES}
        for source in SOURCES
    ]


def earned(scene: EraScene, seat: int) -> dict[str, Any]:
    """Return a player's points by the id of their source, with the figures that decided the bonuses.

    For each bonus, `figures` contains the `number` that decided it and the same as `text`; `at_end` is the sum
    of their points.
    """
    figures = {}
    for source in SOURCES[-len(FIGURES) :]:
        number = int(bonus_measure(scene.view, scene.params, seat, source.number - state.MOST_PATENTS))
        figures[source.id] = {"number": number, "text": scene.say(FIGURES[source.number](number))}
    points = scene.view.players[seat].earned
    at_end = int(sum(points[number] for number in FIGURES))
    return {"points": {source.id: points[source.number] for source in SOURCES}, "figures": figures, "at_end": at_end}
