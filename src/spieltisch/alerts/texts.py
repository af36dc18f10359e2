"""The texts of alerts: whose table it is, and what has happened since the person's last turn, as they may know it."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

from babel.dates import format_skeleton

from spieltisch.core.words import Message, SeatName, Words, message, messages
from spieltisch.tables import Table, deadline, device_owner, turns

MAX_LOG_LINES: Final = 12
"""The maximum number of log lines, the newest, in an alert about one table."""
AlertText: TypeAlias = tuple[str, str]
"""Title and lines."""
AlertGroup: TypeAlias = tuple[Callable[[int], Message], Sequence[AlertText], int | None]
"""Alerts of one kind, with the title of a number of them, and the number of the newest that are shown (None: all)."""


def turn_text(table: Table, person: str, language: str, zone: str = "UTC") -> tuple[str, str]:
    """Return a title and lines about a table that waits for this person.

    The lines include the deadline, in their time zone. If it is the turn of a hot-seat player on their device, the text
    contains only what all may know. Raise ValueError if the table does not wait for them.
    """
    seat = table.to_decide
    if seat is None or device_owner(table.seats[seat].person) != person:
        raise ValueError(f"table {table.id} does not wait for {person}")
    is_own_turn = table.seats[seat].person == person
    words = Words(language, table.game.folder / "locale")
    names, game = table.names, table.game.title
    if is_own_turn:
        title = message("Your turn: {game}", game=game)
    else:
        title = message("{player} to move: {game}", player=SeatName(seat), game=game)
    perspective = seat if is_own_turn else None
    recent_moves = turns.moves_since_turn(table, perspective)
    log_lines = [line for line in table.log(perspective) if recent_moves and line.version >= recent_moves[0].version]
    lines = [_table_line(table, person, words)]
    if (time := deadline(table)) is not None:
        lines.append(words.say(message("You have until {time}.", time=local_time(time.until, zone, language))))
    if more := len(log_lines[:-MAX_LOG_LINES]):
        lines.append(
            words.say(messages("{count} earlier entry not shown.", "{count} earlier entries not shown.", more))
        )
    lines += [
        " ".join(words.say(sentence, line.names) for sentence in line.messages) for line in log_lines[-MAX_LOG_LINES:]
    ]
    return words.say(title, names), "\n".join(line for line in lines if line)


def mention_text(table: Table, person: str, language: str, seat: int | None, name: str, text: str) -> tuple[str, str]:
    """Return a title and lines for a person who was mentioned, by a player in a seat or a person with this name."""
    words = Words(language, table.game.folder / "locale")
    author = SeatName(seat) if seat is not None else name
    title = message("{player} mentioned you: {game}", player=author, game=table.game.title)
    lines = f"{_table_line(table, person, words)}\n{words.say(author, table.names)}: {text}"
    return words.say(title, table.names), lines


def seat_text(table: Table, person: str, language: str) -> tuple[str, str]:
    """Return a title and lines for a person whose seat the host has given away, or that of a player on their device."""
    words = Words(language, table.game.folder / "locale")
    former = [
        player for seat in table.seats for player in seat.given_away_from if device_owner(player.person) == person
    ]
    game, is_own = table.game.title, any(player.person == person for player in former)
    if is_own:
        title = message("The host has given your seat away: {game}", game=game)
    else:
        title = message("The host has given {name}’s seat away: {game}", name=former[0].name, game=game)
    lines = [_table_line(table, person, words)]
    if table.status == "running":
        lines.append(words.say(message("Whenever it is free, you can take it again from the lobby.")))
    elif table.status == "aborted":
        lines.append(words.say(message("The game was aborted.")))
    return words.say(title), "\n".join(lines)


def analysis_text(table: Table, person: str, language: str) -> tuple[str, str]:
    """Return a title and lines for a person who has asked for the analysis of a game."""
    words = Words(language, table.game.folder / "locale")
    title = words.say(message("Your analysis is ready: {game}", game=table.game.title))
    return title, _table_line(table, person, words)


def title_of_analyses(count: int) -> Message:
    """Return the title of alerts of several finished analyses."""
    return messages("{count} analysis is ready.", "{count} analyses are ready.", count)


def found_text(table: Table, person: str, language: str) -> tuple[str, str]:
    """Return a title and lines for a person who has waited for players, and was seated at a table."""
    words = Words(language, table.game.folder / "locale")
    return words.say(message("Your table is ready: {game}", game=table.game.title)), _table_line(table, person, words)


def title_of_found(count: int) -> Message:
    """Return the title of alerts of several tables at which a person was seated."""
    return messages("{count} table is ready.", "{count} tables are ready.", count)


def invited_text(table: Table, person: str, language: str) -> tuple[str, str]:
    """Return a title and lines for a person for whom the host of a table keeps a seat."""
    words = Words(language, table.game.folder / "locale")
    host = next((seat.number for seat in table.people if seat.person == table.host), None)
    game = table.game.title
    if host is None:
        title = message("You are invited: {game}", game=game)
    else:
        title = message("{player} invites you: {game}", player=SeatName(host), game=game)
    lines = [_table_line(table, person, words), words.say(message("A seat at the table is kept for you."))]
    return words.say(title, table.names), "\n".join(lines)


def title_of_invitations(count: int) -> Message:
    """Return the title of alerts of several tables that keep a seat for a person."""
    return messages("You are invited to {count} table.", "You are invited to {count} tables.", count)


def group_text(table: Table, person: str, language: str, group: str) -> tuple[str, str]:
    """Return a title and lines for a member of a group in which a table was opened."""
    words = Words(language, table.game.folder / "locale")
    title = words.say(message("New table in {group}: {game}", group=group, game=table.game.title), table.names)
    is_kept = bool(table.seats_reserved_for(person))
    kept = [words.say(message("A seat at the table is kept for you."))] if is_kept else []
    return title, "\n".join([_table_line(table, person, words), *kept])


def season_text(table: Table, person: str, language: str, season: str) -> tuple[str, str]:
    """Return a title and lines for a person whom a game of a season waits for."""
    words = Words(language, table.game.folder / "locale")
    title = words.say(message("A game of {season} is waiting for you", season=season), table.names)
    return title, _table_line(table, person, words)


def title_of_season_tables(count: int) -> Message:
    """Return the title of alerts of several games of seasons and evenings that wait for a person."""
    return messages("{count} game of your groups is waiting.", "{count} games of your groups are waiting.", count)


def title_of_group_tables(count: int) -> Message:
    """Return the title of alerts of several new tables in groups."""
    return messages("{count} new table in your groups.", "{count} new tables in your groups.", count)


def title_of_turns(count: int) -> Message:
    """Return the title of alerts that it is a person's turn at several tables."""
    return messages("It’s your turn at {count} table.", "It’s your turn at {count} tables.", count)


