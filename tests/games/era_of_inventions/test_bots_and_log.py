"""Check the easy bot, prompts, and the log."""

from __future__ import annotations

import random

import pytest

import spieltisch
from spieltisch import bots
from spieltisch.bots.search import native_library
from spieltisch.core.game import Game
from spieltisch.core.position import Position
from spieltisch.core.words import LANGUAGES, Words
from spieltisch.lab.simulation import Simulation


@pytest.mark.build
def test_the_easy_bot_beats_three_random_players() -> None:
    setup = spieltisch.game("era-of-inventions").setup(4)
    native_library.build("era-of-inventions", what=native_library.GAMES)
    tally = Simulation(setup, ["easy", "random", "random", "random"], 1).play(100)
    assert tally.scores[0].wins >= 95


def test_every_bot_plays_legal_moves_from_what_its_seat_sees(game: Game) -> None:
    position = game.start(seats=3, seed=4)
    for n in range(60):
        assert position.seat is not None
        observation = position.observe(position.seat)
        move = bots.choose("easy" if n % 2 else "random", observation.bytes, seed=n)
        assert position.move(move) in position.legal_moves
        position.play(move)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_translated(game: Game, language: str) -> None:
    words = Words(language, game.folder / "locale")
    chance = random.Random(language)
    position = game.start(seats=3, seed=8)
    texts: set[str] = set()
    while not position.is_over:
        texts |= _sentences(position, words, chance)
    assert position.outcome is not None
    texts.add(str(words.say(position.outcome.message)))
    assert all(text and "{" not in text for text in texts)


def _sentences(position: Position, words: Words, chance: random.Random) -> set[str]:
    """Return all sentences about one position and about the move that follows."""
    assert position.seat is not None
    game, before, acting = position.setup.game, position.observe(position.seat), position.seat
    texts = {str(words.say(game.prompt(before)))}
    for move in chance.sample(position.setup.moves, 20):
        refusal = position.why_not(move)
        if refusal is not None:
            texts.add(str(words.say(refusal.message)))
        texts |= {str(words.say(word.label)) for word in position.words(move)}
    move_result = position.play(chance.choice(position.legal_moves), collect_events=True)
    log_lines = game.log(position.setup, move_result.events, acting)
    return texts | {str(words.say(message)) for message in log_lines}
