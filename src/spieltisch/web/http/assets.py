"""Files that never change under their address: the static folder, and what games draw once.

An address holds a hash of the content, so browsers keep it for ever and an upgrade is a new address.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from spieltisch.web.http.refusals import no_page

MEDIA_TYPES: Final[Mapping[str, str]] = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
}
STATIC: Final = Path(__file__).parents[1] / "static"
MAX_DRAWN: Final = 256
"""Drawings kept in memory: a map and its styles for each language and component file in use."""
IMMUTABLE: Final = "public, max-age=31536000, immutable"


class Assets:
    """The files of one folder under one hash; relative imports between modules stay relative."""

    def __init__(self, folder: Path = STATIC) -> None:
        paths = sorted(path for path in folder.rglob("*") if path.suffix in MEDIA_TYPES)
        self._files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
        digest = hashlib.sha256()
        for name, content in self._files.items():
            digest.update(f"{name} {len(content)} ".encode() + content)
        self.version = digest.hexdigest()[:16]

    def address(self, name: str) -> str:
        """Where the file is; KeyError for one that is not there, so a template cannot name it wrongly."""
        if name not in self._files:
            raise KeyError(name)
        return f"/static/{self.version}/{name}"

    def read(self, version: str, name: str) -> tuple[bytes, str]:
        """Content and media type. Raises PageRefusal 404, also for another version: it would be kept for ever."""
        if version != self.version or name not in self._files:
            raise no_page()
        return self._files[name], MEDIA_TYPES[Path(name).suffix]


class DrawnFiles:
    """What games drew: texts kept in memory by their hash, those of late, made again whenever a page needs them."""

    def __init__(self) -> None:
        self._texts: OrderedDict[str, tuple[bytes, str]] = OrderedDict()

    def keep(self, text: str, suffix: str) -> str:
        """The address of this text from now on."""
        content = text.encode()
        name = hashlib.sha256(content).hexdigest()[:24] + suffix
        self._texts.setdefault(name, (content, MEDIA_TYPES[suffix]))
        self._texts.move_to_end(name)
        if len(self._texts) > MAX_DRAWN:
            self._texts.popitem(last=False)
        return f"/drawn/{name}"

    def read(self, name: str) -> tuple[bytes, str]:
        if name not in self._texts:
            raise no_page()
        return self._texts[name]
