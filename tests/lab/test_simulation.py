"""Simulation: games that depend on their seed alone, fair seats, strong easy bots, memory that stays where it is."""

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
from spieltisch.lab import simulation as lab
from spieltisch.lab.batches import make_quick
from spieltisch.lab.simulation import Simulation, record
from spieltisch.lab.tally import Tally

GAME = "paris-connection"


def setup(seats: int, *, compiled: bool = False) -> Setup:
    return spieltisch.game("paris-connection", compiled=compiled).setup(seats)


def plain(seats: int, bots: list[str], seed: int) -> Simulation:
    return Simulation(setup(seats), bots, seed, use_library=False)


def test_a_tally_counts_shared_wins_in_parts() -> None:
    tally = Tally.of(["easy", "random", "random"])
    tally.add([30, 20, 30], winners=[0, 2], ended_by="P15", moves=140)
    tally.add([10, -20, 0], winners=[0], ended_by="P14", moves=100)
    tally.add([1, 1, 1], winners=[0, 1, 2], ended_by="P14", moves=120)
    assert [score.wins for score in tally.scores] == pytest.approx([1.5 + 1 / 3, 1 / 3, 0.5 + 1 / 3])
    assert tally.share(0) == pytest.approx((1.5 + 1 / 3) / 3)
    assert [(score.best, score.worst) for score in tally.scores] == [(30, 1), (20, -20), (30, 0)]
    assert (tally.games, tally.moves_per_game, tally.shortest, tally.longest) == (3, 120, 100, 140)
    assert tally.ended == {"P14": 2, "P15": 1}


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.build)])
def test_a_game_depends_on_its_seed_alone(*, compiled: bool) -> None:
    bots, four = ["easy", "random", "random", "random"], setup(4, compiled=compiled)
    whole = Simulation(four, bots, seed=3).play(9)
    pieces = Tally.of(bots)
    for played in Simulation(four, bots, seed=3).play_in_batches(pieces, 9, piece=4):
        assert played <= 4
    assert pieces == whole
    halves = Simulation(four, bots, seed=3)
    first, second = halves.play(3), halves.play(6, first=4)
    assert first.moves + second.moves == whole.moves
    assert first.ended + second.ended == whole.ended
    assert Simulation(four, bots, seed=4).play(9) != whole


@pytest.mark.build
def test_plain_and_compiled_rules_play_the_same_games() -> None:
    bots = ["random", "easy", "random"]
    assert Simulation(setup(3, compiled=True), bots, 1).play(1) == plain(3, bots, 1).play(1)
    bots = ["random"] * 5
    assert Simulation(setup(5, compiled=True), bots, 2).play(3) == plain(5, bots, 2).play(3)


@pytest.mark.build
def test_a_library_plays_the_same_games() -> None:
    native_library.build("paris-connection", what=native_library.GAMES)
    for bots in (["random", "easy", "random"], ["random"] * 5):
        plain, compiled = setup(len(bots)), setup(len(bots), compiled=True)
        by_library = Simulation(plain, bots, 1)
        assert by_library.play(1) == Simulation(plain, bots, 1, use_library=False).play(1)
        assert by_library.play(40) == Simulation(compiled, bots, 1).play(40)
        assert record(by_library, 7) == record(Simulation(compiled, bots, 1), 7)


