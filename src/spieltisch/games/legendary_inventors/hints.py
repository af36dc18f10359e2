"""Messages for the seat to move: the prompt, the cubes placed, the order of rewards, and the use or loss of a token."""

from collections.abc import Sequence
from typing import Any

from spieltisch.core.events import GameEvent
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.words import Message, SeatName, message, messages, sentence, sentences
from spieltisch.games.legendary_inventors.log import rewarded
from spieltisch.games.legendary_inventors.pieces import FIELD
from spieltisch.games.legendary_inventors.rules.queries import exhausted
from spieltisch.games.legendary_inventors.rules.send_inventor import can_any_inventor_work
from spieltisch.games.legendary_inventors.state import ALL, FIELDS, GENIUS, NOBODY, Phase

SILENT_KINDS = ("points", "moved")
"""The events that the log does not mention; they belong to the event before them."""

CUBES = (
    sentences("{count} cube: {field}", "{count} cubes: {field}"),
    sentences("{count} cube: {field} + {second_field}", "{count} cubes: {field} + {second_field}"),
    sentences(
        "{count} cube: {field} + {second_field} + {third_field}",
        "{count} cubes: {field} + {second_field} + {third_field}",
    ),
    sentences("{count} cube: all fields", "{count} cubes: all fields"),
)
"""Sentences with the number of placed cubes and their fields, by the number of fields."""

SHORT_CUBES = (
    sentence("{count}: {field}"),
    sentence("{count}: {field} {second_field}"),
    sentence("{count}: {field} {second_field} {third_field}"),
    sentence("{count}: all fields"),
)
"""The same in few words."""

COMPLETES_IT = (
    sentence("This completes the invention: {first} gets a reward."),
    sentence("This completes the invention: rewards go to {first}, then {second}."),
    sentence("This completes the invention: rewards go to {first}, then {second}, then {third}."),
)

SEND = sentences(
    "Your turn: send an inventor to work. {count} cube left.",
    "Your turn: send an inventor to work. {count} cubes left.",
)
SEND_OR_READY = sentences(
    "Your turn: send an inventor to work, or ready all inventors. {count} cube left.",
    "Your turn: send an inventor to work, or ready all inventors. {count} cubes left.",
)
READY_OR_USE_TOKEN = sentences(
    "Your turn: ready all inventors or use a token. {count} cube left.",
    "Your turn: ready all inventors or use a token. {count} cubes left.",
)
USE_TOKEN_OR_PASS = sentences(
    "Your turn: use a token or pass. Without a token no inventor can place a cube. {count} cube left.",
    "Your turn: use a token or pass. Without a token no inventor can place a cube. {count} cubes left.",
)

USES = {
    "turn": sentence("One value of 0 becomes 1."),
    "upgrade": sentence("One value rises from {before} to {value}."),
    "refresh": sentence("All your inventors become active."),
    "genius": sentences("Once, up to {count} additional cube.", "Once, up to {count} additional cubes."),
    "number": sentence("Stands for any number in a run."),
}
"""Sentences with the use of each kind of token; one that is worth points says so itself."""
SHORT_USES = {
    "turn": sentence("0 → 1"),
    "upgrade": sentence("{before} → {value}"),
    "refresh": sentence("all active"),
    "genius": sentences("+{count} cube", "+{count} cubes"),
    "number": sentence("any number"),
}
"""The same in a few words."""


def hint(observation: Observation, move: Move, events: Sequence[GameEvent]) -> Message | None:
    """Return the cubes that are placed and the order of rewards, the use of a token, or the points that it loses.

    Return None for other moves. Effects of moves that follow automatically are not mentioned.
    """
    if move.kind == "turn":
        return _front_loss(observation, events) or _use_text("turn")
    if move.kind == "refresh":
        return _use_text("refresh")
    if move.kind.startswith("take "):
        return _reward_use_text(observation, move, events)
    visible_events = [event for event in events if event.kind not in SILENT_KINDS]
    placed = _placed_cubes_text(observation, events) if move.kind.startswith("send") else None
    if len(visible_events) < 2 or visible_events[1].kind != "completes":
        return placed
    seats = rewarded(visible_events[1])
    completion = COMPLETES_IT[len(seats) - 1].fill(seats)
    if placed is None:
        return completion.with_short(message("complete"))
    text = message("{cubes}. {completion}", cubes=placed, completion=completion)
    return text.with_short(message("{cubes}, complete", cubes=placed.short or placed))


