"""Check that dates, times and numbers are formatted for the reader's region."""

from __future__ import annotations

import re
from datetime import date

import pytest
from playwright.sync_api import expect

from spieltisch.web.http.assets import Assets, DrawnFiles
from spieltisch.web.pages.renderer import Renderer
from tests.web.conftest import Person
from tests.web.servers import Server
from tests.web.visitors import Visitor

TIMES = {
    "en-GB": r"\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d UTC",
    "en-US": r"[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d\d\u202f[AP]M UTC",
    "de-AT": r"\d{1,2}\. \w+\.? \d{4}, \d\d:\d\d UTC",
    "fr-CH": r"\d{1,2} \w+\.? \d{4}, \d\d:\d\d TU",
    "nl-BE": r"\d{1,2} [a-z]{3} \d{4}, \d\d:\d\d UTC",
}
"""A time in the log, by the language of the browser."""


@pytest.mark.parametrize(("language", "time"), TIMES.items())
def test_times_are_formatted_as_usual_in_the_region(server: Server, language: str, time: str) -> None:
    with Visitor(server, language) as visitor:
        path = visitor.table("me", "bot:random", "bot:random")
        page = visitor.get(f"{path}/log").text
        assert f'<html lang="{language}"' in page
        times = re.findall(r"<time [^>]*>([^<]+)</time>", page)
        assert times
        assert all(re.fullmatch(time, text) for text in times), times


@pytest.mark.parametrize(
    ("preferred", "chosen_language", "tag"),
    [
        ("en", "", "en-GB"),
        ("en-us,en;q=0.5", "", "en-US"),
        ("en-AU,en-US;q=0.5", "", "en-GB"),
        ("nl-BE,de;q=0.9", "de", "de-DE"),
        ("nl,de-AT;q=0.9", "de", "de-AT"),
        ("fr-CH-x-private, fr;q=0.1", "fr", "fr-FR"),
        ("xx, ,;;", "", "en-GB"),
    ],
)
def test_pages_are_marked_with_the_region_of_their_language(
    server: Server, preferred: str, chosen_language: str, tag: str
) -> None:
    with Visitor(server, preferred) as visitor:
        if chosen_language:
            visitor.submit("/preferences", language=chosen_language)
        page = visitor.get("/").text
    assert f'<html lang="{tag}"' in page
    assert f'value="{tag[:2]}" lang="{tag[:2]}" translate="no" aria-pressed="true"' in page


@pytest.mark.parametrize(
    ("language", "shown"),
    [
        ("en-GB", ("12,345.7", "160.7", "−3", "94%", "25 Nov 2026")),
        ("en-US", ("12,345.7", "160.7", "−3", "94%", "Nov 25, 2026")),
        ("de-AT", ("12.345,7", "160,7", "−3", "94\xa0%", "25. Nov. 2026")),
        ("fr-CH", ("12\u202f345,7", "160,7", "−3", "94%", "25 nov. 2026")),
        ("nl-BE", ("12.345,7", "160,7", "−3", "94%", "25 nov 2026")),
    ],
)
def test_templates_format_numbers_and_days_as_usual_in_the_region(language: str, shown: tuple[str, ...]) -> None:
    pages = Renderer(Assets(), DrawnFiles())
    template = pages._environment.from_string(
        "{{ 12345.67 | number }};{{ 160.7 | number }};{{ -3 | number }};{{ 0.941 | percent }};{{ day | dated }}"
    )
    with pages._set_words(language, None):
        assert tuple(template.render(day=date(2026, 11, 25)).split(";")) == shown


@pytest.mark.browser
@pytest.mark.parametrize("language", ["en-GB", "en-US", "de-AT"])
def test_a_script_formats_times_as_usual_in_the_region(server: Server, open_page: Person, language: str) -> None:
    with Visitor(server) as visitor:
        path = visitor.table("me", "bot:random", "bot:random")
    page = open_page(locale=language, timezone_id="Europe/Vienna")
    page.goto(f"{server.address}{path}/log")
    local = TIMES[language].removesuffix(" UTC").replace("\\u202f", r"\s")
    expect(page.locator("time").first).to_have_text(re.compile(f"^{local}$"))
