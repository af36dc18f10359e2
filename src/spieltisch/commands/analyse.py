"""`spieltisch analyse`: a finished game in a record, looked at decision by decision."""

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
        int, typer.Option(min=2, help="Trial games of the search for the best move of a decision.")
    ] = 240,
    seconds: Annotated[
        float, typer.Option(min=0.1, help="Seconds of processor for the whole game, about, as a cap.")
    ] = 110.0,
    seed: Annotated[int, typer.Option(min=0, max=2**62, help="Equal seeds give equal analyses.")] = 1,
    jobs: Annotated[int, typer.Option(min=1, help="How many processes think.")] = 2,
    components: ComponentsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say how likely each seat was to win after every decision, from what the seat knew, and which moves cost most."""
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
            inquiry = AnalysisJob([*questions(next(record.positions(own)), record.moves)], seconds, simulations, seed)
        try:
            build_search(game)
        except native_library.NotBuilt as error:
            raise fail(f"the search cannot be compiled: {error}") from error
        for answer in with_progress(_answers(inquiry, jobs), inquiry.total, "Decisions"):
            inquiry.add_answer(answer)
        _print_analysis(output, record, position, inquiry.finish(position, record.moves))


def _answers(inquiry: AnalysisJob, jobs: int) -> Iterator[bytes]:
    import multiprocessing

    from spieltisch.bots.analysis import judge

    if jobs == 1:
        for part in (inquiry.first_pass, inquiry.second_pass):
            yield from (judge(*question) for question in part())
        return
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        for part in (inquiry.first_pass, inquiry.second_pass):
            yield from pool.map(judge, *zip(*part(), strict=True)) if inquiry.total else ()


def _print_analysis(output: CommandOutput, record: Record, position: Position, analysis: Analysis) -> None:
    turning = analysis.turning_points()
    output.show(
        {
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
        }
    )
    accuracies = ((seat + 1, analysis.accuracy(seat)) for seat in range(position.seats))
    output.rows(
        "accuracy",
        (
            {"seat": seat, "decisions": one.decisions, "mean_cost": one.mean, "doubt": one.doubt, "near": one.near_best}
            for seat, one in accuracies
        ),
        "Seat {seat}: {near} of {decisions} decisions best or within doubt of it, {mean_cost:.1%} given up a decision "
        "(give or take {doubt:.1%})",
    )
    lucky = ((seat + 1, analysis.luck(seat)) for seat in range(position.seats))
    output.rows(
        "luck",
        (
            {"seat": seat, "draws": luck.draws, "points": luck.points, "doubt": luck.doubt}
            for seat, luck in lucky
            if luck is not None
        ),
        "Seat {seat}: draws gave {points:+.1f} points against their mean (give or take {doubt:.1f})",
    )
    output.print()
    for turn in turning:
        output.print(f"Move {turn.number}, seat {turn.seat + 1}: {turn.move}")
        output.print(f"      cost {turn.cost:.0%} (give or take {turn.gap_doubt:.0%}); better was {turn.best}")
    if not turning:
        output.print("No move cost more than the doubt of the trial games.")
