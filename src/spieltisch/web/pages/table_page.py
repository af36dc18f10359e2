"""The table page from one perspective, gathered for its template, from an observation or public facts only."""

from typing import Any, Final

from spieltisch.bots.levels import seconds
from spieltisch.bots.search import native_library
from spieltisch.core.observation import Observation
from spieltisch.core.previews import Preview
from spieltisch.core.words import Message, SeatName, Words, message
from spieltisch.tables import LogLine, Table, moves_by_player, undo_request_text
from spieltisch.web.http.sessions import ShareAddress
from spieltisch.web.pages.beats import last_beats
from spieltisch.web.pages.boards import render_boards
from spieltisch.web.pages.move_animation import changes_since_turn, last_animations
from spieltisch.web.pages.move_tree import MoveNode, add_any, labels, legal_tree
from spieltisch.web.pages.perspectives import Perspective, topic
from spieltisch.web.pages.renderer import Renderer
from spieltisch.web.pages.replay import since_step
from spieltisch.web.pages.result import own_rank, winners, winners_sentence
from spieltisch.web.pages.table_settings import clock_context

LOG_LINES: Final = 40
"""Number of log lines pushed, newest first; the whole log has a page of its own."""


def fragment(
    pages: Renderer,
    table: Table,
    perspective: Perspective,
    language: str,
    links: dict[int | None, str],
    share: ShareAddress,
    hours_away: int,
    other_devices: int | None,
) -> str:
    """Render the live part of the table page, once per perspective and language, for everyone who shares them.

    `links` are those that this perspective may share: by seat, and under None the one for spectators; `share` is their
    address. `hours_away`: hours without the player after which a seat is reclaimed without asking (0: never).
    `other_devices`: the number of other devices on which a player is logged in; None for spectators.
    """
    words = pages.words(language, table.game)
    observation = table.position.observe(perspective.seat) if table.position is not None else None
    shared = perspective.is_shared_page
    context: dict[str, Any] = {
        "table": table,
        "perspective": perspective,
        "topic": topic(table, perspective),
        "next_here": perspective.seat is not None and _is_next_on_this_device(table, perspective),
        "mine": perspective.seat is not None and table.to_decide == perspective.seat,
        "seen": observation,
        "log": full_log(table, perspective)[: -LOG_LINES - 1 : -1],
        "new_from": _new_from(table, perspective.seat),
        "moved": last_animations(table.log(perspective.seat), observation),
        "beats": last_beats(table, table.log(perspective.seat), observation, None if shared else perspective.seat),
        "thinks": thinking_seconds(table),
        "has_weak_bots": has_weak_bots(table),
        "here": {perspective.seat, *perspective.device_seats},
        "accounts": changes_since_turn(table, perspective) if table.status in ("running", "finished") else [],
        "since": since_step(table, perspective.seat),
        "links": links,
        "hours_away": hours_away,
        "other_devices": other_devices,
        "share": share,
        **labels(pages, table.game, words, table.names),
        **_drawn(pages, table, perspective, words, observation),
        **clock_context(table, perspective),
        **_decision(table, perspective, observation),
    }
    status = waiting_sentence(table, perspective)
    context["status"] = status
    context["winners"] = winners(table)
    context["title"] = _title(table, perspective, words, status)
    marks = pages.marks(table.game, table.position.setup if table.position is not None else None)
    return pages.render("table_live.html", language, table.game, table.names, marks=marks, **context)


def _is_next_on_this_device(table: Table, perspective: Perspective) -> bool:
    """Return True if the decision has passed to another player on this device."""
    return (
        table.status == "running"
        and table.to_decide != perspective.seat
        and table.to_decide in perspective.device_seats
    )


def waiting_sentence(table: Table, perspective: Perspective) -> Message:
    """Return one sentence that states what the table waits for."""
    if table.status == "open":
        return message("Waiting for players.")
    if table.status == "frozen":
        return table.frozen or message("This table is frozen.")
    if table.status == "aborted":
        return message("The game was aborted.")
    if table.status == "finished" or table.to_decide is None:
        return winners_sentence(table, None if perspective.is_shared_page else perspective.seat)
    between = table.between_turns(len(table.moves))
    if table.to_decide == perspective.seat and not perspective.is_shared_page:
        return message("Your choice.") if between else message("It’s your turn.")
    seat = table.seats[table.to_decide]
    if seat.kind == "bot":
        if table.undo_asked is not None:
            return message("{player} is waiting for an answer to the request.", player=SeatName(table.to_decide))
        return message("{player} is thinking.", player=SeatName(table.to_decide))
    if table.acting_bot(table.to_decide):
        return message("A bot is playing for {player}.", player=SeatName(table.to_decide))
    if seat.kind != "person":
        return message("{player} has left; the seat is free.", player=SeatName(table.to_decide))
    if between:
        return message("{player} to choose.", player=SeatName(table.to_decide))
    return message("{player} to move.", player=SeatName(table.to_decide))


