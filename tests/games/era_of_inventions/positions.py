"""Build positions of Era of Inventions for the tests of its rules.

`position_with` lays out the same board every time; a test names the differences. By default, the row has the first
seven start cards in the order of the component file, the factory row the first five factories without an owner (coal
mines 1 to 4 and sawmill 1), ships and warehouses are full, players have the goods of the set-up and all discs in hand,
and seat 1 is the start player.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import spieltisch
from spieltisch.core.components import Components
from spieltisch.core.events import GameEvent
from spieltisch.core.game import Game
from spieltisch.core.position import Position
from spieltisch.core.words import Message, Name, SeatName, Value, Words
from spieltisch.games.era_of_inventions.goods_text import amounts, card_name, field_name
from spieltisch.games.era_of_inventions.log import EVENTS
from spieltisch.games.era_of_inventions.refusals import REASONS
from spieltisch.games.era_of_inventions.state import GOLD, SILVER, Action
from tests.games.declared_sentences import event_text, reason_text
from tests.games.refusals import refused
from tests.sentences import sentence_after

BOARD = spieltisch.game("era-of-inventions").setup(3).board
KINDS = ("wood", "coal", "metal", "technology", "tool", "coin", "stone")
ACTIONS = (
    "build factories",
    "produce resources",
    "buy resources",
    "produce inventions",
    "exchange market",
    "develop or patent",
)
BUILD, YIELD, BUY, PRODUCE, MARKET, DEVELOP = ACTIONS
PILES = ("pile", "discards", "fresh", "gone")


def position_with(
    game: Game,
    *,
    seats: int = 4,
    seat: int = 1,
    phase: str | None = None,
    action: str | None = None,
    done: int = 0,
    stones: int = 0,
    way: str = "undecided",
    boxes: Mapping[str, int] | None = None,
    round_number: int = 1,
    start: int = 1,
    discs: Mapping[str, Sequence[int]] | None = None,
    goods: Mapping[int, Mapping[str, int]] | None = None,
    numbers: Mapping[int, Mapping[str, int]] | None = None,
    holders: Mapping[str, int] | None = None,
    patents: Iterable[str] = (),
    row: Sequence[str | None] | None = None,
    piles: Mapping[str, Sequence[str]] | None = None,
    factory_row: Sequence[str | None] | None = None,
    factory_discards: Sequence[str] = (),
    factory_pile: Sequence[str] | None = None,
    owned: Mapping[int, Sequence[str]] | None = None,
    loads: Mapping[str, int] | None = None,
    bonus_supply: int | None = None,
    new_original: bool = False,
    components: Components[Any] | None = None,
    **options: Any,
) -> Position:
    """Return a position in which seat `seat` (from 1) decides.

    With an `action` and no phase the seat carries it out; its disc is put there. `goods` replaces kinds of a seat's
    goods, `numbers` its influence, bonus discs (`bonus`, `bought`), `markers` and `steps`; `holders` says who holds a
    field ("telephone gold"); `piles` where cards are that are not on the row (the rest: aside, or start cards in the
    pile).
    """
    setup = game.setup(seats, components, **options)
    state = Position.start(setup, seed=1).document()["state"]
    discs_by_action = {name: list(seated) for name, seated in (discs or {}).items()}
    if action and phase != "last exchange" and seat not in discs_by_action.setdefault(action, []):
        discs_by_action[action].append(seat)
    state |= {
        "phase": phase or ("acting" if action else "choosing" if discs else "placing"),
        "seat": seat,
        "round": round_number,
        "start_player": start,
        "new_original": new_original,
        "discs": {_id(name): [*discs_by_action.get(name, []), None, None][:2] for name in ACTIONS},
        "action": None
        if action is None or phase == "bonus"
        else {
            "field": _id(action),
            "done": done,
            "stones": stones,
            "way": way,
            "boxes": {"upper": 0, "middle": 0, "lower": 0, **(boxes or {})},
        },
    }
    _lay_cards(setup, state, row, piles or {})
    _lay_factories(setup, state, factory_row, factory_discards, factory_pile, owned or {})
    for field, holder in (holders or {}).items():
        _field(state, field)["holder"] = holder
    for field in patents:
        _field(state, field)["patented"] = True
    for store, cubes in (loads or {}).items():
        state["stores"][_id(store)] = cubes
    for p in range(1, seats + 1):
        player = state["players"][p - 1]
        player["goods"] |= (goods or {}).get(p, {})
        player["hand"] = setup.plain_params.action_discs - sum(seats.count(p) for seats in discs_by_action.values())
        fields = [
            field for invention in state["inventions"].values() for field in invention.values() if field["holder"] == p
        ]
        player["markers"] = 15 - len(fields) - sum(field["patented"] for field in fields)
        player |= (numbers or {}).get(p, {})
        player["earned"]["inventing"] = player["influence"]
    _balance(setup, state)
    if bonus_supply is not None:
        state["supply"]["bonus disc"] = bonus_supply
    return Position.of_twin(setup, game.restore(setup, state))


def _id(words: str) -> str:
    return words.replace(" ", "-")


def _field(state: dict[str, Any], words: str) -> dict[str, Any]:
    name, _, field = words.rpartition(" ")
    value: dict[str, Any] = state["inventions"][_id(name)][field]
    return value


def _lay_cards(
    setup: Any, state: dict[str, Any], row: Sequence[str | None] | None, piles: Mapping[str, Sequence[str]]
) -> None:
    cards = [card.id for card in setup.board.cards]
    on_row = [None if card is None else _id(card) for card in row] if row is not None else list(cards[:7])
    state["row"] = (on_row + [None] * 7)[:7]
    cards_on_row = {card for card in on_row if card}
    for name in PILES:
        state[name] = sorted((_id(card) for card in piles.get(name, ())), key=cards.index)
        cards_on_row |= set(state[name])
    if "pile" not in piles:
        state["pile"] = [card for card in cards[:12] if card not in cards_on_row]
        cards_on_row |= set(state["pile"])
    state["aside"] = [card for card in cards if card not in cards_on_row]


def _lay_factories(
    setup: Any,
    state: dict[str, Any],
    row: Sequence[str | None] | None,
    discards: Sequence[str],
    pile: Sequence[str] | None,
    owned: Mapping[int, Sequence[str]],
) -> None:
    works = [works.id for works in setup.board.works]
    taken_factories = {
        _id(card_name)
        for card_name in (*discards, *(card_name for card_names in owned.values() for card_name in card_names))
    }
    first = [card for card in works[5:] if card not in taken_factories][:5]
    state["factory_row"] = [None if card is None else _id(card) for card in row] if row is not None else first
    state["factory_discards"] = sorted(map(_id, discards), key=works.index)
    for p in range(1, setup.seats + 1):
        state["players"][p - 1]["factories"] = sorted({works[p - 1], *map(_id, owned.get(p, ()))}, key=works.index)
    factories_in_play = {*state["factory_row"], *state["factory_discards"]}
    factories_in_play |= {card for player in state["players"] for card in player["factories"]}
    remaining_cards = [card for card in works[5:] if card not in factories_in_play]
    state["factory_pile"] = remaining_cards if pile is None else sorted(map(_id, pile), key=works.index)
    if pile is not None:  # the others lie with the last seat, so that every card is somewhere
        state["players"][-1]["factories"] += [card for card in remaining_cards if card not in state["factory_pile"]]


def _balance(setup: Any, state: dict[str, Any]) -> None:
    c, stores = setup.plain_params, setup.board.contents.stores
    for k, kind in enumerate(KINDS):
        held_count = sum(player["goods"][kind] for player in state["players"])
        stored_goods = sum(state["stores"][store.id] for store in stores if store.good == kind)
        state["supply"][kind] = c.total[k] - held_count - stored_goods
    state["supply"]["bonus disc"] = max(0, c.bonus_total - sum(player["bonus"] for player in state["players"]))


# Looking at a position.


def goods(position: Position, seat: int) -> dict[str, int]:
    """Return the goods of a seat (from 1), without the kinds of which it has none."""
    return {kind: n for kind, n in position.document()["state"]["players"][seat - 1]["goods"].items() if n}


def count_of_good(position: Position, seat: int, kind: str) -> int:
    """Return the number of goods of a kind that a seat holds."""
    return int(position.document()["state"]["players"][seat - 1]["goods"][kind])


def number(position: Position, seat: int, name: str) -> int:
    """Return a seat's influence, bonus discs, markers, steps or discs in hand."""
    return int(position.document()["state"]["players"][seat - 1][name])


