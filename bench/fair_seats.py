"""A search for components of Era of Inventions with which every place in turn order wins equally often.

    python -m bench.fair_seats start-cards --log start-cards.jsonl --output proposal-2.toml

Only values marked `reconstructed` change. An attempt has levers, each of which adds to some values at once. In a random
order each lever is moved up or down by a step; all candidates play the same deals with three, four and five `easy`
bots, and the fairest is kept. The measure is the root mean square of the distances from even, in parts of an even
share. When no lever helps any more, or after `--candidates`, the last ones that were kept play `--final` other deals,
which they do not benefit from, and the fairest of them is written. Equal seeds give equal figures. With `--log` the
same command continues after an interruption.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from math import sqrt
from pathlib import Path
from typing import Any, Final, NamedTuple

import spieltisch
from spieltisch.core.components import Components, ComponentsError
from spieltisch.lab.simulation import Simulation
from spieltisch.lab.variants import read_tables

GAME: Final = "era-of-inventions"
SEATS: Final = (3, 4, 5)
FINALISTS: Final = 3
"""The number of candidates that play the final."""
MOST_STEPS: Final = 3
"""The largest number of steps by which a lever can be moved up or down."""

Shares = dict[str, list[float]]
"""The share of wins by place in turn order, for each number of players."""


class Lever(NamedTuple):
    """Values that change together: one key in the entries of a table whose ids fit the patterns."""

    table: str
    ids: tuple[str, ...]
    key: str

    @property
    def name(self) -> str:
        """The path of the values."""
        return f"{self.table}.{'|'.join(self.ids)}.{self.key}"


_COINS = ("light-bulb", "pocket-watch", "umbrella")
_STONES = ("oil-lamp", "spectacles", "fountain-pen")
_RICH = ("telegraph", "bicycle")
_MIXED = ("microscope", "barometer", "music-box", "weighing-scale")
_SMALL = ("coal-mine-[12]", "sawmill-1", "foundry-[12]", "laboratory-[12]", "workshop-[12]", "counting-house-[12]")
_LARGE = ("coal-mine-[34]", "sawmill-[23]", "foundry-[34]", "laboratory-[34]", "workshop-[34]", "counting-house-3")
_OFFICES = ("drawing-office-*",)
_CHEAP_FIELDS = ("cash-register", "sewing-machine", "typewriter", "telephone", "gramophone")
_DEAR_FIELDS = ("camera", "car", "steam-locomotive", "aeroplane")

START_CARDS: Final = tuple(
    Lever("start_cards", ids, key)
    for ids in (_COINS, _STONES, _RICH, _MIXED)
    for key in ("gain.coin", "gain.stone", "gain.influence", "cost.coal")
)
FACTORIES: Final = (
    *(
        Lever("factories", ids, key)
        for ids in (_SMALL, _LARGE, _OFFICES)
        for key in ("cost.wood", "cost.coal", "influence")
    ),
    Lever("factories", ("coal-mine-[34]",), "output.coal"),
    Lever("factories", ("sawmill-[23]",), "output.wood"),
)
INVENTING: Final = (
    *(
        Lever("inventions", ids, key)
        for ids in (_CHEAP_FIELDS, _DEAR_FIELDS)
        for key in ("gold.influence", "silver.influence", "silver.stones", "silver.reward.coin")
    ),
    *(
        Lever("invention_cards", ids, key)
        for ids in (("sewing-*", "typewriter-*", "gramophone-*"), ("camera-*", "car-*", "steam-*", "aeroplane-*"))
        for key in ("gain.influence", "gain.coin", "cost.coal")
    ),
    *(Lever("patent_steps", (step,), "influence") for step in ("[34]", "[56]")),
    *(Lever("patent_steps", (step,), "coins") for step in ("[34]", "[56]")),
)
ATTEMPTS: Final = {
    "start-cards": START_CARDS,
    "factories": FACTORIES,
    "inventing": INVENTING,
    "all": (*START_CARDS, *FACTORIES, *INVENTING),
}


def move_levers(
    components: Components[Any], levers: Sequence[Lever], levels: Sequence[int], name: str
) -> dict[str, Any]:
    """Return the tables of the components with the levers at these levels. Values that are not ours stay."""
    tables: dict[str, Any] = json.loads(json.dumps(components.data, default=dict))
    tables["name"] = name
    for lever, level in zip(levers, levels, strict=True):
        for entry in tables[lever.table] if level else ():
            identity = str(next(iter(entry.values())))
            path = f"{lever.table}.{identity}.{lever.key}"
            if any(fnmatchcase(identity, pattern) for pattern in lever.ids) and _is_ours(components, path):
                *above, last = lever.key.split(".")
                holder = entry
                for step in above:
                    holder = holder[step]
                holder[last] = max(0, holder.get(last, 0) + level)
    return tables


def _is_ours(components: Components[Any], path: str) -> bool:
    return components.mark_of(path).mark == "reconstructed"


def measure_shares(components: Components[Any], games: int, seed: int) -> Shares:
    """Return who wins games of `easy` bots with these components."""
    game, shares = spieltisch.game(GAME), {}
    for seats in SEATS:
        tally = Simulation(game.setup(seats, components), ["easy"] * seats, seed).play(games)
        shares[str(seats)] = [round(turn.share, 4) for turn in tally.turns]
    return shares


def unfairness(shares: Shares) -> float:
    """Return the root mean square of the distances from even, in parts of an even share.

    >>> unfairness({"4": [0.25, 0.25, 0.25, 0.25]}), unfairness({"4": [0.3, 0.2, 0.3, 0.2]})
    (0.0, 0.2)
    """
    distances = [share * len(places) - 1 for places in shares.values() for share in places]
    return round(sqrt(sum(distance**2 for distance in distances) / len(distances)), 4)


class Search:
    """The candidates of an attempt, each measured once."""

    def __init__(self, levers: Sequence[Lever], base: Components[Any], seed: int, log: Path | None) -> None:
        self.levers, self.base, self.seed, self.log = tuple(levers), base, seed, log
        self.measured: dict[str, Shares] = {}
        if log is not None and log.exists():
            self.measured = dict(json.loads(line) for line in log.read_text("utf-8").splitlines())

    def measure(self, levels: Sequence[int], games: int, seed: int) -> Shares | None:
        """Return the shares of a candidate; None if its values are not possible."""
        tables = move_levers(self.base, self.levers, levels, "proposal-2")
        try:
            components = read_tables(spieltisch.game(GAME), tables)
        except ComponentsError:
            return None
        key = f"{components.digest} {games} {seed}"
        if key not in self.measured:
            self.measured[key] = measure_shares(components, games, seed)
            if self.log is not None:
                with self.log.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([key, self.measured[key]]) + "\n")
        return self.measured[key]

    def moved_levers(self, levels: Sequence[int]) -> Mapping[str, int]:
        """Return the levers that are moved, by name."""
        return {lever.name: level for lever, level in zip(self.levers, levels, strict=True) if level}

    def climb(self, games: int, candidates: int) -> list[tuple[int, ...]]:
        """Return the candidates that were kept, the fairest last."""
        rng, tried = random.Random(self.seed), 0
        best = (0,) * len(self.levers)
        score, kept = _score(self.measure(best, games, self.seed)), [best]
        print(f"{score:.3f} as it is")
        while True:
            moves = [(at, step) for at in range(len(best)) for step in (1, -1)]
            rng.shuffle(moves)
            before = best
            for at, step in moves:
                levels = (*best[:at], best[at] + step, *best[at + 1 :])
                if abs(levels[at]) > MOST_STEPS:
                    continue
                if tried == candidates:
                    return kept
                tried += 1
                if (now := _score(self.measure(levels, games, self.seed))) < score:
                    best, score = levels, now
                    kept.append(best)
                    print(f"{score:.3f} after {tried}: {self.moved_levers(best)}", flush=True)
            if best == before:
                return kept


def _score(shares: Shares | None) -> float:
    return float("inf") if shares is None else unfairness(shares)


def main() -> None:
    """Search, and print the finalists."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("attempt", choices=ATTEMPTS)
    parser.add_argument("--games", type=int, default=384, help="for each candidate and number of players")
    parser.add_argument("--candidates", type=int, default=100)
    parser.add_argument("--final", type=int, default=2000, help="games of each finalist and number of players")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--components", type=Path, help="begin with these components")
    parser.add_argument("--log", type=Path, help="keep what was measured here")
    parser.add_argument("--output", type=Path, help="write the fairest set here")
    options = parser.parse_args()
    game = spieltisch.game(GAME)
    base = game.components if options.components is None else game.read_components(options.components)
    search = Search(ATTEMPTS[options.attempt], base, options.seed, options.log)
    finalists = search.climb(options.games, options.candidates)[-FINALISTS:]
    finals = [(_score(search.measure(one, options.final, options.seed + 1)), one) for one in finalists]
    for score, levels in sorted(finals):
        print(f"final {score:.3f} {search.moved_levers(levels)}")
        for seats, shares in (search.measure(levels, options.final, options.seed + 1) or {}).items():
            print(f"  {seats}: " + " ".join(f"{share:.3f} ({share * len(shares):.2f})" for share in shares))
    if options.output is not None:
        tables = move_levers(search.base, search.levers, min(finals)[1], "proposal-2")
        options.output.write_text(read_tables(game, tables).text, encoding="utf-8")


if __name__ == "__main__":
    main()
