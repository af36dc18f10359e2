"""`spieltisch analyse`: a finished game in a record, looked at decision by decision."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spieltisch.commands import (
    AsJson,
    PlayedWith,
    Result,
    build_search,
    fail,
    find_game,
    read_components,
    reading,
    result,
    watched,
)

if TYPE_CHECKING:
    from spieltisch.bots.analysis import Analysis, Inquiry
    from spieltisch.core.position import Position
    from spieltisch.core.record import Record


def analyse(
    file: Annotated[Path, typer.Argument(dir_okay=False, help="A record of a finished game.")],
    simulations: Annotated[
        int, typer.Option(min=2, help="Trial games of the search for the best move of a decision.")
    ] = 240,
    seconds: Annotated[
        float, typer.Option(min=0.1, help="Seconds of processor for the whole game, about, as a cap.")
    ] = 110.0,
    seed: Annotated[int, typer.Option(min=0, max=2**62, help="Equal seeds give equal analyses.")] = 1,
    jobs: Annotated[int, typer.Option(min=1, help="How many processes think.")] = 2,
    components: PlayedWith = None,
    as_json: AsJson = False,
) -> None:
    """Say how likely each seat was to win after every decision, from what the seat knew, and which moves cost most."""
    from spieltisch.bots.analysis import Inquiry, questions
    from spieltisch.bots.search import library
    from spieltisch.core.record import Record

    with result(as_json) as end:
        with reading(file):
            record = Record.read(file)
            game = find_game(record.game)
            own = read_components(game, components)
            position = record.verify(own)
            if not position.over:
                raise ValueError("the game is not over")
            inquiry = Inquiry([*questions(next(record.positions(own)), record.plays)], seconds, simulations, seed)
        try:
            build_search(game)
        except library.NotBuilt as problem:
            raise fail(f"the search cannot be compiled: {problem}") from problem
        for answer in watched(_answers(inquiry, jobs), inquiry.total, "Decisions"):
            inquiry.take(answer)
        _tell(end, record, position, inquiry.conclude(position, record.plays))


def _answers(inquiry: Inquiry, jobs: int) -> Iterator[bytes]:
    import multiprocessing

    from spieltisch.bots.analysis import judge

    if jobs == 1:
        for part in (inquiry.first, inquiry.then):
            yield from (judge(*question) for question in part())
        return
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        for part in (inquiry.first, inquiry.then):
            yield from pool.map(judge, *zip(*part(), strict=True)) if inquiry.total else ()


def _tell(end: Result, record: Record, position: Position, analysis: Analysis) -> None:
    accuracies = [analysis.accuracy(seat) for seat in range(position.seats)]
    turning = analysis.turning_points()
    lucky = [(seat + 1, one) for seat in range(position.seats) if (one := analysis.luck(seat)) is not None]
    end.found = {
        "game": record.game,
        "players": record.players,
        "moves": analysis.moves,
        "won": analysis.won,
        "decisions": [
            {
                "number": one.number,
                "seat": one.seat + 1,
                "move": one.move,
                "chances": one.won,
                "doubts": one.doubt,
                "best": one.best,
                "best_chance": one.best_won,
                "best_doubt": one.best_doubt,
                "cost": one.cost,
                "games": one.games,
                "line": one.line,
            }
            for one in analysis.decisions
        ],
        "turning_points": [one.number for one in turning],
        "accuracy": [
            {"seat": seat, "decisions": one.decisions, "mean_cost": one.mean, "doubt": one.doubt, "near": one.near}
            for seat, one in enumerate(accuracies, 1)
        ],
        "luck": [{"seat": seat, "draws": one.draws, "points": one.points, "doubt": one.doubt} for seat, one in lucky],
    }
    for seat, one in enumerate(accuracies, 1):
        end.say(
            f"Seat {seat}: {one.near} of {one.decisions} decisions best or within doubt of it, "
            f"{one.mean:.1%} given up a decision (give or take {one.doubt:.1%})"
        )
    for seat, one in lucky:
        end.say(f"Seat {seat}: draws gave {one.points:+.1f} points against their mean (give or take {one.doubt:.1f})")
    end.say()
    for turn in turning:
        end.say(f"Move {turn.number}, seat {turn.seat + 1}: {turn.move}")
        end.say(f"      cost {turn.cost:.0%} (give or take {turn.gap_doubt:.0%}); better was {turn.best}")
    if not turning:
        end.say("No move cost more than the doubt of the trial games.")
