"""The guided first rounds fit the rules: every way through them can be played, every rule they name is there; and a
guide that does not fit is noticed.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import spieltisch
from spieltisch.core.game import Game
from spieltisch.games import GAMES
from spieltisch.guides import Guide, GuideError, OffScript, guide_of, play_lesson, read
from spieltisch.guides.check import GUIDE_STEPS, find_problems, guide_problems
from spieltisch.testing import ContractBroken, check_game
from tests.guide_paths import end_of_step


@pytest.mark.parametrize("key", GAMES)
def test_every_way_through_every_guide_can_be_played(key: str) -> None:
    game = spieltisch.game(key)
    assert guide_of(game) is not None
    assert list(find_problems(game)) == []


def test_at_the_end_of_the_first_round_the_round_is_over() -> None:
    """The last words of a guide say that the round is over, and it is."""
    paris = end_of_step(spieltisch.game("paris-connection")).position
    assert paris.number > 12
    assert paris.observe(0).scores[0] == 24
    inventors = end_of_step(spieltisch.game("legendary-inventors"))
    mine = inventors.position.document()["state"]["players"][0]
    assert not any(inventor["exhausted"] for inventor in mine["inventors"].values())
    assert mine["inventors"]["hypatia"]["knowledge"][3] == 3
    assert mine["tokens"] == {"number": 1}
    era = end_of_step(spieltisch.game("era-of-inventions")).position.document()["state"]
    assert era["round"] == 2
    assert era["start_player"] == 2
    assert "steam-locomotive-b" in era["row"]
    assert era["players"][0]["influence"] == 6
    assert era["players"][0]["goods"]["tool"] == 1


def test_the_numbers_in_the_texts_are_those_of_the_components() -> None:
    """The figures in the texts of the steps; moves and rules are checked by playing."""
    paris = spieltisch.game("paris-connection").components.contents
    assert [city_class.value for city_class in paris.city_classes] == [1, 2, 3, 4]
    classes = {city.id: city.city_class for city in paris.cities}
    assert (classes["amiens"], classes["lille"], classes["marseille"]) == ("beige", "purple", "blue")
    assert (paris.turn.most_locomotives, paris.turn.most_taken, paris.turn.penalty) == (5, 2, 20)
    assert [(player.portfolio, player.limit) for player in paris.players if player.players == 4] == [(8, 15)]
    inventors = spieltisch.game("legendary-inventors").components.contents
    known = {inventor.id: inventor.start for inventor in inventors.inventors}
    assert (known["hypatia"][3], known["hippocrates"][1], known["archimedes"][0]) == (2, 2, 1)
    assert {invention.id: invention.spaces for invention in inventors.inventions}["cave-painting"] == (0, 2, 1, 2)
    era = spieltisch.game("era-of-inventions").components.contents
    mine = next(factory for factory in era.factories if factory.id == "coal-mine-1")
    assert (mine.cost.wood, mine.cost.coal, mine.output.coal) == (1, 0, 2)
    locomotive = next(invention for invention in era.inventions if invention.id == "steam-locomotive").gold
    assert (locomotive.stones, locomotive.influence) == (4, 6)
    for card in era.start_cards:
        if card.id in ("oil-lamp", "spectacles", "fountain-pen"):
            assert (card.cost.coal, card.cost.metal + card.cost.technology + card.cost.tool) == (1, 1)
            assert (card.gain.stone, card.gain.coin, card.gain.influence) == (1, 0, 0)


@pytest.mark.parametrize("key", GAMES)
def test_where_a_learner_stands_is_a_step_and_moves(key: str) -> None:
    game = spieltisch.game(key)
    guide = guide_of(game)
    assert guide is not None
    beginning = play_lesson(game, guide, 1, [])
    assert not beginning.is_complete
    end = end_of_step(game)
    assert end.is_complete
    assert len(end.moves) == guide.moves_before(GUIDE_STEPS) + len(guide.steps[-1].asks)
    astray: list[tuple[int, Sequence[str | int]]] = [
        (0, []),
        (6, []),
        (1, [1] * 9),
        (2, []),
        (1, [10**8]),
        (1, ["nonsense"]),
    ]
    for number, moves in astray:
        with pytest.raises(OffScript):
            play_lesson(game, guide, number, moves)
    legal = [move for move in beginning.position.legal_moves if move not in beginning.accepted]
    with pytest.raises(OffScript):
        play_lesson(game, guide, 1, [legal[0].number])


def test_what_is_new_on_a_page_is_told_apart() -> None:
    game = spieltisch.game("paris-connection")
    end = end_of_step(game, 3)
    assert end.scripted_moves[end.fresh].move.text == "done"
    assert len(end.scripted_moves) - end.fresh == 6
    next_step = play_lesson(game, end.script, 4, [move.number for move in end.moves])
    assert next_step.fresh == len(next_step.scripted_moves)


@pytest.fixture
def toy_with(toy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Game]:
    """The toy game with its guide, in which a text is replaced by another."""
    game = spieltisch.game(toy)
    home = game.folder
    folder = tmp_path / "toy"
    shutil.copytree(home, folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(type(game), "folder", folder)

    def changed(old: str, new: str) -> Game:
        file = folder / "guide" / "guide.toml"
        text = file.read_text("utf-8")
        assert old in text
        file.write_text(text.replace(old, new, 1), encoding="utf-8")
        return game

    return changed


def test_a_toy_gets_one_by_adding_the_file(toy: str) -> None:
    game = spieltisch.game(toy)
    assert guide_of(game) is not None
    assert list(find_problems(game)) == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('accept = ["take 3"]', 'accept = ["take 4"]', "no legal move begins with 'take 4'"),
        ('accept = ["take 1", "take 2"]', 'accept = ["take 1", "take 9"]', "no legal move begins with 'take 9'"),
        ('accept = ["take 1", "take 2"]', 'accept = ["take"]', "is not allowed (over)"),
        ('moves = ["take 3"]', 'moves = ["dance"]', "'dance' is no move of toy"),
        ('moves = ["take 3"]', 'moves = ["look 2"]', "it is not the learner who decides"),
        ('moves = ["take 3"]', 'moves = ["look 2", "look 2"]', "is not allowed (K4)"),
        ('rules = ["K4"]', 'rules = ["K9"]', "toy has no rule K9"),
        ('rules = ["K4"]', 'rules = ["K4", "K5"]', "K5 is not on the rules page in nl"),
        ('rules = ["K4"]', "rules = []", "names no rule"),
        ('game = "toy"', 'game = "toys"', "'toys' is not 'toy'"),
        ('id = "look"', 'id = "take"', "an id is there twice"),
        ("Nimm drei Steine.", "Take three stones.", "not translated"),
        ("Nimm drei Steine.", "", "empty"),
        ("Nimm drei Steine.", "Nimm drei Steine. " * 30, "letters, at most"),
        ('id = "look"\n', 'id = "look"\nhint = "x"\n', "unknown field `hint`"),
        (', nl = "Lantaarns voor beginners."', "", "missing required field `nl`"),
        ("seat = 2", "seat = 5", "seat 5 is none of 2"),
        ("seed = 1", "seed = 1\noptions = { wind = true }", "wind: toy has no such option"),
        ("seed = 1", "seed =", "Invalid value"),
        ('accept = ["take 3"]', "accept = []", "ask for something that is accepted"),
        ("praise = ", "farewell = ", "unknown field `farewell`"),
        ('id = "look"\n', "", "each step must have an id, a title and praise"),
    ],
)
def test_a_guide_that_does_not_fit_is_noticed(
    toy_with: Callable[[str, str], Game], old: str, new: str, fault: str
) -> None:
    game = toy_with(old, new)
    if fault.startswith("K5"):
        page = game.folder / "pages" / "rules.nl.md"
        page.write_text(page.read_text("utf-8").replace("**K5**", "K5"), encoding="utf-8")
    assert any(fault in problem for problem in find_problems(game)), list(find_problems(game))


def test_the_conformance_suite_walks_guides(toy_with: Callable[[str, str], Game]) -> None:
    toy_with('accept = ["take 3"]', 'accept = ["take 4"]')
    with pytest.raises(ContractBroken, match="guided first round: take, after nothing: no legal move begins with"):
        check_game("toy", games=1, seats=[2], compiled=False, processes=False)


def test_too_few_steps_and_idle_seats_are_noticed(toy: str) -> None:
    game = spieltisch.game(toy)
    guide = guide_of(game)
    assert guide is not None
    short = Guide(**{**_fields(guide), "steps": guide.steps[:1]})
    assert any("1 instead of 5" in problem for problem in guide_problems(game, short))
    crowded = Guide(**{**_fields(guide), "players": (*guide.players, "Hertha"), "steps": guide.steps[:1]})
    assert any("have not moved" in problem for problem in guide_problems(game, crowded)), list(
        guide_problems(game, crowded)
    )


def _fields(guide: Guide) -> dict[str, Any]:
    return {name: getattr(guide, name) for name in guide.__struct_fields__}


def test_a_guide_that_cannot_be_read_names_the_file(tmp_path: Path) -> None:
    file = tmp_path / "guide.toml"
    file.write_bytes(b"\xff")
    with pytest.raises(GuideError, match=r"guide\.toml"):
        read(file)
