"""Matchmaking: people who seek players for the same kind of game are brought to one table."""

from typing import Final

from spieltisch.features.feature import Feature, Served
from spieltisch.features.matchmaking.rows import SEEKS, end_seeks


def _served() -> Served:
    from spieltisch.features.matchmaking import routes
    from spieltisch.features.matchmaking.pages import SeekPages
    from spieltisch.features.matchmaking.service import TOPIC, Matchmaking

    return Served(
        service=Matchmaking,
        run=lambda live: live.service(Matchmaking).running(),
        site_topics={TOPIC: SeekPages},
        lobby_sections=(SeekPages,),
        routes=routes,
    )


FEATURE: Final = Feature("matchmaking", (SEEKS,), end_seeks, _served)
