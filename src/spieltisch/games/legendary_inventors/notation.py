"""The moves of Legendary Inventors in words, and what a seat is asked.
 `send Archimedes to Bow`, `send fewer with Archimedes to Bow`, `place 1 physics 0 chemistry 1 mechanics 0
mathematics`, `upgrade Archimedes in mechanics`, `turn refresh for Hypatia in physics`, `take patent`: inventors and
inventions go by their English names, tokens and fields by their ids.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from spieltisch.core.moves import Word
from spieltisch.core.observation import Observation
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, message, messages
from spieltisch.games.legendary_inventors.going_on import exhausted
from spieltisch.games.legendary_inventors.sending import someone_works
from spieltisch.games.legendary_inventors.space import (
    CHOOSE_TEAM,
    DONE,
    MOVES,
    PASS,
    PLACE,
    READY,
    REFRESH,
    SENDINGS,
    TAKE_PATENT,
    TAKE_TOKEN,
    TURN_OVER,
    UPGRADE,
    digit,
)
from spieltisch.games.legendary_inventors.state import (
    ALL,
    FIELDS,
    FINAL,
    GENIUS,
    INVENTIONS,
    INVENTORS,
    PLACING,
    REWARD,
    TEAM,
)


def words(setup: Setup, number: int) -> tuple[Word, ...]:
    """The words of a move; empty when it has none on these components."""
    board = setup.board
    if number < 0 or number >= MOVES:
        return ()
    if number < UPGRADE:
        return _sending(board, number)
    if number < READY:
        return _upgrading(board, number)
    if number >= PLACE:
        return _placing(board, number)
    if number >= CHOOSE_TEAM:
        team = board.teams[number - CHOOSE_TEAM]
        return (
            Word("choose", message("Choose a team")),
            Word(team.name.en, team.name, place=f"team-{team.id}", mark=f"team-{team.id}"),
        )
    if number >= TAKE_TOKEN:
        kind = number - TAKE_TOKEN
        return (Word("take", message("Take")), token_word(board, kind)) if kind < len(board.tokens) else ()
    return {
        READY: (Word("ready", message("Make all inventors ready")),),
        REFRESH: (Word("refresh", message("Use a refresh token")),),
        PASS: (Word("pass", message("Pass")),),
        DONE: (Word("done", message("No more upgrades")),),
        TAKE_PATENT: (
            Word("take", message("Take")),
            Word("patent", message("the patent"), place="patent", mark="patent"),
        ),
    }[number]


def _sending(board: Any, number: int) -> tuple[Word, ...]:
    mode, n = divmod(number, SENDINGS)
    inventor, card = divmod(n, INVENTIONS)
    if card >= len(board.inventions):
        return ()
    one = board.inventors[inventor]
    verb = (
        Word("send", message("Send an inventor")),
        Word("send fewer", message("Send an inventor with fewer cubes")),
        Word("send genius", message("Send an inventor with a stroke of genius")),
    )[mode]
    return (
        verb,
        Word(one.name.en if mode == 0 else f"with {one.name.en}", one.name, place=f"inventor-{one.id}"),
        invention_word(board, card),
    )


def _upgrading(board: Any, number: int) -> tuple[Word, ...]:
    turning = number >= TURN_OVER
    n = number - (TURN_OVER if turning else UPGRADE)
    kind, n = divmod(n, INVENTORS * FIELDS)
    inventor, f = divmod(n, FIELDS)
    one, field = board.inventors[inventor], board.fields[f]
    in_field = Word(f"in {field.id}", field.name, mark=f"field-{field.id}")
    if not turning:
        return (
            Word("upgrade", message("Upgrade an inventor")),
            Word(one.name.en, one.name, place=f"inventor-{one.id}"),
            in_field,
        )
    if kind >= len(board.tokens) or (board.tokens[kind].kind, board.tokens[kind].value) == ("upgrade", 1):
        return ()
    return (
        Word("turn", message("Turn a token over")),
        token_word(board, kind),
        Word(f"for {one.name.en}", one.name, place=f"inventor-{one.id}"),
        in_field,
    )


def _placing(board: Any, number: int) -> tuple[Word, ...]:
    cubes = tuple(digit(number, f) for f in range(FIELDS))
    if not any(all(n <= most for n, most in zip(cubes, card.spaces, strict=True)) for card in board.inventions):
        return ()
    return (
        Word("place", message("Place cubes")),
        *(
            Word(
                f"{n} {field.id}",
                message("{field}: {number}", field=field.name, number=n),
                mark=f"field-{field.id}",
            )
            for n, field in zip(cubes, board.fields, strict=True)
        ),
    )


def token_word(board: Any, kind: int) -> Word:
    """A kind of token in a move."""
    token = board.tokens[kind]
    return Word(token.id, token.name, place=f"token-{token.id}", mark=f"token-{token.id}")


@cache
def _invention_word(name: Any, id_: str) -> Word:
    return Word(f"to {name.en}", name, place=f"invention-{id_}")


def invention_word(board: Any, card: int) -> Word:
    """An invention in a move."""
    one = board.inventions[card]
    return _invention_word(one.name, one.id)


def prompt(observation: Observation) -> Message:
    """What the player who decides is asked for."""
    view, board = observation.view, observation.setup.board
    if view.phase == TEAM:
        return message("Choose your team.")
    if view.phase == REWARD:
        return message(
            "Choose your reward for {invention}.", invention=board.inventions[view.slots[view.slot].card].name
        )
    if view.phase == FINAL:
        return message("Before the scoring: upgrade your inventors once more.")
    if view.phase == PLACING:
        inventor = board.teams[view.players[view.seat].team].inventors[view.inventor]
        name, card = board.inventors[inventor].name, board.inventions[view.slots[view.slot].card].name
        if view.mode == GENIUS:
            return message(
                "{inventor} works on {invention} with a stroke of genius: how many cubes in each field?",
                inventor=name,
                invention=card,
            )
        return message("{inventor} works on {invention}: how many cubes in each field?", inventor=name, invention=card)
    return _turn(view, observation.setup.plain_params)


def _turn(view: Any, table: Any) -> Message:
    """What a turn allows. Nobody is asked who has but one thing to do: who cannot send an inventor has a token."""
    me = view.players[view.seat]
    left = me.cubes
    if someone_works(view, table, ALL):
        if exhausted(me) == 0:
            return messages(
                "Your turn: send an inventor. You have {count} cube left.",
                "Your turn: send an inventor. You have {count} cubes left.",
                left,
            )
        return messages(
            "Your turn: send an inventor, or make all inventors ready. You have {count} cube left.",
            "Your turn: send an inventor, or make all inventors ready. You have {count} cubes left.",
            left,
        )
    if exhausted(me) > 0:
        return messages(
            "Your turn: make all inventors ready, or use a token. You have {count} cube left.",
            "Your turn: make all inventors ready, or use a token. You have {count} cubes left.",
            left,
        )
    return messages(
        "Your turn: none of your inventors can place a cube without tokens. Use a token, or pass. "
        "You have {count} cube left.",
        "Your turn: none of your inventors can place a cube without tokens. Use a token, or pass. "
        "You have {count} cubes left.",
        left,
    )


def draw_words(setup: Setup) -> Sequence[str]:
    """What chance can give: a team, the start player, an invention, a kind of token; "-" and a number for what is
    not in the box.
    """
    from spieltisch.games.legendary_inventors.state import KINDS, MOST_SEATS

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
