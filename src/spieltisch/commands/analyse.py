"""`spieltisch analyse`: analyse the turns of a finished game from its record."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spieltisch import commands
from spieltisch.commands.output import CommandOutput, JsonOption, command_output, fail

if TYPE_CHECKING:
    from spieltisch.bots.analysis import Analysis
    from spieltisch.bots.judging import AnalysisJob
    from spieltisch.core.position import Position
    from spieltisch.core.record import Record


def analyse(
    file: Annotated[Path, typer.Argument(dir_okay=False, help="A record of a finished game.")],
    simulations: Annotated[
        int, typer.Option(min=2, help="Simulate this many games to find the best move of a turn.")
    ] = 1000,
    seconds: Annotated[
        float, typer.Option(min=0.1, help="Stop the analysis after about this many seconds of processor time.")
    ] = 110.0,
    seed: Annotated[
        int, typer.Option(min=0, max=2**62, help="Start from this seed; equal seeds give equal analyses.")
    ] = 1,
    jobs: Annotated[int, typer.Option(min=1, help="Search in this many processes.")] = 2,
    components: commands.ComponentsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show each seat's chance to win after every turn, from what the seat knew, and which turns cost most."""
    from spieltisch.bots.judging import AnalysisJob, questions
    from spieltisch.bots.search import native_library
    from spieltisch.core.record import Record

    with command_output(as_json) as output:
        with commands.fail_on_bad_file(file):
            record = Record.read(file)
            game = commands.find_game(record.game)
            own = commands.read_components(game, components)
            position = record.verify(own)
            if not position.is_over:
                raise ValueError("the game is not over")
            job = AnalysisJob([*questions(next(record.positions(own)), record.moves)], seconds, simulations, seed)
        try:
            commands.build_search(game)
        except native_library.NotBuilt as error:
            raise fail(f"the search cannot be compiled: {error}") from error
        for answer in commands.with_progress(_answers(job, jobs), job.total, "Turns"):
            job.add_answer(answer)
        _print_analysis(output, record, position, job.finish(position, record.moves))


def _answers(job: AnalysisJob, jobs: int) -> Iterator[bytes]:
    import multiprocessing

    from spieltisch.bots.judging import judge

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
            "turns": [
                {
                    "number": turn.number,
                    "last": turn.last,
                    "seat": turn.seat + 1,
                    "moves": turn.moves,
                    "chances": turn.won,
                    "doubts": turn.doubt,
                    "best": turn.best_moves,
                    "best_chance": turn.best_won,
                    "loss": turn.loss,
                    "loss_doubt": turn.loss_doubt,
                    "cost": turn.cost,
                    "counts": turn.counts,
                    "mark": turn.mark,
                    "marked": turn.marked,
                    "games": turn.games,
                    "line": turn.line,
                }
                for turn in analysis.decisions
            ],
            "turning_points": [turn.number for turn in turning_points],
        }
    )
    accuracy_by_seat = ((seat + 1, analysis.accuracy(seat)) for seat in range(position.seats))
    output.rows(
        "accuracy",
        (
            {
                "seat": seat,
                "turns": a.turns,
                "mean_loss": a.mean_loss,
                "doubt": a.doubt,
                "without_mistake": a.without_mistake,
                "accuracy": a.share,
                "played_like": a.levels,
            }
            for seat, a in accuracy_by_seat
        ),
        "Seat {seat}: accuracy {accuracy:.0%}, played like {played_like}; {without_mistake} of {turns} turns without a "
        "mistake",
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
    for turn in turning_points:
        output.print(
            f"Move {turn.number}, seat {turn.seat + 1}{turn.mark and ' ' + turn.mark}: {', '.join(turn.moves)}"
        )
        output.print(
            f"      win chance {turn.won[turn.seat]:.0%} instead of {turn.best_won:.0%}; better was "
            + ", ".join(turn.best_moves)
        )
    if not turning_points:
        output.print("No mistakes found: no turn cost more than the margin of error.")
