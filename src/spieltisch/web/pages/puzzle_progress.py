"""The solved puzzles and the streak of a person, of whom a browser knows a part."""

from datetime import date
from typing import Annotated, Final

import msgspec

from spieltisch.core.words import message
from spieltisch.store.people import PuzzleProgress
from spieltisch.web.http.refusals import PageRefusal
from spieltisch.web.pages.puzzles import days

MAX_PUZZLES: Final = 300
"""Maximum number of puzzles that are stored of a person, the last ones: far more than the days that pages show."""
_Name = Annotated[str, msgspec.Meta(pattern=r"^[a-z-]{1,40}/[\w-]{1,40}$")]


class _Sent(msgspec.Struct, frozen=True):
    """The progress that a browser sends, as in `PuzzleProgress`."""

    solved: Annotated[tuple[_Name, ...], msgspec.Meta(max_length=MAX_PUZZLES)] = ()
    shown: Annotated[tuple[_Name, ...], msgspec.Meta(max_length=MAX_PUZZLES)] = ()
    streak: Annotated[int, msgspec.Meta(ge=0, le=100_000)] = 0
    last: date | None = None
    best: Annotated[int, msgspec.Meta(ge=0, le=100_000)] = 0


_SENT: Final = msgspec.json.Decoder(_Sent)


def parse_progress(text: str) -> PuzzleProgress:
    """Return the progress that a browser sends. Raise PageRefusal 422."""
    try:
        sent = _SENT.decode(text)
    except msgspec.MsgspecError:
        sent = None
    if sent is None or (sent.last is not None and sent.last > days(1)[0]):
        raise PageRefusal(422, "progress", message("Invalid request. Reload the page and try again."))
    last = sent.last.isoformat() if sent.last is not None else ""
    return PuzzleProgress(sent.solved, sent.shown, sent.streak, last, max(sent.best, sent.streak))


def merged_progress(known: PuzzleProgress, other: PuzzleProgress) -> PuzzleProgress:
    """Return the progress of a person of whom two browsers know a part each; the streak is that of the later day."""
    last, streak = max((each.last, each.streak) for each in (known, other))
    solved, shown = (
        tuple(dict.fromkeys((*before, *more)))[-MAX_PUZZLES:]
        for before, more in ((known.solved, other.solved), (known.shown, other.shown))
    )
    return PuzzleProgress(solved, shown, streak, last, max(known.best, known.streak, other.best, other.streak))
