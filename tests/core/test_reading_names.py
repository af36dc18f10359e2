"""Check moves by displayed names, suggestions for unknown moves, and the printed form of positions."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ElementTree

import pytest

import spieltisch
from spieltisch import UnknownMove
from spieltisch.games import GAMES
from tests.sentences import sentence_after

SEND_FEWER = sentence_after("games/legendary_inventors/moves.py", 'MoveKind("send fewer",')


@pytest.mark.parametrize(
    ("key", "spoken_move", "text"),
    [
        ("paris-connection", "build amethyst Calais", "build purple Calais"),
        ("paris-connection", "Build track Amethyst south-west of Besançon", "build purple Besançon SW"),
        ("paris-connection", "build améthyste calais", "build purple Calais"),
        ("paris-connection", "trade Rubin for 2 Bronze", "trade red for 2 brown"),
        ("era-of-inventions", "Exchange coal and tool for 1 coin", "exchange coal tool for coin"),
        ("legendary-inventors", f"{SEND_FEWER} Aristotle Canoe", "send fewer with Aristotle to Canoe"),
    ],
)
def test_a_move_is_found_by_its_displayed_words(key: str, spoken_move: str, text: str) -> None:
    setup = spieltisch.game(key).setup(4)
    assert setup.move(spoken_move) is setup.move(text)
    assert setup.move(text).text == text


@pytest.mark.parametrize("key", GAMES)
def test_every_move_is_found_by_its_displayed_words(key: str) -> None:
    setup = spieltisch.game(key).setup(4)
    for move in setup.moves[:: max(1, len(setup.moves) // 200)]:
        assert setup.move(" ".join(str(word.label) for word in setup.words(move))) is move


@pytest.mark.parametrize(
    ("spoken_move", "closest"),
    [("build red Lyonn", "build red Lyon"), ("trade rde for 2 blue", "trade red for 2 blue"), ("dance", None)],
)
def test_an_error_about_an_unknown_move_suggests_the_closest_move(spoken_move: str, closest: str | None) -> None:
    position = spieltisch.game("paris-connection").start(seats=3, seed=1)
    for call in (position.move, position.play, position.why_not, position.preview):
        with pytest.raises(UnknownMove) as raised:
            call(spoken_move)
        suggestion = f"; did you mean {closest!r}?" if closest else ""
        assert str(raised.value) == f"{spoken_move!r} is no move of paris-connection{suggestion}"
    assert position.number == 0


def test_a_long_text_that_names_no_move_is_refused_without_trying_all_readings() -> None:
    setup = spieltisch.game("legendary-inventors").setup(4)
    for spoken_move in ("Hypatia " * 20_000, "send " * 39):
        with pytest.raises(UnknownMove):
            setup.move(spoken_move)


def test_the_repr_of_positions_and_moves_describes_their_contents() -> None:
    game = spieltisch.game("paris-connection")
    position = game.start(seats=4, seed=7, standstill="ends")
    seat = position.seat
    assert repr(position) == f"<Position paris-connection, 4 seats, move 0, seat {seat} to decide>"
    assert repr(position.observe(2)) == (
        f"<Observation paris-connection, 4 seats, move 0, seat {seat} to decide, of seat 2>"
    )
    assert repr(position.setup) == "<Setup paris-connection, 4 seats>"
    assert repr(game) == "<Game paris-connection>"
    assert repr(spieltisch.Record.of(position, [], seed=7)) == "<Record paris-connection, 4 seats, 0 moves>"
    chance = random.Random(7)
    while not position.is_over:
        position.play(chance.choice(position.legal_moves))
    assert repr(position) == f"<Position paris-connection, 4 seats, move {position.number}, over>"
    assert repr(position.observe(None)).endswith("over, of a spectator>")


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("paris-connection", "Montparnasse"),
        ("era-of-inventions", "Build factories"),
        ("legendary-inventors", "Hypatia"),
    ],
)
def test_a_position_in_a_notebook_is_drawn_like_the_boards_of_a_table(key: str, words: str) -> None:
    position = spieltisch.game(key).start(seats=4, seed=7)
    html = position._repr_html_()
    assert html.startswith("<iframe sandbox srcdoc=")
    assert html.count("<") == 2  # the page in the frame is escaped
    frame = ElementTree.fromstring(html.replace("<iframe sandbox ", "<iframe "))  # noqa: S314  # our own
    page = frame.attrib["srcdoc"]
    assert frame.attrib["title"] == repr(position.observe(position.seat))
    assert (f"game-{key}" in page, words in page) == (True, True)
    svg = position._repr_svg_()
    assert (svg is None) == (key != "paris-connection")
    if svg is not None:
        assert 'id="loco-' in svg
        assert ElementTree.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314  # our own


def test_a_printed_board_shows_what_the_seat_to_move_sees_and_everything_at_the_end() -> None:
    position = spieltisch.game("paris-connection").start(seats=3, seed=7, standstill="ends")
    assert position._repr_html_() == position.observe(position.seat)._repr_html_()
    chance = random.Random(1)
    while not position.is_over:
        position.play(chance.choice(position.legal_moves))
    assert position._repr_html_() == position.reveal()._repr_html_()
