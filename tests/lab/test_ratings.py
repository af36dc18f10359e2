"""Check ratings by maximum likelihood, and the command that rates a bot among the baselines."""

from __future__ import annotations

import json
from math import log10
from pathlib import Path

import pytest
from typer.testing import CliRunner

from spieltisch.bots.baselines import BASELINES
from spieltisch.cli import app
from spieltisch.games import GAMES
from spieltisch.lab.arena import DuelScore, interval
from spieltisch.lab.ratings import ANCHOR, ANCHOR_RATING, fit_ratings, stored_duels


def duel(first_bot: str, other_bot: str, games: int, win_share: float) -> DuelScore:
    return DuelScore(first_bot, other_bot, games, win_share / games, *interval(win_share, games))


def test_the_rating_from_a_single_duel_matches_its_formula() -> None:
    rated = {row.bot: row for row in fit_ratings([duel("mason", ANCHOR, 40, 31)])}
    assert rated["mason"].rating - ANCHOR_RATING == pytest.approx(400 * log10(31.5 / 9.5))
    margin = 1.96 * 400 / 2.302585 / (41 * 31.5 / 41 * 9.5 / 41) ** 0.5
    assert rated["mason"].high - rated["mason"].rating == pytest.approx(margin, rel=1e-4)
    assert rated["mason"].rating - rated["mason"].low == pytest.approx(margin, rel=1e-4)
    assert (rated[ANCHOR].low, rated[ANCHOR].high) == (ANCHOR_RATING, ANCHOR_RATING)


def test_ratings_and_errors_add_up_along_a_chain_of_duels() -> None:
    chain = [duel("a", ANCHOR, 40, 30), duel("a", "b", 40, 10), duel("c", "d", 40, 10)]
    best_bot, middle, last_bot = fit_ratings(chain)
    assert [best_bot.bot, middle.bot, last_bot.bot] == ["b", "a", ANCHOR], "c and d have not met the others"
    step = middle.rating - ANCHOR_RATING
    assert best_bot.rating - middle.rating == pytest.approx(step)
    assert best_bot.high - best_bot.rating == pytest.approx((middle.high - middle.rating) * 2**0.5)
    assert (best_bot.games, middle.games, last_bot.games) == (40, 80, 40)


def test_more_games_narrow_the_interval_and_an_undefeated_bot_has_a_finite_rating() -> None:
    few_games, count = (fit_ratings([duel("mason", ANCHOR, games, games)])[0] for games in (20, 200))
    assert ANCHOR_RATING < few_games.low < few_games.rating < count.rating < few_games.high < 3_000
    short_duel, long_duel = (fit_ratings([duel("mason", ANCHOR, games, games * 0.6)])[0] for games in (20, 200))
    assert (short_duel.bot, long_duel.bot) == ("mason", "mason")
    assert long_duel.high - long_duel.low < (short_duel.high - short_duel.low) / 2


@pytest.mark.parametrize("game", GAMES)
def test_every_baseline_bot_has_a_rating(game: str) -> None:
    ratings = fit_ratings(stored_duels(game))
    assert {row.bot for row in ratings} == set(BASELINES)
    assert all(row.games > 0 for row in ratings)


def test_the_rate_command_rates_a_bot_against_the_baselines(tmp_path: Path) -> None:
    words = ["rate", "legendary-inventors", "random", "--against", "random-1", "--json"]
    rows = ["--rows", str(tmp_path / "rows.csv")]
    first = CliRunner().invoke(app, [*words, *rows, "--games", "1"])
    assert first.exit_code == 0, first.output
    resumed, whole_run = (
        CliRunner().invoke(app, [*words, *option_words, "--games", "2"]) for option_words in (rows, [])
    )
    assert json.loads(resumed.stdout) == json.loads(whole_run.stdout)
    rating_rows = json.loads(whole_run.stdout)
    ratings = {row["bot"]: row for row in rating_rows["ratings"]}
    assert set(ratings) == {"random", *BASELINES}
    assert ratings["random"]["games"] == 2
    assert ratings["random"]["from"] < ratings["random"]["rating"] < ratings["random"]["to"]
    assert (rating_rows["seats"], rating_rows["options"]["teams"]) == (4, "choose")


@pytest.mark.parametrize(
    ("words", "expected_reason"),
    [
        (["chess", "random"], "chess"),
        (["legendary-inventors", "random", "--against", "easy"], "the baselines are random-1"),
        (["legendary-inventors", "easy-1"], "is a baseline"),
        (["legendary-inventors", "easy-7"], "plays easy-1, not"),
    ],
)
def test_bots_that_cannot_be_rated_are_refused(words: list[str], expected_reason: str) -> None:
    refusal = CliRunner().invoke(app, ["rate", *words])
    assert refusal.exit_code == 1
    assert expected_reason in refusal.stderr


def test_the_rate_command_without_a_bot_lists_the_baselines() -> None:
    rating_output = CliRunner().invoke(app, ["rate", "paris-connection"])
    assert rating_output.exit_code == 0, rating_output.output
    assert sorted(line.split()[1] for line in rating_output.stdout.splitlines()[2:]) == sorted(BASELINES)
