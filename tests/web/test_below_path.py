"""Check a server below a path of its host: every page, address, cookie and script stays there."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import httpx
import pytest
from jinja2 import DictLoader, Environment, TemplateSyntaxError
from litestar.handlers import BaseRouteHandler, HTTPRouteHandler
from playwright.sync_api import expect

from spieltisch.features.admin import routes as admin_routes
from spieltisch.web.app import ROUTES
from spieltisch.web.http.addresses import BadAddress, public_address
from spieltisch.web.pages.site_paths import IN_SITE, SitePaths, in_site
from spieltisch.web.routes import MODULES, routes_in
from tests.features.admin.administrators import link
from tests.features.shown_pages import pushed
from tests.live.fake_services import web_server
from tests.web.below_path import PATH, Addresses, BelowPath, server_below
from tests.web.conftest import OpenContext, wait_for_true
from tests.web.script_page import STATIC
from tests.web.servers import Server
from tests.web.table_page import moved_on, version
from tests.web.visitors import SHORT, let_in, table_of_three, trade_on

HTMX: Final = {"HX-Request": "true"}
MOST_OF_A_KIND: Final = 2
"""So many pages of each route are read, of hundreds of steps and files that differ in numbers only."""
NOT_LINKED: Final = frozenset(
    {
        *("/active", "/changes", "/stream", "/offline", "/service-worker.js", "/health", "/ready", "/metrics"),
        *("/robots.txt", "/.well-known/security.txt", "/games/{key:str}/cover.jpg"),
        *("/admin/enter/{token:str}", "/alerts/{act:str}/{token:str}"),
        *("/games/{key:str}/first-round/{at:str}/play", "/puzzles/{key:str}/{day:str}/attempt/{chosen:str}"),
        *("/puzzles/{key:str}/{day:str}/play", "/puzzles/{key:str}/{day:str}/answer/{chosen:str}/{at:str}"),
        *("/table/{table_id:str}/preview", "/table/{table_id:str}/since", "/table/{table_id:str}/plan/why"),
        "/table/{table_id:str}/analysis/{number:int}",
    }
)
"""Addresses to which no page has a whole link: programs ask for them, they are in mails, or have the fields of a form,
or they depend on what bots think of a game.
"""
SCRIPTS: Final = sorted(STATIC.glob("js/*.js"))


@pytest.fixture(scope="module")
def below(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    imprint = tmp_path_factory.mktemp("imprint") / "imprint.md"
    imprint.write_text("# We", encoding="utf-8")
    options = ("--contact", "games@example.org", "--imprint", f"{imprint}", "--metrics-token", "of-the-metrics")
    with server_below(tmp_path_factory.mktemp("below"), *options) as started_server:
        yield started_server


@pytest.fixture
def people(below: Server) -> Iterator[list[BelowPath]]:
    with ExitStack() as stack:
        yield [stack.enter_context(BelowPath(below)) for _ in range(3)]


def patterns(handlers: Iterable[BaseRouteHandler]) -> dict[str, re.Pattern[str]]:
    """Return the addresses of pages, as patterns, by their routes."""
    paths = {
        path
        for route in handlers
        if isinstance(route, HTTPRouteHandler) and "GET" in route.http_methods
        for path in route.paths
    }
    return {
        path: re.compile(re.sub(r"\{\w+:path\}", ".+", re.sub(r"\{\w+:str\}", "[^/]+", path)))
        for path in sorted(paths, key=lambda path: "{" in path)
    }


def test_no_address_on_any_page_or_in_the_stream_leaves_the_path(below: Server, people: list[BelowPath]) -> None:
    ada, grace, mary = people
    finished, _ = table_of_three(ada, grace, mary, **SHORT)
    trade_on(people, finished, None)
    running, _ = table_of_three(*people, clock="own-live", bank="30", seconds="30")
    trade_on(people, running, 0)
    waiting, duplicate = ada.table("me", "link", "link"), ada.table("me", "link", "link", tables="2")
    ada.table("me", "here", "here", **{"here-1": "Ben", "here-2": "Cleo"})
    assert ada.submit(link(below), name="Ada").status_code == 303
    origin, routes = below.address.removesuffix(PATH), patterns([*ROUTES, *routes_in([admin_routes])])
    group = ada.submit("/groups", title="The usual people").headers["location"]
    starts = [
        "/",
        "/admin",
        "/tables/open",
        running,
        f"{running}/plan",
        duplicate,
        waiting,
        finished,
        "/no-such-page",
        group,
    ]
    read, seen, queue = Counter[str](), set[str](), deque(starts)
    elsewhere: dict[str, list[str]] = {}
    while queue:
        address = queue.popleft()
        path = re.split("[?#]", address)[0]
        kind = next((route for route, pattern in routes.items() if pattern.fullmatch(path)), path)
        if address in seen or (read[kind] >= MOST_OF_A_KIND and address not in starts):
            continue
        seen.add(address)
        answers = [ada.get(address), ada.get(address, headers=HTMX)]
        if answers[0].status_code in (200, 303):
            read[kind] += 1
        for answer in answers:
            if "text/html" not in answer.headers.get("content-type", ""):
                continue
            found = Addresses(answer.text, origin)
            elsewhere |= {address: found.elsewhere} if found.elsewhere else {}
            queue.extend(found.below)
        queue.extend(answer.headers["location"] for answer in answers if "location" in answer.headers)
    for topic in ("lobby", running.rpartition("/")[2], f"chat-{running.rpartition('/')[2]}", "devices"):
        found = Addresses("\n".join(re.findall("^data: ?(.*)", pushed(ada, topic), re.M)), origin)
        elsewhere |= {topic: found.elsewhere} if found.elsewhere else {}
    assert elsewhere == {}
    assert sorted(set(patterns(routes_in(MODULES))) - set(read) - NOT_LINKED) == [], "of features, what is linked"


def test_an_address_without_the_path_is_found() -> None:
    html = f'<a href="/new"><img src="{PATH}/x"><form action="http://h/y"><i data-place="/games/z"><input value="/w">'
    found = Addresses(html, "http://h")
    assert found.elsewhere == ['<a href="/new">', '<form action="http://h/y">', '<i data-place="/games/z">']
    assert found.below == ["/x"]


def test_what_programs_ask_for_stays_below_the_path(below: Server, people: list[BelowPath]) -> None:
    ada = people[0]
    manifest = ada.get("/manifest.webmanifest").json()
    addresses = [manifest["id"], manifest["start_url"], manifest["scope"], *(icon["src"] for icon in manifest["icons"])]
    assert all(address.startswith(f"{PATH}/") for address in addresses)
    worker = ada.get("/service-worker.js")
    assert f'"{PATH}/static/' in worker.text
    assert {ada.get(path).status_code for path in ("/health", "/offline", "/changes?watch=lobby@0")} == {200}
    metrics = ada.get("/metrics", headers={"Authorization": "Bearer of-the-metrics"})
    assert metrics.status_code == 200


def test_at_the_root_of_the_host_are_only_files_that_belong_there(below: Server) -> None:
    origin = below.address.removesuffix(PATH)
    with httpx.Client(base_url=origin) as root:
        rules = root.get("/robots.txt").text
        assert f"Allow: {PATH}/games/\n" in rules
        assert rules.endswith(f"Disallow: {PATH}/\n"), "and the rest of the host is not ours"
        security_text = root.get("/.well-known/security.txt").text
        assert f"Canonical: {origin}/.well-known/security.txt" in security_text
        assert root.get("/health").status_code == 200
        for path in ("/", PATH):
            answer = root.get(path)
            assert (answer.status_code, answer.headers["location"]) == (308, f"{PATH}/")
        for path in ("/games/paris-connection/rules", "/new", f"{PATH}x/", "/our", "/table/x"):
            answer = root.get(path)
            assert (answer.status_code, "set-cookie" in answer.headers) == (404, False), path


def test_invitations_mails_and_administrator_links_lead_below_the_path(tmp_path: Path) -> None:
    with ExitStack() as stack:
        web = stack.enter_context(web_server())
        server = stack.enter_context(server_below(tmp_path / "data", "--allow-private-alerts"))
        ada, grace = (stack.enter_context(BelowPath(server)) for _ in range(2))
        table = ada.table("me", "link", "link")
        page = ada.get(table).text
        invitations = re.findall(rf'data-share-url="({re.escape(server.address)}/join/[^"]+)"', page)
        pages = {invitation: grace.get(invitation) for invitation in invitations}
        invitation = next(invitation for invitation, answer in pages.items() if answer.status_code == 200)
        assert f'property="og:image" content="{server.address}/' in pages[invitation].text
        assert grace.get(f"{invitation}/qr").headers["content-type"].startswith("image/svg+xml")
        joined = grace.submit(invitation.removeprefix(server.address), name="Grace")
        assert joined.headers["location"] == table
        ada.submit("/me/alerts", zone="UTC", away="0", pause="0")
        address = f"{web.address.replace('http', 'ntfy')}/ada"
        assert ada.submit("/me/alert-subscriptions", kind="service", address=address).status_code == 303
        (request,) = web.sent
        assert request.json["click"].startswith(f"{server.address}/")
        assert grace.post(request.json["click"]).status_code == 200
        assert link(server).startswith("/admin/enter/")


def test_cookies_of_two_servers_on_one_host_do_not_mix(tmp_path: Path) -> None:
    with ExitStack() as stack:
        one = stack.enter_context(server_below(tmp_path / "a"))
        other = stack.enter_context(server_below(tmp_path / "b", path=f"{PATH}/more"))
        ada, same_browser = (stack.enter_context(BelowPath(*at)) for at in ((one,), (other, f"{PATH}/more")))
        same_browser.cookies = ada.cookies.jar  # of one host, for a cookie does not know the port
        table, other_table = ada.table("me", "open", "open"), same_browser.table("me", "open", "open", name="Bea")
        assert {(cookie.name, cookie.path) for cookie in ada.cookies.jar} == {
            ("session!our!games", f"{PATH}/"),
            ("session!our!games!more", f"{PATH}/more/"),
        }
        assert ada.submit(f"{table}/leave").status_code == 200
        assert same_browser.submit(f"{other_table}/leave").status_code == 200
        assert 'title="Ada"' in ada.get("/").text
        assert 'title="Bea"' in same_browser.get("/").text


@pytest.mark.browser
def test_a_move_a_sign_in_code_and_the_service_worker_below_a_path(
    below: Server, people: list[BelowPath], open_context: OpenContext
) -> None:
    path, _ = table_of_three(*people)
    context, other_context = open_context(), open_context()
    let_in(context, people[0])
    let_in(other_context, people[1])
    page, other_page = context.new_page(), other_context.new_page()
    page.goto(f"{below.address}{path}")
    other_page.goto(f"{below.address}{path}")
    before = version(other_page)
    trade_on(people, path, 0)
    shown = version(page)
    people[0].play(path, people[0].state(path)["moves"][0])
    moved_on(page, shown)
    moved_on(other_page, before)
    assert page.evaluate(
        "performance.getEntriesByType('resource').every(({ name }) => new URL(name).pathname.startsWith('/our/games/'))"
    )
    page.goto(f"{below.address}/me/recovery")
    page.locator('form[action$="/me/recovery"] button').click()
    code = page.locator("#recovery-code").inner_text()
    phone = open_context().new_page()
    phone.goto(f"{below.address}/device")
    phone.locator('[name="code"]').fill(code)
    phone.locator('form[action$="/device"] button.primary').click()
    expect(phone.locator(".own-name")).to_have_text("Ada")
    worker = (
        "navigator.serviceWorker.register('/our/games/service-worker.js').then(() => navigator.serviceWorker.ready)"
    )
    assert page.evaluate(f"{worker}.then(({{ scope }}) => new URL(scope).pathname)") == f"{PATH}/"
    wait_for_true(
        page, "async () => (await (await caches.match('/our/games/offline'))?.text())?.includes('/our/games/')"
    )


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_no_script_writes_an_address_without_the_path(script: Path) -> None:
    text = re.sub(r"^\s*//.*$", "", script.read_text(encoding="utf-8"), flags=re.M)
    allowed = r"(?:inSite|#address)\($"
    bare = [
        match for match in re.finditer(r"['\"`]/[a-z][\w./-]*", text) if not re.search(allowed, text[: match.start()])
    ]
    assert [match[0] for match in bare if match[0][1:] not in ("/play",)] == []


def rendered(template: str, **values: object) -> str:
    env = Environment(autoescape=True, extensions=[SitePaths], loader=DictLoader({"page": template}))
    env.globals |= {"site_path": "/games", IN_SITE: lambda address: in_site("/games", address)}
    return env.get_template("page").render(values)


@pytest.mark.parametrize(
    ("template", "html"),
    [
        ('<a href="/table/{{ a }}">', '<a href="/games/table/&amp;">'),
        ('<a href="/games/x"><img src="/games/y">', '<a href="/games/games/x"><img src="/games/games/y">'),
        ('<a href="{{ b }}?x=1">', '<a href="/games/games/z?x=1">'),
        ('<form action="\n{{- b ~ "/end" }}">', '<form action="/games/games/z/end">'),
        ("<i data-map-url='{{ {'x': b}['x'] }}'>", "<i data-map-url='/games/games/z'>"),
        ('<a href="#top"><a href="https://e.org/"><a href="//e.org">', None),
        ('<a title="/x" data-place="/y">/z <input value="/w">', None),
        ('<a href="{{ missing }}">', '<a href="">'),
    ],
)
def test_addresses_in_templates_get_the_path_exactly_once(template: str, html: str | None) -> None:
    assert rendered(template, a="&", b="/games/z", missing="") == (template if html is None else html)


def test_a_template_whose_address_begins_with_a_statement_is_refused() -> None:
    with pytest.raises(TemplateSyntaxError):
        rendered('<a href="{% if a %}/x{% else %}/y{% endif %}">')


@pytest.mark.parametrize(
    "text", ["https://e.org/a b/", "https://e.org/a%20b", "https://e.org/../x", "https://e.org//x", "https://e.org/a?b"]
)
def test_a_path_that_would_be_written_differently_elsewhere_is_refused(text: str) -> None:
    with pytest.raises(BadAddress):
        public_address(text)
