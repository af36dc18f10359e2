"""The turns of a game at a table: the moves of each, and what happened in them."""

from spieltisch.core.events import GameEvent
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.tables.table import Table
from spieltisch.tables.table_state import PlayedMove


def moves_since_turn(table: Table, seat: int | None) -> tuple[PlayedMove, ...]:
    """Return the moves since this seat's last whole turn, or since the deal if it has had none.

    For a spectator, and if there are no such moves, return the last turn of all. A decision between turns is no
    turn.
    """
    if seat is not None:
        own_turn_ends = (
            play.number + 1 for play in reversed(table.moves) if play.seat == seat and _is_turn_end(table, play)
        )
        if recent := table.moves[next(own_turn_ends, 0) :]:
            return recent
    first = len(table.moves)
    while first and table.moves[first - 1].seat == table.moves[-1].seat:
        first -= 1
        if first and table.moves[first - 1].ended_decision:
            break
    return table.moves[first:]


def _is_turn_end(table: Table, play: PlayedMove) -> bool:
    """Return True if this move ended a turn of its seat."""
    return (play.ended_decision or between_turns(table, play.number + 1)) and not between_turns(table, play.number)


def between_turns(table: Table, number: int) -> bool:
    """Return True if the decision after the first `number` moves belonged to no player's turn."""
    if number == len(table.moves):
        return table.position is not None and table.game.between_turns(table.position.observe(None))
    version = table.moves[number].version
    if version not in table._between:
        table._between[version] = table.game.between_turns(table.position_at(number).observe(None))
    return table._between[version]


def last_moves(table: Table, seat: int | None) -> tuple[Move, ...]:
    """Return those of `moves_since_turn` that this seat may know, for drawing."""
    if table.setup is None:
        return ()
    visible_moves = (
        play for play in moves_since_turn(table, seat) if table.hidden_move_text(play.number, seat) is None
    )
    return tuple(table.setup.move(play.move) for play in visible_moves)


def turn_start(table: Table) -> Observation | None:
    """Return what the deciding seat saw before the first move of `current_turn`; None if there is none."""
    return table.position_at(table.current_turn[0].number).observe(table.to_decide) if table.current_turn else None


def turn_events(table: Table) -> tuple[GameEvent, ...]:
    """Return the game events of the moves of `current_turn`, as far as the deciding seat may know them."""
    if not table.current_turn or table.setup is None:
        return ()
    position = table.position_at(table.current_turn[0].number).copy()
    events = [
        event
        for play in table.current_turn
        for event in position.play(play.move, play.drew, collect_events=True).events
    ]
    return table.setup.game.events.visible_events(table.setup, events, table.to_decide)
