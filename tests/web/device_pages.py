"""Use the page of a person's devices."""

from __future__ import annotations

import re

import httpx

from tests.sentences import sentence_after
from tests.web.visitors import Visitor

NEW_DEVICE = sentence_after("web/templates/new_device_notice.html", '"session" in news')


def code_of(visitor: Visitor) -> str:
    visitor.submit("/devices")
    match = re.search(r'id="code" translate="no">([^<]+)<', visitor.get("/devices").text)
    assert match
    return match.group(1)


def sign_others_out(visitor: Visitor, **changed_fields: str) -> httpx.Response:
    """Send the form that signs out other devices as a browser does, with some fields changed."""
    return visitor.post("/devices/sign-out", data=form_of(visitor) | changed_fields)


def log_out(visitor: Visitor, page: str) -> httpx.Response:
    """Send the form that signs out this device."""
    return visitor.submit("/me/log-out", **dict(re.findall(r'name="(last-added)" value="([^"]+)"', page)))


def form_of(visitor: Visitor) -> dict[str, str]:
    """Return the fields of the form on the devices page as a browser sends them unchanged."""
    page = visitor.get("/devices").text
    ticked = re.findall(r'type="checkbox" form="devices" name="([^"]+)" id="[^"]+" checked', page)
    shown_fields = re.findall(r'form="devices" name="(shown-[^"]+)"', page)
    return (
        dict(re.findall(r'name="([^"]+)" value="([^"]*)"', page))
        | dict.fromkeys(ticked, "on")
        | dict.fromkeys(shown_fields, "")
    )
