"""Checks that guided first rounds and worked examples fit the rules.

Every path through them is played, and every rule that they name is looked up.

>>> import spieltisch
>>> list(find_problems(spieltisch.game("paris-connection")))
[]
"""

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

GUIDE_STEPS: Final = 5
"""The number of steps in a first round. More would not be read."""

EXAMPLE_STEPS: Final = range(3, 7)
"""The allowed numbers of steps in an example."""

MAX_LENGTHS: Final = {
    "title": 44,
    "text": 430,
    "praise": 260,
    "asks": 150,
    "promise": 200,
    "farewell": 430,
    "scene": 330,
}
"""The maximum number of characters in each kind of text, in any language."""

MAX_PATHS: Final = 3000
"""The largest number of paths through a guide that are played. With more, a guide can hardly be true on all of them."""


def find_problems(game: Game) -> Iterator[str]:
    """Yield all problems of the guide and the examples of a game, for their authors; nothing if it has none."""
    try:
        guide, worked_examples = guide_of(game), examples(game)
    except GuideError as error:
        yield str(error)
        return
    if guide is not None:
        yield from guide_problems(game, guide)
    for name, example in worked_examples.items():
        yield from (f"example {name}: {problem}" for problem in example_problems(game, example))


def example_problems(game: Game, example: Example) -> Iterator[str]:
    """Yield all problems of an example for a game."""
    if len(example.steps) not in EXAMPLE_STEPS:
        yield f"steps: {len(example.steps)} instead of {EXAMPLE_STEPS.start} to {EXAMPLE_STEPS.stop - 1}"
    yield from _name_problems("title", example.title, "title")
    for number, step in enumerate(example.steps, 1):
        yield from _name_problems(f"step {number}", step.text, "scene")
        yield from _figure_problems(f"step {number}", step.text, set(step.figures))
    yield from _script_problems(game, example)
    try:
        for number in range(1, len(example.steps) + 1):
            play_lesson(game, example, number)
    except GuideError as error:
        yield str(error)


def _figure_problems(path: str, name: Name, figures: set[str]) -> Iterator[str]:
    """Yield the problems of the figures in a text: figures that are typed, and names without a figure."""
    for language in LANGUAGES:
        text = name.text(language)
        if re.search(r"[0-9]", FIGURE.sub("", text)):
            yield f"{path}.{language}: a figure is typed; name its place under figures"
        if set(FIGURE.findall(text)) != figures:
            yield f"{path}.{language}: names other figures than {', '.join(sorted(figures)) or 'none'}"


def guide_problems(game: Game, guide: Guide) -> Iterator[str]:
    """Yield all problems of a guide for a game."""
    if len(guide.steps) != GUIDE_STEPS:
        yield f"steps: {len(guide.steps)} instead of {GUIDE_STEPS}"
    if len({step.id for step in guide.steps}) < len(guide.steps):
        yield "steps: an id is there twice"
    yield from _text_problems(guide)
    yield from _script_problems(game, guide)
    yield from _path_problems(game, guide)


def _text_problems(guide: Guide) -> Iterator[str]:
    yield from _name_problems("farewell", guide.farewell, "farewell")
    for step in guide.steps:
        for kind in ("title", "text", "praise"):
            yield from _name_problems(f"{step.id}.{kind}", getattr(step, kind), kind)
        for ask in step.asks:
            yield from _name_problems(f"{step.id}.asks", ask.text, "asks")


def _name_problems(path: str, name: Name, kind: str) -> Iterator[str]:
    for language in LANGUAGES:
        text = getattr(name, language)
        if not text or text != text.strip() or "  " in text or "\n" in text:  # no-break spaces are French
            yield f"{path}.{language}: empty, or with a space too many"
        if len(text) > MAX_LENGTHS[kind]:
            yield f"{path}.{language}: {len(text)} letters, at most {MAX_LENGTHS[kind]}"
        if kind in ("text", "praise", "asks", "scene") and language != "en" and text == name.en:
            yield f"{path}.{language}: not translated"


def _script_problems(game: Game, script: ScriptedGame) -> Iterator[str]:
    """Yield the problems that a guide or an example may have: its game, its promise, and the rules that it names."""
    if script.game != game.key:
        yield f"game: {script.game!r} is not {game.key!r}"
    yield from _name_problems("promise", script.promise, "promise")
    pages = {}
    for language in LANGUAGES:
        file = game.folder / "pages" / f"rules.{language}.md"
        if file.exists():
            pages[language] = set(re.findall(r"\*\*([A-Z]\d+)\*\*", file.read_text("utf-8")))
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
    """A path through a guide, played so far: the learner's moves, and the seats that have moved."""

    position: Position
    moves: tuple[Move, ...]
    seats_moved: frozenset[int | None]

    def on(self, move: Move, *, own: bool) -> "_Path":
        position = self.position.copy()
        position.play(move)
        moves = (*self.moves, move) if own else self.moves
        return _Path(position, moves, self.seats_moved | {self.position.seat})

    def __str__(self) -> str:
        return f"after {'; '.join(move.text for move in self.moves) or 'nothing'}"


def _path_problems(game: Game, guide: Guide) -> Iterator[str]:
    """Play every path through the guide, then the first one as a learner would, and yield the problems."""
    try:
        paths = [_Path(guide.start(game), (), frozenset())]
        for step in guide.steps:
            paths = [_play_scripted(step, path, (*step.before, *step.moves)) for path in paths]
            for ask in step.asks:
                options = [(path, move) for path in paths for move in _accepted_moves(guide, step, ask, path)]
                for beginning in ask.accept:
                    if not any(Task(ask.text, (beginning,)).accepts(move) for _, move in options):
                        raise GuideError(f"{step.id}, {paths[0]}: no legal move begins with {beginning!r}")
                paths = _merge_paths([path.on(move, own=True) for path, move in options])
                if len(paths) > MAX_PATHS:
                    raise GuideError(f"{step.id}: {len(paths)} ways lead through it, more than {MAX_PATHS}")
            paths = [_play_scripted(step, path, step.after) for path in paths]
        for number in range(1, len(guide.steps) + 1):
            move_count = guide.moves_before(number) + len(guide.steps[number - 1].asks)
            play_lesson(game, guide, number, [move.number for move in paths[0].moves[:move_count]])
    except ValueError as error:
        yield str(error)
        return
    for path in paths:
        if unmoved := sorted(seat + 1 for seat in range(len(guide.players)) if seat not in path.seats_moved):
            yield f"{path}: these seats have not moved: {', '.join(map(str, unmoved))}"
            return


def _merge_paths(paths: list[_Path]) -> list[_Path]:
    """Merge paths that have reached the same position."""
    return list({path.position.digest(): path for path in reversed(paths)}.values())[::-1]


def _play_scripted(step: Step, path: _Path, moves: tuple[str, ...]) -> _Path:
    for text in moves:
        move = path.position.move(text)
        if refusal := path.position.why_not(move):
            raise GuideError(f"{step.id}, {path}: {text!r} is not allowed ({refusal.rule}): {refusal.message}")
        path = path.on(move, own=False)
    return path


def _accepted_moves(guide: Guide, step: Step, ask: Task, path: _Path) -> list[Move]:
    """Return the moves that a task accepts, the one to show first. Raise GuideError if there is none."""
    if path.position.seat != guide.seat - 1:
        raise GuideError(f"{step.id}, {path}: it is not the learner who decides")
    moves = ask.choose(path.position.legal_moves)
    if not moves:
        raise GuideError(f"{step.id}, {path}: no legal move begins with {' or '.join(map(repr, ask.accept))}")
    return moves
