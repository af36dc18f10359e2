"""Metrics of the server at `/metrics`, for Prometheus."""

from typing import Final

from spieltisch.features.feature import Feature, Served


def _served() -> Served:
    from spieltisch.features.metrics import routes
    from spieltisch.features.metrics.service import Metrics, measure

    return Served(service=Metrics, routes=routes, run=measure)


FEATURE: Final = Feature("metrics", served=_served)
