"""The server, from its start to its clean stop: one port, one database, and a process or several."""

import asyncio
import gc
import os
import socket
import sys
import webbrowser
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

import uvicorn
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from spieltisch.alerts.mail import MailServer
from spieltisch.alerts.ssrf_guard import SsrfGuard
from spieltisch.core.compiled import cache_root
from spieltisch.core.registry import game_modules
from spieltisch.features import FEATURES
from spieltisch.live import BotTurns, Live, SearchCompiler, external_bots
from spieltisch.live.byte_cache import RELEASE_INTERVAL_SECONDS, release_all
from spieltisch.live.daily_removal import remove_regularly
from spieltisch.live.followed_tables import LOOK_SECONDS
from spieltisch.live.limits import DEFAULT, Limits
from spieltisch.live.retention import KEPT_BY_DEFAULT, Retention
from spieltisch.live.services import repeat, running
from spieltisch.live.timekeeper import close_unbegun_tables
from spieltisch.store.schema import DATABASE
from spieltisch.web.app import SERVED, create_app, publish_changes
from spieltisch.web.http.addresses import (
    EVERYWHERE,
    BadAddress,
    contact_url,
    is_loopback,
    local_addresses,
    parse_addresses,
    print_addresses,
    public_address,
    startup_lines,
)
from spieltisch.web.http.connection_limits import ConnectionLimits, protocol_class
from spieltisch.web.http.file_descriptors import Descriptors, raise_descriptor_limit
from spieltisch.web.http.forwarded_addresses import warn_of_handed_on_addresses
from spieltisch.web.http.idle_memory import IdleMemory
from spieltisch.web.http.parts import Parts
from spieltisch.web.http.processor_shares import ProcessorShares, share_processor
from spieltisch.web.http.sessions import Site
from spieltisch.web.http.stream import Streams
from spieltisch.web.log_output import LogFormat, configure_logging
from spieltisch.web.processes import StopSignals, run_processes, stop_with_parent

GRACE_SECONDS: Final = 5
"""Seconds that running requests may take to finish when the server stops."""

BACKLOG: Final = 1024
"""Connections that may wait to be accepted, instead of being refused."""

TICKS_PER_SECOND: Final = 10
"""Calls of `on_tick` per second by uvicorn."""

SWITCH_SECONDS: Final = 0.001
"""The time for which a thread that reads or writes the file may have to wait while a page is rendered."""

READ_SECONDS: Final = 0.5
"""Seconds that clients may take to read data already sent when the server stops."""


