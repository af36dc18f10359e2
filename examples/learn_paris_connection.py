"""A program that learns Paris Connection against two easy bots: a policy gradient in NumPy over `VectorEnv`.

    python examples/learn_paris_connection.py

The policy is a softmax over the legal moves. The score of a move is linear in a few numbers about its companies, which
are read from the observation; the weights of a locomotive also depend on its hex. Rounds of games are played to the
end. Then the moves of games that ended better than their positions promised become more likely (REINFORCE with a
baseline that is fitted to each round, and Adam). The return of a game is the lead over the best bot, since at first no
game is won.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import spieltisch
from spieltisch.vector import VectorEnv

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

GAME = spieltisch.game("paris-connection")
SEATS, ROUND, REPORT = 3, 128, 10
"""Players of a game, games of a round, rounds of a line of the report."""
BUILD, DONE, TRADE = GAME.action_spec.kinds
COMPANIES, HEXES = (len(values) for _, values in BUILD.arguments)
FEATURES = 8
"""The numbers about a company."""
RATE, MEAN_DECAY, SQUARE_DECAY = 0.1, 0.9, 0.99
"""The settings of Adam."""


def about_companies(observations: NDArray[np.int16]) -> Floats:
    """Return `FEATURES` numbers about each company in each observation, all about as large as 1."""

    def numbers(name: str) -> Floats:
        return observations[:, GAME.observation_spec[name].places].astype(np.float32)

    shares, value = numbers("players.shares")[:, 0], numbers("value") / 20
    held = shares.sum(axis=1, keepdims=True)
    part = 4 * shares / np.maximum(held, 1)
    others = (numbers("players.taken") - numbers("players.given") + numbers("players.owed"))[:, 1:SEATS].sum(axis=1)
    building = numbers("company").reshape(-1, 1) == np.arange(COMPANIES)
    one = np.ones_like(part)
    return np.stack(
        [one, part, part * value, value, numbers("depot") / 10, others / 4, building, one * held / 20], axis=2
    ).astype(np.float32)


class Decisions(NamedTuple):
    """Positions in which the learner was to move, and their legal moves, one after another.

    `rows` has the position of each of the `moves`, ascending; `pull` is 1 for a move that was played, less the
    probability that it had: the gradient of the logarithm of the probability of the move played by the scores.
    """

    features: Floats
    rows: Ints
    moves: Ints
    pull: Floats


class Policy:
    """The scores of moves: weights for the numbers about companies, by kind of move, of a locomotive also by hex."""

    def __init__(self) -> None:
        shapes = {"build": (1,), "hex": (HEXES,), "give": (1,), "take": (2,), "done": (1,)}
        self.weights = {name: np.zeros((*shape, FEATURES), np.float32) for name, shape in shapes.items()}
        self._means = {name: np.zeros_like(weights) for name, weights in self.weights.items()}
        self._squares = {name: np.zeros_like(weights) for name, weights in self.weights.items()}
        self._updates = 0

    def chances(self, features: Floats, rows: Ints, moves: Ints) -> Floats:
        """Return the probability of each move in its position."""
        scores = np.zeros(len(moves), np.float32)
        for name, at, indices, inputs in self._inputs(features, rows, moves):
            scores[at] += (self.weights[name][indices] * inputs).sum(axis=1)
        starts = np.flatnonzero(np.diff(rows, prepend=-1))
        highest: Floats = np.maximum.reduceat(scores, starts)
        chances: Floats = np.exp(scores - highest[rows])
        sums: Floats = np.add.reduceat(chances, starts)
        return chances / sums[rows]

    def gradient(self, decisions: Decisions, advantages: Floats) -> dict[str, Floats]:
        """Return the gradient of the mean of advantage times logarithm of the probability of the move played."""
        features, rows, moves, pull = decisions
        pulls = pull * advantages[rows] / len(features)
        gradient = {name: np.zeros_like(weights) for name, weights in self.weights.items()}
        for name, at, indices, inputs in self._inputs(features, rows, moves):
            np.add.at(gradient[name], indices, inputs * pulls[at, None])
        return gradient

    def climb(self, gradient: dict[str, Floats]) -> None:
        """Change the weights along a gradient, by Adam."""
        self._updates += 1
        for name, slope in gradient.items():
            mean, square = self._means[name], self._squares[name]
            mean += (1 - MEAN_DECAY) * (slope - mean)
            square += (1 - SQUARE_DECAY) * (slope**2 - square)
            steepness = np.sqrt(square / np.float32(1 - SQUARE_DECAY**self._updates)) + np.float32(1e-6)
            self.weights[name] += np.float32(RATE / (1 - MEAN_DECAY**self._updates)) * mean / steepness

    def _inputs(self, features: Floats, rows: Ints, moves: Ints) -> Iterator[tuple[str, Ints, Ints, Floats]]:
        """Yield which weights score which moves: their name, indices of the moves, rows of the weights, and inputs."""
        kinds = np.digitize(moves, [DONE.first, TRADE.first])
        building, done, trading = (np.flatnonzero(kinds == kind) for kind in range(3))
        company, place = np.divmod(moves[building], HEXES)
        inputs = features[rows[building], company]
        yield "build", building, np.zeros_like(company), inputs
        yield "hex", building, place, inputs
        pair, number = np.divmod(moves[trading] - TRADE.first, 2)
        give, take = np.divmod(pair, COMPANIES)
        yield "give", trading, np.zeros_like(give), features[rows[trading], give]
        yield "take", trading, number, features[rows[trading], take]
        yield "done", done, np.zeros_like(done), features[rows[done]].mean(axis=1)


def draw(chance: np.random.Generator, chances: Floats, rows: Ints) -> Ints:
    """Draw a move in each position; return their indices."""
    ends = np.flatnonzero(np.diff(rows, append=rows[-1] + 1)) + 1
    sums = np.concatenate([[0], chances.cumsum(dtype=np.float64)])
    starts = np.concatenate([[0], ends[:-1]])
    drawn = sums[starts] + chance.random(len(ends)) * (sums[ends] - sums[starts])
    found: Ints = np.clip(np.searchsorted(sums, drawn, side="right") - 1, starts, ends - 1)
    return found


def play_round(env: VectorEnv, policy: Policy, seed: int) -> tuple[Decisions, Floats, Floats, float]:
    """Play the games from this seed on to their ends.

    Return the decisions, the lead at the end of the game of each decision, that of each game, and the part of games
    that was won.
    """
    chance = np.random.default_rng(seed)
    env.reset(seed)
    leads, won = np.zeros(env.games, np.float32), 0.0
    steps: list[Decisions] = []
    games: list[Ints] = []
    running, positions = np.arange(env.games), 0
    while len(running):
        rows, moves = np.nonzero(env.legal[running])
        features = about_companies(env.observations[running])
        chances = policy.chances(features, rows, moves)
        played = draw(chance, chances, rows)
        actions = env.legal.argmax(axis=1)  # any move where the game is another one by now
        actions[running] = moves[played]
        pull = -chances
        pull[played] += 1
        steps.append(Decisions(features, rows + positions, moves, pull))
        games.append(running)
        positions += len(running)
        _, rewards, terminated, truncated = env.step(actions)
        ended = (terminated | truncated)[running]
        over, running = running[ended], running[~ended]
        leads[over] = env.points[over, 0] - env.points[over, 1:].max(axis=1)
        won += float(rewards[over, 0].sum())
    decisions = Decisions(*(np.concatenate(parts) for parts in zip(*steps, strict=True)))
    return decisions, leads[np.concatenate(games)], leads, won / env.games


def advantages_of(decisions: Decisions, leads: Floats) -> Floats:
    """Return by how much games ended better than a linear fit to their positions, in standard deviations."""
    about = np.concatenate([decisions.features.mean(axis=1), decisions.features.max(axis=1)], axis=1)
    surprise = leads - about @ np.linalg.lstsq(about, leads, rcond=None)[0]
    advantages: Floats = surprise / (surprise.std() + 1e-6)
    return advantages


def learn(policy: Policy, rounds: int | None, minutes: float, games: int = ROUND) -> Iterator[tuple[int, float, float]]:
    """Play and learn for so many rounds or minutes of processor time.

    Yield the number of games so far, the mean lead over the best bot and the part won after each round.
    """
    setup = GAME.setup(SEATS, standstill="ends")
    env = VectorEnv(setup, games, bots=(None, "easy", "easy"), threads=2)
    number = 0
    while number != rounds and time.process_time() < 60 * minutes:
        decisions, leads, ends, won = play_round(env, policy, seed=1000 * games * number)
        policy.climb(policy.gradient(decisions, advantages_of(decisions, leads)))
        number += 1
        yield games * number, float(ends.mean()), won


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5, help="of processor time")
    arguments = parser.parse_args()
    lines: list[tuple[float, float]] = []
    print("games, lead over the best bot, won")
    for games, lead, won in learn(Policy(), None, arguments.minutes):
        lines.append((lead, won))
        if len(lines) == REPORT:
            lead, won = np.mean(lines, axis=0)
            print(f"{games:7,} {lead:8.1f} {won:8.1%}", flush=True)
            lines.clear()


if __name__ == "__main__":
    main()
