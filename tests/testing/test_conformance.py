"""Check that every game and the toy games pass the conformance suite, and that the suite finds broken games."""

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import spieltisch
from spieltisch.core.compiled import rule
from spieltisch.core.features import count
from spieltisch.core.game import Game
from spieltisch.core.rules import Rules
from spieltisch.core.words import Message, Name, message
from spieltisch.games import GAMES
from spieltisch.testing import ContractBroken, check_game
from tests import toy_bids, toy_game


@pytest.mark.build
@pytest.mark.parametrize("key", sorted(GAMES))
def test_every_game_passes_the_conformance_suite(key: str) -> None:
    report = check_game(key, games=1)
    assert report.games == len(spieltisch.game(key).seats)


def test_the_toy_game_passes_the_conformance_suite(toy: str) -> None:
    report = check_game(toy, games=6, every=2)
    assert report.games == 18


def test_the_toy_game_with_secret_bids_passes_the_conformance_suite(game_with_bids: str) -> None:
    report = check_game(game_with_bids, games=4, every=4)
    assert report.games == 12


def test_toy_games_are_not_installed() -> None:
    folder = Path(spieltisch.__file__).parent
    for file in folder.rglob("*.py"):
        assert not re.search(r"toy_game|Lanterns|toy_bids", file.read_text(encoding="utf-8")), file


@contextmanager
def other_rule(game: Game, name: str, function: object) -> Iterator[None]:
    """Replace one rule function of the game for a while."""
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
    ("broken_part", "expected_text"),
    [
        ("legal", "legal and refused"),
        ("observe", "fit what seat|learns a secret"),
        ("play", "conserve"),
    ],
)
def test_the_conformance_suite_finds_broken_games(broken_part: str, expected_text: str, toy: str) -> None:
    """The broken games lack a legal move, reveal a hidden card, or create a stone."""

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
    with (
        other_rule(spieltisch.game(toy), broken_part, functions[broken_part]),
        pytest.raises(ContractBroken, match=expected_text),
    ):
        check_game(toy, games=3, every=1, compiled=False, processes=False)


def test_the_conformance_suite_finds_a_game_that_differs_between_processes(toy: str) -> None:
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
    ("name", "broken_part", "expected_text"),
    [
        ("hint", lambda observation, move, events: observation.view.players.reverse(), "note changes the observation"),
        ("hint", lambda observation, move, events: message("{a}", a=str(id(observation))), "different notes"),
        ("hint", lambda observation, move, events: Message("{a}"), "cannot be said in 'en'"),
        (
            "turn_summary",
            lambda begun, events: [message("{a}", a=str(id(begun)))],
            "summed up differently|learns a secret",
        ),
        ("turn_summary", lambda begun, events: [message("{a}", a="")], "says nothing"),
        ("stage", lambda observation: message("{a}", a=str(observation.seat)), "stage is not the same for everybody"),
        ("stage", lambda observation: observation.view.players.reverse(), "stage changes the observation"),
        ("stage", lambda observation: Message("{a}"), "the stage cannot be said in 'en'"),
        ("between_turns", lambda observation: 1, "neither true nor false"),
        (
            "between_turns",
            lambda observation: observation.view.players.reverse() is None,
            "between turns changes the observation",
        ),
    ],
)
def test_the_conformance_suite_finds_broken_hints_summaries_and_stages(
    name: str, broken_part: object, expected_text: str, toy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spieltisch.game(toy), name, broken_part, raising=False)
    with pytest.raises(ContractBroken, match=expected_text):
        check_game(toy, games=3, every=1, compiled=False, processes=False)


@pytest.mark.parametrize(
    ("word_orders", "expected_text"),
    [
        (lambda setup, number: (setup.game.words(setup, number)[:1] * 2,), "has other words than"),
        (lambda setup, number: (setup.game.words(setup, number),), "half a sentence is no move"),
    ],
)
def test_the_conformance_suite_finds_broken_alternative_phrasings_of_moves(
    word_orders: object, expected_text: str, toy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spieltisch.game(toy), "alternative_phrasings", word_orders, raising=False)
    with pytest.raises(ContractBroken, match=expected_text):
        check_game(toy, games=1, every=1, compiled=False, processes=False)


def test_the_conformance_suite_finds_a_game_with_undeclared_reveals(toy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spieltisch.game(toy), "moves_reveal", False, raising=False)
    with pytest.raises(ContractBroken, match=r"tells seat \d something"):
        check_game(toy, games=1, every=1, compiled=False, processes=False)


def points_seen(s, c, p):  # type: ignore[no-untyped-def]  # a rule function is untyped
    """Return points that wrongly count the hidden hand."""
    return s.players[p].won + s.players[p].hand[0]


def evaluate_all(s, c, p):  # type: ignore[no-untyped-def]  # a rule function is untyped
    """Return an evaluation that wrongly uses the hands of others."""
    return s.players[p].hand[5] - s.players[(p + 1) % s.seats].hand[5]


