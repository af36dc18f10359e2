"""Variants of components: one value of a component file changed, to see what that changes in play."""

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from spieltisch.core.components import Components
from spieltisch.core.game import Game


def read_variation(text: str) -> tuple[str, list[str]]:
    """Return the path and the values of a text such as `cards.camera.cost=4,5`. Raise ValueError.

    >>> read_variation("invention_cards.camera-*.cost.coal=3,+1")
    ('invention_cards.camera-*.cost.coal', ['3', '+1'])
    """
    path, _, values = text.partition("=")
    if not path or not all(values.split(",")):
        raise ValueError(f"{text!r} is not PATH=VALUE,VALUE")
    return path, values.split(",")


def varied(game: Game, components: Components[Any], path: str, value: str) -> Components[Any]:
    """Return the components with this value at a path as in `[[provenance]]`; `*` stands for any letters of a step.

    A number with a sign is added to the present one. Raise ValueError if there is no single value at the path, and
    ComponentsError if the game cannot use the result.

    >>> import spieltisch
    >>> game = spieltisch.game("paris-connection")
    >>> more = varied(game, game.components, "players.3.limit", "+1")
    >>> more.contents.players[0].limit - game.components.contents.players[0].limit
    1
    """
    tables = json.loads(json.dumps(components.data, default=dict))
    places = list(_places(tables, path.split(".")))
    if not places:
        raise ValueError(f"{components.name} has nothing at {path}; {_nearest(tables, path.split('.'))}")
    for table, key in places:
        before, after = table[key], _parsed(value)
        if isinstance(before, dict | list):
            raise ValueError(f"{path} is no single value; below it are {_listed(before)}")
        is_relative = value[0] in "+-" and isinstance(before, int | float) and isinstance(after, int | float)
        table[key] = before + after if is_relative else after
    return read_tables(game, tables)


def read_tables(game: Game, tables: Mapping[str, Any]) -> Components[Any]:
    """Return the components in the tables of a component file. Raise ComponentsError if the game cannot use them.

    >>> import spieltisch
    >>> game = spieltisch.game("paris-connection")
    >>> read_tables(game, {**game.components.data, "name": "my-box"}).name
    'my-box'
    """
    plain = json.loads(json.dumps(tables, default=dict))
    return game.read_components("\n".join(f"{json.dumps(key)} = {_toml(item)}" for key, item in plain.items()))


def _parsed(value: str) -> Any:
    try:
        return tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return value


def _places(value: Any, steps: Sequence[str]) -> Iterator[tuple[Any, Any]]:
    """Yield the tables that a path leads to, and the keys in them."""
    for key, name in _names(value):
        if fnmatchcase(name, steps[0]):
            if len(steps) == 1:
                yield value, key
            else:
                yield from _places(value[key], steps[1:])


def _nearest(tables: Any, steps: Sequence[str]) -> str:
    """Return what is below the longest beginning of a path that leads to something."""
    for length in range(len(steps) - 1, 0, -1):
        for table, key in _places(tables, steps[:length]):
            if names := _listed(table[key]):
                return f"below {'.'.join(steps[:length])} are {names}"
    return f"a path begins with {_listed(tables)}"


def _listed(value: Any) -> str:
    return ", ".join(name for _, name in _names(value))


def _names(value: Any) -> Iterable[tuple[Any, str]]:
    """Return the keys in a table or list and their names; a table in a list is named by its first field."""
    if isinstance(value, dict):
        return [(key, key) for key in value]
    if not isinstance(value, list):
        return []
    return [(at, str(next(iter(item.values()), at) if isinstance(item, dict) else at)) for at, item in enumerate(value)]


def _toml(value: Any) -> str:
    """Return a value as TOML. Lists have a line for each item, because lines of component files are limited."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + "".join(f"\n{_toml(item)}," for item in value) + "\n]"
    return json.dumps(value, ensure_ascii=False)
