"""A person's finished games, shown to that person alone."""

from collections.abc import Sequence

import msgspec
from litestar import Response, get
from markupsafe import Markup

from spieltisch.core.registry import game_modules
from spieltisch.games import game as game_by_key
from spieltisch.live.client_threads import run_in_thread
from spieltisch.tables import refusals
from spieltisch.web.http.query_params import QueryParams
from spieltisch.web.http.refusals import no_page
from spieltisch.web.http.requests import Request
from spieltisch.web.http.responses import page
from spieltisch.web.http.sign_in import require_own_person
from spieltisch.web.pages import history
from spieltisch.web.pages.chart import score_chart


@get("/me/history")
async def show(request: Request) -> Response[str]:
    """Show the person's games, opponents, sources of points and ratings.

    `show` (see `FILTERS`) and `game` choose the games; `from` is the number of the first one on the page.
    """
    person = require_own_person(request)
    params, games = QueryParams(request), {key: game_by_key(key) for key in game_modules()}
    first, shown, chosen = params.number("from") or 0, params.text("show"), params.text("game")
    if shown not in history.FILTERS or (chosen and chosen not in games):
        raise no_page()
    if first and not shown:
        shown = "finished"
    has_finished = shown in ("", "finished")
    past = await request.live.game_history.of(person.id, first if has_finished else 0, history.PAGE_SIZE, chosen)
    in_progress: tuple[Sequence[Markup], int | None] = ((), None)
    if shown != "finished":
        in_progress = await request.fragments.lobby.in_progress(
            person.id, request.visitor.language, chosen, first, is_turn=shown == "turn"
        )
    kinds = {key: kind for key, kind in sorted(past.totals.kinds.items()) if key in games}
    rated = (
        [group for group in history.rated_games(past.totals) if group[0] in games] if person.preferences.ratings else []
    )
    ratings = await request.live.game_history.ratings(person.id, rated)
    following = first + history.PAGE_SIZE
    finished = past.totals.kinds[chosen].games if chosen in past.totals.kinds else 0 if chosen else past.totals.games
    view = history.HistoryView(
        games=games,
        past=past,
        first=first,
        shown=shown,
        chosen=chosen,
        in_progress=in_progress,
        rows=history.rows(
            request.pages,
            request.visitor.language,
            person.id,
            past.games,
            {key: game.title for key, game in games.items()},
            {key: request.pages.cover(game) for key, game in games.items()},
        )
        if has_finished
        else [],
        following=following if has_finished and following < finished else None,
        rivals=history.opponents(past.totals),
        scales=history.rating_scales((*kind, rating) for kind, rating in zip(rated, ratings, strict=True)),
        averages=[
            history.average_points(games[key], kind, request.pages.words(request.visitor.language, games[key]))
            for key, kind in kinds.items()
        ],
    )
    return page(request, "history.html", **msgspec.structs.asdict(view))


@get("/me/history/{table_id:str}")
async def show_game(request: Request, table_id: str) -> Response[str]:
    """Show one of the person's games: the sources of each player's points, and their course."""
    person = require_own_person(request)
    result = await request.live.game_history.find_result(person.id, table_id)
    if result is None:
        raise refusals.no_table()
    table = await request.live.tables.get(table_id)
    if table.setup is None:
        raise refusals.no_table()
    return page(
        request,
        "history_game.html",
        game=table.game,
        names=table.names,
        table=table,
        result=result,
        chart=score_chart(await run_in_thread(lambda: table.score_history)),
        sources=history.points_by_source(
            table.setup, result.players, request.pages.words(request.visitor.language, table.game)
        ),
    )
