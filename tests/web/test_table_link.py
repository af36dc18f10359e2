"""Check the link that invites to all open seats of a table until the host resets it."""

from __future__ import annotations

import re

import pytest

from spieltisch.tables.table_settings import PRESETS, TableSettings
from spieltisch.web.pages.table_settings import pace
from tests.sentences import sentence_after
from tests.web.conftest import Person
from tests.web.servers import Server
from tests.web.visitors import Visitor, let_in


def link_of(host: Visitor, path: str) -> str:
    """Return the path of the link to all open seats that the table shows its host."""
    (link,) = re.findall(
        r'data-action="invite" data-share-url="[^"]*" data-copy-url="(/join/[^"]+)"', host.get(path).text
    )
    return str(link)


def test_one_link_gives_all_players_their_seats_and_describes_the_table(
    server: Server, ada: Visitor, grace: Visitor, mary: Visitor
) -> None:
    path = ada.table("me", "link", "link")
    link = link_of(ada, path)
    assert "/join/" not in ada.get("/").text
    invitation = grace.get(link).text
    invites = sentence_after("web/templates/join.html", "table.host %}\n{{-", name="Ada")
    for phrase in (
        invites,
        "3 players",
        "30 to 45 minutes",
        "/games/paris-connection/first-round",
    ):
        assert phrase in invitation
    assert '<input id="name" name="name" required' in invitation
    assert grace.submit(link, name="Grace").headers["location"] == path
    assert grace.get(link).headers["location"] == path, "who sits there is led to the table"
    assert mary.submit(link, name="Mary").status_code == 303
    assert [seat["name"] for seat in ada.state(path)["seats"]] == ["Ada", "Grace", "Mary"]
    with Visitor(server) as late_visitor:
        full_page = late_visitor.get(link)
    eyebrow = re.compile(r'<p class="eyebrow">.*?</p>')
    assert (full_page.status_code, eyebrow.findall(full_page.text)) == (409, eyebrow.findall(invitation))
    assert f'href="{path}"' in full_page.text, "a full table can be watched"
    mary.leave(path)
    assert 'data-action="invite"' in ada.get(path).text, "to the seat that was left, see test_seat_reclaim"
    with Visitor(server) as late_visitor:
        assert late_visitor.get(link).status_code == 403
        assert late_visitor.submit(link, name="Late").status_code == 403
    assert ada.state(path)["seats"][2]["kind"] == "left"
    link_for_others = link_of(ada, ada.table("link", "link", "bot:random"))
    with Visitor(server) as other_visitor:
        page = other_visitor.get(link_for_others)
    assert (page.status_code, "invites you" in page.text) == (200, False), "the host does not play"


@pytest.mark.parametrize("watch", ["off", "link"])
def test_the_link_to_a_full_table_does_not_lead_on_where_not_everyone_may_watch(
    server: Server, ada: Visitor, watch: str
) -> None:
    path = ada.table("me", "link", "bot:random", watch=watch)
    link = link_of(ada, path)
    with Visitor(server) as grace, Visitor(server) as late_visitor:
        assert grace.submit(link, name="Grace").headers["location"] == path
        full_page = late_visitor.get(link)
    assert (full_page.status_code, path in full_page.text) == (409, False)


def test_an_invitation_names_the_players_and_the_clock(ada: Visitor, grace: Visitor) -> None:
    """Messengers show the title and the description of the page that a link leads to."""
    link = link_of(ada, ada.table("me", "link", "bot:easy", clock="days"))
    page = grace.get(link).text
    preview = dict(re.findall(r'<meta property="og:([a-z_]+)" content="([^"]*)">', page))
    assert preview["title"].startswith("Paris Connection: ")
    assert "Ada" in preview["title"]
    *_, bot, clock = preview["description"].split(" · ")
    assert clock == str(pace(PRESETS["days"]))
    assert bot in re.sub(r"</?b[^>]*>", "", page), "the name and the level of the bot"
    image = preview["image"]
    assert image.startswith("http://")
    picture = grace.get(image)
    assert picture.headers["content-type"] == "image/jpeg"
    assert picture.content.startswith(b"\xff\xd8\xff"), "a picture of the game"
    assert 'name="robots" content="noindex"' in page
    assert re.findall(r"</b> \([^)]+\)", page), "the level of the bot"
    timeless = grace.get(link_of(ada, ada.table("me", "link", "link"))).text
    (description,) = re.findall(r'<meta property="og:description" content="([^"]*)">', timeless)
    assert description.endswith(f" · {pace(TableSettings())}")
    assert 'id="agreed-settings">' in page


def test_only_the_host_can_reset_the_table_link(server: Server, ada: Visitor, grace: Visitor, mary: Visitor) -> None:
    path = ada.table("me", "link", "link")
    old_link = link_of(ada, path)
    single = re.findall(r'href="(/join/[^"]+)">Invite link for seat', ada.get(path).text)
    assert len(single) == 2
    assert grace.submit(old_link, name="Grace").status_code == 303
    assert 'data-action="invite"' not in grace.get(path).text
    assert "renew-table-link" not in grace.get(path).text
    assert grace.submit(f"{path}/renew-table-link").status_code == 403
    ada.get(f"{path}/renew-table-link")
    assert ada.post(f"{path}/renew-table-link", data={"token": "x"}).status_code == 403
    assert link_of(ada, path) == old_link
    assert ada.submit(f"{path}/renew-table-link").status_code == 303
    assert mary.get(old_link).status_code == 404
    assert link_of(ada, path) != old_link
    assert mary.submit(single[1], name="Mary").status_code == 303, "a link to a single seat stays"


def test_a_newcomer_is_asked_for_a_name_before_other_players_see_a_name(ada: Visitor, grace: Visitor) -> None:
    assert grace.submit("/new/paris-connection/now", bot="easy").status_code == 303
    path = ada.table("me", "link", "bot:random")
    link = link_of(ada, path)
    for page in (link, "/new/paris-connection"):
        assert '<input id="name" name="name" required' in grace.get(page).text
    assert grace.submit(link, name="Grace").status_code == 303
    assert ada.state(path)["seats"][1]["name"] == "Grace"
    assert '<input id="name" name="name" required' not in grace.get("/new/paris-connection").text


@pytest.mark.browser
def test_the_table_link_is_shared_by_the_system_share_sheet_where_available(
    open_page: Person, server: Server, ada: Visitor
) -> None:
    path = ada.table("me", "link", "link")
    link = link_of(ada, path)
    desk, phone = open_page(locale="en"), open_page(locale="en")
    phone.add_init_script("navigator.share = async (what) => { document.title = what.url; }")
    desk.add_init_script("delete Navigator.prototype.share")
    for page in (desk, phone):
        let_in(page.context, ada)
        page.goto(server.address + path)
    # Read at once: a moment later, the button has its own words again.
    pressed = "(button) => (button.click(), button.innerText)"
    assert desk.get_by_role("button", name="Invite players").evaluate(pressed) == "Link copied"
    phone.get_by_role("button", name="Invite players").click()
    assert phone.title().endswith(link)
