"""Every game keeps the kernel's promises; so does a toy game in one folder that nothing in the house knows; and the
suite notices broken ones.
"""

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import spieltisch
from spieltisch.core.compiled import rule
from spieltisch.core.game import Game, Rules
from spieltisch.core.words import Message, Name, message
from spieltisch.games import GAMES
from spieltisch.testing import ContractBroken, check_game
from tests import toy_bids, toy_game


@pytest.mark.build
@pytest.mark.parametrize("key", sorted(GAMES))
def test_games(key: str) -> None:
    report = check_game(key, games=1)
    assert report.games == len(spieltisch.game(key).seats)


def test_toy_game(toy: str) -> None:
    report = check_game(toy, games=6, every=2)
    assert report.games == 18


def test_toy_game_with_secret_bids(lots: str) -> None:
    report = check_game(lots, games=4, every=4)
    assert report.games == 12


def test_toy_games_are_known_to_nobody() -> None:
    folder = Path(spieltisch.__file__).parent
    for file in folder.rglob("*.py"):
        assert not re.search(r"toy_game|Lanterns|toy_bids", file.read_text(encoding="utf-8")), file


@contextmanager
def other_rule(game: Game, name: str, function: object) -> Iterator[None]:
    """The game with another rule function for a while."""
    rules = game.rules

    def change(to: Rules) -> None:
        game.rules = to
        game.__dict__.pop("engine", None)
        game._setups.clear()

    change(Rules(**{**rules._asdict(), name: function}))
    try:
        yield
    finally:
        change(rules)


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        ("legal", "legal and refused"),
        ("observe", "fit what seat|learns a secret"),
        ("play", "conserve"),
    ],
)
def test_broken_games_are_found(broken: str, says: str, toy: str) -> None:
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
    with other_rule(spieltisch.game(toy), broken, functions[broken]), pytest.raises(ContractBroken, match=says):
        check_game(toy, games=3, every=1, compiled=False, processes=False)


def test_a_game_that_goes_otherwise_in_another_process_is_found(toy: str) -> None:
    sound = spieltisch.game(toy).engine.start

    def start(s, c, w):  # type: ignore[no-untyped-def]  # a rule function is untyped
        sound(s, c, w)
        s.players[1].seen_by[0] = 1  # here only

    with (
        other_rule(spieltisch.game(toy), "start", start),
        pytest.raises(ContractBroken, match=r"a fresh interpreter \(plain\) replays it differently"),
    ):
        check_game(toy, games=1, compiled=False)


