"""The context of the boards of Era of Inventions: fields, rows, stores, inventions, tracks and market.

`player_rows.py` contains the players, `end_table.py` the scoring. Everything is public (R37): every viewer sees the
same, with the viewer's own player first.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from spieltisch.core.words import Name
from spieltisch.drawing import Scene
from spieltisch.games.era_of_inventions import layout, state
from spieltisch.games.era_of_inventions.board import GOODS as KIND_WORDS
from spieltisch.games.era_of_inventions.board import Board, Card, FactoryTile
from spieltisch.games.era_of_inventions.end_table import earned, sources
from spieltisch.games.era_of_inventions.goods_text import amount, amounts, card_name
from spieltisch.games.era_of_inventions.moves import MARKET_STONE, PATENT_TRACK, card_icon, market_place
from spieltisch.games.era_of_inventions.player_rows import holdings
from spieltisch.games.era_of_inventions.rules.producing import holder_to_pay
from spieltisch.games.era_of_inventions.rules.stores import fill_stores

KIND_ICONS = (*(f"good-{kind}" for kind in KIND_WORDS), "influence", "bonus-disc")
"""The icon of each kind of goods, of influence and of bonus discs, by number."""

SHORT_NAMES: Final[Mapping[str, Name]] = {
    "build-factories": Name("Build", "Bauen", "Construction", "Bouwen"),
    "produce-resources": Name("Resources", "Rohstoffe", "Production", "Grondstoffen"),
    "buy-resources": Name("Buy", "Kaufen", "Achat", "Kopen"),
    "produce-inventions": Name("Inventions", "Erfindungen", "Inventions", "Uitvindingen"),
    "exchange-market": Name("Market", "Tauschmarkt", "Marché", "Ruilmarkt"),
    "develop-or-patent": Name("Develop", "Erfinden", "Développer", "Ontwikkelen"),
}
"""A word of each action field's name, where there is room for one; a field of a custom component file may have none."""

FIELDS = ("gold", "silver")
"""The names of the two fields of an invention in the context."""


SPACES_AHEAD = 5
"""The number of spaces before the viewer's pawn whose symbols are drawn in full ink; the others are pale."""


def symbols_of(params: Any) -> list[str]:
    """Return the icon on each space of the influence track (E46), "" for a space without one."""
    return [KIND_ICONS[kind] if kind != state.NONE else "" for kind in params.symbol[: params.spaces]]