@pytest.mark.build
def test_games_are_played_by_a_library_where_there_can_be_one(
    toy: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plain, bots = spieltisch.game(toy).setup(2), ["random", "random"]
    native_library.build(toy, what=native_library.GAMES)
    make_quick(plain, bots, pytest.fail)
    monkeypatch.setenv("SPIELTISCH_CACHE", str(tmp_path))
    make_quick(plain, ["beginner", "random"], pytest.fail)
    with monkeypatch.context() as broken:
        broken.setitem(sys.modules, "numba", None)
        make_quick(plain, bots, pytest.fail)
    assert native_library.find(plain.game, native_library.GAMES) is None
    notices = []
    monkeypatch.setenv("PATH", str(tmp_path))  # no linker
    make_quick(plain, bots, lambda: notices.append("compiling"))
    assert notices == ["compiling"]
    assert native_library.find(plain.game, native_library.GAMES) is not None


def test_compiled_rules_without_numba_name_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(ImportError, match=r"spieltisch\[compile\]"):
        spieltisch.game(GAME, compiled=True)


@pytest.mark.parametrize("engine", ["plain", pytest.param("library", marks=pytest.mark.build)])
def test_a_simulation_says_once_that_it_is_slow_and_only_then(
    engine: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    if engine == "library":
        native_library.build(GAME, what=native_library.GAMES)
    else:
        monkeypatch.setenv("SPIELTISCH_CACHE", str(tmp_path))
    monkeypatch.setitem(sys.modules, "numba", None)
    lab._say_slow.cache_clear()
    for seed in (1, 2):
        assert Simulation(setup(3), ["random"] * 3, seed).play(1).games == 1
    assert ["spieltisch[compile]" in record.getMessage() for record in caplog.records] == [True] * (engine == "plain")


def test_before_bots_search_they_are_made_as_strong_as_they_can_be(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SPIELTISCH_CACHE", str(tmp_path))
    monkeypatch.setitem(sys.modules, "numba", None)
    game = spieltisch.game("paris-connection")
    commands.prepare_bots(game, ["easy", "beginner"])
    assert capsys.readouterr().err == ""
    commands.prepare_bots(game, ["easy", "expert@0.1"])
    assert "play weaker than they could, and baselines slowly: Numba cannot be used" in capsys.readouterr().err


def test_the_bots_change_seats() -> None:
    simulation = Simulation(setup(3), ["easy", "random", "random"], seed=1)
    seats = [simulation.game(number).players.index("easy") for number in range(1, 7)]
    assert all(later == (seat + 1) % 3 for seat, later in itertools.pairwise(seats))
    assert seats == [next(p for p in range(3) if simulation.bot_at(p, simulation.seed_of(n)) == 0) for n in range(1, 7)]


def test_a_bot_gets_the_points_of_the_seat_it_had() -> None:
    simulation = Simulation(setup(3), ["easy", "random", "random"], seed=1)
    for number in range(1, 5):
        alone = simulation.play(1, first=number)
        end = record(simulation, number).result
        assert end is not None
        points = end["scores"][simulation.game(number).players.index("easy")]
        assert alone.scores[0].points == points


def test_a_tie_is_settled_by_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    simulation = Simulation(setup(4), ["random"] * 4, seed=1)
    tied = next(n for n in range(1, 2000) if max(score.wins for score in simulation.play(1, first=n).scores) < 1)
    assert sorted(score.wins for score in simulation.play(1, first=tied).scores) == [0, 0, 0.5, 0.5]
    monkeypatch.setattr(type(simulation.setup.game), "winners", lambda self, points, seen: (points.index(max(points)),))
    assert sorted(score.wins for score in simulation.play(1, first=tied).scores) == [0, 0, 0, 1]


@pytest.mark.parametrize(
    "engine",
    ["plain", *(pytest.param(engine, marks=pytest.mark.build) for engine in ("compiled", "library")), "in Python"],
)
def test_a_game_is_stopped_after_the_most_moves_and_its_win_shared(engine: str) -> None:
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
    assert stopped.result(stopped.game(2)) == stopped.results(2, 1)[0]
    verified = record(stopped, 2).verify()
    assert (verified.number, verified.is_over) == (20, False)
    whole = bounded(lab.MAX_MOVES).results(2, 1)[0]
    assert bounded(whole.moves).results(2, 1)[0] == whole
    assert bounded(whole.moves - 1).results(2, 1)[0].ended_by == lab.MOVE_LIMIT
    tally = stopped.play(2)
    assert [score.wins for score in tally.scores] == pytest.approx([2 / 3] * 3)
    assert tally.ended == {lab.MOVE_LIMIT: 2}


@pytest.mark.build
@pytest.mark.parametrize(("seats", "least"), [(3, 0.7), (4, 0.6)])
def test_easy_beats_random_bots(seats: int, least: float) -> None:
    """The whole measurement, 1,000 games each, is in bench/NOTES.md."""
    games = 60
    tally = Simulation(setup(seats, compiled=True), ["easy"] + ["random"] * (seats - 1), seed=1).play(games)
    assert tally.share(0) >= least
    assert sum(score.wins for score in tally.scores) == pytest.approx(games)


@pytest.mark.build
def test_memory_does_not_grow_with_the_number_of_games() -> None:
    simulation = Simulation(setup(4, compiled=True), ["random"] * 4, seed=1)
    simulation.play(200)

    def peak(games: int) -> int:
        tracemalloc.start()
        try:
            simulation.play(games)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    few, many = peak(1_000), peak(20_000)
    assert many - few < 19_000 * 30  # bytes: not even a few numbers for each game more; what is there is garbage


@pytest.mark.build
def test_a_simulation_in_a_thread_stops_no_other_thread() -> None:
    simulation = Simulation(setup(4, compiled=True), ["easy"] * 4, seed=1)
    simulation.drive(1, 1)
    begun, done = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        simulation.drive(1, 100)  # one call into compiled code, of a large part of a second
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    begun.wait()
    steps = 0
    while not done.is_set():
        steps += 1
    thread.join()
    assert steps > 1_000


@pytest.mark.parametrize(
    ("bots", "seed", "says"),
    [
        (["random", "clever", "random"], 1, "there is no bot 'clever'"),
        (["random", "random"], 1, "2 bots cannot take 3 seats"),
        (["random"] * 3, -1, "seed: -1"),
        (["random"] * 3, lab.MAX_SEEDS, "seed: "),
    ],
)
def test_what_cannot_be_simulated_is_refused(bots: list[str], seed: int, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Simulation(setup(3), bots, seed)
    assert issubclass(UnknownBot, ValueError)


def test_a_game_of_no_move_is_refused() -> None:
    with pytest.raises(ValueError, match="max_moves: 0 is less than 1"):
        Simulation(setup(3, compiled=False), ["random"] * 3, 1, max_moves=0)


def test_the_largest_seed_plays() -> None:
    simulation = Simulation(setup(3), ["random"] * 3, lab.MAX_SEEDS - 1)
    assert record(simulation, lab.MAX_GAMES - 1).verify().is_over


def test_draws_that_a_position_left_behind_are_not_drawn(toy: str) -> None:
    """Working memory is shared: forced draws must not reach a simulation, nor the trials of a bot."""
    setup = spieltisch.game(toy).setup(2)
    bots = ["easy", "random"]
    clean = Simulation(setup, bots, seed=1).play(5)
    dealt = spieltisch.game(toy).start(2, seed=99).setup_draws
    spieltisch.game(toy).start(2, drew=dealt)
    assert setup.work.draws.forced_count == len(dealt) > 0
    assert Simulation(setup, bots, seed=1).play(5) == clean
    position = spieltisch.game(toy).start(2, seed=1)
    seen = position.observe(position.seat).bytes
    chosen = [choose("easy", seen, seed) for seed in range(20)]
    for seed, move in enumerate(chosen):
        spieltisch.game(toy).start(2, drew=dealt)
        assert choose("easy", seen, seed) == move
    assert setup.work.draws.count <= 1  # the last trial's, not those of all trials


# --- Records. ---


@pytest.mark.parametrize("bots", [["random"] * 4, ["easy", "random", "easy", "random"]])
def test_records_of_a_simulation_verify(bots: list[str], tmp_path: Path) -> None:
    simulation = Simulation(setup(4), bots, seed=5)
    for number in (1, 2, 3):
        path = tmp_path / "game.txt"
        record(simulation, number).write(path)
        read = Record.read(path)
        assert read == record(simulation, number)
        assert read.verify().outcome is not None
        assert sorted(read.players) == sorted(bots)
        assert len(read.moves) == simulation.play(1, first=number).moves


def test_a_long_game_gets_more_room(monkeypatch: pytest.MonkeyPatch) -> None:
    simulation = Simulation(setup(3), ["random"] * 3, seed=1)
    whole = simulation.game(1)
    monkeypatch.setattr(lab, "LOG_SIZE", 8)
    again = simulation.game(1)
    assert (again.steps, again.dealt, again.players) == (whole.steps, whole.dealt, whole.players)


def test_any_game_is_simulated(toy: str) -> None:
    """Also one whose moves draw: the records hold what was drawn, and it comes from the seed."""
    game = spieltisch.game(toy, compiled=True)
    bots = ["easy"] + ["random"] * (game.seats.start - 1)
    simulation = Simulation(game.setup(game.seats.start), bots, seed=1)
    plain_one = Simulation(spieltisch.game(toy).setup(game.seats.start), bots, seed=1)
    assert simulation.play(40) == plain_one.play(40)
    drew = 0
    for number in range(1, 6):
        read = record(simulation, number)
        assert read.verify().is_over
        drew += sum(len(play.drew) for play in read.moves)
    assert drew > 0
