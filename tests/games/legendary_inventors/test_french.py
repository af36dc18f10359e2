"""Check French typography in the catalogue."""

from __future__ import annotations

import re
from pathlib import Path

import spieltisch.games.legendary_inventors

CATALOGUE = Path(spieltisch.games.legendary_inventors.__file__).parent / "locale" / "fr.po"


def test_no_line_begins_with_spaced_french_punctuation() -> None:
    translations = re.findall(r'^(?:msgstr(?:\[\d\])? )?"(.*)"$', CATALOGUE.read_text("utf-8"), re.MULTILINE)
    assert sum("\u00a0" in line for line in translations) > 40
    assert [line for line in translations if re.search("« | [:;!?»]", line)] == []
