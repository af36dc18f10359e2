"""Moves, and taking them back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from litestar import Response, post

from spieltisch import tables
from spieltisch.core.words import Message, message
from spieltisch.tables import Event, Table
from spieltisch.web import views
from spieltisch.web.answers import (
    Asked,
    at_table,
    fields,
    go,
    house_of,
    notice,
    page,
    pages_of,
    visit,
    wants_json,
    wants_notice,
)
from spieltisch.web.arrivals import seated, speaking
from spieltisch.web.refusals import PageRefusal


@post("/table/{table_id:str}/play", status_code=200)
async def play(request: Asked, table_id: str) -> Response[Any]:
    """Play a move. One that would draw or pass the decision, or that the game asks about, is shown as a preview first,
    unless the person does not want that.
    """
    form = await fields(request)
    person_id = seated(request, form)
    move = form.get("move", "")
    if not move:
        raise PageRefusal(422, "unknown-move", message("No move was chosen."))
    table = await house_of(request).table(table_id)
    at_table(request, table)
    person_id = speaking(table, person_id, form.get("me", ""))
    # Confirmed is what was shown, of the version that it was shown of, whatever the page knows by now.
    confirmed = request.query_params.get("confirmed")
    seen = _seen(form) if confirmed is None else _version(confirmed)
    if _asks_first(request) and confirmed is None:
        preview = tables.preview(table, person_id, move, seen)
        if preview.draws or preview.passes or preview.asks:
            context: dict[str, Any] = {
                "table": table,
                "move": move,
                "words": table.position.words(move) if table.position is not None else (),
                "preview": preview,
                "steps": views.turn_so_far(table, table.to_decide),
                "between": views.between_turns(table),
                "marks": pages_of(request).marks(table.game, table.setup),
                "seen": seen,
                "me": form.get("me", ""),
            }
            if wants_notice(request):
                return notice(request, "preview.html", game=table.game, names=table.names, **context)
            return page(request, "confirm.html", game=table.game, names=table.names, **context)
    table = await house_of(request).run(table_id, tables.play, person_id, move, seen)
    return _done(request, table, form.get("me", ""))


def _asks_first(request: Asked) -> bool:
    person = visit(request).person
    return person is not None and person.preferences.confirm and not wants_json(request)


def _seen(form: dict[str, str]) -> int:
    """The version of the table that the form was made from."""
    return _version(form.get("version", ""))


def _version(version: str) -> int:
    if not version.isdecimal() or len(version) > 12:
        raise PageRefusal(400, "version", message("This request cannot be understood."))
    return int(version)


async def _speaker(request: Asked, table_id: str, form: dict[str, str]) -> str:
    person_id = seated(request, form)
    return speaking(await house_of(request).table(table_id), person_id, form.get("me", ""))


def _done(request: Asked, table: Table, me: str) -> Response[Any]:
    """What happened comes by the stream; who has none is sent back to the page. There they stay who they are, unless
    the decision has gone to somebody else on their device.
    """
    if wants_json(request):
        return Response({"status": 200}, media_type="application/json")
    if wants_notice(request):
        return notice(request, "nothing.html")
    here = {seat.me: seat.number for seat in table.seats_at(visit(request).person_id)}
    stays = me in here and (table.to_decide == here[me] or table.to_decide not in here.values())
    return go(f"/table/{table.id}?me={me}" if stays else f"/table/{table.id}")


@post("/table/{table_id:str}/undo", status_code=200)
async def undo(request: Asked, table_id: str) -> Response[Any]:
    """Take back the last move, as long as it was not final."""
    form = await fields(request)
    person_id = await _speaker(request, table_id, form)
    table = await house_of(request).run(table_id, tables.undo, person_id, _seen(form))
    return _done(request, table, form.get("me", ""))


@post("/table/{table_id:str}/undo-turn", status_code=200)
async def undo_turn(request: Asked, table_id: str) -> Response[Any]:
    """Take back all moves of the turn under way."""
    form = await fields(request)
    person_id = await _speaker(request, table_id, form)
    table = await house_of(request).run(table_id, tables.undo_turn, person_id, _seen(form))
    return _done(request, table, form.get("me", ""))


ASKING: Final[dict[str, Callable[[Table, str], Sequence[Event]]]] = {
    "ask-undo": tables.ask_undo,
    "agree-undo": tables.agree_undo,
    "refuse-undo": tables.refuse_undo,
    "ask-abort": tables.ask_abort,
    "agree-abort": tables.agree_abort,
    "refuse-abort": tables.refuse_abort,
}
"""What needs the consent of the others: asking for it, and the answers."""


@post("/table/{table_id:str}/consent/{question:str}", status_code=200)
async def consent(request: Asked, table_id: str, question: str) -> Response[Any]:
    """Ask, or answer. What happens at once because nobody else has to agree is shown first, to be confirmed."""
    if question not in ASKING:
        raise PageRefusal(404, "no-page", message("There is no such page."))
    form = await fields(request)
    person_id = await _speaker(request, table_id, form)
    table = await house_of(request).table(table_id)
    confirmed = request.query_params.get("confirmed")
    if confirmed is None and not wants_json(request) and (first := _at_once(table, person_id, question)):
        context: dict[str, Any] = {
            "table": table,
            "question": question,
            "first": first,
            "me": form.get("me", ""),
        }
        if wants_notice(request):
            return notice(request, "certain.html", game=table.game, names=table.names, **context)
        return page(request, "certain_page.html", game=table.game, names=table.names, **context)
    if question == "ask-undo" and confirmed is not None:
        table = await house_of(request).run(table_id, tables.ask_undo, person_id, _version(confirmed))
    else:
        table = await house_of(request).run(table_id, ASKING[question], person_id)
    return _done(request, table, form.get("me", ""))


def _at_once(table: Table, person_id: str, question: str) -> tuple[Message, ...]:
    """What happens at once, without a question to anybody, and cannot be done again; nothing where it is refused."""
    if table.status != "running" or not table.decides_alone(person_id):
        return ()
    if question == "ask-abort":
        return (message("The game ends now, without a result. Nobody can play on."),)
    seat = table.seat_of(person_id)
    to = table.undo_target(seat) if question == "ask-undo" and seat is not None else None
    if to is None:
        return ()
    return message("These moves are taken back; who wants them again has to play them again."), *tables.whose(
        table.plays[to:]
    )


ROUTES = [play, undo, undo_turn, consent]
