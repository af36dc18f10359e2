"""Whether a guided first round and worked examples still fit the rules: every way through them is played, every rule
that they name looked up.

>>> import spieltisch
>>> list(find_problems(spieltisch.game("paris-connection")))
[]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from spieltisch.core.game import Game
from spieltisch.core.moves import Move
from spieltisch.core.position import Position
from spieltisch.core.words import LANGUAGES, Name
from spieltisch.guides.guide import Example, Guide, GuideError, ScriptedGame, Step, Task, examples, guide_of
from spieltisch.guides.lesson import FIGURE, play_lesson

STEPS: Final = 5
"""How many steps a first round has: more, and nobody reads them."""

STEP_COUNTS: Final = range(3, 7)
"""How many an example may have."""

LONGEST: Final = {"title": 44, "text": 430, "praise": 260, "asks": 150, "promise": 200, "farewell": 430, "scene": 330}
"""The most letters each kind of text may have, in any language."""

MOST_WAYS: Final = 3000
"""How many ways through a guide are played; one that has more can hardly be true in all of them."""


def find_problems(game: Game) -> Iterator[str]:
    """Everything that is wrong with the guide and the examples of a game, in words for who writes them; nothing for a
    game without any.
    """
    try:
        guide, shown = guide_of(game), examples(game)
    except GuideError as problem:
        yield str(problem)
        return
    if guide is not None:
        yield from guide_problems(game, guide)
    for name, example in shown.items():
        yield from (f"example {name}: {fault}" for fault in example_problems(game, example))


def example_problems(game: Game, example: Example) -> Iterator[str]:
    """Everything that is wrong with an example for a game."""
    if len(example.steps) not in STEP_COUNTS:
        yield f"steps: {len(example.steps)} instead of {STEP_COUNTS.start} to {STEP_COUNTS.stop - 1}"
    yield from _text("title", example.title, "title")
    for number, step in enumerate(example.steps, 1):
        yield from _text(f"step {number}", step.text, "scene")
        yield from _typed(f"step {number}", step.text, set(step.figures))
    yield from _common(game, example)
    try:
        for number in range(1, len(example.steps) + 1):
            play_lesson(game, example, number)
    except GuideError as problem:
        yield str(problem)


def _typed(path: str, name: Name, figures: set[str]) -> Iterator[str]:
    """What is wrong with the figures of a text: those that are typed, and names of none."""
    for language in LANGUAGES:
        text = name.text(language)
        if re.search(r"[0-9]", FIGURE.sub("", text)):
            yield f"{path}.{language}: a figure is typed; name its place under figures"
        if set(FIGURE.findall(text)) != figures:
            yield f"{path}.{language}: names other figures than {', '.join(sorted(figures)) or 'none'}"


def guide_problems(game: Game, guide: Guide) -> Iterator[str]:
    """Everything that is wrong with a guide for a game."""
    if len(guide.steps) != STEPS:
        yield f"steps: {len(guide.steps)} instead of {STEPS}"
    if len({step.id for step in guide.steps}) < len(guide.steps):
        yield "steps: an id is there twice"
    yield from _texts(guide)
    yield from _common(game, guide)
    yield from _ways(game, guide)


def _texts(guide: Guide) -> Iterator[str]:
    yield from _text("farewell", guide.farewell, "farewell")
    for step in guide.steps:
        for kind in ("title", "text", "praise"):
            yield from _text(f"{step.id}.{kind}", getattr(step, kind), kind)
        for ask in step.asks:
            yield from _text(f"{step.id}.asks", ask.text, "asks")


def _text(path: str, name: Name, kind: str) -> Iterator[str]:
    for language in LANGUAGES:
        text = getattr(name, language)  # as it was written
        if not text or text != " ".join(text.split()):
            yield f"{path}.{language}: empty, or with a space too many"
        if len(text) > LONGEST[kind]:
            yield f"{path}.{language}: {len(text)} letters, at most {LONGEST[kind]}"
        if kind in ("text", "praise", "asks", "scene") and language != "en" and text == name.en:
            yield f"{path}.{language}: not translated"


def _common(game: Game, script: ScriptedGame) -> Iterator[str]:
    """What is wrong with a guide or an example: its game, its promise, and the rules that it names."""
    if script.game != game.key:
        yield f"game: {script.game!r} is not {game.key!r}"
    yield from _text("promise", script.promise, "promise")
    pages = {}
    for language in LANGUAGES:
        file = game.folder / "pages" / f"rules.{language}.md"
        pages[language] = set(re.findall(r"\*\*([A-Z]\d+)\*\*", file.read_text("utf-8"))) if file.exists() else set()
    for number, step in enumerate(script.steps, 1):
        name = step.id or f"step {number}"
        if not step.rules:
            yield f"{name}.rules: names no rule"
        for rule in step.rules:
            if rule not in game.rule_names.values():
                yield f"{name}.rules: {game.key} has no rule {rule}"
            for language, known in pages.items():
                if rule not in known:
                    yield f"{name}.rules: {rule} is not on the rules page in {language}"


@dataclass(frozen=True)
class _Path:
    """One way through a guide as far as it has been played: the learner's moves, and who has moved at all."""

    position: Position
    moves: tuple[Move, ...]
    moved: frozenset[int | None]

    def on(self, move: Move, *, own: bool) -> _Path:
        position = self.position.copy()
        position.play(move)
        moves = (*self.moves, move) if own else self.moves
        return _Path(position, moves, self.moved | {self.position.seat})

    def __str__(self) -> str:
        return f"after {'; '.join(move.text for move in self.moves) or 'nothing'}"