class EraScene(Scene):
    """The boards that one observation shows, in words."""

    board: Board

    def context(self) -> dict[str, Any]:
        """Return the context of the templates."""
        return super().context() | {
            "round": self.round(),
            "track": self.track(),
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
        """Return the entry of a player, with colour and holdings."""
        return super().player(seat) | {"colour": self.colour(seat)} | holdings(self, seat)

    def end(self) -> dict[str, Any]:
        """Return the context of the final account."""
        return super().end() | {"sources": sources(self)}

    def score_row(self, player: Mapping[str, Any]) -> dict[str, Any]:
        """Return a player's row of the final account."""
        return earned(self, player["seat"])

    def rank_key(self, row: Mapping[str, Any]) -> tuple[int, ...]:
        """Return the influence, then the number of inventions (E58)."""
        return row["total"], row["inventions"]

    def colour(self, seat: int) -> str:
        """Return the id of the seat's colour."""
        return self.board.contents.colours[seat].id

    def person(self, seat: int) -> dict[str, Any] | None:
        """Return a player's plate, the seat and the name; None for no player."""
        if seat == state.NOBODY:
            return None
        return {"seat": seat, "name": self.name(seat)}

    def goods(self, row: Sequence[int], any_cubes: int = 0) -> dict[str, Any]:
        """Return goods as icons with their numbers, and in words.

        `row` may continue with influence and bonus discs.
        """
        icons = [{"icon": KIND_ICONS[kind], "count": number} for kind, number in enumerate(row) if number]
        if any_cubes:
            icons.append({"icon": "good-any", "count": any_cubes})
        return {"icons": icons, "text": self.say(amounts(self.board, row, any_cubes)) if icons else ""}

    def supply(self, row: Sequence[int]) -> list[dict[str, Any]]:
        """Return the contents of the supply, including kinds that have run out."""
        counts = enumerate(max(0, number) for number in row)
        return [{"icon": KIND_ICONS[k], "count": n, "text": self.say(amount(self.board, k, n))} for k, n in counts]

    def give_and_gain(self, kind: int, number: int, influence: int) -> dict[str, str]:
        """Return a cost and the influence gained for it in words."""
        return {
            "cost": self.say(amount(self.board, kind, number)),
            "influence": self.say(amount(self.board, state.INFLUENCE, influence)),
        }

    # --- The round, the fields, the influence track. ---

    def round(self) -> dict[str, Any]:
        """Return the round, the number of rounds, and the start player."""
        first = self.person(self.view.first)
        return {"number": self.view.round_number, "all": self.params.rounds, "start": first}

    def actions(self) -> list[dict[str, Any]]:
        """Return the six action fields with the discs on them (E12 to E14)."""
        under_way = self.view.action if self.view.phase not in (state.Phase.BONUS, state.Phase.OVER) else state.NONE
        return [
            {
                "id": action.id,
                "name": self.say(action.name),
                "short": self.say(SHORT_NAMES.get(action.id, action.name)),
                "discs": [self.person(seat) for seat in sorted(self.view.discs[n], reverse=True)],
                "now": n == under_way,
                "last": action.id in self.marked_elements,
            }
            for n, action in enumerate(self.board.contents.actions)
        ]

    def track(self) -> dict[str, Any]:
        """Return the influence track with its pawns (R36), for both layouts: in rows, and as a frame of the boards."""
        places = [int(self.view.players[seat].influence % self.params.spaces) for seat in self.seats]
        sides = layout.framed(self.params.spaces, places, self.symbols_ahead())
        points = [
            self.say(amount(self.board, state.INFLUENCE, self.view.players[seat].influence)) for seat in self.seats
        ]
        track = {**layout.track(self.params.spaces, places), "sides": sides}
        return {**track, "names": [f"{self.name(seat)}: {points[seat]}" for seat in self.seats]}

    def symbols_ahead(self) -> dict[int, str]:
        """Return the icons that the viewer's pawn reaches within the next few steps, by space (E46)."""
        if self.viewer not in self.seats or self.is_over:
            return {}
        symbols, influence = symbols_of(self.params), int(self.view.players[self.viewer].influence)
        spaces = [(influence + step) % self.params.spaces for step in range(1, SPACES_AHEAD + 1)]
        return {space: symbols[space] for space in spaces if symbols[space]}

    def symbol_after(self, influence: int) -> dict[str, Any] | None:
        """Return the next space with a symbol: its distance, and what it gives.

        It is None once symbols have no effect (R10).
        """
        phase = self.view.phase
        if phase == state.Phase.OVER or (phase == state.Phase.LAST_EXCHANGE and not self.params.last_symbols):
            return None
        for distance in range(1, self.params.spaces + 1):
            kind = self.params.symbol[(influence + distance) % self.params.spaces]
            if kind != state.NONE:
                return {"far": distance, "icon": KIND_ICONS[kind], "name": self.say(self.board.kinds[kind])}
        return None

    # --- The two rows. ---

    @property
    def is_last_round(self) -> bool:
        """True in the last round and after it, when E47 to E53 no longer apply (E54)."""
        return bool(self.view.round_number == self.params.rounds)

    def arrows(self, spaces: int, leave: int) -> range:
        """Return the spaces of a row from which cards leave at the end of the round."""
        return range(0) if self.is_last_round else range(spaces - leave, spaces)

    def row(self) -> list[dict[str, Any]]:
        """Return the invention row along its path (E8), marking what leaves at the end of the round (E47, E48)."""
        arrows = self.arrows(state.ROW, self.params.cards_leave)
        return [
            {
                "space": n,
                "arrow": n in arrows,
                "leaves": n in arrows or (not self.is_last_round and state.NONE < number < state.START_CARDS),
                "card": self.card(self.board.cards[number]) if number != state.NONE else None,
            }
            for n, number in enumerate(self.view.row)
        ]

    def card(self, card: Card) -> dict[str, Any]:
        """Return a card: its cost, its yield, and the players paid when it is produced."""
        return {
            "id": card.id,
            "kind": card.kind,
            "name": self.say(card.name),
            "title": self.say(card_name(card)),
            "letter": card.letter,
            "icon": card_icon(self.board, card),
            "cost": self.goods(card.cost, card.any),
            "gain": self.goods(card.gain),
            "pays": self.pays(card),
            "last": card.id in self.marked_elements,
        }

    def pays(self, card: Card) -> list[dict[str, Any]]:
        """Return the holders paid when another player produces the card (E24 to E26)."""
        paid = [(k, int(holder_to_pay(self.view, self.params, card.number, k))) for k in range(2)]
        return [
            {**(self.person(seat) or {}), "what": self.goods(self.params.reward[card.invention][k])}
            for k, seat in paid
            if seat != state.NOBODY
        ]

    def factory_row(self) -> list[dict[str, Any]]:
        """Return the factory row from the left, marking what leaves at the end of the round (E51)."""
        arrows = self.arrows(len(self.view.factory_row), self.params.factories_leave)
        return [
            {
                "space": n,
                "arrow": n in arrows,
                "leaves": n in arrows,
                "factory": self.factory(self.board.works[number]) if number != state.NONE else None,
            }
            for n, number in enumerate(self.view.factory_row)
        ]

    def factory(self, works: FactoryTile) -> dict[str, Any]:
        """Return a factory: cost, yield and influence."""
        return {
            "id": works.id,
            "name": self.say(works.name),
            "cost": self.goods(works.cost),
            "output": self.goods(works.output),
            "influence": works.influence,
            "last": works.id in self.marked_elements,
        }

    def piles(self) -> dict[str, int]:
        """Return the numbers of cards in the draw pile, in the discard pile and among the new ones.

        The new cards are next to the draw pile. For factories there are the draw pile and the discard pile.
        """
        view = self.view
        return {
            "pile": sum(view.pile),
            "discards": sum(view.discards),
            "fresh": 0 if self.is_last_round else sum(view.fresh),
            "factory_pile": sum(view.factory_pile),
            "factory_discards": sum(view.factory_discards),
        }

    # --- Stores, inventions, patents, market. ---

    def stores(self) -> list[dict[str, Any]]:
        """Return the ships and warehouses: their loads now, and after the end of the round (E52).

        After the last round (E54) they do not change.
        """
        refilled = self.observation.imagine(0).state
        fill_stores(refilled, self.params, self.observation.setup.work)
        return [
            {
                "id": store.id,
                "kind": store.kind,
                "name": self.say(store.name),
                "icon": f"good-{store.good}",
                "load": int(self.view.load[n]),
                "cargo": layout.cargo(int(self.view.load[n])),
                "text": self.say(amount(self.board, self.params.store_good[n], self.view.load[n])),
                "refill": None if self.is_last_round else refilled.load[n],
                "last": store.id in self.marked_elements,
            }
            for n, store in enumerate(self.board.contents.stores)
        ]

    def inventions(self) -> list[dict[str, Any]]:
        """Return the nine inventions with both fields (E34 to E41)."""
        return [
            {
                "id": invention.id,
                "name": self.say(invention.name),
                "fields": [
                    {
                        "kind": FIELDS[k],
                        "stones": field.stones,
                        "influence": field.influence,
                        "labels": self.give_and_gain(state.STONE, field.stones, field.influence),
                        "pays": self.goods(self.params.reward[n][k]),
                        "holder": self.person(self.view.holder[n][k]),
                        "patented": bool(self.view.patented[n][k]),
                        "closed": k != state.GOLD and self.view.holder[n][state.GOLD] == state.NOBODY,
                    }
                    for k, field in enumerate((invention.gold, invention.silver))
                ],
                "last": invention.id in self.marked_elements,
            }
            for n, invention in enumerate(self.board.inventions)
        ]

    def steps(self) -> dict[str, Any]:
        """Return the patent track, from below its first step, with the markers on it (E5, E38)."""
        markers: dict[int, list[Any]] = {}
        for seat in self.seats:
            markers.setdefault(self.view.players[seat].steps, []).append(self.person(seat))
        printed = [(step.coins, step.influence) for step in self.board.contents.patent_steps]
        spaces = [
            {
                "number": n,
                "markers": markers.get(n, []),
                "coins": coins,
                "influence": influence,
                "labels": self.give_and_gain(state.COIN, coins, influence),
            }
            for n, (coins, influence) in enumerate([(0, 0), *printed])
        ]
        return {"place": PATENT_TRACK, "spaces": spaces}

    def market(self) -> dict[str, Any]:
        """Return the boxes of the market with their lines and their uses in the current action (E29 to E33)."""
        view, params = self.view, self.params
        open_now = view.phase == state.Phase.LAST_EXCHANGE or view.action == state.Action.MARKET
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
            "open": open_now and not self.observation.is_over,
            "supply": self.supply(view.supply) if params.boxed else None,
            "bonus_discs": view.bonus_supply,
            "bonus_disc": self.say(amount(self.board, state.BONUS_DISC, 1)),
            "influence": self.say(amount(self.board, state.INFLUENCE, 1)),
        }

    def stones(self) -> dict[str, Any]:
        """Return the development stones spent by the current action, and their limit (E34)."""
        developing = self.view.action == state.Action.DEVELOP and self.view.phase == state.Phase.ACTING
        return {"spent": self.view.spent if developing else 0, "most": self.params.most_stones, "open": developing}
