"""Replay: any step of a game, as one perspective may see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from spieltisch.core.observation import Observation
from spieltisch.core.words import message
from spieltisch.tables import Table, refusals
from spieltisch.web.http.query_params import number
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.pages.boards import render_boards
from spieltisch.web.pages.chart import score_chart
from spieltisch.web.pages.move_animation import changes_since_turn, move_animation
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.renderer import Renderer

EVERYBODY: Final = "all"
"""The word in an address for seeing with everybody's eyes, once the game is over."""


@dataclass(frozen=True)
class Viewpoint:
    """Through whose eyes a replay is seen: a seat, a spectator (None), or everybody."""

    seat: int | None
    everybody: bool = False

    @property
    def param(self) -> str:
        """As it stands in an address."""
        return EVERYBODY if self.everybody else "" if self.seat is None else str(self.seat + 1)


def viewpoint_of(table: Table, seat: int | None, wanted: str) -> Viewpoint:
    """The eyes asked for. Until the game lies open there are only one's own. Raises PageRefusal 400, 403, 404,
    TableRefusal kept-back.
    """
    chosen = None if wanted in ("", EVERYBODY) else number("as", wanted)
    if not table.is_revealed or not wanted:
        if wanted and wanted != Viewpoint(seat).param:
            if table.over:
                raise refusals.withheld()
            raise PageRefusal(403, "not-your-seat", message("Until the game is over you see it from your own seat."))
        return Viewpoint(None, everybody=True) if table.is_revealed and seat is None else Viewpoint(seat)
    if wanted == EVERYBODY:
        return Viewpoint(None, everybody=True)
    if chosen is not None and 1 <= chosen <= len(table.seats):
        return Viewpoint(chosen - 1)
    raise PageRefusal(404, "no-page", message("There is no such seat."))


def first_step(table: Table) -> int:
    """The earliest step that may be shown: a game may want its players to remember older moves themselves."""
    return max((play.number + 1 for play in table.moves if table.hides_move(play.number)), default=0)


def step_of(table: Table, wanted: int | None) -> int:
    """The step asked for: how many moves have been played; the last one when none is named. Raises PageRefusal 404."""
    first, last = first_step(table), len(table.moves)
    if wanted is None:
        return last
    if not first <= wanted <= last:
        words = message("This game has no such step; there are {first} to {last}.", first=first, last=last)
        raise PageRefusal(404, "no-step", words)
    return wanted


def observation_at(table: Table, eye: Viewpoint, step: int) -> Observation:
    """What the eyes see after so many moves."""
    position = table.position_at(step)
    return position.reveal() if eye.everybody else position.observe(eye.seat)


def step_fragment(
    pages: Renderer,
    table: Table,
    perspective: Perspective,
    eye: Viewpoint,
    at: int,
    since: int | None,
    language: str,
    base: str,
) -> str:
    """One step as a fragment; `since` marks the moves from there on as what happened since one's last turn. `base`
    stands before the address that is for others.
    """
    words = pages.words(language, table.game)
    seen = observation_at(table, eye, at)
    lines = [line for line in table.log(eye.seat) if line.number is not None]
    newest = next((line for line in lines if line.number == at - 1), None)
    last = (
        [seen.setup.move(table.moves[at - 1].move)] if at and table.hidden_move_text(at - 1, eye.seat) is None else []
    )
    ended = table.status == "finished" and at == len(table.moves)
    context: dict[str, Any] = {
        "table": table,
        "perspective": perspective,
        "eye": eye,
        "seen": seen,
        "at": at,
        "first": first_step(table),
        "last": len(table.moves),
        "plays_on": table.is_revealed and not seen.over,
        "better": None,
        "since": since,
        "happened": newest.messages if newest else (),
        "moved": move_animation(seen, newest.seat, newest.move, newest.events) if newest else None,
        "accounts": changes_since_turn(table, perspective) if since is not None else [],
        "lines": lines,
        "base": base,
        "address": f"/table/{table.id}/replay",
        "asked": _asked(table, eye, since),
        **render_boards(pages, table.game, table.names, seen, words, last, ended=ended),
        "chart": score_chart(table.score_history) if ended else None,
    }
    marks = pages.marks(table.game, seen.setup)
    return pages.render("replay_step.html", language, table.game, table.names, marks=marks, **context)


def _asked(table: Table, eye: Viewpoint, since: int | None) -> dict[str, object]:
    """What else stands in the address of each step."""
    eyes = {"as": eye.param} if table.is_revealed else {}
    return {**eyes, **({"since": since} if since is not None else {})}


def since_step(table: Table, seat: int | None) -> int:
    """The step at which this seat's last turn had ended, or the earliest that may be shown: from there on everything is
    new to it.
    """
    plays = table.moves_since_turn(seat)
    return max(plays[0].number if plays else len(table.moves), first_step(table))
