"""Check that worked examples fit the rules, and that the check finds examples that do not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import spieltisch
from spieltisch.core.words import LANGUAGES
from spieltisch.games import GAMES
from spieltisch.guides import GuideError, examples, play_lesson
from spieltisch.guides.check import find_problems
from spieltisch.testing import ContractBroken, check_game


@pytest.mark.parametrize("key", GAMES)
def test_every_worked_example_is_legal_and_its_text_has_the_right_figures(key: str) -> None:
    game = spieltisch.game(key)
    assert len(examples(game)) == 2
    assert list(find_problems(game)) == []
    for example in examples(game).values():
        for number in range(1, len(example.steps) + 1):
            lesson_play = play_lesson(game, example, number)
            assert (lesson_play.fresh < len(lesson_play.scripted_moves)) == bool(lesson_play.step.moves)
            for language in LANGUAGES:
                assert not set("{}") & set(lesson_play.text.text(language))


def test_statements_in_worked_examples_match_their_positions() -> None:
    """These statements contain no figures, which another test compares."""
    paris = spieltisch.game("paris-connection")
    end = play_lesson(paris, examples(paris)["the-end"], 5).position
    assert end.is_over
    assert end.document()["state"]["ended_by"] == "P15"
    assert end.scores.index(max(end.scores)) == 2
    shares = play_lesson(paris, examples(paris)["shares"], 5).position.reveal().view
    assert [shares.value[company] for company in range(6)] == [0, 0, 0, 0, 4, 0]
    inventors = spieltisch.game("legendary-inventors")
    orders = [play_lesson(inventors, examples(inventors)["rewards"], step) for step in (2, 4, 6)]
    documents = [lesson_play.position.document()["state"] for lesson_play in orders]
    assert [(state["leonardo"], state["rewards"]["order"]) for state in documents] == [
        (4, [1, 2, 4]),
        (2, [3, 1, 2]),
        (3, [1, 3, 2]),
    ]
    runs_in_lesson = play_lesson(inventors, examples(inventors)["runs"], 5).position.document()["state"]
    assert {"pendulum-clock", "printing-press"} <= {
        invention["invention"] for invention in runs_in_lesson["inventions"]
    }
    assert runs_in_lesson["players"][1]["patents"] == ["canoe", "cave-painting", "crossbow"]
    assert runs_in_lesson["players"][1]["tokens"] == {"number": 1}
    era = spieltisch.game("era-of-inventions")
    example_position = play_lesson(era, examples(era)["market"], 5).position
    assert example_position.document()["state"]["players"][0]["goods"]["stone"] == 3
    assert any(move.text.startswith("exchange") for move in example_position.legal_moves)  # by a bonus disc
    paid = play_lesson(era, examples(era)["patents"], 5).position
    assert "cash-register-b" in paid.document()["state"]["row"]
    field = paid.document()["state"]["inventions"]["cash-register"]
    assert field == {"gold": {"holder": 1, "patented": True}, "silver": {"holder": 2, "patented": False}}


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('moves = ["build purple Marseille"]', 'moves = ["build purple Lille"]', "is not allowed (P5)"),
        ('moves = ["build purple Marseille"]', 'moves = ["dance"]', "is no move of paris-connection"),
        ('rules = ["P11", "P15", "T3"]', 'rules = ["P99"]', "has no rule P99"),
        ("Marseille adds {port}", "Marseille adds 4", "a figure is typed"),
        ("Marseille bringt {port}", "Marseille bringt viel", "names other figures than port, value"),
        ("contents.city_classes.blue.value", "contents.city_classes.green.value", "figures of"),
        ("contents.city_classes.blue.value", "contents.city_classes.blue.name", "figures of"),
        ("contents.city_classes.blue.value", "view.players.9.held", "figures of"),
        ("Marseille ajoute {port}", "Marseille ajoute {harbour}", "names other figures than port, value"),
        ('game = "paris-connection"', 'game = "chess"', "'chess' is not 'paris-connection'"),
        ("seat = 3", "seat = 9", "seat 9 is none of 4"),
        ("[promise]", 'hint = "x"\n[promise]', "unknown field `hint`"),
        (
            'moves = ["build purple Marseille"]',
            'after = ["build purple Marseille"]',
            "a worked example asks for nothing",
        ),
    ],
)
def test_the_check_finds_a_worked_example_that_contradicts_its_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, fault: str
) -> None:
    game = spieltisch.game("paris-connection")
    assert game.components.text, "they are read before the folder of the game is another"
    home, folder = game.folder, tmp_path / "paris"
    for part in ("examples", "pages"):
        shutil.copytree(home / part, folder / part)
    monkeypatch.setattr(type(game), "folder", folder)
    file = folder / "examples" / "the-end.toml"
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    problems = list(find_problems(game))
    assert any(fault in problem for problem in problems), problems


def test_the_conformance_suite_checks_worked_examples(
    toy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = spieltisch.game(toy)
    folder = tmp_path / "toy"
    shutil.copytree(game.folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(type(game), "folder", folder)
    (folder / "examples").mkdir()
    (folder / "examples" / "odd.toml").write_text("seed =", encoding="utf-8")
    with pytest.raises(GuideError, match=r"odd\.toml"):
        examples(game)
    with pytest.raises(ContractBroken, match=r"odd\.toml"):
        check_game(toy, games=1, seats=[2], compiled=False, processes=False)
