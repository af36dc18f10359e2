"""A forecast of the final points in Legendary Inventors, learned from games between bots.

    python -m bench.forecast --bots medium --games 150 --seed 1
    python -m bench.forecast --bots easy --games 300 --seed 1

At every fifth move the terms of the forecast are stored for each player, and at the end the final points. For each
number of ages left, the weights predict best the lead that a player still gains over the mean of the others: a ridge
regression with no weight below zero, by projected gradients. Two thirds of the games are learned from; the correlation
of the predicted with the final lead is that in the others, beside that of the points alone and of the evaluation. The
printed weights, in hundredths of a point, are learned from all games. bench/NOTES.md says what they won.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from typing import Any, Final, NamedTuple

import numpy as np

import spieltisch
from spieltisch import bots
from spieltisch.games.legendary_inventors.evaluate import (
    POINT,
    about_to_place,
    ages_left,
    expected_points,
    knowledge,
    reward_worth,
    work_worth,
)
from spieltisch.games.legendary_inventors.rules.scoring import points
from spieltisch.games.legendary_inventors.state import (
    AGES,
    FIELDS,
    IS_GENIUS,
    IS_REFRESH,
    IS_UPGRADE,
    MAX_OPEN,
    NOBODY,
    NUMBERS,
    TEAM_SIZE,
    TOKENS,
    Phase,
)
from spieltisch.lab.parallel import Parallel, map_in_order

GAME: Final = "legendary-inventors"
SEATS: Final = 4
"""The number of players of a game."""
MOVES_BETWEEN: Final = 5
"""The interval of moves between two positions."""
RIDGE: Final = 0.02
"""The weight of the squared weights, relative to the variance of a term."""
STEPS: Final = 4000
"""The steps of the projected gradient."""


TERMS: Final = (
    "known",
    "ready",
    "goals",
    "last upgrades",
    "upgrade tokens",
    "refresh tokens",
    "genius tokens",
    "late numbers",
    "numbers",
    "work",
    "rewards",
    "on turn",
)
"""The names of the terms, in the order of `forecast_terms`."""


class Job(NamedTuple):
    """A game: the bots and the seed."""

    bots: str
    seed: int


def forecast_terms(s: Any, c: Any, p: int) -> Any:
    """Return what the forecast for player p counts besides the points, each in hundredths.

    Levels of knowledge, those of active inventors, the share of each goal's points that its upgrades so far are, the
    points of goals that lack one upgrade; upgrade tokens, refresh tokens, strokes of genius; numbers of patents above a
    missing one, and all numbers; points that cubes and rewards stand for; being on turn.
    """
    player = s.players[p]
    known, ready, goals, last, late, numbers = 0, 0, 0, 0, 0, 0
    for i in range(TEAM_SIZE):
        inventor, levels, done, missing = c.members[player.team][i], 0, 0, 0
        for field in range(FIELDS):
            value, goal = player.knowledge[i][field], c.goal[inventor][field]
            levels += value
            done += max(0, min(value, goal) - c.begins[inventor][field])
            missing += max(0, goal - value)
        known += levels
        if player.exhausted[i] == 0:
            ready += levels
        if missing > 0:
            goals += POINT * c.goal_points[inventor] * done // (done + missing)
        if missing == 1:
            last += POINT * c.goal_points[inventor]
    upgrades, refreshes, strokes = 0, 0, 0
    for kind in range(c.kinds):
        if c.front[kind] == IS_UPGRADE:
            upgrades += player.tokens[kind]
        elif c.front[kind] == IS_REFRESH:
            refreshes += player.tokens[kind]
        elif c.front[kind] == IS_GENIUS:
            strokes += player.tokens[kind]
    is_joined = True
    for number in range(NUMBERS):
        if player.numbers[number] == 0:
            is_joined = False
        else:
            numbers += 1
            if number == 0 or not is_joined:
                late += 1
    work, rewards = opportunities(s, c, p)
    return (
        POINT * known,
        POINT * ready,
        goals,
        last,
        POINT * upgrades,
        POINT * refreshes,
        POINT * strokes,
        POINT * late,
        POINT * numbers,
        work,
        rewards,
        POINT if p == s.seat else 0,
    )


def opportunities(s: Any, c: Any, p: int) -> Any:
    """Return what the cubes of player p on open inventions are worth, and the rewards about to be chosen."""
    token_use_value, work, rewards = knowledge(s, s.players[p], c), 0, 0
    for slot_number in range(MAX_OPEN):
        if s.slots[slot_number].card != NOBODY and not (s.phase == Phase.REWARDS and slot_number == s.slot):
            more_cubes = 0
            if s.phase == Phase.PLACING and slot_number == s.slot and p == s.seat:
                more_cubes = about_to_place(s, c, p)
            work += work_worth(s, c, token_use_value, p, slot_number, more_cubes)
    if s.phase == Phase.REWARDS:
        for r in range(s.given, TOKENS + 1):
            if s.queue[r] == p:
                rewards += reward_worth(s, c, token_use_value, p, s.slot, r - s.given)
    return work, rewards


def play_game(job: Job) -> list[tuple[int, list[list[float]]]]:
    """Return the ages left in each stored position, and for each player points, evaluation, terms and final points."""
    position, turns = spieltisch.game(GAME).start(SEATS, seed=job.seed), [bots.Turns() for _ in range(SEATS)]
    rows = list[tuple[int, list[list[float]]]]()
    while (seat := position.seat) is not None:
        seen, c = position.observe(seat), position.setup.params
        view, players = seen.view, range(SEATS)
        if position.number % MOVES_BETWEEN == 0 and all(view.players[p].team != NOBODY for p in players):
            rows.append(
                (
                    min(AGES, ages_left(view)),
                    [
                        [POINT * points(view, c, p), expected_points(view, c, p), *forecast_terms(view, c, p)]
                        for p in players
                    ],
                )
            )
        position.play(turns[seat].decide(job.bots, seen, lambda: job.seed + position.number))
    for _, terms in rows:
        for p, values in enumerate(terms):
            values.append(POINT * position.scores[p])
    return rows


def leads(values: Any) -> Any:
    """Return each player's lead over the mean of the others; the last axis but one are the players."""
    return (values - values.mean(axis=-2, keepdims=True)) * SEATS / (SEATS - 1)


