"""Check which processes compile rules, and that outdated compiled rules are never used.

The games here are tiny packages written into a folder, so that a test can edit them.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spieltisch
from spieltisch.core import game_loops, twin
from spieltisch.core.compiled import Binding, rule
from spieltisch.core.game import Game

GAME = {
    "limits.py": "TURNS = 6\n",
    "prices.py": """
from spieltisch.core.compiled import rule
PRICE = 3

@rule
def price(move):
    return PRICE
""",
    "rules.py": """
from spieltisch.core.compiled import rule
from {name}.limits import TURNS
from {name}.prices import price

@rule
def start(s, c, w):
    s.seats, s.seat, s.left = c.seats, 0, TURNS

@rule
def legal(s, c, w, out):
    out[0], out[1] = 0, 1
    return 2

@rule
def refusal(s, c, w, move):
    return 0

@rule
def play(s, c, w, move):
    s.gained[s.seat] += price(move)
    s.left -= 1
    s.seat = (s.seat + 1) % s.seats
    if s.left == 0:
        s.seat, s.ended_by = -1, 1

@rule
def observe(s, viewer, o):
    o.seat = s.seat

@rule
def points(s, c, p):
    return s.gained[p]

@rule
def evaluate(s, c, p):
    return s.gained[p]
""",
}

MAIN = """
import importlib, json, sys
import numpy as np
from spieltisch.bots import SearchRng
from spieltisch.core import game_loops
from spieltisch.core.chance import Draws
from spieltisch.core.compiled import Binding, cache_root

State = np.dtype([("rng", "u8"), ("seats", "i2"), ("seat", "i2"), ("left", "i2"), ("ended_by", "i2"),
                  ("gained", "i2", 6)])
Work = np.dtype([("draws", Draws)])
Table = np.dtype([("seats", "i2")])

def blank(dtype):
    return np.zeros(1, dtype).view(np.recarray)[0]

told = {}
for name in sys.argv[1:]:
    rules = importlib.import_module(name + ".rules")
    names = {n: getattr(rules, n) for n in ("start", "legal", "refusal", "play", "observe", "points", "evaluate")}
    binding = Binding("tiny", compiled=True, overlay={game_loops.__name__: names}, roots=(game_loops.play_games,))
    play_games = binding.bind(game_loops.play_games)
    table = blank(Table)
    table.seats = 2
    totals, orders = np.zeros((3, 2), np.int64), np.zeros((3, 2), np.int64)
    ends, lengths = np.zeros(3, np.int64), np.zeros(3, np.int64)
    pool = np.zeros(3, State).view(np.recarray)
    who = np.array([[0, 1]])
    play_games(pool, 2, table, blank(Work), np.zeros(9, np.int64), blank(SearchRng), 1, 3, who, 99, totals, orders,
               ends, lengths, np.zeros(0, np.int64))
    told[name] = {
        "totals": totals[0].tolist(),
        "hits": sum(play_games.stats.cache_hits.values()),
        "misses": sum(play_games.stats.cache_misses.values()),
        "folder": str(binding.folder),
    }
told["files"] = sorted(str(f) for f in cache_root().rglob("*.nb*"))
print(json.dumps(told))
"""


class TinyGames:
    """A folder with tiny games and an empty cache."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "main.py").write_text(MAIN)

    def add(self, name: str, price: int = 3) -> None:
        """Write a tiny game in which every move gains this number of points."""
        for file, text in GAME.items():
            path = self.folder / name / file
            path.parent.mkdir(exist_ok=True)
            path.write_text(text.replace("{name}", name).replace("PRICE = 3", f"PRICE = {price}"))

    def edit(self, file: str, old: str, new: str) -> None:
        path = self.folder / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    def run(self, *names: str, **environment: str) -> Any:
        """Run the games in a separate process and return its output."""
        return output_of(self.start(*names, **environment))

    def start(self, *names: str, **environment: str) -> subprocess.Popen[str]:
        env = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(self.folder), str(Path(spieltisch.__file__).parent.parent)]),
            "SPIELTISCH_CACHE": str(self.folder / "cache"),
            "PYTHONDONTWRITEBYTECODE": "1",  # an edit within the same second must be read
            **environment,
        }
        command = [sys.executable, "main.py", *names]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, cwd=self.folder, env=env, stdout=pipe, stderr=pipe, text=True)


