"""Check that the search for untranslated words finds exactly these."""

import pytest

from spieltisch.core.words import Name, Value, Words, message
from tests.pseudo_locale import escaped

pytestmark = pytest.mark.tools


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<p>[!! Ðöñé !!]</p>", []),
        ("<p>Done</p>", ["Done"]),
        ("<p>[!! Ðöñé !!] by Ada <b>[!! Ruby <i>built</i> !!]</b></p>", ["by Ada"]),
        ('<p>[!! Ðöñé !!] <span translate="no">Ada <b>Byron</b></span> 12 <br> P8 &middot; x</p>', []),
        ('<button title="Build" aria-label="[!! Ðö !!]" class="words here">[!! Ðö !!]</button>', ["Build"]),
        ('<input placeholder="Name"><input type="submit" value="Send"><input value="Ada">', ["Name", "Send"]),
        ("<title>Lobby</title><style>p { color: red }</style><script>const word = 1</script>", ["Lobby"]),
        ("<svg><title>[!! Ļýöñ !!]</title><text>Lyon</text></svg>", ["Lyon"]),
    ],
)
def test_the_check_finds_untranslated_words(page: str, expected: list[str]) -> None:
    assert escaped(page) == expected


def test_the_check_accepts_sentences_with_marked_values() -> None:
    def chip(value: Value, text: str) -> str:
        return f"{text}"

    sentence = Words("en", pseudo=True).say(
        message("{player} builds {company}.", player="Ada", company=Name("Ruby", "Rubin", "Rubis", "Robijn")), mark=chip
    )
    assert escaped(f"<li>{sentence}</li>") == []
