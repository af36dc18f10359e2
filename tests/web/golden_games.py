"""Provide a golden game of each kind with draws from a secret."""

from __future__ import annotations

from spieltisch.core.record import Record
from tests.paths import ROOT

GOLDEN = {
    "era-of-inventions": "4-easy-secret",
    "legendary-inventors": "4-easy-secret",
    "paris-connection": "4-depots-secret",
}


def golden_record(key: str) -> Record:
    return Record.read(ROOT / "tests" / "golden" / key / f"{GOLDEN[key]}.txt")
