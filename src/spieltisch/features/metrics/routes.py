"""The page that Prometheus reads."""

import hmac
from typing import Final

from litestar import Response, get

from spieltisch.features.metrics.service import Metrics
from spieltisch.web.http.refusals import no_page
from spieltisch.web.http.requests import Request

PLAIN_TEXT: Final = "text/plain; version=0.0.4; charset=utf-8"


@get("/metrics")
async def metrics(request: Request) -> Response[bytes]:
    """Return the metrics to a client that sends the token set by the operator.

    Without a token, or with another one, there is no such page: raise PageRefusal 404.
    """
    token, sent = request.site.metrics_token, request.headers.get("authorization", "")
    if not token or not hmac.compare_digest(sent.encode(), f"Bearer {token}".encode()):
        raise no_page()
    return Response(
        await request.live.service(Metrics).exposition(len(request.streams)), headers={"Content-Type": PLAIN_TEXT}
    )
