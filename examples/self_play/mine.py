"""A player of Paris Connection that learns: its network, and the bot that plays with what it has learnt.

`train.py` beside this file trains the network and keeps it in `policy.pt`. The name of the bot is `mine.py:Policy`.
"""

from pathlib import Path

import numpy as np
import torch
from torch import nn

import spieltisch

FILE = Path(__file__).with_name("policy.pt")
GAME = spieltisch.game("paris-connection")
BUILD, DONE, TRADE = GAME.action_spec.kinds
COMPANIES, HEXES = (len(values) for _, values in BUILD.arguments)
BAG = 31
"""The locomotives of a company that go into the bag (P1)."""
NUMBERS, RANK, WIDTH = 17, 24, 64
"""The numbers about a company, the numbers by which a hex is known, and the width of the layers."""


def inputs_of(vectors, legal):
    """Return what the network reads of each observation: where each company may build, and numbers about it."""
    seen = GAME.observation_spec.split(vectors)
    games, companies = len(vectors), np.arange(COMPANIES)
    own, value, depot = seen["players.shares"][:, 0] / 10, seen["value"] / 20, seen["depot"]
    track = seen["net"].reshape(games, COMPANIES, HEXES).sum(axis=2, dtype=np.int16)
    others = (BAG - depot - track) / 10 - own  # the shares of all others together
    proven = (seen["players.taken"] - seen["players.given"] + seen["players.owed"])[:, 1:4] / 10
    held = seen["players.held"][:, :4] / 20
    is_built = seen["company"].reshape(games, 1) == companies
    built = is_built * seen["built"].reshape(games, 1) / 5
    one = np.ones((games, COMPANIES))
    numbers = [one, own, own * value, value, depot / 20, others, others * value, is_built, built]
    numbers += [proven[:, p] for p in range(3)]
    numbers += [one * held[:, [p]] for p in range(4)]
    numbers += [one * (own * value).sum(axis=1, keepdims=True)]
    reach = legal[:, : DONE.first].reshape(games, COMPANIES, HEXES)
    return torch.from_numpy(reach.astype(np.float32)), torch.from_numpy(np.stack(numbers, axis=2).astype(np.float32))


class Network(nn.Module):
    """Scores of all moves, and the lead to expect, by the same layers for each company."""

    def __init__(self):
        super().__init__()
        self.reach, self.numbers = nn.Linear(HEXES, RANK, bias=False), nn.Linear(NUMBERS + RANK, WIDTH)
        self.own, self.all = nn.Linear(WIDTH, WIDTH), nn.Linear(2 * WIDTH, WIDTH, bias=False)
        self.wish, self.build = nn.Linear(WIDTH, RANK), nn.Linear(RANK, HEXES)
        self.trade, self.done = nn.Linear(WIDTH, 3), nn.Linear(WIDTH, 1)
        self.lead = nn.Sequential(nn.Linear(2 * WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, 1))
        for last in (self.build, self.trade, self.done, self.lead[2]):  # at first all moves are equal
            nn.init.zeros_(last.weight)
            nn.init.zeros_(last.bias)

    def forward(self, reach, numbers):
        """Return the score of each move and the lead to expect, in the unit of rewards."""
        each = torch.relu(self.numbers(torch.cat([numbers, self.reach(reach)], dim=2)))
        together = torch.cat([each.mean(dim=1), each.amax(dim=1)], dim=1)
        each = torch.relu(self.own(each) + self.all(together)[:, None])
        together = torch.cat([each.mean(dim=1), each.amax(dim=1)], dim=1)
        give, take = self.trade(each).split([1, 2], dim=2)
        trades = give[:, :, None] + take[:, None]  # by the share given, the share taken, and how many
        scores = [self.build(self.wish(each)).flatten(1), self.done(each.mean(dim=1)), trades.flatten(1)]
        return torch.cat(scores, dim=1), self.lead(together)[:, 0]

    @torch.inference_mode()
    def best(self, vectors, legal):
        """Return the legal move with the highest score in each game: an opponent for `VectorEnv`."""
        scores, _ = self(*inputs_of(vectors, legal))
        return np.where(legal, scores.numpy(), -np.inf).argmax(axis=1)


class Policy:
    """The bot: it plays the move with the highest score."""

    def __init__(self):
        torch.set_num_threads(1)
        self.network = Network()
        self.network.load_state_dict(torch.load(FILE)["network"])

    def __call__(self, seen, seed, seconds):
        """Return the number of the move."""
        return int(self.network.best(seen.vector[None], seen.legal_moves.mask[None])[0])
