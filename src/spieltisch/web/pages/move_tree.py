"""The legal moves as a tree of their words, together with blocked words.

The page walks this tree word by word. Words that some move has at a place in the tree, but no legal one, are shown too
if they are few; a click on one asks for the reason.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final
from zlib import crc32

import msgspec
from markupsafe import Markup

from spieltisch.core.errors import Refusal
from spieltisch.core.game import Game
from spieltisch.core.moves import Move, MoveWord
from spieltisch.core.observation import Observation
from spieltisch.core.position import Position
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, Words, message
from spieltisch.tables import Table, refusals
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.pages.renderer import Renderer

MAX_BLOCKED: Final = 12
"""Blocked words are shown only where there are at most this many words in all: six companies, not two hundred hexes."""

MAX_REASONS: Final = 6
"""Maximum number of reasons shown: at a place where no company may build, each of the six may have its own."""


@dataclass
class MoveNode:
    """A word, and the words that may follow it.

    `move` is the text of the move that ends here, "" if none does, `hint` the game's hint on it or on the word, `gain`
    the points that its seat is known to gain, and `moves` those that begin with these words.
    """

    word: MoveWord
    path: tuple[MoveWord, ...]
    move: str = ""
    hint: Message | None = None
    gain: int = 0
    is_blocked: bool = False
    moves: list[Move] = field(default_factory=list)
    children: "dict[str, MoveNode]" = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The words up to here as the text of a move."""
        return " ".join(word.text for word in self.path)

    @property
    def move_count(self) -> int:
        """The number of moves from here on."""
        return bool(self.move) + sum(child.move_count for child in self.children.values())


def tree(setup: Setup, moves: Iterable[Move], position: Position | None = None) -> dict[str, MoveNode]:
    """Return the moves by their words, in every order in which these may be chosen.

    Children are in the order of the moves' numbers. The `position` in which the moves are legal adds hints and gains.
    """
    roots: dict[str, MoveNode] = {}
    for move in moves:
        hint = position.hint(move) if position is not None else None
        gain = _gain(position, move) if position is not None else 0
        for words in setup.phrasings(move):
            nodes = roots
            for index, word in enumerate(words):
                node = nodes.setdefault(word.text, MoveNode(word, words[: index + 1]))
                node.moves.append(move)
                nodes = node.children
            node.move, node.hint, node.gain = move.text, hint, gain
    if position is not None:
        _add_word_hints(setup.game, position.observe(position.seat), roots)
    return roots


def _add_word_hints(game: Game, observation: Observation, nodes: dict[str, MoveNode]) -> None:
    for node in nodes.values():
        if node.children:
            if not node.move:
                node.hint = game.word_hint(observation, node.moves)
            _add_word_hints(game, observation, node.children)


def _gain(position: Position, move: Move) -> int:
    """Return the points that the seat is known to gain by a legal move."""
    points = (event for event in position.known_effects(move) if event.kind == "points")
    return sum(event.numbers[0] for event in points if event.seat == position.seat)


def legal_tree(position: Position) -> dict[str, MoveNode]:
    """Return the tree of the legal moves with their hints, together with blocked words.

    A choice that belongs to no turn has none of these: what cannot be chosen then belongs to other decisions.
    """
    legal = tree(position.setup, position.legal_moves, position)
    if not position.setup.game.between_turns(position.observe(None)):
        _add_blocked(legal, _full_tree(position.setup))
    drawing = position.setup.game.drawing
    _sort_by_gain({kind: legal[kind] for kind in drawing.moves_by_gain if kind in legal} if drawing else {})
    return legal


def _sort_by_gain(nodes: Mapping[str, MoveNode]) -> None:
    """Sort the last words of moves: those that gain most first, then those that have any effect to tell."""
    for node in nodes.values():
        _sort_by_gain(node.children)
        if not any(child.children for child in node.children.values()):
            by_gain = sorted(node.children.items(), key=lambda item: (-item[1].gain, item[1].hint is None))
            node.children = dict(by_gain)


def add_any(nodes: dict[str, MoveNode], position: Position, table_id: str) -> None:
    """Add a button for any of the moves, if the game has one: always the same for a decision at a table."""
    label = position.setup.game.any_choice(position.observe(position.seat))
    if label is None:
        return
    moves = position.legal_moves
    move = moves[crc32(f"{table_id} {position.number}".encode()) % len(moves)]
    *before, last = position.words(move)
    for word in before:
        nodes = nodes[word.text].children
    word = MoveWord("any", label, question=last.question)
    nodes[word.text] = MoveNode(word, (*before, word), move=move.text)