class Server(uvicorn.Server):
    """A uvicorn server that ends the streams when it stops.

    The framework's shutdown hook is called too late, after the last connection has closed.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        streams: Streams,
        descriptors: Descriptors,
        ready: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(config)
        self._streams = streams
        self._descriptors = descriptors
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen, then call `ready`."""
        await super().startup(sockets)
        if self._ready is not None:
            self._ready()

    async def on_tick(self, counter: int) -> bool:
        """Check once a second that a file descriptor is available."""
        if counter % TICKS_PER_SECOND == 0:
            self._descriptors.look()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, then shut down."""
        self._streams.end()
        abort_timer = asyncio.get_running_loop().call_later(READ_SECONDS, self._abort_open)
        try:
            await super().shutdown(sockets)
        finally:
            abort_timer.cancel()

    def _abort_open(self) -> None:
        """Abort connections with unread data: a sleeping phone cannot be notified of the end."""
        for connection in tuple(self.server_state.connections):
            if connection.transport.get_write_buffer_size():
                connection.transport.abort()


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    database: Path | str = Path("spieltisch-data", DATABASE),
    *,
    open_browser: bool = True,
    public_url: str = "",
    network: bool = False,
    network_addresses: Sequence[str] = (),
    workers: int | None = None,
    limits: Limits = DEFAULT,
    retention: Retention = KEPT_BY_DEFAULT,
    compile_search: bool = True,
    mail: MailServer | None = None,
    private_addresses: bool = False,
    push_services: Collection[str] = (),
    bots: Sequence[str] = (),
    contact: str = "",
    imprint: str = "",
    metrics_token: str = "",
    log_format: LogFormat = "text",
    pseudo: bool = False,
) -> None:
    """Run the server until SIGINT, SIGTERM or, where there is one, SIGHUP.

    `database` is a file, or the URL of a PostgreSQL database, which `workers` processes of this server share with those
    of other servers, if a number of them is given; see `docs/scaling.md`.

    `port` 0 chooses a free one; the address is printed on a line of its own. `compile_search`: compile the search in
    the background where it is not compiled yet. External `bots` may take seats too.

    Alerts are sent by `mail` if a mail server is given, to `private_addresses` only if that is set, and to browsers
    also at the hosts `push_services`.

    With `network` the server also listens in the machine's network, at `network_addresses`, or at the addresses found
    on the machine.

    Visitors find the operator by `contact`, a mail address or a URL, and `imprint`, a text in Markdown. `metrics_token`
    opens `/metrics`. The log is written in `log_format`. What is old is removed after the days of `retention`.

    Raise StoreError if the data cannot be opened (in use by another server, written by a newer version), OSError if the
    address cannot be used, BadAddress for an invalid `public_url`, `network_addresses` or `contact`, UnknownBot.
    """
    public = public_address(public_url)
    if public and network:
        raise BadAddress("--network and --public-url exclude each other; leave one of them out")
    if network_addresses and not network and host not in EVERYWHERE:
        raise BadAddress("--network-address needs --network, too")
    addresses = parse_addresses(network_addresses)
    extra_addresses = (addresses or local_addresses()) if network and is_loopback(host) else []
    configure_logging(log_format)
    sys.setswitchinterval(SWITCH_SECONDS)
    with ExitStack() as stack, StopSignals() as stop_signals:
        sockets = [stack.enter_context(_listen(host, port))]
        site = Site(
            public,
            host,
            sockets[0].getsockname()[1],
            tuple(addresses if host in EVERYWHERE else extra_addresses),
            contact_url(contact),
            imprint,
            metrics_token,
        )
        sockets += [stack.enter_context(_listen(address, site.port)) for address in extra_addresses]
        uvloop = "uvloop" if sys.platform != "win32" else "auto"
        open_live = partial(
            Live.open,
            database,
            limits=limits,
            retention=retention,
            features=FEATURES,
            is_shared=workers is not None and (workers > 1 or not isinstance(database, Path)),
            mail=mail,
            guard=SsrfGuard(private=private_addresses),
            push_services=push_services,
            address=lambda: site.public or site.network or site.local,
        )

        def run_process(ready: Callable[[], None]) -> None:
            with asyncio.Runner(loop_factory=_loop_factory(uvloop)) as runner:
                runner.run(
                    _run(stop_signals, sockets, site, open_live, ready, limits, compile_search, bots, pseudo=pseudo)
                )

        def ready() -> None:
            print_addresses(
                *startup_lines(site.local, site.network, site.public, wide=network or site.host in EVERYWHERE)
            )
            if open_browser and _has_display():
                webbrowser.open(f"{site.public or site.local}/")

        if workers is None or workers == 1:
            run_process(ready)
        else:
            run_processes(workers, run_process, stop_signals, ready)
    print_addresses(["Spieltisch has stopped."])


async def _run(
    stop_signals: StopSignals,
    sockets: list[socket.socket],
    site: Site,
    open_live: Callable[..., Awaitable[Live]],
    ready: Callable[[], None],
    limits: Limits,
    compile_search: bool,
    bots: Sequence[str],
    *,
    pseudo: bool,
) -> None:
    live = await open_live(outside=await external_bots.load_external_bots(bots))
    async with live.stack:
        streams = Streams()
        app = create_app(live, streams, site, limits=limits, pseudo=pseudo, cache=cache_root() / "templates")
        await asyncio.to_thread(cast(Parts, app.state.parts).pages.warm)
        live.stack.callback(publish_changes(live, app))
        bounded_limits = replace(limits, total_connections=raise_descriptor_limit(limits.total_connections))
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            lifespan="off",
            server_header=False,
            timeout_graceful_shutdown=GRACE_SECONDS,
            proxy_headers=bool(site.public),
            ws="none",
        )
        is_proxy = _is_proxy(config, app)
        shares = ProcessorShares(limits.waiting_requests_per_address)
        config.app = share_processor(warn_of_handed_on_addresses(app, is_proxy), shares)
        descriptors = Descriptors()
        config.http = protocol_class(
            ConnectionLimits(bounded_limits, is_proxy, live.leases.count_processes), descriptors
        )
        keys = tuple(game_modules()) if compile_search else ()
        for service in services(live, limits, IdleMemory().give_back, keys):
            await live.start(service)
        gc.collect()
        gc.freeze()  # each full collection of what is there from the start on would stop everyone for 80 ms

        server = Server(config, streams, descriptors, ready)

        def stop() -> None:
            server.should_exit = True

        stop_signals.watch(stop)
        stop_with_parent(stop)
        await server.serve(sockets=sockets)


def services(
    live: Live, limits: Limits, return_memory: Callable[[], object], compiled_games: Sequence[str]
) -> Iterator[AbstractAsyncContextManager[object]]:
    """Yield all that a server does by itself; the newest one ends first."""
    yield live.leases.running()
    yield BotTurns(live, is_watched=live.presence.is_connected).running()
    yield live.alert_sender.running()
    yield SearchCompiler(compiled_games).running()
    yield live.timekeeper.running()
    yield live.health.running()
    yield live.presence.running()
    if live.store.is_shared:
        yield running("changes of others", partial(repeat, live.look_again, LOOK_SECONDS))
    yield running("expiry", partial(close_unbegun_tables, live.tables, limits.waiting_days, live.leases))
    yield running("removal", partial(remove_regularly, live))
    yield running("game history", live.game_history.catch_up)
    release = partial(release_all, live.releases, return_memory)
    yield running("caches", partial(repeat, release, RELEASE_INTERVAL_SECONDS))
    yield from (served.run(live) for served in SERVED if served.run is not None)


def _is_proxy(config: uvicorn.Config, app: Any) -> Callable[[str], bool]:
    """Return a function that is True for hosts trusted to report the addresses of visitors."""
    trusted = ProxyHeadersMiddleware(app, config.forwarded_allow_ips).trusted_hosts
    return lambda host: config.proxy_headers and host in trusted


@contextmanager
def _listen(host: str, port: int) -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as listener:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
        except OSError as error:
            raise OSError(error.errno, error.strerror, f"{host}:{port}") from error
        listener.listen(BACKLOG)
        yield listener


def _has_display() -> bool:
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _loop_factory(name: str) -> type[asyncio.AbstractEventLoop] | None:
    # The ignored error: uvicorn declares a callable, but all of its factories are loop classes.
    return uvicorn.Config("", loop=name, log_config=None).get_loop_factory()  # type: ignore[return-value]  # a factory
