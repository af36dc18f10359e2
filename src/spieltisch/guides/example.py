"""Worked examples: a few real moves from a real position, each with a word on why; `examples/NAME.toml` in the folder
of a game.

Figures are not typed: `figures` names where each stands, and the texts have it in braces. Places are `view.`… (what who
looks on may know of the position), `points.0` (of the first seat), and `contents.`… (the component file); a step into a
list is an index from 0 or an id, and a list stands for its sum. `+` and `*` reckon.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from math import prod
from operator import index
from pathlib import Path
from typing import Any, Final

import msgspec

from spieltisch.core.game import Game
from spieltisch.core.position import Position
from spieltisch.core.words import LANGUAGES, Name
from spieltisch.guides.guide import GuideError, Start, read_start
from spieltisch.guides.script import Told, Walk

FIGURE: Final = re.compile(r"{([a-z_]+)}")


class Scene(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step: the moves that lead to it, what they mean, and the rules that this comes from. `before` are moves
    since the last step that are in the log alone.
    """

    rules: tuple[str, ...]
    text: Name
    before: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()
    figures: dict[str, str] = {}


class Example(Start, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A whole example; `before` are the moves up to the position that it begins with."""

    title: Name
    steps: tuple[Scene, ...]
    before: tuple[str, ...] = ()


@dataclass(frozen=True)
class Shown:
    """A step of an example, played; `fresh` counts the entries of `told` that were known before."""

    example: Example
    number: int
    position: Position
    told: tuple[Told, ...]
    fresh: int
    text: Name

    @property
    def step(self) -> Scene:
        return self.example.steps[self.number - 1]


def examples(game: Game) -> dict[str, Example]:
    """The worked examples of a game by their names, read once. Raises GuideError.

    >>> import spieltisch
    >>> sorted(examples(spieltisch.game("paris-connection")))
    ['shares', 'the-end']
    """
    return _read_once(game.folder / "examples")


@cache
def _read_once(folder: Path) -> dict[str, Example]:
    return {file.stem: read_start(file, Example) for file in sorted(folder.glob("*.toml"))}


def show(game: Game, example: Example, number: int) -> Shown:
    """Play an example up to a step (from 1). Raises GuideError for moves and figures that the rules do not have."""
    walk = Walk(game, example)
    walk.play_all("before", example.before)
    for count, step in enumerate(example.steps[:number], 1):
        walk.play_all(f"step {count}", step.before)
        walk.fresh = len(walk.told)
        walk.play_all(f"step {count}", step.moves)
    step = example.steps[number - 1]
    found = _figures(game, walk, step)
    said = {
        language: FIGURE.sub(lambda match: found.get(match[1], match[0]), step.text.text(language))
        for language in LANGUAGES
    }
    return Shown(example, number, walk.position, walk.known(), walk.fresh, Name(**said))


def _figures(game: Game, walk: Walk, step: Scene) -> dict[str, str]:
    seen = walk.position.observe(walk.viewer)
    roots = {"view": seen.view, "points": seen.scores, "contents": game.components.contents}
    try:
        return {name: str(_reckoned(roots, places)) for name, places in step.figures.items()}
    except (LookupError, TypeError, ValueError, AttributeError) as problem:
        raise GuideError(f"figures of {step.text.en!r}: {problem!r}") from problem


def _reckoned(roots: dict[str, Any], places: str) -> int:
    return sum(
        prod(_figure(roots, *place.strip().split(".")) for place in term.split("*")) for term in places.split("+")
    )


def _figure(roots: dict[str, Any], root: str, *parts: str) -> int:
    seen = roots[root]
    for part in parts:
        if part.isdecimal():
            seen = seen[int(part)]
        elif isinstance(seen, tuple):
            seen = seen[[one.id for one in seen].index(part)]
        else:
            seen = getattr(seen, part)
    return sum(map(index, seen)) if hasattr(seen, "__len__") else index(seen)
