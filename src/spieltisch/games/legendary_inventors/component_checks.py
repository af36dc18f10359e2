"""Checks of a component file of Legendary Inventors beyond its form."""

from typing import Final

from spieltisch.core.component_checks import Problems, check_distinct, check_player_counts, check_range
from spieltisch.core.words import message
from spieltisch.games.legendary_inventors.component_file import SEATS, Contents
from spieltisch.games.legendary_inventors.state import AGES, MAX_KNOWLEDGE, MAX_WILD, TEAM_SIZE, TOKENS


def _classifications(contents: Contents) -> Problems:
    for i, classification in enumerate(contents.classifications):
        yield from check_range(("classifications", i, "number"), classification.number, i, i)


def _players(contents: Contents) -> Problems:
    yield from check_player_counts(contents.players, SEATS)
    maximum = max((count.inventions for count in contents.players), default=0)
    for age in range(1, AGES + 1):
        cards = sum(1 for card in contents.inventions if card.age == age)
        if cards < maximum:
            yield (
                ("inventions",),
                message("Age {age} has {number} inventions but needs {most}.", age=age, number=cards, most=maximum),
            )
    tokens, needed = sum(token.count for token in contents.tokens), AGES * TOKENS * maximum
    if tokens < needed:
        yield (
            ("tokens",),
            message("There are {number} tokens, but up to {needed} are needed.", number=tokens, needed=needed),
        )


def _teams(contents: Contents) -> Problems:
    ids = [team.id for team in contents.teams]
    for i, inventor in enumerate(contents.inventors):
        if inventor.team not in ids:
            yield ("inventors", i, "team"), message("Unknown team: {name}.", name=inventor.team)
        if all(a >= b for a, b in zip(inventor.start, inventor.goal, strict=True)):
            yield (
                ("inventors", i, "goal"),
                message("{inventor} has already reached the goal at the start.", inventor=inventor.name),
            )
    for i, team in enumerate(contents.teams):
        count = sum(1 for inventor in contents.inventors if inventor.team == team.id)
        if count != TEAM_SIZE:
            yield (
                ("teams", i),
                message(
                    "{team} has {number} inventors; a team needs {size}.", team=team.name, number=count, size=TEAM_SIZE
                ),
            )
    yield from check_distinct("teams", contents.teams, "letter")


def _inventions(contents: Contents) -> Problems:
    for i, card in enumerate(contents.inventions):
        if sum(card.spaces) == 0:
            yield ("inventions", i, "spaces"), message("{invention} has no spaces.", invention=card.name)


def _tokens(contents: Contents) -> Problems:
    seen: set[tuple[str, int]] = set()
    for i, token in enumerate(contents.tokens):
        if token.kind in ("upgrade", "points"):
            maximum = MAX_KNOWLEDGE if token.kind == "upgrade" else 99
            yield from check_range(("tokens", i, "value"), token.value, 1, maximum)
        elif token.value != 0:
            yield ("tokens", i, "value"), message("Tokens of this kind can’t have a value.")
        yield from check_range(("tokens", i, "count"), token.count, 0, MAX_WILD if token.kind == "number" else 99)
        if (token.kind, token.value) in seen:
            yield ("tokens", i), message("Two kinds of tokens are identical.")
        seen.add((token.kind, token.value))


def _names(contents: Contents) -> Problems:
    for table in ("fields", "teams", "inventors", "inventions", "tokens"):
        yield from check_distinct(table, getattr(contents, table), "name")


CHECKS: Final = ((_classifications, _players, _teams, _inventions, _tokens, _names),)
