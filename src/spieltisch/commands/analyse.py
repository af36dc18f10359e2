"""`spieltisch analyse`: analyse the decisions of a finished game from its record."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spieltisch.commands import (
    ComponentsOption,
    build_search,
    fail_on_bad_file,
    find_game,
    read_components,
    with_progress,
)
from spieltisch.commands.output import CommandOutput, JsonOption, command_output, fail

if TYPE_CHECKING:
    from spieltisch.bots.analysis import Analysis, AnalysisJob
    from spieltisch.core.position import Position
    from spieltisch.core.record import Record


def analyse(
    file: Annotated[Path, typer.Argument(dir_okay=False, help="A record of a finished game.")],
    simulations: Annotated[
        int, typer.Option(min=2, help="Simulate this many games to find the best move of a decision.")
    ] = 240,
    seconds: Annotated[
        float, typer.Option(min=0.1, help="Stop the analysis after about this many seconds of processor time.")
    ] = 110.0,
    seed: Annotated[
        int, typer.Option(min=0, max=2**62, help="Start from this seed; equal seeds give equal analyses.")
    ] = 1,
    jobs: Annotated[int, typer.Option(min=1, help="Search in this many processes.")] = 2,
    components: ComponentsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show each seat's chance to win after every decision, from what the seat knew, and which moves cost most."""
    from spieltisch.bots.analysis import AnalysisJob, questions
    from spieltisch.bots.search import native_library
    from spieltisch.core.record import Record

    with command_output(as_json) as output:
        with fail_on_bad_file(file):
            record = Record.read(file)
            game = find_game(record.game)
            own = read_components(game, components)
            position = record.verify(own)
            if not position.over:
                raise ValueError("the game is not over")
            job = AnalysisJob([*questions(next(record.positions(own)), record.moves)], seconds, simulations, seed)
        try:
            build_search(game)
        except native_library.NotBuilt as error:
            raise fail(f"the search cannot be compiled: {error}") from error
        for answer in with_progress(_answers(job, jobs), job.total, "Decisions"):
            job.add_answer(answer)
        _print_analysis(output, record, position, job.finish(position, record.moves))


def _answers(job: AnalysisJob, jobs: int) -> Iterator[bytes]:
    import multiprocessing

    from spieltisch.bots.analysis import judge

    if jobs == 1:
        for part in (job.first_pass, job.second_pass):
            yield from (judge(*question) for question in part())
        return
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        for part in (job.first_pass, job.second_pass):
            yield from pool.map(judge, *zip(*part(), strict=True)) if job.total else ()


def _print_analysis(output: CommandOutput, record: Record, position: Position, analysis: Analysis) -> None:
    turning_points = analysis.turning_points()
    output.show(
        {
            "game": record.game,
            "players": record.players,
            "moves": analysis.moves,
            "won": analysis.won,
            "decisions": [
                {
                    "number": decision.number,
                    "seat": decision.seat + 1,
                    "move": decision.move,
                    "chances": decision.won,
                    "doubts": decision.doubt,
                    "best": decision.best,
                    "best_chance": decision.best_won,
                    "best_doubt": decision.best_doubt,
                    "cost": decision.cost,
                    "games": decision.games,
                    "line": decision.line,
                }
                for decision in analysis.decisions
            ],
            "turning_points": [decision.number for decision in turning_points],
        }
    )
    accuracy_by_seat = ((seat + 1, analysis.accuracy(seat)) for seat in range(position.seats))
    output.rows(
        "accuracy",
        (
            {"seat": seat, "decisions": a.decisions, "mean_cost": a.mean, "doubt": a.doubt, "near": a.near_best}
            for seat, a in accuracy_by_seat
        ),
        "Seat {seat}: {near} of {decisions} decisions best or within doubt of it, {mean_cost:.1%} given up a decision "
        "(give or take {doubt:.1%})",
    )
    luck_by_seat = ((seat + 1, analysis.luck(seat)) for seat in range(position.seats))
    output.rows(
        "luck",
        (
            {"seat": seat, "draws": luck.draws, "points": luck.points, "doubt": luck.doubt}
            for seat, luck in luck_by_seat
            if luck is not None
        ),
        "Seat {seat}: draws gave {points:+.1f} points against their mean (give or take {doubt:.1f})",
    )
    output.print()
    for decision in turning_points:
        output.print(f"Move {decision.number}, seat {decision.seat + 1}: {decision.move}")
        output.print(
            f"      cost {decision.cost:.0%} (give or take {decision.gap_doubt:.0%}); better was {decision.best}"
        )
    if not turning_points:
        output.print("No mistakes found: no move cost more than the margin of error.")