def field(position: Position, words: str) -> tuple[int | None, bool]:
    """Return the holder of a field, and whether it is patented."""
    values = _field(position.document()["state"], words)
    return values["holder"], values["patented"]


def row(position: Position) -> list[str | None]:
    """Return the invention row along its path."""
    return [None if card is None else card.replace("-", " ") for card in position.document()["state"]["row"]]


def factory_row(position: Position) -> list[str | None]:
    """Return the factory row from the left."""
    return [None if card is None else card.replace("-", " ") for card in position.document()["state"]["factory_row"]]


def pile(position: Position, name: str) -> set[str]:
    """Return the cards of a pile."""
    return {card.replace("-", " ") for card in position.document()["state"][name]}


def phase(position: Position) -> tuple[str, int | None]:
    """Return the phase of the turn, and the seat that decides (from 1)."""
    state = position.document()["state"]
    return state["phase"], state["seat"]


def moves(position: Position, first: str = "") -> set[str]:
    """Return the legal moves that begin with a word."""
    return {move.text for move in position.legal_moves if move.text.startswith(first)}


def refusing_rule(position: Position, move: str) -> str:
    """Return the rule that forbids a move."""
    return refused(position, move)[0]


def play(position: Position, *played_moves: str) -> Position:
    """Play moves one after another and check the sums of pieces."""
    for move in played_moves:
        events(position, move)
    return position


