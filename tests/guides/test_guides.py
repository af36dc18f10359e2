"""Check that guided first rounds fit the rules, and that the check finds guides that do not."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import spieltisch
from spieltisch.core.game import Game
from spieltisch.games import GAMES
from spieltisch.guides import Guide, GuideError, Lesson, OffScript, guide_of, play_lesson, read
from spieltisch.guides.check import GUIDE_STEPS, find_problems, guide_problems
from spieltisch.testing import ContractBroken, check_game
from tests.guides.guide_paths import end_of_step, lessons


@pytest.mark.parametrize("key", GAMES)
def test_every_path_through_every_guided_lesson_is_legal(key: str) -> None:
    game = spieltisch.game(key)
    assert guide_of(game) is not None
    assert list(find_problems(game)) == []


def test_a_guided_first_round_ends_where_its_last_text_says() -> None:
    paris = end_of_step(spieltisch.game("paris-connection")).position
    assert paris.number > 12
    assert paris.observe(0).scores[0] == 24
    inventors = end_of_step(spieltisch.game("legendary-inventors"))
    first_player = inventors.position.document()["state"]["players"][0]
    assert not any(inventor["exhausted"] for inventor in first_player["inventors"].values())
    assert first_player["inventors"]["hypatia"]["knowledge"][3] == 3
    assert first_player["tokens"] == {"number": 1}
    era = end_of_step(spieltisch.game("era-of-inventions")).position.document()["state"]
    assert era["round"] == 2
    assert era["start_player"] == 2
    assert "steam-locomotive-b" in era["row"]
    assert era["players"][0]["influence"] == 6
    assert era["players"][0]["goods"]["tool"] == 1


def test_the_free_choice_at_the_end_of_a_guided_first_round_is_compared_with_the_best() -> None:
    *_, asked, _ = lessons(paris := spieltisch.game("paris-connection"))
    guide = guide_of(paris)
    assert guide is not None
    earlier_moves = [move.number for move in asked.moves]

    def end_after(text: str) -> Lesson:
        return play_lesson(paris, guide, asked.number, [*earlier_moves, asked.position.move(text).number])

    best = "trade purple for 2 black"
    for text, points in (("trade purple for 1 brown", 25), ("build brown Troyes E", 24), (best, 32)):
        choice = end_after(text).choice
        assert choice is not None, text
        assert (choice.points_before, choice.points_after, choice.best.text, choice.most_points) == (
            24,
            points,
            best,
            32,
        )
        assert choice.is_best == (text == best)
    assert asked.choice is None
    for key in ("legendary-inventors", "era-of-inventions"):
        assert end_of_step(spieltisch.game(key)).choice is None, "the last move is prescribed"


def test_figures_in_the_texts_of_guides_match_the_components() -> None:
    paris = spieltisch.game("paris-connection").components.contents
    assert [city_class.value for city_class in paris.city_classes] == [1, 2, 3, 4]
    classes = {city.id: city.city_class for city in paris.cities}
    assert (classes["amiens"], classes["lille"], classes["marseille"]) == ("beige", "purple", "blue")
    assert (paris.turn.most_locomotives, paris.turn.most_taken, paris.turn.penalty) == (5, 2, 20)
    assert [(player.portfolio, player.limit) for player in paris.players if player.players == 4] == [(8, 15)]
    inventors = spieltisch.game("legendary-inventors").components.contents
    start_knowledge = {inventor.id: inventor.start for inventor in inventors.inventors}
    assert (start_knowledge["hypatia"][3], start_knowledge["hippocrates"][1], start_knowledge["archimedes"][0]) == (
        2,
        2,
        1,
    )
    assert {invention.id: invention.spaces for invention in inventors.inventions}["cave-painting"] == (0, 2, 1, 2)
    era = spieltisch.game("era-of-inventions").components.contents
    coal_mine = next(factory for factory in era.factories if factory.id == "coal-mine-1")
    assert (coal_mine.cost.wood, coal_mine.cost.coal, coal_mine.output.coal) == (1, 0, 2)
    locomotive = next(invention for invention in era.inventions if invention.id == "steam-locomotive").gold
    assert (locomotive.stones, locomotive.influence) == (4, 6)
    for card in era.start_cards:
        if card.id in ("oil-lamp", "spectacles", "fountain-pen"):
            assert (card.cost.coal, card.cost.metal + card.cost.technology + card.cost.tool) == (1, 1)
            assert (card.gain.stone, card.gain.coin, card.gain.influence) == (1, 0, 0)


@pytest.mark.parametrize("key", GAMES)
def test_the_progress_in_a_lesson_is_restored_from_its_step_and_moves(key: str) -> None:
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


def test_scripted_moves_of_a_lesson_that_were_not_shown_before_are_marked_as_new() -> None:
    game = spieltisch.game("paris-connection")
    end = end_of_step(game, 3)
    assert end.scripted_moves[end.fresh].move.text == "done"
    assert len(end.scripted_moves) - end.fresh == 6
    next_step = play_lesson(game, end.script, 4, [move.number for move in end.moves])
    assert next_step.fresh == len(next_step.scripted_moves)


@pytest.fixture
def toy_with(toy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Game]:
    """Return the toy game with one text of its guide replaced."""
    game = spieltisch.game(toy)
    home = game.folder
    folder = tmp_path / "toy"
    shutil.copytree(home, folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(type(game), "folder", folder)

    def make_changed_toy(old: str, new: str) -> Game:
        file = folder / "guide" / "guide.toml"
        text = file.read_text("utf-8")
        assert old in text
        file.write_text(text.replace(old, new, 1), encoding="utf-8")
        return game

    return make_changed_toy


def test_a_guide_file_in_the_folder_of_a_game_adds_a_guide(toy: str) -> None:
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
        (', nl = "Lantaarns voor beginners."', "", "promise.nl: empty"),
        ("seat = 2", "seat = 5", "seat 5 is none of 2"),
        ("seed = 1", "seed = 1\noptions = { wind = true }", "wind: toy has no such option"),
        ("seed = 1", "seed =", "Invalid value"),
        ('accept = ["take 3"]', "accept = []", "ask for something that is accepted"),
        ("praise = ", "farewell = ", "unknown field `farewell`"),
        ('id = "look"\n', "", "each step must have an id, a title and praise"),
    ],
)
def test_the_check_finds_a_guide_that_contradicts_its_game(
    toy_with: Callable[[str, str], Game], old: str, new: str, fault: str
) -> None:
    game = toy_with(old, new)
    if fault.startswith("K5"):
        page = game.folder / "pages" / "rules.nl.md"
        page.write_text(page.read_text("utf-8").replace("**K5**", "K5"), encoding="utf-8")
    assert any(fault in problem for problem in find_problems(game)), list(find_problems(game))


def test_the_conformance_suite_checks_guides(toy_with: Callable[[str, str], Game]) -> None:
    toy_with('accept = ["take 3"]', 'accept = ["take 4"]')
    with pytest.raises(ContractBroken, match="guided first round: take, after nothing: no legal move begins with"):
        check_game("toy", games=1, seats=[2], compiled=False, processes=False)


def test_the_check_finds_guides_with_too_few_steps_or_idle_seats(toy: str) -> None:
    game = spieltisch.game(toy)
    guide = guide_of(game)
    assert guide is not None
    short_guide = Guide(**{**_fields(guide), "steps": guide.steps[:1]})
    assert any("1 instead of 5" in problem for problem in guide_problems(game, short_guide))
    crowded = Guide(**{**_fields(guide), "players": (*guide.players, "Hertha"), "steps": guide.steps[:1]})
    assert any("have not moved" in problem for problem in guide_problems(game, crowded)), list(
        guide_problems(game, crowded)
    )


def _fields(guide: Guide) -> dict[str, Any]:
    return {name: getattr(guide, name) for name in guide.__struct_fields__}


def test_an_error_in_an_unreadable_guide_names_the_file(tmp_path: Path) -> None:
    file = tmp_path / "guide.toml"
    file.write_bytes(b"\xff")
    with pytest.raises(GuideError, match=r"guide\.toml"):
        read(file)
