"""Check the markdown of rules pages and the refusal of unsafe markup."""

import pytest

from spieltisch.web.markdown import headings, html, rules

PAGE = """# Title

First **P1** words.

**P2** A paragraph
that goes on.

## The end of *it*
1. one
2. **P3** two
   and more

| no. | rule |
|---|---|
| **T1** | a `b` & c |
"""


def test_a_rule_number_that_begins_a_block_becomes_an_anchor() -> None:
    page = html(PAGE)
    assert rules(PAGE) == ["P2", "P3", "T1"]
    for number in rules(PAGE):
        assert f'id="{number}"' in page
    assert 'id="P1"' not in page
    assert "<p>First <strong>P1</strong> words.</p>" in page
    assert '<p id="P2"><a class="rule-link" href="#P2">P2</a> A paragraph that goes on.</p>' in page
    assert '<li id="P3"><a class="rule-link" href="#P3">P3</a> two and more</li>' in page
    row = '<tr id="T1">\n<td><a class="rule-link" href="#T1">T1</a> </td>\n<td>a <code>b</code> &amp; c</td>\n</tr>'
    assert row in page
    assert headings(PAGE) == [("s-the-end-of-it", "The end of *it*")]


def test_a_table_has_header_cells_and_a_scrolling_wrapper_but_no_inline_style() -> None:
    page = html("| a | **P2** |\n|---:|:---:|\n| x | **P3** y |\n")
    assert page.startswith('<div class="table-scroller"><table>')
    assert '<th scope="col">a</th>' in page
    assert "style" not in page
    assert rules("| a | **P2** |\n|---|---|\n| x | **P3** y |\n") == []


def test_headings_of_rules_pages_are_at_most_h4() -> None:
    assert html("##### Deep") == '<h4 id="s-deep">Deep</h4>'


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "[x](javascript:alert(1))",
        "[x](//elsewhere.example)",
        "[x](https://elsewhere.example)",
        '[x](#"onclick="y)',
        "`<b>`",
        "| <i> |",
        "# <u>",
        "![x](/y.png)",
        "<https://elsewhere.example>",
    ],
)
def test_html_and_unsafe_links_in_markdown_are_not_rendered(text: str) -> None:
    page = html(text)
    for bad in ("<script", 'javascript:alert(1)"', 'elsewhere.example"', '"onclick=', "<b>", "<i>", "<u>", "<img"):
        assert bad not in page
