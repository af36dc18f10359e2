"""Check texts about moves: reasons for refusals, the prompt, and the cost of turning over a token."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from spieltisch.core.game import Game
from spieltisch.core.position import Position
from spieltisch.core.words import Message, Sentence, Words
from spieltisch.games.legendary_inventors.hints import READY_OR_USE_TOKEN, SEND, SEND_OR_READY, USE_TOKEN_OR_PASS, USES
from spieltisch.games.legendary_inventors.refusals import (
    ALL_EXHAUSTED,
    DOES_NOT_FIT,
    IS_EXHAUSTED,
    NO_CUBE_LEFT,
    NO_GENIUS,
    NO_NEED_TO_PASS,
    NO_SUCH_TOKEN,
    NO_UPGRADE_FITS,
    NO_UPGRADE_TOKEN,
    NOBODY_WORKS,
    NOBODY_WORKS_ON,
    NOT_FACE_UP,
    NOT_IN_TEAM,
    NOTHING_TO_TURN_OVER,
    WORKS_ON_NOTHING,
)
from spieltisch.web.pages import move_tree
from tests.games.legendary_inventors.positions import cubes_in_supply, position_with, reason, texts, token_text
from tests.sentences import sentence_after, template_after

TEAM = ("hypatia", "archimedes", "aristotle", "hippocrates")
FULL: Mapping[str, Any] = {
    "bow": {2: (1, 0, 2, 2)},
    "canoe": {2: (2, 0, 1, 2)},
    "sundial": {2: (2, 0, 0, 3)},
    "fire": {1: (3, 1, 0, 1)},
}
"""With these cubes on them and `PAPYRUS` there is no room for Antiquity but in chemistry."""
PAPYRUS = {1: (0, 2, 2, 0)}
HINTS = "games/legendary_inventors/hints.py"
PATENT_USE = template_after(HINTS, 'if move.kind == "take patent"')
POINTS = {"before": 1, "after": 2}
LANGUAGES = ("en", "de", "fr", "nl")


def refusals_at(position: Position, words: str, place: str = "") -> list[tuple[str, str]]:
    """Return the rules and sentences that a page shows after a click on disabled words."""
    refusals = move_tree.reasons(position, words.split(), place, position.seat)
    return [(refusal.rule, Words("en").say(refusal.message)) for refusal in refusals]


def in_all(game: Game, text: Message) -> list[str]:
    """Return the sentence in all languages."""
    return [Words(language, game.folder / "locale").say(text) for language in LANGUAGES]


# --- Why there is no move. ---


@pytest.mark.rule("L22")
def test_a_stroke_of_genius_is_refused_without_its_token(game: Game) -> None:
    position = position_with(game)
    assert refusals_at(position, "send genius") == [reason(NO_GENIUS)]
    assert refusals_at(position, "send genius with James Watt") == [reason(NO_GENIUS)]
    position = position_with(game, exhausted=TEAM, tokens={1: {"points-1": 1}})
    assert refusals_at(position, "send genius") == [reason(NO_GENIUS)]


@pytest.mark.rule("L20")
def test_turning_over_a_token_is_refused_without_a_token(game: Game) -> None:
    position = position_with(game, tokens={2: {"points-1": 1}})
    assert refusals_at(position, "turn") == [reason(NOTHING_TO_TURN_OVER)]
    assert refusals_at(position, "turn genius") == [reason(NOTHING_TO_TURN_OVER)]
    position = position_with(game, tokens={1: {"points-1": 1}})
    assert refusals_at(position, "turn") == []
    assert refusals_at(position, "turn genius") == [reason(NO_SUCH_TOKEN, token=token_text("genius"))]


@pytest.mark.rule("L19")
def test_upgrading_is_refused_without_a_fitting_token(game: Game) -> None:
    position = position_with(game, tokens={1: {"genius": 1}, 2: {"upgrade-2": 1}})
    assert refusals_at(position, "upgrade") == [reason(NO_UPGRADE_TOKEN)]
    position = position_with(game, tokens={1: {"upgrade-4": 1}})
    assert refusals_at(position, "upgrade") == [reason(NO_UPGRADE_FITS)]
    assert refusals_at(position_with(game, tokens={1: {"upgrade-2": 1}}), "upgrade") == []


@pytest.mark.rule("L6")
def test_sending_is_refused_when_all_inventors_are_exhausted(game: Game) -> None:
    position = position_with(game, exhausted=TEAM, tokens={1: {"genius": 1}})
    for words in ("send", "send fewer", "send genius", "send Hypatia"):
        assert refusals_at(position, words) == [reason(ALL_EXHAUSTED)]


@pytest.mark.rule("S6")
def test_sending_is_refused_without_cubes(game: Game) -> None:
    cubes = {"bow": {1: (1, 0, 2, 1)}, "canoe": {1: (2, 0, 1, 1)}, "papyrus": {1: (0, 3, 1, 0)}}
    position = position_with(game, cubes={**cubes, "sundial": {1: (2, 0, 0, 1)}}, tokens={1: {"refresh": 1}})
    assert refusals_at(position, "send") == [reason(NO_CUBE_LEFT)]
    assert refusals_at(position, "send genius") == [reason(NO_CUBE_LEFT)]


@pytest.mark.rule("L7")
def test_sending_is_refused_when_no_active_inventor_can_place_a_cube(game: Game) -> None:
    cubes = {**FULL, "papyrus": PAPYRUS}
    position = position_with(game, cubes=cubes, exhausted=["hippocrates"], tokens={1: {"genius": 1}})
    assert refusals_at(position, "send") == [reason(NOBODY_WORKS[0])]
    assert refusals_at(position, "send fewer") == [reason(NOBODY_WORKS[1])]
    assert refusals_at(position, "send genius") == []
    full_cards = {**FULL, "fire": {1: (2, 1, 0, 1)}, "papyrus": PAPYRUS}  # one space of physics, and Archimedes knows 1
    position = position_with(game, cubes=full_cards, exhausted=TEAM[2:])
    assert refusals_at(position, "send") == []


@pytest.mark.rule("L7")
def test_a_refusal_names_the_inventor_or_invention(game: Game) -> None:
    cubes = {"bow": {2: (1, 0, 2, 1)}, "papyrus": {2: (0, 3, 0, 0)}, "fire": {2: (0, 1, 0, 0)}}
    position = position_with(game, cubes=cubes, exhausted=["hypatia", "aristotle"])
    assert refusals_at(position, "send Hippocrates") == [reason(WORKS_ON_NOTHING[0], inventor="Hippocrates")]
    assert refusals_at(position, "send fewer with Hippocrates") == [reason(WORKS_ON_NOTHING[1], inventor="Hippocrates")]
    assert refusals_at(position, "send Hypatia") == [reason(IS_EXHAUSTED, inventor="Hypatia")]
    nobody_reason = reason(NOBODY_WORKS_ON[0], invention="Bow")
    assert refusals_at(position, "send Archimedes to Bow") == [nobody_reason]
    assert refusals_at(position, "send James Watt to Bow") == [nobody_reason]
    assert refusals_at(position, "send James Watt to Canoe") == [reason(NOT_IN_TEAM, inventor="James Watt")]
    assert refusals_at(position, "send Archimedes to Wheel") == [reason(NOT_FACE_UP, invention="Wheel")]
    assert refusals_at(position, "send", "invention-bow")[0] == nobody_reason
    position = position_with(game, exhausted=["hypatia"])  # Bow has room for Archimedes
    assert refusals_at(position, "send Hippocrates to Bow") == [
        reason(DOES_NOT_FIT[0], invention="Bow", inventor="Hippocrates")
    ]


@pytest.mark.rule("S2")
def test_passing_is_refused_while_an_inventor_can_work_without_tokens(game: Game) -> None:
    assert refusals_at(position_with(game), "pass") == [reason(NO_NEED_TO_PASS)]


# --- What is asked. ---


@pytest.mark.rule("S2", "S14")
@pytest.mark.parametrize(
    ("pieces", "expected_prompt", "options"),
    [
        ({}, SEND, {"send"}),
        ({"exhausted": ["hypatia"]}, SEND_OR_READY, {"send", "ready"}),
        ({"exhausted": TEAM, "tokens": {1: {"refresh": 1}}}, READY_OR_USE_TOKEN, {"ready", "token"}),
        (
            {"cubes": {**FULL, "papyrus": {1: (0, 3, 2, 0)}}, "tokens": {1: {"points-1": 1}}},
            USE_TOKEN_OR_PASS,
            {"token", "pass"},
        ),
    ],
    ids=["send", "send or make ready", "make ready", "pass"],
)
def test_the_prompt_asks_only_for_legal_moves(
    game: Game, pieces: dict[str, Any], expected_prompt: Sentence, options: set[str]
) -> None:
    position = position_with(game, **pieces)
    prompt = game.prompt(position.observe(0))
    assert prompt == expected_prompt.fill({"count": cubes_in_supply(position, 1)})
    assert len(set(in_all(game, prompt))) == len(LANGUAGES)
    moves = [move for move in texts(position) if not move.startswith(("turn ", "upgrade ", "refresh", "send genius"))]
    assert ("send" in options) == any(move.startswith("send ") for move in moves)
    assert ("ready" in options) == ("ready" in moves)
    assert ("pass" in options) == ("pass" in moves)
    assert ("token" not in options) or texts(position, "turn ") != []


# --- Sentences that do not inflect the name. ---


@pytest.mark.rule("L10")
def test_names_of_inventions_are_not_inflected_in_any_language(game: Game) -> None:
    position = position_with(game)
    refusal = position.why_not("send Hypatia to Smoke signals")
    assert refusal is not None
    assert in_all(game, refusal.message) == [
        reason(NOT_FACE_UP, invention="Smoke signals")[1],
        "Rauchzeichen liegt nicht offen aus.",
        "Signaux de fumée n’est pas face visible.",
        "Rooksignalen ligt niet open.",
    ]


# --- What a token costs that is turned over. ---


@pytest.mark.rule("S4")
def test_the_hint_for_turning_over_a_token_shows_the_change_of_points(game: Game) -> None:
    hand = {"points-3": 1, "number": 1, "refresh": 1}
    position = position_with(game, tokens={1: hand}, patents={1: ["axe"]})
    noted_count = 0
    for move in texts(position, "turn "):
        after = position_with(game, tokens={1: hand}, patents={1: ["axe"]})
        before = after.scores[0]
        note = position.hint(move)
        assert note is not None
        after.play(move)
        if after.scores[0] < before:
            points = {"before": before, "after": after.scores[0]}
            assert str(note) == sentence_after(HINTS, "def _front_loss", **points)
            assert len(set(in_all(game, note))) == len(LANGUAGES)
            assert all(re.search(rf"{before} → {after.scores[0]}\.$", sentence) for sentence in in_all(game, note))
            noted_count += 1
        else:
            assert str(note) == str(USES["turn"].fill({}))
            assert " refresh " in move
    assert noted_count == 2 * len(texts(position, "turn refresh "))


@pytest.mark.rule("S4")
def test_turning_over_a_number_outside_any_run_costs_nothing(game: Game) -> None:
    position = position_with(game, tokens={1: {"number": 1}})
    for move in texts(position, "turn number "):
        note = position.hint(move)
        assert note is not None
        assert str(note) == str(USES["turn"].fill({}))


@pytest.mark.parametrize(
    ("move", "note"),
    [
        (
            "take patent",
            PATENT_USE.fill({"before": 1, "after": 3, "number": 1}),
        ),
        ("take upgrade-3", USES["upgrade"].fill({"before": 2, "value": 3})),
        ("take points-1", template_after(HINTS, "count=board.turn.genius_cubes").fill(POINTS)),
        ("take genius", USES["genius"].fill({"count": 2})),
        ("take number", USES["number"].fill({})),
        ("take refresh", USES["refresh"].fill({})),
    ],
)
def test_every_reward_explains_its_use(game: Game, move: str, note: Message) -> None:
    """A patent explains which number it adds to a run."""
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
    explained_hint = position.hint(position.setup.move(move))
    assert explained_hint is not None
    assert str(explained_hint) == str(note)
    assert explained_hint.short, "a narrow row has no room for the hint"
    assert len(set(in_all(game, explained_hint))) == len(LANGUAGES)


def test_the_hint_for_a_refresh_token_explains_its_effect(game: Game) -> None:
    position = position_with(game, tokens={1: {"refresh": 1}}, exhausted=["hypatia"])
    explained_hint = position.hint(position.setup.move("refresh"))
    assert explained_hint is not None
    assert str(explained_hint) == str(USES["refresh"].fill({}))
