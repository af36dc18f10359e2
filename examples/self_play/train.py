"""Train the network of `mine.py` from nothing: proximal policy optimization (PPO) over `VectorEnv`.

    python train.py

The network plays all seats of a round of games, and later also one seat of games against two `easy` bots. A move is
rewarded by what it changes in the lead over the mean of the others, and the last one also by the win. Then moves that
turned out better than the network had expected become more likely. Every few rounds the best moves of the network play
games against two `easy` bots from which nothing is learnt. `policy.pt` has it all; a training that was stopped, by
Ctrl-C or by `--minutes`, goes on from there. `curve.svg` shows the games that were won.
"""

import argparse
import math
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from mine import FILE, GAME, Network, inputs_of
from torch.nn import functional

from spieltisch.vector import VectorEnv

SEATS = 3
"""The players of a game against `easy` bots."""
LEAD, WIN = 30, 1
"""The points of lead that are a reward of 1, and the reward of a win."""
CLIP, DECAY, EPOCHS = 0.2, 0.95, 3
"""The settings of PPO: the clipped ratio, the decay of advantages (GAE), and how often a round is learnt from."""
TESTS, EVERY = 300, 5
"""The games of a test, and the rounds from one to the next."""


class Stage(NamedTuple):
    """Rounds with the same settings.

    `own` and `seats` are the games of a round in which the network has all seats, and their players; `easy` those
    against two bots. `rates` are the first and the last rate of Adam; `entropy` rewards moves that are not certain.
    """

    rounds: int
    own: int
    seats: int
    easy: int
    rates: tuple[float, float]
    batch: int
    entropy: float


STAGES = (
    Stage(130, 64, 3, 0, (2e-3, 1.2e-3), 2048, 0.01),
    Stage(15, 48, 3, 128, (1.5e-3, 1.5e-3), 1024, 0.003),
    Stage(85, 48, 4, 128, (1.5e-3, 1.5e-4), 1024, 0.003),
)


class Measured(NamedTuple):
    """A test: games played so far, processor seconds, the part of the test's games that was won, and the mean lead."""

    games: int
    seconds: float
    won: float
    lead: float


def setup(seats):
    """Return the setup for so many players, with the rule that makes games end."""
    return GAME.setup(seats, standstill="ends")


def against_easy(games, **settings):
    """Return games against two easy bots, with the learner in each seat in turn."""
    rows = [("easy",) * seat + (None,) + ("easy",) * (SEATS - 1 - seat) for seat in np.arange(games) % SEATS]
    return VectorEnv(setup(SEATS), games, bots=rows, **settings)


def moves_of(legal):
    """Return the legal moves of each game in a row, filled up with -1."""
    games, moves = np.nonzero(legal)
    counts = np.bincount(games, minlength=len(legal))
    rows = np.full((len(legal), counts.max()), -1)
    rows[games, np.arange(len(games)) - np.repeat(counts.cumsum() - counts, counts)] = moves
    return torch.from_numpy(rows)


def logarithms(scores, moves):
    """Return the logarithms of the probabilities of the legal moves."""
    chosen = scores.gather(1, moves.clamp(min=0))
    return functional.log_softmax(chosen.masked_fill(moves < 0, -50.0), dim=1)


