"""Links of a server that is below a path, such as https://example.org/games.

Inside, every address begins at the root of the site: "/table/k3J". Only what leaves it has the path in front, each at
one place: attributes of templates here, the `Location` of a redirect in `web.http.below_path`, addresses in scripts in
`static/js/site-path.js`. So templates, and the code that passes addresses to them, need not know of it.
"""

import re
from collections.abc import Iterator
from typing import Final, TypeVar

from jinja2.exceptions import TemplateSyntaxError
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream

IN_SITE: Final = "in_site"
"""The name of the function `in_site` in compiled templates."""
LINK: Final = re.compile(
    r"""(?<![\w-])(?:href|src|action|formaction|poster|hx-[a-z-]+|data-[a-z-]*url)=(["'])(/?)(?!/)"""
)
"""The beginning of an attribute whose value is an address, with the first slash of an address of this site."""
Value = TypeVar("Value")


def in_site(path: str, address: Value) -> Value | str:
    """Return an address below the path of the site; one elsewhere, or a value that is none, as it is.

    >>> [in_site("/games", address) for address in ("/table/k3J", "#P8", "https://example.org/", "//example.org/")]
    ['/games/table/k3J', '#P8', 'https://example.org/', '//example.org/']
    """
    if isinstance(address, str) and address.startswith("/") and not address.startswith("//"):
        return path + address
    return address


class SitePaths(Extension):
    """Puts the path of the site before the addresses in attributes of templates, where they are compiled."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        """Yield the tokens of a template. Raise TemplateSyntaxError for an address that begins with a statement."""
        is_begun = False
        """True at the beginning of an address."""
        for token in stream:
            if is_begun and token.type == "block_begin":
                raise TemplateSyntaxError("begin an address by its path or by {{", token.lineno, stream.name)
            if token.type != "data":
                yield token
                if is_begun:
                    yield from (Token(token.lineno, "name", IN_SITE), Token(token.lineno, "lparen", "("))
                    while (inner := next(stream)).type != "variable_end":
                        yield inner
                    yield from (Token(inner.lineno, "rparen", ")"), inner)
                is_begun = False
                continue
            written = 0
            for link in LINK.finditer(token.value):
                if link[2]:
                    yield Token(token.lineno, "data", token.value[written : link.start(2)])
                    yield from self._path(token.lineno)
                    written = link.start(2)
                is_begun = link.end() == len(token.value) and not link[2]
            yield Token(token.lineno, "data", token.value[written:])

    def _path(self, line: int) -> Iterator[Token]:
        yield Token(line, "variable_begin", "{{")
        yield Token(line, "name", "site_path")
        yield Token(line, "variable_end", "}}")
