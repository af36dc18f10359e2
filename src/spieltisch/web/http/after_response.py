"""Work that waits until the request that caused it has been answered."""

import asyncio
from collections.abc import Callable
from contextvars import ContextVar
from typing import Final

from litestar.types import ASGIApp, Message, Receive, Scope, Send

MAX_WAIT_SECONDS: Final = 0.1
"""The longest wait, in case a request is slow or its client does not read the response."""


class _Response:
    """The response to a request, and the work that waits for it."""

    def __init__(self) -> None:
        self._jobs: list[Callable[[], None]] = []
        self._is_sent = False

    def call_after(self, job: Callable[[], None]) -> None:
        if self._is_sent:
            job()
            return
        if not self._jobs:
            asyncio.get_running_loop().call_later(MAX_WAIT_SECONDS, self.finish)
        self._jobs.append(job)

    def finish(self) -> None:
        self._is_sent = True
        jobs, self._jobs = self._jobs, []
        for job in jobs:
            job()


_RESPONSE: ContextVar[_Response | None] = ContextVar("response", default=None)


def call_after_response(job: Callable[[], None]) -> None:
    """Call `job` when the present request has been answered; immediately outside of a request."""
    response = _RESPONSE.get()
    if response is None:
        job()
    else:
        response.call_after(job)


def respond_first(app: ASGIApp) -> ASGIApp:
    """Return the application with `call_after_response`; a stream counts as answered when its first bytes are sent."""

    async def respond(scope: Scope, receive: Receive, send: Send) -> None:
        response = _Response()

        async def send_first(message: Message) -> None:
            await send(message)
            if message["type"] == "http.response.body":
                response.finish()

        token = _RESPONSE.set(response)
        try:
            await app(scope, receive, send_first)
        finally:
            _RESPONSE.reset(token)
            response.finish()

    return respond
