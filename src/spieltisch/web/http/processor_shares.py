"""The event loop, shared between addresses: each step of a request waits for its turn.

Pages are rendered in the loop, and while one is, nothing else happens there, so many requests of one address would
delay those of all others. Therefore only one request goes on at a time, until it waits for something or pauses. The
next one is a move, or else a request of the address that has used the least processor time of late. A request of
another address is thus never more than one step away.
"""

import asyncio
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Generator
from itertools import count
from types import coroutine
from typing import Any, Final, NamedTuple, cast

from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from spieltisch.live.client_threads import CLIENT
from spieltisch.web.http.rate_limits import MAX_ADDRESSES, network_of

BUDGET_SECONDS: Final = 0.25
"""The processor time in the last second or so that an address may use before its moves lose their priority."""
HOLD_SECONDS: Final = 0.1
"""The time for which addresses over their budget wait for another's move, which may have to wait for the disk."""
READING_METHODS: Final = ("GET", "HEAD")
"""The methods that change nothing. All other requests are called moves here."""
REFUSAL_SECONDS: Final = 1
"""The time after which a request is refused: a script that repeats it at once would keep the server busy."""
REFUSAL: Final = b"Too many requests are waiting."


class _Request(NamedTuple):
    number: int
    address: str
    is_move: bool
    """True for a move of an address within its budget."""


class _Waiting(NamedTuple):
    request: _Request
    turn_given: asyncio.Future[None]


class ProcessorShares:
    """The turns of all requests, and the processor time that each address has used of late.

    `used_seconds` counts less the longer ago it was: a second later a third (1/e), so that an address that was busy
    soon starts level with the others. At most `max_waiting` requests of an address may wait; 0 is no limit. `clock`
    measures processor time, `now` is the time.
    """

    def __init__(
        self,
        max_waiting: int = 0,
        clock: Callable[[], float] = time.thread_time,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._max_waiting = max_waiting
        self._clock = clock
        self._now = now
        self._numbers = count()
        self._is_taken = False
        self._waiting: list[_Waiting] = []
        self._moves: set[_Request] = set()
        """The moves for which addresses over their budget wait."""
        self._used: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """For each address the seconds that it had used, and the time of that."""

    def is_full(self, address: str) -> bool:
        """Return True if no more requests of this address may wait."""
        return 0 < self._max_waiting <= sum(waiting.request.address == address for waiting in self._waiting)

    def used_seconds(self, address: str) -> float:
        """Return the processor time that an address has used of late."""
        seconds, at = self._used.get(address, (0.0, 0.0))
        return seconds * math.exp(at - self._now())

    async def run(self, job: Coroutine[Any, Any, None], address: str, *, is_move: bool) -> None:
        """Run the job of a request from this address, each step in its turn."""
        request = _Request(next(self._numbers), address, is_move and self.used_seconds(address) <= BUDGET_SECONDS)
        if not request.is_move:
            await self._run_steps(job, request)
            return
        self._moves.add(request)
        hold = asyncio.get_running_loop().call_later(HOLD_SECONDS, self._end_hold, request)
        try:
            await self._run_steps(job, request)
        finally:
            hold.cancel()
            self._end_hold(request)

    @coroutine
    def _run_steps(self, job: Coroutine[Any, Any, None], request: _Request) -> Generator[Any, Any, None]:
        """Do what `await job` would, but wait before each step until it is this request's turn."""
        resume: Callable[[Any], Any] = job.send
        value: Any = None
        while True:
            has_turn = True
            try:
                yield from self._take_turn(request)
            except BaseException as error:  # cancelled: the job cleans up now
                has_turn, resume, value = False, job.throw, error
            began = self._clock()
            try:
                awaited = resume(value)
            except StopIteration:
                return
            finally:
                self._add_used(request.address, self._clock() - began)
                if has_turn:
                    asyncio.get_running_loop().call_soon(self._end_turn)  # when all that could go on now is waiting
            if awaited is None:  # a pause: it goes on if nobody else is next
                resume, value = job.send, None
                continue
            try:
                resume, value = job.send, (yield awaited)
            except BaseException as error:
                resume, value = job.throw, error

    def _take_turn(self, request: _Request) -> Generator[Any, None, None]:
        if not self._is_taken and not self._is_held(request):
            self._is_taken = True
            return
        waiting = _Waiting(request, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        try:
            yield from waiting.turn_given
        except BaseException:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            else:  # it has got its turn, and gives it back
                self._end_turn()
            raise

    def _end_turn(self) -> None:
        self._is_taken = False
        self._give_turn()

    def _end_hold(self, move: _Request) -> None:
        self._moves.discard(move)
        if not self._moves and not self._is_taken:
            self._give_turn()

    def _give_turn(self) -> None:
        ready = [
            waiting
            for waiting in self._waiting
            if not waiting.turn_given.cancelled() and not self._is_held(waiting.request)
        ]
        if ready:
            self._is_taken = True
            first = min(ready, key=lambda waiting: self._rank(waiting.request))
            self._waiting.remove(first)
            first.turn_given.set_result(None)

    def _rank(self, request: _Request) -> tuple[bool, float, int]:
        return not request.is_move, self.used_seconds(request.address), request.number

    def _is_held(self, request: _Request) -> bool:
        """Return True if a request has to wait for the moves of others."""
        return bool(self._moves) and not request.is_move and self.used_seconds(request.address) > BUDGET_SECONDS

    def _add_used(self, address: str, seconds: float) -> None:
        self._used[address] = self.used_seconds(address) + seconds, self._now()
        self._used.move_to_end(address)
        if len(self._used) > MAX_ADDRESSES:
            self._used.popitem(last=False)


def share_processor(app: ASGIApp, shares: ProcessorShares) -> ASGIApp:
    """Return the application with its requests in turns.

    A request of an address for which too many are waiting gets a 429.
    """

    async def take_turns(scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        address = network_of(client[0] if client else "")
        CLIENT.set(address)
        if shares.is_full(address):
            await _refuse(send)
        else:
            is_move = cast(HTTPScope, scope)["method"] not in READING_METHODS  # there are no web sockets
            job = cast(Coroutine[Any, Any, None], app(scope, receive, send))
            await shares.run(job, address, is_move=is_move)

    return take_turns


async def _refuse(send: Send) -> None:
    """Refuse a request without a page, which would cost as much as what was requested."""
    await asyncio.sleep(REFUSAL_SECONDS)
    headers = [
        (b"content-type", b"text/plain"),
        (b"content-length", str(len(REFUSAL)).encode()),
        (b"retry-after", str(REFUSAL_SECONDS).encode()),
    ]
    await send({"type": "http.response.start", "status": 429, "headers": headers})
    await send({"type": "http.response.body", "body": REFUSAL, "more_body": False})
