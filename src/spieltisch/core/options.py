"""The options of a game: choices made when a table is set up."""

from typing import SupportsIndex, TypeAlias

import msgspec
import numpy as np

from spieltisch.core.errors import OptionError
from spieltisch.core.suggestions import did_you_mean
from spieltisch.core.words import Message

OptionValue: TypeAlias = str | SupportsIndex | np.bool_
"""A value of an option as a caller may give it; `Option.chosen` returns the one that is stored."""


class Option(msgspec.Struct, frozen=True):
    """A choice made when a table is set up. `choices` are pairs of a value and its name for people.

    A `ruling` chooses between interpretations of the rules; few people change it, so pages show these options together
    in a closed section.

    >>> import spieltisch
    >>> option = spieltisch.game("paris-connection").options[0]
    >>> option.name, [value for value, name in option.choices], option.default
    ('cut_off', ['strict', 'weak'], 'strict')
    >>> option.chosen("weak")
    'weak'
    """

    name: str
    label: Message
    help: Message
    choices: tuple[tuple[str | bool | int, Message], ...]
    default: str | bool | int
    ruling: bool = False
    rulebook_editions: tuple[tuple[str | bool | int, Message], ...] = ()

    def chosen(self, value: object) -> str | bool | int:
        """Return the choice that equals the value. Raise OptionError for any other value."""
        for choice, _ in self.choices:
            if type(value) is type(choice) and value == choice:
                return choice
        if isinstance(value, np.integer | np.bool_):
            return self.chosen(value.item())
        choices = [choice for choice, _ in self.choices]
        question = did_you_mean(str(value), [choice for choice in choices if isinstance(choice, str)])
        raise OptionError(f"{self.name}: {value!r} is none of {', '.join(map(repr, choices))}{question}")
