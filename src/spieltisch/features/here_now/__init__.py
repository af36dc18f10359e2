"""Here now: how many people have a page open."""

from typing import Final

from spieltisch.features.feature import Feature, Served


def _served() -> Served:
    from spieltisch.features.here_now.pages import HerePages
    from spieltisch.features.here_now.service import TOPIC, HereNow

    return Served(service=HereNow, site_topics={TOPIC: HerePages}, lobby_sections=(HerePages,))


FEATURE: Final = Feature("here_now", served=_served)
