"""Every game keeps the kernel's promises; so does a toy game in one folder that nothing in the house knows; and the
suite notices broken ones.
"""

import re
from pathlib import Path

import pytest

import spieltisch
from spieltisch.core.game import Rules
from spieltisch.core.words import Message, message
from spieltisch.games import GAMES
from spieltisch.testing import ContractBroken, check_game
from tests import toy_game


@pytest.mark.parametrize("key", sorted(GAMES))
def test_games(key: str) -> None:
    report = check_game(key, games=1)
    assert report.games == len(spieltisch.game(key).seats)


def test_toy_game(toy: str) -> None:
    report = check_game(toy, games=6, every=2)
    assert report.games == 18


def test_toy_game_is_known_to_nobody() -> None:
    folder = Path(spieltisch.__file__).parent
    for file in folder.rglob("*.py"):
        assert not re.search(r"toy_game|Lanterns", file.read_text(encoding="utf-8")), file


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        ("legal", "legal and refused"),
        ("observe", "fit what seat|learns a secret"),
        ("play", "conserve"),
    ],
)
def test_broken_games_are_found(broken: str, says: str, toy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing legal move, a leaked card and a stone from nowhere."""

    sound = spieltisch.game(toy).engine.legal

    def legal(s, c, w, out):  # type: ignore[no-untyped-def]  # a rule function is untyped
        return sound(s, c, w, out) - (s.stones < 9 and s.seat >= 0)

    def observe(s, viewer, o):  # type: ignore[no-untyped-def]  # a rule function is untyped
        toy_game.observe(s, viewer, o)
        o.bag[0] += s.players[s.seats - 1].card

    def play(s, c, w, move):  # type: ignore[no-untyped-def]  # a rule function is untyped
        toy_game.play(s, c, w, move)
        s.players[0].stones += move == 1

    functions = {"legal": legal, "observe": observe, "play": play}
    game = spieltisch.game(toy)
    monkeypatch.setattr(game, "rules", Rules(**{**game.rules._asdict(), broken: functions[broken]}))
    monkeypatch.delitem(game.__dict__, "engine", raising=False)
    game._setups.clear()
    with pytest.raises(ContractBroken, match=says):
        check_game(toy, games=3, every=1, compiled=False, processes=False)
    monkeypatch.undo()
    game.__dict__.pop("engine", None)
    game._setups.clear()


@pytest.mark.parametrize(
    ("name", "broken", "says"),
    [
        ("hint", lambda seen, move, events: seen.view.players.reverse(), "note changes the observation"),
        ("hint", lambda seen, move, events: message("{a}", a=str(id(seen))), "different notes"),
        ("hint", lambda seen, move, events: Message("{a}"), "cannot be said in 'en'"),
        (
            "turn_summary",
            lambda begun, events, after: [message("{a}", a=str(id(after)))],
            "summed up differently|learns a secret",
        ),
        ("turn_summary", lambda begun, events, after: [message("{a}", a="")], "says nothing"),
        ("stage", lambda seen: message("{a}", a=str(seen.seat)), "stage is not the same for everybody"),
        ("stage", lambda seen: seen.view.players.reverse(), "stage changes the observation"),
        ("stage", lambda seen: Message("{a}"), "the stage cannot be said in 'en'"),
        ("between_turns", lambda seen: 1, "neither true nor false"),
        ("between_turns", lambda seen: seen.view.players.reverse() is None, "between turns changes the observation"),
    ],
)
def test_broken_notes_are_found(
    name: str, broken: object, says: str, toy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spieltisch.game(toy), name, broken, raising=False)
    with pytest.raises(ContractBroken, match=says):
        check_game(toy, games=3, every=1, compiled=False, processes=False)


@pytest.mark.parametrize(
    ("word_orders", "says"),
    [
        (lambda setup, number: (setup.game.words(setup, number)[:1] * 2,), "has other words than"),
        (lambda setup, number: (setup.game.words(setup, number),), "half a sentence is no move"),
    ],
)
def test_broken_orders_of_words_are_found(
    word_orders: object, says: str, toy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spieltisch.game(toy), "word_orders", word_orders, raising=False)
    with pytest.raises(ContractBroken, match=says):
        check_game(toy, games=1, every=1, compiled=False, processes=False)


def test_a_game_that_reveals_and_denies_it_is_found(toy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spieltisch.game(toy), "reveals", False, raising=False)
    with pytest.raises(ContractBroken, match=r"tells seat \d something"):
        check_game(toy, games=6, every=1, compiled=False, processes=False)
