"""The drawing of Legendary Inventors: what its templates are given.

There is no map: `panel.html` has the ages, the inventions as cards, the teams with inventors, tokens and patents;
`signs.svg` has the definitions of all marks, for log and buttons too. `end.html` lays the scoring out; `style.css` has
the looks. All is public (S12), so every perspective is shown the same, its own team first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spieltisch.core.words import Name, SeatName, Words
from spieltisch.games.legendary_inventors import engraving
from spieltisch.games.legendary_inventors.rules.runs import TOKEN, Run, arrangement
from spieltisch.games.legendary_inventors.state import NOBODY, PATENT, Phase

if TYPE_CHECKING:
    from spieltisch.core.moves import Move
    from spieltisch.core.observation import Observation
    from spieltisch.core.setup import Setup
    from spieltisch.games.legendary_inventors.board import Board, Team
    from spieltisch.games.legendary_inventors.contents import Token


class InventorsDrawing:
    """How Legendary Inventors is drawn: a folder of templates, and what they are given."""

    templates: Path = Path(__file__).parent / "templates"

    def static(self, setup: Setup, words: Words) -> dict[str, Any]:
        """What `style.css` and `signs.svg` are given."""
        board: Board = setup.board
        return {"teams": board.teams, "fields": board.fields, "signs": _signs(board, words.say)}

    def scene(
        self, observation: Observation, words: Words, names: Sequence[str] = (), last: Sequence[Move] = ()
    ) -> dict[str, Any]:
        """What `panel.html` and `end.html` are given.

        `names` are the players' names by seat; `last` the moves to be marked, those since the viewer's own.
        """
        return _Scene(observation, words, names, last).all()

    def marks(self, setup: Setup) -> dict[Name, str]:
        """The class of the mark that stands beside each of these names in a sentence."""
        board: Board = setup.board
        classes = {one.number: one.id for one in board.classifications}
        return (
            {card.name: f"class-{classes[card.classification]}" for card in board.inventions}
            | {one.name: f"team-{one.team}" for one in board.inventors}
            | {team.name: f"team-{team.id}" for team in board.teams}
            | {field.name: f"field-{field.id}" for field in board.fields}
            | {token.name: f"token-{token.id}" for token in board.tokens}
        )


def _signs(board: Board, say: Callable[[Name], str]) -> dict[str, Any]:
    """What `signs.svg` is given."""
    return {
        "teams": [
            {"id": team.id, "letter": team.letter, "scratches": engraving.PATTERNS[team.pattern]}
            for team in board.teams
        ],
        "fields": [
            {
                "id": field.id,
                "shape": engraving.SHAPES[field.shape],
                "drop": engraving.DROP.get(field.shape, 0),
                "short": say(field.short),
            }
            for field in board.fields
        ],
        "classes": [
            {"id": one.id, "number": one.number, "path": engraving.CLASSES.get(one.id, "")}
            for one in board.classifications
        ],
        "tokens": [
            {"id": token.id, "value": token.value or "", "path": engraving.TOKENS[token.kind]} for token in board.tokens
        ],
        "inventors": [
            {"id": one.id, "path": engraving.ATTRIBUTES[one.id]}
            for one in board.inventors
            if one.id in engraving.ATTRIBUTES
        ],
        "patent": engraving.PATENT,
    }


class _Scene:
    """One observation, in words, with the players' names."""

    def __init__(self, observation: Observation, words: Words, names: Sequence[str], last: Sequence[Move]) -> None:
        self.observation = observation
        self.setup = observation.setup
        self.board: Board = observation.setup.board
        self.view: Any = observation.view
        self.seats = range(self.setup.seats)
        self.words = words
        self.names = names
        self.last = {word.place for move in last for word in self.setup.words(move) if word.place}

    def all(self) -> dict[str, Any]:
        view = self.view
        viewer, over = int(view.viewer), int(view.phase) == Phase.OVER
        around = [(viewer + i) % self.setup.seats for i in self.seats] if viewer >= 0 else list(self.seats)
        return {
            "seats": self.setup.seats,
            "fields": [
                {"place": n, "name": self.say(field.name), "short": self.say(field.short)}
                for n, field in enumerate(self.board.fields, 1)
            ],
            "ages": [
                {
                    "id": age.id,
                    "name": self.say(age.name),
                    "now": n == view.age and not over,
                    "past": n < view.age or over,
                }
                for n, age in enumerate(self.board.ages, 1)
            ],
            "over": over,
            "inventions": [self.invention(slot) for slot in view.slots if slot.card >= 0],
            "players": [self.player(seat) for seat in around if view.players[seat].team >= 0],
            "choice": self.choice() if view.phase == Phase.TEAMS else [],
            "passes": int(view.passes),
            "end": self.end() if over else None,
        }

    def say(self, what: Any) -> str:
        return self.words.say(what, self.names)

    def name(self, seat: int) -> str:
        return self.say(SeatName(seat))

    def team(self, number: int) -> Team:
        return self.board.teams[number]

    def token(self, kind: int) -> dict[str, Any]:
        token: Token = self.board.tokens[kind]
        return {"id": token.id, "kind": token.kind, "name": self.say(token.name)}

    # --- The inventions. ---

    def invention(self, slot: Any) -> dict[str, Any]:
        view, card = self.view, self.board.inventions[slot.card]
        at_it = view.phase in (Phase.PLACING, Phase.REWARDS) and view.slots[view.slot].card == slot.card
        rewarding = at_it and view.phase == Phase.REWARDS
        cubes = {seat: sum(map(int, slot.cubes[seat])) for seat in self.seats}
        return {
            **self.card(slot.card),
            "fields": [
                {
                    "id": field.id,
                    "name": self.say(field.name),
                    "short": self.say(field.short),
                    "free": int(slot.free[f]),
                    "drop": engraving.DROP.get(field.shape, 0),
                    "spaces": [
                        {"team": team.id, "letter": team.letter}
                        for seat in self.seats
                        for team in [self.team(view.players[seat].team)] * int(slot.cubes[seat][f])
                    ]
                    + [None] * int(slot.free[f]),
                }
                for f, field in enumerate(self.board.fields)
                if card.spaces[f]
            ],
            "taken": sum(cubes.values()),
            "free": sum(map(int, slot.free)),
            "tokens": [self.token(kind) for kind in slot.tokens if kind >= 0],
            "standing": [
                {
                    "seat": seat,
                    "name": self.name(seat),
                    "team": self.team(view.players[seat].team).id,
                    "cubes": cubes[seat],
                    "place": 1 + sum(other > cubes[seat] for other in cubes.values()),
                }
                for seat in sorted(self.seats, key=lambda seat: -cubes[seat])
                if cubes[seat]
            ],
            "worked_on": at_it and not rewarding,
            "patent_left": not rewarding or view.whereabouts[slot.card] < PATENT,
            "rewards": self.rewards() if rewarding else [],
            "last": f"invention-{card.id}" in self.last,
        }

    def rewards(self) -> list[dict[str, Any]]:
        """Who is rewarded for the complete invention, in order (L11, L12)."""
        view = self.view
        return [
            {
                "name": self.name(seat),
                "team": self.team(view.players[seat].team).id,
                "state": "chosen" if n < view.given else "now" if n == view.given else "next",
            }
            for n, seat in enumerate(map(int, view.queue))
            if seat != NOBODY
        ]

    def card(self, number: int) -> dict[str, Any]:
        """An invention as such."""
        card = self.board.inventions[number]
        classification = next(one for one in self.board.classifications if one.number == card.classification)
        return {
            "id": card.id,
            "name": self.say(card.name),
            "class": classification.id,
            "class_name": self.say(classification.name),
            "number": card.classification,
            "points": card.points,
        }

    # --- The teams. ---

    def choice(self) -> list[dict[str, Any]]:
        """The teams that nobody has chosen yet (S7)."""
        taken = {int(self.view.players[seat].team) for seat in self.seats}
        return [
            {
                "id": team.id,
                "name": self.say(team.name),
                "inventors": [
                    self.inventor(i, list(self.board.inventors[i].start), resting=False) for i in team.inventors
                ],
                "most": self.most(team, [self.board.inventors[i].start for i in team.inventors]),
            }
            for number, team in enumerate(self.board.teams)
            if number not in taken
        ]

    def player(self, seat: int) -> dict[str, Any]:
        view, player = self.view, self.view.players[seat]
        team, own = self.team(player.team), seat == view.viewer
        working = view.inventor if view.phase == Phase.PLACING and view.seat == seat else NOBODY
        return {
            "seat": seat,
            "name": self.name(seat),
            "own": own,
            "deciding": seat == view.seat,
            "leonardo": seat == view.leonardo,
            "team": {"id": team.id, "name": self.say(team.name)},
            "cubes": int(player.cubes),
            "of_cubes": self.board.box.cubes,
            "points": self.observation.scores[seat],
            "inventors": [
                {
                    **self.inventor(i, list(player.knowledge[place]), resting=bool(player.exhausted[place])),
                    "working": place == working,
                }
                for place, i in enumerate(team.inventors)
            ],
            "most": self.most(team, player.knowledge),
            "tokens": [
                {**self.token(kind), "count": int(count), "place": own and view.phase != Phase.REWARDS}
                for kind, count in enumerate(player.tokens)
                if count
            ],
            "patents": [self.card(number) for number in self.patents(seat)],
            "runs": [self.run(run) for run in self.runs(seat)],
        }

    def inventor(self, number: int, knowledge: Sequence[int], *, resting: bool) -> dict[str, Any]:
        """An inventor with the values of all fields and how far the goal is (L28)."""
        one = self.board.inventors[number]
        name = self.say(one.name)
        missing = [max(goal - value, 0) for value, goal in zip(knowledge, one.goal, strict=True)]
        parts = [part for part in name.split() if part[0].isupper()]
        return {
            "id": one.id,
            "name": name,
            "initials": "".join(part[0] for part in (parts[:1] + parts[-1:] if len(parts) > 1 else parts)),
            **_known_as(name),
            "sign": one.id if one.id in engraving.ATTRIBUTES else "",
            "resting": resting,
            "working": False,
            "fields": [
                {
                    "place": n,
                    "id": field.id,
                    "name": self.say(field.name),
                    "short": self.say(field.short),
                    "value": int(value),
                    "goal": goal,
                }
                for n, (field, value, goal) in enumerate(zip(self.board.fields, knowledge, one.goal, strict=True), 1)
            ],
            "points": one.points,
            "missing": int(sum(missing)),
            "last": f"inventor-{one.id}" in self.last,
        }

    def most(self, team: Team, knowledge: Sequence[Sequence[int]]) -> list[int]:
        """The most pips that an inventor of the team has in each field, at least one: so wide is a ledger's column."""
        goals = [self.board.inventors[i].goal for i in team.inventors]
        return [max(1, *map(int, column)) for column in zip(*knowledge, *goals, strict=True)]

    # --- Patents and runs. ---

    def patents(self, seat: int) -> list[int]:
        """The inventions whose patents a seat holds, by classification number."""
        held = [number for number, where in enumerate(self.view.whereabouts) if where == PATENT + seat]
        return sorted(held, key=lambda number: self.board.inventions[number].classification)

    def runs(self, seat: int) -> tuple[Run, ...]:
        """The best runs a seat can make now (L26)."""
        tokens = self.view.players[seat].tokens
        wild = sum(int(tokens[kind]) for kind, token in enumerate(self.board.tokens) if token.kind == "number")
        return arrangement([(self.board.inventions[n].classification, n) for n in self.patents(seat)], wild)

    def run(self, run: Run) -> dict[str, Any]:
        return {
            "points": run.points,
            "cards": [
                {"number": n, "name": "" if card == TOKEN else self.say(self.board.inventions[card].name)}
                for n, card in enumerate(run.cards)
            ],
        }

    # --- The end. ---

    def end(self) -> dict[str, Any]:
        """The whole scoring (L25 to L29), the winners first."""
        totals = [points for points in self.observation.scores if points is not None]
        game = self.setup.game
        winners = game.winners(totals, self.observation)
        rows = [self.row(seat, totals[seat], winner=seat in winners) for seat in self.seats]
        return {
            "reason": self.say(game.ending(self.observation)),
            "rule": game.rule_names[int(self.view.ended_by)],
            "winners": [self.name(seat) for seat in winners],
            "rows": sorted(rows, key=lambda row: (-row["total"], -len(row["patents"]), row["seat"])),
        }

    def row(self, seat: int, total: int, *, winner: bool) -> dict[str, Any]:
        player = self.player(seat)
        goals = [one for one in player["inventors"] if not one["missing"]]
        tokens = [
            {**self.token(kind), "count": int(count), "points": int(count) * self.board.tokens[kind].value}
            for kind, count in enumerate(self.view.players[seat].tokens)
            if count and self.board.tokens[kind].kind == "points"
        ]
        return {
            **player,
            "winner": winner,
            "total": total,
            "goals": goals,
            "point_tokens": tokens,
            "from_patents": sum(card["points"] for card in player["patents"]),
            "from_runs": sum(run["points"] for run in player["runs"]),
            "from_tokens": sum(token["points"] for token in tokens),
            "from_goals": sum(one["points"] for one in goals),
        }


def _known_as(name: str) -> dict[str, str]:
    """A name in three parts, what people are called in short between what stands before and after.

    >>> _known_as("Benjamin Franklin"), _known_as("Hildegard of Bingen")["known_as"]
    ({'before': 'Benjamin', 'known_as': 'Franklin', 'after': ''}, 'Hildegard')
    """
    parts = name.split()
    at = 0 if any(part[0].islower() for part in parts) else len(parts) - 1
    return {"before": " ".join(parts[:at]), "known_as": parts[at], "after": " ".join(parts[at + 1 :])}