@pytest.mark.parametrize(
    ("name", "broken", "says"),
    [
        ("hint", lambda seen, move, events: seen.view.players.reverse(), "note changes the observation"),
        ("hint", lambda seen, move, events: message("{a}", a=str(id(seen))), "different notes"),
        ("hint", lambda seen, move, events: Message("{a}"), "cannot be said in 'en'"),
        (
            "turn_summary",
            lambda begun, events: [message("{a}", a=str(id(begun)))],
            "summed up differently|learns a secret",
        ),
        ("turn_summary", lambda begun, events: [message("{a}", a="")], "says nothing"),
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
    monkeypatch.setattr(spieltisch.game(toy), "alternative_phrasings", word_orders, raising=False)
    with pytest.raises(ContractBroken, match=says):
        check_game(toy, games=1, every=1, compiled=False, processes=False)


def test_a_game_that_reveals_and_denies_it_is_found(toy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spieltisch.game(toy), "moves_reveal", False, raising=False)
    with pytest.raises(ContractBroken, match=r"tells seat \d something|know more than seat \d"):
        check_game(toy, games=6, every=1, compiled=False, processes=False)


def points_seen(s, c, p):  # type: ignore[no-untyped-def]  # a rule function is untyped
    """Points that count the hand, which others do not see."""
    return s.players[p].won + s.players[p].hand[0]


def evaluate_all(s, c, p):  # type: ignore[no-untyped-def]  # a rule function is untyped
    """An evaluation that knows the others' hands."""
    return s.players[p].hand[5] - s.players[(p + 1) % s.seats].hand[5]


@pytest.mark.parametrize(
    ("name", "function", "says"),
    [
        ("points", points_seen, r"seat \d has \d+ points, and a spectator sees \d+"),
        ("evaluate", evaluate_all, r"the evaluation for seat \d is not the same on what it sees"),
    ],
)
def test_points_and_evaluation_that_know_too_much_are_found(
    name: str, function: Callable[..., int], says: str, lots: str
) -> None:
    with other_rule(spieltisch.game(lots), name, function), pytest.raises(ContractBroken, match=says):
        check_game(lots, games=2, every=1, compiled=False, processes=False)


@rule
def evaluate_in_words(s, c, p):  # type: ignore[no-untyped-def]  # a rule function is untyped
    """Python knows how to do this; the compiler does not."""
    return int(f"{s.players[p].won:03}")


def test_a_rule_that_cannot_be_compiled_is_found(lots: str) -> None:
    game = spieltisch.game(lots, compiled=True)
    with (
        other_rule(game, "evaluate", evaluate_in_words),
        pytest.raises(ContractBroken, match="'evaluate' cannot be compiled"),
    ):
        check_game(lots, games=1, seats=[2], processes=False)


def all_see(setup, plays, index, viewer):  # type: ignore[no-untyped-def]  # a method of a game
    return True


def sees_one_too_soon(setup, plays, index, viewer):  # type: ignore[no-untyped-def]  # a method of a game
    """The first of those who have bid is shown when the second bids."""
    first_of_two = len(plays) > index + 1
    return first_of_two or spieltisch.game("lots").__class__.move_visibility(setup.game, setup, plays, index, viewer)


def own_hidden(setup, plays, index, viewer):  # type: ignore[no-untyped-def]  # a method of a game
    return index < len(plays) // setup.seats * setup.seats or message("A bid.")


def told_with_the_card(setup, plays, index, viewer):  # type: ignore[no-untyped-def]  # a method of a game
    seen = toy_bids.Game.move_visibility(setup.game, setup, plays, index, viewer)
    return seen if seen is True else message("A bid of {card}.", card=plays[index][1].number + 1)


@pytest.mark.parametrize(
    ("name", "broken", "says"),
    [
        ("move_visibility", all_see, "learns a secret from the log"),
        ("move_visibility", sees_one_too_soon, "learns a secret from the log"),
        ("move_visibility", told_with_the_card, "learns a secret from the log"),
        ("move_visibility", own_hidden, r"seat \d may not know its own move"),
        ("move_visibility", lambda setup, plays, index, viewer: False, "neither True nor a message"),
        ("move_visibility", lambda setup, plays, index, viewer: Message("{a}"), "own move|cannot be said"),
        ("draw_visible", lambda setup, number, index, viewer: True, "learns a secret from the draws of the deal"),
        ("prompt", lambda seen: message("{a}", a=str(id(seen))), "learns a secret from prompt"),
    ],
)
def test_games_that_tell_secrets_are_found(
    name: str, broken: object, says: str, lots: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spieltisch.game(lots), name, broken, raising=False)
    with pytest.raises(ContractBroken, match=says):
        check_game(lots, games=3, every=1, compiled=False, processes=False)


def test_trials_on_the_truth_that_know_too_much_are_found(lots: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that denies that its moves reveal something would have its bots simulated on the true state."""
    monkeypatch.setattr(spieltisch.game(lots), "moves_reveal", False, raising=False)
    with pytest.raises(ContractBroken, match=r"bots that try their moves know more than seat \d"):
        check_game(lots, games=3, every=1, compiled=False, processes=False)


def test_a_seat_that_sees_everything_is_no_fault(lots: str) -> None:
    """Only seat 1 sees all hands and bids. If every seat saw them, the game would have no hidden information."""

    def observe(s, viewer, o):  # type: ignore[no-untyped-def]  # a rule function is untyped
        toy_bids.observe(s, -2 if viewer == 0 else viewer, o)
        o.viewer = viewer

    def observe_all(s, viewer, o):  # type: ignore[no-untyped-def]  # a rule function is untyped
        toy_bids.observe(s, -2, o)
        o.viewer = viewer

    game = spieltisch.game(lots)
    with other_rule(game, "observe", observe), imagining_what_is_not_seen(game):
        report = check_game(lots, games=3, every=3, compiled=False, processes=False)
        assert sum(report.differing_samples[seats, 0] for seats in game.seats) == 0
    with (
        other_rule(game, "observe", observe_all),
        imagining_what_is_not_seen(game),
        pytest.raises(ContractBroken, match="it has secrets, and everybody sees everything"),
    ):
        check_game(lots, games=3, every=3, compiled=False, processes=False)


@contextmanager
def imagining_what_is_not_seen(game: Game) -> Iterator[None]:
    """Whoever sees all hands imagines none."""
    imagine = type(game).imagine

    def all_seen(observation, chance):  # type: ignore[no-untyped-def]  # a method of a game
        players = observation.view.players[: observation.view.seats]
        if all(sum(player.hand) + (player.bid != 0) == toy_bids.ROUNDS - observation.view.rounds for player in players):
            s = spieltisch.core.twin.new(toy_bids.State)
            s.seats, s.seat, s.rounds = len(players), observation.view.seat, observation.view.rounds
            s.ended_by = observation.view.ended_by
            for p, player in enumerate(players):
                spieltisch.core.twin.assign(player, s.players[p])
            return s
        return imagine(game, observation, chance)

    game.imagine = all_seen  # type: ignore[method-assign]  # for this test alone
    yield
    del game.imagine


def test_a_game_in_english_alone_is_accepted_and_told_what_is_missing(
    lots: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = spieltisch.game(lots)
    assert check_game(lots, games=1, seats=[2], compiled=False, processes=False).missing == ()
    folder = tmp_path / "lots"
    shutil.copytree(game.folder, folder)
    monkeypatch.setattr(game, "folder", folder, raising=False)
    for language in ("de", "fr", "nl"):
        (folder / "pages" / f"rules.{language}.md").unlink()
    report = check_game(lots, games=1, seats=[2], compiled=False, processes=False)
    assert report.missing == ("rules page: de, fr, nl", "catalogue: de, fr, nl")
    page = folder / "pages" / "rules.en.md"
    page.write_text(page.read_text("utf-8").replace("**B2**", "**B4**"), "utf-8")
    with pytest.raises(ContractBroken, match="B2 is not on the rules page in en"):
        check_game(lots, games=1, seats=[2], compiled=False, processes=False)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("pages", "there is no rules page in fr, nl"),
        ("rule", "B2 is not on the rules page in de"),
        ("title", "the title has no text in fr"),
        ("catalogue", "there is no catalogue in de, nl"),
        ("translation", "is not translated into de, nl: "),
    ],
)
def test_missing_languages_are_named(
    change: str, says: str, lots: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = spieltisch.game(lots)
    folder = tmp_path / "lots"
    shutil.copytree(game.folder, folder)
    monkeypatch.setattr(game, "folder", folder, raising=False)
    if change == "pages":
        for language in ("fr", "nl"):
            (folder / "pages" / f"rules.{language}.md").unlink()
    elif change == "rule":
        page = folder / "pages" / "rules.de.md"
        page.write_text(page.read_text("utf-8").replace("**B2**", "**B4**"), "utf-8")
    elif change == "title":
        monkeypatch.setattr(game, "title", Name("Lots", "Lose", "", "Kavels"), raising=False)
    else:
        (folder / "locale").mkdir()
        for language in ("fr",) if change == "catalogue" else ("de", "fr", "nl"):
            entry = 'msgid "Bid for {prize}."\nmsgstr "Pour {prize}."\n' if language == "fr" else ""
            (folder / "locale" / f"{language}.po").write_text(f'msgid ""\nmsgstr "Language: {language}"\n\n{entry}')
    with pytest.raises(ContractBroken, match=says):
        check_game(lots, games=1, seats=[2], compiled=False, processes=False)