def play(network, env, seed):
    """Play all games to their ends; return the steps of each decision, and its advantage."""
    env.reset(seed)
    running, steps, seated = np.arange(env.games), [], env.setup.seats
    while len(running):
        reach, numbers = inputs_of(env.observations[running], env.legal[running])
        moves = moves_of(env.legal[running])
        with torch.inference_mode():
            scores, values = network(reach, numbers)
            logs = logarithms(scores, moves)
            noise = -torch.empty_like(logs).exponential_().log()
            places = logs.masked_fill(moves < 0, -1e9).add(noise).argmax(dim=1, keepdim=True)  # drawn by probability
        actions, seats = env.legal.argmax(axis=1), env.to_move[running].copy()
        actions[running] = moves.gather(1, places)[:, 0].numpy()  # elsewhere any move: those games are not looked at
        env.step(actions)
        gains, points = env.rewards[running], env.points[running]
        ended = (env.terminated | env.truncated)[running]
        others = (gains.sum(axis=1, keepdims=True) - gains) / (seated - 1)
        best = points == points.max(axis=1, keepdims=True)
        won = best / best.sum(axis=1, keepdims=True) - 1 / seated
        rewards = (gains - others) / LEAD + WIN * won * ended[:, None]
        steps.append((running, seats, rewards, values, reach, numbers, moves, places, logs.gather(1, places)[:, 0]))
        running = running[~ended]
    return steps, advantages(steps, env.games, seated)


def advantages(steps, games, seated):
    """Return by how much each decision turned out better than expected: sums of surprises that decay (GAE)."""
    rewards, expected, surprises = (np.zeros((games, seated), np.float32) for _ in range(3))
    found = []
    for running, seats, gained, values, *_ in reversed(steps):
        rewards[running] += gained
        at = running, seats
        surprises[at] = rewards[at] + expected[at] - values.numpy() + DECAY * surprises[at]
        found.append(surprises[at])
        rewards[at], expected[at] = 0, values.numpy()
    return torch.from_numpy(np.concatenate(found[::-1]))


def learn(network, optimizer, rounds, stage):
    """Make moves with an advantage more likely, in small steps away from the network that played."""
    advantage = torch.cat([found for _, found in rounds])
    _, _, _, *columns = zip(*(step for steps, _ in rounds for step in steps), strict=True)
    widest = max(moves.shape[1] for moves in columns[3])
    columns[3] = [functional.pad(moves, (0, widest - moves.shape[1]), value=-1) for moves in columns[3]]
    values, reach, numbers, moves, places, before = map(torch.cat, columns)
    returns = advantage + values
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
    for _ in range(EPOCHS):
        for at in torch.randperm(len(values)).split(stage.batch):
            scores, expected = network(reach[at], numbers[at])
            logs = logarithms(scores, moves[at])
            ratio = (logs.gather(1, places[at])[:, 0] - before[at]).exp()
            gain = torch.minimum(ratio * advantage[at], ratio.clamp(1 - CLIP, 1 + CLIP) * advantage[at]).mean()
            entropy = -(logs.exp() * logs).sum(dim=1).mean()
            loss = 0.5 * functional.mse_loss(expected, returns[at]) - gain - stage.entropy * entropy
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()


def measure(network, games=TESTS, seed=10**6):
    """Play the best moves in new games against easy bots; return the part that was won, and the mean lead."""
    env, running = against_easy(games, seed=seed), np.arange(games)
    seats, won, leads = env.to_move.copy(), np.zeros(games), np.zeros(games)
    while len(running):
        actions = env.legal.argmax(axis=1)
        actions[running] = network.best(env.observations[running], env.legal[running])
        env.step(actions)
        ended = (env.terminated | env.truncated)[running]
        for g in running[ended]:
            won[g] = env.rewards[g, seats[g]]
            leads[g] = env.points[g, seats[g]] - np.delete(env.points[g], seats[g]).max()
        running = running[~ended]
    return float(won.mean()), float(leads.mean())


def interval(won, games):
    """Return Wilson's interval of 95 % for a part of so many games."""
    z = 1.96
    middle = (won + z * z / (2 * games)) / (1 + z * z / games)
    half = z * math.sqrt(won * (1 - won) / games + z * z / (4 * games**2)) / (1 + z * z / games)
    return middle - half, middle + half


