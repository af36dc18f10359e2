"""Replay: any step of a game, as one viewer may see it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from spieltisch.bots.analysis import Analysis
from spieltisch.core.observation import Observation
from spieltisch.core.words import message
from spieltisch.live.client_threads import run_in_thread
from spieltisch.tables import Table, refusals, turns
from spieltisch.tables.bot_levels import strongest_level
from spieltisch.web.http.query_params import number
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.pages.boards import render_boards
from spieltisch.web.pages.chart import score_chart
from spieltisch.web.pages.move_animation import changes_since_turn, move_animation
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.renderer import Renderer

EVERYBODY: Final = "all"
"""The parameter value for all seats' information together, once the game is over."""


@dataclass(frozen=True)
class Viewpoint:
    """The viewpoint of a replay: a seat, a spectator (None), or all seats together."""

    seat: int | None
    shows_everything: bool = False

    @property
    def param(self) -> str:
        """The value of the query parameter."""
        return EVERYBODY if self.shows_everything else "" if self.seat is None else str(self.seat + 1)


def viewpoint_of(table: Table, seat: int | None, requested: str) -> Viewpoint:
    """Return the requested viewpoint; until the game is revealed, only the viewer's own.

    Raise PageRefusal 400, 403, 404, TableRefusal withheld.
    """
    chosen = None if requested in ("", EVERYBODY) else number("as", requested)
    if not table.is_revealed or not requested:
        if requested and requested != Viewpoint(seat).param:
            if table.is_over:
                raise refusals.withheld()
            raise PageRefusal(403, "not-your-seat", message("You can only see your own seat until the game is over."))
        return Viewpoint(None, shows_everything=True) if table.is_revealed and seat is None else Viewpoint(seat)
    if requested == EVERYBODY:
        return Viewpoint(None, shows_everything=True)
    if chosen is not None and 1 <= chosen <= len(table.seats):
        return Viewpoint(chosen - 1)
    raise PageRefusal(404, "no-page", message("This seat doesn’t exist."))


def first_step(table: Table) -> int:
    """Return the first step that may be shown: a game may require that players remember older moves themselves."""
    return max((play.number + 1 for play in table.moves if table.hides_move(play.number)), default=0)


def step_of(table: Table, requested: int | None) -> int:
    """Return the requested step: the number of moves played, by default the first. Raise PageRefusal 404."""
    first, last = first_step(table), len(table.moves)
    if requested is None:
        return first
    if not first <= requested <= last:
        words = message("This move doesn’t exist. Choose one from {first} to {last}.", first=first, last=last)
        raise PageRefusal(404, "no-step", words)
    return requested


def observation_at(table: Table, viewpoint: Viewpoint, step: int) -> Observation:
    """Return the observation from this viewpoint after `step` moves."""
    position = table.position_at(step)
    return position.reveal() if viewpoint.shows_everything else position.observe(viewpoint.seat)


async def step_fragment(
    pages: Renderer,
    table: Table,
    perspective: Perspective,
    viewpoint: Viewpoint,
    step: int,
    since: int | None,
    language: str,
    base: str,
    analysis: Analysis | None = None,
    *,
    opens_what_if: bool = False,
) -> str:
    """Render a step as a fragment.

    The moves are marked as in the `analysis`, if there is one. `opens_what_if` unfolds the form that plays on.
    `since` marks the moves from there on as those since the viewer's last turn. `base` is the prefix of the URL to
    share.
    """
    words = pages.words(language, table.game)
    observation = observation_at(table, viewpoint, step)
    lines = [line for line in table.log(viewpoint.seat) if line.number is not None]
    latest = next((line for line in lines if line.number == step - 1), None)
    last = (
        [observation.setup.move(table.moves[step - 1].move)]
        if step and table.hidden_move_text(step - 1, viewpoint.seat) is None
        else []
    )
    ended = table.status == "finished" and step == len(table.moves)
    turn_ends = (play.number + 1 for play in table.moves if play.ended_decision)
    decisions = analysis.decisions if analysis is not None else ()
    mine = perspective.seat if not perspective.is_shared_page else None
    worst = analysis.costliest(mine) if analysis is not None and mine is not None else None
    context: dict[str, Any] = {
        "table": table,
        "perspective": perspective,
        "eye": viewpoint,
        "seen": observation,
        "at": step,
        "first": first_step(table),
        "last": len(table.moves),
        "plays_on": table.is_revealed and not observation.is_over,
        "is_what_if_open": opens_what_if,
        "what_if_bot": strongest_level(seat.bot for seat in table.seats),
        "judged": {decision.marked: decision.mark for decision in decisions if decision.mark},
        "worst": worst.number - 1 if worst is not None else None,
        "better": None,
        "since": since,
        "happened": latest.messages if latest else (),
        "moved": move_animation(observation, latest.seat, latest.move, latest.events) if latest else None,
        "accounts": changes_since_turn(table, perspective) if since is not None else [],
        "lines": lines,
        "base": base,
        "address": f"/table/{table.id}/replay",
        "asked": _query(table, viewpoint, since),
        **turn_steps(turn_ends, step, first_step(table), len(table.moves)),
        **render_boards(pages, table.game, table.names, observation, words, last, ended=ended),
        "chart": score_chart(await run_in_thread(lambda: table.score_history)) if ended else None,
    }
    marks = pages.marks(table.game, observation.setup)
    return await pages.render_with_pauses("replay_step.html", language, table.game, table.names, marks=marks, **context)


def turn_steps(turn_ends: Iterable[int], at: int, first: int, last: int) -> dict[str, Any]:
    """Return the steps after which turns ended, and of these the nearest before and after step `at`."""
    ends = [end for end in turn_ends if end > first]
    return {
        "turn_ends": ends,
        "previous_turn": max((end for end in ends if end < at), default=first),
        "next_turn": min((end for end in ends if end > at), default=last),
    }


def _query(table: Table, viewpoint: Viewpoint, since: int | None) -> dict[str, object]:
    """Return the other query parameters of each step's URL."""
    viewpoint_query = {"as": viewpoint.param} if table.is_revealed else {}
    return {**viewpoint_query, **({"since": since} if since is not None else {})}


def since_step(table: Table, seat: int | None) -> int:
    """Return the step at which this seat's last turn ended, or the first that may be shown.

    Everything from there on is new to the seat.
    """
    plays = turns.moves_since_turn(table, seat)
    return max(plays[0].number if plays else len(table.moves), first_step(table))