@pytest.mark.parametrize(
    ("name", "function", "expected_text"),
    [
        ("points", points_seen, r"seat \d has \d+ points, and a spectator sees \d+"),
        ("evaluate", evaluate_all, r"the evaluation for seat \d is not the same on what it sees"),
    ],
)
def test_the_conformance_suite_finds_points_and_evaluations_that_use_hidden_information(
    name: str, function: Callable[..., int], expected_text: str, game_with_bids: str
) -> None:
    with (
        other_rule(spieltisch.game(game_with_bids), name, function),
        pytest.raises(ContractBroken, match=expected_text),
    ):
        check_game(game_with_bids, games=2, every=1, compiled=False, processes=False)


@rule
def evaluate_in_words(s, c, p):  # type: ignore[no-untyped-def]  # a rule function is untyped
    """Return an evaluation that Python can compute and the compiler cannot."""
    return int(f"{s.players[p].won:03}")


def test_the_conformance_suite_finds_a_rule_that_cannot_be_compiled(game_with_bids: str) -> None:
    game = spieltisch.game(game_with_bids, compiled=True)
    with (
        other_rule(game, "evaluate", evaluate_in_words),
        pytest.raises(ContractBroken, match="'evaluate' cannot be compiled"),
    ):
        check_game(game_with_bids, games=1, seats=[2], processes=False)


def reveal_all_hands(setup, plays, index, viewer):  # type: ignore[no-untyped-def]  # a method of a game
    return True


def sees_one_too_soon(setup, plays, index, viewer):  # type: ignore[no-untyped-def]  # a method of a game
    """Reveal the first of two bids too soon."""
    first_of_two = len(plays) > index + 1
    return first_of_two or spieltisch.game("lots").__class__.move_visibility(setup.game, setup, plays, index, viewer)


def own_hidden(setup, plays, index, viewer):  # type: ignore[no-untyped-def]  # a method of a game
    return index < len(plays) // setup.seats * setup.seats or message("A bid.")


def reveal_card_in_text(setup, plays, index, viewer):  # type: ignore[no-untyped-def]  # a method of a game
    visibility = toy_bids.Game.move_visibility(setup.game, setup, plays, index, viewer)
    return visibility if visibility is True else message("A bid of {card}.", card=plays[index][1].number + 1)


@pytest.mark.parametrize(
    ("name", "broken_part", "expected_text"),
    [
        ("move_visibility", reveal_all_hands, "learns a secret from the log"),
        ("move_visibility", sees_one_too_soon, "learns a secret from the log"),
        ("move_visibility", reveal_card_in_text, "learns a secret from the log"),
        ("move_visibility", own_hidden, r"seat \d may not know its own move"),
        ("move_visibility", lambda setup, plays, index, viewer: False, "neither True nor a message"),
        ("move_visibility", lambda setup, plays, index, viewer: Message("{a}"), "own move|cannot be said"),
        ("draw_visible", lambda setup, number, seat, index, viewer: True, "learns a secret from the draws of the deal"),
        ("prompt", lambda observation: message("{a}", a=str(id(observation))), "learns a secret from prompt"),
    ],
)
def test_the_conformance_suite_finds_games_whose_texts_reveal_secrets(
    name: str, broken_part: object, expected_text: str, game_with_bids: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spieltisch.game(game_with_bids), name, broken_part, raising=False)
    with pytest.raises(ContractBroken, match=expected_text):
        check_game(game_with_bids, games=3, every=1, compiled=False, processes=False)