def output_of(process: subprocess.Popen[str]) -> Any:
    """Wait until a process ends and return its JSON output."""
    output, complaints = process.communicate()
    assert process.returncode == 0, complaints
    return json.loads(output)


@pytest.fixture
def tiny_games(tmp_path: Path) -> TinyGames:
    return TinyGames(tmp_path)


@pytest.mark.build
def test_one_of_three_processes_compiles_the_rules_and_games_have_separate_caches(tiny_games: TinyGames) -> None:
    tiny_games.add("one")
    tiny_games.add("two", price=5)
    first = tiny_games.run("one", "two")
    second = tiny_games.run("one", "two")
    third = tiny_games.run("two", "one")
    assert [first[name]["misses"] for name in ("one", "two")] == [1, 1]
    for later_process in (second, third):
        assert [(later_process[name]["hits"], later_process[name]["misses"]) for name in ("one", "two")] == [
            (1, 0),
            (1, 0),
        ]
        assert later_process["files"] == first["files"] != []
    for totals_of_games in (first, second, third):
        assert (totals_of_games["one"]["totals"], totals_of_games["two"]["totals"]) == ([9, 9], [15, 15])


@pytest.mark.build
def test_only_one_of_several_concurrent_processes_compiles_the_rules(tiny_games: TinyGames) -> None:
    tiny_games.add("one")
    told_by = [output_of(process) for process in [tiny_games.start("one") for _ in range(3)]]
    assert sorted((result["one"]["hits"], result["one"]["misses"]) for result in told_by) == [(0, 1), (1, 0), (1, 0)]
    assert {tuple(result["one"]["totals"]) for result in told_by} == {(9, 9)}


def test_an_edited_constant_takes_effect_in_any_module(tiny_games: TinyGames) -> None:
    tiny_games.add("one")
    assert tiny_games.run("one")["one"]["totals"] == [9, 9]
    tiny_games.edit("one/prices.py", "PRICE = 3", "PRICE = 4")
    assert tiny_games.run("one")["one"]["totals"] == [12, 12]
    tiny_games.edit("one/limits.py", "TURNS = 6", "TURNS = 8")  # a module without rules
    assert tiny_games.run("one")["one"]["totals"] == [16, 16]


@pytest.mark.build
def test_rules_with_checked_bounds_have_a_separate_cache(tiny_games: TinyGames) -> None:
    tiny_games.add("one")
    unchecked, checked = tiny_games.run("one"), tiny_games.run("one", NUMBA_BOUNDSCHECK="1")
    assert unchecked["one"]["folder"] != checked["one"]["folder"]
    assert checked["one"]["misses"] == 1
    assert unchecked["one"]["totals"] == checked["one"]["totals"]