def thinking_seconds(table: Table) -> float | None:
    """Return the seconds that the bot to move may think on idle processors; None if it moves immediately or is none."""
    turn = table.bot_to_move()
    return None if turn is None else seconds(turn.bot)


def has_weak_bots(table: Table) -> bool:
    """Return True if bots play weaker at this table than their level, because the search is not compiled."""
    search = any(seconds(table.acting_bot(seat.number)) is not None for seat in table.seats)
    return search and table.status in ("open", "running") and native_library.find(table.game) is None


def _title(table: Table, perspective: Perspective, words: Words, status: Message) -> str:
    mark = "● " if table.status == "running" and table.to_decide == perspective.seat else ""
    return f"{mark}{words.say(status, table.names)} – {words.say(table.game.title)}"


def full_log(table: Table, perspective: Perspective) -> tuple[LogLine, ...]:
    """Return the whole log that this perspective may know, oldest line first."""
    return table.log(perspective.seat)


def _new_from(table: Table, seat: int | None) -> int:
    """Return the version from which log lines are new: those since this seat's last turn."""
    since = table.moves_since_turn(seat)
    return since[0].version if since else table.version + 1


def _decision(table: Table, perspective: Perspective, observation: Observation | None) -> dict[str, Any]:
    """Return prompt, move tree and other options of the seat now."""
    seat = perspective.seat
    person = table.seats[seat].person if seat is not None else ""
    deciding = table.status == "running" and seat is not None and table.to_decide == seat and table.position is not None
    tree: dict[str, MoveNode] = {}
    if deciding and table.position is not None:
        tree = legal_tree(table.position)
        add_any(tree, table.position, table.id)
    return {
        "prompt": table.game.prompt(observation) if deciding and observation is not None else None,
        "tree": tree,
        **_turn(table, seat if deciding else None, observation),
        "between": table.between_turns(len(table.moves)),
        "can_ask_undo": seat is not None and table.can_ask_undo(person),
        "has_hints": table.allows_hints(person),
        "advice": deciding and table.allows_advice(person),
        "look_back": _analysis_url(table, perspective),
        "alone": table.needs_no_consent(person),
        "asked_back": _undo_request(table),
        "tells_of_loss": table.shows_loss_notice(seat),
    }


def _analysis_url(table: Table, perspective: Perspective) -> str:
    """Return the URL of the analysis of the game so far, if it may be requested."""
    seat = table.seats[perspective.seat] if perspective.seat is not None else None
    if seat is None or not table.moves or not table.allows_hints(seat.person) or table.hides_any_move():
        return ""
    return perspective.url(
        f"/table/{table.id}/analysis", **({"me": seat.hot_seat} if perspective.is_shared_page else {})
    )


def _undo_request(table: Table) -> tuple[Message, tuple[Message, ...]] | None:
    """Return the question to the others: the turn to undo, and whose moves are undone with it."""
    request = table.undo_asked
    return (
        (
            undo_request_text(request.seat, table.moves[request.undo_to :]),
            moves_by_player(table.moves[request.undo_to :]),
        )
        if request
        else None
    )


def turn_log(table: Table, seat: int | None) -> tuple[LogLine, ...]:
    """Return the log of the moves that the deciding seat may undo without asking."""
    first = len(table.moves) - table.undoable
    return tuple(line for line in table.log(seat) if line.number is not None and line.number >= first)


def move_effects(pages: Renderer, table: Table, move: str, preview: Preview) -> dict[str, Any]:
    """Return what is shown of a move to be confirmed: its words or effects, and the moves of the turn before it."""
    return {
        "table": table,
        "move": move,
        "words": table.position.words(move) if table.position is not None else (),
        "preview": preview,
        "steps": turn_log(table, table.to_decide),
        "between": table.between_turns(len(table.moves)),
        "marks": pages.marks(table.game, table.setup),
    }


def _turn(table: Table, seat: int | None, observation: Observation | None) -> dict[str, Any]:
    """Return the moves of the deciding `seat` in its turn, and their summary.

    `seat` is None if this perspective does not decide.
    """
    turn_start = table.turn_start() if seat is not None else None
    if turn_start is None or observation is None or seat is None:
        return {"undoable": 0, "steps": (), "total": []}
    total = table.game.turn_summary(turn_start, table.turn_events())
    return {"undoable": table.undoable, "steps": turn_log(table, seat), "total": total}


def _drawn(
    pages: Renderer, table: Table, perspective: Perspective, words: Words, observation: Observation | None
) -> dict[str, Any]:
    """Return the boards as the game draws the table now."""
    if table.position is None or observation is None:
        return dict.fromkeys(("board", "pieces", "panel", "strip", "end", "rank"), "")
    last = table.last_moves(perspective.seat)
    # The end has a page of its own.
    drawn = render_boards(pages, table.game, table.names, observation, words, last, ended=False)
    return drawn | {"rank": own_rank(perspective, observation, drawn["rows"])}
