"""The state of Era of Inventions in JSON, in the terms of the game."""

from collections.abc import Mapping
from typing import Any

from spieltisch.core import twin
from spieltisch.core.documents import (
    Codec,
    boolean,
    choice,
    conditional,
    field_at,
    items_at,
    list_of,
    mapping,
    named_list,
    number,
    one_based,
    optional,
)
from spieltisch.core.errors import DocumentError
from spieltisch.core.setup import Setup
from spieltisch.games.era_of_inventions import state
from spieltisch.games.era_of_inventions.board import GOODS as KIND_WORDS
from spieltisch.games.era_of_inventions.refusals import E54, RULES
from spieltisch.games.era_of_inventions.rules.factories import give_factory
from spieltisch.games.era_of_inventions.state import GOLD, NOBODY, NONE, SILVER, Action, Phase, Way

SOURCES = ("inventing", "patents", "production", "paid by others", "factories", "market", "most patents",
           "most invested", "most capacity")  # fmt: skip
"""The ids of the sources of influence, by their numbers."""
PILES = ("pile", "discards", "fresh", "aside", "gone")
"""The fields of the state that are piles of cards."""
FACTORY_PILES = ("factory_pile", "factory_discards")
"""The fields of the state that are piles of factories."""
NUMBERS = ("influence", "hand", "bonus", "bought", "markers", "steps")
"""The fields of a player that are plain numbers."""


def form(setup: Setup) -> Codec:
    """Return the codec for states with these components."""
    contents, seat = setup.board.contents, one_based(setup.seats)
    cards, works = [card.id for card in setup.board.cards], [works.id for works in setup.board.works]
    actions = [action.id for action in contents.actions]
    action = mapping(
        field=field_at(choice(actions), "action"),
        done=field_at(number(maximum=99), "done_steps"),
        stones=field_at(number(maximum=99), "spent"),
        way=choice(Way),
        boxes=field_at(named_list([box.id for box in contents.market], number(maximum=99)), "used"),
    )
    turn_limits = setup.plain_params.turn_limits != 0
    acting = (Phase.ACTING, Phase.LAST_EXCHANGE, *([Phase.BONUS] if turn_limits else ()))
    supply = {kind: field_at(number(-9999), "supply", k) for k, kind in enumerate(KIND_WORDS)}
    supply["bonus disc"] = field_at(number(maximum=999), "bonus_supply")
    player = mapping(
        goods=named_list(KIND_WORDS),
        earned=named_list(SOURCES),
        factories=items_at(works, "owner", lambda p: p, nowhere=NOBODY),
        **dict.fromkeys(NUMBERS, number()),
    )

    def field(i: int, k: int) -> Codec:
        return mapping(holder=field_at(optional(seat), "holder", i, k), patented=field_at(boolean(), "patented", i, k))

    inventions = {
        invention.id: mapping(gold=field(i, GOLD), silver=field(i, SILVER))
        for i, invention in enumerate(setup.board.inventions)
    }
    return mapping(
        phase=choice(Phase),
        seat=conditional(lambda s: s.phase != Phase.OVER, seat),
        ended_by=conditional(lambda s: s.phase == Phase.OVER, choice({E54: RULES[E54]})),
        round=field_at(number(1, setup.plain_params.rounds), "round_number"),
        start_player=field_at(seat, "first"),
        action=conditional(lambda s: s.phase in acting, _if_any(action) if turn_limits else action),
        new_original=boolean(),
        discs=named_list(actions, list_of(optional(seat), state.SPACES)),
        inventions=mapping(**inventions),
        row=list_of(optional(choice(cards)), state.ROW),
        factory_row=list_of(optional(choice(works)), state.FACTORY_ROW),
        stores=field_at(named_list([store.id for store in contents.stores]), "load"),
        supply=mapping(**supply),
        players=list_of(player, setup.seats),
        **dict.fromkeys(PILES, items_at(cards)),
        **dict.fromkeys(FACTORY_PILES, items_at(works)),
    )


def _if_any(action: Codec) -> Codec:
    """Return a codec for an action or null.

    Before a bonus disc, it is the action whose factories or patents still count (R24).
    """
    return Codec(
        lambda value, at: None if value.action == NONE else action.write(value, at),
        lambda raw, value, at: value if raw is None else action.read(raw, value, at),
        is_whole_record=True,
    )


def restore(setup: Setup, document: Mapping[str, Any]) -> Any:
    """Return the plain twin of the state that a position document describes, with derived fields recomputed.

    Raise DocumentError, which names the field.
    """
    s = twin.new(state.State)
    s.seats, s.seat, s.action, s.owner[:] = setup.seats, NOBODY, NONE, [NOBODY] * state.FACTORIES
    setup.document_form.restore(s, document)
    for factory, p in enumerate(s.owner):
        if p != NOBODY:
            give_factory(s, setup.plain_params, p, factory)
    for card in setup.board.cards:
        places = sum(getattr(s, name)[card.number] for name in PILES) + s.row.count(card.number)
        if places != 1:
            raise DocumentError(f"{card.id}: the card lies in {places} places")
    for works in setup.board.works:
        f = works.number
        places = sum(getattr(s, name)[f] for name in FACTORY_PILES) + s.factory_row.count(f) + (s.owner[f] != NOBODY)
        if places != 1 and not (f < state.START_FACTORIES and places == 0):
            raise DocumentError(f"{works.id}: the factory lies in {places} places")
    _require_consistent_turn(setup, s)
    return s


def _require_consistent_turn(setup: Setup, s: Any) -> None:
    """Raise DocumentError unless discs and action let the seat to move continue."""
    on_board = [p for spaces in s.discs for p in spaces if p != NOBODY]
    for action, (first, second) in zip(setup.board.contents.actions, s.discs, strict=True):
        if first == second != NOBODY:
            raise DocumentError(f"discs.{action.id}: both spaces are one player's")
    for p in range(setup.seats):
        if s.players[p].hand + on_board.count(p) > setup.plain_params.action_discs:
            raise DocumentError(f"players.{p + 1}.hand: more action discs than a player has")
    unbegun = s.way == Way.UNDECIDED and s.spent == 0 and not any(s.used)
    fits = {
        Phase.ACTING: s.action != NONE and s.seat in s.discs[s.action],
        Phase.BONUS: s.action == NONE or (s.action in (Action.BUILD, Action.DEVELOP) and s.done_steps > 0 and unbegun),
        Phase.LAST_EXCHANGE: s.action == Action.MARKET,
    }
    if not fits.get(s.phase, True):
        raise DocumentError("action: it does not fit the phase and the discs")
    if s.phase == Phase.PLACING and s.players[s.seat].hand == 0:
        raise DocumentError("seat: no disc is left to be placed")
    if s.phase == Phase.CHOOSING and s.seat not in on_board:
        raise DocumentError("seat: no disc lies on the board")
