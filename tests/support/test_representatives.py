"""Check that the first tier has a browser test for each script module."""

from __future__ import annotations

import re
from pathlib import Path

import spieltisch.web
from tests.web.representatives import IN_FIRST_TIER, LATER, MOST

WEB = Path(spieltisch.web.__file__).parent
ALL = [words for names in IN_FIRST_TIER.values() for words in names.values()]


def test_every_script_module_is_represented_and_each_file_named_exists() -> None:
    named_files = {word for words in (*ALL, *LATER) for word in re.findall(r"[\w-]+\.(?:js|html)", words)}
    scripts = {file.name for file in (WEB / "static/js").iterdir()}
    folders = [WEB / "templates", *(WEB.parent / "features").glob("*/templates")]
    pages = {file.name for folder in folders for file in folder.iterdir()}
    assert sorted(scripts - named_files) == [], "scripts without a browser test in the first tier"
    assert sorted(named_files - scripts - pages) == [], "represented, but no longer there"


def test_the_first_tier_has_only_a_few_browser_tests() -> None:
    assert len(ALL) <= MOST, "representatives; another one takes the place of one that shows less"
