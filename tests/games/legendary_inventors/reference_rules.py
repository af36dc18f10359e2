"""Implement the rules of Legendary Inventors a second time, slowly and simply, from their text alone.

A `Table` knows names only: inventors, inventions, teams and kinds of tokens by their ids, seats from 1, fields of
knowledge from 0 in the order of the component file. `choices` returns the texts of the legal moves, `play` plays a move
with the draws from `chance`, and `shown` returns the whole table for comparison.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from tests.games.legendary_inventors.reference_runs import best

FIELDS = range(4)
AGES = 3


class Table:
    """The state of a game: the location of every piece, and the seat to decide."""

    def __init__(
        self,
        box: Mapping[str, Any],
        seats: int,
        chance: Sequence[str],
        *,
        choosing: bool,
        has_enough_cubes: bool,
        min_patents: int,
    ) -> None:
        """Set up a game with this component file, parsed from TOML.

        The options say whether teams are chosen (S7), whether two players have the cubes of two colours each (S6), and
        how many patents a run needs (S5).
        """
        self.least = min_patents
        self.all_cubes = 2 * box["box"]["cubes"] if has_enough_cubes and seats == 2 else box["box"]["cubes"]
        self.box = box
        self.inventors = {inventor["id"]: inventor for inventor in box["inventors"]}
        self.cards = {invention["id"]: invention for invention in box["inventions"]}
        self.kinds = {token["id"]: token for token in box["tokens"]}
        self.teams = {team["id"]: team for team in box["teams"]}
        self.fields = [field["id"] for field in box["fields"]]
        self.seats = list(range(1, seats + 1))
        self.team: dict[int, str] = {}
        self.knowledge: dict[str, list[int]] = {}
        self.exhausted: set[str] = set()
        self.tokens: dict[int, Counter[str]] = {p: Counter() for p in self.seats}
        self.patents: dict[int, list[str]] = {p: [] for p in self.seats}
        self.lying: dict[str, list[str]] = {}
        """The open inventions and the tokens that lie on them."""
        self.cubes: dict[str, dict[int, list[int]]] = {}
        self.drawn: Counter[str] = Counter()
        self.tokens_gone: Counter[str] = Counter()
        self.gone: list[str] = []
        self.seat: int | None = 1
        self.age, self.passes, self.asked = 0, 0, 0
        self.leonardo: int | None = None
        self.ended_by: str | None = None
        self.phase = "teams"
        self.sent = ("", "", "")
        """The mode in which each inventor was sent to each invention, while the cubes are placed."""
        self.rewards: tuple[str, list[int], int] = ("", [], 0)
        """The complete invention, who chooses in which order, and how many have chosen."""
        self.happened: Counter[str] = Counter()
        """The rare events of this table."""
        self.chance = list(chance)
        if not choosing:
            for p in self.seats:
                self.join(p, self.draw("team "))
            self.begin()
        self.go_on()

    # --- Chance. ---

    def draw(self, prefix: str = "") -> str:
        drawn_token = self.chance.pop(0)
        assert drawn_token.startswith(prefix), drawn_token
        return drawn_token.removeprefix(prefix)

    def lay_out(self) -> None:
        """Lay out the next age's inventions, each with two tokens (L3, L4, L16)."""
        self.age += 1
        count = next(player["inventions"] for player in self.box["players"] if player["players"] == len(self.seats))
        assert count == len(self.seats) + 3
        drawn_cards = [self.draw() for _ in range(count)]
        assert len(set(drawn_cards)) == count
        assert all(self.cards[card]["age"] == self.age for card in drawn_cards)
        for card in self.cards:
            if card in drawn_cards:
                self.lying[card] = [self.draw("token ") for _ in range(2)]
                self.drawn.update(self.lying[card])
                self.cubes[card] = {p: [0, 0, 0, 0] for p in self.seats}
        assert all(n <= self.kinds[kind]["count"] for kind, n in self.drawn.items())

    # --- Set-up. ---

    def join(self, p: int, team: str) -> None:
        """Give a seat a team with the printed start values (L1, L2)."""
        assert team in self.teams
        assert team not in self.team.values()
        self.team[p] = team
        self.knowledge.update({name: list(self.inventors[name]["start"]) for name in self.own(p)})

    def begin(self) -> None:
        """Give the start player the Leonardo figure (L5)."""
        self.seat = self.leonardo = int(self.draw("seat "))
        assert self.seat in self.seats
        self.phase = "turn"
        self.lay_out()

    # --- What is on the table. ---

    def own(self, p: int) -> list[str]:
        """Return the four inventors of a seat."""
        return [name for name, inventor in self.inventors.items() if inventor["team"] == self.team[p]]

    def left_of(self, p: int | None) -> int:
        assert p is not None
        return p % len(self.seats) + 1

    def supply(self, p: int) -> int:
        """Return the number of cubes that a seat has not placed (S6)."""
        return int(self.all_cubes) - sum(sum(cubes_on_card[p]) for cubes_on_card in self.cubes.values())

    def free(self, card: str) -> list[int]:
        """Return the free spaces of an open invention, by field."""
        return [self.cards[card]["spaces"][f] - sum(self.cubes[card][p][f] for p in self.seats) for f in FIELDS]

    def held(self, p: int, kind: str) -> int:
        """Return the number of tokens of a seat that show this front."""
        return sum(n for name, n in self.tokens[p].items() if self.kinds[name]["kind"] == kind)

    # --- The legal moves. ---

    def choices(self) -> set[str]:
        """Return the legal moves of the seat to decide."""
        p = self.seat
        if p is None:
            return set()
        if self.phase == "teams":
            return {
                f"choose {entry['name']['en']}" for team, entry in self.teams.items() if team not in self.team.values()
            }
        if self.phase == "placing":
            return {self.place_text(cubes) for cubes in self.placings()}
        if self.phase == "rewards":
            card = self.rewards[0]
            return {f"take {kind}" for kind in self.lying[card]} | ({"take patent"} if self.patent_free() else set())
        if self.phase == "last upgrades":
            return {*self.upgrades(p), "done"}
        return self.turn(p)

    def turn(self, p: int) -> set[str]:
        """Return the legal moves of a turn, including tokens before the action (L6 to L9)."""
        tired = any(name in self.exhausted for name in self.own(p))
        plain_moves = {f"send {name} to {card}" for name, card, _ in self.sendings(p)}
        moves = {*self.upgrades(p), *plain_moves}
        moves |= {f"send fewer with {name} to {card}" for name, card, max_sent in self.sendings(p) if max_sent >= 2}
        moves |= {f"send genius with {name} to {card}" for name, card in self.geniuses(p)}
        if tired:
            moves.add("ready")
            if self.held(p, "refresh"):
                moves.add("refresh")
        if not tired and not plain_moves:
            moves.add("pass")
        return moves

    def sendings(self, p: int) -> Iterator[tuple[str, str, int]]:
        """Yield active inventors and inventions they can work on without tokens, with the maximum of cubes."""
        for name in self.own(p):
            for card in self.lying:
                max_sent = min(sum(self.fitting(name, card)), self.supply(p))
                if name not in self.exhausted and max_sent > 0:
                    yield self.inventors[name]["name"]["en"], self.cards[card]["name"]["en"], max_sent

    def geniuses(self, p: int) -> Iterator[tuple[str, str]]:
        """Yield active inventors and inventions where a stroke of genius can place a cube (S11)."""
        for name in self.own(p):
            for card in self.lying:
                if name not in self.exhausted and any(True for _ in self.placings("genius", name, card)):
                    yield self.inventors[name]["name"]["en"], self.cards[card]["name"]["en"]

    def fitting(self, name: str, card: str) -> list[int]:
        """Return the maximum of cubes in each field (L6, L8)."""
        return [
            min(value, free_spaces) for value, free_spaces in zip(self.knowledge[name], self.free(card), strict=True)
        ]

    def placings(self, way_of_sending: str = "", name: str = "", card: str = "") -> Iterator[tuple[int, ...]]:
        """Yield the ways to place an inventor's cubes on an invention."""
        p = self.seat
        assert p is not None
        if not way_of_sending:
            way_of_sending, name, card = self.sent
        max_sent = min(sum(self.fitting(name, card)), self.supply(p))
        for cubes in product(*(range(n + 1) for n in self.free(card))):
            additional_spaces, count = self.additional(name, cubes), sum(cubes)
            if not 1 <= count <= self.supply(p):
                continue
            if way_of_sending == "genius":
                if 1 <= additional_spaces <= self.held(p, "genius") * int(self.box["turn"]["genius_cubes"]):
                    yield cubes
            elif additional_spaces == 0 and ((way_of_sending == "all") == (count == max_sent)):
                yield cubes

    def additional(self, name: str, cubes: Sequence[int]) -> int:
        """Return the number of cubes above the inventor's values (L22)."""
        return sum(max(0, n - value) for n, value in zip(cubes, self.knowledge[name], strict=True))

    def place_text(self, cubes: Sequence[int]) -> str:
        return "place " + " ".join(f"{n} {field}" for n, field in zip(cubes, self.fields, strict=True))

    def upgrades(self, p: int) -> Iterator[str]:
        """Yield the legal upgrades (L19, L20)."""
        for name in self.own(p):
            for f, field in enumerate(self.fields):
                person, value = self.inventors[name]["name"]["en"], self.knowledge[name][f]
                for kind in (kind for kind, n in self.tokens[p].items() if n):
                    kind_entry = self.kinds[kind]
                    front = kind_entry["kind"] == "upgrade" and kind_entry["value"] == value + 1
                    if front:
                        yield f"upgrade {person} in {field}"
                    elif value == 0:
                        yield f"turn {kind} for {person} in {field}"

    def patent_free(self) -> bool:
        return all(self.rewards[0] not in patent_cards for patent_cards in self.patents.values())

    # --- Playing. ---

    def play(self, text: str, chance: Sequence[str] = ()) -> None:
        """Play a legal move and everything that follows from it without a decision."""
        assert text in self.choices(), text
        self.chance = list(chance)
        self.carry_out(text)
        self.go_on()

    def go_on(self) -> None:
        """Play moves without a choice until a seat has to choose."""
        while self.seat is not None and len(moves := self.choices()) == 1:
            text = moves.pop()
            self.happened[f"not asked: {text.split()[0]}"] += 1
            self.carry_out(text)
        assert not self.chance, self.chance

    def carry_out(self, text: str) -> None:
        p = self.seat
        assert p is not None
        verb = text.split()[0]
        if verb == "choose":
            self.join(p, next(team for team, entry in self.teams.items() if text == f"choose {entry['name']['en']}"))
            self.seat = self.left_of(p)
            if len(self.team) == len(self.seats):
                self.begin()
        elif verb == "send":
            self.send(p, text)
        elif verb == "place":
            self.place(p, [int(word) for word in text.split()[1::2]])
        elif verb in ("upgrade", "turn"):
            self.upgrade(p, text)
        elif verb in ("ready", "refresh"):
            self.exhausted -= set(self.own(p))
            if verb == "refresh":
                self.spend(p, "refresh")
            else:
                self.acted(p)
        elif verb == "pass":
            self.passed(p)
        elif verb == "take":
            self.take(p, text.removeprefix("take "))
        else:
            self.done(p)

    def send(self, p: int, text: str) -> None:
        """Send an inventor, and ask for the cubes if there is a choice (L6)."""
        for name, card in product(self.own(p), self.lying):
            person, card_title = self.inventors[name]["name"]["en"], self.cards[card]["name"]["en"]
            for way_of_sending, words in (("all", ""), ("fewer", "fewer with "), ("genius", "genius with ")):
                if text == f"send {words}{person} to {card_title}":
                    self.sent, self.phase = (way_of_sending, name, card), "placing"

    def place(self, p: int, cubes: Sequence[int]) -> None:
        way_of_sending, name, card = self.sent
        if way_of_sending == "all" and sum(self.fitting(name, card)) > self.supply(p):
            self.happened["too few cubes"] += 1
        strokes = -(-self.additional(name, cubes) // int(self.box["turn"]["genius_cubes"]))
        self.happened["several strokes of genius"] += strokes > 1
        for _ in range(strokes):
            self.spend(p, "genius")
        for f in FIELDS:
            self.cubes[card][p][f] += cubes[f]
        self.exhausted.add(name)
        self.phase = "turn"
        self.acted(p)
        if not any(self.free(card)):
            self.complete(p, card)

    def acted(self, p: int) -> None:
        """End the turn of a player who acted, and reset the number of passes in a row (S2)."""
        self.happened["passing reset"] += self.passes > 0
        self.passes, self.seat = 0, self.left_of(p)

    def upgrade(self, p: int, text: str) -> None:
        turned_token, field = text.startswith("turn "), text.split()[-1]
        name = next(name for name in self.own(p) if f" {self.inventors[name]['name']['en']} in " in text)
        f = self.fields.index(field)
        self.happened["exhausted inventor upgraded"] += name in self.exhausted
        self.happened["upgrade between passes"] += self.passes > 0
        if turned_token:
            kind = text.split()[1]
            self.happened[f"turned {self.kinds[kind]['kind']}"] += 1
            assert self.knowledge[name][f] == 0
            self.tokens[p][kind] -= 1
            self.tokens_gone[kind] += 1
        else:
            self.spend(p, "upgrade", self.knowledge[name][f] + 1)
        self.knowledge[name][f] += 1

    def spend(self, p: int, kind: str, value: int = 0) -> None:
        name = next(k for k, entry in self.kinds.items() if entry["kind"] == kind and entry.get("value", 0) == value)
        assert self.tokens[p][name] > 0
        self.tokens[p][name] -= 1
        self.tokens_gone[name] += 1

    # --- A complete invention, the ends of an age. ---

    def complete(self, p: int, card: str) -> None:
        """Complete an invention and begin the choice of its rewards (L10 to L13, S8)."""
        self.leonardo = p
        count = {q: sum(cubes_on_card) for q, cubes_on_card in self.cubes[card].items()}
        clockwise = [(p - 1 + i) % len(self.seats) + 1 for i in range(len(self.seats))]
        order = [q for q in sorted(clockwise, key=lambda q: -count[q]) if count[q]]  # sorting keeps ties as they stand
        self.happened["tie for a reward"] += len({count[q] for q in order}) < len(order)
        self.happened["more than three on an invention"] += len(order) > 3
        self.happened["alone on an invention"] += len(order) == 1
        self.rewards = (card, order[:3], 0)
        self.phase, self.seat = "rewards", order[0]

    def take(self, p: int, reward_kind: str) -> None:
        card, order, chosen_reward = self.rewards
        if reward_kind == "patent":
            self.patents[p].append(card)
        else:
            self.lying[card].remove(reward_kind)
            self.tokens[p][reward_kind] += 1
        self.rewards = (card, order, chosen_reward + 1)
        if chosen_reward + 1 < len(order):
            self.seat = order[chosen_reward + 1]
            return
        if self.patent_free():
            self.gone.append(card)
        self.clear(card)
        self.phase, self.seat = "turn", self.left_of(self.leonardo)
        if len(self.lying) == 1:
            self.end_of_age("L17")

    def clear(self, card: str) -> None:
        """Return remaining rewards to the box and cubes to their owners (L13, L14)."""
        self.tokens_gone.update(self.lying.pop(card))
        del self.cubes[card]

    def passed(self, p: int) -> None:
        """Count a pass and end the age when all have passed (S2)."""
        self.passes, self.seat = self.passes + 1, self.left_of(p)
        if self.passes == len(self.seats):
            self.happened["all passed"] += 1
            self.end_of_age("S2")

    def end_of_age(self, end_reason: str) -> None:
        """End the age (L15 to L17, S2)."""
        for card in list(self.lying):
            self.gone.append(card)
            self.clear(card)
        self.passes, self.seat = 0, self.left_of(self.leonardo)
        if self.age < AGES:
            self.lay_out()
        else:
            self.phase, self.ended_by = "last upgrades", end_reason

    def done(self, p: int) -> None:
        """Count a player's extra upgrades before the scoring as finished (S1)."""
        self.asked, self.seat = self.asked + 1, self.left_of(p)
        if self.asked == len(self.seats):
            self.phase, self.seat, self.asked = "over", None, 0

    # --- The scoring. ---

    def points(self, p: int) -> int:
        """Return the points of all seats (L25 to L28)."""
        if p not in self.team:
            return 0
        patents = [self.cards[card] for card in self.patents[p]]
        numbers = tuple(sum(patent["classification"] == n for patent in patents) for n in range(6))
        goals = 0
        for name in self.own(p):
            goal = self.inventors[name]["goal"]
            has_reached_goal = all(
                value >= goal_value for value, goal_value in zip(self.knowledge[name], goal, strict=True)
            )
            goals += self.inventors[name]["points"] if has_reached_goal else 0
        printed = sum(
            n * self.kinds[kind]["value"] for kind, n in self.tokens[p].items() if self.kinds[kind]["kind"] == "points"
        )
        cards = sum(int(patent["points"]) for patent in patents)
        return cards + best(numbers, self.held(p, "number"), self.least) + int(printed) + goals

    def winners(self) -> set[int]:
        """Return the winners (L29)."""
        standing = {p: (self.points(p), len(self.patents[p])) for p in self.seats}
        return {p for p in self.seats if standing[p] == max(standing.values())}

    # --- To compare. ---

    def shown(self) -> dict[str, Any]:
        """Return everything on the table, and the question to the seat that decides."""
        return {
            "phase": self.phase, "seat": self.seat, "age": self.age, "leonardo": self.leonardo,
            "passes in a row": self.passes, "ended by": self.ended_by, "asked": self.asked,
            "sent": self.sent if self.phase == "placing" else None,
            "rewards": self.rewards if self.phase == "rewards" else None,
            "inventions": {card: (sorted(spaces), self.cubes[card]) for card, spaces in self.lying.items()},
            "gone": sorted(self.gone),
            "tokens drawn": +self.drawn, "tokens gone": +self.tokens_gone,
            "teams": self.team, "knowledge": self.knowledge, "exhausted": self.exhausted,
            "tokens": {p: +held_items for p, held_items in self.tokens.items()},
            "patents": {p: sorted(held_items) for p, held_items in self.patents.items()},
            "supply": {p: self.supply(p) for p in self.seats},
        }  # fmt: skip


def described(state: Mapping[str, Any], supply: Sequence[int]) -> dict[str, Any]:
    """Return a position's document in the form of `shown`."""
    seats = range(1, len(state["players"]) + 1)
    players = dict(zip(seats, state["players"], strict=True))
    invention_by_slot = {invention["slot"]: invention["invention"] for invention in state["inventions"]}
    assert len(invention_by_slot) == len(state["inventions"])
    placing, rewards = state["placing"], state["rewards"]
    inventors = {name: inventor for player in players.values() for name, inventor in player["inventors"].items()}
    return {
        "phase": state["phase"], "seat": state["seat"], "age": state["age"], "leonardo": state["leonardo"],
        "passes in a row": state["passes_in_a_row"], "ended by": state["ended_by"], "asked": state["asked"],
        "sent": (placing["how"], placing["inventor"], invention_by_slot[placing["slot"]]) if placing else None,
        "rewards": (invention_by_slot[rewards["slot"]], rewards["order"], rewards["chosen"]) if rewards else None,
        "inventions": {
            slot["invention"]: (sorted(t for t in slot["tokens"] if t), dict(zip(seats, slot["cubes"], strict=True)))
            for slot in state["inventions"]
        },
        "gone": sorted(state["gone"]),
        "tokens drawn": Counter(state["tokens_drawn"]), "tokens gone": Counter(state["tokens_gone"]),
        "teams": {p: player["team"] for p, player in players.items() if player["team"]},
        "knowledge": {name: inventor["knowledge"] for name, inventor in inventors.items()},
        "exhausted": {name for name, inventor in inventors.items() if inventor["exhausted"]},
        "tokens": {p: Counter(player["tokens"]) for p, player in players.items()},
        "patents": {p: sorted(player["patents"]) for p, player in players.items()},
        "supply": dict(zip(seats, supply, strict=True)),
    }  # fmt: skip