def events(position: Position, move: str) -> tuple[GameEvent, ...]:
    """Play a move, check the sums of pieces, and return its events."""
    totals = position.setup.game.totals(position)
    move_result = position.play(move, collect_events=True)
    assert position.setup.game.totals(position) == totals, move
    return move_result.events


def log(position: Position, move: str, recorded_draws: Sequence[str] = ()) -> list[str]:
    """Play a move, check the sums of pieces, and return its log in English."""
    move_result = position.play(move, list(recorded_draws) or None, collect_events=True)
    log_lines = position.setup.game.log(position.setup, move_result.events, None)
    return [str(Words("en").say(message)) for message in log_lines]


# What the game says, by the codes that it declares.


def reason(code: int, **values: Value) -> tuple[str, str]:
    """Return the rule and the English sentence of a reason, as `refused` does."""
    return reason_text(REASONS, code, values)


def log_line(code: int, seat: int | None, **values: Value) -> str:
    """Return the English sentence of an event, as `log` does."""
    return event_text(EVENTS, code, seat, values)


def all_yield_line(seat: int, **numbers: int) -> str:
    """Return the English sentence of the log for the goods that all factories of a seat yield."""
    action = BOARD.contents.actions[Action.YIELD].name
    return sentence_after(
        "games/era_of_inventions/log.py",
        "def _all_yield",
        player=SeatName(seat - 1),
        action=action,
        goods=goods_text(**numbers),
    )


def goods_text(**numbers: int) -> Value:
    """Return goods in words: `wood=2, influence=1`."""
    return amounts(BOARD, [numbers.pop(kind, 0) for kind in (*KINDS, "influence", "bonus_disc")])


def card_text(words: str) -> Message | Name:
    """Return the name of a card in sentences: "telephone a"."""
    return card_name(next(card for card in BOARD.cards if card.id == _id(words)))


def factory_name(words: str) -> Name:
    """Return the name of a factory: "foundry 1"."""
    name: Name = next(factory.name for factory in BOARD.works if factory.id == _id(words))
    return name


def field_text(words: str) -> Value:
    """Return the name of a field in sentences: "telephone gold"."""
    name, _, kind = words.rpartition(" ")
    inventions = [invention.id for invention in BOARD.inventions]
    return field_name(BOARD, inventions.index(_id(name)), GOLD if kind == "gold" else SILVER)
