"""A worked example on a page: a step is in the address alone, so that each can be sent."""

from __future__ import annotations

from spieltisch.core.game import Game
from spieltisch.core.words import message
from spieltisch.guides.example import Shown, examples, show
from spieltisch.web.http.refusals import PageRefusal, no_page
from spieltisch.web.pages.drawn import drawn
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.templates import Pages


def shown_at(game: Game, name: str, at: int) -> Shown:
    """A step (from 1) of the example of this name. Raises PageRefusal 404."""
    example = examples(game).get(name)
    if example is None:
        raise no_page()
    if not 1 <= at <= len(example.steps):
        raise PageRefusal(404, "no-step", message("This example has {count} steps.", count=len(example.steps)))
    return show(game, example, at)


def step(pages: Pages, game: Game, name: str, shown: Shown, language: str) -> str:
    """A step as a fragment: the words, the board, and what has happened."""
    words = pages.words(language, game)
    example, position = shown.example, shown.position
    seen = position.observe(example.seat - 1)
    last = [told.move for told in shown.told[shown.fresh :] if told.shown]
    known = list(examples(game))
    following = known[known.index(name) + 1 :]
    address = f"/games/{game.key}/examples"
    return pages.render(
        "example_step.html",
        language,
        game,
        example.players,
        marks=pages.marks(game, position.setup),
        start=example,
        shown=shown,
        here=f"{address}/{name}",
        another=(f"{address}/{following[0]}", examples(game)[following[0]].title) if following else None,
        perspective=Perspective(example.seat - 1, host=False),
        seen=seen,
        told=shown.told,
        fresh=shown.fresh,
        rules_page=f"/games/{game.key}/rules",
        **drawn(pages, game, example.players, seen, words, last, ended=position.over),
    )
