r"""The little markdown that rules pages are written in, as HTML.

Headings, paragraphs, lists of one level, tables, **bold**, *italic*, `code` and [links](#P8) within the site. A
paragraph, list item or row that begins with a bold rule number becomes the anchor of that number:

>>> print(html("- **P8** A city takes *one*; see [P9](#P9)."))
<ul>
<li id="P8"><a class="rule" href="#P8">P8</a> A city takes <em>one</em>; see <a href="#P9">P9</a>.</li>
</ul>
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from markupsafe import Markup, escape

RULE: Final = re.compile(r"\*\*([A-Z]{1,2}\d{1,3}[a-z]?)\*\*[.:]?\s*")
_ITEM: Final = re.compile(r"(?:[-*]|\d+\.)\s+")
_SPAN: Final = re.compile(
    r"`(?P<code>[^`]+)`|\*\*(?P<bold>.+?)\*\*|\*(?P<italic>[^*\s][^*]*)\*|\[(?P<text>[^\]]+)\]\((?P<address>(?:#|/(?!/))[^)\s]*)\)"
)


def html(text: str) -> Markup:
    """The text as HTML. What is not markdown is escaped; a link leads to an anchor or a page of this site."""
    return Markup("\n").join(_block(block) for block in _blocks(text))


def headings(text: str) -> list[tuple[str, str]]:
    r"""The second-level headings with their anchors, for a list of contents.

    >>> headings("# Rules\n\n## The end\n")
    [('s-the-end', 'The end')]
    """
    return [(_anchor(line[3:]), line[3:].strip()) for line in text.splitlines() if line.startswith("## ")]


def rules(text: str) -> list[str]:
    """The numbers that have an anchor, in order."""
    found: list[str] = []
    for block in _blocks(text):
        for line in block if block[0].startswith("|") or _ITEM.match(block[0]) else block[:1]:
            item = _ITEM.match(line)
            number = RULE.match(line[item.end() :] if item else line.lstrip("| "))
            if number:
                found.append(number.group(1))
    return found


def _blocks(text: str) -> Iterator[list[str]]:
    block: list[str] = []
    for line in [*text.splitlines(), ""]:
        alone = line.startswith("#")
        if (not line.strip() or alone) and block:
            yield block
            block = []
        if alone:
            yield [line]
        elif line.strip():
            block.append(line)


def _block(block: list[str]) -> Markup:
    first = block[0]
    if first.startswith("#"):
        marks = len(first) - len(first.lstrip("#"))
        level, title = min(marks, 4), first[marks:].strip()
        return Markup('<h{} id="{}">{}</h{}>').format(level, _anchor(title), _spans(title), level)
    if first.startswith("|"):
        return _table(block)
    if _ITEM.match(first):
        return _list(block)
    anchor, inner = _rule(" ".join(line.strip() for line in block))
    return Markup("<p{}>{}</p>").format(anchor, inner)


def _list(block: list[str]) -> Markup:
    items: list[str] = []
    for line in block:
        if _ITEM.match(line):
            items.append(_ITEM.sub("", line, count=1))
        else:
            items[-1] += " " + line.strip()
    kind = "ol" if block[0][0].isdigit() else "ul"
    inner = Markup("\n").join(Markup("<li{}>{}</li>").format(*_rule(item)) for item in items)
    return Markup("<{}>\n{}\n</{}>").format(kind, inner, kind)


def _table(block: list[str]) -> Markup:
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in block]
    head = len(rows) > 1 and all(re.fullmatch(r":?-+:?", cell) for cell in rows[1])
    out = []
    if head:
        cells = Markup("").join(Markup('<th scope="col">{}</th>').format(_spans(cell)) for cell in rows[0])
        out.append(Markup("<thead><tr>{}</tr></thead>").format(cells))
        rows = rows[2:]
    body = Markup("\n").join(_row(row) for row in rows)
    out.append(Markup("<tbody>\n{}\n</tbody>").format(body))
    return Markup('<div class="wide"><table>{}</table></div>').format(Markup("").join(out))


def _row(row: list[str]) -> Markup:
    anchor, first = _rule(row[0])
    cells = Markup("").join(Markup("<td>{}</td>").format(_spans(cell)) for cell in row[1:])
    return Markup("<tr{}><td>{}</td>{}</tr>").format(anchor, first, cells)


def _rule(text: str) -> tuple[Markup, Markup]:
    found = RULE.match(text)
    if not found:
        return Markup(""), _spans(text)
    number = found.group(1)
    link = Markup('<a class="rule" href="#{}">{}</a> ').format(number, number)
    return Markup(' id="{}"').format(number), link + _spans(text[found.end() :])


def _spans(text: str) -> Markup:
    out = Markup("")
    at = 0
    for found in _SPAN.finditer(text):
        out += escape(text[at : found.start()])
        if found["code"]:
            out += Markup("<code>{}</code>").format(found["code"])
        elif found["bold"]:
            out += Markup("<strong>{}</strong>").format(_spans(found["bold"]))
        elif found["italic"]:
            out += Markup("<em>{}</em>").format(_spans(found["italic"]))
        else:
            out += Markup('<a href="{}">{}</a>').format(found["address"], found["text"])
        at = found.end()
    return out + escape(text[at:])


def _anchor(title: str) -> str:
    return "s-" + re.sub(r"[^\w]+", "-", title.casefold()).strip("-")
