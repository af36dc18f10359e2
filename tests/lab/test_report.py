"""Check reports on the balance of a game: counts, comparisons, stored games, and the page."""

from __future__ import annotations

import json
import re
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import spieltisch
from spieltisch.cli import app
from spieltisch.core.components import ComponentsError
from spieltisch.games import GAMES
from spieltisch.lab import kept_games
from spieltisch.lab.move_rows import MoveRow, countables_of, move_rows, read_moves
from spieltisch.lab.report import Comparison, Report
from spieltisch.lab.report_page import verdicts
from spieltisch.lab.result_rows import Row, read, rows
from spieltisch.lab.simulation import Simulation
from spieltisch.lab.variants import varied

BOTS = "random,beginner,random"


def ask(*words: object) -> dict[str, Any]:
    result = CliRunner().invoke(app, [*map(str, words), "--json"])
    assert result.exit_code == 0, result.output
    output: dict[str, Any] = json.loads(result.stdout)
    return output


def report(game: str, *words: object, games: int = 2) -> dict[str, Any]:
    return ask("report", game, "--bots", BOTS, "--games", games, *words)


@pytest.mark.parametrize("key", GAMES)
def test_a_report_counts_every_move_once_under_its_kind(key: str) -> None:
    simulation = Simulation(spieltisch.game(key).setup(3), ["random"] * 3, seed=1, use_library=False)
    simulated_game = simulation.game(1)
    counted_rows = move_rows(simulation, 1, simulated_game)
    kinds = [row for row in counted_rows if row.group == "move"]
    assert sum(row.taken for row in kinds) == len(simulated_game.steps)
    assert all(0 <= row.taken <= row.offered for row in counted_rows)
    names = countables_of(simulation.setup)
    for seat in range(3):
        moves = [move for mover, move, _ in simulated_game.steps if mover == seat]
        for row in (row for row in counted_rows if row.seat == seat):
            assert row.taken == sum((row.group, row.thing) in names[move] for move in moves)
    gained_points = [sum(row.points for row in kinds if row.seat == seat) for seat in range(3)]
    if key != "paris-connection":  # where points are also gained in others' turns
        own_moves = [sum(row.sources.values()) - row.sources["dealt"] for row in rows(simulation, 1, simulated_game)]
        assert all(at_once <= points for at_once, points in zip(gained_points, own_moves, strict=True))


def test_a_report_groups_pieces_of_the_same_kind() -> None:
    era = countables_of(spieltisch.game("era-of-inventions").setup(3))
    counted_things = {counted_thing for things_of_game in era.values() for counted_thing in things_of_game}
    assert ("develop invention field", "telephone gold") in counted_things
    assert ("produce counterfeit card", "camera counterfeit") in counted_things
    assert ("exchange line", "exchange coin coin for bonus disc") in counted_things
    assert not any(group == "develop invention" for group, _ in counted_things)


def test_a_report_of_the_toy_game_lists_its_kinds_of_moves(toy: str) -> None:
    output = ask("report", toy, "--seats", 2, "--bots", "random,beginner", "--games", 2)
    groups = [group for group, _ in groupby(row["group"] for row in output["things"])]
    assert groups == ["move", "take stones", "look seat"]


def test_a_report_compares_the_results_of_teams(tmp_path: Path) -> None:
    output = report("legendary-inventors", games=1)
    teams = [row for row in output["wins"] if row["group"] == "team"]
    assert len(teams) == 3
    assert sum(row["share"] for row in teams) == pytest.approx(1)


def seat_row(seat: int, win_share: float, points: int) -> Row:
    return Row(
        duel="", game="toy", components="", version="", seats=2, options={}, number=1, seed=1, seat=seat, turn=seat + 1,
        bot="easy", traits={}, points=points, sources={"other": points}, place=1, won=win_share, ended_by="K1", moves=9,
    )  # fmt: skip


def test_the_interval_of_mean_points_counts_each_game_once(toy: str) -> None:
    """Players in one game share its points, so two games are two samples and not four."""
    move_report = Report(spieltisch.game(toy).setup(2))
    for points in (1, 3):
        move_report.add([seat_row(0, 1.0, points), seat_row(1, 0.0, points)], [])
    mean = move_report.sources["other"]
    assert (mean.count, mean.mean) == (2, 2.0)
    assert mean.error == pytest.approx(1.0)


