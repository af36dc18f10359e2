"""Check the static files as served."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

import httpx
import pytest

from spieltisch.web.http.assets import STATIC, Assets
from spieltisch.web.http.joined_files import JOINED_SCRIPTS, JOINED_STYLES, join_modules
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


@pytest.mark.parametrize("name", JOINED_SCRIPTS)
def test_a_joined_script_has_each_module_that_it_needs_once_after_those_it_imports(name: str) -> None:
    assets = Assets()
    joined = assets.read(assets.version, f"js/{name}").content.decode()
    order = re.findall(r"^modules\['([\w-]+\.js)'\] = ", joined, re.MULTILINE)
    assert len(order) == len(set(order))
    assert set(JOINED_SCRIPTS[name]) <= set(order)
    imported_files = {
        file: re.findall(r"^import .*'\./(.+)';$", (STATIC / "js" / file).read_text("utf-8"), re.MULTILINE)
        for file in order
    }
    for file, imports in imported_files.items():
        assert all(order.index(other) < order.index(file) for other in imports), file
    needed = {*JOINED_SCRIPTS[name], *chain.from_iterable(imported_files.values())}
    assert set(order) == needed


def test_a_joined_style_sheet_has_its_parts_in_order() -> None:
    assets = Assets()
    for name, parts in JOINED_STYLES.items():
        joined = assets.read(assets.version, f"css/{name}").content
        assert joined == b"".join((STATIC / "css" / part).read_bytes() for part in parts)


@pytest.mark.parametrize("line", ["export let a = 1;", "export default 1;", "import * as a from './a.js';"])
def test_a_form_that_joining_does_not_replace_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=re.escape(line)):
        join_modules(["a.js"], {"a.js": line}.__getitem__)


def test_no_page_loads_a_module_joined_and_alone() -> None:
    """It would run twice; `site-path.js` of the head of all pages only computes an address."""
    pages = {name: name for name in JOINED_SCRIPTS}
    for folder in (STATIC.parent / "templates", STATIC.parents[1] / "features"):
        for template in folder.rglob("*.html"):
            names = re.findall(r"static\('js/([\w-]+\.js)'\)", template.read_text("utf-8"))
            joined = [pages.pop(name) for name in names if name in JOINED_SCRIPTS]
            assert not joined or names == joined, template
    assert not pages, "scripts of no page"


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
