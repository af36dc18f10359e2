"""What a check has to say: a promise that is broken, what was checked, and what all checks ask."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from spieltisch.core import twin
from spieltisch.core.game import Game
from spieltisch.core.observation import Observation
from spieltisch.core.words import LANGUAGES, Message, Words, WordsError


class ContractBroken(AssertionError):
    """A game breaks a promise of the kernel; the text says which, and where."""


@dataclass
class Report:
    """What was checked: games played to the end, moves, positions looked at closely. `imagined` counts by number of
    seats and viewer (None: a spectator) how often a position was imagined from what they see, `differing` how often it
    was not the real one.
    """

    games: int = 0
    moves: int = 0
    samples: int = 0
    imagined: Counter[tuple[int, int | None]] = field(default_factory=Counter)
    differing_samples: Counter[tuple[int, int | None]] = field(default_factory=Counter)


def require(holds: bool, text: str) -> None:
    """Raises ContractBroken with `text` unless it holds."""
    if not holds:
        raise ContractBroken(text)


def viewer_name(viewer: int | None) -> str:
    """What a viewer is called in a fault."""
    return "a spectator" if viewer is None else f"seat {viewer}"


def require_translated(game: Game, said: Message, what: str) -> None:
    """Raises ContractBroken unless `said` is a sentence in all four languages, translated where the game has
    catalogues.
    """
    untranslated = []
    for language in LANGUAGES:
        words = Words(language, game.folder / "locale")
        try:
            text = words.say(said)
        except WordsError as error:
            raise ContractBroken(f"{what} cannot be said in {language!r}: {error}") from error
        require(bool(text.strip()), f"{what} says nothing in {language!r}")
        if words.is_untranslated(said):
            untranslated.append(language)
    if (game.folder / "locale").is_dir():
        require(not untranslated, f"{what} is not translated into {', '.join(untranslated)}: {said.text!r}")


def require_unchanged(seen: Observation, what: str) -> None:
    """Raises ContractBroken if a look at an observation has changed it."""
    require(twin.pack(seen.setup.game.View, seen.view) == seen.data, f"{what} changes the observation")
