"""The icons of a game, read from an SVG file of symbols, `icons.svg` in the game's folder."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from markupsafe import Markup

SYMBOL: Final = re.compile(r'<symbol id="([^"]+)"[^>]*>(.*?)</symbol>', re.DOTALL)
PATH: Final = re.compile(r' d="([^"]+)"')


class Icon(NamedTuple):
    """The contents of a symbol, and the data of its path if it consists of one."""

    content: Markup
    path: str


def read_icons(file: Path) -> Mapping[str, Icon]:
    """Return the symbols of a file by their ids. A game's own file is trusted: its contents are not escaped."""
    icons = {}
    for key, content in SYMBOL.findall(file.read_text(encoding="utf-8")):
        paths = PATH.findall(content)
        markup = Markup("".join(content.split("\n")))  # noqa: S704 (a file of the program)
        icons[key] = Icon(markup, paths[0] if len(paths) == 1 else "")
    return icons
