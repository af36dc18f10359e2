"""Texts about moves: reasons why there is none, the prompt, and the cost of turning over a token."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from spieltisch.core.game import Game
from spieltisch.core.position import Position
from spieltisch.core.words import Message, Words
from spieltisch.web.pages import move_tree
from tests.games.legendary_inventors.positions import position_with, texts

TEAM = ("hypatia", "archimedes", "aristotle", "hippocrates")
FULL: Mapping[str, Any] = {
    "bow": {2: (1, 0, 2, 2)},
    "canoe": {2: (2, 0, 1, 2)},
    "sundial": {2: (2, 0, 0, 3)},
    "fire": {1: (3, 1, 0, 1)},
}
"""With these cubes on them and `PAPYRUS` there is no room for Antiquity but in chemistry."""
PAPYRUS = {1: (0, 2, 2, 0)}
LANGUAGES = ("en", "de", "fr", "nl")


def refusals_at(position: Position, words: str, place: str = "") -> list[tuple[str, str]]:
    """Return the rules and sentences that a page shows after a click on disabled words."""
    refusals = move_tree.reasons(position, words.split(), place, position.seat)
    return [(refusal.rule, Words("en").say(refusal.message)) for refusal in refusals]


def in_all(game: Game, text: Message) -> list[str]:
    """The sentence in all languages."""
    return [Words(language, game.folder / "locale").say(text) for language in LANGUAGES]


# --- Why there is no move. ---


@pytest.mark.rule("L22")
def test_without_a_stroke_of_genius(game: Game) -> None:
    position = position_with(game)
    assert refusals_at(position, "send genius") == [("L22", "You have no stroke of genius.")]
    assert refusals_at(position, "send genius with James Watt") == [("L22", "You have no stroke of genius.")]
    position = position_with(game, exhausted=TEAM, tokens={1: {"points-1": 1}})
    assert refusals_at(position, "send genius") == [("L22", "You have no stroke of genius.")]


@pytest.mark.rule("L20")
def test_without_a_token_to_turn_over(game: Game) -> None:
    position = position_with(game, tokens={2: {"points-1": 1}})
    assert refusals_at(position, "turn") == [("L20", "You have no token to turn over.")]
    assert refusals_at(position, "turn genius") == [("L20", "You have no token to turn over.")]
    position = position_with(game, tokens={1: {"points-1": 1}})
    assert refusals_at(position, "turn") == []
    assert refusals_at(position, "turn genius") == [("L20", "You don’t have this token (stroke of genius).")]


@pytest.mark.rule("L19")
def test_without_an_upgrade_token(game: Game) -> None:
    position = position_with(game, tokens={1: {"genius": 1}, 2: {"upgrade-2": 1}})
    assert refusals_at(position, "upgrade") == [("L19", "You have no upgrade token.")]
    position = position_with(game, tokens={1: {"upgrade-4": 1}})
    assert refusals_at(position, "upgrade") == [
        ("L19", "None of your upgrade tokens is exactly 1 higher than a value of your inventors.")
    ]
    assert refusals_at(position_with(game, tokens={1: {"upgrade-2": 1}}), "upgrade") == []


@pytest.mark.rule("L6")
def test_all_inventors_are_exhausted(game: Game) -> None:
    position = position_with(game, exhausted=TEAM, tokens={1: {"genius": 1}})
    for words in ("send", "send fewer", "send genius", "send Hypatia"):
        assert refusals_at(position, words) == [("L6", "All your inventors are exhausted; ready them first.")]


@pytest.mark.rule("S6")
def test_no_cube_is_left(game: Game) -> None:
    cubes = {"bow": {1: (1, 0, 2, 1)}, "canoe": {1: (2, 0, 1, 1)}, "papyrus": {1: (0, 3, 1, 0)}}
    position = position_with(game, cubes={**cubes, "sundial": {1: (2, 0, 0, 1)}}, tokens={1: {"refresh": 1}})
    assert refusals_at(position, "send") == [("S6", "You have no cubes left, so no inventor can work.")]
    assert refusals_at(position, "send genius") == [("S6", "You have no cubes left, so no inventor can work.")]


@pytest.mark.rule("L7")
def test_no_active_inventor_can_place_a_cube(game: Game) -> None:
    cubes = {**FULL, "papyrus": PAPYRUS}
    position = position_with(game, cubes=cubes, exhausted=["hippocrates"], tokens={1: {"genius": 1}})
    assert refusals_at(position, "send") == [("L7", "None of your active inventors can place a cube.")]
    assert refusals_at(position, "send fewer") == [("S9", "None of your active inventors has room for two cubes.")]
    assert refusals_at(position, "send genius") == []
    full = {**FULL, "fire": {1: (2, 1, 0, 1)}, "papyrus": PAPYRUS}  # one space of physics, and Archimedes knows 1
    position = position_with(game, cubes=full, exhausted=TEAM[2:])
    assert refusals_at(position, "send") == []


@pytest.mark.rule("L7")
def test_one_inventor_or_one_invention_that_cannot_be_worked_on(game: Game) -> None:
    cubes = {"bow": {2: (1, 0, 2, 1)}, "papyrus": {2: (0, 3, 0, 0)}, "fire": {2: (0, 1, 0, 0)}}
    position = position_with(game, cubes=cubes, exhausted=["hypatia", "aristotle"])
    assert refusals_at(position, "send Hippocrates") == [("L7", "Hippocrates can’t place a cube on any invention.")]
    assert refusals_at(position, "send fewer with Hippocrates") == [
        ("S9", "Hippocrates can’t place two cubes on any invention.")
    ]
    assert refusals_at(position, "send Hypatia") == [("L6", "Hypatia is exhausted.")]
    nobody = ("L7", "Bow: none of your active inventors can place a cube there.")
    assert refusals_at(position, "send Archimedes to Bow") == [nobody]
    assert refusals_at(position, "send James Watt to Bow") == [nobody]
    assert refusals_at(position, "send James Watt to Canoe") == [("L6", "James Watt is not in your team.")]
    assert refusals_at(position, "send Archimedes to Wheel") == [("L6", "Wheel is not face up.")]
    assert refusals_at(position, "send", "invention-bow")[0] == nobody
    position = position_with(game, exhausted=["hypatia"])  # Bow has room for Archimedes
    assert refusals_at(position, "send Hippocrates to Bow") == [
        ("L7", "Bow: no free space fits Hippocrates’s knowledge.")
    ]


@pytest.mark.rule("S2")
def test_passing_goes_without_tokens(game: Game) -> None:
    text = "You may pass only if none of your inventors is exhausted and none can place a cube without tokens."
    assert refusals_at(position_with(game), "pass") == [("S2", text)]


# --- What is asked. ---


@pytest.mark.rule("S2", "S14")
@pytest.mark.parametrize(
    ("pieces", "first"),
    [
        ({}, "Your turn: send an inventor to work."),
        ({"exhausted": ["hypatia"]}, "Your turn: send an inventor to work, or ready all inventors."),
        (
            {"exhausted": TEAM, "tokens": {1: {"refresh": 1}}},
            "Your turn: ready all inventors or use a token.",
        ),
        (
            {
                "cubes": {**FULL, "papyrus": {1: (0, 3, 2, 0)}},
                "tokens": {1: {"points-1": 1}},
            },
            "Your turn: use a token or pass. Without a token no inventor can place a cube.",
        ),
    ],
    ids=["send", "send or make ready", "make ready", "pass"],
)
def test_a_turn_asks_for_what_is_legal(game: Game, pieces: dict[str, Any], first: str) -> None:
    position = position_with(game, **pieces)
    prompt = game.prompt(position.observe(0))
    prompts = in_all(game, prompt)
    assert re.fullmatch(rf"{re.escape(first)} \d+ cubes left\.", prompts[0])
    assert len(set(prompts)) == len(LANGUAGES)
    moves = [move for move in texts(position) if not move.startswith(("turn ", "upgrade ", "refresh", "send genius"))]
    assert ("send" in first) == any(move.startswith("send ") for move in moves)
    assert ("ready" in first) == ("ready" in moves)
    assert ("pass" in first) == ("pass" in moves)
    assert ("token" not in first) or texts(position, "turn ") != []


# --- Sentences that do not inflect the name. ---


@pytest.mark.rule("L10")
def test_names_of_inventions_are_not_inflected(game: Game) -> None:
    position = position_with(game)
    refusal = position.why_not("send Hypatia to Smoke signals")
    assert refusal is not None
    assert in_all(game, refusal.message) == [
        "Smoke signals is not face up.",
        "Rauchzeichen liegt nicht offen aus.",
        "Signaux de fumée n’est pas face visible.",
        "Rooksignalen ligt niet open.",
    ]


# --- What a token costs that is turned over. ---


@pytest.mark.rule("S4")
def test_turning_over_what_counts_says_what_becomes_of_the_points(game: Game) -> None:
    hand = {"points-3": 1, "number": 1, "refresh": 1}
    position = position_with(game, tokens={1: hand}, patents={1: ["axe"]})
    noted = 0
    for move in texts(position, "turn "):
        after = position_with(game, tokens={1: hand}, patents={1: ["axe"]})
        before = after.scores[0]
        note = position.hint(move)
        assert note is not None
        after.play(move)
        if after.scores[0] < before:
            assert (
                Words("en").say(note) == f"You lose the token’s front side. Your points {before} → {after.scores[0]}."
            )
            assert len(set(in_all(game, note))) == len(LANGUAGES)
            assert all(re.search(rf"{before} → {after.scores[0]}\.$", sentence) for sentence in in_all(game, note))
            noted += 1
        else:
            assert Words("en").say(note) == "One value of 0 becomes 1."
            assert " refresh " in move
    assert noted == 2 * len(texts(position, "turn refresh "))


@pytest.mark.rule("S4")
def test_a_number_that_is_in_no_run_costs_nothing_yet(game: Game) -> None:
    position = position_with(game, tokens={1: {"number": 1}})
    for move in texts(position, "turn number "):
        note = position.hint(move)
        assert note is not None
        assert Words("en").say(note) == "One value of 0 becomes 1."


@pytest.mark.parametrize(
    ("move", "note"),
    [
        ("take patent", "Your points 1 → 3. Number 1 for your runs."),
        ("take upgrade-3", "One value rises from 2 to 3."),
        ("take points-1", "Your points 1 → 2."),
        ("take genius", "Once, up to 2 additional cubes."),
        ("take number", "Stands for any number in a run."),
        ("take refresh", "All your inventors become active."),
    ],
)
def test_every_reward_says_what_it_is_good_for(game: Game, move: str, note: str) -> None:
    """The text of a patent names its number in a run: 0 for the axe, 1 for the canoe."""
    for tokens in (("upgrade-3", "points-1"), ("genius", "number"), ("refresh", "points-1")):
        position = position_with(
            game,
            phase="rewards",
            patents={1: ["axe"]},
            table={"canoe": tokens, "bow": (None, None)},
            cubes={"canoe": {1: (2, 0, 1, 2)}},
            rewards={"slot": 1, "order": [1], "chosen": 0},
        )
        if move in texts(position):
            break
    told = position.hint(position.setup.move(move))
    assert told is not None
    assert Words("en").say(told) == note
    assert len(set(in_all(game, told))) == len(LANGUAGES)


def test_a_refresh_token_says_what_it_does(game: Game) -> None:
    position = position_with(game, tokens={1: {"refresh": 1}}, exhausted=["hypatia"])
    told = position.hint(position.setup.move("refresh"))
    assert told is not None
    assert Words("en").say(told) == "All your inventors become active."
