"""The context of one observation of Legendary Inventors: ages, inventions as cards, teams, and the scoring.

All information is public (S12), so every viewer sees the same, with their own team first.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from spieltisch.core.words import Message, message
from spieltisch.drawing import Scene
from spieltisch.games.legendary_inventors.board import Board, Team
from spieltisch.games.legendary_inventors.icons import ICONS, LETTER_DROP
from spieltisch.games.legendary_inventors.rules.runs import TOKEN, Run, arrangement
from spieltisch.games.legendary_inventors.state import NOBODY, NUMBERS, PATENT, Phase

CHARACTERS: Final[Mapping[str, Message]] = {
    "antiquity": message("Thinkers and healers."),
    "middle-ages": message("Scholars, a nun and a printer."),
    "renaissance": message("Founders of the experiment."),
    "modern-era": message("Steam, lightning and the first program."),
    "contemporary-era": message("Light, current and radiation."),
}
"""The character of each team. A team of a custom component file may have none."""


class InventorsScene(Scene):
    """One observation of Legendary Inventors, in words."""

    board: Board

    def context(self) -> dict[str, Any]:
        """Return the context of the panel and the scoring."""
        view, board = self.view, self.board
        return super().context() | {
            "fields": [self.field(f) for f in range(len(board.fields))],
            "ages": [
                {
                    "id": age.id,
                    "name": self.say(age.name),
                    "now": n == view.age and not self.is_over,
                    "past": n < view.age or self.is_over,
                }
                for n, age in enumerate(board.ages, 1)
            ],
            "inventions": [self.invention(slot) for slot in view.slots if slot.card >= 0],
            "players": [self.player(seat) for seat in self.seats_from_viewer if view.players[seat].team >= 0],
            "choice": self.choice() if view.phase == Phase.TEAMS else [],
            "passes": view.passes,
        }

    def team_of(self, seat: int) -> Team:
        """Return the team that the player in a seat leads."""
        number: int = self.view.players[seat].team
        return self.board.teams[number]

    def field(self, number: int) -> dict[str, Any]:
        """Return a field of knowledge; its place counts from 1."""
        field = self.board.fields[number]
        return {"place": number + 1, "id": field.id, "name": self.say(field.name), "short": self.say(field.short)}

    def token(self, kind: int) -> dict[str, Any]:
        """Return what templates show of a token of this kind."""
        token = self.board.tokens[kind]
        return {"id": token.id, "kind": token.kind, "name": self.say(token.name)}

    # --- The inventions. ---

    def invention(self, slot: Any) -> dict[str, Any]:
        """Return an open invention: its card, spaces, tokens, ranking by cubes, and rewards."""
        view, card = self.view, self.board.inventions[slot.card]
        at_it = view.phase in (Phase.PLACING, Phase.REWARDS) and view.slots[view.slot].card == slot.card
        rewarding = at_it and view.phase == Phase.REWARDS
        cubes = {seat: sum(slot.cubes[seat]) for seat in self.seats}
        return {
            **self.card(slot.card),
            "fields": [
                {
                    **self.field(f),
                    "free": slot.free[f],
                    "drop": LETTER_DROP.get(field.shape, 0),
                    "spaces": [
                        {"team": self.team_of(seat).id, "letter": self.initials[seat]}
                        for seat in sorted(self.seats, key=lambda seat: seat == view.viewer)  # a new one moves none
                        for _ in range(slot.cubes[seat][f])
                    ]
                    + [None] * slot.free[f],
                }
                for f, field in enumerate(self.board.fields)
                if card.spaces[f]
            ],
            "taken": sum(cubes.values()),
            "free": sum(slot.free),
            "tokens": [self.token(kind) for kind in slot.tokens if kind >= 0],
            "standing": [
                {
                    "seat": seat,
                    "name": self.name(seat),
                    "team": self.team_of(seat).id,
                    "cubes": cubes[seat],
                    "place": 1 + sum(other > cubes[seat] for other in cubes.values()),
                }
                for seat in sorted(self.seats, key=lambda seat: -cubes[seat])
                if cubes[seat]
            ],
            "worked_on": at_it and not rewarding,
            "patent_left": not rewarding or view.whereabouts[slot.card] < PATENT,
            "rewards": self.rewards() if rewarding else [],
            "last": f"invention-{card.id}" in self.marked_elements,
        }

    def rewards(self) -> list[dict[str, Any]]:
        """Return the seats that are rewarded for the complete invention, in order (L11, L12)."""
        view = self.view
        return [
            {
                "seat": seat,
                "name": self.name(seat),
                "state": "chosen" if n < view.given else "current" if n == view.given else "next",
            }
            for n, seat in enumerate(view.queue)
            if seat != NOBODY
        ]

    def card(self, number: int) -> dict[str, Any]:
        """Return the card of an invention, without the state of play."""
        card = self.board.inventions[number]
        classification = next(item for item in self.board.classifications if item.number == card.classification)
        return {
            "id": card.id,
            "engraved": f"picture-{card.id}" in ICONS,
            "name": self.say(card.name),
            "class": classification.id,
            "class_name": self.say(classification.name),
            "number": card.classification,
            "points": card.points,
        }

    # --- The teams. ---

    def choice(self) -> list[dict[str, Any]]:
        """Return all teams, each with the seat that has chosen it, if any (S7)."""
        seats = {self.view.players[seat].team: seat for seat in self.seats}
        most = max(sum(goals) for team in self.board.teams for goals in self._by_field(team, "goal"))
        return [
            {
                "id": team.id,
                "name": self.say(team.name),
                "character": self.say(CHARACTERS[team.id]) if team.id in CHARACTERS else "",
                "strong": self.say(self._strong_in(team)),
                "seat": seats.get(number),
                "player": self.name(seats[number]) if number in seats else "",
                "inventors": [self.inventor(i, self.board.inventors[i].start, resting=False) for i in team.inventors],
                "bars": [
                    {**self.field(f), "value": sum(start), "goal": sum(goal), "most": most}
                    for f, (start, goal) in enumerate(
                        zip(self._by_field(team, "start"), self._by_field(team, "goal"), strict=True)
                    )
                ],
            }
            for number, team in enumerate(self.board.teams)
        ]

    def _by_field(self, team: Team, values: str) -> list[tuple[int, ...]]:
        """Return the start values or the goals of a team's inventors, by field."""
        return list(zip(*(getattr(self.board.inventors[i], values) for i in team.inventors), strict=True))

    def _strong_in(self, team: Team) -> Message:
        """Return the fields in which a team knows most at the start."""
        known = [sum(start) for start in self._by_field(team, "start")]
        best = [field.name for field, value in zip(self.board.fields, known, strict=True) if value == max(known)]
        if len(best) == 1:
            return message("Strong in {field}.", field=best[0])
        if len(best) == 2:
            return message("Strong in {first} and {second}.", first=best[0], second=best[1])
        return message("At home in many fields.")

    def player(self, seat: int) -> dict[str, Any]:
        """Return a player: team, cubes, inventors, tokens, patents and runs."""
        view, player = self.view, self.view.players[seat]
        team, own = self.team_of(seat), seat == view.viewer
        working = view.inventor if view.phase == Phase.PLACING and view.seat == seat else NOBODY
        return {
            **super().player(seat),
            "leonardo": seat == view.leonardo,
            "team": {"id": team.id, "name": self.say(team.name)},
            "cubes": player.cubes,
            "of_cubes": self.params.cubes,
            "points": self.observation.scores[seat],
            "inventors": [
                {
                    **self.inventor(i, player.knowledge[place], resting=bool(player.exhausted[place])),
                    "working": place == working,
                }
                for place, i in enumerate(team.inventors)
            ],
            "tokens": [
                {**self.token(kind), "count": count, "place": own and view.phase != Phase.REWARDS}
                for kind, count in enumerate(player.tokens)
                if count
            ],
            "patents": [self.card(number) for number in self.patents(seat)],
            "runs": [self.run(run) for run in self.runs(seat)],
            "bar": self.bar(seat),
        }

    def inventor(self, number: int, knowledge: Sequence[int], *, resting: bool) -> dict[str, Any]:
        """Return an inventor with the values of all fields and the distance to the goal (L28)."""
        inventor = self.board.inventors[number]
        name = self.say(inventor.name)
        missing = [max(goal - value, 0) for value, goal in zip(knowledge, inventor.goal, strict=True)]
        return {
            "id": inventor.id,
            "name": name,
            **_known_as(name),
            "resting": resting,
            "working": False,
            "fields": [
                {**self.field(f), "value": value, "goal": goal}
                for f, (value, goal) in enumerate(zip(knowledge, inventor.goal, strict=True))
            ],
            "points": inventor.points,
            "missing": sum(missing),
            "lights": [] if resting else [self.board.fields[f].id for f, value in enumerate(knowledge) if value],
            "last": f"inventor-{inventor.id}" in self.marked_elements,
        }

    # --- Patents and runs. ---

    def patents(self, seat: int) -> list[int]:
        """Return the inventions whose patents a seat holds, by classification number."""
        held = [number for number, whereabouts in enumerate(self.view.whereabouts) if whereabouts == PATENT + seat]
        return sorted(held, key=lambda number: self.board.inventions[number].classification)

    def runs(self, seat: int, extra: int | None = None) -> tuple[Run, ...]:
        """Return the best runs a seat can make now (L26), or could with a patent of the number `extra`."""
        tokens = self.view.players[seat].tokens
        wild = sum(tokens[kind] for kind, token in enumerate(self.board.tokens) if token.kind == "number")
        held = [(self.board.inventions[n].classification, n) for n in self.patents(seat)]
        return arrangement(held if extra is None else [*held, (extra, TOKEN - 1)], wild, self.params.patents_in_run)

    def run(self, run: Run) -> dict[str, Any]:
        """Return a run: its points and its cards."""
        return {
            "points": run.points,
            "cards": [
                {"number": n, "name": "" if card == TOKEN else self.say(self.board.inventions[card].name)}
                for n, card in enumerate(run.cards)
            ],
        }

    def bar(self, seat: int) -> dict[str, Any]:
        """Return the best run as a bar from 0 to 5, or as far as tokens extend it.

        Each space has the number of patents of its number that the seat holds, and its look in the run. The bar also
        has the worth of all runs, now and with the patent that the run lacks next.
        """
        held = [self.board.inventions[n].classification for n in self.patents(seat)]
        runs = self.runs(seat)
        best = runs[0].cards if runs else ()
        gap = len(best) or next((n for n in range(NUMBERS) if n not in held), NUMBERS)
        spaces = [
            {
                "number": n,
                "class": next((item.id for item in self.board.classifications if item.number == n), ""),
                "count": held.count(n),
                "look": ("from-token" if best[n] == TOKEN else "in-run")
                if n < len(best)
                else "held"
                if n in held
                else "gap"
                if n == gap and held
                else "none",
            }
            for n in range(max(NUMBERS, len(best)))
        ]
        next_worth = sum(run.points for run in self.runs(seat, extra=gap)) if gap < NUMBERS else 0
        return {"spaces": spaces, "worth": sum(run.points for run in runs), "gap": gap, "next_worth": next_worth}

    # --- The end. ---

    def score_row(self, player: Mapping[str, Any]) -> dict[str, Any]:
        """Return the points of the team by source (L25 to L28)."""
        goals = [inventor for inventor in player["inventors"] if not inventor["missing"]]
        tokens = [
            {**self.token(kind), "count": count, "points": count * self.board.tokens[kind].value}
            for kind, count in enumerate(self.view.players[player["seat"]].tokens)
            if count and self.board.tokens[kind].kind == "points"
        ]
        return {
            "goals": goals,
            "point_tokens": tokens,
            "from_patents": sum(card["points"] for card in player["patents"]),
            "from_runs": sum(run["points"] for run in player["runs"]),
            "from_tokens": sum(token["points"] for token in tokens),
            "from_goals": sum(inventor["points"] for inventor in goals),
        }

    def rank_key(self, row: Mapping[str, Any]) -> tuple[int, ...]:
        """Return the points, then the number of patents (L29)."""
        return row["total"], len(row["patents"])


def _known_as(name: str) -> dict[str, str]:
    """Return a name in three parts: the short name of the person, and the words before and after it.

    >>> _known_as("Benjamin Franklin"), _known_as("Hildegard of Bingen")["known_as"]
    ({'before': 'Benjamin', 'known_as': 'Franklin', 'after': ''}, 'Hildegard')
    """
    parts = name.split()
    index = 0 if any(part[0].islower() for part in parts) else len(parts) - 1
    return {"before": " ".join(parts[:index]), "known_as": parts[index], "after": " ".join(parts[index + 1 :])}
