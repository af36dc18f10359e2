"""Planned turns: while others play, a seat plans its next turn, optionally under a condition.

A plan is made on an imagined position: what the seat sees now, as if its turn began. When the turn begins, the first
plan whose condition holds is tried on what the seat sees then. It is played only if every move of it is legal and gains
what it gained when it was planned. Nothing here reads more than the seat may know.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from spieltisch.core.errors import UnknownMove
from spieltisch.core.events import GameEvent
from spieltisch.core.moves import Move
from spieltisch.core.net_changes import net_changes
from spieltisch.core.position import Position
from spieltisch.core.previews import Preview, reveals_to_mover, reveals_to_viewer
from spieltisch.core.words import Message, message
from spieltisch.tables import preconditions, refusals, turns
from spieltisch.tables.events import Event
from spieltisch.tables.playing import MAX_MOVE_LENGTH, move_event
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.tables.refusals import TableRefusal
from spieltisch.tables.seating import after_events
from spieltisch.tables.table import Table

MAX_PLANNED_MOVES: Final = 30
"""The maximum number of moves in a plan."""
MAX_IMAGINED_MOVES: Final = 100
"""The maximum number of imagined moves of the others until the turn of the planning seat."""

ExpectedGains = tuple[tuple[int, int], ...]
"""The gains of a move for its seat: the number of an item, or `POINTS`, and the increase."""
POINTS: Final = -1
"""The key of the points in `ExpectedGains`."""


class Condition(msgspec.Struct, frozen=True):
    """The condition that a seat has played a move with these words, in this order, since the plan was made."""

    seat: int
    words: str


class PlannedTurn(msgspec.Struct, frozen=True):
    """The turn planned by a seat after the first `made_after` moves of the game.

    `moves` are its moves, `expected_gains` what each of them gained in imagination. `condition` must hold (None: no
    condition). `always`: the plan is played whatever has been revealed since.
    """

    seat: int
    made_after: int
    moves: tuple[str, ...]
    expected_gains: tuple[ExpectedGains, ...]
    condition: Condition | None = None
    always: bool = False


class DraftStep(NamedTuple):
    """A planned move, its preview, its gains, and whether it reveals something to its seat."""

    move: Move
    preview: Preview
    gains: ExpectedGains
    reveals: bool


class PlanDraft(NamedTuple):
    """A turn as planned so far: its steps, the position after them, whether the turn is over, and its summary."""

    steps: tuple[DraftStep, ...]
    position: Position
    is_over: bool
    turn_summary: tuple[Message, ...]


class PlanResult(NamedTuple):
    """The result of a plan: the events of its moves, none if it was dropped, and the message to its owner."""

    events: tuple[Event, ...]
    outcome: Message


UNDONE: Final = message("Your plan was dropped: moves were undone at the table.")
NONE_HELD: Final = message("No plan was played: no condition was met.")
_PLAYED: Final = message("Your plan was played.")
_LEARNT: Final = message("You saw something you couldn’t know when you planned.")
_REVEALED: Final = message("The last move showed you something new.")


def require_planning_seat(table: Table, person: str | None) -> int:
    """Return the seat for which this person may plan now.

    Raise `TableRefusal` not-your-seat, not-running, own-turn, hot-seat, bot-substitute.
    """
    preconditions.require_running(table)
    seat = preconditions.require_own_seat(table, person or "")
    if len(table.seats_on_device(person)) > 1:
        words = message("You can’t plan here: others on this device would see it.")
        raise TableRefusal(RefusalCode.HOT_SEAT, words)
    if table.acting_bot(seat):
        raise TableRefusal(
            RefusalCode.BOT_SUBSTITUTE, message("A bot is playing for you. Press “I’m back” before you plan.")
        )
    if table.to_decide == seat:
        raise TableRefusal(RefusalCode.OWN_TURN, message("It’s your turn, so there’s nothing to plan."))
    return seat


def draft(table: Table, person: str | None, moves: Sequence[str]) -> PlanDraft:
    """Return this person's next turn with these moves, as it might be played if it began now.

    Raise as `require_planning_seat`, and unknown-move, illegal, too-many-moves, no-turn.
    """
    seat = require_planning_seat(table, person)
    if len(moves) > MAX_PLANNED_MOVES:
        words = message("Plans may have up to {count} moves.", count=MAX_PLANNED_MOVES)
        raise TableRefusal(RefusalCode.TOO_MANY_MOVES, words)
    position = _imagined_turn_start(table, seat)
    turn_begin, over = position.observe(seat), False
    steps: list[DraftStep] = []
    events: list[GameEvent] = []
    for text in moves:
        if over:
            raise _illegal_move(text, message("Your turn is already over by then."))
        move = _require_legal(position, text)
        known_events = position.known_effects(move)
        preview = position.preview(move, seat=seat, since=turn_begin, events=events)
        gains, observation = expected_gains(position, move), position.observe(seat)
        result = position.play(move)
        reveals = bool(result.drew) or (
            _moves_reveal(table) and reveals_to_mover(observation, move, position.observe(seat))
        )
        steps.append(DraftStep(move, preview, gains, reveals))
        events += known_events
        over = result.ended_decision
    total = tuple(steps[-1].preview.turn_summary) if steps else ()
    return PlanDraft(tuple(steps), position, over, total)


def plan(
    table: Table, person: str | None, moves: Sequence[str], condition: Condition | None = None, *, always: bool = False
) -> PlannedTurn:
    """Return a plan to be stored. Raise as `draft`, and no-moves, condition."""
    steps = draft(table, person, moves).steps
    if not steps:
        raise TableRefusal(RefusalCode.NO_MOVES, message("This plan is empty. Add a move first."))
    seat = require_planning_seat(table, person)
    if condition is not None:
        _require_condition(table, seat, condition)
    texts = tuple(step.move.text for step in steps)
    return PlannedTurn(seat, len(table.moves), texts, tuple(step.gains for step in steps), condition, always)


def planning_seat(table: Table) -> int | None:
    """Return the seat whose plans are due: a turn of its person has begun, and no takeback is requested."""
    seat = table.to_decide
    if seat is None or table.seats[seat].kind != "person" or table.acting_bot(seat) or table.undo_asked is not None:
        return None
    return None if turns.between_turns(table, len(table.moves)) else seat


def is_condition_met(table: Table, planned: PlannedTurn) -> bool:
    """Return True if the condition of a plan holds, as far as its seat may know."""
    condition = planned.condition
    return condition is None or any(
        play.seat == condition.seat
        and table.hidden_move_text(play.number, planned.seat) is None
        and _has_words(play.move, condition.words)
        for play in table.moves[planned.made_after :]
    )


def execute_plan(table: Table, planned: PlannedTurn) -> PlanResult:
    """Return the result of a plan whose condition holds, now that its seat is to decide.

    The outcome depends on nothing that the seat cannot know: the moves are first tried in a position that it imagines,
    up to the first that reveals something to it.
    """
    if not planned.always and _has_learnt(table, planned):
        return _dropped_result((), _LEARNT)
    imagined = preconditions.require_running(table).observe(planned.seat).imagine(0)
    for number, text in enumerate(planned.moves):
        if reason := _obstacle(imagined, planned, number):
            return _dropped_result((), reason)
        observation = imagined.observe(planned.seat)
        result = imagined.play(text)
        if result.drew or (
            _moves_reveal(table) and reveals_to_mover(observation, result.move, imagined.observe(planned.seat))
        ):
            break
    events: list[Event] = []
    current = table
    for number, text in enumerate(planned.moves):
        if reason := _obstacle(preconditions.require_running(current), planned, number):
            return _dropped_result(events, reason)
        event = move_event(current, planned.seat, text)
        events.append(event)
        current = after_events(current, event)
        if event.revealed and not planned.always and number + 1 < len(planned.moves):
            return _dropped_result(events, _REVEALED)
    return PlanResult(tuple(events), _PLAYED)


def expected_gains(position: Position, move: Move | str) -> ExpectedGains:
    """Return the gains of a legal move for the deciding seat, as far as it can know beforehand."""
    seat, changes = position.seat, net_changes(position.setup, position.known_effects(move))
    assert seat is not None  # noqa: S101  # there is a legal move
    gains = [(item, count) for (owner, item), count in changes.pieces.items() if owner == seat and count]
    return tuple(sorted([*gains, *([(POINTS, changes.points[seat])] if changes.points[seat] else [])]))


def _imagined_turn_start(table: Table, seat: int) -> Position:
    """Return what the seat sees, as if its turn began.

    If that is impossible, the others play moves with the least effect until its turn begins.
    """
    game = table.game
    position = preconditions.require_running(table).observe(seat).imagine(0)
    for _ in range(MAX_IMAGINED_MOVES):
        state = position.state
        if game.start_turn_of(state, seat):
            return Position.of_twin(position.setup, state, position.number)
        if position.seat == seat and not game.between_turns(position.observe(None)):
            return position
        if position.is_over:
            break
        position.play(_least_effect(position))
    raise TableRefusal(
        RefusalCode.NO_TURN, message("You can’t plan yet: too much depends on the others. Try again later.")
    )


def _least_effect(position: Position) -> Move:
    """Return the legal move with the least effect: it ends no game, passes the decision on, and causes few events."""

    def effect(move: Move) -> tuple[bool, bool, bool, int]:
        trial = position.copy()
        played = trial.play(move, collect_events=True)
        return trial.is_over, bool(played.drew), not played.ended_decision, len(played.events)

    return min(position.legal_moves, key=effect)


def _require_legal(position: Position, text: str) -> Move:
    """Return the move if it is legal in the position. Raise `TableRefusal` unknown-move, illegal."""
    try:
        move = position.move(text[: MAX_MOVE_LENGTH + 1])
    except UnknownMove as error:
        raise refusals.unknown_move(text) from error
    refusal = position.why_not(move)
    if refusal is not None:
        raise _illegal_move(move.text, refusal.message, refusal.rule)
    return move


def _illegal_move(move: str, reason: Message, rule: str = "") -> TableRefusal:
    words = message("“{move}” can’t be played at that point: {reason}", move=move, reason=reason)
    return TableRefusal(RefusalCode.ILLEGAL, words, rule)


def _dropped_result(events: Sequence[Event], reason: Message) -> PlanResult:
    """Return the result of a plan of which only these moves were played."""
    if not events:
        return PlanResult((), message("Your plan was dropped. {reason}", reason=reason))
    words = message(
        "Your plan was played up to move {number} and then dropped. {reason}", number=len(events), reason=reason
    )
    return PlanResult(tuple(events), words)


def _obstacle(position: Position, planned: PlannedTurn, number: int) -> Message | None:
    """Return the reason not to play a planned move in this position; None if there is none."""
    text = planned.moves[number]
    if position.seat != planned.seat:
        return message("Your turn was already over.")
    refusal = position.why_not(text)
    if refusal is not None:
        return message("Move {number} is not possible: {reason}", number=number + 1, reason=refusal.message)
    if expected_gains(position, text) != planned.expected_gains[number]:
        return message("Move {number} would no longer have the same effect.", number=number + 1)
    return None


def _has_learnt(table: Table, planned: PlannedTurn) -> bool:
    """Return True if, since the plan was made, the seat has seen something beyond the moves of the others."""
    position, seat = table.position_at(planned.made_after), planned.seat
    return any(_play_and_check(table, position, play.number, seat) for play in table.moves[planned.made_after :])


def _play_and_check(table: Table, position: Position, number: int, seat: int) -> bool:
    """Play the move after the first `number` in this position. Return True if it revealed something to the seat."""
    play, setup = table.moves[number], position.setup
    observation = position.observe(seat)
    position.play(play.move, play.drew)
    if play.seat == seat:
        return play.revealed
    if any(setup.game.draw_visible(setup, number + 1, play.seat, index, seat) for index in range(len(play.drew))):
        return True
    if not setup.game.has_hidden_information or table.hidden_move_text(number, seat) is not None:
        return False
    return reveals_to_viewer(observation, setup.move(play.move), position.observe(seat))


def _moves_reveal(table: Table) -> bool:
    return table.game.has_hidden_information and table.game.moves_reveal


def _require_condition(table: Table, seat: int, condition: Condition) -> None:
    """Raise `TableRefusal` condition for a condition that can never hold, or could not be seen."""
    if not 0 <= condition.seat < len(table.seats) or condition.seat == seat:
        raise TableRefusal(RefusalCode.CONDITION, message("A condition must be about another player."))
    words = condition.words[:MAX_MOVE_LENGTH]
    if not words.split() or table.setup is None or not any(_has_words(move.text, words) for move in table.setup.moves):
        raise TableRefusal(RefusalCode.CONDITION, message("No move in this game matches “{words}”.", words=words[:80]))


def _has_words(move: str, words: str) -> bool:
    """Return True if a move contains these words, in this order.

    >>> _has_words("build red Lyon", "build Lyon"), _has_words("build red Lyon", "Lyon build")
    (True, False)
    """
    move_words = iter(move.casefold().split())
    return all(word in move_words for word in words.casefold().split())
