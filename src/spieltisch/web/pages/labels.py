"""Visible and spoken labels of the words of a move in the move tree."""

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
    """Return the context of `tree.html` in addition to the tree.

    `chip` draws a word, `spoken` returns the whole text of a node.
    """

    def chip(word: MoveWord) -> Markup:
        return pages.word_html(game, words.language, word.icon, words.say(word.label, names))

    def spoken(node: MoveNode) -> str:
        return " ".join(words.say(word.label, names) for word in node.path)

    return {"chip": chip, "spoken": spoken}
