"""Importing a record: a finished game that was played elsewhere becomes a table."""

from typing import Any

from spieltisch.core.components import Components
from spieltisch.core.errors import RecordError
from spieltisch.core.record import Record
from spieltisch.tables.events import Event, Moved, Opened, Seated, SeatOffer, Started
from spieltisch.tables.names import normalize_name
from spieltisch.tables.refusals import TableRefusal


def import_record(record: Record, components: Components[Any]) -> tuple[Event, ...]:
    """Return the events of a table with the game of this record, replayed and verified here.

    No one sits at it: its seats have the names of the record, or P1, P2, ... Raise `RecordError` for a record that
    cannot be verified, whose game is not over, that is a what-if game, or that contains invalid names.
    """
    position = record.verify(components)
    if position.outcome is None:
        raise RecordError("result: the game is not over; only finished games can be read in")
    if record.what_if is not None:
        raise RecordError("study: it goes on from another game, and is no game of its own")
    players = record.players or tuple(f"P{number + 1}" for number in range(record.seats))
    if len(players) != record.seats:
        raise RecordError(f"players: {len(players)} names for {record.seats} seats")
    opened = Opened(
        game=record.game,
        options=dict(position.setup.options),
        components=components.digest,
        seat_offers=tuple(SeatOffer("link") for _ in players),
        commitment=(record.commitment or "") if record.secret else "",
        host="",
        rules_version=record.version,
        imported=True,
    )
    seated = tuple(Seated(seat=number, person="", name=_parse_name(name)) for number, name in enumerate(players))
    return (opened, *seated, Started(setup_draws=record.drew), *_moved_events(record, components))


def _moved_events(record: Record, components: Components[Any]) -> tuple[Moved, ...]:
    positions = record.positions(components)
    next(positions)
    return tuple(
        Moved(
            seat=move.seat,
            move=move.move,
            drew=move.drew,
            next_seat=position.seat,
            points=tuple(position.observe(None).scores),
        )
        for move, position in zip(record.moves, positions, strict=True)
    )


def _parse_name(text: str) -> str:
    try:
        return normalize_name(text)
    except TableRefusal as error:
        raise RecordError(f"players: {text[:40]!r}: {error}") from error