@pytest.mark.build
def test_a_copy_of_the_package_with_an_edited_constant_uses_the_edited_constant(tmp_path: Path) -> None:
    source = Path(spieltisch.__file__).parent
    package = tmp_path / "spieltisch"
    shutil.copytree(source, package, ignore=shutil.ignore_patterns("__pycache__", "web", "store", "*.po"))
    code = """if True:
        import spieltisch
        from spieltisch.games.paris_connection.rules import turns
        game = spieltisch.game("paris-connection", compiled=True)
        s = game.engine.blank_record(game.State)
        s.seats = 4
        game.engine.binding.bind(turns.pass_on)(s)
        print(spieltisch.__file__, s.seat, s.company)
    """
    env = {
        **os.environ,
        "PYTHONPATH": str(tmp_path),
        "SPIELTISCH_CACHE": str(tmp_path / "cache"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }

    def run_game() -> list[str]:
        result = subprocess.run(
            [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False, cwd=tmp_path
        )
        assert result.returncode == 0, result.stderr
        return result.stdout.split()

    assert run_game() == [str(package / "__init__.py"), "1", "-1"]
    state = package / "games" / "paris_connection" / "state.py"
    text = state.read_text(encoding="utf-8")
    assert "\nNOBODY = -1\n" in text
    state.write_text(text.replace("\nNOBODY = -1\n", "\nNOBODY = -2\n"), encoding="utf-8")
    assert run_game() == [str(package / "__init__.py"), "1", "-2"]


def test_game_loops_in_plain_python_call_the_rules_of_the_played_game() -> None:
    def rules_with_points(points: int) -> Any:
        rules = {"legal": lambda s, c, w, out: 1, "play": None, "evaluate": None, "points": lambda s, c, p: points}
        return Binding("tiny", compiled=False, overlay={game_loops.__name__: rules}).bind(game_loops.random_move)

    first_driver, second_driver = rules_with_points(1), rules_with_points(2)
    assert first_driver.__globals__["points"](0, 0, 0) == 1
    assert second_driver.__globals__["points"](0, 0, 0) == 2
    assert not hasattr(game_loops, "points")


# --- How often a rule is compiled. ---


class Size(IntEnum):
    SMALL, BIG = 3, 30


@rule
def steps_down(n: int) -> int:
    return 0 if n <= 0 else 1 + steps_down(n - 2)


@rule
def all_steps(s: Any) -> int:
    return steps_down(1) + steps_down(2) + steps_down(s.narrow) + steps_down(s.wide) + steps_down(Size.BIG)


def test_a_function_called_with_constants_fields_and_variables_is_compiled_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPIELTISCH_CACHE", str(tmp_path))  # what a run before has compiled would not be compiled here
    record = np.zeros(1, [("narrow", "i2"), ("wide", "i8")]).view(np.recarray)[0]
    record.narrow, record.wide = 5, 8
    binding = Binding("steps", compiled=True)
    assert binding.bind(all_steps)(record) == all_steps(record) == 1 + 1 + 3 + 4 + 15
    assert len(binding._functions[steps_down, False].signatures) == 1


# --- The game itself, on both engines. ---


@pytest.fixture(scope="module")
def engines() -> tuple[Game, Game]:
    return spieltisch.game("paris-connection"), spieltisch.game("paris-connection", compiled=True)


@pytest.mark.build
@pytest.mark.parametrize("seats", [3, 6])
def test_plain_and_compiled_rules_give_the_same_bytes_after_every_move(engines: tuple[Game, Game], seats: int) -> None:
    plain_game, compiled_game = (game.start(seats, seed=seats) for game in engines)
    choice = np.random.default_rng(seats)
    State = engines[0].State  # noqa: N806 - a dtype
    while not plain_game.is_over:
        numbers = plain_game.legal_moves.numbers
        assert compiled_game.legal_moves.numbers == numbers
        assert twin.pack(State, plain_game.state) == compiled_game._state.tobytes()
        move = int(choice.choice(numbers))
        plain_game.play(move)
        compiled_game.play(move)
    assert compiled_game.is_over
    assert twin.pack(State, plain_game.state) == compiled_game._state.tobytes()
    assert compiled_game.digest() == plain_game.digest()
    assert compiled_game.scores == plain_game.scores


@pytest.mark.build
@pytest.mark.parametrize("seats", [3, 5])
def test_the_evaluation_of_a_position_depends_only_on_what_the_seat_sees(
    engines: tuple[Game, Game], seats: int
) -> None:
    plain_game, compiled_game = engines
    position = plain_game.start(seats, seed=9)
    choice = np.random.default_rng(seats)
    table, fast_table = position.setup.params, compiled_game.setup(seats).params
    while not position.is_over:
        for seat in range(seats):
            view = position.observe(seat)
            evaluate = plain_game.engine.evaluate(position.state, table, seat)
            assert plain_game.engine.evaluate(view.view, table, seat) == evaluate
            if position.number % 5 == 0:
                state = compiled_game.engine.unpack(compiled_game.State, twin.pack(compiled_game.State, position.state))
                assert compiled_game.engine.evaluate(state, fast_table, seat) == evaluate
                seen = compiled_game.engine.unpack(compiled_game.View, view.data)
                assert compiled_game.engine.evaluate(seen, fast_table, seat) == evaluate
        position.play(int(choice.choice(position.legal_moves.numbers)))


def names_of(dtype: np.dtype[Any]) -> Iterator[str]:
    for name in dtype.names or ():
        yield name
        yield from names_of(dtype[name].base)


def test_no_state_field_has_the_name_of_a_numpy_array_method(engines: tuple[Game, Game]) -> None:
    game = engines[0]
    for dtype in (game.State, game.View, game.Params, game.Work):
        assert set(names_of(dtype)) & (set(dir(np.record)) | set(dir(np.recarray))) == set()
