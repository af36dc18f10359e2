"""The environment in which a game's templates are rendered, with those that all games share beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined

from spieltisch.drawing.engraving import FUNCTIONS
from spieltisch.drawing.scene import figure

TEMPLATES: Final = Path(__file__).parent / "templates"


def environment(folder: Path) -> Environment:
    """The templates of a folder, and the shared ones as "drawing/...". All is escaped, SVG and CSS too, and a name that
    is not given is an error. What they say, `_` and `_n`, is for the caller to add: see `Words.phrases`.
    """
    shared = PrefixLoader({"drawing": FileSystemLoader(TEMPLATES)})
    made = Environment(
        loader=ChoiceLoader([FileSystemLoader(folder), shared]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters["figure"] = figure
    made.globals.update(FUNCTIONS)
    return made
