"""The moves of Legendary Inventors: their kinds, numbers and words, and what chance can give.

`send Archimedes to Bow`, `send fewer with Archimedes to Bow`, `place 1 physics 0 chemistry 1 mechanics 0
mathematics`, `upgrade Archimedes in mechanics`, `turn refresh for Hypatia in physics`, `take patent`: inventors and
inventions go by their English names, tokens and fields by their ids.
"""

from collections.abc import Sequence
from functools import partial

from spieltisch.core.compiled import rule
from spieltisch.core.moves import Word
from spieltisch.core.setup import Setup
from spieltisch.core.spaces import Kind, Parameter, Space
from spieltisch.core.words import message
from spieltisch.games.legendary_inventors.state import (
    ALL,
    FEWER,
    FIELDS,
    GENIUS,
    INVENTIONS,
    INVENTORS,
    KINDS,
    MOST_SEATS,
    MOST_SPACES,
    NOBODY,
    TEAMS,
)


def _inventor(before: str, setup: Setup, number: int) -> Word:
    one = setup.board.inventors[number]
    return Word(before + one.name.en, one.name, place=f"inventor-{one.id}")


def _invention(setup: Setup, number: int) -> Word | None:
    if number >= len(setup.board.inventions):
        return None
    one = setup.board.inventions[number]
    return Word(f"to {one.name.en}", one.name, place=f"invention-{one.id}")


def _field(setup: Setup, number: int) -> Word:
    field = setup.board.fields[number]
    return Word(f"in {field.id}", field.name, mark=f"field-{field.id}")


def _token(setup: Setup, number: int) -> Word | None:
    if number >= len(setup.board.tokens):
        return None
    token = setup.board.tokens[number]
    return Word(token.id, token.name, place=f"token-{token.id}", mark=f"token-{token.id}")


def _token_to_turn_over(setup: Setup, number: int) -> Word | None:
    """A kind of token, but an upgrade token of value 1, which is a 1 as it lies."""
    return None if number == setup.plain_params.upgrade[1] else _token(setup, number)


def _team(setup: Setup, number: int) -> Word:
    team = setup.board.teams[number]
    return Word(team.name.en, team.name, place=f"team-{team.id}", mark=f"team-{team.id}")


def _placing(setup: Setup, *cubes: int) -> Sequence[Word]:
    """So many cubes in each field, where any invention has these spaces."""
    if not any(all(n <= most for n, most in zip(cubes, card.spaces, strict=True)) for card in setup.board.inventions):
        return ()
    return (
        Word("place", message("Place cubes")),
        *(
            Word(
                f"{n} {field.id}",
                message("{field}: {number}", field=field.name, number=n),
                mark=f"field-{field.id}",
                asks=message("{field}: how many cubes?", field=field.name),
            )
            for n, field in zip(cubes, setup.board.fields, strict=True)
        ),
    )


def _patent(setup: Setup) -> Sequence[Word]:
    return Word("take", message("Take")), Word(
        "patent", message("the patent"), place="patent", mark="patent", asks=message("Take which?")
    )


WHO = message("Which inventor?")
INVENTOR = Parameter("inventor", INVENTORS, partial(_inventor, ""), WHO)
WITH_INVENTOR = Parameter("inventor", INVENTORS, partial(_inventor, "with "), WHO)
FOR_INVENTOR = Parameter("inventor", INVENTORS, partial(_inventor, "for "), WHO)
INVENTION = Parameter("invention", INVENTIONS, _invention, message("To which invention?"))
FIELD = Parameter("field", FIELDS, _field, message("In which field?"))

SPACE = Space(
    Kind("send", message("Send an inventor"), INVENTOR, INVENTION),
    Kind("send fewer", message("Send an inventor with fewer cubes"), WITH_INVENTOR, INVENTION, rare=True),
    Kind("send genius", message("Send an inventor with a stroke of genius"), WITH_INVENTOR, INVENTION, rare=True),
    Kind("upgrade", message("Upgrade an inventor"), INVENTOR, FIELD),
    Kind(
        "turn",
        message("Turn a token over"),
        Parameter("token", KINDS, _token_to_turn_over, message("Which token?")),
        FOR_INVENTOR,
        FIELD,
    ),
    Kind("ready", message("Make all inventors ready")),
    Kind("refresh", message("Use a refresh token")),
    Kind("pass", message("Pass")),
    Kind("done", message("No more upgrades")),
    Kind("take patent", None, words=_patent),
    Kind("take token", Word("take", message("Take")), Parameter("token", KINDS, _token, message("Take which?"))),
    Kind("choose", message("Choose the team"), Parameter("team", TEAMS, _team, message("Which team?"))),
    Kind("place", None, *[Parameter(f"cubes {f}", MOST_SPACES + 1) for f in range(FIELDS)], words=_placing),
)
"""Send an inventor to an invention: with all cubes that fit, with fewer, with strokes of genius; what is done with
tokens; ready, pass, no more upgrades; choose a reward, a team; place so many cubes in each field.
"""

(
    SEND,
    SEND_FEWER,
    SEND_GENIUS,
    UPGRADE,
    TURN_OVER,
    READY,
    REFRESH,
    PASS,
    DONE,
    TAKE_PATENT,
    TAKE_TOKEN,
    CHOOSE_TEAM,
    PLACE,
) = SPACE.codes
kind_of, part, number = SPACE.kind_of, SPACE.part, SPACE.number


@rule
def mode_of(kind: int) -> int:
    """How moves of this kind send an inventor; NOBODY for those that do not."""
    if kind == SEND:
        return ALL
    if kind == SEND_FEWER:
        return FEWER
    return GENIUS if kind == SEND_GENIUS else NOBODY


# What is drawn: a team, a seat, an invention, a kind of token.
DRAWN_TEAM = 0
DRAWN_SEAT = DRAWN_TEAM + TEAMS
DRAWN_INVENTION = DRAWN_SEAT + MOST_SEATS
DRAWN_TOKEN = DRAWN_INVENTION + INVENTIONS


def draw_words(setup: Setup) -> Sequence[str]:
    """What chance can give: a team, the start player, an invention, a kind of token; "-" and a number for what is
    not in the box.
    """
    board = setup.board
    cards = [card.id for card in board.inventions]
    kinds = [token.id for token in board.tokens]
    return [
        *(f"team {team.id}" for team in board.teams),
        *(f"seat {p + 1}" for p in range(MOST_SEATS)),
        *cards,
        *(f"- {n}" for n in range(len(cards), INVENTIONS)),
        *(f"token {kind}" for kind in kinds),
        *(f"- token {n}" for n in range(len(kinds), KINDS)),
    ]
