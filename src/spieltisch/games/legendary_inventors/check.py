"""What a component file of Legendary Inventors must hold to be played with, beyond its form."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from spieltisch.core.components import Components, Finding
from spieltisch.core.toml_lines import Steps
from spieltisch.core.words import LANGUAGES, Message, Name, message
from spieltisch.games.legendary_inventors.contents import Contents
from spieltisch.games.legendary_inventors.state import (
    AGES,
    FIELDS,
    INVENTIONS,
    KINDS,
    MOST_KNOWLEDGE,
    MOST_OPEN,
    MOST_SEATS,
    MOST_SPACES,
    MOST_WILD,
    NUMBERS,
    TEAM_SIZE,
    TEAMS,
    TOKENS,
)

SEATS: Final = range(2, MOST_SEATS + 1)

Wrong: TypeAlias = Iterator[tuple[Steps, Message]]
"""Steps to a value of the file, and what is wrong with it."""


def check(components: Components[Contents]) -> list[Finding]:
    """Everything that keeps a game from being played with these components; empty when all is well."""
    contents = components.contents
    wrong = [found for look in _LOOKS for found in look(contents)]
    return [components.finding(steps, what) for steps, what in wrong]


def _ids(contents: Contents) -> Wrong:
    ids: list[tuple[Steps, str]] = [(("name",), contents.name)]
    for table in ("fields", "classifications", "ages", "teams", "inventors", "inventions", "tokens"):
        ids += [((table, index, "id"), item.id) for index, item in enumerate(getattr(contents, table))]
    for steps, text in ids:
        if not re.fullmatch(r"[a-z0-9-]+", text):
            yield steps, message("{id} may hold small letters a to z, digits and hyphens only.", id=text)


def _counts(contents: Contents) -> Wrong:
    tables = (
        ("fields", len(contents.fields), FIELDS),
        ("classifications", len(contents.classifications), NUMBERS),
        ("ages", len(contents.ages), AGES),
        ("teams", len(contents.teams), TEAMS),
    )
    for table, number, wanted in tables:
        if number != wanted:
            yield (
                (table,),
                message(
                    "{table}: {wanted} are needed, and there are {number}.", table=table, wanted=wanted, number=number
                ),
            )
    for table, number, most in (
        ("inventions", len(contents.inventions), INVENTIONS),
        ("tokens", len(contents.tokens), KINDS),
    ):
        if number > most:
            yield (
                (table,),
                message("{table}: there may be {most}, and there are {number}.", table=table, most=most, number=number),
            )


def _numbers(contents: Contents) -> Wrong:
    bounds: list[tuple[Steps, int, int, int]] = [
        (("box", "cubes"), contents.box.cubes, 1, 99),
        (("turn", "genius_cubes"), contents.turn.genius_cubes, 1, 9),
    ]
    for i, count in enumerate(contents.players):
        bounds += [
            (("players", i, "players"), count.players, SEATS.start, SEATS.stop - 1),
            (("players", i, "inventions"), count.inventions, 2, MOST_OPEN),
        ]
    for i, its in enumerate(contents.classifications):
        bounds.append((("classifications", i, "number"), its.number, i, i))
    for i, inventor in enumerate(contents.inventors):
        for f in range(FIELDS):
            bounds.append((("inventors", i, "start", f), inventor.start[f], 0, MOST_KNOWLEDGE))
            bounds.append((("inventors", i, "goal", f), inventor.goal[f], 0, MOST_KNOWLEDGE))
        bounds.append((("inventors", i, "points"), inventor.points, 0, 99))
    for i, card in enumerate(contents.inventions):
        bounds.append((("inventions", i, "age"), card.age, 1, AGES))
        bounds.append((("inventions", i, "classification"), card.classification, 0, NUMBERS - 1))
        bounds.append((("inventions", i, "points"), card.points, 0, 99))
        bounds += [(("inventions", i, "spaces", f), card.spaces[f], 0, MOST_SPACES) for f in range(FIELDS)]
    for i, token in enumerate(contents.tokens):
        bounds.append((("tokens", i, "count"), token.count, 0, MOST_WILD if token.kind == "number" else 99))
        if token.kind in ("upgrade", "points"):
            bounds.append((("tokens", i, "value"), token.value, 1, MOST_KNOWLEDGE if token.kind == "upgrade" else 99))
    for steps, number, least, most in bounds:
        if not least <= number <= most:
            yield steps, message("{number} is not from {least} to {most}.", number=number, least=least, most=most)


def _players(contents: Contents) -> Wrong:
    for seats in SEATS:
        if all(count.players != seats for count in contents.players):
            yield ("players",), message("The number of inventions for {seats} players is missing.", seats=seats)
    most = max((count.inventions for count in contents.players), default=0)
    for age in range(1, AGES + 1):
        cards = sum(1 for card in contents.inventions if card.age == age)
        if cards < most:
            yield (
                ("inventions",),
                message(
                    "Age {age} has {number} inventions, and {most} are laid out.", age=age, number=cards, most=most
                ),
            )
    tokens, needed = sum(token.count for token in contents.tokens), AGES * TOKENS * most
    if tokens < needed:
        yield (
            ("tokens",),
            message("There are {number} tokens, and up to {needed} are drawn.", number=tokens, needed=needed),
        )


def _teams(contents: Contents) -> Wrong:
    known = [team.id for team in contents.teams]
    for i, inventor in enumerate(contents.inventors):
        if inventor.team not in known:
            yield ("inventors", i, "team"), message("There is no team {name}.", name=inventor.team)
        if all(a >= b for a, b in zip(inventor.start, inventor.goal, strict=True)):
            yield ("inventors", i, "goal"), message("{inventor} begins with the goal reached.", inventor=inventor.name)
    for i, team in enumerate(contents.teams):
        number = sum(1 for inventor in contents.inventors if inventor.team == team.id)
        if number != TEAM_SIZE:
            yield (
                ("teams", i),
                message(
                    "{team} has {number} inventors; a team has {size}.", team=team.name, number=number, size=TEAM_SIZE
                ),
            )
        if not re.fullmatch(r"[A-Z]", team.letter):
            yield ("teams", i, "letter"), message("A team's letter is one capital letter from A to Z.")
        if any(other.letter == team.letter for other in contents.teams[:i]):
            yield ("teams", i, "letter"), message("Another team already has {mark}.", mark=team.letter)
        for key, ink in (("ink", team.ink), ("ink_dark", team.ink_dark)):
            if not re.fullmatch(r"#[0-9a-fA-F]{6}", ink):
                yield ("teams", i, key), message("A colour is written like {example}.", example="#a7373a")


def _inventions(contents: Contents) -> Wrong:
    for i, card in enumerate(contents.inventions):
        if sum(card.spaces) == 0:
            yield ("inventions", i, "spaces"), message("{invention} has no space.", invention=card.name)


def _tokens(contents: Contents) -> Wrong:
    seen: set[tuple[str, int]] = set()
    for i, token in enumerate(contents.tokens):
        if token.kind not in ("upgrade", "points") and token.value != 0:
            yield ("tokens", i, "value"), message("A token of this kind shows no number.")
        if (token.kind, token.value) in seen:
            yield ("tokens", i), message("Two kinds of tokens are alike.")
        seen.add((token.kind, token.value))


def _names(contents: Contents) -> Wrong:
    for table in ("fields", "teams", "inventors", "inventions", "tokens"):
        names: list[tuple[Steps, Name]] = [
            ((table, index, "name"), item.name) for index, item in enumerate(getattr(contents, table))
        ]
        for language in LANGUAGES:
            seen: set[str] = set()
            for steps, name in names:
                text = name.text(language).casefold()
                if text in seen:
                    yield (*steps, language), message("Two things have the name {name}.", name=name.text(language))
                seen.add(text)


_LOOKS: Final[tuple[Callable[[Contents], Wrong], ...]] = (
    _ids,
    _counts,
    _numbers,
    _players,
    _teams,
    _inventions,
    _tokens,
    _names,
)
