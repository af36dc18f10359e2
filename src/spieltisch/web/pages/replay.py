"""Replay: any step of a game, as one perspective may see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from spieltisch.core.observation import Observation
from spieltisch.core.words import message
from spieltisch.tables import Table, refusals
from spieltisch.web.http.queries import number
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.pages.chart import chart
from spieltisch.web.pages.drawn import drawn
from spieltisch.web.pages.happened import accounts, moved
from spieltisch.web.pages.perspectives import Perspective
from spieltisch.web.pages.templates import Pages

EVERYBODY: Final = "all"
"""The word in an address for seeing with everybody's eyes, once the game is over."""


@dataclass(frozen=True)
class Eye:
    """Through whose eyes a replay is seen: a seat, a spectator (None), or everybody."""

    seat: int | None
    everybody: bool = False

    @property
    def word(self) -> str:
        """As it stands in an address."""
        return EVERYBODY if self.everybody else "" if self.seat is None else str(self.seat + 1)


def eye_of(table: Table, seat: int | None, wanted: str) -> Eye:
    """The eyes asked for. Until the game lies open there are only one's own. Raises PageRefusal 400, 403, 404,
    TableRefusal kept-back.
    """
    chosen = None if wanted in ("", EVERYBODY) else number("as", wanted)
    if not table.lies_open or not wanted:
        if wanted and wanted != Eye(seat).word:
            if table.over:
                raise refusals.kept_back()
            raise PageRefusal(403, "not-your-seat", message("Until the game is over you see it from your own seat."))
        return Eye(None, everybody=True) if table.lies_open and seat is None else Eye(seat)
    if wanted == EVERYBODY:
        return Eye(None, everybody=True)
    if chosen is not None and 1 <= chosen <= len(table.seats):
        return Eye(chosen - 1)
    raise PageRefusal(404, "no-page", message("There is no such seat."))


def first_step(table: Table) -> int:
    """The earliest step that may be shown: a game may want its players to remember older moves themselves."""
    return max((play.number + 1 for play in table.plays if table.forgets(play.number)), default=0)


def step_of(table: Table, wanted: int | None) -> int:
    """The step asked for: how many moves have been played; the last one when none is named. Raises PageRefusal 404."""
    first, last = first_step(table), len(table.plays)
    if wanted is None:
        return last
    if not first <= wanted <= last:
        words = message("This game has no such step; there are {first} to {last}.", first=first, last=last)
        raise PageRefusal(404, "no-step", words)
    return wanted


def see(table: Table, eye: Eye, step: int) -> Observation:
    """What the eyes see after so many moves."""
    position = table.position_at(step)
    return position.reveal() if eye.everybody else position.observe(eye.seat)


def step(
    pages: Pages, table: Table, perspective: Perspective, eye: Eye, at: int, since: int | None, language: str, base: str
) -> str:
    """One step as a fragment; `since` marks the moves from there on as what happened since one's last turn. `base`
    stands before the address that is for others.
    """
    words = pages.words(language, table.game)
    seen = see(table, eye, at)
    lines = [line for line in table.log(eye.seat) if line.number is not None]
    newest = next((line for line in lines if line.number == at - 1), None)
    last = [seen.setup.move(table.plays[at - 1].move)] if at and table.told_instead(at - 1, eye.seat) is None else []
    ended = table.status == "finished" and at == len(table.plays)
    context: dict[str, Any] = {
        "table": table,
        "perspective": perspective,
        "eye": eye,
        "seen": seen,
        "at": at,
        "first": first_step(table),
        "last": len(table.plays),
        "plays_on": table.lies_open and not seen.over,
        "better": None,
        "since": since,
        "happened": newest.messages if newest else (),
        "moved": moved(seen, newest.seat, newest.move, newest.events) if newest else None,
        "accounts": accounts(table, perspective) if since is not None else [],
        "lines": lines,
        "base": base,
        "address": f"/table/{table.id}/replay",
        "asked": _asked(table, eye, since),
        **drawn(pages, table.game, table.names, seen, words, last, ended=ended),
        "chart": chart(table.score_history) if ended else None,
    }
    marks = pages.marks(table.game, seen.setup)
    return pages.render("replay_step.html", language, table.game, table.names, marks=marks, **context)


def _asked(table: Table, eye: Eye, since: int | None) -> dict[str, object]:
    """What else stands in the address of each step."""
    eyes = {"as": eye.word} if table.lies_open else {}
    return {**eyes, **({"since": since} if since is not None else {})}


def since_step(table: Table, seat: int | None) -> int:
    """The step at which this seat's last turn had ended, or the earliest that may be shown: from there on everything is
    new to it.
    """
    plays = table.since(seat)
    return max(plays[0].number if plays else len(table.plays), first_step(table))
