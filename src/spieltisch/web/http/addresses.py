"""Under which addresses people reach the server, and how the terminal shows them."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterable, Iterator
from ipaddress import IPv6Address, ip_address
from typing import Final, TextIO
from urllib.parse import urlsplit

EVERYWHERE: Final = ("0.0.0.0", "::")  # noqa: S104  # what people type for "the whole network"
DEFAULT_PORTS: Final = {"http": 80, "https": 443}
WHITE_ON_BLACK: Final = "\x1b[97;40m"
PLAIN: Final = "\x1b[0m"


class BadAddress(ValueError):
    """An address under which no server can be reached."""


def public_address(text: str) -> str:
    """The address in `--public-url`, as a browser writes it in `Origin`; "" for none. Raises `BadAddress`.

    >>> public_address("HTTPS://Games.Example.org:443/")
    'https://games.example.org'
    """
    if not text:
        return ""
    example = "give an address such as https://games.example.org"
    try:
        found = urlsplit(text)
        port = found.port
        host = (found.hostname or "").encode("idna").decode("ascii")
    except ValueError as problem:
        raise BadAddress(f"--public-url {text}: {problem}; {example}") from problem
    if found.scheme not in DEFAULT_PORTS or not host:
        raise BadAddress(f"--public-url {text}: it must begin with https:// or http:// and a name; {example}")
    if found.path not in ("", "/") or found.query or found.fragment:
        raise BadAddress(f"--public-url {text}: the tables need a name of their own, without a path; {example}")
    if found.username is not None or found.password is not None:
        raise BadAddress(f"--public-url {text}: no names or passwords; {example}")
    shown = f"[{host}]" if ":" in host else host
    return f"{found.scheme}://{shown}" + (f":{port}" if port not in (None, DEFAULT_PORTS[found.scheme]) else "")


def web_address(host: str, port: int) -> str:
    """The address of this server for a browser on this machine."""
    shown = "127.0.0.1" if host in (*EVERYWHERE, "") else host
    return f"http://[{shown}]:{port}/" if ":" in shown else f"http://{shown}:{port}/"


def local_addresses() -> list[str]:
    """This machine's addresses in its network, IPv4 first; none without one. Connecting a UDP socket sends nothing."""
    found = []
    for family, somewhere in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((somewhere, 9))
                own = str(probe.getsockname()[0])
        except OSError:  # no such network, or a system without IPv6
            continue
        if not is_loopback(own) and not ip_address(own).is_link_local:
            found.append(own)
    return found


def parse_addresses(texts: Iterable[str]) -> list[str]:
    """What stands after `--network-address`, as sockets write it. Raises `BadAddress`.

    >>> parse_addresses(["192.0.2.7", "2001:DB8::0:7"])
    ['192.0.2.7', '2001:db8::7']
    """
    try:
        found = [ip_address(text) for text in texts]
    except ValueError as problem:
        raise BadAddress(f"--network-address: {problem}; give an address of this machine, without a port") from problem
    if any(address.is_unspecified for address in found):
        raise BadAddress("--network-address: name the addresses; for all of them use --host 0.0.0.0")
    return [str(address) for address in found]


def is_loopback(name: str) -> bool:
    """Whether an address reaches nothing but the machine on which it is used.

    >>> [is_loopback(name) for name in ("127.0.0.1", "::1", "::ffff:127.0.0.1", "localhost", "192.0.2.7")]
    [True, True, True, True, False]
    """
    try:
        found = ip_address(name)
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")
    return ((found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found).is_loopback


def startup_lines(here: str, network: str, public: str, *, wide: bool) -> tuple[list[str], str]:
    """Return the lines that tell where the server is, and the address to share with others, "" where there is none.
    `wide`: it was started for the network. Addresses have no slash at their end.
    """
    if public:
        return [f"Spieltisch is at {public}/", f"It listens on {here}/"], f"{public}/"
    lines = [f"Spieltisch is at {here}/"]
    if network:
        return [*lines, f"In the same network: {network}/"], f"{network}/"
    if wide:
        return [*lines, "This machine has no address in a network: nobody else can reach it now."], ""
    if not is_loopback(urlsplit(here).hostname or ""):
        return lines, f"{here}/"
    return [*lines, "Friends on your network: start with spieltisch serve --network"], ""


def print_addresses(lines: Iterable[str], shared: str = "", out: TextIO = sys.stdout) -> None:
    """Print the lines, and the address to share as a QR code where somebody looks at a terminal."""
    out.write("".join(f"{line}\n" for line in lines))
    if shared and out.isatty():
        out.write("".join(f"{WHITE_ON_BLACK}{line}{PLAIN}\n" for line in terminal_qr_code(shared)))
    out.flush()


def terminal_qr_code(address: str) -> Iterator[str]:
    """A QR code in lines of half blocks, to be shown light on dark. A terminal that cannot show them gets none."""
    # Imported here: a server in the background shows no code.
    from io import StringIO

    import segno

    drawn = StringIO()
    segno.make(address, micro=False).terminal(drawn, compact=True)
    try:
        drawn.getvalue().encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return
    yield from drawn.getvalue().splitlines()
