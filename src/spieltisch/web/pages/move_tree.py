"""The legal moves as a tree of their words, and what stands beside them but is off.

The page walks this tree word by word. Words that some move has at a place in the tree, but no legal one, are shown
too when they are few; a click on them asks for the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from spieltisch.core.errors import Refusal
from spieltisch.core.moves import Move, MoveWord
from spieltisch.core.position import Position
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, message
from spieltisch.tables import Table, refusals
from spieltisch.web.http.refusals import PageRefusal

MAX_BLOCKED: Final = 12
"""Off words are shown only where there are at most this many words in all: six companies, yes; two hundred hexes, no.
"""

MOST_REASONS: Final = 6
"""At a place where no company may build each of the six may have a reason of its own."""


@dataclass
class MoveNode:
    """A word, and the words that may follow it. `move` is the text of the move that ends here, "" when none does, and
    `note` what the game says of it.
    """

    word: MoveWord
    path: tuple[MoveWord, ...]
    move: str = ""
    hint: Message | None = None
    blocked: bool = False
    children: dict[str, MoveNode] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The words up to here as they stand in a move."""
        return " ".join(word.text for word in self.path)

    @property
    def move_count(self) -> int:
        """How many moves there are from here on."""
        return bool(self.move) + sum(branch.move_count for branch in self.children.values())


def tree(setup: Setup, moves: Iterable[Move], position: Position | None = None) -> dict[str, MoveNode]:
    """The moves by their words, in every order in which they may be chosen; a branch keeps the order of the moves'
    numbers. With the `position` in which they are legal there are notes on the moves.
    """
    roots: dict[str, MoveNode] = {}
    for move in moves:
        note = position.hint(move) if position is not None else None
        for words in setup.phrasings(move):
            level = roots
            for index, word in enumerate(words):
                branch = level.setdefault(word.text, MoveNode(word, words[: index + 1]))
                level = branch.children
            branch.move, branch.hint = move.text, note
    return roots


def legal_tree(position: Position) -> dict[str, MoveNode]:
    """The tree of the legal moves with their notes, and with what is off beside them."""
    legal = tree(position.setup, position.legal_moves, position)
    _add_blocked(legal, _full_tree(position.setup))
    return legal


@lru_cache(maxsize=32)
def _full_tree(setup: Setup) -> dict[str, MoveNode]:
    return tree(setup, setup.moves)


def _add_blocked(legal: dict[str, MoveNode], whole: dict[str, MoveNode]) -> None:
    if len(whole) <= MAX_BLOCKED:
        for text, branch in whole.items():
            if text not in legal:
                legal[text] = MoveNode(branch.word, branch.path, blocked=True)
        order = {text: number for number, text in enumerate(whole)}
        for text in sorted(legal, key=order.__getitem__):
            legal[text] = legal.pop(text)
    for text, branch in legal.items():
        if not branch.blocked:
            _add_blocked(branch.children, whole[text].children)


def reasons(position: Position, words: Sequence[str], place: str, seat: int | None) -> list[Refusal]:
    """Why there is no legal move that starts with these words (and names this place): the commonest reasons first,
    each sentence once.

    Empty when there is such a move. Raises PageRefusal 422 when the game has none at all there.
    """
    found_there = moves_at(position.setup, words, place)
    if not found_there:
        raise PageRefusal(422, "unknown-move", message("No move of this game goes there."))
    counted: Counter[str] = Counter()
    found: dict[str, Refusal] = {}
    for move in found_there:
        refusal = position.why_not(move, seat)
        if refusal is None:
            return []
        counted[refusal.rule] += 1
        found.setdefault(str(refusal.message), refusal)
        if refusal.rule in ("turn", "over"):
            return [refusal]
    return sorted(found.values(), key=lambda refusal: -counted[refusal.rule])[:MOST_REASONS]


def why_blocked(table: Table, seat: int | None, words: Sequence[str], place: str) -> list[Refusal]:
    """The `reasons` at a table, for who asks from this seat. Only who is to decide learns more than that it is not
    their turn. Raises TableRefusal not-running, and as `reasons`.
    """
    if table.position is None:
        raise refusals.not_running()
    if seat is None or seat != table.to_decide:
        return [refusals.NOT_YOUR_TURN] if table.to_decide is not None else []
    return reasons(table.position, words, place, seat)


def moves_at(setup: Setup, words: Sequence[str], place: str) -> list[Move]:
    """The moves of the whole space that start with these words and, if a place is given, name it; where no move does
    both, those that name the place.
    """
    begin = " ".join(words)
    found = [
        (_starts(chain, begin), move)
        for move, chain in _worded(setup)
        if not place or any(word.element_id == place for word in chain)
    ]
    starting = [move for starts, move in found if starts]
    return list(dict.fromkeys(starting or ([move for _, move in found] if place else [])))


def _starts(chain: Sequence[MoveWord], begin: str) -> bool:
    """Whether some of the first words, one of which may hold a space, make up this text."""
    text = ""
    for word in chain:
        if len(text) >= len(begin):
            break
        text = f"{text} {word.text}".strip()
    return text == begin


@lru_cache(maxsize=32)
def _worded(setup: Setup) -> list[tuple[Move, tuple[MoveWord, ...]]]:
    return [(move, words) for move in setup.moves for words in setup.phrasings(move)]
