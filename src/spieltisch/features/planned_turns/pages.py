"""The page on which a person plans their next turn, and their plans on the table page."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from spieltisch.core.moves import MoveWord
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, Name, Words
from spieltisch.features.planned_turns.commands import PlanDraft, draft
from spieltisch.features.planned_turns.rows import StoredPlan
from spieltisch.features.planned_turns.service import TOPIC, Planner
from spieltisch.live import Live
from spieltisch.tables import Table, TableRefusal, refusals
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.web.http.sessions import Visitor
from spieltisch.web.pages.boards import render_boards
from spieltisch.web.pages.move_tree import labels, legal_tree, tree
from spieltisch.web.pages.perspectives import Perspective, topic
from spieltisch.web.pages.renderer import Renderer
from spieltisch.web.pages.topics import TopicState

PAGE_CODES = (RefusalCode.OWN_TURN, RefusalCode.NO_TURN, RefusalCode.BOT_SUBSTITUTE)
"""Reasons why nothing can be planned now; the page shows them together with the existing plans."""
CUT_CODES = (RefusalCode.ILLEGAL, RefusalCode.UNKNOWN_MOVE, RefusalCode.TOO_MANY_MOVES)
"""Reasons why only the beginning of a turn can be planned."""


class DraftState(NamedTuple):
    """A turn as far as it can be planned, and the refusal of the rest."""

    draft: PlanDraft | None
    problem: TableRefusal | None = None


class PlanRow(NamedTuple):
    """A plan in the list: its moves and the words of its condition."""

    stored: StoredPlan
    moves: tuple[tuple[Message | Name, ...], ...]
    condition: tuple[Message | Name | str, ...]


def draft_state(table: Table, person: str | None, moves: Sequence[str]) -> DraftState:
    """Return the planned turn up to the first move that is refused.

    Raise TableRefusal as `draft`, except for reasons that the page shows.
    """
    refused: TableRefusal | None = None
    for move_count in range(len(moves), -1, -1):
        try:
            return DraftState(draft(table, person, moves[:move_count]), refused)
        except TableRefusal as refusal:
            if refusal.code in PAGE_CODES:
                return DraftState(None, refusal)
            if refusal.code not in CUT_CODES:
                raise
            refused = refused or refusal
    raise refusals.not_running()  # a turn without any move is refused otherwise


def plan_owner(table: Table, perspective: Perspective, person: str | None) -> str:
    """Return the person whose plans this visitor may see here: their own, if the seat is theirs alone; else ""."""
    is_alone = (
        perspective.seat is not None and not perspective.device_seats and table.seat_of(person) == perspective.seat
    )
    return person or "" if is_alone else ""


class PlanPages:
    """Renders a person's plans for the table page."""

    def __init__(self, live: Live, pages: Renderer) -> None:
        self._planner = live.service(Planner)
        self._pages = pages

    async def state(self, table: Table, perspective: Perspective, visitor: Visitor, known: int) -> TopicState | None:
        """Return the plans of this visitor; None without a seat to plan for."""
        if not (person := plan_owner(table, perspective, visitor.person_id)):
            return None
        version = self._planner.version(table.id, person)  # before they are read: what is new comes next
        if version <= known:
            return None
        if table.setup is None:
            return TopicState(version, "\n", 0)
        plans = split_plans(table, await self._planner.plans_of(table.id, person))
        return TopicState(version, self._render("plans.html", table, visitor, **plans) or "\n", 0)

    async def section(self, table: Table, perspective: Perspective, visitor: Visitor) -> str:
        """Return the section of the table page with the plans of this visitor."""
        if (plans := await self.state(table, perspective, visitor, -1)) is None:
            return ""
        return self._render("section.html", table, visitor, topic=f"{TOPIC}{topic(table, perspective)}", plans=plans)

    def _render(self, template: str, table: Table, visitor: Visitor, **context: Any) -> str:
        marks = self._pages.marks(table.game, table.setup)
        name, language = f"planned_turns/{template}", visitor.language
        return self._pages.render(name, language, table.game, table.names, marks=marks, **context)


def split_plans(table: Table, stored: Sequence[StoredPlan]) -> dict[str, Any]:
    """Return pending and settled plans."""
    assert table.setup is not None  # noqa: S101  # plans are made in a running game
    rows = [_plan_row(table.setup, plan) for plan in stored]
    return {
        "waiting": [row for row in rows if row.stored.outcome is None],
        "settled": [row for row in rows if row.stored.outcome is not None],
    }


def context(pages: Renderer, table: Table, seat: int, language: str, state: DraftState) -> dict[str, Any]:
    """Return the context of the planning page: the imagined position, and the moves that may be planned next."""
    words = pages.words(language, table.game)
    position = state.draft.position if state.draft is not None else table.position
    assert position is not None  # noqa: S101  # only running games are planned
    observation = position.observe(seat)
    steps = state.draft.steps if state.draft is not None else ()
    is_open = state.draft is not None and not state.draft.is_over
    return {
        "seen": observation,
        "names": table.names,
        "marks": pages.marks(table.game, table.setup),
        "draft": state.draft,
        "problem": state.problem,
        "steps": [(position.words(step.move), step) for step in steps],
        "moves": "\n".join(step.move.text for step in steps),
        "shorter": "\n".join(step.move.text for step in steps[:-1]),
        "prompt": table.game.prompt(observation) if is_open else None,
        "tree": legal_tree(position) if is_open else {},
        "other_seats": [other for other in table.seats if other.number != seat],
        "planned_moves": [
            (word.text, words.say(word.label, table.names)) for word in _first_and_other_words(position.setup)[0]
        ],
        "things": _shortest_texts(words, table, _first_and_other_words(position.setup)[1]),
        **msgspec.structs.asdict(labels(pages, table.game, words, table.names)),
        **render_boards(pages, table.game, table.names, observation, words, (), ended=False),
    }


def _plan_row(setup: Setup, stored: StoredPlan) -> PlanRow:
    moves = tuple(tuple(word.label for word in setup.words(move)) for move in stored.planned.moves)
    condition = stored.planned.condition
    return PlanRow(stored, moves, () if condition is None else _condition_labels(setup, condition.words))


def _condition_labels(setup: Setup, words: str) -> tuple[Message | Name | str, ...]:
    """Return the words of a condition as labels if they were chosen from the lists of the page."""
    first_words, other_words = _first_and_other_words(setup)
    for first_word in first_words:
        if words == first_word.text:
            return (first_word.label,)
        rest = words.removeprefix(f"{first_word.text} ")
        for other_word in other_words:
            if rest == other_word.text:
                return first_word.label, other_word.label
    return (words,)


@lru_cache(maxsize=32)
def _first_and_other_words(setup: Setup) -> tuple[tuple[MoveWord, ...], tuple[MoveWord, ...]]:
    """Return the words with which moves begin, and all others."""
    first = tree(setup, setup.moves)
    rest = {word.text: word for move in setup.moves for word in setup.words(move)[1:]}
    return tuple(node.word for node in first.values()), tuple(rest.values())


def _shortest_texts(words: Words, table: Table, pieces: Sequence[MoveWord]) -> list[tuple[str, str]]:
    """Return each label once, with the shortest move text that has it."""
    text_by_label: dict[str, str] = {}
    for piece in sorted(pieces, key=lambda word: -len(word.text)):
        text_by_label[words.say(piece.label, table.names)] = piece.text
    return sorted(((text, label) for label, text in text_by_label.items()), key=lambda pair: pair[1].casefold())