def word_hint(observation: Observation, moves: Sequence[Move]) -> Message | None:
    """Return how many cubes an inventor can place with one of these moves, and in which fields.

    If all of them turn a token over, return what that brings.
    """
    if all(move.kind == "turn" for move in moves):
        return _use_text("turn")
    inventors = {move.args[0] for move in moves if move.kind == "send"}
    if len(inventors) != 1 or any(move.kind != "send" for move in moves):
        return None
    view, board = observation.view, observation.setup.board
    me = view.players[view.seat]
    known = me.knowledge[board.teams[me.team].inventors.index(inventors.pop())]
    slots = {slot.card: slot for slot in view.slots if slot.card != NOBODY}
    room = [[min(known[f], slots[move.args[1]].free[f]) for f in range(FIELDS)] for move in moves]
    most = min(max(map(sum, room)), me.cubes)
    return _cubes_text(observation, most, [f for f in range(FIELDS) if any(cubes[f] for cubes in room)])


def _placed_cubes_text(observation: Observation, events: Sequence[GameEvent]) -> Message | None:
    """Return the cubes that these events place, and their fields; None if they place none yet."""
    placed: dict[int, int] = {}
    for event in events:
        if event.kind == "completes":
            break
        if event.kind == "moved" and event.numbers[3] >= FIELD:
            placed[(event.numbers[3] - FIELD) % FIELDS] = event.numbers[1]
    return _cubes_text(observation, sum(placed.values()), list(placed)) if placed else None


def _cubes_text(observation: Observation, count: int, fields: Sequence[int]) -> Message:
    names = [observation.setup.board.fields[f].name for f in fields]
    values = {"count": count} | dict(zip(("field", "second_field", "third_field"), names, strict=False))
    return CUBES[len(names) - 1].fill(values).with_short(SHORT_CUBES[len(names) - 1].fill(values))


def _use_text(kind: str, **values: int) -> Message:
    return USES[kind].fill(values).with_short(SHORT_USES[kind].fill(values))


def _reward_use_text(observation: Observation, move: Move, events: Sequence[GameEvent]) -> Message | None:
    """Return the use of a reward: the points and number of a patent (L25, L26), or what a token does (L19 to L24)."""
    view, board = observation.view, observation.setup.board
    before, after = _points(observation, events)
    if move.kind == "take patent":
        card = board.inventions[view.slots[view.slot].card]
        return message(
            "Your points {before} → {after}. Number {number} for your runs.",
            before=before,
            after=after,
            number=card.classification,
        ).with_short(_short_points(before, after))
    token = board.tokens[move.args[0]]
    if token.kind in USES:
        return _use_text(token.kind, before=token.value - 1, value=token.value, count=board.turn.genius_cubes)
    return message("Your points {before} → {after}.", before=before, after=after).with_short(
        _short_points(before, after)
    )


def _front_loss(observation: Observation, events: Sequence[GameEvent]) -> Message | None:
    """Return the points before and after a token is turned over that counted as points or in a run (S4)."""
    before, after = _points(observation, events)
    if after >= before:
        return None
    text = message("You lose the token’s front side. Your points {before} → {after}.", before=before, after=after)
    return text.with_short(_short_points(before, after))


def _short_points(before: int, after: int) -> Message:
    return message("points {before} → {after}", before=before, after=after)


def _points(observation: Observation, events: Sequence[GameEvent]) -> tuple[int, int]:
    """Return the points of the seat to move before and after the first of these events."""
    before = after = observation.scores[observation.view.seat] or 0
    for event in events[1:]:
        if event.kind not in SILENT_KINDS:
            break
        after += event.numbers[0] if event.kind == "points" else 0
    return before, after


def gains(observation: Observation, events: Sequence[GameEvent]) -> list[Message]:
    """Return the reasons for a move; see `Game.advice_reasons`.

    The reasons are a team's knowledge, the seat's cubes on an invention, its order of rewards, and the seat's points.
    """
    seat, reasons = observation.view.viewer, list[Message]()
    for event in events:
        if event.kind == "takes team" and event.seat == seat:
            reasons.append(_knowledge_text(observation, event.numbers[0]))
        elif event.kind in ("works", "works by genius") and event.seat == seat:
            _, card, placed, *_ = event.numbers
            reasons.append(_work_text(observation, card, placed))
        elif event.kind == "completes":
            seats = rewarded(event)
            reasons.append(COMPLETES_IT[len(seats) - 1].fill(seats))
        elif event.kind == "makes ready" and event.seat == seat:
            count = sum(map(bool, observation.view.players[seat].exhausted))
            reasons.append(messages("{count} inventor is active again.", "{count} inventors are active again.", count))
        elif event.kind in ("upgrades", "turns over") and event.seat == seat:
            reasons.append(_upgrade_text(observation, event))
        elif event.kind == "takes token" and event.seat == seat:
            kind = event.numbers[0]
            count, token = observation.view.players[seat].tokens[kind] + 1, observation.setup.board.tokens[kind].name
            if count > 1:  # the move itself names a first one
                reasons.append(message("You’ll have {count} × {token}.", count=count, token=token))
    gained = sum(event.numbers[0] for event in events if event.kind == "points" and event.seat == seat)
    before = observation.scores[seat] or 0
    if gained:
        reasons.append(message("Your points {before} → {after}.", before=before, after=before + gained))
    return reasons


