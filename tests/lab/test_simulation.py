"""Check that a simulated game depends only on its seed, and that bots change seats.

Easy bots beat random ones, and memory does not grow.
"""

from __future__ import annotations

import itertools
import sys
import threading
import tracemalloc
from pathlib import Path

import pytest

import spieltisch
from spieltisch import commands
from spieltisch.bots import choose
from spieltisch.bots.external import UnknownBot
from spieltisch.bots.search import native_library
from spieltisch.core.record import Record
from spieltisch.core.setup import Setup
from spieltisch.lab import engines
from spieltisch.lab import simulation as lab
from spieltisch.lab.batches import make_quick
from spieltisch.lab.simulation import Simulation, record
from spieltisch.lab.tally import Tally

GAME = "paris-connection"


def setup(seats: int, *, compiled: bool = False) -> Setup:
    return spieltisch.game("paris-connection", compiled=compiled).setup(seats)


def plain(seats: int, bots: list[str], seed: int) -> Simulation:
    return Simulation(setup(seats), bots, seed, use_library=False)


def test_shared_wins_are_counted_as_fractions() -> None:
    tally = Tally.of(["easy", "random", "random"])
    tally.add([30, 20, 30], winners=[0, 2], turns=[1, 2, 3], ended_by="P15", moves=140)
    tally.add([10, -20, 0], winners=[0], turns=[2, 3, 1], ended_by="P14", moves=100)
    tally.add([1, 1, 1], winners=[0, 1, 2], turns=[1, 2, 0], ended_by="P14", moves=120)
    assert [score.wins for score in tally.scores] == pytest.approx([1.5 + 1 / 3, 1 / 3, 0.5 + 1 / 3])
    assert tally.share(0) == pytest.approx((1.5 + 1 / 3) / 3)
    assert [(score.best, score.worst) for score in tally.scores] == [(30, 1), (20, -20), (30, 0)]
    assert [(turn.games, turn.points) for turn in tally.turns] == [(3, 31), (3, 31), (2, 10)]
    assert [turn.wins for turn in tally.turns] == pytest.approx([0.5 + 1 / 3, 1 + 1 / 3, 0.5])
    assert (tally.games, tally.moves_per_game, tally.shortest, tally.longest) == (3, 120, 100, 140)
    assert tally.ended == {"P14": 2, "P15": 1}


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.build)])
def test_a_simulated_game_depends_only_on_its_seed(*, compiled: bool) -> None:
    bots, four_players = ["easy", "random", "random", "random"], setup(4, compiled=compiled)
    whole_games = Simulation(four_players, bots, seed=3).play(9)
    pieces = Tally.of(bots)
    for simulated_game in Simulation(four_players, bots, seed=3).play_in_batches(pieces, 9, piece=4):
        assert simulated_game <= 4
    assert pieces == whole_games
    simulation_in_halves = Simulation(four_players, bots, seed=3)
    first, second = simulation_in_halves.play(3), simulation_in_halves.play(6, first=4)
    assert first.moves + second.moves == whole_games.moves
    assert first.ended + second.ended == whole_games.ended
    assert Simulation(four_players, bots, seed=4).play(9) != whole_games


@pytest.mark.build
def test_plain_and_compiled_rules_play_the_same_games() -> None:
    bots = ["random", "easy", "random"]
    assert Simulation(setup(3, compiled=True), bots, 1).play(1) == plain(3, bots, 1).play(1)
    bots = ["random"] * 5
    assert Simulation(setup(5, compiled=True), bots, 2).play(3) == plain(5, bots, 2).play(3)


@pytest.mark.build
def test_a_compiled_library_plays_the_same_games_as_plain_rules() -> None:
    native_library.build("paris-connection", what=native_library.GAMES)
    for bots in (["random", "easy", "random"], ["random"] * 5):
        plain_setup, compiled = setup(len(bots)), setup(len(bots), compiled=True)
        by_library = Simulation(plain_setup, bots, 1)
        assert by_library.play(1) == Simulation(plain_setup, bots, 1, use_library=False).play(1)
        assert by_library.play(40) == Simulation(compiled, bots, 1).play(40)
        assert record(by_library, 7) == record(Simulation(compiled, bots, 1), 7)


