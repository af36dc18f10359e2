"""A state of Legendary Inventors as JSON in the game's own words, and back."""

from collections.abc import Mapping, Sequence
from typing import Any

from spieltisch.core import twin
from spieltisch.core.refusal import DocumentError
from spieltisch.core.setup import Setup
from spieltisch.games.legendary_inventors.rules.runs import best_runs
from spieltisch.games.legendary_inventors.state import (
    AGES,
    ALL,
    FEWER,
    FIELDS,
    GENIUS,
    GONE,
    MOST_KNOWLEDGE,
    MOST_OPEN,
    MOST_WILD,
    NOBODY,
    OPEN,
    PATENT,
    REWARDED,
    RULES,
    TOKENS,
    UNSEEN,
    Phase,
    State,
)

PHASES = {
    Phase.TEAMS: "teams",
    Phase.TURN: "turn",
    Phase.PLACING: "placing",
    Phase.REWARDS: "rewards",
    Phase.LAST_UPGRADES: "last upgrades",
    Phase.OVER: "over",
}
MODES = {ALL: "all", FEWER: "fewer", GENIUS: "genius"}


def describe(setup: Setup, s: Any) -> dict[str, Any]:
    """The document of a state (a twin)."""
    board = setup.board
    kinds = [token.id for token in board.tokens]
    cards = [card.id for card in board.inventions]

    def some(counts: Sequence[int]) -> dict[str, int]:
        return {kinds[k]: n for k, n in enumerate(counts) if n}

    found: dict[str, Any] = {
        "phase": PHASES[s.phase],
        "seat": s.seat + 1 if s.seat >= 0 else None,
        "age": s.age,
        "leonardo": s.leonardo + 1 if s.leonardo >= 0 else None,
        "passes_in_a_row": s.passes,
        "ended_by": RULES[s.ended_by] if s.ended_by else None,
        "placing": None,
        "rewards": None,
        "asked": s.given if s.phase == Phase.LAST_UPGRADES else 0,
        "inventions": [
            {
                "slot": k + 1,
                "invention": cards[slot.card],
                "tokens": [kinds[t] if t >= 0 else None for t in slot.tokens],
                "cubes": [list(slot.cubes[p]) for p in range(setup.seats)],
            }
            for k, slot in enumerate(s.slots)
            if slot.card >= 0
        ],
        "gone": [cards[card] for card, at in enumerate(s.whereabouts) if at == GONE],
        "tokens_drawn": some(s.drawn),
        "tokens_gone": some(s.gone),
        "players": [],
    }
    if s.phase == Phase.PLACING:
        inventor = setup.plain_params.members[s.players[s.seat].team][s.inventor]
        found["placing"] = {"how": MODES[s.mode], "inventor": board.inventors[inventor].id, "slot": s.slot + 1}
    if s.phase == Phase.REWARDS:
        order = [p + 1 for p in s.queue if p >= 0]
        found["rewards"] = {"slot": s.slot + 1, "order": order, "chosen": s.given}
    for p in range(setup.seats):
        player = s.players[p]
        inventors = {}
        if player.team >= 0:
            for i, inventor in enumerate(board.teams[player.team].inventors):
                inventors[board.inventors[inventor].id] = {
                    "knowledge": list(player.knowledge[i]),
                    "exhausted": bool(player.exhausted[i]),
                }
        found["players"].append(
            {
                "team": board.teams[player.team].id if player.team >= 0 else None,
                "inventors": inventors,
                "tokens": some(player.tokens),
                "patents": [cards[card] for card, at in enumerate(s.whereabouts) if at == PATENT + p],
            }
        )
    return found


def restore(setup: Setup, document: Mapping[str, Any]) -> Any:
    """The twin a document describes; what is derived is worked out anew. Raises DocumentError naming the field."""
    return _Reader(setup, document).state()