def _upgrade_text(observation: Observation, event: GameEvent) -> Message:
    """Return the new value of an inventor's field."""
    inventor, field, value = event.numbers[:3]
    return message(
        "{inventor}: {field} is now {value}.",
        inventor=observation.setup.board.inventors[inventor].name,
        field=observation.setup.board.fields[field].name,
        value=value if event.kind == "upgrades" else 1,
    )


def _knowledge_text(observation: Observation, team: int) -> Message:
    """Return the two fields of which a team knows most."""
    board = observation.setup.board
    starts = [board.inventors[inventor].start for inventor in board.teams[team].inventors]
    knowledge = [sum(start[f] for start in starts) for f in range(FIELDS)]
    first, second, *_ = sorted(range(FIELDS), key=lambda f: -knowledge[f])
    return message(
        "Most knowledge: {field} {number}, {second_field} {second}.",
        field=board.fields[first].name,
        number=knowledge[first],
        second_field=board.fields[second].name,
        second=knowledge[second],
    )


def _work_text(observation: Observation, card: int, placed: int) -> Message:
    """Return the viewer's cubes on an invention, and how many spaces are then still free."""
    comparison = _comparison_text(observation, card, placed)
    left = sum(next(slot.free for slot in observation.view.slots if slot.card == card)) - placed
    return message("{comparison} Free spaces: {left}.", comparison=comparison, left=left) if left else comparison


def _comparison_text(observation: Observation, card: int, placed: int) -> Message:
    """Return the viewer's cubes on an invention, compared with the most of another player (L11)."""
    view, invention = observation.view, observation.setup.board.inventions[card].name
    slot = next(slot for slot in view.slots if slot.card == card)
    cubes = [sum(slot.cubes[p]) for p in range(observation.setup.seats)]
    own = cubes[view.viewer] + placed
    highest, other = max((count, -p) for p, count in enumerate(cubes) if p != view.viewer)
    if not highest:
        return messages(
            "You’ll have {count} cube on {invention}; the others have none.",
            "You’ll have {count} cubes on {invention}; the others have none.",
            own,
            invention=invention,
        )
    return messages(
        "You’ll have {count} cube on {invention}; {player} has {most}.",
        "You’ll have {count} cubes on {invention}; {player} has {most}.",
        own,
        invention=invention,
        player=SeatName(-other),
        most=highest,
    )


def completes(observation: Observation, move: Move) -> bool:
    """Return True if the move, or a move that follows automatically, completes an invention."""
    played = observation.imagine(0).play(move, collect_events=True)
    return any(event.kind == "completes" for event in played.events)


def prompt(observation: Observation) -> Message:
    """Return the request to the seat to move."""
    view, board = observation.view, observation.setup.board
    if view.phase == Phase.TEAMS:
        return message("Choose your team.")
    if view.phase == Phase.REWARDS:
        return message(
            "Choose your reward for {invention}.", invention=board.inventions[view.slots[view.slot].card].name
        )
    if view.phase == Phase.LAST_UPGRADES:
        return message("Last chance before scoring: upgrade your inventors.")
    if view.phase == Phase.PLACING:
        inventor = board.teams[view.players[view.seat].team].inventors[view.inventor]
        card = view.slots[view.slot].card
        names = {"inventor": board.inventors[inventor].name, "invention": board.inventions[card].name}
        if view.mode == GENIUS:
            return message("{inventor}, {invention}, stroke of genius: how many cubes in each field?", **names)
        return message("{inventor}, {invention}: how many cubes in each field?", **names)
    return _turn_options(view, observation.setup.plain_params)


def _turn_options(view: Any, params: Any) -> Message:
    """Return the options of a turn.

    A seat with only one option is not asked, so one that cannot send an inventor has a token.
    """
    me = view.players[view.seat]
    if can_any_inventor_work(view, params, ALL):
        asked = SEND_OR_READY if exhausted(me) else SEND
    else:
        asked = READY_OR_USE_TOKEN if exhausted(me) else USE_TOKEN_OR_PASS
    return asked.fill({"count": me.cubes})
