"""How the words of a move are shown in the word tree, and how they are spoken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from spieltisch.core.game import Game
from spieltisch.core.moves import MoveWord
from spieltisch.core.words import Words
from spieltisch.web.pages.move_tree import MoveNode
from spieltisch.web.pages.renderer import Renderer


def labels(pages: Renderer, game: Game, words: Words, names: Sequence[str]) -> dict[str, Any]:
    """What `move_tree.html` needs besides the tree: `chip` draws a word, `spoken` says a branch in whole."""

    def chip(word: MoveWord) -> Markup:
        return pages.word_html(game, words.language, word.icon, words.say(word.label, names))

    def spoken(branch: MoveNode) -> str:
        return " ".join(words.say(word.label, names) for word in branch.path)

    return {"chip": chip, "spoken": spoken}
