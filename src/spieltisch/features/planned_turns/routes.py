"""Planning the next turn while others play. No other player sees any of it."""

from typing import Any

from litestar import Response, get, post
from litestar.response import Redirect

from spieltisch.features.planned_turns import pages, rows
from spieltisch.features.planned_turns.commands import Condition
from spieltisch.features.planned_turns.service import Planner
from spieltisch.tables.refusals import not_your_seat
from spieltisch.web.http.query_params import QueryParams
from spieltisch.web.http.query_params import number as number_of
from spieltisch.web.http.refusals import no_page
from spieltisch.web.http.requests import Request, TableView, is_htmx, wants_json
from spieltisch.web.http.responses import notice, page, redirect, table_context
from spieltisch.web.http.sign_in import require_person
from spieltisch.web.http.statuses import status_of
from spieltisch.web.pages.move_tree import reasons

WRITES = {"drop": rows.drop, "earlier": rows.move_up}
"""The changes of a plan by the last part of their address."""


@get("/table/{table_id:str}/plan")
async def show(request: Request, table_id: str) -> Response[Any]:
    """Show the planning page; for programs, return the plans as JSON."""
    table, _ = _own_table(request)
    if not wants_json(request):
        return await _page(request, [])
    words = request.pages.words(request.visitor.language, table.game)
    plans = [
        {
            "number": plan.number,
            "moves": plan.planned.moves,
            "condition": plan.planned.condition,
            "always": plan.planned.always,
            "outcome": None if plan.outcome is None else words.say(plan.outcome, table.names),
        }
        for plan in await _planner(request).plans_of(table.id, require_person(request.visitor).id)
    ]
    return Response(plans, media_type="application/json")


@post("/table/{table_id:str}/plan/play", status_code=200)
async def step(request: Request, table_id: str) -> Response[Any]:
    """Show the planned turn with one more move."""
    _own_table(request)
    return await _page(request, [*_moves(request), *_moves(request, "move")])


@post("/table/{table_id:str}/plan", status_code=200)
async def save(request: Request, table_id: str) -> Response[Any] | Redirect:
    """Store the planned turn."""
    table, _ = _own_table(request)
    form, visitor = request.fields, request.visitor
    seat_number = form.get("condition_player", "")
    condition_words = f"{form.get('condition_move', '')} {form.get('condition_object', '')}".strip()
    condition = Condition(number_of("condition_player", seat_number) - 1, condition_words) if seat_number else None
    person, always = require_person(visitor).id, bool(form.get("always"))
    moves, session = _moves(request), visitor.session_key
    await _planner(request).add(table.id, person, moves, condition, always=always, session=session)
    return _respond_to_change(request)


@post("/table/{table_id:str}/plan/{number:str}/{action:str}", status_code=200)
async def change_plan(request: Request, table_id: str, number: str, action: str) -> Response[Any] | Redirect:
    """Delete a plan, or move it up."""
    _own_table(request)
    if action not in WRITES:
        raise no_page()
    person = require_person(request.visitor).id
    await _planner(request).change(table_id, person, number_of("number", number), WRITES[action])
    return _respond_to_change(request)


@get("/table/{table_id:str}/plan/why")
async def why(request: Request, table_id: str) -> Response[Any]:
    """Explain why a move cannot follow the planned ones."""
    table, perspective = _own_table(request)
    params = QueryParams(request)
    state = pages.draft_state(table, request.visitor.person_id, params.text("moves").splitlines())
    if state.draft is None:
        raise state.problem or not_your_seat()
    refusals = reasons(state.draft.position, params.text("words").split(), params.text("place"), perspective.seat)
    context = {"refusals": [(refusal.rule, refusal.message) for refusal in refusals], **table_context(request)}
    if is_htmx(request):
        return notice(request, "refusal.html", **context)
    return page(request, "why_not.html", table=table, perspective=perspective, **context)


def _planner(request: Request) -> Planner:
    return request.live.service(Planner)


def _own_table(request: Request) -> TableView:
    """Return the table for a player with a seat. Raise TableRefusal not-your-seat, hot-seat, and PageRefusal 429."""
    person, (table, perspective) = require_person(request.visitor), request.table_view
    request.rate_limits.plan(person.id)
    if not pages.plan_owner(table, perspective, person.id):
        pages.draft_state(table, person.id, [])
        raise not_your_seat()
    return request.table_view


async def _page(request: Request, moves: list[str]) -> Response[Any]:
    (table, perspective), visitor = request.table_view, request.visitor
    state = pages.draft_state(table, visitor.person_id, moves)
    if perspective.seat is None:
        raise not_your_seat()
    refused = state.problem if moves else None
    return page(
        request,
        "planned_turns/plan.html",
        status=200 if refused is None or refused.code in pages.PAGE_CODES else status_of(refused.code),
        game=table.game,
        table=table,
        perspective=perspective,
        **pages.split_plans(table, await _planner(request).plans_of(table.id, require_person(visitor).id)),
        **pages.context(request.pages, table, perspective.seat, visitor.language, state),
    )


def _moves(request: Request, field: str = "moves") -> list[str]:
    """Return the moves in a field, one in each line."""
    return [line.strip() for line in request.fields.get(field, "").splitlines() if line.strip()]


def _respond_to_change(request: Request) -> Response[Any] | Redirect:
    if wants_json(request):
        return Response({"status": 200}, media_type="application/json")
    table, perspective = request.table_view
    return redirect(perspective.url(f"/table/{table.id}/plan"))
