"""The table page from one perspective, gathered for its template, from an observation or public facts only."""

from collections.abc import Mapping, Sequence, Set
from typing import Any, Final

import msgspec
from markupsafe import Markup

from spieltisch.bots.levels import seconds
from spieltisch.bots.search import native_library
from spieltisch.core.observation import Observation
from spieltisch.core.previews import Preview
from spieltisch.core.words import Message, SeatName, Words, message
from spieltisch.tables import LogLine, Table, moves_by_player, permissions, turns, undo_request_text
from spieltisch.web.http.sessions import ShareAddress
from spieltisch.web.pages.boards import render_boards
from spieltisch.web.pages.end_count import CountedSource, end_count
from spieltisch.web.pages.move_animation import MoveAnimation, SeatChanges, changes_since_turn, last_animations
from spieltisch.web.pages.move_banners import move_banners
from spieltisch.web.pages.move_tree import MoveLabels, MoveNode, add_any, labels, legal_tree
from spieltisch.web.pages.perspectives import Perspective, topic
from spieltisch.web.pages.renderer import Renderer
from spieltisch.web.pages.replay import since_step
from spieltisch.web.pages.result import own_rank, winners, winners_sentence
from spieltisch.web.pages.table_settings import ClockView, clock_view

LOG_LINES: Final = 40
"""Number of log lines pushed, newest first; the whole log has a page of its own."""


class DrawnTable(msgspec.Struct, frozen=True):
    """The boards as the game draws them, "" for what it does not draw; `rank` is the viewer's after the game."""

    board: str = ""
    pieces: Markup = Markup()
    panel: Markup = Markup()
    own_summary: Markup = Markup()
    end: str = ""
    rows: Sequence[Mapping[str, Any]] = ()
    rank: Message | None = None


class Decision(msgspec.Struct, frozen=True):
    """The decision of a seat now, and the other things that it may do.

    `tree` are the moves word by word; `undoable` is the number of moves that it may undo, `steps` and `total` their log
    and sum; `between`: the decision belongs to no player's turn. `alone`: no one else has to agree. `asked_back` is a
    request for a takeback, with whose moves it undoes. `look_back` is the address of the analysis so far.
    """

    prompt: Message | None
    tree: dict[str, MoveNode]
    undoable: int
    steps: tuple[LogLine, ...]
    total: list[Message]
    between: bool
    can_ask_undo: bool
    has_hints: bool
    can_ask_hints: bool
    advice: bool
    look_back: str
    alone: bool
    asked_back: tuple[Message, tuple[Message, ...]] | None
    tells_of_loss: bool


class TablePage(msgspec.Struct, frozen=True):
    """The live part of the table page from one perspective: the variables of `table_live.html`.

    Those of `labels`, `clock`, `decision` and `drawn` are variables of the template, too.
    """

    table: Table
    perspective: Perspective
    topic: str
    title: str
    status: Message
    winners: tuple[int, ...]
    mine: bool
    """It is the viewer's decision."""
    next_here: bool
    """The decision has passed to another player on this device."""
    here: Set[int | None]
    """The seats that look at this page."""
    seen: Observation | None
    log: tuple[LogLine, ...]
    new_from: int
    moved: dict[int, MoveAnimation]
    banners: dict[int, list[Message]]
    accounts: list[SeatChanges]
    since: int
    thinks: float | None
    has_weak_bots: bool
    counted: tuple[CountedSource, ...]
    """The points of a game that is over, source by source."""
    links: Mapping[int | None, str]
    share: ShareAddress
    hours_away: float
    other_devices: int | None
    labels: MoveLabels
    clock: ClockView
    decision: Decision
    drawn: DrawnTable

    def variables(self) -> dict[str, Any]:
        """Return the variables of the template."""
        parts = (self, self.labels, self.clock, self.decision, self.drawn)
        return {name: value for part in parts for name, value in msgspec.structs.asdict(part).items()}


