"""The moves of Legendary Inventors: their kinds, numbers and words, and the draws.

`send Archimedes to Bow`, `send fewer with Archimedes to Bow`, `place 1 physics 0 chemistry 1 mechanics 0 mathematics`,
`upgrade Archimedes in mechanics`, `turn refresh for Hypatia in physics`, `take patent`: inventors and inventions are
named in English, tokens and fields by their ids.
"""

from collections.abc import Sequence
from functools import partial

from spieltisch.core.compiled import rule
from spieltisch.core.move_space import MoveKind, MoveSpace, Parameter
from spieltisch.core.moves import MoveWord
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, message
from spieltisch.games.legendary_inventors.state import (
    ALL,
    FEWER,
    FIELDS,
    GENIUS,
    INVENTIONS,
    INVENTORS,
    KINDS,
    MAX_SEATS,
    MAX_SPACES,
    NOBODY,
    TEAMS,
)


def _inventor(before: str, setup: Setup, number: int) -> MoveWord:
    inventor = setup.board.inventors[number]
    return MoveWord(
        before + inventor.name.en, inventor.name, element_id=f"inventor-{inventor.id}", icon=f"inventor-{inventor.id}"
    )


def _invention(setup: Setup, number: int) -> MoveWord | None:
    if number >= len(setup.board.inventions):
        return None
    invention = setup.board.inventions[number]
    return MoveWord(f"to {invention.name.en}", invention.name, element_id=f"invention-{invention.id}")


def _field(setup: Setup, number: int) -> MoveWord:
    field = setup.board.fields[number]
    return MoveWord(f"in {field.id}", field.name, icon=f"field-{field.id}")


def _token(setup: Setup, number: int) -> MoveWord | None:
    if number >= len(setup.board.tokens):
        return None
    token = setup.board.tokens[number]
    return MoveWord(token.id, token.name, element_id=f"token-{token.id}", icon=f"token-{token.id}")


def _token_to_turn_over(setup: Setup, number: int) -> MoveWord | None:
    """Return a kind of token, except an upgrade token of value 1, which is a 1 without being turned over."""
    return None if number == setup.plain_params.upgrade[1] else _token(setup, number)


def _team(setup: Setup, number: int) -> MoveWord:
    team = setup.board.teams[number]
    return MoveWord(team.name.en, team.name, element_id=f"team-{team.id}", icon=f"team-{team.id}")


def _placing(setup: Setup, *cubes: int) -> Sequence[MoveWord]:
    """Return the words for these numbers of cubes in each field, if any invention has as many spaces."""
    if not any(all(n <= limit for n, limit in zip(cubes, card.spaces, strict=True)) for card in setup.board.inventions):
        return ()
    return (
        MoveWord("place", message("Place cubes")),
        *(
            MoveWord(
                f"{n} {field.id}",
                message("{field}: {number}", field=field.name, number=n),
                icon=f"field-{field.id}",
                question=message("{field}: how many cubes?", field=field.name),
            )
            for n, field in zip(cubes, setup.board.fields, strict=True)
        ),
    )


def _patent(setup: Setup) -> Sequence[MoveWord]:
    return MoveWord("take", message("Take")), MoveWord(
        "patent", message("the patent"), element_id="patent", icon="patent", question=message("What will you take?")
    )


def _asked(before: str, question: Message) -> Parameter:
    return Parameter("inventor", INVENTORS, partial(_inventor, before), question)


SENT = _asked("", message("Who goes to work?"))
SENT_WITH_FEWER = _asked("with ", message("Who works with fewer cubes?"))
SENT_WITH_GENIUS = _asked("with ", message("Who has the stroke of genius?"))
UPGRADED = _asked("", message("Who takes the upgrade?"))
TURNED = Parameter("token", KINDS, _token_to_turn_over, message("Which token?"))
LEARNING = _asked("for ", message("Who learns a new field?"))
INVENTION = Parameter("invention", INVENTIONS, _invention, message("Which invention?"))
FIELD = Parameter("field", FIELDS, _field, message("Which field?"))

SPACE = MoveSpace(
    MoveKind("send", message("Send an inventor to work"), SENT, INVENTION),
    MoveKind("send fewer", message("Send with fewer cubes"), SENT_WITH_FEWER, INVENTION, rare=True),
    MoveKind("send genius", message("Send with a stroke of genius"), SENT_WITH_GENIUS, INVENTION, rare=True),
    MoveKind("upgrade", message("Upgrade an inventor"), UPGRADED, FIELD),
    MoveKind("turn", message("Turn a token over"), TURNED, LEARNING, FIELD),
    MoveKind("ready", message("Ready all inventors")),
    MoveKind("refresh", message("Use a refresh token")),
    MoveKind("pass", message("Pass")),
    MoveKind("done", message("Finish upgrading")),
    MoveKind("take patent", None, words=_patent),
    MoveKind(
        "take token",
        MoveWord("take", message("Take")),
        Parameter("token", KINDS, _token, message("What will you take?")),
    ),
    MoveKind("choose", message("Choose a team"), Parameter("team", TEAMS, _team, message("Which team?"))),
    MoveKind("place", None, *[Parameter(f"cubes {f}", MAX_SPACES + 1) for f in range(FIELDS)], words=_placing),
)
"""The move space.

Send an inventor to an invention: with all cubes that fit, with fewer, with strokes of genius; use tokens; make ready,
pass, end the upgrades; choose a reward or a team; place a number of cubes in each field.
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
    """Return the mode in which moves of this kind send an inventor; NOBODY for other kinds."""
    if kind == SEND:
        return ALL
    if kind == SEND_FEWER:
        return FEWER
    return GENIUS if kind == SEND_GENIUS else NOBODY


# The codes of draws: a team, a seat, an invention, a kind of token.
DRAWN_TEAM = 0
DRAWN_SEAT = DRAWN_TEAM + TEAMS
DRAWN_INVENTION = DRAWN_SEAT + MAX_SEATS
DRAWN_TOKEN = DRAWN_INVENTION + INVENTIONS


def draw_words(setup: Setup) -> Sequence[str]:
    """Return the texts of the draws: a team, the start player, an invention, a kind of token.

    Codes without a component in the box are "-" and a number.
    """
    board = setup.board
    cards = [card.id for card in board.inventions]
    kinds = [token.id for token in board.tokens]
    return [
        *(f"team {team.id}" for team in board.teams),
        *(f"seat {p + 1}" for p in range(MAX_SEATS)),
        *cards,
        *(f"- {n}" for n in range(len(cards), INVENTIONS)),
        *(f"token {kind}" for kind in kinds),
        *(f"- token {n}" for n in range(len(kinds), KINDS)),
    ]
