"""Provide fake services outside a server: a mail server, a web server, and a push service."""

from __future__ import annotations

import asyncio
import base64
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

import http_ece
from aiosmtpd.smtp import SMTP, Envelope, Session
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from spieltisch.alerts.mail import MailServer
from spieltisch.alerts.push import _encode


class Post:
    """A mail server that accepts no mail for the addresses in `refuses`.

    While `hangs` is true, it reads a mail and never answers.
    """

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.received: list[bytes] = []
        """The mails as they came."""
        self.arrived = threading.Semaphore(0)
        self.refuses: set[str] = set()
        self.hangs = False
        self.settings: MailServer

    async def handle_RCPT(  # noqa: N802  # so the library calls it
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address in self.refuses:
            return "550 nobody of that name"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802  # see above
        if self.hangs:
            await asyncio.Event().wait()
        assert isinstance(envelope.content, bytes)
        self.received.append(envelope.content)
        mail = message_from_bytes(envelope.content.replace(b"\r\n", b"\n"), policy=policy.default)
        assert isinstance(mail, EmailMessage)
        self.mails.append(mail)
        self.arrived.release()
        return "250 OK"


@asynccontextmanager
async def posting(seconds: float = 20.0) -> AsyncIterator[Post]:
    """Run a mail server on this machine, with settings for a client that waits this long."""
    post = Post()
    listening = await asyncio.get_running_loop().create_server(lambda: SMTP(post), "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    post.settings = MailServer("127.0.0.1", port, "Spieltisch <games@example.org>", seconds=seconds)
    try:
        yield post
    finally:
        listening.close()


@contextmanager
def mail_server() -> Iterator[Post]:
    """Run a mail server on a thread of its own."""
    posts: list[Post] = []
    ready, has_ended = threading.Event(), threading.Event()

    async def run_server() -> None:
        async with posting() as post:
            posts.append(post)
            ready.set()
            await asyncio.to_thread(has_ended.wait)

    thread = threading.Thread(target=asyncio.run, args=(run_server(),))
    thread.start()
    ready.wait()
    try:
        yield posts[0]
    finally:
        has_ended.set()
        thread.join()


class Sent(NamedTuple):
    """A received message."""

    path: str
    headers: dict[str, str]
    content: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.content)


class Web:
    """A web server that accepts everything and answers with `status` while it `answers`."""

    def __init__(self) -> None:
        self.sent: list[Sent] = []
        self.status = 200
        self.headers: dict[str, str] = {}
        self.body = b"{}"
        self.challenges: list[dict[str, list[str]]] = []
        """The queries of the requests for consent."""
        self.consent = ""
        """The answers to these, or the challenge."""
        self.address = ""
        self.asked = threading.Semaphore(0)
        self.answers = threading.Event()
        self.answers.set()


@contextmanager
def web_server(prepare: Callable[[ThreadingHTTPServer], None] = lambda _: None) -> Iterator[Web]:
    """Run a web server on this machine, which `prepare` may change first."""
    web = Web()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # so the library calls it
            length = int(self.headers.get("content-length", 0))
            content = self.rfile.read(length)
            if len(content) < length:  # the sender was killed in the meantime: nothing has arrived
                return
            web.sent.append(Sent(self.path, {name.lower(): value for name, value in self.headers.items()}, content))
            web.asked.release()
            web.answers.wait()
            self.send_response(web.status)
            for name, value in web.headers.items():
                self.send_header(name, value)
            with suppress(ConnectionError):  # who has hung up
                self.end_headers()
                self.wfile.write(web.body)

        def do_GET(self) -> None:  # so the library calls it
            challenge = parse_qs(urlsplit(self.path).query)
            web.challenges.append(challenge)  # several processes may ask at once
            self.send_response(200)
            with suppress(ConnectionError):  # who has hung up
                self.end_headers()
                self.wfile.write((web.consent or challenge["hub.challenge"][0]).encode())

        do_PUT = do_POST  # noqa: N815  # see above

        def log_message(self, *_: object) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as serving:
        prepare(serving)
        web.address = f"http://127.0.0.1:{serving.server_port}"
        thread = threading.Thread(target=serving.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield web
        finally:
            web.answers.set()
            serving.shutdown()
            thread.join()


class Browser:
    """A browser that receives messages of a push service."""

    def __init__(self, web: Web) -> None:
        self._web = web
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._secret = b"sixteen bytes ok"

    @property
    def given(self) -> dict[str, str]:
        """Return the subscription that the browser reports."""
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {
            "endpoint": f"{self._web.address}/push/1",
            "key": _encode(point),
            "secret": _encode(self._secret),
        }

    def read(self, request: Sent, server_key: str) -> Any:
        """Decrypt a push message. Check that it was signed with the server's key, for this web server."""
        authorization = request.headers["authorization"]
        assert Vapid02.verify(authorization), "the signature is not that of the key beside it"
        token, _, key = authorization.removeprefix("vapid t=").partition(",k=")
        assert key == server_key
        claims = json.loads(_decoded(token.split(".")[1]))
        assert claims["aud"] == self._web.address
        assert claims["sub"].startswith(("mailto:", "https:"))
        assert request.headers["content-encoding"] == "aes128gcm"
        assert int(request.headers["ttl"]) > 0
        plain_text = http_ece.decrypt(
            request.content, private_key=self._key, auth_secret=self._secret, version="aes128gcm"
        )
        return json.loads(plain_text)


def _decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
