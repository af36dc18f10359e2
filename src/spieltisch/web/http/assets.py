"""Files that never change at their address: the static folder, and drawings of games that are made once.

An address contains a hash of the content, so browsers cache it permanently and an upgrade uses new addresses. That of
a drawing is keyed: who has never seen a table cannot find out by a computed address which components it is played with.
Files are compressed once. They hold nothing of a visitor, so their compressed size tells nothing.
"""

import gzip
import hashlib
import hmac
import re
import secrets
from collections import OrderedDict
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Final

from spieltisch.web.http.joined_files import JOINED_SCRIPTS, JOINED_STYLES, join_modules
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
COMMENT_LINES: Final = re.compile(rb"^[ \t]*//.*\n", re.MULTILINE)
"""Lines of a script that hold nothing but a comment: a fifth of what a page would load."""


class StaticFile:
    """The content of a file, its media type, and the content compressed where that is worth it.

    >>> StaticFile(b"a" * 100, "text/plain").gzipped is None, StaticFile(b"a", "text/plain").gzipped is None
    (False, True)
    """

    def __init__(self, content: bytes, media_type: str) -> None:
        self.content = content
        self.media_type = media_type

    @cached_property
    def gzipped(self) -> bytes | None:
        """The content in the gzip format, or None where that saves less than a tenth, as for pictures and fonts."""
        compressed = gzip.compress(self.content, mtime=0)
        return compressed if len(compressed) < 0.9 * len(self.content) else None


class Assets:
    """The files of one folder and those joined of them, below one hash, so that relative imports of modules work."""

    def __init__(self, folder: Path = STATIC) -> None:
        paths = sorted(path for path in folder.rglob("*") if path.suffix in MEDIA_TYPES)
        contents = {path.relative_to(folder).as_posix(): _served_content(path) for path in paths}
        contents |= _joined_contents(contents)
        self._files = {name: StaticFile(content, MEDIA_TYPES[Path(name).suffix]) for name, content in contents.items()}
        digest = hashlib.sha256()
        for name, file in self._files.items():
            digest.update(f"{name} {len(file.content)} ".encode() + file.content)
        self.version = digest.hexdigest()[:16]

    def address(self, name: str) -> str:
        """Return the URL of a file; raise KeyError for an unknown one, so that no template can misspell it."""
        if name not in self._files:
            raise KeyError(name)
        return f"/static/{self.version}/{name}"

    def read(self, version: str, name: str) -> StaticFile:
        """Return a file.

        Raise PageRefusal 404 for an unknown file or another version: that response would be cached permanently.
        """
        if version != self.version or name not in self._files:
            raise no_page()
        return self._files[name]


def _served_content(path: Path) -> bytes:
    """Return the content of a file; of our own scripts, without comments."""
    content = path.read_bytes()
    return COMMENT_LINES.sub(b"", content) if path.suffix == ".js" and path.parent.name != "vendor" else content


def _joined_contents(contents: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the joined files of these."""
    styles = {
        f"css/{name}": b"".join(contents[f"css/{part}"] for part in parts) for name, parts in JOINED_STYLES.items()
    }
    scripts = {
        f"js/{name}": join_modules(entries, lambda file: contents[f"js/{file}"].decode()).encode()
        for name, entries in JOINED_SCRIPTS.items()
    }
    return styles | scripts


class DrawnFiles:
    """Texts drawn by games, by a hash with a secret `key`: the newest in memory, recreated when a page needs them."""

    def __init__(self, key: bytes = b"") -> None:
        self._key = key or secrets.token_bytes(32)
        self._texts: OrderedDict[str, StaticFile] = OrderedDict()

    def keep(self, text: str, suffix: str) -> str:
        """Store a text and return its URL."""
        content = text.encode()
        name = hmac.digest(self._key, content, "sha256").hex()[:32] + suffix
        self._texts.setdefault(name, StaticFile(content, MEDIA_TYPES[suffix]))
        self._texts.move_to_end(name)
        if len(self._texts) > MAX_DRAWN:
            self._texts.popitem(last=False)
        return f"/drawn/{name}"

    def read(self, name: str) -> StaticFile:
        """Return a drawing. Raise PageRefusal 404 for an unknown name."""
        if name not in self._texts:
            raise no_page()
        return self._texts[name]
