"""Mail, sent through the operator's SMTP server."""

import asyncio
import re
from email.errors import HeaderParseError
from email.headerregistry import Address, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP, Policy
from email.utils import formatdate, parseaddr
from typing import Final, Self
from urllib.parse import unquote, urlsplit

import aiosmtplib
import msgspec
import structlog

from spieltisch.alerts.alert import Alert, DeliveryFailed
from spieltisch.core.words import message

MAIL_TIMEOUT_SECONDS: Final = 20.0
"""The time limit for sending one mail, including all waiting for the server."""
MAX_ADDRESS_LENGTH: Final = 254
"""The maximum length of a mail address."""
_logger = structlog.get_logger()
_SAME_DOMAINS: Final = {
    "googlemail.com": "gmail.com",
    "me.com": "icloud.com",
    "mac.com": "icloud.com",
    "pm.me": "protonmail.com",
    "proton.me": "protonmail.com",
    "protonmail.ch": "protonmail.com",
    "ya.ru": "yandex.ru",
    "yandex.by": "yandex.ru",
    "yandex.com": "yandex.ru",
    "yandex.kz": "yandex.ru",
    "yandex.ua": "yandex.ru",
    "narod.ru": "yandex.ru",
}
"""Domains whose mailboxes are also those of another one."""
_SUBDOMAIN_OF_MAILBOX: Final = re.compile(r"([^.]+)\.(fastmail\.(?:com|fm))")
"""Domains below which every address belongs to the mailbox that the subdomain names."""
_PUBLIC_SUFFIX: Final = re.compile(
    r"(ac|co|gov|ltd|me|net|org|plc)\.uk|(ac|co|geek|net|org)\.nz|(com|edu|gov|id|net|org)\.au|(ac|co|gov|net|org)\.za"
    r"|(ac|ad|co|ed|go|gr|lg|ne|or)\.jp|(ac|co|go|ne|or|re)\.kr|(com|edu|gov|net|org)\.(ar|br|cn|hk|mx|pl|sg|tr|tw|ua)"
    r"|(ac|co|gov|net|org)\.(il|in|th)|(ac|co|or|gv)\.at"
)
"""Endings below which a country registers domains. Below one that is missing here, all names count as one domain."""
_DOMAIN: Final = re.compile(r"((?!-)[\w-]{1,63}\.)+([A-Za-z]{2,63}|[Xx][Nn]--[A-Za-z0-9-]{1,59})")
"""A domain name that ends with a top-level domain. IP addresses do not match."""
_LOCAL_PART: Final = re.compile(r"[\w+=~'&#$*?^{}-]+(\.[\w+=~'&#$*?^{}-]+)*")
"""The characters that RFC 5321 allows unquoted, without those that mail servers may read as routes or files."""


class _UnfoldedHeader(UnstructuredHeader):
    """A header on one line.

    It holds an address without spaces, which folding would turn into encoded words, and no mail program decodes those
    there (RFC 2047, 5).
    """

    def fold(self, *, policy: Policy) -> str:
        return f"{self.name}: {self}{policy.linesep}"  # type: ignore[attr-defined]  # `name` is mixed in


_HEADERS: Final = HeaderRegistry()
_HEADERS.map_to_type("list-unsubscribe", _UnfoldedHeader)  # type: ignore[arg-type]  # which is mixed into one
_POLICY: Final = SMTP.clone(header_factory=_HEADERS)


class BadMail(ValueError):
    """An invalid setting for mail."""


