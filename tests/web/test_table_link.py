"""One link invites to all open seats of a table until the host resets it; newcomers are asked for a name."""

from __future__ import annotations

import re

import pytest

from tests.web.conftest import Person, Server, Visitor, let_in


def link_of(host: Visitor, path: str) -> str:
    """Return the path of the link that the table offers its host for all open seats."""
    (link,) = re.findall(r'data-do="invite" data-share="[^"]*" data-copy="(/join/[^"]+)"', host.get(path).text)
    return str(link)


def test_one_link_seats_all_and_says_what_it_leads_to(
    server: Server, ada: Visitor, grace: Visitor, mary: Visitor
) -> None:
    path = ada.table("me", "link", "link")
    link = link_of(ada, path)
    assert "/join/" not in ada.get("/").text
    invitation = grace.get(link).text
    for phrase in ("invites you to play.", "3 players", "30 to 45 minutes", "/games/paris-connection/first-round"):
        assert phrase in invitation
    assert '<input id="name" name="name" required' in invitation
    assert grace.submit(link, name="Grace").headers["location"] == path
    assert grace.get(link).headers["location"] == path, "who sits there is led to the table"
    assert mary.submit(link, name="Mary").status_code == 303
    assert [seat["name"] for seat in ada.state(path)["seats"]] == ["Ada", "Grace", "Mary"]
    with Visitor(server) as late:
        full = late.get(link)
    eyebrow = re.compile(r'<p class="eyebrow">.*?</p>')
    assert (full.status_code, eyebrow.findall(full.text)) == (409, eyebrow.findall(invitation))
    mary.leave(path)
    assert 'data-do="invite"' in ada.get(path).text, "to the seat that was left, see test_seat_reclaim"
    with Visitor(server) as late:
        assert late.get(link).status_code == 403
        assert late.submit(link, name="Late").status_code == 403
    assert ada.state(path)["seats"][2]["kind"] == "left"
    for_others = link_of(ada, ada.table("link", "link", "bot:random"))
    with Visitor(server) as other:
        page = other.get(for_others)
    assert (page.status_code, "invites you" in page.text) == (200, False), "the host does not play"


def test_the_host_alone_resets_it(server: Server, ada: Visitor, grace: Visitor, mary: Visitor) -> None:
    path = ada.table("me", "link", "link")
    old = link_of(ada, path)
    single = re.findall(r'href="(/join/[^"]+)">Invite link for seat', ada.get(path).text)
    assert len(single) == 2
    assert grace.submit(old, name="Grace").status_code == 303
    assert 'data-do="invite"' not in grace.get(path).text
    assert "renew-table-link" not in grace.get(path).text
    assert grace.submit(f"{path}/renew-table-link").status_code == 403
    ada.get(f"{path}/renew-table-link")
    assert ada.post(f"{path}/renew-table-link", data={"token": "x"}).status_code == 403
    assert link_of(ada, path) == old
    assert ada.submit(f"{path}/renew-table-link").status_code == 303
    assert mary.get(old).status_code == 404
    assert link_of(ada, path) != old
    assert mary.submit(single[1], name="Mary").status_code == 303, "a link to a single seat stays"


def test_a_guest_is_asked_for_a_name_before_others_see_one(ada: Visitor, grace: Visitor) -> None:
    assert grace.submit("/new/paris-connection/now", bot="easy").status_code == 303
    path = ada.table("me", "link", "bot:random")
    link = link_of(ada, path)
    for page in (link, "/new/paris-connection"):
        assert '<input id="name" name="name" required' in grace.get(page).text
    assert grace.submit(link, name="Grace").status_code == 303
    assert ada.state(path)["seats"][1]["name"] == "Grace"
    assert '<input id="name" name="name" required' not in grace.get("/new/paris-connection").text


@pytest.mark.browser
def test_the_sheet_of_the_system_shares_it_where_there_is_one(person: Person, server: Server, ada: Visitor) -> None:
    path = ada.table("me", "link", "link")
    link = link_of(ada, path)
    desk, phone = person(locale="en"), person(locale="en")
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
