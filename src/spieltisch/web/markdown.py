"""Conversion of the rules pages from Markdown to HTML.

Supported are headings, paragraphs, lists, tables, **bold**, *italic*, `code` and [links](#P8) within the site;
everything else, including HTML, is shown as typed. A paragraph, list item or row that begins with a bold rule number
becomes the anchor of that number:

>>> print(html("- **P8** A city takes *one*; see [P9](#P9)."))
<ul>
<li id="P8"><a class="rule-link" href="#P8">P8</a> A city takes <em>one</em>; see <a href="#P9">P9</a>.</li>
</ul>
"""

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
    """A parser for this subset."""

    def __init__(self) -> None:
        super().__init__("zero")
        self.enable(_SYNTAX)
        self.add_render_rule("softbreak", lambda *_: " ")
        self.add_render_rule("table_open", lambda *_: '<div class="table-scroller"><table>\n')
        self.add_render_rule("table_close", lambda *_: "</table></div>\n")

    def validateLink(self, url: str) -> bool:  # noqa: N802  # the library's name
        """Return True if a link leads to an anchor or a page of this site."""
        return bool(re.match(r"#|/(?!/)", url))


_MARKDOWN: Final = _Markdown()


@lru_cache(maxsize=64)
def html(text: str, prefix: str = "s-") -> Markup:
    """Return the text as HTML, escaped except for the supported Markdown.

    Links lead to an anchor or a page of this site. The anchors of headings begin with the prefix: two texts on one page
    need different ones.
    """
    return Markup(_MARKDOWN.renderer.render(_tokens(text, prefix), _MARKDOWN.options, {}).rstrip("\n"))  # noqa: S704  # escaped


def headings(text: str) -> list[tuple[str, str]]:
    r"""Return the second-level headings with their anchors, for a table of contents.

    >>> headings("# Rules\n\n## The end\n")
    [('s-the-end', 'The end')]
    """
    tokens = _tokens(text)
    return [
        (str(token.attrs["id"]), inline.content)
        for token, inline in pairwise(tokens)
        if token.type == "heading_open" and token.tag == "h2"
    ]


def chapters(text: str) -> tuple[Markup, list[tuple[Markup, Markup]]]:
    r"""Return the HTML before the first second-level heading, then each heading with the HTML below it.

    >>> chapters("Words\n\n## The end\n\nMore\n")[1]
    [(Markup('<h2 id="s-the-end">The end</h2>'), Markup('\n<p>More</p>'))]
    """
    first, *rest = re.split("(?=<h2 )", html(text))
    parts = (chapter.partition("</h2>") for chapter in rest)
    return Markup(first), [(Markup(title + end), Markup(body)) for title, end, body in parts]  # noqa: S704  # from `html`


def rules(text: str) -> list[str]:
    """Return the rule numbers that have an anchor, in order."""
    return [token.meta["rule"] for token in _tokens(text) if "rule" in token.meta]


def _tokens(text: str, prefix: str = "s-") -> list[Token]:
    """Return the text as the library's tokens, with anchors added."""
    tokens = _MARKDOWN.parse(text)
    for index, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", prefix + _slug(tokens[index + 1].content))
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1:]), LOWEST_HEADING)}"
        elif token.type in ("th_open", "td_open"):
            token.attrs = {"scope": "col"} if token.tag == "th" else {}  # without the inline style of the alignment
        elif (
            token.type == "inline"
            and (number := RULE.match(token.content))
            and (anchor := _anchor_token(tokens, index))
        ):
            anchor.attrSet("id", number[1])
            anchor.meta["rule"] = number[1]
            rest = _MARKDOWN.parseInline(token.content[number.end() :])[0].children or []
            token.children = [*_link(number[1]), *rest]
    return tokens


def _anchor_token(tokens: list[Token], index: int) -> Token | None:
    """Return the token that can carry the anchor of the text at this index: a paragraph, list item or row."""
    block, parent = tokens[index - 1], tokens[index - 2] if index > 1 else None
    if block.type == "paragraph_open":
        return parent if parent is not None and parent.type == "list_item_open" else block
    if block.type == "td_open" and parent is not None and parent.type == "tr_open":
        return parent
    return None


def _link(number: str) -> list[Token]:
    """Return the tokens of a rule number that links to itself, and a space."""
    return [
        Token("link_open", "a", 1, attrs={"class": "rule-link", "href": f"#{number}"}),
        Token("text", "", 0, content=number),
        Token("link_close", "a", -1),
        Token("text", "", 0, content=" "),
    ]


def _slug(title: str) -> str:
    return re.sub(r"[^\w]+", "-", title.casefold()).strip("-")
