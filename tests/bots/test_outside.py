"""Check bots from files and entry points, which are called like included bots and named in errors."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import spieltisch
from spieltisch.bots import BOTS, Turns, check, choose, choose_turn, external
from spieltisch.bots.external import UnknownBot
from spieltisch.bots.turns import digest
from spieltisch.cli import app
from tests.paths import ROOT

DOCS = ROOT / "docs" / "bots.md"
BOTS_OF_A_HOUSE = """
class Kept:
    def __init__(self):
        self.asked = 0
    def __call__(self, seen, seed, seconds):
        self.asked += 1
        return seen.imagine(seed).legal_moves[0].text

def last(seen, seed, seconds):
    assert seconds in (None, 0.5)
    return seen.imagine(seed).legal_moves[-1].text

def raises(seen, seed, seconds):
    raise ZeroDivisionError("over nothing")

def illegal(seen, seed, seconds):
    legal = {move.text for move in seen.imagine(seed).legal_moves}
    return next(move.text for move in seen.setup.moves if move.text not in legal)

def nonsense(seen, seed, seconds):
    return "a castle in the air"

def fraction(seen, seed, seconds):
    return 3.5

def silent(seen, seed, seconds):
    return []

def fraction_second(seen, seed, seconds):
    return [seen.imagine(seed).legal_moves[0], 3.5]

def builds(seen, seed, seconds):
    world, chosen, own = seen.imagine(seed), [], seen.seat
    while world.seat == own:
        builds = [move for move in world.legal_moves if move.text.startswith("build")]
        chosen.append((builds or list(world.legal_moves))[0])
        world.play(chosen[-1])
    kinds = [str, lambda move: move, lambda move: move.number]
    return [kinds[n % 3](move) for n, move in enumerate(chosen)]

def illegal_second(seen, seed, seconds):
    first = builds(seen, seed, seconds)[0]
    world = seen.imagine(seed)
    world.play(first)
    return [first, next(move.text for move in seen.setup.moves if world.why_not(move) is not None)]

def lonely(seen):
    return ""

class Demanding:
    def __init__(self, wish):
        pass

thing = 3
"""


@pytest.fixture
def bot_file(tmp_path: Path) -> Path:
    file = tmp_path / "house.py"
    file.write_text(BOTS_OF_A_HOUSE, encoding="utf-8")
    return file


@pytest.fixture
def installed_package(bot_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a package with two bots."""
    metadata = bot_file.parent / "guests-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: guests\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[spieltisch.bots]\nlast = house:last\ngone = house:gone\n")
    monkeypatch.syspath_prepend(str(bot_file.parent))
    monkeypatch.delitem(sys.modules, "house", raising=False)
    external.load.cache_clear()


def test_a_bot_is_loaded_from_a_file_and_its_class_is_created_once_per_process(bot_file: Path) -> None:
    position = spieltisch.game("paris-connection").start(3, seed=1)
    observation = position.observe(position.seat)
    assert choose(f"{bot_file}:last", observation.bytes, 1) == position.legal_moves[-1].text
    assert choose(f"{bot_file}:last@0.5", observation.bytes, 1) == position.legal_moves[-1].text
    for _ in range(2):
        assert choose(f"{bot_file}:Kept", observation.bytes, 1) == position.legal_moves[0].text
    assert vars(external.load(f"{bot_file}:Kept"))["asked"] == 2, "a class is made once in a process"


def test_a_bot_may_answer_with_all_moves_of_its_turn(bot_file: Path) -> None:
    position = spieltisch.game("paris-connection").start(3, seed=1)
    seat, answer = position.seat, choose_turn(f"{bot_file}:builds", position.observe(position.seat).bytes, 1)
    assert len(answer) > 1
    for move in answer:
        assert (position.seat, move.expected) == (seat, digest(position.observe(seat)))
        position.play(move.move)
    assert position.seat != seat


def test_the_remaining_moves_of_a_bots_answer_are_dropped_after_an_unforeseen_change(bot_file: Path) -> None:
    position = spieltisch.game("paris-connection").start(3, seed=1)
    observation, turns, calls = position.observe(position.seat), Turns(), list[int]()

    def seed() -> int:
        calls.append(1)
        return 1

    turn_choice = choose_turn(f"{bot_file}:builds", observation.bytes, 1)
    assert turns.decide(f"{bot_file}:builds", observation, seed) == position.move(turn_choice[0].move).number
    assert len(calls) == 1
    foreseen = position.copy()
    foreseen.play(turn_choice[0].move)
    builds = [move.text for move in position.legal_moves if move.text.startswith("build")]
    position.play(next(text for text in builds if text != turn_choice[0].move))
    turns.decide(f"{bot_file}:builds", position.observe(position.seat), seed)
    assert len(calls) == 2, "another move was played than the bot had chosen"
    turns = Turns()
    turns.decide(f"{bot_file}:builds", observation, seed)
    turns.decide(f"{bot_file}:builds", foreseen.observe(foreseen.seat), seed)
    assert len(calls) == 3, "the second move was chosen with the first"


