"""The golden games of Era of Inventions show every number of players, every switch, and what scores."""

from __future__ import annotations

from pathlib import Path

import pytest

from spieltisch.core.record import Record

FOLDER = Path(__file__).parents[2] / "golden" / "era-of-inventions"
GAMES = {file.stem: Record.read(file) for file in sorted(FOLDER.glob("*.txt"))}


@pytest.mark.rule("E1")
@pytest.mark.rule("R1")
@pytest.mark.rule("R2")
@pytest.mark.rule("R7")
@pytest.mark.rule("R8")
@pytest.mark.rule("R10")
@pytest.mark.rule("R12")
@pytest.mark.rule("R24")
@pytest.mark.rule("R26")
def test_every_number_of_players_and_every_switch() -> None:
    assert {record.seats for record in GAMES.values()} == {3, 4, 5}
    assert {(name, value) for record in GAMES.values() for name, value in record.setup().options.items()} == {
        ("bonus_disc_wait", "turn"),
        ("bonus_disc_wait", "round"),
        ("track_symbols", "own action"),
        ("track_symbols", "any gain"),
        ("capacity", "all"),
        ("capacity", "cubes"),
        ("limits", "each action"),
        ("limits", "each turn"),
        ("last_exchange", "no symbols"),
        ("last_exchange", "symbols"),
        ("bonus_disc_after", "disc"),
        ("bonus_disc_after", "action carried out"),
        ("turn_over", "when needed"),
        ("turn_over", "when the last is drawn"),
        ("supply", "unlimited"),
        ("supply", "box"),
    }
    assert any(record.secret is not None for record in GAMES.values())


@pytest.mark.parametrize("name", ["3-easy", "4-bonus-discs-wait", "5-cubes-only"])
def test_a_game_from_before_a_switch_is_played_as_it_was_then(name: str) -> None:
    """Records name the options that there were; those that came later mean what was played before."""
    record = GAMES[name]
    assert set(record.options) == {"bonus_disc_wait", "capacity", "track_symbols"}
    later = {option: value for option, value in record.setup().options.items() if option not in record.options}
    assert later == {
        "limits": "each action",
        "last_exchange": "no symbols",
        "bonus_disc_after": "disc",
        "turn_over": "when needed",
        "supply": "unlimited",
    }
    assert record.verify().digest() == record.digest


@pytest.mark.rule("E54")
def test_they_are_played_to_the_end_with_everything_the_game_has() -> None:
    words = {play.move.split()[0] for record in GAMES.values() for play in record.moves}
    assert words == {"place", "use", "take", "build", "run", "buy", "produce", "exchange", "develop", "patent", "done",
                     "keep"}  # fmt: skip
    assert any("counterfeit" in play.move for record in GAMES.values() for play in record.moves)
    for record in GAMES.values():
        assert record.result is not None
        assert record.result["ended_by"] == "E54"


@pytest.mark.rule("E56")
@pytest.mark.rule("E58")
def test_the_scores_reckoned_again() -> None:
    for record in GAMES.values():
        position = record.replay()
        state, board = position.document()["state"], position.setup.board
        worth = {invention.id: {"gold": invention.gold, "silver": invention.silver} for invention in board.inventions}
        for p, player in enumerate(state["players"]):
            fields = [
                (name, kind)
                for name, fields_of_invention in state["inventions"].items()
                for kind, field in fields_of_invention.items()
                if field["holder"] == p + 1
            ]
            earned = player["earned"]
            assert position.scores[p] == player["influence"] == sum(earned.values())
            assert earned["inventing"] == sum(worth[name][kind].influence for name, kind in fields)
            steps = board.contents.patent_steps[: player["steps"]]
            assert earned["patents"] == sum(step.influence for step in steps)
            built = [works.influence for works in board.works if works.id in player["factories"]]
            assert earned["factories"] == sum(built)
        for bonus in ("most patents", "most invested", "most capacity"):
            given = sorted((player["earned"][bonus] for player in state["players"]), reverse=True)
            assert [n for n in given if n] in ([], [5], [3] * 2, [2] * 3, [1] * 4, [1] * 5)
