"""The effects of moves of Legendary Inventors: the kinds of event with their sentences, and the sources of points.

All of it is public.
"""

from collections.abc import Sequence

from spieltisch.core.events import EventKinds, GameEvent, name_of, number_of
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, SeatName, Value, message, sentence, sentences
from spieltisch.games.legendary_inventors.state import L17, NOBODY, S2


def rewarded(event: GameEvent) -> dict[str, Value]:
    """Return the seats rewarded for the invention of a COMPLETES event, in order, as values of a sentence."""
    seats = [SeatName(seat) for seat in event.numbers[1:] if seat != NOBODY]
    return dict(zip(("first", "second", "third"), seats, strict=False))


def _completion_text(setup: Setup, run: Sequence[GameEvent]) -> Message:
    (event,) = run  # a seat sends an inventor between two completed inventions, so events never join
    seats = rewarded(event)
    template = (
        sentence("{player} completes {invention} and takes Leonardo. {first} gets a reward."),
        sentence("{player} completes {invention} and takes Leonardo. Rewards go to {first}, then {second}."),
        sentence(
            "{player} completes {invention} and takes Leonardo. Rewards go to {first}, then {second}, then {third}."
        ),
    )[len(seats) - 1]
    assert event.seat is not None  # noqa: S101 - a seat has filled the last space
    invention = setup.board.inventions[event.numbers[0]].name
    return template.fill({"invention": invention, "player": SeatName(event.seat), **seats})


ENDINGS = {
    L17: sentence("The game is over: only one invention of the last age is left."),
    S2: sentence("The game is over: everyone has passed in the last age."),
}
"""The reason why the game has ended, by the values of `ended_by`."""

EVENTS = EventKinds(
    inventor=name_of("inventors"),
    invention=name_of("inventions"),
    field=name_of("fields", 1),
    age=lambda setup, event: setup.board.ages[event.numbers[0] - 1].name,
)
TAKES_TEAM = EVENTS("takes team", sentence("{player} chooses team {team}."), team=name_of("teams"))
SENDS = EVENTS(
    "sends",
    sentence("{player} sends {inventor} to work on {invention} and chooses the cubes."),
    invention=name_of("inventions", 1),
)
"""Inventor, invention; emitted if there is a choice of cubes."""
WORKS = EVENTS(
    "works",
    sentences(
        "{player} sends {inventor} to work on {invention}: {count} cube.",
        "{player} sends {inventor} to work on {invention}: {count} cubes.",
    ),
    invention=name_of("inventions", 1),
    count=number_of(2),
)
"""Inventor, invention, number of cubes."""
WORKS_BY_GENIUS = EVENTS(
    "works by genius",
    sentences(
        "{player} sends {inventor} to work on {invention}: {count} cube, with strokes of genius ({genius}).",
        "{player} sends {inventor} to work on {invention}: {count} cubes, with strokes of genius ({genius}).",
    ),
    invention=name_of("inventions", 1),
    count=number_of(2),
    genius=number_of(3),
)
"""Inventor, invention, number of cubes, number of strokes of genius."""
COMPLETES = EVENTS("completes", run_sentence=_completion_text)
"""Invention, and up to three seats that are rewarded."""
TAKES_PATENT = EVENTS("takes patent", sentence("{player} claims the patent for {invention}."))
TAKES_TOKEN = EVENTS("takes token", sentence("{player} takes a token: {token}."), token=name_of("tokens"))
UPGRADES = EVENTS("upgrades", sentence("{player} upgrades {inventor}: {field} is now {value}."), value=number_of(2))
"""Inventor, field, the new value."""
TURNS_OVER = EVENTS(
    "turns over",
    sentence("{player} turns a token over ({token}) and upgrades {inventor}: {field} is now 1."),
    token=name_of("tokens", 2),
)
"""Inventor, field, token."""
MAKES_READY = EVENTS("makes ready", sentence("{player} readies all inventors."))
REFRESHES = EVENTS("refreshes", sentence("{player} uses a refresh token: all inventors are active."))
PASSES = EVENTS("passes", sentence("{player} passes."))
DONE_UPGRADING = EVENTS("done upgrading", sentence("{player} finishes upgrading."))
AGE_COMPLETE = EVENTS("age complete", sentence("End of {age}: only one invention is left."))
AGE_PASSED = EVENTS("age passed", sentence("Everyone has passed: end of {age}."))
AGE_BEGINS = EVENTS("age begins", sentence("New inventions are on the table: {age}. {player} begins."))
ENDS_COMPLETE = EVENTS("ends complete", ENDINGS[L17])
ENDS_PASSED = EVENTS("ends passed", ENDINGS[S2])

# The sources of points, by their numbers in POINTS events.
FROM_PATENTS, FROM_RUNS, FROM_TOKENS, FROM_GOALS = 0, 1, 2, 3
SOURCES = (message("Patents"), message("Runs"), message("Tokens"), message("Inventors’ goals"))
