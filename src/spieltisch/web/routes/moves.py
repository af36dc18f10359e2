"""Moves, and taking them back."""

from __future__ import annotations

from typing import Any

from litestar import Response, post

from spieltisch import tables
from spieltisch.core.words import message
from spieltisch.live import Live, deciding
from spieltisch.live.deciding import MoveShown, QuestionShown, Speaker
from spieltisch.tables import Table
from spieltisch.web.http.queries import Asked, number, who
from spieltisch.web.http.rate_limits import address_of
from spieltisch.web.http.refusals import PageRefusal, no_page
from spieltisch.web.http.requests import Form, Request, wants_json, wants_notice
from spieltisch.web.http.responses import go, notice, to_confirm
from spieltisch.web.http.sessions import Visitor
from spieltisch.web.http.sign_in import seated
from spieltisch.web.pages import views
from spieltisch.web.pages.templates import Pages


@post("/table/{table_id:str}/play", status_code=200)
async def play(
    request: Request, live: Live, visitor: Visitor, form: Form, pages: Pages, table_id: str
) -> Response[Any]:
    """Play a move; see `deciding.play`."""
    speaker, move = _speaker(visitor, form), form.get("move", "")
    if not move:
        raise PageRefusal(422, "unknown-move", message("No move was chosen."))
    # Confirmed is what was shown, of the version that it was shown of, whatever the page knows by now.
    confirmed = _confirmed(request)
    seen = _seen(form) if confirmed is None else confirmed
    sure = confirmed is not None or wants_json(request)
    done = await deciding.play(live.tables, table_id, speaker, move, seen, sure=sure)
    if isinstance(done, MoveShown):
        return _preview(request, pages, done, move, seen, speaker.me)
    return _done(request, visitor, done, speaker.me)


@post("/table/{table_id:str}/undo", status_code=200)
async def undo(request: Request, live: Live, visitor: Visitor, form: Form, table_id: str) -> Response[Any]:
    """Take back the last move, as long as it was not final."""
    speaker = _speaker(visitor, form)
    return _done(request, visitor, await deciding.undo(live.tables, table_id, speaker, _seen(form)), speaker.me)


@post("/table/{table_id:str}/undo-turn", status_code=200)
async def undo_turn(request: Request, live: Live, visitor: Visitor, form: Form, table_id: str) -> Response[Any]:
    """Take back all moves of the turn under way."""
    speaker = _speaker(visitor, form)
    table = await deciding.undo(live.tables, table_id, speaker, _seen(form), turn=True)
    return _done(request, visitor, table, speaker.me)


@post("/table/{table_id:str}/hint", status_code=200)
async def hint(request: Request, live: Live, visitor: Visitor, form: Form, table_id: str) -> Response[Any]:
    """The moves that the best bot would think of; nothing changes."""
    speaker, seen = _speaker(visitor, form), _seen(form)
    table, hints = await live.advisers.hints(table_id, speaker, seen, address_of(request))
    context = {"table": table, "hints": hints, "seen": seen, "me": speaker.me}
    return to_confirm(request, ("hint.html", "hint_page.html"), table, context)


@post("/table/{table_id:str}/consent/{question:str}", status_code=200)
async def consent(
    request: Request, live: Live, visitor: Visitor, form: Form, table_id: str, question: str
) -> Response[Any]:
    """Ask, or say yes or no; see `deciding.ask`."""
    if question not in tables.QUESTIONS:
        raise no_page()
    speaker, confirmed = _speaker(visitor, form), _confirmed(request)
    sure = confirmed is not None or wants_json(request)
    done = await deciding.ask(live.tables, table_id, speaker, question, confirmed, sure=sure)
    if isinstance(done, QuestionShown):
        action = f"/table/{table_id}/consent/{question}?confirmed={done.table.version}"
        context = {"table": done.table, "action": action, "first": done.comes_to, "me": speaker.me}
        return to_confirm(request, ("certain.html", "certain_page.html"), done.table, context)
    return _done(request, visitor, done, speaker.me)


def _speaker(visitor: Visitor, form: Form) -> Speaker:
    return Speaker(seated(visitor), who(form.get("me", "")))


def _seen(form: Form) -> int:
    """The version of the table that the form was made from."""
    return number("version", form.get("version", ""))


def _confirmed(request: Request) -> int | None:
    """The version of the table of which something was shown, that is confirmed now."""
    return Asked(request).number("confirmed")


def _preview(request: Request, pages: Pages, shown: MoveShown, move: str, seen: int, me: str) -> Response[Any]:
    """What a move would do."""
    table = shown.table
    context = {
        "table": table,
        "move": move,
        "words": table.position.words(move) if table.position is not None else (),
        "preview": shown.preview,
        "steps": views.turn_so_far(table, table.to_decide),
        "between": table.between_turns(len(table.plays)),
        "marks": pages.marks(table.game, table.setup),
        "seen": seen,
        "me": me,
    }
    return to_confirm(request, ("preview.html", "confirm.html"), table, context)


def _done(request: Request, visitor: Visitor, table: Table, me: str) -> Response[Any]:
    """What happened comes by the stream; who has none is sent back to the page. There they stay who they are, unless
    the decision has gone to somebody else on their device.
    """
    if wants_json(request):
        return Response({"status": 200}, media_type="application/json")
    if wants_notice(request):
        return notice(request, "nothing.html")
    here = {seat.me: seat.number for seat in table.seats_at(visitor.person_id)}
    stays = me in here and (table.to_decide == here[me] or table.to_decide not in here.values())
    return go(f"/table/{table.id}?me={me}" if stays else f"/table/{table.id}")


ROUTES: list[Any] = [play, undo, undo_turn, hint, consent]