def drawn(tests):
    """Return the curve as SVG: the part of games won by processor minutes, with intervals, and the line of even."""
    minutes = max(test.seconds for test in tests) / 60

    def place(seconds, won):
        return f"{60 + 560 * seconds / 60 / minutes:.1f},{260 - 300 * won:.1f}"

    low, high = ([place(test.seconds, interval(test.won, TESTS)[end]) for test in tests] for end in (0, 1))
    line = " ".join(place(test.seconds, test.won) for test in tests)
    texts = [(55, 264 - 300 * part, "end", f"{part:.0%}") for part in (0, 0.2, 0.4, 0.6, 0.8)]
    texts += [(60 + 560 * k / 4, 282, "middle", f"{minutes * k / 4:.1f}") for k in range(5)]
    texts += [(340, 304, "middle", "processor minutes"), (620, 174, "end", "as good as two easy bots: a third")]
    labels = "".join(f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{to}">{text}</text>' for x, y, to, text in texts)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 316" font-family="sans-serif" font-size="13"'
        ' fill="#555" role="img">'
        "<title>The part of games against two easy bots that was won, with intervals of 95 %</title>"
        '<path d="M60 20V260H620" fill="none" stroke="#888"/>'
        f'<polygon points="{" ".join(low + high[::-1])}" fill="#b5651d" opacity=".25"/>'
        f'<path d="M60 {260 - 300 / 3:.1f}H620" stroke="#888" stroke-dasharray="4 4"/>'
        f'<polyline points="{line}" fill="none" stroke="#b5651d" stroke-width="2"/>{labels}</svg>\n'
    )


def train(minutes, file=FILE, stages=STAGES):
    """Train up to this many processor minutes in all, or to the end of the stages; yield each test."""
    network = Network()
    optimizer = torch.optim.Adam(network.parameters(), eps=1e-5)
    done, seconds, games, tests = 0, 0.0, 0, []
    if file.exists():
        saved = torch.load(file)
        network.load_state_dict(saved["network"])
        optimizer.load_state_dict(saved["optimizer"])
        done, seconds, games, tests = saved["done"], saved["seconds"], saved["games"], saved["tests"]
    start, first = time.process_time() - seconds, 0
    for stage in stages:
        envs = [VectorEnv(setup(stage.seats), stage.own, reward="points")]
        envs += [against_easy(stage.easy, reward="points")] if stage.easy else []
        for number in range(max(done, first), first + stage.rounds):
            share = (number - first) / stage.rounds
            for group in optimizer.param_groups:
                group["lr"] = stage.rates[0] + (stage.rates[1] - stage.rates[0]) * share
            rounds = [play(network, env, seed=1000 * number + 500 * k) for k, env in enumerate(envs)]
            learn(network, optimizer, rounds, stage)
            games += stage.own + stage.easy
            if (number + 1) % EVERY == 0:
                seconds = time.process_time() - start
                tests.append((games, seconds, *measure(network)))
                state = {"network": network.state_dict(), "optimizer": optimizer.state_dict()}
                state |= {"done": number + 1, "seconds": seconds, "games": games, "tests": tests}
                torch.save(state, file.with_suffix(".new"))
                file.with_suffix(".new").replace(file)  # so Ctrl-C never leaves half a file
                yield Measured(*tests[-1])
                if seconds > 60 * minutes:
                    return
        first += stage.rounds


def main():
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60, help="of processor time, at most")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    print(" games  minutes  won    lead", flush=True)
    try:
        for test in train(arguments.minutes):
            print(f"{test.games:6,} {test.seconds / 60:8.1f} {test.won:5.1%} {test.lead:7.1f}", flush=True)
    except KeyboardInterrupt:
        print("stopped; the same command goes on from the last line")
    if not FILE.exists():
        return
    tests = [Measured(*row) for row in torch.load(FILE)["tests"]]
    Path("curve.svg").write_text(drawn(tests))
    low, high = interval(tests[-1].won, TESTS)
    print(f"won in the last test: {low:.0%} to {high:.0%} of {TESTS} games; a third is as good as the bots")


if __name__ == "__main__":
    main()
