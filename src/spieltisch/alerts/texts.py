"""What an alert says: whose table it is, and what has happened since its person's last turn, as they may know it."""

from __future__ import annotations

from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from babel.dates import format_skeleton

from spieltisch.core.words import SeatName, Words, message, messages
from spieltisch.tables import Table, deadline, device_owner

MOST_LINES: Final = 12
"""The newest lines of the log that are told of one table."""


def turn_text(table: Table, person: str, language: str, zone: str = "UTC") -> tuple[str, str]:
    """What this person is told of a table that waits for them: a title, and lines; until when they have time as the
    clocks in their time `zone` show it. Whoever sits beside them on their
    device is told of by what everybody may know.

    Raises ValueError where the table does not wait for them.
    """
    seat = table.to_decide
    if seat is None or device_owner(table.seats[seat].person) != person:
        raise ValueError(f"table {table.id} does not wait for {person}")
    own = table.seats[seat].person == person
    words = Words(language, table.game.folder / "locale")
    names, game = table.names, table.game.title
    if own:
        title = message("It is your turn: {game}", game=game)
    else:
        title = message("It is the turn of {player}: {game}", player=SeatName(seat), game=game)
    perspective = seat if own else None
    since = table.moves_since_turn(perspective)
    lines = [line for line in table.log(perspective) if since and line.version >= since[0].version]
    told = [_whose(table, person, words)]
    if (time := deadline(table)) is not None:
        told.append(words.say(message("You have until {time}.", time=local_time(time.until, zone, language))))
    if more := len(lines[:-MOST_LINES]):
        told.append(words.say(messages("{count} more before that.", "{count} more before that.", more)))
    told += [" ".join(words.say(said, line.names) for said in line.messages) for line in lines[-MOST_LINES:]]
    return words.say(title, names), "\n".join(line for line in told if line)


def mention_text(table: Table, person: str, language: str, seat: int | None, name: str, text: str) -> tuple[str, str]:
    """What this person is told when they are mentioned, by somebody in a seat or under a name: a title, and lines."""
    words = Words(language, table.game.folder / "locale")
    who = SeatName(seat) if seat is not None else name
    title = message("{player} has mentioned you: {game}", player=who, game=table.game.title)
    return words.say(title, table.names), f"{_whose(table, person, words)}\n{words.say(who, table.names)}: {text}"


def digest(turns: list[tuple[str, str]], mentions: list[tuple[str, str]], words: Words) -> tuple[str, str]:
    """The titles and lines of several turns, and of several mentions (the newest last), as one."""
    if len(turns) + len(mentions) == 1:
        return (turns or mentions)[0]
    if turns:
        title = messages("It is your turn at {count} table.", "It is your turn at {count} tables.", len(turns))
    else:
        title = messages("You were mentioned {count} time.", "You were mentioned {count} times.", len(mentions))
    told = [text for _, text in turns]
    if more := len(mentions[:-MOST_LINES]):
        told.append(words.say(messages("{count} more before that.", "{count} more before that.", more)))
    return words.say(title), "\n\n".join([*told, *(text for _, text in mentions[-MOST_LINES:])])


def local_time(at: float, zone: str, language: str) -> str:
    """A time (UTC seconds) as the clocks in a time zone show it, with the zone, so that nobody takes it for another.

    >>> local_time(1_800_000_000.0, "Europe/Berlin", "en")
    'Fri, Jan 15, 09:00 (Europe/Berlin)'
    """
    here = ZoneInfo(zone)
    shown = [format_skeleton(one, datetime.fromtimestamp(at, here), here, locale=language) for one in ("MMMEd", "Hm")]
    return f"{', '.join(shown)} ({zone})"


def _whose(table: Table, person: str, words: Words) -> str:
    game = table.game.title
    host = next((one.number for one in table.people if one.person == table.host), None)
    if table.host == person:
        whose = message("{game}, at your table.", game=game)
    elif host is not None:
        whose = message("{game}, at the table of {player}.", game=game, player=SeatName(host))
    else:
        whose = message("{game}.", game=game)
    return words.say(whose, table.names)
