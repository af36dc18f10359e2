"""Earlier names of commands and options, which are still accepted with a warning."""

from typing import Any, Final

import typer
from typer._click.core import Context, Parameter
from typer.core import TyperGroup

COMMANDS: Final = {"history": "results"}
"""Earlier names of commands, with the present ones."""
OPTIONS: Final = {
    f"--{earlier}": f"--{present}"
    for earlier, present in (
        ("closely", "deep-checks"),
        ("compile", "compile-search"),
        ("from", "address"),
        ("no-compile", "no-compile-search"),
        ("number", "count"),
        ("private-addresses", "allow-private-alerts"),
        ("to", "output"),
    )
}
"""Earlier names of options, with the present ones; replaced where a command has the present one only."""


class RenamedGroup(TyperGroup):
    """The group of all commands; it replaces earlier names before a command reads its arguments."""

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Resolve the command, with earlier names replaced in its arguments."""
        if args and args[0] in COMMANDS:
            args = [_replaced(args[0], COMMANDS[args[0]]), *args[1:]]
        name, command, rest = super().resolve_command(ctx, args)
        leaf: Any = command
        position = 0
        while hasattr(leaf, "get_command") and position < len(rest):
            leaf, position = leaf.get_command(ctx, rest[position]), position + 1
        known = {option for parameter in getattr(leaf, "params", ()) for option in self._names(parameter)}
        for index, argument in enumerate(rest[position:], position):
            option, equals, value = argument.partition("=")
            if option in OPTIONS and option not in known and OPTIONS[option] in known:
                rest[index] = f"{_replaced(option, OPTIONS[option])}{equals}{value}"
        return name, command, rest

    @staticmethod
    def _names(parameter: Parameter) -> list[str]:
        """Return all names of a parameter."""
        return [*parameter.opts, *parameter.secondary_opts]


def _replaced(earlier: str, present: str) -> str:
    """Warn about an earlier name, and return the present one."""
    typer.echo(
        f"Warning: {earlier} is now called {present}; the old name will be removed in the next version.", err=True
    )
    return present