def test_a_report_finds_unused_and_dominant_pieces_and_moves(toy: str) -> None:
    """In each game the first seat looks at a card and wins; both seats could cover a card, but one did so once."""
    move_report = Report(spieltisch.game(toy).setup(2))
    for number in range(100):
        moves = [
            MoveRow(1, 0, "move", "look", 3, 1, 0),
            MoveRow(1, 0, "move", "cover", 3, 0, 0),
            MoveRow(1, 1, "move", "cover", 3, int(number == 0), 2 * int(number == 0)),
        ]
        move_report.add([seat_row(0, 1, 20), seat_row(1, 0, 10)], moves)
    rows_by_thing = {row.thing: row for row in move_report.things() if row.group == "move"}
    assert {name: row.verdict for name, row in rows_by_thing.items()} == {
        "take": "never offered", "spark": "never offered", "cover": "dead", "look": "dominant"
    }  # fmt: skip
    assert (
        rows_by_thing["look"].chances,
        rows_by_thing["look"].users,
        rows_by_thing["look"].ratio,
        rows_by_thing["look"].lead,
    ) == (100, 100, 2, 5)
    assert (rows_by_thing["cover"].chances, rows_by_thing["cover"].users, rows_by_thing["cover"].points) == (200, 1, 2)
    named = verdicts(move_report.things())
    assert (named["dead"], named["dominant"]) == (["move: cover (1 of 200)"], ["move: look (2.00 of even)"])
    assert [(row.name, row.share) for row in move_report.wins() if row.group == "turn"] == [("1", 1), ("2", 0)]


def test_a_report_names_an_unused_kind_of_move_without_its_moves(toy: str) -> None:
    move_report = Report(spieltisch.game(toy).setup(2))
    offered = (("move", "take"), ("take stones", "1"), ("move", "look"), ("look seat", "1"), ("look seat", "2"))
    for number in range(50):
        move_counts = {("move", "take"): 1, ("move", "look"): 1, ("look seat", "1"): 1}
        moves = [MoveRow(number, 0, *name, 2, move_counts.get(name, 0), 0) for name in offered]
        move_report.add([seat_row(0, 0.5, 20), seat_row(1, 0.5, 20)], moves)
    assert verdicts(move_report.things())["dead"] == ["take stones: 1 (0 of 50)", "look seat: 2 (0 of 50)"]
    for number in range(50, 4000):
        moves = [MoveRow(number, 0, *name, 2, 0, 0) for name in offered]
        move_report.add([seat_row(0, 0.5, 20), seat_row(1, 0.5, 20)], moves)
    assert verdicts(move_report.things())["dead"] == ["move: take (50 of 4000)", "move: look (50 of 4000)"]


def test_a_report_does_not_replay_stored_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first_report = report("paris-connection", "--folder", tmp_path / "games")
    second_report = report("paris-connection", "--folder", tmp_path / "games", games=3)
    assert second_report["games"] == 3
    monkeypatch.setattr(kept_games, "play_batch", None)
    assert report("paris-connection", "--folder", tmp_path / "games") == first_report
    assert report("paris-connection", "--folder", tmp_path / "games", games=3) == second_report


def test_a_report_of_rows_equals_the_report_of_their_games(tmp_path: Path) -> None:
    files = ("--rows", tmp_path / "rows.csv", "--moves", tmp_path / "moves.parquet")
    ask("simulate", "paris-connection", "--bots", BOTS, "--games", 2, *files)
    assert ask("report", "paris-connection", "--seats", 3, *files) == report("paris-connection")
    assert len(list(read_moves(files[3]))) == len(list(read(files[1]))) == 2
    other_report = CliRunner().invoke(app, ["report", "paris-connection", "--seats", "4", *map(str, files)])
    assert other_report.exit_code == 1
    assert str(files[1]) in other_report.stderr


@pytest.mark.parametrize(("games", "is_clear"), [(2, False), (19, False), (20, True)])
def test_a_difference_of_a_few_games_is_never_clear(games: int, is_clear: bool) -> None:
    comparison = Comparison()
    for _ in range(games):
        comparison.add({("game", "moves"): 5}, {("game", "moves"): 6})
    assert [row.is_clear for row in comparison.differences()] == [is_clear]


