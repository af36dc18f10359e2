"""The speed of two commits, measured in turn on this machine: run it after a change of the rules or the kernel.

    python -m bench.compare_commits main HEAD
    python -m bench.compare_commits --rounds 9 v0.1 . paris-connection

"." stands for the files as they are. Each round runs both, in changing order, so that other work on the machine meets
both alike; the medians count. A difference of 3 % is noise. `games` are whole games a second of compiled random play on
one thread, `observe` and `legal_moves` calls a second from Python on plain rules, `both` one of each.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from statistics import median

from spieltisch.games import GAMES

ROOT = Path(__file__).parent.parent
NOISE = 0.03
Rates = dict[str, dict[str, float]]


def checkout(commit: str, folder: Path) -> Path:
    """Return the sources of a commit, unpacked into a folder."""
    if commit == ".":
        return ROOT / "src"
    git = shutil.which("git") or "git"
    archive = subprocess.run([git, "-C", ROOT, "archive", commit, "src"], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(folder, filter="data")
    return folder / "src"


def measure(sources: Path, games: list[str], seconds: float) -> Rates:
    """Return the rates of the rules in these sources, from a process of their own."""
    environment = {**os.environ, "PYTHONPATH": str(sources)}
    command = [sys.executable, str(ROOT / "bench" / "commit_rates.py"), str(seconds), *games]
    rates: Rates = json.loads(subprocess.run(command, env=environment, check=True, capture_output=True).stdout)
    return rates


def compare(rounds: list[tuple[Rates, Rates]]) -> list[str]:
    """Return a line for each game and rate: the medians of both, their ratio, and whether it is more than noise."""
    lines = []
    for key, names in rounds[0][0].items():
        for name in names:
            before, after = (median(rates[key][name] for rates in side) for side in zip(*rounds, strict=True))
            ratio = after / before
            verdict = "" if abs(ratio - 1) <= NOISE else "  faster" if ratio > 1 else "  SLOWER"
            lines.append(f"{key:20} {name:12} {before:12,.0f} {after:12,.0f} {ratio:6.2f}{verdict}")
    return lines


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", help="a commit")
    parser.add_argument("after", help='a commit, or "." for the files as they are')
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="of whole games, in each round and for each game")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        sides = [
            checkout(commit, Path(scratch) / f"{n}") for n, commit in enumerate((arguments.before, arguments.after))
        ]
        for side in sides:
            measure(side, arguments.games, 0.1)  # compiles
        rounds = []
        for n in range(arguments.rounds):
            order = (0, 1) if n % 2 == 0 else (1, 0)
            measured = {side: measure(sides[side], arguments.games, arguments.seconds) for side in order}
            rounds.append((measured[0], measured[1]))
    print(f"load average {os.getloadavg()[0]:.1f}; a second, {arguments.before} and {arguments.after}:")
    print(*compare(rounds), sep="\n")


if __name__ == "__main__":
    main()