def _ways(game: Game, guide: Guide) -> Iterator[str]:
    """Play every way through the guide, and the first one as a learner would."""
    try:
        ways = [_Path(guide.start(game), (), frozenset())]
        for step in guide.steps:
            ways = [_scripted(step, way, (*step.before, *step.moves)) for way in ways]
            for ask in step.asks:
                asked = [(way, move) for way in ways for move in _asked(guide, step, ask, way)]
                for words in ask.accept:
                    if not any(Task(ask.text, (words,)).accepts(move) for _, move in asked):
                        raise GuideError(f"{step.id}, {ways[0]}: no legal move begins with {words!r}")
                ways = _once([way.on(move, own=True) for way, move in asked])
                if len(ways) > MOST_WAYS:
                    raise GuideError(f"{step.id}: {len(ways)} ways lead through it, more than {MOST_WAYS}")
            ways = [_scripted(step, way, step.after) for way in ways]
        for number in range(1, len(guide.steps) + 1):
            many = guide.moves_before(number) + len(guide.steps[number - 1].asks)
            play_lesson(game, guide, number, [move.number for move in ways[0].moves[:many]])
    except ValueError as problem:
        yield str(problem)
        return
    for way in ways:
        if idle := sorted(seat + 1 for seat in range(len(guide.players)) if seat not in way.moved):
            yield f"{way}: these seats have not moved: {', '.join(map(str, idle))}"
            return


def _once(ways: list[_Path]) -> list[_Path]:
    """Ways that have come to the same position go on as one."""
    return list({way.position.digest(): way for way in reversed(ways)}.values())[::-1]


def _scripted(step: Step, way: _Path, moves: tuple[str, ...]) -> _Path:
    for text in moves:
        move = way.position.move(text)
        if refusal := way.position.why_not(move):
            raise GuideError(f"{step.id}, {way}: {text!r} is not allowed ({refusal.rule}): {refusal.message}")
        way = way.on(move, own=False)
    return way


def _asked(guide: Guide, step: Step, ask: Task, way: _Path) -> list[Move]:
    """The moves that are asked for, the one to show first. There must be one."""
    if way.position.seat != guide.seat - 1:
        raise GuideError(f"{step.id}, {way}: it is not the learner who decides")
    asked = ask.choose(way.position.legal_moves)
    if not asked:
        raise GuideError(f"{step.id}, {way}: no legal move begins with {' or '.join(map(repr, ask.accept))}")
    return asked
