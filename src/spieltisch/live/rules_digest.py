"""A digest of everything that decides how a stored game is replayed."""

import hashlib
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from spieltisch.core.registry import game_modules

REPLAYING_PACKAGES: Final = ("spieltisch.core", "spieltisch.tables")
"""The packages that replay the events of all games."""
SUFFIXES: Final = (".py", ".toml")
"""The suffixes of files with rules and components."""


def rules_digest() -> str:
    """Return a digest of the rules and components of all installed games."""
    digest = hashlib.sha256()
    for package in (*REPLAYING_PACKAGES, *sorted(game_modules().values())):
        for file in _files(package):
            digest.update(f"{package} {file.name}\n".encode() + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _files(package: str) -> list[Path]:
    """Return the files of a package or a single module. The list is empty if it cannot be imported."""
    try:
        spec = find_spec(package)
    except ImportError:
        spec = None
    if spec is None:
        return []
    if spec.submodule_search_locations is None:
        return [Path(spec.origin)] if spec.origin else []
    folders = map(Path, spec.submodule_search_locations)
    return sorted(file for folder in folders for suffix in SUFFIXES for file in folder.rglob(f"*{suffix}"))
