"""The golden games of Paris Connection show every way to end and every number of players."""

from __future__ import annotations

from pathlib import Path

import pytest

from spieltisch.core.record import Record

FOLDER = Path(__file__).parents[2] / "golden" / "paris-connection"
GAMES = {file.stem: Record.read(file) for file in sorted(FOLDER.glob("*.txt"))}


@pytest.mark.rule("P1")
def test_every_number_of_players_and_all_readings_of_the_options() -> None:
    assert {record.seats for record in GAMES.values()} == {3, 4, 5, 6}
    assert {(name, value) for record in GAMES.values() for name, value in record.options.items()} == {
        ("cut_off", "strict"),
        ("cut_off", "weak"),
        ("memory_aid", True),
        ("memory_aid", False),
        ("stations", "closed"),
        ("stations", "open"),
        ("standstill", "ends"),
        ("standstill", "goes on"),
    }
    assert any(record.secret is not None for record in GAMES.values())


@pytest.mark.rule("P14")
@pytest.mark.rule("P15")
@pytest.mark.rule("T6")
def test_every_way_to_end_and_how_it_came() -> None:
    endings = set()
    for record in GAMES.values():
        *earlier, last = record.positions()
        assert all(position is last for position in earlier)  # the same object, moving on
        assert last.outcome is not None
        ending = last.outcome.ended_by
        endings.add(ending)
        move = last.move(record.moves[-1].move)
        left = sum(n > 0 for n in last.document()["state"]["depots"].values())
        if ending == "P15":
            assert move.text.endswith(" Marseille")
        elif ending == "P14":
            assert left == 1
        else:
            assert [last.move(play.move).text.split()[3] for play in record.moves[-3 * record.seats :]] == ["1"] * (
                3 * record.seats
            )
        assert move.kind != "done"
        assert left > 1 or ending == "P14"
        assert ending != "T6" or move.kind == "trade"
    assert endings == {"P14", "P15", "T6"}


@pytest.mark.rule("T6")
def test_a_game_that_goes_on_begins_like_the_one_that_ended() -> None:
    ended, goes_on = GAMES["5-stall"], GAMES["5-stall-goes-on"]
    assert goes_on.seed == ended.seed
    assert goes_on.moves[: len(ended.moves) - 1] == ended.moves[:-1]
    assert len(goes_on.moves) > len(ended.moves)


@pytest.mark.rule("P16")
@pytest.mark.rule("P17")
@pytest.mark.rule("T11")
def test_the_scores_reckoned_again() -> None:
    limits = {3: 20, 4: 15, 5: 12, 6: 10}
    worth = {"beige": 1, "purple": 2, "red": 3, "blue": 4, "": 0}
    below = False
    for record in GAMES.values():
        position = record.replay()
        state = position.document()["state"]
        hexes = position.setup.board.named
        value = {k: sum(worth[hexes[name].city_class] for name in named) for k, named in state["map"].items()}
        for player, score in zip(state["players"], position.scores, strict=True):
            held = sum(player["portfolio"].values())
            points = sum(n * value[k] for k, n in player["portfolio"].items())
            assert score == points - 20 * max(0, held - limits[record.seats])
            below = below or score < 0
    assert below


@pytest.mark.rule("P18")
def test_a_tie_is_shared() -> None:
    result = GAMES["3-tie"].result
    assert result is not None
    assert result["winners"] == [p for p, score in enumerate(result["scores"], 1) if score == max(result["scores"])]
    assert len(result["winners"]) > 1