def fit(terms: Any, gained: Any) -> Any:
    """Return the weights, none below zero."""
    spread = terms.std(axis=0) + 1e-9
    scaled = terms / spread
    curvature = scaled.T @ scaled / len(scaled) + RIDGE * np.eye(scaled.shape[1])
    slope, weights = scaled.T @ gained / len(scaled), np.zeros(scaled.shape[1])
    step = 1 / np.linalg.norm(curvature, 2)
    for _ in range(STEPS):
        weights = np.maximum(0, weights - step * (curvature @ weights - slope))
    return weights / spread


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--bots", default="medium")
    parser.add_argument("--games", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    jobs = [Job(arguments.bots, (arguments.seed << 32) + number) for number in range(arguments.games)]
    by_age = defaultdict[int, list[tuple[int, Any]]](list)
    for number, (_, rows) in enumerate(map_in_order(Parallel(arguments.jobs), play_game, jobs)):
        for age, values in rows:
            by_age[age].append((number, values))
    print("ages left  positions  points  evaluation  forecast  weights:", ", ".join(TERMS))
    for age in sorted(by_age):
        numbers = np.array([number for number, _ in by_age[age]])
        lead = leads(np.array([values for _, values in by_age[age]], float))
        is_test = numbers % 3 == 0

        def columns(part: Any) -> tuple[Any, Any, Any, Any]:
            flat = part.reshape(-1, part.shape[-1])
            return flat[:, 0], flat[:, 1], flat[:, 2:-1], flat[:, -1]

        now, evaluation, terms, final = columns(lead[is_test])
        learned_now, _, learned_terms, learned_final = columns(lead[~is_test])
        predicted = now + terms @ fit(learned_terms, learned_final - learned_now)
        correlations = [np.corrcoef(guess, final)[0, 1] for guess in (now, evaluation, predicted)]
        all_now, _, all_terms, all_final = columns(lead)
        weights = np.rint(100 * fit(all_terms, all_final - all_now)).astype(int)
        print(f"{age:9} {len(lead):10}", *(f"{value:9.3f}" for value in correlations), f"  {tuple(weights.tolist())}")


if __name__ == "__main__":
    main()
