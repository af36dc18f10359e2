"""Store finished games in a data folder for their analysis."""

from __future__ import annotations

from pathlib import Path

from spieltisch.core.record import Record
from spieltisch.games import game
from spieltisch.live.records import import_game
from spieltisch.store.schema import DATABASE
from spieltisch.store.store import Store
from tests.async_wait import wait
from tests.paths import ROOT

GOLDEN = {
    "era-of-inventions": "3-easy.txt",
    "legendary-inventors": "3-tie.txt",
    "paris-connection": "4-depots.txt",
}


class Shelf:
    """A data folder with finished games, where `paths` are given by game."""

    def __init__(self, data: Path) -> None:
        self.data = data
        data.mkdir()
        store = Store(data / DATABASE)
        self.records = {key: Record.read(ROOT / "tests" / "golden" / key / file) for key, file in GOLDEN.items()}
        imported_games = {
            key: wait(import_game(store, game, record, None, 5.0)) for key, record in self.records.items()
        }
        wait(store.close())
        self.paths = {key: f"/table/{table_id}" for key, table_id in imported_games.items()}
