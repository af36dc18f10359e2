"""Check that the golden games of Paris Connection cover every end condition and number of players."""

from __future__ import annotations

import pytest

from spieltisch.core.record import Record
from tests.paths import ROOT

FOLDER = ROOT / "tests" / "golden" / "paris-connection"
GAMES = {file.stem: Record.read(file) for file in sorted(FOLDER.glob("*.txt"))}


@pytest.mark.rule("P1")
def test_the_golden_games_cover_all_player_counts_and_options() -> None:
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
def test_the_golden_games_cover_every_end_condition() -> None:
    endings = set()
    for record in GAMES.values():
        *earlier, last_position = record.positions()
        assert all(position is last_position for position in earlier)  # the same object, moving on
        assert last_position.outcome is not None
        ending = last_position.outcome.ended_by
        endings.add(ending)
        move = last_position.move(record.moves[-1].move)
        nonempty_depots = sum(n > 0 for n in last_position.document()["state"]["depots"].values())
        if ending == "P15":
            assert move.text.endswith(" Marseille")
        elif ending == "P14":
            assert nonempty_depots == 1
        else:
            assert [last_position.move(play.move).text.split()[3] for play in record.moves[-3 * record.seats :]] == [
                "1"
            ] * (3 * record.seats)
        assert move.kind != "done"
        assert nonempty_depots > 1 or ending == "P14"
        assert ending != "T6" or move.kind == "trade"
    assert endings == {"P14", "P15", "T6"}


@pytest.mark.rule("T6")
def test_a_game_without_a_trade_limit_continues_where_the_limit_ends_the_same_game() -> None:
    stalled_record, continued_record = GAMES["5-stall"], GAMES["5-stall-goes-on"]
    assert continued_record.seed == stalled_record.seed
    assert continued_record.moves[: len(stalled_record.moves) - 1] == stalled_record.moves[:-1]
    assert len(continued_record.moves) > len(stalled_record.moves)


@pytest.mark.rule("P16")
@pytest.mark.rule("P17")
@pytest.mark.rule("T11")
def test_the_final_scores_match_an_independent_count() -> None:
    limits = {3: 20, 4: 15, 5: 12, 6: 10}
    worth = {"beige": 1, "purple": 2, "red": 3, "blue": 4, "": 0}
    is_below = False
    for record in GAMES.values():
        position = record.replay()
        state = position.document()["state"]
        hexes = position.setup.board.named
        value = {
            k: sum(worth[hexes[name].city_class] for name in place_names) for k, place_names in state["map"].items()
        }
        for player, score in zip(state["players"], position.scores, strict=True):
            held_count = sum(player["portfolio"].values())
            points = sum(n * value[k] for k, n in player["portfolio"].items())
            assert score == points - 20 * max(0, held_count - limits[record.seats])
            is_below = is_below or score < 0
    assert is_below


@pytest.mark.rule("P18")
def test_a_tie_is_a_shared_win() -> None:
    result = GAMES["3-tie"].result
    assert result is not None
    assert result["winners"] == [p for p, score in enumerate(result["scores"], 1) if score == max(result["scores"])]
    assert len(result["winners"]) > 1
