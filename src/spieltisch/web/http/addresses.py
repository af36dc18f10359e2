"""Addresses of the server, and how the terminal shows them."""

import re
import socket
import sys
from collections.abc import Iterable, Iterator
from ipaddress import IPv6Address, ip_address
from typing import Final, TextIO
from urllib.parse import quote, urlsplit

from spieltisch.alerts.alert import DeliveryFailed
from spieltisch.alerts.mail import clean_address
from spieltisch.commit import version_text

PATH: Final = re.compile(r"(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)*", re.ASCII)
"""A path below which a server may be: the same whether it is escaped or not, and possible in the name of a cookie."""
EVERYWHERE: Final = ("0.0.0.0", "::")  # noqa: S104  # what people type for "the whole network"
DEFAULT_PORTS: Final = {"http": 80, "https": 443}
WHITE_ON_BLACK: Final = "\x1b[97;40m"
PLAIN: Final = "\x1b[0m"


class BadAddress(ValueError):
    """An address at which no server can be reached."""


def public_address(text: str) -> str:
    """Return the address in `--public-url` as browsers write it, without a trailing slash; "" for none.

    Raise BadAddress.

    >>> public_address("HTTPS://Games.Example.org:443/"), public_address("https://example.org/games/")
    ('https://games.example.org', 'https://example.org/games')
    """
    if not text:
        return ""
    example = "give an address such as https://games.example.org"
    try:
        parts = urlsplit(text)
        port = parts.port
        host = (parts.hostname or "").encode("idna").decode("ascii")
    except ValueError as error:
        raise BadAddress(f"--public-url {text}: {error}; {example}") from error
    if parts.scheme not in DEFAULT_PORTS or not host:
        raise BadAddress(f"--public-url {text}: it must begin with https:// or http:// and a name; {example}")
    path = parts.path.removesuffix("/")
    if not PATH.fullmatch(path):
        raise BadAddress(f"--public-url {text}: a path has only letters, digits, '-', '_' and '.'; {example}")
    if parts.query or parts.fragment:
        raise BadAddress(f"--public-url {text}: it must end with its path, without '?' or '#'; {example}")
    if parts.username is not None or parts.password is not None:
        raise BadAddress(f"--public-url {text}: no names or passwords; {example}")
    netloc = f"[{host}]" if ":" in host else host
    own_port = f":{port}" if port not in (None, DEFAULT_PORTS[parts.scheme]) else ""
    return f"{parts.scheme}://{netloc}{own_port}{path}"


def web_address(host: str, port: int) -> str:
    """Return the URL of this server for a browser on this machine."""
    netloc = "127.0.0.1" if host in (*EVERYWHERE, "") else host
    return f"http://[{netloc}]:{port}/" if ":" in netloc else f"http://{netloc}:{port}/"


def local_addresses() -> list[str]:
    """Return this machine's addresses in its network, IPv4 first; none without one.

    Connecting a UDP socket sends nothing.
    """
    addresses = []
    for family, remote in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((remote, 9))
                address = str(probe.getsockname()[0])
        except OSError:  # no such network, or a system without IPv6
            continue
        if not is_loopback(address) and not ip_address(address).is_link_local:
            addresses.append(address)
    return addresses


def parse_addresses(texts: Iterable[str]) -> list[str]:
    """Return the values of `--network-address` as sockets write them. Raise BadAddress.

    >>> parse_addresses(["192.0.2.7", "2001:DB8::0:7"])
    ['192.0.2.7', '2001:db8::7']
    """
    try:
        addresses = [ip_address(text) for text in texts]
    except ValueError as error:
        raise BadAddress(f"--network-address: {error}; give an address of this machine, without a port") from error
    if any(address.is_unspecified for address in addresses):
        raise BadAddress("--network-address: name the addresses; for all of them use --host 0.0.0.0")
    return [str(address) for address in addresses]


def contact_url(text: str) -> str:
    """Return the URL of the contact in `--contact`, a mail address or an https URL; "" for none. Raise BadAddress.

    >>> contact_url("games@example.org"), contact_url("https://example.org/contact")
    ('mailto:games@example.org', 'https://example.org/contact')
    """
    if not text:
        return ""
    if re.fullmatch(r"https://[^\s\"<>\[\]/?#]+[^\s\"<>]*", text):
        return text
    try:
        return f"mailto:{quote(clean_address(text), safe='@+')}"
    except DeliveryFailed as error:
        raise BadAddress(f"--contact {text}: give a mail address or a URL that begins with https://") from error


def is_loopback(name: str) -> bool:
    """Return True if an address reaches only the machine on which it is used.

    >>> [is_loopback(name) for name in ("127.0.0.1", "::1", "::ffff:127.0.0.1", "localhost", "192.0.2.7")]
    [True, True, True, True, False]
    """
    try:
        address = ip_address(name)
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")
    return ((address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address).is_loopback


def startup_lines(local: str, network: str, public: str, *, wide: bool) -> tuple[list[str], str]:
    """Return the lines with the server's addresses, and the URL to share with others, "" if there is none.

    `wide`: the server was started for the network. The given URLs have no trailing slash.
    """
    if public:
        path = urlsplit(public).path
        return [f"Spieltisch {version_text()} is at {public}/", f"It listens on {local}{path}/"], f"{public}/"
    lines = [f"Spieltisch {version_text()} is at {local}/"]
    if network:
        return [*lines, f"In the same network: {network}/"], f"{network}/"
    if wide:
        return [*lines, "This machine has no address in a network: nobody else can reach it now."], ""
    if not is_loopback(urlsplit(local).hostname or ""):
        return lines, f"{local}/"
    return [*lines, "Friends on your network: start with spieltisch serve --network"], ""


def print_addresses(lines: Iterable[str], shared: str = "", out: TextIO = sys.stdout) -> None:
    """Print the lines, and the URL to share as a QR code if the output is a terminal."""
    out.write("".join(f"{line}\n" for line in lines))
    if shared and out.isatty():
        out.write("".join(f"{WHITE_ON_BLACK}{line}{PLAIN}\n" for line in terminal_qr_code(shared)))
    out.flush()


def terminal_qr_code(address: str) -> Iterator[str]:
    """Yield the lines of a QR code of half blocks, to show light on dark; none if the terminal cannot show them."""
    # Imported only when needed: a server without a terminal prints no QR code.
    from io import StringIO

    import segno

    buffer = StringIO()
    segno.make(address, micro=False).terminal(buffer, compact=True)
    try:
        buffer.getvalue().encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return
    yield from buffer.getvalue().splitlines()