def fragment(
    pages: Renderer,
    table: Table,
    perspective: Perspective,
    language: str,
    links: dict[int | None, str],
    share: ShareAddress,
    hours_away: float,
    other_devices: int | None,
) -> str:
    """Render the live part of the table page, once per perspective and language, for everyone who shares them.

    `links` are those that this perspective may share: by seat, and under None the one for spectators; `share` is their
    address. `hours_away`: hours without the player after which a seat is reclaimed without asking (0: never).
    `other_devices`: the number of other devices on which a player is logged in; None for spectators.
    """
    words, seat = pages.words(language, table.game), perspective.seat
    observation = table.position.observe(seat) if table.position is not None else None
    lines, status = full_log(table, perspective), waiting_sentence(table, perspective)
    page = TablePage(
        table=table,
        perspective=perspective,
        topic=topic(table, perspective),
        title=_title(table, perspective, words, status),
        status=status,
        winners=winners(table),
        mine=seat is not None and table.to_decide == seat,
        next_here=seat is not None and _is_next_on_this_device(table, perspective),
        here={seat, *perspective.device_seats},
        seen=observation,
        log=lines[: -LOG_LINES - 1 : -1],
        new_from=_new_from(table, seat),
        moved=last_animations(lines, observation),
        banners=move_banners(table, lines, observation, None if perspective.is_shared_page else seat),
        accounts=changes_since_turn(table, perspective) if table.status in ("running", "finished") else [],
        since=since_step(table, seat),
        thinks=thinking_seconds(table),
        has_weak_bots=has_weak_bots(table),
        counted=end_count(table),
        links=links,
        share=share,
        hours_away=hours_away,
        other_devices=other_devices,
        labels=labels(pages, table.game, words, table.names),
        clock=clock_view(table, perspective),
        decision=_decision(table, perspective, observation),
        drawn=_draw_table(pages, table, perspective, words, observation),
    )
    marks = pages.marks(table.game, table.position.setup if table.position is not None else None)
    return pages.render("table_live.html", language, table.game, table.names, marks=marks, **page.variables())


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
    if table.is_suspended:
        return message("The operator of the server has frozen this table.")
    if table.status == "frozen":
        return table.frozen or message("This table is frozen.")
    if table.status == "aborted":
        return message("The game was aborted.")
    if table.status == "finished" or table.to_decide is None:
        return winners_sentence(table, None if perspective.is_shared_page else perspective.seat)
    between = turns.between_turns(table, len(table.moves))
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
    since = turns.moves_since_turn(table, seat)
    return since[0].version if since else table.version + 1


def _decision(table: Table, perspective: Perspective, observation: Observation | None) -> Decision:
    seat = perspective.seat
    person = table.seats[seat].person if seat is not None else ""
    deciding = table.status == "running" and seat is not None and table.to_decide == seat and table.position is not None
    tree: dict[str, MoveNode] = {}
    if deciding and table.position is not None:
        tree = legal_tree(table.position)
        add_any(tree, table.position, table.id)
    start = turns.turn_start(table) if deciding else None
    has_search = native_library.find(table.game) is not None
    return Decision(
        prompt=table.game.prompt(observation) if deciding and observation is not None else None,
        tree=tree,
        undoable=table.undoable if start is not None else 0,
        steps=turn_log(table, seat) if start is not None else (),
        total=table.game.turn_summary(start, turns.turn_events(table)) if start is not None else [],
        between=turns.between_turns(table, len(table.moves)),
        can_ask_undo=seat is not None and permissions.can_ask_undo(table, person),
        has_hints=has_search and permissions.allows_hints(table, person),
        can_ask_hints=has_search and permissions.can_ask_hints(table, person),
        advice=deciding and permissions.allows_advice(table, person),
        look_back=_analysis_url(table, perspective),
        alone=permissions.needs_no_consent(table, person),
        asked_back=_undo_request(table),
        tells_of_loss=table.shows_loss_notice(seat),
    )


def _analysis_url(table: Table, perspective: Perspective) -> str:
    """Return the URL of the analysis of the game so far, if it may be requested."""
    seat = table.seats[perspective.seat] if perspective.seat is not None else None
    if seat is None or not table.moves or not permissions.allows_hints(table, seat.person) or table.hides_any_move():
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
        "between": turns.between_turns(table, len(table.moves)),
        "marks": pages.marks(table.game, table.setup),
    }


def _draw_table(
    pages: Renderer, table: Table, perspective: Perspective, words: Words, observation: Observation | None
) -> DrawnTable:
    """Return the boards as the game draws the table now."""
    if observation is None:
        return DrawnTable()
    last = turns.last_moves(table, perspective.seat)
    # The end has a page of its own.
    drawn = render_boards(pages, table.game, table.names, observation, words, last, ended=False)
    return DrawnTable(**drawn, rank=own_rank(perspective, observation, drawn["rows"]))
