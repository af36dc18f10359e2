"""Planned turns: while others play, a seat plans what it does when its turn comes, and under which condition.

A plan is made on an imagined position: what the seat sees now, as if its turn began. When the turn comes, the first
plan whose condition holds is tried on what the seat sees then, and played only if every move of it may be played and
brings what it brought when it was planned. Nothing here reads more than the seat may know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from spieltisch.core.errors import UnknownMove
from spieltisch.core.events import GameEvent as GameEvent
from spieltisch.core.moves import Move
from spieltisch.core.net_changes import net_changes
from spieltisch.core.position import Position
from spieltisch.core.previews import Preview, reveals_to_mover, reveals_to_viewer
from spieltisch.core.words import Message, message
from spieltisch.tables import preconditions, refusals
from spieltisch.tables.events import Event
from spieltisch.tables.playing import LONGEST_MOVE, move_event
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.tables.refusals import TableRefusal
from spieltisch.tables.seating import after_events
from spieltisch.tables.table import Table

MOST_MOVES: Final = 30
"""In one plan."""
MOST_IMAGINED: Final = 100
"""Moves of the others until it is the turn of who plans."""

ExpectedGains = tuple[tuple[int, int], ...]
"""What a move brings its seat: things by their numbers, and points, as `POINTS`; how many more."""
POINTS: Final = -1


class Condition(msgspec.Struct, frozen=True):
    """That a seat has played a move with these words, in this order, since the plan was made."""

    seat: int
    words: str


class PlannedTurn(msgspec.Struct, frozen=True, rename={"expected_gains": "brings", "made_after": "at"}):
    """What a seat plans after the first `at` moves of the game: its moves, what each of them brought in imagination,
    whether a condition has to hold (None: none), and whether it is played `always`, whatever came to light meanwhile.
    """

    seat: int
    made_after: int
    moves: tuple[str, ...]
    expected_gains: tuple[ExpectedGains, ...]
    condition: Condition | None = None
    always: bool = False


class DraftStep(NamedTuple):
    """A planned move, its preview, what it brings, and whether it shows its seat something new."""

    move: Move
    preview: Preview
    brings: ExpectedGains
    reveals: bool


class PlanDraft(NamedTuple):
    """A turn as far as it is planned: its steps, the position that they lead to, whether the turn is over there, and
    what it has come to.
    """

    steps: tuple[DraftStep, ...]
    position: Position
    over: bool
    turn_summary: tuple[Message, ...]


class PlanResult(NamedTuple):
    """What became of a plan: the events of its moves, none where it was dropped, and what its owner is told."""

    events: tuple[Event, ...]
    outcome: Message


UNDONE: Final = message("Your plan was dropped: something was taken back at the table.")
NONE_HELD: Final = message("None of your plans was played: no condition holds.")
_PLAYED: Final = message("Your plan was played.")
_NEWS: Final = message("You have seen something that you could not know when you planned.")
_SHOWN: Final = message("It has shown you something new.")


def require_planning_seat(table: Table, person: str | None) -> int:
    """The seat for which this person may plan now. Raises `TableRefusal` not-your-seat, not-running, own-turn,
    one-device, stood-in.
    """
    preconditions.require_running(table)
    seat = preconditions.require_own_seat(table, person or "")
    if len(table.seats_on_device(person)) > 1:
        words = message("Several of you play on this device; a plan would not be a secret here.")
        raise TableRefusal(RefusalCode.HOT_SEAT, words)
    if table.acting_bot(seat):
        raise TableRefusal(
            RefusalCode.BOT_SUBSTITUTE, message("A bot plays for you. Say that you are back, and then plan.")
        )
    if table.to_decide == seat:
        raise TableRefusal(RefusalCode.OWN_TURN, message("The decision is yours now: there is nothing to plan."))
    return seat


def draft(table: Table, person: str | None, moves: Sequence[str]) -> PlanDraft:
    """The next turn of this person with these moves, as it might be played if it began now. Raises as `may_plan`, and
    unknown-move, illegal, too-many-moves, no-turn.
    """
    seat = require_planning_seat(table, person)
    if len(moves) > MOST_MOVES:
        words = message("A plan has at most {count} moves.", count=MOST_MOVES)
        raise TableRefusal(RefusalCode.TOO_MANY_MOVES, words)
    position = _begun(table, seat)
    begun, over = position.observe(seat), False
    steps: list[DraftStep] = []
    events: list[GameEvent] = []
    for text in moves:
        if over:
            raise _cannot(text, message("Your turn is over before it."))
        move = _legal(position, text)
        foreseen = position.known_effects(move)
        preview = position.preview(move, seat=seat, since=begun, events=events)
        brought, before = expected_gains(position, move), position.observe(seat)
        played = position.play(move)
        fresh = bool(played.drew) or (_reveals(table) and reveals_to_mover(before, move, position.observe(seat)))
        steps.append(DraftStep(move, preview, brought, fresh))
        events += foreseen
        over = played.ended_decision
    total = tuple(steps[-1].preview.turn_summary) if steps else ()
    return PlanDraft(tuple(steps), position, over, total)


def plan(
    table: Table, person: str | None, moves: Sequence[str], condition: Condition | None = None, *, always: bool = False
) -> PlannedTurn:
    """A plan as it is kept. Raises as `draft`, and no-moves, condition."""
    steps = draft(table, person, moves).steps
    if not steps:
        raise TableRefusal(RefusalCode.NO_MOVES, message("There is no move in this plan yet."))
    seat = require_planning_seat(table, person)
    if condition is not None:
        _check(table, seat, condition)
    texts = tuple(step.move.text for step in steps)
    return PlannedTurn(seat, len(table.moves), texts, tuple(step.brings for step in steps), condition, always)


def planning_seat(table: Table) -> int | None:
    """The seat whose plans are to be looked at now: a turn of its person has come, and no question is open."""
    seat = table.to_decide
    if seat is None or table.seats[seat].kind != "person" or table.acting_bot(seat) or table.undo_asked is not None:
        return None
    return None if table.between_turns(len(table.moves)) else seat


def condition_met(table: Table, planned: PlannedTurn) -> bool:
    """Whether the condition of a plan holds, as far as its seat may know."""
    wanted = planned.condition
    return wanted is None or any(
        play.seat == wanted.seat
        and table.hidden_move_text(play.number, planned.seat) is None
        and _matches(play.move, wanted.words)
        for play in table.moves[planned.made_after :]
    )


def execute_plan(table: Table, planned: PlannedTurn) -> PlanResult:
    """What comes of a plan whose condition holds, now that its seat decides. Nothing that the seat cannot know decides
    on it: the moves are tried where it imagines them, up to the first that shows it something new.
    """
    if not planned.always and _new_since(table, planned):
        return _dropped((), _NEWS)
    imagined = preconditions.require_running(table).observe(planned.seat).imagine(0)
    for number, text in enumerate(planned.moves):
        if why := _against(imagined, planned, number):
            return _dropped((), why)
        before = imagined.observe(planned.seat)
        played = imagined.play(text)
        if played.drew or (_reveals(table) and reveals_to_mover(before, played.move, imagined.observe(planned.seat))):
            break
    events: list[Event] = []
    now = table
    for number, text in enumerate(planned.moves):
        if why := _against(preconditions.require_running(now), planned, number):
            return _dropped(events, why)
        event = move_event(now, planned.seat, text)
        events.append(event)
        now = after_events(now, event)
        if event.revealed and not planned.always and number + 1 < len(planned.moves):
            return _dropped(events, _SHOWN)
    return PlanResult(tuple(events), _PLAYED)


def expected_gains(position: Position, move: Move | str) -> ExpectedGains:
    """What a legal move brings the seat that decides, as far as it can know beforehand."""
    seat, got = position.seat, net_changes(position.setup, position.known_effects(move))
    assert seat is not None  # noqa: S101  # there is a legal move
    things = [(thing, many) for (whose, thing), many in got.things.items() if whose == seat and many]
    return tuple(sorted([*things, *([(POINTS, got.points[seat])] if got.points[seat] else [])]))


def _begun(table: Table, seat: int) -> Position:
    """What the seat sees, as if its turn began. Where that cannot be, the others do as little as they can until it
    does.
    """
    game = table.game
    position = preconditions.require_running(table).observe(seat).imagine(0)
    for _ in range(MOST_IMAGINED):
        state = position.state
        if game.start_turn_of(state, seat):
            return Position.of_twin(position.setup, state, position.number)
        if position.seat == seat and not game.between_turns(position.observe(None)):
            return position
        if position.over:
            break
        position.play(_least(position))
    raise TableRefusal(
        RefusalCode.NO_TURN, message("It cannot be seen from here how your next turn would begin. Plan it later.")
    )


def _least(position: Position) -> Move:
    """The legal move that does least: it ends no game, hands the decision on, and little happens."""

    def done(move: Move) -> tuple[bool, bool, bool, int]:
        trial = position.copy()
        played = trial.play(move, collect_events=True)
        return trial.over, bool(played.drew), not played.ended_decision, len(played.events)

    return min(position.legal_moves, key=done)


def _legal(position: Position, text: str) -> Move:
    """The move, if it may be played there. Raises `TableRefusal` unknown-move, illegal."""
    try:
        move = position.move(text[: LONGEST_MOVE + 1])
    except UnknownMove as problem:
        raise refusals.unknown_move(text) from problem
    refusal = position.why_not(move)
    if refusal is not None:
        raise _cannot(move.text, refusal.message, refusal.rule)
    return move


def _cannot(move: str, why: Message, rule: str = "") -> TableRefusal:
    words = message("“{move}” cannot be played there: {reason}", move=move, reason=why)
    return TableRefusal(RefusalCode.ILLEGAL, words, rule)


def _dropped(events: Sequence[Event], why: Message) -> PlanResult:
    """A plan of which these moves were played, and the others not."""
    if not events:
        return PlanResult((), message("Your plan was dropped. {reason}", reason=why))
    words = message(
        "Your plan was played up to move {number} and then dropped. {reason}", number=len(events), reason=why
    )
    return PlanResult(tuple(events), words)


def _against(position: Position, planned: PlannedTurn, number: int) -> Message | None:
    """Why a planned move is not played in this position; None: nothing is against it."""
    text = planned.moves[number]
    if position.seat != planned.seat:
        return message("Your turn was over then.")
    refusal = position.why_not(text)
    if refusal is not None:
        return message("Move {number} of it cannot be played: {reason}", number=number + 1, reason=refusal.message)
    if expected_gains(position, text) != planned.expected_gains[number]:
        return message("Move {number} of it would not bring what you were shown.", number=number + 1)
    return None


def _new_since(table: Table, planned: PlannedTurn) -> bool:
    """Whether the seat has seen something since the plan was made that no move of the others told it."""
    position, seat = table.position_at(planned.made_after), planned.seat
    return any(_showed(table, position, play.number, seat) for play in table.moves[planned.made_after :])


def _showed(table: Table, position: Position, number: int, seat: int) -> bool:
    """Play the move after the first `number` in this position; whether it showed the seat something new."""
    play, setup = table.moves[number], position.setup
    before = position.observe(seat)
    position.play(play.move, play.drew)
    if play.seat == seat:
        return play.revealed
    if any(setup.game.draw_visible(setup, number + 1, index, seat) for index in range(len(play.drew))):
        return True
    if not setup.game.has_hidden_information or table.hidden_move_text(number, seat) is not None:
        return False
    return reveals_to_viewer(before, setup.move(play.move), position.observe(seat))


def _reveals(table: Table) -> bool:
    return table.game.has_hidden_information and table.game.moves_reveal


def _check(table: Table, seat: int, condition: Condition) -> None:
    """Raises `TableRefusal` condition for what can never come true, or could not be seen."""
    if not 0 <= condition.seat < len(table.seats) or condition.seat == seat:
        raise TableRefusal(RefusalCode.CONDITION, message("A condition is about what somebody else at the table does."))
    wanted = condition.words[:LONGEST_MOVE]
    if not wanted.split() or table.setup is None or not any(_matches(move.text, wanted) for move in table.setup.moves):
        raise TableRefusal(
            RefusalCode.CONDITION, message("No move of this game has the words “{words}”.", words=wanted[:80])
        )


def _matches(move: str, words: str) -> bool:
    """Whether a move has these words, in this order.

    >>> _matches("build red Lyon", "build Lyon"), _matches("build red Lyon", "Lyon build")
    (True, False)
    """
    found = iter(move.casefold().split())
    return all(word in found for word in words.casefold().split())
