"""Seasons and evenings of a group: games in rounds, at tables where all meet and sit evenly."""

from typing import Final

from spieltisch.features.feature import Feature, Served
from spieltisch.features.seasons.rows import SEASON_MEMBERS, SEASON_TABLES, SEASONS


def _served() -> Served:
    from spieltisch.features.seasons import routes
    from spieltisch.features.seasons.pages import SeasonPages
    from spieltisch.features.seasons.service import TOPIC, Seasons

    return Served(
        service=Seasons,
        run=lambda live: live.service(Seasons).running(),
        site_topics={TOPIC: SeasonPages},
        routes=routes,
    )


FEATURE: Final = Feature("seasons", (SEASONS, SEASON_MEMBERS, SEASON_TABLES), served=_served)
