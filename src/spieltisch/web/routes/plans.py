"""Planning the next turn while others play. No other player sees any of it."""

from typing import Any

from litestar import Response, get, post
from litestar.response import Redirect

from spieltisch.live import Live
from spieltisch.tables import Table
from spieltisch.tables.planning import Condition
from spieltisch.tables.refusals import not_your_seat
from spieltisch.web.http.query_params import QueryParams
from spieltisch.web.http.query_params import number as number_of
from spieltisch.web.http.rate_limits import RateLimits
from spieltisch.web.http.refusals import no_page
from spieltisch.web.http.requests import Form, Request, is_htmx, wants_json
from spieltisch.web.http.responses import notice, page, redirect, table_context
from spieltisch.web.http.sessions import Visitor
from spieltisch.web.http.sign_in import require_person
from spieltisch.web.http.statuses import status_of
from spieltisch.web.pages import planning
from spieltisch.web.pages.move_tree import reasons
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.renderer import Renderer
from spieltisch.web.routes.table import table_view


@get("/table/{table_id:str}/plan")
async def show(
    request: Request, live: Live, rate_limits: RateLimits, visitor: Visitor, pages: Renderer, table_id: str
) -> Response[Any]:
    """Show the planning page; for programs, return the plans as JSON."""
    table, perspective = await _own_table(request, live, rate_limits, visitor, table_id)
    if wants_json(request):
        stored_plans = await live.plan_runner.plans_of(table.id, require_person(visitor).id)
        words = pages.words(visitor.language, table.game)
        rows = [
            {
                "number": plan.number,
                "moves": plan.planned.moves,
                "condition": plan.planned.condition,
                "always": plan.planned.always,
                "fate": None if plan.outcome is None else words.say(plan.outcome, table.names),
            }
            for plan in stored_plans
        ]
        return Response(rows, media_type="application/json")
    return await _page(request, live, visitor, pages, table, perspective, [])


@post("/table/{table_id:str}/plan/play", status_code=200)
async def step(
    request: Request, live: Live, rate_limits: RateLimits, visitor: Visitor, form: Form, pages: Renderer, table_id: str
) -> Response[Any]:
    """Show the planned turn with one more move."""
    table, perspective = await _own_table(request, live, rate_limits, visitor, table_id)
    return await _page(request, live, visitor, pages, table, perspective, [*_moves(form), *_moves(form, "move")])


@post("/table/{table_id:str}/plan", status_code=200)
async def save(
    request: Request, live: Live, rate_limits: RateLimits, visitor: Visitor, form: Form, table_id: str
) -> Response[Any] | Redirect:
    """Store the planned turn."""
    table, perspective = await _own_table(request, live, rate_limits, visitor, table_id)
    seat_number, condition_words = form.get("who", ""), f"{form.get('does', '')} {form.get('thing', '')}".strip()
    condition = Condition(number_of("who", seat_number) - 1, condition_words) if seat_number else None
    person = require_person(visitor).id
    always, session = bool(form.get("always")), visitor.session_key
    await live.plan_runner.add(table.id, person, _moves(form), condition, always=always, session=session)
    return _done(request, table, perspective)


@post("/table/{table_id:str}/plan/{number:str}/{deed:str}", status_code=200)
async def act_on_plan(
    request: Request, live: Live, rate_limits: RateLimits, visitor: Visitor, table_id: str, number: str, deed: str
) -> Response[Any] | Redirect:
    """Delete a plan, or move it up."""
    table, perspective = await _own_table(request, live, rate_limits, visitor, table_id)
    actions = {"drop": live.plan_runner.drop, "earlier": live.plan_runner.move_up}
    if deed not in actions:
        raise no_page()
    await actions[deed](table.id, require_person(visitor).id, number_of("number", number))
    return _done(request, table, perspective)


@get("/table/{table_id:str}/plan/why")
async def why(request: Request, live: Live, rate_limits: RateLimits, visitor: Visitor, table_id: str) -> Response[Any]:
    """Explain why a move cannot follow the planned ones."""
    table, perspective = await _own_table(request, live, rate_limits, visitor, table_id)
    params = QueryParams(request)
    state = planning.draft_state(table, visitor.person_id, params.text("moves").splitlines())
    if state.draft is None:
        raise state.problem or not_your_seat()
    refusals = reasons(state.draft.position, params.text("words").split(), params.text("place"), perspective.seat)
    context: dict[str, Any] = {
        "refusals": [(refusal.rule, refusal.message) for refusal in refusals],
        **table_context(request),
    }
    if is_htmx(request):
        return notice(request, "refusal.html", **context)
    return page(request, "why_not.html", table=table, perspective=perspective, **context)


async def _own_table(
    request: Request, live: Live, rate_limits: RateLimits, visitor: Visitor, table_id: str
) -> tuple[Table, Perspective]:
    """Return the table for a player with a seat.

    Raise TableRefusal no-table, not-your-seat, hot-seat, and PageRefusal 429.
    """
    person = require_person(visitor)
    table, perspective = await table_view(request, live, visitor, table_id)
    rate_limits.plan(person.id)
    if not planning.plan_owner(table, perspective, person.id):
        planning.draft_state(table, person.id, [])
        raise not_your_seat()
    return table, perspective


async def _page(
    request: Request,
    live: Live,
    visitor: Visitor,
    pages: Renderer,
    table: Table,
    perspective: Perspective,
    moves: list[str],
) -> Response[Any]:
    state = planning.draft_state(table, visitor.person_id, moves)
    if perspective.seat is None:
        raise not_your_seat()
    refused = state.problem if moves else None
    return page(
        request,
        "plan.html",
        status=200 if refused is None or refused.code in planning.PAGE_CODES else status_of(refused.code),
        game=table.game,
        table=table,
        perspective=perspective,
        **planning.split_plans(table, await live.plan_runner.plans_of(table.id, require_person(visitor).id)),
        **planning.context(pages, table, perspective.seat, visitor.language, state),
    )


def _moves(form: Form, field: str = "moves") -> list[str]:
    """Return the moves in a field, one in each line."""
    return [line.strip() for line in form.get(field, "").splitlines() if line.strip()]


def _done(request: Request, table: Table, perspective: Perspective) -> Response[Any] | Redirect:
    if wants_json(request):
        return Response({"status": 200}, media_type="application/json")
    return redirect(perspective.url(f"/table/{table.id}/plan"))
