"""The board of a component file for rules, moves and drawing: all components by number."""

from dataclasses import dataclass
from functools import cached_property

from spieltisch.core.components import Components
from spieltisch.core.words import Name
from spieltisch.games.legendary_inventors import component_file


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

    box: component_file.Box
    turn: component_file.Turn
    players: tuple[component_file.Players, ...]
    fields: tuple[component_file.Field, ...]
    classifications: tuple[component_file.Classification, ...]
    ages: tuple[component_file.Age, ...]
    teams: tuple[Team, ...]
    inventors: tuple[component_file.Inventor, ...]
    inventions: tuple[component_file.Invention, ...]
    tokens: tuple[component_file.Token, ...]

    @cached_property
    def team_of(self) -> tuple[int, ...]:
        """The number of each inventor's team."""
        ids = [team.id for team in self.teams]
        return tuple(ids.index(inventor.team) for inventor in self.inventors)


def board(components: Components[component_file.Contents]) -> Board:
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