@pytest.mark.build
def test_simulations_use_a_compiled_library_where_one_can_be_built(
    toy: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plain_setup, bots = spieltisch.game(toy).setup(2), ["random", "random"]
    native_library.build(toy, what=native_library.GAMES)
    make_quick(plain_setup, bots, pytest.fail)
    monkeypatch.setenv("SPIELTISCH_CACHE", str(tmp_path))
    make_quick(plain_setup, ["beginner", "random"], pytest.fail)
    with monkeypatch.context() as patches:
        patches.setitem(sys.modules, "numba", None)
        make_quick(plain_setup, bots, pytest.fail)
    assert native_library.find(plain_setup.game, native_library.GAMES) is None
    notices = []
    monkeypatch.setenv("PATH", str(tmp_path))  # no linker
    make_quick(plain_setup, bots, lambda: notices.append("compiling"))
    assert notices == ["compiling"]
    assert native_library.find(plain_setup.game, native_library.GAMES) is not None


def test_compiled_rules_without_numba_name_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(ImportError, match=r"spieltisch\[compile\]"):
        spieltisch.game(GAME, compiled=True)


@pytest.mark.parametrize("engine", ["plain", pytest.param("library", marks=pytest.mark.build)])
def test_only_a_simulation_without_compiled_rules_warns_once_about_low_speed(
    engine: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    if engine == "library":
        native_library.build(GAME, what=native_library.GAMES)
    else:
        monkeypatch.setenv("SPIELTISCH_CACHE", str(tmp_path))
    monkeypatch.setitem(sys.modules, "numba", None)
    engines.say_slow.cache_clear()
    for seed in (1, 2):
        assert Simulation(setup(3), ["random"] * 3, seed).play(1).games == 1
    assert ["spieltisch[compile]" in record.getMessage() for record in caplog.records] == [True] * (engine == "plain")


def test_preparing_bots_warns_if_the_bots_play_below_their_strength(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SPIELTISCH_CACHE", str(tmp_path))
    monkeypatch.setitem(sys.modules, "numba", None)
    game = spieltisch.game("paris-connection")
    commands.prepare_bots(game, ["easy", "beginner"])
    assert capsys.readouterr().err == ""
    commands.prepare_bots(game, ["easy", "expert@0.1"])
    assert "play weaker than they could, and baselines slowly: Numba cannot be used" in capsys.readouterr().err


def test_bots_change_seats_from_game_to_game() -> None:
    simulation = Simulation(setup(3), ["easy", "random", "random"], seed=1)
    seats = [simulation.game(number).players.index("easy") for number in range(1, 7)]
    assert all(later_seat == (seat + 1) % 3 for seat, later_seat in itertools.pairwise(seats))
    assert seats == [next(p for p in range(3) if simulation.bot_at(p, simulation.seed_of(n)) == 0) for n in range(1, 7)]


def test_a_bot_gets_the_points_of_its_seat_in_each_game() -> None:
    simulation = Simulation(setup(3), ["easy", "random", "random"], seed=1)
    for number in range(1, 5):
        single_game = simulation.play(1, first=number)
        end = record(simulation, number).result
        assert end is not None
        points = end["scores"][simulation.game(number).players.index("easy")]
        assert single_game.scores[0].points == points


def test_the_turn_order_is_the_order_of_first_moves() -> None:
    simulation = Simulation(setup(4), ["easy", "random", "random", "random"], seed=1)
    for number, outcome in enumerate(simulation.results(1, 4), 1):
        simulated_game = record(simulation, number)
        order = list(dict.fromkeys(seat for seat, _, _ in simulation.game(number).steps))
        assert order[0] == simulated_game.moves[0].seat
        assert [order[turn - 1] for turn in sorted(outcome.turns)] == order
        for bot, turn in enumerate(outcome.turns):
            assert simulation.bot_at(order[turn - 1], simulation.seed_of(number)) == bot
        assert simulation.result(simulation.game(number)) == outcome


def test_a_tie_is_decided_by_the_winners_function_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    simulation = Simulation(setup(4), ["random"] * 4, seed=1)
    tied = next(n for n in range(1, 2000) if max(score.wins for score in simulation.play(1, first=n).scores) < 1)
    assert sorted(score.wins for score in simulation.play(1, first=tied).scores) == [0, 0, 0.5, 0.5]
    monkeypatch.setattr(
        type(simulation.setup.game), "winners", lambda self, points, observation: (points.index(max(points)),)
    )
    assert sorted(score.wins for score in simulation.play(1, first=tied).scores) == [0, 0, 0, 1]


@pytest.mark.parametrize(
    "engine",
    ["plain", *(pytest.param(engine, marks=pytest.mark.build) for engine in ("compiled", "library")), "in Python"],
)
def test_a_game_at_the_move_limit_is_stopped_and_its_win_shared(engine: str) -> None:
    bots = ["easy", "beginner" if engine == "in Python" else "random", "random"]
    if engine == "library":
        native_library.build(GAME, what=native_library.GAMES)

    def bounded(moves: int) -> Simulation:
        rules = setup(3, compiled=engine == "compiled")
        return Simulation(rules, bots, 1, max_moves=moves, use_library=engine == "library")

    stopped = bounded(20)
    assert stopped.in_python == (engine == "in Python")
    for outcome in stopped.results(1, 2):
        assert (outcome.ended_by, outcome.moves, sorted(outcome.won)) == (lab.MOVE_LIMIT, 20, [0, 1, 2])
        assert sorted(outcome.turns) in ([1, 2, 3], [0, 1, 2])
    assert stopped.result(stopped.game(2)) == stopped.results(2, 1)[0]
    verified = record(stopped, 2).verify()
    assert (verified.number, verified.is_over) == (20, False)
    whole_result = bounded(lab.MAX_MOVES).results(2, 1)[0]
    assert bounded(whole_result.moves).results(2, 1)[0] == whole_result
    assert bounded(whole_result.moves - 1).results(2, 1)[0].ended_by == lab.MOVE_LIMIT
    tally = stopped.play(2)
    assert [score.wins for score in tally.scores] == pytest.approx([2 / 3] * 3)
    assert tally.ended == {lab.MOVE_LIMIT: 2}


@pytest.mark.build
@pytest.mark.parametrize(("seats", "min_wins"), [(3, 0.7), (4, 0.6)])
def test_easy_bots_beat_random_bots(seats: int, min_wins: float) -> None:
    """bench/NOTES.md has the whole measurement with 1,000 games each."""
    games = 60
    tally = Simulation(setup(seats, compiled=True), ["easy"] + ["random"] * (seats - 1), seed=1).play(games)
    assert tally.share(0) >= min_wins
    assert sum(score.wins for score in tally.scores) == pytest.approx(games)


@pytest.mark.build
def test_memory_use_does_not_grow_with_the_number_of_simulated_games() -> None:
    simulation = Simulation(setup(4, compiled=True), ["random"] * 4, seed=1)
    simulation.play(200)

    def peak(games: int) -> int:
        tracemalloc.start()
        try:
            simulation.play(games)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    memory_of_few, count = peak(1_000), peak(20_000)
    assert (
        count - memory_of_few < 19_000 * 30
    )  # bytes: not even a few numbers for each game more; what is there is garbage


@pytest.mark.build
def test_a_simulation_in_a_thread_does_not_block_other_threads() -> None:
    simulation = Simulation(setup(4, compiled=True), ["easy"] * 4, seed=1)
    simulation.drive(1, 1)
    has_begun, is_done = threading.Event(), threading.Event()

    def work() -> None:
        has_begun.set()
        simulation.drive(1, 100)  # one call into compiled code, of a large part of a second
        is_done.set()

    thread = threading.Thread(target=work)
    thread.start()
    has_begun.wait()
    steps = 0
    while not is_done.is_set():
        steps += 1
    thread.join()
    assert steps > 1_000


@pytest.mark.parametrize(
    ("bots", "seed", "expected_text"),
    [
        (["random", "clever", "random"], 1, "there is no bot 'clever'"),
        (["random", "random"], 1, "2 bots cannot take 3 seats"),
        (["random"] * 3, -1, "seed: -1"),
        (["random"] * 3, lab.MAX_SEEDS, "seed: "),
    ],
)
def test_invalid_simulations_are_refused(bots: list[str], seed: int, expected_text: str) -> None:
    with pytest.raises(ValueError, match=expected_text):
        Simulation(setup(3), bots, seed)
    assert issubclass(UnknownBot, ValueError)


def test_a_maximum_of_zero_moves_is_refused() -> None:
    with pytest.raises(ValueError, match="max_moves: 0 is less than 1"):
        Simulation(setup(3, compiled=False), ["random"] * 3, 1, max_moves=0)


def test_a_game_with_the_largest_seed_is_played_to_its_end() -> None:
    simulation = Simulation(setup(3), ["random"] * 3, lab.MAX_SEEDS - 1)
    assert record(simulation, lab.MAX_GAMES - 1).verify().is_over


def test_forced_draws_of_a_position_do_not_reach_simulations(toy: str) -> None:
    """Simulations and the trial games of bots share working memory with positions."""
    setup = spieltisch.game(toy).setup(2)
    bots = ["easy", "random"]
    clean = Simulation(setup, bots, seed=1).play(5)
    dealt_draws = spieltisch.game(toy).start(2, seed=99).setup_draws
    spieltisch.game(toy).start(2, drew=dealt_draws)
    assert setup.work.draws.forced_count == len(dealt_draws) > 0
    assert Simulation(setup, bots, seed=1).play(5) == clean
    position = spieltisch.game(toy).start(2, seed=1)
    observation = position.observe(position.seat).bytes
    chosen_moves = [choose("easy", observation, seed) for seed in range(20)]
    for seed, move in enumerate(chosen_moves):
        spieltisch.game(toy).start(2, drew=dealt_draws)
        assert choose("easy", observation, seed) == move
    assert setup.work.draws.count <= 1  # the last trial's, not those of all trials


# --- Records. ---


@pytest.mark.parametrize("bots", [["random"] * 4, ["easy", "random", "easy", "random"]])
def test_records_of_a_simulation_are_verified(bots: list[str], tmp_path: Path) -> None:
    simulation = Simulation(setup(4), bots, seed=5)
    for number in (1, 2, 3):
        path = tmp_path / "game.txt"
        record(simulation, number).write(path)
        read_record = Record.read(path)
        assert read_record == record(simulation, number)
        assert read_record.verify().outcome is not None
        assert sorted(read_record.players) == sorted(bots)
        assert len(read_record.moves) == simulation.play(1, first=number).moves


def test_the_buffer_of_moves_grows_in_a_long_game(monkeypatch: pytest.MonkeyPatch) -> None:
    simulation = Simulation(setup(3), ["random"] * 3, seed=1)
    whole_game = simulation.game(1)
    monkeypatch.setattr(lab, "LOG_SIZE", 8)
    repeated_game = simulation.game(1)
    assert (repeated_game.steps, repeated_game.dealt, repeated_game.players) == (
        whole_game.steps,
        whole_game.dealt,
        whole_game.players,
    )


def test_records_of_simulated_toy_games_contain_their_draws(toy: str) -> None:
    game = spieltisch.game(toy, compiled=True)
    bots = ["easy"] + ["random"] * (game.seats.start - 1)
    simulation = Simulation(game.setup(game.seats.start), bots, seed=1)
    plain_one = Simulation(spieltisch.game(toy).setup(game.seats.start), bots, seed=1)
    assert simulation.play(40) == plain_one.play(40)
    draw_count = 0
    for number in range(1, 6):
        read_record = record(simulation, number)
        assert read_record.verify().is_over
        draw_count += sum(len(play.drew) for play in read_record.moves)
    assert draw_count > 0