def test_variants_with_equal_rules_have_no_difference(tmp_path: Path) -> None:
    equal_differences = report("paris-connection", "--vary", "players.3.limit=20,+0", games=2)["differences"]
    assert {row["difference"] for row in equal_differences} == {0}
    assert {row["variant"] for row in equal_differences} == {"players.3.limit=20", "players.3.limit=+0"}


def test_variants_have_the_same_comparison_on_one_core_and_on_two(tmp_path: Path) -> None:
    own_components = tmp_path / "own.toml"
    assert CliRunner().invoke(app, ["components", "export", "paris-connection", str(own_components)]).exit_code == 0
    text = own_components.read_text("utf-8")
    assert "\npenalty = 20 " in text
    own_components.write_text(text.replace("\npenalty = 20 ", "\npenalty = 10 "), "utf-8")
    words = ("--vary", "players.*.limit=1", "--against", own_components)
    compared = report("paris-connection", *words)
    assert report("paris-connection", *words, "--jobs", 2) == compared
    penalties = {row["variant"]: row for row in compared["differences"] if row["name"] == "penalty"}
    assert set(penalties) == {"players.*.limit=1", str(own_components)}
    assert penalties["players.*.limit=1"]["after"] < penalties["players.*.limit=1"]["before"]


def test_a_variant_may_increase_values_and_use_wildcards_in_paths() -> None:
    game = spieltisch.game("era-of-inventions")
    before = {path: value for path, value, _ in game.components.values()}
    after = {
        path: value for path, value, _ in varied(game, game.components, "inventions.ca*.gold.stones", "+1").values()
    }
    changed_values = {path: value - before[path] for path, value in after.items() if value != before[path]}
    paths = ("inventions.cash-register.gold.stones", "inventions.camera.gold.stones", "inventions.car.gold.stones")
    assert changed_values == dict.fromkeys(paths, 1)


@pytest.mark.parametrize(
    ("path", "value", "error"),
    [
        ("no.such", "1", ValueError),
        ("inventions.camera", "1", ValueError),
        ("inventions.camera.gold.stones", "many", ComponentsError),
        ("inventions.camera.gold.stones", "-9", ComponentsError),
    ],
)
def test_invalid_variants_of_components_are_refused(path: str, value: str, error: type[Exception]) -> None:
    game = spieltisch.game("era-of-inventions")
    with pytest.raises(error):
        varied(game, game.components, path, value)


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("camera.cost", "a path begins with game, name, title, goods"),
        ("inventions.camera.stones", "below inventions.camera are id, name, gold, silver"),
        ("game.title", "a path begins with game, name"),
    ],
)
def test_a_path_to_nothing_is_answered_with_the_names_that_can_be_there(path: str, hint: str) -> None:
    game = spieltisch.game("era-of-inventions")
    with pytest.raises(ValueError, match=f"has nothing at {path}; {hint}"):
        varied(game, game.components, path, "1")


def test_the_page_of_a_report_is_one_file_without_links(tmp_path: Path) -> None:
    pages = [tmp_path / "one.html", tmp_path / "two.html"]
    for page in pages:
        report("paris-connection", "--output", page, "--vary", "players.3.limit=+1")
    text = pages[0].read_text("utf-8")
    assert text.replace("one.html", "two.html") == pages[1].read_text("utf-8").replace("one.html", "two.html")
    assert not re.search(r"<script|<link|<img|href=|src=|url\(|https?:", text)
    assert text.count("<svg") > 20
    for words in ("players.3.limit=+1", "build hex", "Lyon", "turn"):
        assert words in text


@pytest.mark.parametrize(
    "words",
    [
        ("--vary", "players"),
        ("--vary", "players.3.limit=many"),
        ("--vary", "no.such=1"),
        ("--against", "missing.toml"),
        ("--rows", "only.csv"),
        ("--bots", "nobody"),
    ],
)
def test_reports_with_invalid_arguments_fail(words: tuple[str, ...]) -> None:
    result = CliRunner().invoke(app, ["report", "paris-connection", "--games", "1", *words, "--json"])
    assert result.exit_code == 1
    assert json.loads(result.stdout)["faults"]
