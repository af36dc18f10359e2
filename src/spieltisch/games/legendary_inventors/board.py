"""The board of a component file for rules, moves and drawing: all components by number."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from spieltisch.core.components import Components
from spieltisch.core.words import Name
from spieltisch.games.legendary_inventors.component_file import (
    Age,
    Box,
    Classification,
    Contents,
    Field,
    Invention,
    Inventor,
    Players,
    Token,
    Turn,
)


@dataclass(frozen=True)
class Team:
    """A team with the numbers of its four inventors, ascending."""

    id: str
    letter: str
    pattern: str
    ink: str
    ink_dark: str
    name: Name
    inventors: tuple[int, ...]


@dataclass(frozen=True)
class Board:
    """All data of a component file of Legendary Inventors, made by `board`.

    Numbers count from 0 in the file's order; inventions are sorted by age.
    """

    box: Box
    turn: Turn
    players: tuple[Players, ...]
    fields: tuple[Field, ...]
    classifications: tuple[Classification, ...]
    ages: tuple[Age, ...]
    teams: tuple[Team, ...]
    inventors: tuple[Inventor, ...]
    inventions: tuple[Invention, ...]
    tokens: tuple[Token, ...]

    @cached_property
    def team_of(self) -> tuple[int, ...]:
        """The number of each inventor's team."""
        ids = [team.id for team in self.teams]
        return tuple(ids.index(inventor.team) for inventor in self.inventors)


def board(components: Components[Contents]) -> Board:
    """Return the board of components that `components.read` has checked."""
    contents = components.contents
    return Board(
        box=contents.box,
        turn=contents.turn,
        players=contents.players,
        fields=contents.fields,
        classifications=contents.classifications,
        ages=contents.ages,
        teams=tuple(
            Team(
                team.id, team.letter, team.pattern, team.ink, team.ink_dark, team.name,
                tuple(i for i, inventor in enumerate(contents.inventors) if inventor.team == team.id),
            )
            for team in contents.teams
        ),
        inventors=contents.inventors,
        inventions=contents.inventions,
        tokens=contents.tokens,
    )  # fmt: skip
