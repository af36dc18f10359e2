"""What an alert says: whose table it is, and what has happened since its person's last turn, as they may know it."""

from __future__ import annotations

from typing import Final

from spieltisch.core.words import SeatName, Words, message, messages
from spieltisch.tables import Table, device_of

MOST_LINES: Final = 12
"""The newest lines of the log that are told of one table."""


def turn(table: Table, person: str, language: str) -> tuple[str, str]:
    """What this person is told of a table that waits for them: a title, and lines. Whoever sits beside them on their
    device is told of by what everybody may know.

    Raises ValueError where the table does not wait for them.
    """
    seat = table.to_decide
    if seat is None or device_of(table.seats[seat].person) != person:
        raise ValueError(f"table {table.id} does not wait for {person}")
    own = table.seats[seat].person == person
    words = Words(language, table.game.folder / "locale")
    names, game = table.names, table.game.title
    host = next((one.number for one in table.people if one.person == table.host), None)
    if table.host == person:
        whose = message("{game}, at your table.", game=game)
    elif host is not None:
        whose = message("{game}, at the table of {player}.", game=game, player=SeatName(host))
    else:
        whose = message("{game}.", game=game)
    if own:
        title = message("It is your turn: {game}", game=game)
    else:
        title = message("It is the turn of {player}: {game}", player=SeatName(seat), game=game)
    perspective = seat if own else None
    since = table.since(perspective)
    lines = [line for line in table.log(perspective) if since and line.version >= since[0].version]
    told = [words.say(whose, names)]
    if more := len(lines[:-MOST_LINES]):
        told.append(words.say(messages("{count} more before that.", "{count} more before that.", more)))
    told += [" ".join(words.say(said, line.names) for said in line.messages) for line in lines[-MOST_LINES:]]
    return words.say(title, names), "\n".join(line for line in told if line)


def digest(turns: list[tuple[str, str]], words: Words) -> tuple[str, str]:
    """The titles and lines of several turns, as one."""
    if len(turns) == 1:
        return turns[0]
    title = messages("It is your turn at {count} table.", "It is your turn at {count} tables.", len(turns))
    return words.say(title), "\n\n".join(text for _, text in turns)