class _Reader:
    """Reads fields of a document into a state, or says which one is wrong."""

    def __init__(self, setup: Setup, document: Mapping[str, Any]) -> None:
        self.setup, self.document = setup, document
        self.c = setup.plain_params
        self.kinds = [token.id for token in setup.board.tokens]
        self.cards = [card.id for card in setup.board.inventions]
        self.s: Any = twin.new(State)

    def state(self) -> Any:
        s, seats = self.s, self.setup.seats
        s.seats = seats
        s.inventor = s.slot = NOBODY
        s.queue[:] = [NOBODY] * REWARDED
        names = {name: phase for phase, name in PHASES.items()}
        s.phase = names[self.one_of(self.document, "phase", list(names))]
        s.seat = NOBODY if s.phase == Phase.OVER else self.number(self.document, "seat", 1, seats) - 1
        s.age = self.number(self.document, "age", 0 if s.phase == Phase.TEAMS else 1, AGES)
        s.leonardo = NOBODY if s.phase == Phase.TEAMS else self.number(self.document, "leonardo", 1, seats) - 1
        s.passes = self.number(self.document, "passes_in_a_row", 0, seats - 1)
        if s.phase in (Phase.LAST_UPGRADES, Phase.OVER):
            why = self.one_of(self.document, "ended_by", ["L17", "S2"])
            s.ended_by = next(number for number, name in RULES.items() if name == why)
        if s.phase == Phase.LAST_UPGRADES:
            s.given = self.number(self.document, "asked", 0, seats - 1)
        self.inventions()
        self.players()
        for field, row in (("tokens_drawn", s.drawn), ("tokens_gone", s.gone)):
            self.tokens(self.document, field, row)
        for card in self.listed(self.document, "gone"):
            self.put(card, GONE, "gone")
        self.balance()
        if s.phase == Phase.PLACING:
            self.placing(self.table(self.document, "placing"))
        if s.phase == Phase.REWARDS:
            self.rewards(self.table(self.document, "rewards"))
        return s

    def inventions(self) -> None:
        for slot in self.s.slots:
            slot.card, slot.tokens[:] = NOBODY, [NOBODY] * TOKENS
        for described in self.tables("inventions"):
            slot = self.s.slots[self.number(described, "slot", 1, MOST_OPEN) - 1]
            if slot.card != NOBODY:
                raise DocumentError(f"slot: {described['slot']} is there twice")
            slot.card = self.cards.index(self.one_of(described, "invention", self.cards))
            self.put(self.cards[slot.card], OPEN, "inventions")
            tokens = described.get("tokens")
            if not isinstance(tokens, list) or len(tokens) != TOKENS:
                raise DocumentError(f"tokens: {TOKENS} are needed, null for one that is taken")
            for t, kind in enumerate(tokens):
                if kind is not None and kind not in self.kinds:
                    raise DocumentError(f"tokens: there is no {kind!r}")
                slot.tokens[t] = NOBODY if kind is None else self.kinds.index(kind)
            cubes = described.get("cubes")
            if not isinstance(cubes, list) or len(cubes) != self.setup.seats:
                raise DocumentError(f"cubes: those of {self.setup.seats} seats are needed")
            slot.free[:] = self.c.spaces[slot.card]
            for p, row in enumerate(cubes):
                slot.cubes[p][:] = self.four(row, "cubes", 9)
                for f in range(FIELDS):
                    slot.free[f] -= slot.cubes[p][f]
            if min(slot.free) < 0:
                raise DocumentError(f"cubes: more than there are spaces on {described['invention']}")

    def players(self) -> None:
        for p in range(len(self.s.players)):
            self.s.players[p].team = NOBODY
        described = self.tables("players")
        if len(described) != self.setup.seats:
            raise DocumentError(f"players: {self.setup.seats} are needed")
        teams = [team.id for team in self.setup.board.teams]
        for p, one in enumerate(described):
            player = self.s.players[p]
            player.cubes = self.c.cubes - sum(sum(slot.cubes[p]) for slot in self.s.slots)
            if player.cubes < 0:
                raise DocumentError(f"players.{p + 1}: more than {self.c.cubes} cubes")
            self.tokens(one, "tokens", player.tokens)
            for card in self.listed(one, "patents"):
                self.put(card, PATENT + p, "patents")
                number = self.cards.index(card)
                player.printed += self.c.points_of[number]
                player.numbers[self.c.number_of[number]] += 1
            wild = player.tokens[self.c.number] if self.c.number != NOBODY else 0
            player.runs = best_runs(player.numbers, wild, [0] * (MOST_WILD + 1))
            if one.get("team") is None and self.s.phase == Phase.TEAMS:
                continue
            player.team = teams.index(self.one_of(one, "team", teams))
            if any(self.s.players[q].team == player.team for q in range(p)):
                raise DocumentError(f"team: {one['team']} is there twice")
            self.inventors(player, self.table(one, "inventors"))

    def inventors(self, player: Any, described: Mapping[str, Any]) -> None:
        ids = [self.setup.board.inventors[i].id for i in self.setup.board.teams[player.team].inventors]
        if set(described) != set(ids):
            raise DocumentError(f"inventors: those of the team are {', '.join(ids)}")
        for i, name in enumerate(ids):
            one = self.table(described, name)
            player.knowledge[i][:] = self.four(one.get("knowledge"), "knowledge", MOST_KNOWLEDGE)
            if not isinstance(one.get("exhausted"), bool):
                raise DocumentError("exhausted: true or false is needed")
            player.exhausted[i] = int(one["exhausted"])

    def balance(self) -> None:
        """Every token that was drawn is on an invention, with a player, or gone."""
        s = self.s
        for kind, name in enumerate(self.kinds):
            lying = sum(token == kind for slot in s.slots for token in slot.tokens)
            seen = lying + s.gone[kind] + sum(player.tokens[kind] for player in s.players)
            if seen != s.drawn[kind] or seen > self.c.box[kind]:
                raise DocumentError(f"tokens_drawn: {name}: {s.drawn[kind]} drawn, {seen} to be seen")

    def placing(self, described: Mapping[str, Any]) -> None:
        s, modes = self.s, {name: mode for mode, name in MODES.items()}
        s.mode = modes[self.one_of(described, "how", list(modes))]
        ids = [self.setup.board.inventors[i].id for i in self.setup.board.teams[s.players[s.seat].team].inventors]
        s.inventor = ids.index(self.one_of(described, "inventor", ids))
        s.slot = self.slot(described)

    def rewards(self, described: Mapping[str, Any]) -> None:
        s, order = self.s, described.get("order")
        s.slot = self.slot(described)
        seats = list(range(1, self.setup.seats + 1))
        if not isinstance(order, list) or not 1 <= len(order) <= REWARDED or any(p not in seats for p in order):
            raise DocumentError(f"order: one to {REWARDED} seats are needed")
        s.queue[: len(order)] = [p - 1 for p in order]
        s.given = self.number(described, "chosen", 0, len(order) - 1)

    def slot(self, described: Mapping[str, Any]) -> int:
        slot = self.number(described, "slot", 1, MOST_OPEN) - 1
        if self.s.slots[slot].card == NOBODY:
            raise DocumentError(f"slot: nothing lies in {slot + 1}")
        return slot

    def put(self, card: str, where: int, field: str) -> None:
        number = self.cards.index(card)
        claimed = field == "patents" and self.s.phase == Phase.REWARDS and self.s.whereabouts[number] == OPEN
        if self.s.whereabouts[number] != UNSEEN and not claimed:
            raise DocumentError(f"{field}: {card} is in two places")
        self.s.whereabouts[number] = where

    def tokens(self, document: Mapping[str, Any], field: str, row: Any) -> None:
        for kind, count in self.table(document, field).items():
            if kind not in self.kinds:
                raise DocumentError(f"{field}: there is no {kind!r}")
            row[self.kinds.index(kind)] = self.checked(count, f"{field}.{kind}", 1, 99)

    def listed(self, document: Mapping[str, Any], field: str) -> list[str]:
        found = document.get(field)
        if not isinstance(found, list) or any(card not in self.cards for card in found):
            raise DocumentError(f"{field}: a list of inventions is needed")
        return found

    def four(self, found: object, field: str, most: int) -> list[int]:
        if not isinstance(found, list) or len(found) != FIELDS:
            raise DocumentError(f"{field}: a list of {FIELDS} numbers is needed")
        return [self.checked(n, field, 0, most) for n in found]

    def tables(self, field: str) -> list[Mapping[str, Any]]:
        found = self.document.get(field)
        if not isinstance(found, list) or not all(isinstance(one, Mapping) for one in found):
            raise DocumentError(f"{field}: a list of tables is needed")
        return found

    def table(self, document: Mapping[str, Any], field: str) -> Mapping[str, Any]:
        found = document.get(field)
        if not isinstance(found, Mapping):
            raise DocumentError(f"{field}: a table is needed")
        return found

    def one_of(self, document: Mapping[str, Any], field: str, choices: list[str]) -> str:
        found = document.get(field)
        if found not in choices:
            raise DocumentError(f"{field}: {found!r} is none of {', '.join(choices)}")
        return str(found)

    def number(self, document: Mapping[str, Any], field: str, least: int, most: int) -> int:
        return self.checked(document.get(field), field, least, most)

    def checked(self, found: object, field: str, least: int, most: int) -> int:
        if not isinstance(found, int) or isinstance(found, bool) or not least <= found <= most:
            raise DocumentError(f"{field}: {found!r} is no number from {least} to {most}")
        return found
