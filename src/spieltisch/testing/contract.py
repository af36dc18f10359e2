"""Shared parts of the checks: the error, the report, and common requirements."""

from collections import Counter
from dataclasses import dataclass, field

from spieltisch.core import twin
from spieltisch.core.game import Game
from spieltisch.core.observation import Observation
from spieltisch.core.words import LANGUAGES, Message, Words, WordsError


class ContractBroken(AssertionError):
    """A game breaks the contract with the kernel. The text names the promise and the place."""


@dataclass
class Report:
    """Counts of games played to the end, of moves, and of positions checked in depth, and what is not translated.

    `imagined` counts, by number of seats and viewer (None: a spectator), the positions imagined from what the viewer
    sees, `differing_samples` those of them that differ from the real one.

    >>> import random, spieltisch
    >>> from spieltisch.testing import check_position
    >>> report = Report()
    >>> check_position(spieltisch.game("paris-connection").start(seats=3, seed=1), random.Random(1), report)
    >>> report.games, report.samples, report.missing
    (0, 1, ())
    """

    missing: tuple[str, ...] = ()
    """The texts that a game in one language lacks, e.g. "rules page: de, fr, nl"."""
    games: int = 0
    moves: int = 0
    samples: int = 0
    imagined: Counter[tuple[int, int | None]] = field(default_factory=Counter)
    differing_samples: Counter[tuple[int, int | None]] = field(default_factory=Counter)


def require(holds: bool, text: str) -> None:
    """Raise ContractBroken with `text` unless `holds` is true."""
    if not holds:
        raise ContractBroken(text)


def viewer_name(viewer: int | None) -> str:
    """Return the name of a viewer in an error."""
    return "a spectator" if viewer is None else f"seat {viewer}"


def require_translated(game: Game, sentence: Message, what: str) -> None:
    """Raise ContractBroken unless `said` is a sentence in all four languages.

    If the game has catalogues, it must be translated.
    """
    untranslated = []
    for language in LANGUAGES:
        words = Words(language, game.folder / "locale")
        try:
            text = words.say(sentence)
        except WordsError as error:
            raise ContractBroken(f"{what} cannot be said in {language!r}: {error}") from error
        require(bool(text.strip()), f"{what} says nothing in {language!r}")
        if words.is_untranslated(sentence):
            untranslated.append(language)
    if (game.folder / "locale").is_dir():
        require(not untranslated, f"{what} is not translated into {', '.join(untranslated)}: {sentence.text!r}")


def require_unchanged(observation: Observation, what: str) -> None:
    """Raise ContractBroken if reading an observation has changed it."""
    require(
        twin.pack(observation.setup.game.View, observation.view) == observation.data, f"{what} changes the observation"
    )