def test_the_conformance_suite_finds_bot_trials_that_use_hidden_information(
    game_with_bids: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game wrongly declares that its moves reveal nothing, so that its bots try moves on the true state."""
    monkeypatch.setattr(spieltisch.game(game_with_bids), "moves_reveal", False, raising=False)
    with pytest.raises(ContractBroken, match=r"bots that try their moves know more than seat \d"):
        check_game(game_with_bids, games=3, every=1, compiled=False, processes=False)


def test_the_conformance_suite_accepts_a_game_in_which_one_player_sees_everything(game_with_bids: str) -> None:
    """Only seat 1 sees all hands and bids; if every seat saw them, the game would have no hidden information."""

    def observe(s, viewer, o):  # type: ignore[no-untyped-def]  # a rule function is untyped
        toy_bids.observe(s, -2 if viewer == 0 else viewer, o)
        o.viewer = viewer

    def observe_all(s, viewer, o):  # type: ignore[no-untyped-def]  # a rule function is untyped
        toy_bids.observe(s, -2, o)
        o.viewer = viewer

    game = spieltisch.game(game_with_bids)
    with other_rule(game, "observe", observe), imagining_what_is_not_seen(game):
        report = check_game(game_with_bids, games=3, every=3, compiled=False, processes=False)
        assert sum(report.differing_samples[seats, 0] for seats in game.seats) == 0
    with (
        other_rule(game, "observe", observe_all),
        imagining_what_is_not_seen(game),
        pytest.raises(ContractBroken, match="it has secrets, and everybody sees everything"),
    ):
        check_game(game_with_bids, games=3, every=3, compiled=False, processes=False)


@contextmanager
def imagining_what_is_not_seen(game: Game) -> Iterator[None]:
    """Let the game imagine no hidden information for a viewer who sees all hands."""
    imagine_rightly = type(game).imagine

    def all_seen(observation, chance):  # type: ignore[no-untyped-def]  # a method of a game
        players = observation.view.players[: observation.view.seats]
        if all(sum(player.hand) + (player.bid != 0) == toy_bids.ROUNDS - observation.view.rounds for player in players):
            s = spieltisch.core.twin.new(toy_bids.State)
            s.seats, s.seat, s.rounds = len(players), observation.view.seat, observation.view.rounds
            s.ended_by = observation.view.ended_by
            for p, player in enumerate(players):
                spieltisch.core.twin.assign(player, s.players[p])
            return s
        return imagine_rightly(game, observation, chance)

    game.imagine = all_seen  # type: ignore[method-assign]  # for this test alone
    yield
    del game.imagine


def test_the_conformance_suite_accepts_a_game_only_in_english_and_lists_missing_translations(
    game_with_bids: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = spieltisch.game(game_with_bids)
    assert check_game(game_with_bids, games=1, seats=[2], compiled=False, processes=False).missing == ()
    folder = tmp_path / "lots"
    shutil.copytree(game.folder, folder)
    monkeypatch.setattr(game, "folder", folder, raising=False)
    for language in ("de", "fr", "nl"):
        (folder / "pages" / f"rules.{language}.md").unlink()
    report = check_game(game_with_bids, games=1, seats=[2], compiled=False, processes=False)
    assert report.missing == ("rules page: de, fr, nl", "catalogue: de, fr, nl")
    monkeypatch.setattr(game, "title", Name("Lots"), raising=False)
    assert (
        check_game(game_with_bids, games=1, seats=[2], compiled=False, processes=False).missing[0]
        == "title: de, fr, nl"
    )
    page = folder / "pages" / "rules.en.md"
    page.write_text(page.read_text("utf-8").replace("**B2**", "**B4**"), "utf-8")
    with pytest.raises(ContractBroken, match="B2 is not on the rules page in en"):
        check_game(game_with_bids, games=1, seats=[2], compiled=False, processes=False)


@pytest.mark.parametrize(
    ("name", "value", "expected_text"),
    [
        ("features", {}, "`features` says nothing about seats, seat, ended_by, rounds, players.hand"),
        ("features", toy_bids.FEATURES | {"sun": count("suns")}, "`features` names sun"),
        ("features", toy_bids.FEATURES | {"players.won": count("points", 1)}, r"players.won is \d; .* from 0 to 1"),
        ("draw_texts", Game.draw_texts, "`draw_texts` has no text for the draw with code"),
        ("draw_texts", lambda game, setup: ("1", "2"), "`draw_texts` has no text for the draw with code"),
        ("imagine", Game.imagine, "`imagine` does not draw what a seat cannot know"),
    ],
)
def test_the_conformance_suite_names_missing_and_incomplete_functions_of_a_game(
    name: str, value: object, expected_text: str, game_with_bids: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(toy_bids.Game, name, value, raising=False)
    monkeypatch.setattr(spieltisch.game(game_with_bids), "_setups", {})
    spieltisch.game(game_with_bids).__dict__.pop("observation_spec", None)
    with pytest.raises(ContractBroken, match=expected_text):
        check_game(game_with_bids, games=1, every=1, compiled=False, processes=False)
    spieltisch.game(game_with_bids).__dict__.pop("observation_spec", None)


@pytest.mark.parametrize(
    ("change", "expected_text"),
    [
        ("pages", "there is no rules page in fr, nl"),
        ("rule", "B2 is not on the rules page in de"),
        ("title", "the title has no text in fr"),
        ("component", "^title has no text in de, fr, nl"),
        ("catalogue", "there is no catalogue in de, nl"),
        ("translation", "is not translated into de, nl: "),
    ],
)
def test_the_conformance_suite_names_missing_languages(
    change: str, expected_text: str, game_with_bids: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = spieltisch.game(game_with_bids)
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
    elif change == "component":
        text = re.sub("^title = .*", 'title = { en = "Lots" }', game.components.text, flags=re.MULTILINE)
        monkeypatch.setattr(game, "components", game.read_components(text), raising=False)
    else:
        (folder / "locale").mkdir()
        for language in ("fr",) if change == "catalogue" else ("de", "fr", "nl"):
            entry = 'msgid "Bid for {prize}."\nmsgstr "Pour {prize}."\n' if language == "fr" else ""
            (folder / "locale" / f"{language}.po").write_text(f'msgid ""\nmsgstr "Language: {language}"\n\n{entry}')
    with pytest.raises(ContractBroken, match=expected_text):
        check_game(game_with_bids, games=1, seats=[2], compiled=False, processes=False)
