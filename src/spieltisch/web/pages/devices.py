"""The live part of the page with a person's devices, and the notice of a new device on every other page."""

from typing import Final

from spieltisch.live import Live
from spieltisch.web.http.sessions import Visitor, devices_version
from spieltisch.web.pages.qr import qr_code
from spieltisch.web.pages.renderer import Renderer
from spieltisch.web.pages.topics import TopicState

DEVICES: Final = "devices"
"""The topic of the page with a person's devices."""
NEW_DEVICE: Final = "devices~new"
"""The topic, on every other page, of the notice of a new device; see `base.html`."""


class DevicePages:
    """Renders what a person is shown about their devices."""

    def __init__(self, live: Live, pages: Renderer) -> None:
        self._live = live
        self._pages = pages

    async def state(self, _: str, visitor: Visitor, known: int) -> TopicState | None:
        """Return the live part of the page."""
        version = devices_version(visitor.access)
        html = await self.html(visitor) if version > known else ""
        return TopicState(version, html, 0) if html else None

    async def html(self, visitor: Visitor) -> str:
        """Return the live part of the page; "" without a person."""
        if visitor.person is None:
            return ""
        people = self._live.people
        share = visitor.share_address
        address = f"{share.address}/device"
        return self._pages.render(
            "devices_live.html",
            visitor.language,
            person=visitor.person,
            sessions=visitor.access.sessions,
            code=await people.code(visitor.person.id),
            share=share,
            address=address,
            drawn=qr_code(address),
            version=devices_version(visitor.access),
            recovery_code=await people.recovery.made(visitor.person.id),
            passkeys=await people.passkeys.of(visitor.person.id),
            subscriptions=await self._live.subscriptions.of(visitor.person.id),
        )


class NewDeviceNotice:
    """Renders the notice that another browser has added to a person's access."""

    def __init__(self, _: Live, pages: Renderer) -> None:
        self._pages = pages

    async def state(self, _: str, visitor: Visitor, known: int) -> TopicState | None:
        """Return the notice; None if there is nothing new."""
        version = devices_version(visitor.access)
        if version <= known or not visitor.news:
            return None
        others = len(visitor.access.sessions) - 1
        html = self._pages.render("new_device_notice.html", visitor.language, news=visitor.news, others=others)
        return TopicState(version, html, 0)
