"""Planned turns: while others play, a person plans their next turn, which is played when it comes."""

from typing import Final

from spieltisch.features.feature import Feature, Served
from spieltisch.features.planned_turns.rows import PLANS, update_plans


def _served() -> Served:
    from spieltisch.features.planned_turns import routes
    from spieltisch.features.planned_turns.pages import PlanPages
    from spieltisch.features.planned_turns.service import TOPIC, Planner

    return Served(
        service=Planner,
        run=lambda live: live.service(Planner).running(),
        topics={TOPIC: PlanPages},
        sections=(PlanPages,),
        routes=routes,
    )


FEATURE: Final = Feature("planned_turns", (PLANS,), update_plans, _served)