@lru_cache(maxsize=32)
def _full_tree(setup: Setup) -> dict[str, MoveNode]:
    return tree(setup, setup.moves)


def _add_blocked(legal: dict[str, MoveNode], full: dict[str, MoveNode]) -> None:
    if len(full) <= MAX_BLOCKED:
        for text, node in full.items():
            if text not in legal:
                legal[text] = MoveNode(node.word, node.path, is_blocked=True)
        order = {text: number for number, text in enumerate(full)}
        for text in sorted(legal, key=order.__getitem__):
            legal[text] = legal.pop(text)
    for text, node in legal.items():
        if not node.is_blocked:
            _add_blocked(node.children, full[text].children)


def reasons(position: Position, words: Sequence[str], place: str, seat: int | None) -> list[Refusal]:
    """Return why no legal move starts with these words (and names this place): the most frequent reasons, each once.

    Of a place those of `Reasons.general_rules` are told only if there is no other.

    Empty if there is such a move. Raise PageRefusal 422 if the game has no such move at all.
    """
    moves = moves_at(position.setup, words, place)
    if not moves:
        raise PageRefusal(422, "unknown-move", message("No move matches this."))
    counts: Counter[str] = Counter()
    refusal_by_text: dict[str, Refusal] = {}
    for move in moves:
        refusal = position.why_not(move, seat)
        if refusal is None:
            return []
        counts[refusal.rule] += 1
        refusal_by_text.setdefault(str(refusal.message), refusal)
        if refusal.rule in ("turn", "over"):
            return [refusal]
    rules = [refusal.rule for refusal in refusal_by_text.values()]
    general = [rule for rule in position.setup.game.reasons.general_rules if place and rule in rules]
    told = set(rules) - set(general) or {general[0]}
    refusals = [refusal for refusal in refusal_by_text.values() if refusal.rule in told]
    return sorted(refusals, key=lambda refusal: -counts[refusal.rule])[:MAX_REASONS]


def why_blocked(table: Table, seat: int | None, words: Sequence[str], place: str) -> list[Refusal]:
    """Return the `reasons` at a table for this seat.

    Only the seat to decide learns more than that it is not its turn. Raise TableRefusal not-running, and as `reasons`.
    """
    if table.position is None:
        raise refusals.not_running()
    if seat is None or seat != table.to_decide:
        return [refusals.NOT_YOUR_TURN] if table.to_decide is not None else []
    return reasons(table.position, words, place, seat)


def moves_at(setup: Setup, words: Sequence[str], place: str) -> list[Move]:
    """Return all moves, legal or not, that start with these words and name the place, if one is given.

    If no move does both, return those that name the place.
    """
    prefix = " ".join(words)
    matches = [
        (_begin_with(move_words, prefix), move)
        for move, move_words in _phrasings(setup)
        if not place or any(word.element_id == place for word in move_words)
    ]
    starting = [move for is_start, move in matches if is_start]
    return list(dict.fromkeys(starting or ([move for _, move in matches] if place else [])))


def _begin_with(move_words: Sequence[MoveWord], prefix: str) -> bool:
    """Return True if the first words, each of which may contain a space, form this text."""
    text = ""
    for word in move_words:
        if len(text) >= len(prefix):
            break
        text = f"{text} {word.text}".strip()
    return text == prefix


@lru_cache(maxsize=32)
def _phrasings(setup: Setup) -> list[tuple[Move, tuple[MoveWord, ...]]]:
    return [(move, words) for move in setup.moves for words in setup.phrasings(move)]


class MoveLabels(msgspec.Struct, frozen=True):
    """The variables of `move_tree.html` in addition to the tree.

    `chip` draws a word, `spoken` returns the whole text of a node, `grid_moves` are the kinds chosen in a grid.
    """

    chip: Callable[[MoveWord], Markup]
    spoken: Callable[[MoveNode], str]
    grid_moves: Mapping[str, tuple[Message, Message]]


def labels(pages: Renderer, game: Game, words: Words, names: Sequence[str]) -> MoveLabels:
    """Return what shows the words of a game's moves with these players' names."""

    def chip(word: MoveWord) -> Markup:
        return pages.word_html(game, words.language, word.icon, words.say(word.label, names))

    def spoken(node: MoveNode) -> str:
        return " ".join(words.say(word.label, names) for word in node.path)

    return MoveLabels(chip, spoken, game.drawing.grid_moves if game.drawing else {})
