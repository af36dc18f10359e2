"""Mail, by the server of a host: any that speaks SMTP."""

from __future__ import annotations

import asyncio
import re
from email.errors import HeaderParseError
from email.headerregistry import Address, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP, Policy
from email.utils import formatdate, parseaddr
from typing import Final
from urllib.parse import unquote, urlsplit

import aiosmtplib
import msgspec

from spieltisch.alerts.alert import Alert, DeliveryFailed
from spieltisch.core.words import message

SECONDS: Final = 20.0
"""For all of a mail, however long its server thinks."""
LONGEST: Final = 254
_DOMAIN: Final = re.compile(r"(?!-)[\w-]{1,63}(\.(?!-)[\w-]{1,63})+")


class _UnfoldedHeader(UnstructuredHeader):
    """A header on one line. It holds an address without spaces, which folding would turn into encoded words, and no
    mail program decodes those there (RFC 2047, 5).
    """

    def fold(self, *, policy: Policy) -> str:
        return f"{self.name}: {self}{policy.linesep}"  # type: ignore[attr-defined]  # `name` is mixed in


_HEADERS: Final = HeaderRegistry()
_HEADERS.map_to_type("list-unsubscribe", _UnfoldedHeader)  # type: ignore[arg-type]  # which is mixed into one
_POLICY: Final = SMTP.clone(header_factory=_HEADERS)


class BadMail(ValueError):
    """A setting for mail that cannot be one."""


class MailServer(msgspec.Struct, frozen=True):
    """Where mail is handed in, and who it comes from. `tls`: from the first byte; else by STARTTLS where it
    is offered, and always before a password is said.
    """

    host: str
    port: int
    sender: str
    user: str = ""
    password: str = ""
    tls: bool = False
    seconds: float = SECONDS

    @classmethod
    def read(cls, server: str, sender: str) -> MailServer | None:
        """From settings such as `smtps://user:password@mail.example.org` and `Spieltisch <games@example.org>`; None
        where there are none. Raises BadMail.

        >>> MailServer.read("smtp://localhost", "games@example.org").port
        25
        """
        if not server:
            return None
        try:
            parts = urlsplit(server)
            port = parts.port
        except ValueError as problem:
            raise BadMail(f"--mail-server: {problem}") from problem
        if parts.scheme not in ("smtp", "smtps") or not parts.hostname or parts.path.strip("/"):
            raise BadMail("--mail-server: give an address such as smtps://user:password@mail.example.org")
        name, address = parseaddr(sender)
        try:
            address = checked(address)
        except DeliveryFailed as problem:
            raise BadMail("--mail-from: give who mail comes from, such as games@example.org") from problem
        tls = parts.scheme == "smtps"
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
        given = port or (465 if tls else 587 if user else 25)
        return cls(parts.hostname, given, str(Address(name or "Spieltisch", addr_spec=address)), user, password, tls)

    @property
    def address(self) -> str:
        """The bare address that mail comes from."""
        return parseaddr(self.sender)[1]

    async def send(self, to: str, alert: Alert) -> None:
        """Hand a mail in. Raises Undelivered."""
        mail = EmailMessage(_POLICY)
        mail["From"], mail["To"], mail["Subject"] = self.sender, to, alert.title
        mail["Date"] = formatdate(usegmt=True)
        mail["Message-ID"] = f"<{alert.id}@{self.address.rpartition('@')[2]}>"
        mail["Content-Language"] = alert.language
        mail["Auto-Submitted"] = "auto-generated"
        text = f"{alert.text}\n\n{alert.link}\n"
        if alert.unsubscribe_url:
            mail["List-Unsubscribe"] = f"<{alert.unsubscribe_url}>"
            if alert.unsubscribe_url.startswith("https:"):  # what RFC 8058 asks for
                mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
            text += f"\n-- \n{alert.unsubscribe_text}\n{alert.unsubscribe_url}\n"
        mail.set_content(text)
        try:
            async with asyncio.timeout(self.seconds):
                await aiosmtplib.send(
                    mail,
                    hostname=self.host,
                    port=self.port,
                    username=self.user or None,
                    password=self.password or None,
                    use_tls=self.tls,
                    start_tls=True if self.user and not self.tls else None,
                    timeout=self.seconds,
                )
        except (TimeoutError, aiosmtplib.SMTPTimeoutError) as problem:
            raise DeliveryFailed(message("The mail server did not answer in time.")) from problem
        except (aiosmtplib.SMTPRecipientsRefused, aiosmtplib.SMTPRecipientRefused) as problem:
            raise DeliveryFailed(message("The mail server does not take mail for {address}.", address=to)) from problem
        except aiosmtplib.SMTPAuthenticationError as problem:
            raise DeliveryFailed(message("The mail server does not let this server in.")) from problem
        except aiosmtplib.SMTPResponseException as problem:
            words = message("The mail server did not take the mail: it says {status}.", status=str(problem.code))
            raise DeliveryFailed(words) from problem
        except (aiosmtplib.SMTPException, OSError, ValueError) as problem:
            raise DeliveryFailed(message("The mail server could not be reached.")) from problem


def checked(text: str) -> str:
    """A mail address as it is kept. Raises Undelivered for what is none.

    >>> checked(" ada@example.org ")
    'ada@example.org'
    """
    no_address = DeliveryFailed(message("This is no mail address: it looks like name@example.org."))
    text = text.strip()
    try:
        found = Address(addr_spec=text)
    except (HeaderParseError, ValueError, IndexError) as problem:
        raise no_address from problem
    if len(text) > LONGEST or not text.isascii() or not _DOMAIN.fullmatch(found.domain) or not found.username:
        raise no_address
    if any(ch.isspace() or not ch.isprintable() for ch in text):
        raise no_address
    return text
