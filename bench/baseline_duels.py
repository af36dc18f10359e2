"""The duels of the baselines with each other, from which their ratings follow: `lab/baseline_duels.toml`.

    python -m bench.baseline_duels FOLDER [--games 20] [--minutes 20] [--game GAME]

Neighbours play each other, the weakest first; each duel gets an equal part of the time that is left. The same command
continues the rows in FOLDER. What all games in FOLDER give is written into the source; with `--game` the duels of the
other games stay as they are.
"""

from __future__ import annotations

import argparse
import tomllib
from itertools import pairwise
from pathlib import Path
from time import monotonic

import spieltisch
from spieltisch.bots.baselines import BASELINES, SETUPS
from spieltisch.bots.search import native_library
from spieltisch.lab.arena import Arena
from spieltisch.lab.ratings import FILE, fit_ratings, rated_setup, stored_duels
from spieltisch.lab.result_rows import read, write

HEADER = "# The duels of the baselines: games, and how many the first won. Made by `python -m bench.baseline_duels`.\n"


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--game", choices=SETUPS, action="append", help="instead of all games; may be repeated")
    arguments = parser.parse_args()
    keys = arguments.game or list(SETUPS)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    until, left = monotonic() + 60 * arguments.minutes, len(keys) * (len(BASELINES) - 1)
    stored = tomllib.loads(FILE.read_text(encoding="utf-8"))
    results = {
        key: [] if key in keys else [f'"{duel}" = {games}' for duel, games in stored[key].items()] for key in SETUPS
    }
    for bot, opponent in pairwise(BASELINES):
        for key in keys:
            native_library.build(key)
            setup, rows = rated_setup(spieltisch.game(key)), arguments.folder / f"{key}-{bot}-{opponent}.csv"
            contest = Arena(setup, (bot, opponent), 1, pairs=[(bot, opponent)])
            if rows.exists():
                contest.resume(read(rows))
            began, share = monotonic(), (until - monotonic()) / left
            for _ in contest.play(arguments.games):
                write(rows, setup, contest.games())
                if monotonic() - began > share:
                    break
            (score,) = contest.scores()
            results[key].append(f'"{bot} {opponent}" = [{score.games}, {round(score.share * score.games, 3)}]')
            print(key, results[key][-1], flush=True)
            left -= 1
    text = HEADER + "".join(f"\n[{key}]\n" + "\n".join(lines) + "\n" for key, lines in results.items())
    FILE.write_text(text, encoding="utf-8")
    for key in keys:
        print(key, *fit_ratings(stored_duels(key)), sep="\n")


if __name__ == "__main__":
    main()
