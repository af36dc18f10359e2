"""Checks that plain and compiled rules agree, and that every rule can be compiled."""

from spieltisch.core.game import Game
from spieltisch.core.position import Position
from spieltisch.core.record import Record
from spieltisch.testing.contract import ContractBroken, require, viewer_name


def check_compiles(game: Game, compiled: Game) -> None:
    """Compile each rule function and all that it calls. Raise ContractBroken, which names one that does not compile."""
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
        rule = getattr(engine, name)
        if rule is None:  # a game without hidden information has no `observe`
            continue
        try:
            rule(*arguments)
        except Exception as error:  # any error of the compiler
            raise ContractBroken(f"the rule {name!r} cannot be compiled: {error}") from error


def check_engines(record: Record, where: str) -> None:
    """Replay a game on both engines side by side and compare them. Raise ContractBroken."""
    for plain, compiled in zip(record.positions(), record.positions(compiled=True), strict=True):
        context = f"{where}: plain and compiled differ after move {plain.number}"
        require(plain.digest() == compiled.digest(), context)
        require(plain.legal_moves.numbers == compiled.legal_moves.numbers, f"{context} in moves")
        require(plain.scores == compiled.scores, f"{context} in points")
        require(_values(plain) == _values(compiled), f"{context} in evaluation")
        for viewer in (None, *range(plain.seats)):
            require(
                plain.observe(viewer).data == compiled.observe(viewer).data,
                f"{context} in what {viewer_name(viewer)} sees",
            )
        if not plain.is_over:
            sample = plain.setup.moves[plain.number % 7 :: 7]
            codes = [[_refusal(position, move.number) for move in sample] for position in (plain, compiled)]
            require(codes[0] == codes[1], f"{context} in reasons")
            play = record.moves[plain.number]
            if play.drew:
                require(plain.odds(play.move) == compiled.odds(play.move), f"{context} in odds")


def _values(position: Position) -> list[int]:
    setup = position.setup
    return [int(setup.game.engine.evaluate(position._state, setup.params, p)) for p in range(position.seats)]


def _refusal(position: Position, number: int) -> int:
    setup = position.setup
    return int(setup.game.engine.refusal(position._state, setup.params, setup.work, number))
