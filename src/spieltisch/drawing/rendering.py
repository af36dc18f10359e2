"""The environment in which a game's templates are rendered, with those that all games share beside them."""

from __future__ import annotations

from pathlib import Path
from types import CodeType
from typing import Final

from jinja2 import BytecodeCache, ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined
from jinja2.bccache import Bucket

from spieltisch.drawing.engraving import FUNCTIONS
from spieltisch.drawing.scene import figure

TEMPLATES: Final = Path(__file__).parent / "templates"


class Compiled(BytecodeCache):
    """What templates are compiled to, for all environments of this process: they differ by language, which shows in
    what a template is given, not in what it is compiled to.
    """

    def __init__(self) -> None:
        self._codes: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give what the same source of the same file was compiled to."""
        bucket.code = self._codes.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what a source was compiled to."""
        if bucket.code is not None:
            self._codes[bucket.key, bucket.checksum] = bucket.code


COMPILED: Final = Compiled()


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
        bytecode_cache=COMPILED,
    )
    made.filters["figure"] = figure
    made.globals.update(FUNCTIONS)
    return made
