"""Games of Era of Inventions played on until a moment is found, as tables in a file: see `laid`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from spieltisch.bots import choose
from spieltisch.core.position import Position
from spieltisch.games.era_of_inventions.state import Action, Phase
from tests.web.prepared_tables import NAMES, Layout, Pick

GAME = "era-of-inventions"
Until = Callable[[Position], bool]
"""A function that returns True for the position to stop at."""


def start(position: Position) -> bool:
    return True


def late(position: Position) -> bool:
    """Return True towards the end, when a seat is carrying out an action and fields are patented."""
    view: Any = position.observe(None).view
    return bool(view.round_number >= 7 and view.phase == Phase.ACTING and patents(view) >= 4)


def exchanging(position: Position) -> bool:
    """Return True late in the game, when a seat has exchanged goods and may exchange more."""
    view: Any = position.observe(None).view
    return bool(
        view.round_number >= 5 and view.action == Action.MARKET and view.phase == Phase.ACTING and sum(view.used) >= 1
    )


def producing(position: Position) -> bool:
    """Return True late in the game, when a seat has produced a card and may produce more."""
    view: Any = position.observe(None).view
    return bool(
        view.round_number >= 6 and view.action == Action.PRODUCE and view.phase == Phase.ACTING and view.done_steps >= 1
    )


def bonus(position: Position) -> bool:
    """A player may use a bonus disc, in more ways than anywhere else."""
    return bool(position.observe(None).view.phase == Phase.BONUS and len(position.legal_moves) >= 76)


def over(position: Position) -> bool:
    """The game is played to its end."""
    return position.is_over


def paying_a_patent(position: Position) -> bool:
    """The player to act can produce a counterfeit, with several mixes, that pays another player for a patent."""
    moves = after(position, "use produce inventions", "produce ")
    cards = {move.partition(" for ")[0] for move in moves if " counterfeit for " in move}
    return any(sum(move.startswith(f"{card} for") for move in moves) > 2 and pays_for(position, card) for card in cards)


def pays_for(position: Position, card: str) -> bool:
    """Return True if another player holds a patented field of the invention that this card counterfeits."""
    view: Any = position.observe(None).view
    name = card.removeprefix("produce ").removesuffix(" counterfeit").replace(" ", "-")
    invention_number = [invention.id for invention in position.setup.board.inventions].index(name)
    return any(view.patented[invention_number][k] and view.holder[invention_number][k] != view.seat for k in range(2))


def building(position: Position) -> bool:
    """The seat to act can build a factory."""
    return any(str(move).startswith("build ") for move in position.legal_moves)


def building_more(position: Position) -> bool:
    """Return True when a seat has built a factory and may build one of several others."""
    view: Any = position.observe(None).view
    others = [move for move in map(str, position.legal_moves) if move.startswith("build ")]
    return bool(view.action == Action.BUILD and view.done_steps and len(others) > 2)


def buying(position: Position) -> bool:
    """The player to act can buy a load."""
    return any(str(move).startswith("buy ") for move in position.legal_moves)


def developing(position: Position) -> bool:
    """The player to act can develop several fields."""
    return len(after(position, "use develop or patent", "develop ")) > 2


def patenting(position: Position) -> bool:
    """The player to act can patent one of several fields."""
    return len(after(position, "use develop or patent", "patent ")) > 1


def exchanging_soon(position: Position) -> bool:
    """The player to act can exchange goods, and then use a bonus disc."""
    view: Any = position.observe(None).view
    return bool(view.players[view.seat].bonus) and len(after(position, "use exchange market", "exchange ")) > 8


def giving_up(position: Position) -> bool:
    """The player to act can only take one of two discs back unused."""
    return len(position.legal_moves) > 1 and all(str(move).startswith("take back ") for move in position.legal_moves)


def after(position: Position, move: str, begin: str) -> list[str]:
    """The moves that begin like this and are legal after a move; none when it is not legal itself."""
    if move not in map(str, position.legal_moves):
        return []
    later = position.copy()
    later.play(move)
    return [str(move) for move in later.legal_moves if str(move).startswith(begin)]


def patents(view: Any) -> int:
    return sum(int(n) for fields in view.patented for n in fields)


def well(until: Until, bot: str = "easy") -> Pick:
    """As the easy bot plays, or another one, until the moment that is looked for."""

    def pick(position: Position) -> str | None:
        if until(position):
            return None
        return choose(bot, position.observe(position.seat).bytes, seed=position.number)

    return pick


def table(seats: int, until: Until, seed: int = 0, names: Sequence[str] = NAMES, **options: str) -> Layout:
    """A table of so many people on one device, at the moment that is looked for."""
    return Layout(GAME, names[1:seats], bytes([seats, seed, *bytes(30)]), well(until), options)
