"""The first tier has a browser test for each script module. That each is a test, `tests/tiers.py` checks."""

from __future__ import annotations

import re
from pathlib import Path

import spieltisch.web
from tests.web.representatives import IN_FIRST_TIER, LATER, MOST

WEB = Path(spieltisch.web.__file__).parent
ALL = [words for names in IN_FIRST_TIER.values() for words in names.values()]


def test_every_script_module_is_represented_and_each_file_named_exists() -> None:
    named = {word for words in (*ALL, *LATER) for word in re.findall(r"[\w-]+\.(?:js|html)", words)}
    scripts, pages = ({file.name for file in (WEB / folder).iterdir()} for folder in ("static/js", "templates"))
    assert sorted(scripts - named) == [], "scripts without a browser test in the first tier"
    assert sorted(named - scripts - pages) == [], "represented, but no longer there"


def test_they_are_few() -> None:
    assert len(ALL) <= MOST, "representatives; another one takes the place of one that shows less"
