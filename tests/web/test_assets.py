"""Check the static files as served."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest

from spieltisch.web.http.assets import STATIC, Assets
from tests.web.servers import Server


def test_comments_are_removed_only_from_scripts_of_the_project() -> None:
    assets = Assets()
    for file in STATIC.rglob("*.js"):
        served = assets.read(assets.version, file.relative_to(STATIC).as_posix()).content
        lines = file.read_bytes().splitlines()
        is_own_script = Path("vendor") not in file.relative_to(STATIC).parents
        assert served.splitlines() == [line for line in lines if not (is_own_script and re.match(rb"\s*//", line))]


@pytest.mark.parametrize(
    ("name", "accepted", "encoding"),
    [
        ("css/table.css", "gzip, br", "gzip"),
        ("css/table.css", "br", None),
        ("css/table.css", "gzip;q=0", None),
        ("icon-192.png", "gzip", None),
    ],
)
def test_text_is_compressed_for_clients_that_accept_compression(
    server: Server, name: str, accepted: str, encoding: str | None
) -> None:
    address = f"{server.address}{Assets().address(name)}"
    answer = httpx.get(address, headers={"Accept-Encoding": accepted}, verify=False)
    assert answer.headers.get("content-encoding") == encoding
    assert answer.headers["vary"] == "Accept-Encoding"
    assert answer.content == (STATIC / name).read_bytes()
    if encoding:
        assert int(answer.headers["content-length"]) < len(answer.content) / 2


def test_no_string_literal_of_a_script_spans_several_lines() -> None:
    """Otherwise a line of a literal that begins with `//` would be removed as a comment."""
    for file in STATIC.rglob("*.js"):
        if file.parent.name == "vendor":
            continue
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.lstrip().startswith("//"):
                continue
            line_place = f"{file.name}: {line}"
            assert line.count("`") % 2 == 0, line_place
            assert line.count("/*") == line.count("*/"), line_place
            assert not line.endswith("\\"), line_place


def characters(ranges: str) -> set[int]:
    """Return the characters of a list such as "U+20-7E, U+AD"."""
    bounds = [part.strip().removeprefix("U+").split("-") for part in ranges.split(",")]
    return {code for first, *last in bounds for code in range(int(first, 16), int((last or [first])[0], 16) + 1)}


def test_each_character_is_declared_in_one_file_of_a_style() -> None:
    """Otherwise a browser loads the second file for a character that the first one has."""
    script = (Path(__file__).parents[2] / "scripts" / "make_typeface").read_text("utf-8")
    made = {name: characters(ranges) for name, ranges in re.findall(r"^(common|other)='(.+)'$", script, re.MULTILINE)}
    styles = (STATIC / "css" / "base.css").read_text("utf-8")
    faces = re.findall(r'url\("\.\./fonts/([\w-]+)\.woff2"\).*unicode-range: ([^;]+);', styles)
    assert len(faces) == 8
    for file, ranges in faces:
        assert characters(ranges) == made["other" if file.endswith("-all") else "common"], file
    assert made["common"].isdisjoint(made["other"])
    used = {
        ord(letter)
        for file in STATIC.parents[1].rglob("*.po")
        for letter in file.read_text("utf-8")
        if letter.isalpha()
    }
    assert used <= made["common"]
