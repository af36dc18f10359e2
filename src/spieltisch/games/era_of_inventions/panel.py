"""What one observation of Era of Inventions shows: fields, rows, stores, inventions, tracks, market. `players.py` has
the players, `end.py` the scoring. All is public (R37): every perspective is shown the same, its own player first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from spieltisch.drawing import Scene
from spieltisch.games.era_of_inventions import layout
from spieltisch.games.era_of_inventions.board import GOODS as KIND_WORDS
from spieltisch.games.era_of_inventions.board import Board, Card, FactoryTile
from spieltisch.games.era_of_inventions.end_table import earned, sources
from spieltisch.games.era_of_inventions.goods_text import amount, amounts, card_name
from spieltisch.games.era_of_inventions.moves import MARKET_STONE, PATENT_TRACK, market_place
from spieltisch.games.era_of_inventions.player_rows import holdings
from spieltisch.games.era_of_inventions.rules.producing import holder_to_pay
from spieltisch.games.era_of_inventions.rules.stores import fill_stores
from spieltisch.games.era_of_inventions.state import (
    BONUS_DISC,
    COIN,
    GOLD,
    INFLUENCE,
    NOBODY,
    NONE,
    ROW,
    START_CARDS,
    STONE,
    Action,
    Phase,
)

SIGNS = (*(f"good-{kind}" for kind in KIND_WORDS), "influence", "bonus-disc")
"""The sign of each kind of goods, of influence and of bonus discs, by number."""

FIELDS = ("gold", "silver")


def symbols_of(params: Any) -> list[str]:
    """The sign on each space of the influence track (E46), "" on those without."""
    return [SIGNS[kind] if kind != NONE else "" for kind in params.symbol[: params.spaces]]


class EraScene(Scene):
    """The boards that one observation shows, in words."""

    board: Board

    def context(self) -> dict[str, Any]:
        return super().context() | {
            "round": self.round(),
            "tracks": self.tracks(),
            "actions": self.actions(),
            "row": self.row(),
            "piles": self.piles(),
            "factory_row": self.factory_row(),
            "stores": self.stores(),
            "inventions": self.inventions(),
            "steps": self.steps(),
            "market": self.market(),
            "stones": self.stones(),
            "players": [self.player(seat) for seat in self.seats_from_viewer],
        }

    def player(self, seat: int) -> dict[str, Any]:
        return super().player(seat) | {"colour": self.colour(seat)} | holdings(self, seat)

    def end(self) -> dict[str, Any]:
        return super().end() | {"sources": sources(self)}

    def score_row(self, player: Mapping[str, Any]) -> dict[str, Any]:
        return earned(self, player["seat"])

    def rank_key(self, row: Mapping[str, Any]) -> tuple[int, ...]:
        """The influence, then the inventions (E58)."""
        return row["total"], row["inventions"]

    def colour(self, seat: int) -> str:
        return self.board.contents.colours[seat].id

    def person(self, seat: int) -> dict[str, Any] | None:
        """A player's plate: the sign of the colour, and the name; None for nobody."""
        if seat == NOBODY:
            return None
        return {"seat": seat, "name": self.name(seat)}

    def goods(self, row: Sequence[int], any_cubes: int = 0) -> dict[str, Any]:
        """Goods as signs with their numbers, and the same in words. `row` goes on with influence and bonus discs."""
        signs = [{"sign": SIGNS[kind], "count": number} for kind, number in enumerate(row) if number]
        if any_cubes:
            signs.append({"sign": "good-any", "count": any_cubes})
        return {"signs": signs, "text": self.say(amounts(self.board, row, any_cubes)) if signs else ""}

    def supply(self, row: Sequence[int]) -> list[dict[str, Any]]:
        """All that the box holds, what has run out, too."""
        left = enumerate(max(0, number) for number in row)
        return [{"sign": SIGNS[k], "count": n, "text": self.say(amount(self.board, k, n))} for k, n in left]

    def give_and_gain(self, kind: int, number: int, influence: int) -> dict[str, str]:
        """What something costs, and the influence it gives, in words."""
        return {
            "cost": self.say(amount(self.board, kind, number)),
            "influence": self.say(amount(self.board, INFLUENCE, influence)),
        }

    # --- The round, the fields, the influence track. ---

    def round(self) -> dict[str, Any]:
        first = self.person(self.view.first)
        return {"number": self.view.round_number, "all": self.params.rounds, "start": first}

    def actions(self) -> list[dict[str, Any]]:
        """The six action fields with the discs on them (E12 to E14)."""
        under_way = self.view.action if self.view.phase not in (Phase.BONUS, Phase.OVER) else NONE
        return [
            {
                "id": action.id,
                "name": self.say(action.name),
                "discs": [self.person(seat) for seat in sorted(self.view.discs[n], reverse=True)],
                "now": n == under_way,
                "last": action.id in self.marked_elements,
            }
            for n, action in enumerate(self.board.contents.actions)
        ]

    def tracks(self) -> list[dict[str, Any]]:
        """The influence track with the pawns on it (R36), once for much room and once for little."""
        at = [int(self.view.players[seat].influence % self.params.spaces) for seat in self.seats]
        return [layout.track(self.params.spaces, at, look) for look in layout.ROWS]

    def symbol_after(self, influence: int) -> dict[str, Any] | None:
        """The next space with a symbol: how far it is, and what it gives; None where symbols give nothing any more
        (R10).
        """
        phase = self.view.phase
        if phase == Phase.OVER or (phase == Phase.LAST_EXCHANGE and not self.params.last_symbols):
            return None
        for far in range(1, self.params.spaces + 1):
            kind = self.params.symbol[(influence + far) % self.params.spaces]
            if kind != NONE:
                return {"far": far, "sign": SIGNS[kind], "name": self.say(self.board.kinds[kind])}
        return None

    # --- The two rows. ---

    @property
    def last_round(self) -> bool:
        """Whether the last round is on, or over: then E47 to E53 are dropped (E54)."""
        return bool(self.view.round_number == self.params.rounds)

    def arrows(self, spaces: int, leave: int) -> range:
        """The spaces of a row from which cards leave at the end of the round."""
        return range(0) if self.last_round else range(spaces - leave, spaces)

    def row(self) -> list[dict[str, Any]]:
        """The invention row along its path (E8), with what leaves at the end of the round (E47, E48)."""
        arrows = self.arrows(ROW, self.params.cards_leave)
        return [
            {
                "space": n,
                "arrow": n in arrows,
                "leaves": n in arrows or (not self.last_round and NONE < number < START_CARDS),
                "card": self.card(self.board.cards[number]) if number != NONE else None,
            }
            for n, number in enumerate(self.view.row)
        ]

    def card(self, card: Card) -> dict[str, Any]:
        """A card: cost, yield, and whom producing it pays."""
        return {
            "id": card.id,
            "kind": card.kind,
            "name": self.say(card.name),
            "title": self.say(card_name(card)),
            "letter": card.letter,
            "sign": f"invention-{self.board.inventions[card.invention].id}" if card.invention >= 0 else "start-card",
            "cost": self.goods(card.cost, card.any),
            "gain": self.goods(card.gain),
            "pays": self.pays(card),
            "last": card.id in self.marked_elements,
        }

    def pays(self, card: Card) -> list[dict[str, Any]]:
        """The holders whom producing the card pays, when somebody else does it (E24 to E26)."""
        paid = [(k, int(holder_to_pay(self.view, self.params, card.number, k))) for k in range(2)]
        return [
            {**(self.person(seat) or {}), "what": self.goods(self.params.reward[card.invention][k])}
            for k, seat in paid
            if seat != NOBODY
        ]

    def factory_row(self) -> list[dict[str, Any]]:
        """The factory row from the left, with what leaves at the end of the round (E51)."""
        arrows = self.arrows(len(self.view.factory_row), self.params.factories_leave)
        return [
            {
                "space": n,
                "arrow": n in arrows,
                "leaves": n in arrows,
                "factory": self.factory(self.board.works[number]) if number != NONE else None,
            }
            for n, number in enumerate(self.view.factory_row)
        ]

    def factory(self, works: FactoryTile) -> dict[str, Any]:
        return {
            "id": works.id,
            "name": self.say(works.name),
            "cost": self.goods(works.cost),
            "output": self.goods(works.output),
            "influence": works.influence,
            "last": works.id in self.marked_elements,
        }

    def piles(self) -> dict[str, int]:
        """How many cards lie in the draw pile, in the discard pile and beside them, there to come in; factories
        likewise.
        """
        view = self.view
        return {
            "pile": sum(view.pile),
            "discards": sum(view.discards),
            "fresh": 0 if self.last_round else sum(view.fresh),
            "factory_pile": sum(view.factory_pile),
            "factory_discards": sum(view.factory_discards),
        }

    # --- Stores, inventions, patents, market. ---

    def stores(self) -> list[dict[str, Any]]:
        """Ships and warehouses: what lies there, and what will at the end of the round (E52) as things stand; after the
        last round (E54) they stay as they are.
        """
        then = self.observation.imagine(0).state
        fill_stores(then, self.params, self.observation.setup.work)
        return [
            {
                "id": store.id,
                "kind": store.kind,
                "name": self.say(store.name),
                "sign": f"good-{store.good}",
                "load": int(self.view.load[n]),
                "cargo": layout.cargo(int(self.view.load[n])),
                "text": self.say(amount(self.board, self.params.store_good[n], self.view.load[n])),
                "refill": None if self.last_round else then.load[n],
                "last": store.id in self.marked_elements,
            }
            for n, store in enumerate(self.board.contents.stores)
        ]

    def inventions(self) -> list[dict[str, Any]]:
        """The nine inventions with both fields (E34 to E41)."""
        return [
            {
                "id": invention.id,
                "name": self.say(invention.name),
                "fields": [
                    {
                        "kind": FIELDS[k],
                        "stones": field.stones,
                        "influence": field.influence,
                        "said": self.give_and_gain(STONE, field.stones, field.influence),
                        "pays": self.goods(self.params.reward[n][k]),
                        "holder": self.person(self.view.holder[n][k]),
                        "patented": bool(self.view.patented[n][k]),
                        "closed": k != GOLD and self.view.holder[n][GOLD] == NOBODY,
                    }
                    for k, field in enumerate((invention.gold, invention.silver))
                ],
                "last": invention.id in self.marked_elements,
            }
            for n, invention in enumerate(self.board.inventions)
        ]

    def steps(self) -> dict[str, Any]:
        """The patent track from below its first step, with the markers on it (E5, E38)."""
        on: dict[int, list[Any]] = {}
        for seat in self.seats:
            on.setdefault(self.view.players[seat].steps, []).append(self.person(seat))
        printed = [(step.coins, step.influence) for step in self.board.contents.patent_steps]
        spaces = [
            {
                "number": n,
                "markers": on.get(n, []),
                "coins": coins,
                "influence": influence,
                "said": self.give_and_gain(COIN, coins, influence),
            }
            for n, (coins, influence) in enumerate([(0, 0), *printed])
        ]
        return {"place": PATENT_TRACK, "spaces": spaces}

    def market(self) -> dict[str, Any]:
        """The market's boxes with their lines, and how often each was used in the action under way (E29 to E33)."""
        view, params = self.view, self.params
        open_now = view.phase == Phase.LAST_EXCHANGE or view.action == Action.MARKET
        boxes = [
            {
                "id": market_place(self.board, b),
                "name": self.say(box.name),
                "lines": [],
                "most": params.most_in_box[b],
                "used": view.used[b] if open_now else 0,
                "last": market_place(self.board, b) in self.marked_elements,
            }
            for b, box in enumerate(self.board.contents.market)
        ]
        for line in self.board.exchanges:
            given, got = self.goods(line.give), self.goods(line.get)
            boxes[line.box]["lines"].append({"given": given, "got": got})
        return {
            "boxes": boxes,
            "free_box": self.board.free_box,
            "stone_place": MARKET_STONE,
            "used": sum(box["used"] for box in boxes),
            "most": params.most_exchanges,
            "open": open_now and not self.observation.over,
            "supply": self.supply(view.supply) if params.boxed else None,
            "bonus_discs": view.bonus_supply,
            "bonus_disc": self.say(amount(self.board, BONUS_DISC, 1)),
            "influence": self.say(amount(self.board, INFLUENCE, 1)),
        }

    def stones(self) -> dict[str, Any]:
        """How many development stones the action under way has spent, of how many it may (E34)."""
        developing = self.view.action == Action.DEVELOP and self.view.phase == Phase.ACTING
        return {"spent": self.view.spent if developing else 0, "most": self.params.most_stones, "open": developing}