def test_a_bot_is_loaded_from_the_entry_point_of_an_installed_package(installed_package: None) -> None:
    position = spieltisch.game("paris-connection").start(3, seed=1)
    assert choose("last", position.observe(position.seat).bytes, 1) == position.legal_moves[-1].text
    with pytest.raises(UnknownBot, match="gone cannot be loaded: AttributeError"):
        check("gone")
    with pytest.raises(UnknownBot, match=r"choose from random, .*, gone, last, or FILE\.py:NAME"):
        check("lost")


@pytest.mark.parametrize(
    ("name", "expected_text"),
    [
        ("{folder}/none.py:last", "none.py: file not found"),
        ("{folder}/house.py:first", "house.py has no 'first'"),
        ("{folder}/house.py:thing", "is not a bot: it cannot be called with an observation, a seed, seconds"),
        ("{folder}/house.py:lonely", "is not a bot"),
        ("{folder}/house.py:Demanding", "cannot be created: TypeError"),
        ("{folder}/broken.py:last", "cannot be loaded: SyntaxError"),
    ],
)
def test_an_unknown_bot_is_refused_with_a_reason(bot_file: Path, name: str, expected_text: str) -> None:
    (bot_file.parent / "broken.py").write_text("def last(")
    with pytest.raises(UnknownBot, match=re.escape(expected_text)):
        check(name.format(folder=bot_file.parent))
    result = CliRunner().invoke(
        app, ["simulate", "paris-connection", "--bots", f"{name.format(folder=bot_file.parent)},random,random"]
    )
    assert (result.exit_code, expected_text in result.stderr) == (1, True)


@pytest.mark.parametrize(
    ("bot", "expected_text"),
    [
        ("raises", "failed at move 1: ZeroDivisionError: over nothing"),
        ("illegal", "failed at move 1: BotFailed: that is not allowed (P"),
        ("nonsense", "failed at move 1: UnknownMove: "),
        ("fraction", "failed at move 1: BotFailed: {name} returned float, not a move"),
        ("silent", "failed at move 1: BotFailed: {name} returned no move"),
        ("fraction_second", "failed at move 1: BotFailed: {name} returned float, not a move"),
        ("illegal_second", "failed at move 2: BotFailed: that is not allowed (P"),
    ],
)
@pytest.mark.parametrize("command", ["simulate", "arena"])
def test_a_command_with_a_faulty_bot_fails_and_names_the_bot(
    bot_file: Path, bot: str, expected_text: str, command: str
) -> None:
    bots_of_command = ["easy"] if command == "arena" else ["random", "random"]
    words = [
        command,
        "paris-connection",
        "--bots",
        ",".join([f"{bot_file}:{bot}"] * (3 - len(bots_of_command)) + bots_of_command),
    ]
    if command == "arena":
        words = [command, "paris-connection", "--bots", f"{bot_file}:{bot},easy"]
    result = CliRunner().invoke(app, [*words, "--games", "1"])
    assert result.exit_code == 1
    assert f"{bot_file}:{bot} failed" in result.stderr
    assert expected_text.format(name=f"{bot_file}:{bot}").split(": ", 1)[1] in result.stderr
    assert command == "arena" or expected_text.split(": ", 1)[0] in result.stderr
    line = BOTS_OF_A_HOUSE[: BOTS_OF_A_HOUSE.index("raise ZeroDivisionError")].count("\n") + 1
    traceback_line = f'  File "{bot_file}", line {line}, in raises\n    raise ZeroDivisionError("over nothing")\n'
    assert traceback_line in result.stderr if bot == "raises" else "File" not in result.stderr


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("def last():\n    1 / 0\nlast()\n", [3, 2]),
        ("class last:\n    def __init__(self):\n        1 / 0\n", [3]),
        ("import gone_away\n", [1]),
        ("def last(", []),
    ],
)
@pytest.mark.parametrize("command", ["simulate", "arena"])
def test_an_error_in_the_code_of_a_bot_file_is_shown_with_its_lines(
    tmp_path: Path, text: str, lines: list[int], command: str
) -> None:
    file = tmp_path / f"{command}{len(text)}.py"
    file.write_text(text)
    words = [command, "paris-connection", "--seats", "3", "--bots", f"{file}:last,easy"]
    result = CliRunner().invoke(app, words if command == "arena" else [*words[:-1], f"{file}:last,easy,easy"])
    assert result.exit_code == 1
    assert [int(line) for line in re.findall(f'File "{file}", line (\\d+)', result.stderr)] == lines
    with pytest.raises(UnknownBot) as error:
        check(f"{file}:last")
    assert "\n" not in str(error.value), "what players may read is short"


def test_the_bot_of_the_documentation_plays_in_simulate_and_arena(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = next(
        block for block in re.findall(r"^```python\n(.*?)^```", DOCS.read_text(), re.M | re.S) if "Mason" in block
    )
    (tmp_path / "mine.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(
        app, ["simulate", "paris-connection", "--bots", "mine.py:Mason,random,random", "--games", "2", "--json"]
    )
    assert result.exit_code == 0, result.output
    output = json.loads(result.stdout)
    assert [bot["name"] for bot in output["bots"]] == ["mine.py:Mason", "random", "random"]
    words = ["arena", "paris-connection", "--bots", "mine.py:Mason,random", "--seats", "3", "--games", "2"]
    assert "mine.py:Mason against random" in CliRunner().invoke(app, words).output
    assert "mine.py:Mason" not in BOTS
