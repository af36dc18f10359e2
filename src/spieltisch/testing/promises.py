"""What a check has to say: a promise that is broken, what was checked, and what all checks ask."""

from __future__ import annotations

from dataclasses import dataclass

from spieltisch.core import twin
from spieltisch.core.game import Game
from spieltisch.core.observation import Observation
from spieltisch.core.words import LANGUAGES, Message, Words, WordsError


class ContractBroken(AssertionError):
    """A game breaks a promise of the kernel; the text says which, and where."""


@dataclass
class Report:
    """What was checked: games played to the end, moves, positions looked at closely, and how often hidden things
    differed.
    """

    games: int = 0
    moves: int = 0
    samples: int = 0
    hidden: int = 0
    differing: int = 0


def must(holds: bool, text: str) -> None:
    """Raises ContractBroken with `text` unless it holds."""
    if not holds:
        raise ContractBroken(text)


def sayable(game: Game, said: Message, what: str) -> None:
    """Raises ContractBroken unless `said` is a sentence in all four languages."""
    for language in LANGUAGES:
        try:
            text = Words(language, game.folder / "locale").say(said)
        except WordsError as error:
            raise ContractBroken(f"{what} cannot be said in {language!r}: {error}") from error
        must(bool(text.strip()), f"{what} says nothing in {language!r}")


def untouched(seen: Observation, what: str) -> None:
    """Raises ContractBroken if a look at an observation has changed it."""
    must(twin.pack(seen.setup.game.View, seen.view) == seen.data, f"{what} changes the observation")
