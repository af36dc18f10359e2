"""Plain and compiled rules do the same; every rule can be compiled."""

from __future__ import annotations

from spieltisch.core.game import Game
from spieltisch.core.position import Position
from spieltisch.core.record import Record
from spieltisch.testing.contract import ContractBroken, require, viewer_name


def check_compiles(game: Game, compiled: Game) -> None:
    """Each rule function, and all that it calls, is compiled once. Raises ContractBroken naming the one that cannot
    be.
    """
    setup = compiled.setup(game.seats[0])
    engine, params, work = compiled.engine, setup.params, setup.work
    state, view = engine.blank_record(compiled.State), engine.blank_record(compiled.View)
    position = game.start(game.seats[0], seed=1)
    calls = {
        "start": (state, params, work),
        "legal": (state, params, work, setup.move_buffer),
        "refusal": (state, params, work, position.legal_moves[0].number),
        "observe": (state, 0, view),
        "points": (state, params, 0),
        "evaluate": (state, params, 0),
        "play": (state, params, work, position.legal_moves[0].number),
    }
    state.rng = setup.rng(1)
    for name, arguments in calls.items():
        try:
            getattr(engine, name)(*arguments)
        except Exception as problem:  # whatever the compiler says
            raise ContractBroken(f"the rule {name!r} cannot be compiled: {problem}") from problem


def check_engines(record: Record, where: str) -> None:
    """A game played again on both engines side by side. Raises ContractBroken."""
    for plain, fast in zip(record.positions(), record.positions(compiled=True), strict=True):
        at = f"{where}: plain and compiled differ after move {plain.number}"
        require(plain.digest() == fast.digest(), at)
        require(plain.legal_moves.numbers == fast.legal_moves.numbers, f"{at} in moves")
        require(plain.scores == fast.scores, f"{at} in points")
        require(_values(plain) == _values(fast), f"{at} in evaluation")
        for viewer in (None, *range(plain.seats)):
            require(plain.observe(viewer).data == fast.observe(viewer).data, f"{at} in what {viewer_name(viewer)} sees")
        if not plain.over:
            some = plain.setup.moves[plain.number % 7 :: 7]
            rules = [[_refusal(position, move.number) for move in some] for position in (plain, fast)]
            require(rules[0] == rules[1], f"{at} in reasons")
            play = record.moves[plain.number]
            if play.drew:
                require(plain.odds(play.move) == fast.odds(play.move), f"{at} in odds")


def _values(position: Position) -> list[int]:
    setup = position.setup
    return [int(setup.game.engine.evaluate(position._state, setup.params, p)) for p in range(position.seats)]


def _refusal(position: Position, number: int) -> int:
    setup = position.setup
    return int(setup.game.engine.refusal(position._state, setup.params, setup.work, number))
