"""Describe tables of Era of Inventions played to a certain position, which `prepared` stores in a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from spieltisch.bots import choose
from spieltisch.core.position import Position
from spieltisch.games.era_of_inventions.state import Action, Phase
from tests.web.prepared_tables import NAMES, Layout, Pick

GAME = "era-of-inventions"
GAMES: Final = {
    setup: tuple(map(int, moves.split()))
    for setup, moves in (
        line.split(": ") for line in Path(__file__).with_name("easy_games.txt").read_text("utf-8").splitlines()
    )
}
"""The moves of games between easy bots, by seats, seed and options: a change of these bots changes no position."""
Until = Callable[[Position], bool]
"""A function that returns True for the position to stop at."""


def is_start(position: Position) -> bool:
    return True


def is_late_action(position: Position) -> bool:
    """Return True towards the end, when a seat is carrying out an action and fields are patented."""
    view: Any = position.observe(None).view
    return bool(view.round_number >= 7 and view.phase == Phase.ACTING and patent_count(view) >= 4)


def can_exchange_more(position: Position) -> bool:
    """Return True late in the game, when a seat has exchanged goods and may exchange more."""
    view: Any = position.observe(None).view
    return bool(
        view.round_number >= 5 and view.action == Action.MARKET and view.phase == Phase.ACTING and sum(view.used) >= 1
    )


def can_produce_more(position: Position) -> bool:
    """Return True late in the game, when a seat has produced a card and may produce more."""
    view: Any = position.observe(None).view
    return bool(
        view.round_number >= 6 and view.action == Action.PRODUCE and view.phase == Phase.ACTING and view.done_steps >= 1
    )


def can_use_bonus_disc_in_many_ways(position: Position) -> bool:
    """Return True if a seat may use a bonus disc in many ways."""
    return bool(position.observe(None).view.phase == Phase.BONUS and len(position.legal_moves) >= 76)


def is_over(position: Position) -> bool:
    """Return True if the game is over."""
    return position.is_over


def can_pay_for_patent(position: Position) -> bool:
    """Return True if a seat can produce a counterfeit, with several mixes, that pays for a patent."""
    moves = moves_after(position, "use produce inventions", "produce ")
    cards = {move.partition(" for ")[0] for move in moves if " counterfeit for " in move}
    return any(
        sum(move.startswith(f"{card} for") for move in moves) > 2 and pays_patent_holder(position, card)
        for card in cards
    )


def pays_patent_holder(position: Position, card: str) -> bool:
    """Return True if another player holds a patented field of the invention that this card counterfeits."""
    view: Any = position.observe(None).view
    name = card.removeprefix("produce ").removesuffix(" counterfeit").replace(" ", "-")
    invention_number = [invention.id for invention in position.setup.board.inventions].index(name)
    return any(view.patented[invention_number][k] and view.holder[invention_number][k] != view.seat for k in range(2))


def can_build(position: Position) -> bool:
    """Return True if the deciding seat can build a factory."""
    return any(str(move).startswith("build ") for move in position.legal_moves)


def can_build_more(position: Position) -> bool:
    """Return True when a seat has built a factory and may build one of several others."""
    view: Any = position.observe(None).view
    other_builds = [move for move in map(str, position.legal_moves) if move.startswith("build ")]
    return bool(view.action == Action.BUILD and view.done_steps and len(other_builds) > 2)


def can_buy(position: Position) -> bool:
    """Return True if the deciding seat can buy a load."""
    return any(str(move).startswith("buy ") for move in position.legal_moves)


def can_develop(position: Position) -> bool:
    """Return True if the deciding seat can develop several fields."""
    return len(moves_after(position, "use develop or patent", "develop ")) > 2


def can_patent(position: Position) -> bool:
    """Return True if the deciding seat can patent one of several fields."""
    return len(moves_after(position, "use develop or patent", "patent ")) > 1


def can_exchange_and_use_bonus_disc(position: Position) -> bool:
    """Return True if the deciding seat can exchange goods and then use a bonus disc."""
    view: Any = position.observe(None).view
    return bool(view.players[view.seat].bonus) and len(moves_after(position, "use exchange market", "exchange ")) > 8


def can_only_take_back_discs(position: Position) -> bool:
    """Return True if the deciding seat can only take one of two discs back unused."""
    return len(position.legal_moves) > 1 and all(str(move).startswith("take back ") for move in position.legal_moves)


def moves_after(position: Position, move: str, start_of_turn: str) -> list[str]:
    """Return the moves with this beginning that are legal after a move, or none if the move is illegal."""
    if move not in map(str, position.legal_moves):
        return []
    later_position = position.copy()
    later_position.play(move)
    return [str(move) for move in later_position.legal_moves if str(move).startswith(start_of_turn)]


def patent_count(view: Any) -> int:
    return sum(int(n) for fields in view.patented for n in fields)


def bot_choices_until(is_moment: Until, bot: str = "easy") -> Pick:
    """Return a function that plays like a bot until the wanted position."""

    def choose_move(position: Position) -> str | None:
        if is_moment(position):
            return None
        return choose(bot, position.observe(position.seat).bytes, seed=position.number)

    return choose_move


def recorded_moves_until(is_moment: Until, recorded: Sequence[int]) -> Pick:
    """Return a function that plays the moves of a recorded game until the wanted position."""

    def choose_move(position: Position) -> str | None:
        return None if is_moment(position) else position.setup.move(recorded[position.number]).text

    return choose_move


def layout_at(seats: int, is_moment: Until, seed: int = 0, names: Sequence[str] = NAMES, **options: str) -> Layout:
    """Describe a table with this number of people on one device, played to the wanted position of a recorded game."""
    recorded = GAMES[" ".join([f"{seats} {seed}", *(f"{name}={value}" for name, value in options.items())])]
    return Layout(
        GAME, names[1:seats], bytes([seats, seed, *bytes(30)]), recorded_moves_until(is_moment, recorded), options
    )