class MailServer(msgspec.Struct, frozen=True):
    """The mail server and the sender.

    `uses_tls`: from the first byte; otherwise by STARTTLS if it is offered, and always before a password is sent.
    """

    host: str
    port: int
    sender: str
    user: str = ""
    password: str = ""
    uses_tls: bool = False
    seconds: float = MAIL_TIMEOUT_SECONDS

    @classmethod
    def read(cls, server: str, sender: str) -> Self | None:
        """Return the mail server of the settings; None if there are none. Raise BadMail for invalid ones.

        Settings look like `smtps://user:password@mail.example.org` and `Spieltisch <games@example.org>`.

        >>> MailServer.read("smtp://localhost", "games@example.org").port
        25
        """
        if not server:
            return None
        bad_server = BadMail(
            "--mail-server: give an address such as smtps://user:password@mail.example.org; "
            "signs like @ / : in a password have to be written as %40 %2F %3A"
        )
        try:
            parts = urlsplit(server)
            port = parts.port
        except ValueError:
            raise bad_server from None  # its text may have a part of the password
        if parts.scheme not in ("smtp", "smtps") or not parts.hostname or parts.path.strip("/"):
            raise bad_server
        name, address = parseaddr(sender)
        try:
            address = clean_address(address)
        except DeliveryFailed as error:
            raise BadMail("--mail-from: give a sender address such as games@example.org") from error
        tls = parts.scheme == "smtps"
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
        port_number = port or (465 if tls else 587 if user else 25)
        return cls(
            parts.hostname, port_number, str(Address(name or "Spieltisch", addr_spec=address)), user, password, tls
        )

    @property
    def address(self) -> str:
        """The sender's address without a name."""
        return parseaddr(self.sender)[1]

    async def send(self, to: str, alert: Alert) -> None:
        """Send a mail. Raise DeliveryFailed if the server did not take it; the log says where it failed, and why."""
        try:
            await self._send(to, alert)
        except DeliveryFailed as failed:
            cause = failed.__cause__
            problem = f"{type(cause).__name__}: {cause}".replace(to, "the recipient")
            _logger.warning("a mail was not taken", host=self.host, port=self.port, problem=problem)
            raise

    async def _send(self, to: str, alert: Alert) -> None:
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
        client = aiosmtplib.SMTP(
            hostname=self.host,
            port=self.port,
            username=self.user or None,
            password=self.password or None,
            use_tls=self.uses_tls,
            start_tls=True if self.user and not self.uses_tls else None,
            timeout=self.seconds,
        )
        try:
            async with asyncio.timeout(self.seconds), client:
                try:
                    await client.send_message(mail)
                except asyncio.CancelledError:
                    client.close()  # or leaving `client` would wait for the server again
                    raise
        except (TimeoutError, aiosmtplib.SMTPTimeoutError) as error:
            raise DeliveryFailed(message("The mail server did not answer in time.")) from error
        except (aiosmtplib.SMTPRecipientsRefused, aiosmtplib.SMTPRecipientRefused) as error:
            raise DeliveryFailed(message("The mail server doesn’t accept mail for {address}.", address=to)) from error
        except aiosmtplib.SMTPAuthenticationError as error:
            raise DeliveryFailed(message("This server couldn’t sign in to the mail server.")) from error
        except aiosmtplib.SMTPResponseException as error:
            words = message("The mail server rejected the message (code {status}).", status=str(error.code))
            raise DeliveryFailed(words) from error
        except (aiosmtplib.SMTPException, OSError, ValueError) as error:
            raise DeliveryFailed(message("The mail server could not be reached.")) from error


def recipient(address: str) -> str:
    """Return the mailbox of an address, as limits count it: without what can be added to a name.

    Dots and underscores are left out, because some providers ignore them, and so is what follows a plus, hyphen or
    equals sign, because some deliver it to the mailbox before the sign. Proton ignores hyphens.

    >>> recipient("B.o_b-games@Example.org"), recipient("+4930@example.org")
    ('bob@example.org', '+4930@example.org')
    """
    name, _, domain = address.strip().lower().rpartition("@")
    if (mailbox := _SUBDOMAIN_OF_MAILBOX.fullmatch(domain)) is not None:
        name, domain = mailbox.groups()
    domain = _SAME_DOMAINS.get(domain, domain)
    # A gateway's mailbox may begin with the + of a telephone number.
    rest = re.split("[+=]" if domain == "protonmail.com" else "[+=-]", name[1:], maxsplit=1)[0]
    return f"{re.sub('[._-]', '', name[:1] + rest)}@{domain}"


def organization(domain: str) -> str:
    """Return the domain to which a domain belongs, as limits count it: an owner can add names below it.

    An IP address belongs to no other.

    >>> organization("mail.example.org"), organization("mail.example.co.uk"), organization("192.0.2.1")
    ('example.org', 'example.co.uk', '192.0.2.1')
    """
    labels = domain.split(".")
    if labels[-1].isdecimal():
        return domain
    return ".".join(labels[-(3 if _PUBLIC_SUFFIX.fullmatch(".".join(labels[-2:])) else 2) :])


def clean_address(text: str) -> str:
    """Return a mail address as it is stored. Raise DeliveryFailed for an invalid one.

    >>> clean_address(" ada@example.org ")
    'ada@example.org'
    """
    no_address = DeliveryFailed(message("Enter an email address like name@example.org."))
    text = text.strip()
    try:
        address = Address(addr_spec=text)
    except (HeaderParseError, ValueError, IndexError) as error:
        raise no_address from error
    if (
        len(text) > MAX_ADDRESS_LENGTH
        or not text.isascii()
        or not _DOMAIN.fullmatch(address.domain)
        or not _LOCAL_PART.fullmatch(address.username)
        or text != f"{address.username}@{address.domain}"
    ):
        raise no_address
    return text
