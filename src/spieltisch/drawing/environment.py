"""The environment that renders templates: those of a folder, of games, and the shared ones."""

from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from types import CodeType, MappingProxyType
from typing import Any, ClassVar, Final

import structlog
from jinja2 import BaseLoader, BytecodeCache, Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket
from jinja2.ext import Extension

from spieltisch.drawing.scene import format_number
from spieltisch.drawing.svg_hatching import TEMPLATE_FUNCTIONS

TEMPLATES: Final = Path(__file__).parent / "templates"
OPTIONS: Final[dict[str, Any]] = {"autoescape": True, "trim_blocks": True, "lstrip_blocks": True}
NO_FOLDERS: Final[Mapping[str, Path]] = MappingProxyType({})

_logger = structlog.get_logger()


class TemplateEnvironment(Environment):
    """An environment in which a template names those of its folder without a path.

    Shared ones are "drawing/...", and those of the unnamed folder "/...".
    """

    def join_path(self, template: str, parent: str) -> str:
        """Return the name of a template relative to the folder of its parent."""
        folder = parent.rpartition("/")[0]
        return f"{folder}/{template}" if folder and "/" not in template else template.removeprefix("/")


class TemplateLoader(BaseLoader):
    """Loads templates of a folder, and as "NAME/..." those of named folders, which may be added later."""

    def __init__(self, folder: Path, folders: Mapping[str, Path]) -> None:
        self._folder = folder
        self._folders = folders

    def get_source(self, environment: Environment, template: str) -> tuple[str, str | None, Callable[[], bool] | None]:
        """Return source, path and reload check of a template."""
        folder, _, name = template.rpartition("/")
        known = {"": self._folder, "drawing": TEMPLATES, **self._folders}
        return FileSystemLoader(known.get(folder, ())).get_source(environment, name)

    def list_templates(self) -> list[str]:
        """Return the names of all templates."""
        known = {"": self._folder, "drawing/": TEMPLATES, **{f"{name}/": path for name, path in self._folders.items()}}
        return [prefix + name for prefix, folder in known.items() for name in FileSystemLoader(folder).list_templates()]


class TemplateCache(BytecodeCache):
    """Caches compiled templates for all environments of this process, and for later processes in a folder below `root`.

    There is one folder for each combination of Jinja version, options and extensions. If it cannot be written,
    templates are compiled after every start.
    """

    codes: ClassVar[dict[tuple[str, str, str], CodeType]] = {}

    def __init__(self, root: Path | None = None, extensions: Sequence[type[Extension]] = ()) -> None:
        names = [extension.identifier for extension in extensions]
        self._options = blake2b(repr((version("jinja2"), OPTIONS, *names)).encode(), digest_size=6).hexdigest()
        self._folder = None if root is None else root / self._options

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load a compiled template from memory, else from disk."""
        bucket.code = self.codes.get((self._options, bucket.key, bucket.checksum))
        if bucket.code is None:
            self._try_disk(bucket, FileSystemBytecodeCache.load_bytecode)
            self._cache_code(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Store a compiled template in memory and on disk."""
        self._cache_code(bucket)
        self._try_disk(bucket, FileSystemBytecodeCache.dump_bytecode)

    def _cache_code(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self.codes[self._options, bucket.key, bucket.checksum] = bucket.code

    def _try_disk(self, bucket: Bucket, step: Callable[[FileSystemBytecodeCache, Bucket], None]) -> None:
        if self._folder is None:
            return
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            step(FileSystemBytecodeCache(str(self._folder)), bucket)
        except OSError as error:
            _logger.warning("compiled templates cannot be kept", folder=str(self._folder), problem=str(error))
            self._folder = None


def environment(
    folder: Path,
    folders: Mapping[str, Path] = NO_FOLDERS,
    cache: Path | None = None,
    extensions: Sequence[type[Extension]] = (),
) -> Environment:
    """Return the environment for a folder, with named `folders` as "NAME/..." and shared templates as "drawing/...".

    Everything is escaped, SVG and CSS too, and an undefined name is an error. The caller must add the translation
    functions `_` and `_n`: see `Words.template_functions`. Compiled templates are also stored in the folder `cache`.
    `extensions` change what templates are compiled to.
    """
    env = TemplateEnvironment(
        loader=TemplateLoader(folder, folders),
        undefined=StrictUndefined,
        auto_reload=False,
        cache_size=-1,
        bytecode_cache=TemplateCache(cache, extensions),
        extensions=extensions,
        **OPTIONS,
    )
    env.filters["figure"] = format_number
    env.globals.update(TEMPLATE_FUNCTIONS)
    return env
