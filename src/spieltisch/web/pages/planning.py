"""The page on which a person plans their next turn, and what they see of their plans at the table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from spieltisch.core.moves import MoveWord
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, Name, Words
from spieltisch.store.plans import StoredPlan
from spieltisch.tables import Table, TableRefusal, refusals
from spieltisch.tables.planning import PlanDraft, draft
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.web.pages.boards import render_boards
from spieltisch.web.pages.labels import labels
from spieltisch.web.pages.move_tree import legal_tree, tree
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.renderer import Renderer

PAGE_CODES = (RefusalCode.OWN_TURN, RefusalCode.NO_TURN, RefusalCode.BOT_SUBSTITUTE)
"""Why nothing can be planned just now: the page says so, and still shows what is planned."""
CUT_CODES = (RefusalCode.ILLEGAL, RefusalCode.UNKNOWN_MOVE, RefusalCode.TOO_MANY_MOVES)
"""Why a turn can be planned only up to some move."""


class DraftState(NamedTuple):
    """A turn as far as it can be planned, and what is against the rest of it."""

    draft: PlanDraft | None
    problem: TableRefusal | None = None


class PlanRow(NamedTuple):
    """A plan as it is listed: its moves in words, and the words of its condition."""

    kept: StoredPlan
    moves: tuple[tuple[Message | Name, ...], ...]
    condition: tuple[Message | Name | str, ...]


def draft_state(table: Table, person: str | None, moves: Sequence[str]) -> DraftState:
    """The turn that is planned, or its beginning, up to what is against it. Raises `TableRefusal` as `draft`, but for
    what the page tells.
    """
    problem: TableRefusal | None = None
    for many in range(len(moves), -1, -1):
        try:
            return DraftState(draft(table, person, moves[:many]), problem)
        except TableRefusal as refusal:
            if refusal.code in PAGE_CODES:
                return DraftState(None, refusal)
            if refusal.code not in CUT_CODES:
                raise
            problem = problem or refusal
    raise refusals.not_running()  # a turn without any move is refused otherwise


def plan_owner(table: Table, perspective: Perspective, person: str | None) -> str:
    """Whose plans this visitor may see here: their own, in a seat of theirs alone; "" for nobody's."""
    alone = perspective.seat is not None and not perspective.device_seats and table.seat_of(person) == perspective.seat
    return person or "" if alone else ""


def plans(pages: Renderer, table: Table, language: str, kept: Sequence[StoredPlan]) -> str:
    """What the table page shows somebody of their own plans."""
    if table.setup is None:
        return ""
    context = split_plans(table, kept)
    marks = pages.marks(table.game, table.setup)
    return pages.render("plans.html", language, table.game, table.names, marks=marks, **context)


def split_plans(table: Table, kept: Sequence[StoredPlan]) -> dict[str, Any]:
    """Plans that wait, and those that were settled."""
    assert table.setup is not None  # noqa: S101  # plans are made in a running game
    shown = [_shown(table.setup, one) for one in kept]
    return {
        "waiting": [one for one in shown if one.kept.outcome is None],
        "settled": [one for one in shown if one.kept.outcome is not None],
    }


def context(pages: Renderer, table: Table, seat: int, language: str, found: DraftState) -> dict[str, Any]:
    """What the page of planning shows of the imagined position, and what may be planned next."""
    words = pages.words(language, table.game)
    position = found.draft.position if found.draft is not None else table.position
    assert position is not None  # noqa: S101  # only running games are planned
    seen = position.observe(seat)
    steps = found.draft.steps if found.draft is not None else ()
    open_still = found.draft is not None and not found.draft.over
    return {
        "seen": seen,
        "names": table.names,
        "marks": pages.marks(table.game, table.setup),
        "draft": found.draft,
        "problem": found.problem,
        "steps": [(position.words(step.move), step) for step in steps],
        "moves": "\n".join(step.move.text for step in steps),
        "shorter": "\n".join(step.move.text for step in steps[:-1]),
        "prompt": table.game.prompt(seen) if open_still else None,
        "tree": legal_tree(position) if open_still else {},
        "other_seats": [one for one in table.seats if one.number != seat],
        "deeds": [(word.text, words.say(word.label, table.names)) for word in _words(position.setup)[0]],
        "things": _named(words, table, _words(position.setup)[1]),
        **labels(pages, table.game, words, table.names),
        **render_boards(pages, table.game, table.names, seen, words, (), ended=False),
    }


def _shown(setup: Setup, kept: StoredPlan) -> PlanRow:
    moves = tuple(tuple(word.label for word in setup.words(move)) for move in kept.planned.moves)
    wanted = kept.planned.condition
    return PlanRow(kept, moves, () if wanted is None else _said(setup, wanted.words))


def _said(setup: Setup, words: str) -> tuple[Message | Name | str, ...]:
    """The words of a condition as people read them, where they were chosen from the lists of the page."""
    deeds, things = _words(setup)
    for deed in deeds:
        if words == deed.text:
            return (deed.label,)
        rest = words.removeprefix(f"{deed.text} ")
        for thing in things:
            if rest == thing.text:
                return deed.label, thing.label
    return (words,)


@lru_cache(maxsize=32)
def _words(setup: Setup) -> tuple[tuple[MoveWord, ...], tuple[MoveWord, ...]]:
    """The words with which moves begin, and the others."""
    first = tree(setup, setup.moves)
    rest = {word.text: word for move in setup.moves for word in setup.words(move)[1:]}
    return tuple(branch.word for branch in first.values()), tuple(rest.values())


def _named(words: Words, table: Table, things: Sequence[MoveWord]) -> list[tuple[str, str]]:
    """Each of the things once, by what it is called; the shortest of its texts stands in them all."""
    found: dict[str, str] = {}
    for thing in sorted(things, key=lambda one: -len(one.text)):
        found[words.say(thing.label, table.names)] = thing.text
    return sorted(((text, label) for label, text in found.items()), key=lambda one: one[1].casefold())
