r"""Rules pages, from markdown to HTML.

What they are written in: headings, paragraphs, lists, tables, **bold**, *italic*, `code` and [links](#P8) within the
site; everything else, HTML too, stands there as it was typed. A paragraph, list item or row that begins with a bold
rule number becomes the anchor of that number:

>>> print(html("- **P8** A city takes *one*; see [P9](#P9)."))
<ul>
<li id="P8"><a class="rule" href="#P8">P8</a> A city takes <em>one</em>; see <a href="#P9">P9</a>.</li>
</ul>
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

RULE: Final = re.compile(r"\*\*([A-Z]{1,2}\d{1,3}[a-z]?)\*\*[.:]?\s*")
LOWEST_HEADING: Final = 4
_SYNTAX: Final = ("heading", "list", "table", "emphasis", "backticks", "link", "newline")


class _Markdown(MarkdownIt):
    def __init__(self) -> None:
        super().__init__("zero")
        self.enable(_SYNTAX)
        self.add_render_rule("softbreak", lambda *_: " ")
        self.add_render_rule("table_open", lambda *_: '<div class="wide"><table>\n')
        self.add_render_rule("table_close", lambda *_: "</table></div>\n")

    def validateLink(self, url: str) -> bool:  # noqa: N802  # the library's name
        """Whether a link leads to an anchor or a page of this site."""
        return bool(re.match(r"#|/(?!/)", url))


_MARKDOWN: Final = _Markdown()


@lru_cache(maxsize=64)
def html(text: str, prefix: str = "s-") -> Markup:
    """The text as HTML. What is not markdown is escaped; a link leads to an anchor or a page of this site. The anchors
    of headings begin with the prefix: two texts on one page need two.
    """
    return Markup(_MARKDOWN.renderer.render(_tokens(text, prefix), _MARKDOWN.options, {}).rstrip("\n"))  # noqa: S704  # escaped


def headings(text: str) -> list[tuple[str, str]]:
    r"""The second-level headings with their anchors, for a list of contents.

    >>> headings("# Rules\n\n## The end\n")
    [('s-the-end', 'The end')]
    """
    tokens = _tokens(text)
    return [
        (str(token.attrs["id"]), inline.content)
        for token, inline in pairwise(tokens)
        if token.type == "heading_open" and token.tag == "h2"
    ]


def rules(text: str) -> list[str]:
    """The numbers that have an anchor, in order."""
    return [token.meta["rule"] for token in _tokens(text) if "rule" in token.meta]


def _tokens(text: str, prefix: str = "s-") -> list[Token]:
    """The text in the library's tokens, with our anchors."""
    tokens = _MARKDOWN.parse(text)
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", prefix + _anchor(tokens[at + 1].content))
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1:]), LOWEST_HEADING)}"
        elif token.type in ("th_open", "td_open"):
            token.attrs = {"scope": "col"} if token.tag == "th" else {}  # not the style that says how it is aligned
        elif token.type == "inline" and (number := RULE.match(token.content)) and (bearer := _bearer(tokens, at)):
            bearer.attrSet("id", number[1])
            bearer.meta["rule"] = number[1]
            rest = _MARKDOWN.parseInline(token.content[number.end() :])[0].children or []
            token.children = [*_link(number[1]), *rest]
    return tokens


def _bearer(tokens: list[Token], at: int) -> Token | None:
    """What begins with the words at this place and can be an anchor: a paragraph, a list item or a row."""
    block, around = tokens[at - 1], tokens[at - 2] if at > 1 else None
    if block.type == "paragraph_open":
        return around if around is not None and around.type == "list_item_open" else block
    if block.type == "td_open" and around is not None and around.type == "tr_open":
        return around
    return None


def _link(number: str) -> list[Token]:
    """The number of a rule as the link to itself, and a space."""
    return [
        Token("link_open", "a", 1, attrs={"class": "rule", "href": f"#{number}"}),
        Token("text", "", 0, content=number),
        Token("link_close", "a", -1),
        Token("text", "", 0, content=" "),
    ]


def _anchor(title: str) -> str:
    return re.sub(r"[^\w]+", "-", title.casefold()).strip("-")
