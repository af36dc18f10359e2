"""A finished game that was played elsewhere becomes a table, by its record."""

from __future__ import annotations

from typing import Any

from spieltisch.core.components import Components
from spieltisch.core.errors import RecordError
from spieltisch.core.record import Record
from spieltisch.tables.events import EntropyAdded, Event, Moved, Opened, Seated, SeatOffer, Started
from spieltisch.tables.names import normalize_name
from spieltisch.tables.refusals import TableRefusal


def import_record(record: Record, components: Components[Any]) -> tuple[Event, ...]:
    """The events of a table that has had the game of this record, replayed and verified here.

    Nobody sits at it: its seats bear the record's names, or P1, P2, ... Raises `RecordError` for a record that does
    not verify, whose game is not over, or whose names cannot be names.
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
        chance_scheme=record.scheme,
    )
    seated = tuple(Seated(seat=number, person="", name=_name(name)) for number, name in enumerate(players))
    stirred = tuple(EntropyAdded(seat=number, text=text) for number, text in enumerate(record.texts) if text)
    return (opened, *seated, *stirred, Started(setup_draws=record.drew), *_moves(record, components))


def _moves(record: Record, components: Components[Any]) -> tuple[Moved, ...]:
    positions = record.positions(components)
    next(positions)
    return tuple(
        Moved(
            seat=play.seat,
            move=play.move,
            drew=play.drew,
            next_seat=position.seat,
            points=tuple(position.observe(None).scores),
        )
        for play, position in zip(record.moves, positions, strict=True)
    )


def _name(text: str) -> str:
    try:
        return normalize_name(text)
    except TableRefusal as problem:
        raise RecordError(f"players: {text[:40]!r}: {problem}") from problem