def title_of_mentions(count: int) -> Message:
    """Return the title of alerts of several mentions."""
    return messages("You were mentioned {count} time.", "You were mentioned {count} times.", count)


def title_of_seats(count: int) -> Message:
    """Return the title of alerts of several seats that hosts have given away."""
    return messages(
        "The host has given your seat away at {count} table.",
        "The hosts have given your seats away at {count} tables.",
        count,
    )


def digest(groups: Sequence[AlertGroup], words: Words) -> AlertText:
    """Return one title and one text for several alerts, those of the most important kind first.

    Of each kind the newest are last.
    """
    all_texts = [text for _, of_kind, _ in groups for text in of_kind]
    if len(all_texts) == 1:
        return all_texts[0]
    title_of, first, _ = groups[0]
    parts = []
    for _, of_kind, most in groups:
        left_out = 0 if most is None else max(0, len(of_kind) - most)
        if left_out:
            more = messages("{count} earlier entry not shown.", "{count} earlier entries not shown.", left_out)
            parts.append(words.say(more))
        parts += [text for _, text in of_kind[left_out:]]
    return words.say(title_of(len(first))), "\n\n".join(parts)


def local_time(at: float, zone: str, language: str) -> str:
    """Return a time (UTC seconds) as clocks in a time zone show it, with the zone, to prevent confusion.

    >>> local_time(1_800_000_000.0, "Europe/Berlin", "en")
    'Fri 15 Jan, 09:00 (Europe/Berlin)'
    """
    time_zone = ZoneInfo(zone)
    parts = [
        format_skeleton(skeleton, datetime.fromtimestamp(at, time_zone), time_zone, locale=Words(language).locale)
        for skeleton in ("MMMEd", "Hm")
    ]
    return f"{', '.join(parts)} ({zone})"


def _table_line(table: Table, person: str, words: Words) -> str:
    game = table.game.title
    host = next((seat.number for seat in table.people if seat.person == table.host), None)
    if table.host == person:
        sentence = message("{game}, at your table.", game=game)
    elif host is not None:
        sentence = message("{game}, hosted by {player}.", game=game, player=SeatName(host))
    else:
        sentence = message("{game}.", game=game)
    return words.say(sentence, table.names)
