"""Ratings: maximum likelihood from duels, and the command that places a bot among the baselines."""

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


def duel(one: str, other: str, games: int, won: float) -> DuelScore:
    return DuelScore(one, other, games, won / games, *interval(won, games))


def test_a_single_duel_has_a_known_maximum() -> None:
    rated = {row.bot: row for row in fit_ratings([duel("mason", ANCHOR, 40, 31)])}
    assert rated["mason"].rating - ANCHOR_RATING == pytest.approx(400 * log10(31.5 / 9.5))
    margin = 1.96 * 400 / 2.302585 / (41 * 31.5 / 41 * 9.5 / 41) ** 0.5
    assert rated["mason"].high - rated["mason"].rating == pytest.approx(margin, rel=1e-4)
    assert rated["mason"].rating - rated["mason"].low == pytest.approx(margin, rel=1e-4)
    assert (rated[ANCHOR].low, rated[ANCHOR].high) == (ANCHOR_RATING, ANCHOR_RATING)


def test_along_a_chain_distances_and_doubts_add_up() -> None:
    chain = [duel("a", ANCHOR, 40, 30), duel("a", "b", 40, 10), duel("c", "d", 40, 10)]
    best, middle, last = fit_ratings(chain)
    assert [best.bot, middle.bot, last.bot] == ["b", "a", ANCHOR], "c and d have not met the others"
    step = middle.rating - ANCHOR_RATING
    assert best.rating - middle.rating == pytest.approx(step)
    assert best.high - best.rating == pytest.approx((middle.high - middle.rating) * 2**0.5)
    assert (best.games, middle.games, last.games) == (40, 80, 40)


def test_more_games_mean_less_doubt_and_no_bot_is_infinitely_better() -> None:
    few, many = (fit_ratings([duel("mason", ANCHOR, games, games)])[0] for games in (20, 200))
    assert ANCHOR_RATING < few.low < few.rating < many.rating < few.high < 3_000
    short, long = (fit_ratings([duel("mason", ANCHOR, games, games * 0.6)])[0] for games in (20, 200))
    assert (short.bot, long.bot) == ("mason", "mason")
    assert long.high - long.low < (short.high - short.low) / 2


@pytest.mark.parametrize("game", GAMES)
def test_every_baseline_has_a_rating(game: str) -> None:
    ratings = fit_ratings(stored_duels(game))
    assert {row.bot for row in ratings} == set(BASELINES)
    assert all(row.games > 0 for row in ratings)


def test_a_bot_finds_its_place(tmp_path: Path) -> None:
    words = ["rate", "legendary-inventors", "random", "--against", "random-1", "--json"]
    rows = ["--rows", str(tmp_path / "rows.csv")]
    first = CliRunner().invoke(app, [*words, *rows, "--games", "1"])
    assert first.exit_code == 0, first.output
    resumed, whole = (CliRunner().invoke(app, [*words, *more, "--games", "2"]) for more in (rows, []))
    assert json.loads(resumed.stdout) == json.loads(whole.stdout)
    found = json.loads(whole.stdout)
    ratings = {row["bot"]: row for row in found["ratings"]}
    assert set(ratings) == {"random", *BASELINES}
    assert ratings["random"]["games"] == 2
    assert ratings["random"]["from"] < ratings["random"]["rating"] < ratings["random"]["to"]
    assert (found["seats"], found["options"]["teams"]) == (4, "choose")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["chess", "random"], "chess"),
        (["legendary-inventors", "random", "--against", "easy"], "the baselines are random-1"),
        (["legendary-inventors", "easy-1"], "is a baseline"),
        (["legendary-inventors", "easy-7"], "plays easy-1, not"),
    ],
)
def test_what_cannot_be_rated_is_refused(words: list[str], why: str) -> None:
    refused = CliRunner().invoke(app, ["rate", *words])
    assert refused.exit_code == 1
    assert why in refused.stderr


def test_without_a_bot_the_baselines_are_listed() -> None:
    listed = CliRunner().invoke(app, ["rate", "paris-connection"])
    assert listed.exit_code == 0, listed.output
    assert sorted(line.split()[1] for line in listed.stdout.splitlines()[2:]) == sorted(BASELINES)
