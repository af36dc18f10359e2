"""The environment in which templates are rendered: those of a folder, of games, and those that all games share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from types import CodeType, MappingProxyType
from typing import Any, ClassVar, Final

import structlog
from jinja2 import BaseLoader, BytecodeCache, Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket

from spieltisch.drawing.scene import format_number
from spieltisch.drawing.svg_hatching import TEMPLATE_FUNCTIONS

TEMPLATES: Final = Path(__file__).parent / "templates"
OPTIONS: Final[dict[str, Any]] = {"autoescape": True, "trim_blocks": True, "lstrip_blocks": True}
NO_FOLDERS: Final[Mapping[str, Path]] = MappingProxyType({})

_logger = structlog.get_logger()


class TemplateEnvironment(Environment):
    """A template names those in its own folder as they are called there, and the shared ones as "drawing/..."."""

    def join_path(self, template: str, parent: str) -> str:
        folder = parent.rpartition("/")[0]
        return f"{folder}/{template}" if folder and "/" not in template else template


class TemplateLoader(BaseLoader):
    """Loads the templates of a folder, and as "NAME/..." those of named folders, which may be added later on."""

    def __init__(self, folder: Path, folders: Mapping[str, Path]) -> None:
        self._folder = folder
        self._folders = folders

    def get_source(self, environment: Environment, template: str) -> tuple[str, str | None, Callable[[], bool] | None]:
        folder, _, name = template.rpartition("/")
        known = {"": self._folder, "drawing": TEMPLATES, **self._folders}
        return FileSystemLoader(known.get(folder, ())).get_source(environment, name)

    def list_templates(self) -> list[str]:
        known = {"": self._folder, "drawing/": TEMPLATES, **{f"{name}/": one for name, one in self._folders.items()}}
        return [prefix + name for prefix, folder in known.items() for name in FileSystemLoader(folder).list_templates()]


class TemplateCache(BytecodeCache):
    """Keeps compiled templates for all environments of this process, and for later ones in a folder below `root`: one
    for each version of Jinja and of our options. Where they cannot be kept there, they are compiled after every start.
    """

    codes: ClassVar[dict[tuple[str, str], CodeType]] = {}

    def __init__(self, root: Path | None = None) -> None:
        options = blake2b(repr((version("jinja2"), OPTIONS)).encode(), digest_size=6).hexdigest()
        self._folder = None if root is None else root / options

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self.codes.get((bucket.key, bucket.checksum))
        if bucket.code is None:
            self._on_disk(bucket, FileSystemBytecodeCache.load_bytecode)
            self._remember(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._remember(bucket)
        self._on_disk(bucket, FileSystemBytecodeCache.dump_bytecode)

    def _remember(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self.codes[bucket.key, bucket.checksum] = bucket.code

    def _on_disk(self, bucket: Bucket, step: Callable[[FileSystemBytecodeCache, Bucket], None]) -> None:
        if self._folder is None:
            return
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            step(FileSystemBytecodeCache(str(self._folder)), bucket)
        except OSError as problem:
            _logger.warning("compiled templates cannot be kept", folder=str(self._folder), problem=str(problem))
            self._folder = None


def environment(folder: Path, folders: Mapping[str, Path] = NO_FOLDERS, cache: Path | None = None) -> Environment:
    """The templates of a folder, those of named `folders` as "NAME/...", and the shared ones as "drawing/...". All is
    escaped, SVG and CSS too, and a name that is not given is an error. What they say, `_` and `_n`, is for the caller
    to add: see `Words.phrases`. What they are compiled to is kept in the folder `cache`, too.
    """
    made = TemplateEnvironment(
        loader=TemplateLoader(folder, folders),
        undefined=StrictUndefined,
        auto_reload=False,
        cache_size=-1,
        bytecode_cache=TemplateCache(cache),
        **OPTIONS,
    )
    made.filters["figure"] = format_number
    made.globals.update(TEMPLATE_FUNCTIONS)
    return made
