"""Run Debian's nginx, Caddy, HAProxy and Apache with the lines of `docs/hosting.md`, in front of a server.

Only what a machine of its own would have differs: the port of https, the port of the server, and where the certificate
is. Without a program its tests are skipped, but they fail if `SPIELTISCH_TEST_PROXIES` is `required`, as in CI.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import httpx
import pytest
import trustme

from tests.paths import ROOT
from tests.web.servers import PUBLIC, Server

HOST: Final = PUBLIC.removeprefix("https://")
START_SECONDS: Final = 60.0
PORTS: Final = range(20_000, 30_000)
"""Ports that the system gives to no one who does not name them."""
MODULES: Final = Path("/usr/lib/apache2/modules")


class Program(NamedTuple):
    """A proxy: its program, a word of its lines in the docs, its arguments, and what surrounds those lines."""

    file: str
    word: str
    arguments: Callable[[Path], list[str]]
    surround: Callable[[Path, int, str], str]


def _nginx(folder: Path, port: int, lines: str) -> str:
    user = "user root;" if os.getuid() == 0 else ""
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    return f"{user} daemon off; pid {folder}/pid; events {{}}\nhttp {{ access_log off; {temporary}\n{lines}\n}}"


def _caddy(folder: Path, port: int, lines: str) -> str:
    options = ("admin off", f"https_port {port}", "auto_https disable_redirects", "local_certs", "skip_install_trust")
    return "\n".join(("{", *options, f"storage file_system {folder}", "}", lines))


def _apache(folder: Path, port: int, lines: str) -> str:
    named = re.search("With Apache, and its modules (.*?), which", HOSTING, re.DOTALL)
    assert named
    modules = ("mpm_event", "authz_core", *re.findall("`(.*?)`", named.group(1)))
    loaded = [f"LoadModule {name}_module {MODULES}/mod_{name}.so" for name in modules]
    own = (f"ServerRoot {folder}", f"PidFile {folder}/pid", "ServerName localhost", f"ErrorLog {folder}/log")
    return "\n".join((*loaded, *own, f"Listen {port}", lines))


HOSTING: Final = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
PROGRAMS: Final = {
    "nginx": Program("/usr/sbin/nginx", "proxy_pass", lambda file: ["-c", f"{file}", "-e", "stderr"], _nginx),
    "caddy": Program(
        *("/usr/bin/caddy", "reverse_proxy"),
        lambda file: ["run", "--adapter", "caddyfile", "--config", f"{file}"],
        _caddy,
    ),
    "haproxy": Program(
        "/usr/sbin/haproxy", "frontend", lambda file: ["-db", "-f", f"{file}"], lambda folder, port, lines: lines
    ),
    "apache": Program("/usr/sbin/apache2", "VirtualHost", lambda file: ["-D", "FOREGROUND", "-f", f"{file}"], _apache),
}


class Proxy(NamedTuple):
    """A running proxy on a port of this machine; browsers that trust its `roots` know it as `PUBLIC`."""

    name: str
    port: int
    roots: ssl.SSLContext
    address: str = PUBLIC

    def transport(self, address: str) -> ProxyTransport:
        """Return the way to it from an address of this machine."""
        return ProxyTransport(self, address)


class ProxyTransport(httpx.HTTPTransport):
    """The way to a proxy under its public name, without a name server."""

    def __init__(self, proxy: Proxy, address: str) -> None:
        self._port = proxy.port
        super().__init__(verify=proxy.roots, local_address=address)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        url = request.url.copy_with(host="127.0.0.1", port=self._port)
        named = {**request.extensions, "sni_hostname": request.url.host}
        return super().handle_request(
            httpx.Request(request.method, url, headers=request.headers, stream=request.stream, extensions=named)
        )


def documented_lines(name: str) -> str:
    """Return the lines of `docs/hosting.md` for a proxy."""
    section = HOSTING.partition("### A reverse proxy\n")[2].partition("\n### ")[0]
    blocks = re.findall(r"^```\w*\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    (lines,) = (block for block in blocks if PROGRAMS[name].word in block)
    return str(lines)


def documented_changes(name: str) -> tuple[tuple[str, str], ...]:
    """Return the documented lines of a proxy, and what stands there instead for a server below a path."""
    section = HOSTING.partition("### Below a path\n")[2].partition("\n### ")[0]
    blocks = re.findall(r"^```\w*\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    replaced = {
        "caddy": ("    reverse_proxy 127.0.0.1:8889\n", r"^ +reverse_proxy .*\n"),
        "nginx": ("    location / {\n", r"^ +location .*\n"),
        "haproxy": ("    default_backend spieltisch\n", r"^ +use_backend .*\n"),
        "apache": ("    ProxyPass / http://127.0.0.1:8889/ flushpackets=on timeout=120\n", r"^ +ProxyPass .*\n"),
    }
    old, pattern = replaced[name]
    (new,) = (match[0] for block in blocks if (match := re.search(pattern, block, re.MULTILINE)))
    return ((old, new),)


@contextmanager
def running_proxy(name: str, folder: Path, server: Server, *changes: tuple[str, str]) -> Iterator[Proxy]:
    """Run a proxy in front of a server with the documented lines, in which `changes` replace words by others."""
    program = PROGRAMS[name]
    if shutil.which(program.file) is None:
        assert os.environ.get("SPIELTISCH_TEST_PROXIES") != "required", f"tests need {program.file}"
        pytest.skip(f"{program.file} is not installed")
    authority = trustme.CA()
    certificate = authority.issue_cert(HOST)
    certificate.private_key_and_cert_chain_pem.write_to_path(folder / "games.pem")
    certificate.private_key_pem.write_to_path(folder / "games.key")
    port = free_port()
    lines = documented_lines(name)
    listening = f"127.0.0.1:{urlsplit(server.address).port}"
    for old, new in (*changes, ("127.0.0.1:8889", listening)):
        assert old in lines, old
        lines = lines.replace(old, new)
    lines = re.sub(r"\b443\b", f"{port}", lines.replace("/etc/ssl/", f"{folder}/"))
    file = folder / "configuration"
    file.write_text(f"{program.surround(folder, port, lines)}\n", encoding="utf-8")
    with (folder / "log").open("wb") as log:
        words = [program.file, *program.arguments(file)]
        process = subprocess.Popen(words, stdout=log, stderr=log, cwd=folder, process_group=0)
    try:
        roots = ssl.create_default_context(cadata=authority.cert_pem.bytes().decode())
        own_root = folder / "pki/authorities/local/root.crt"  # Caddy's
        deadline = time.monotonic() + START_SECONDS
        while not _answers(port, roots):
            if time.monotonic() > deadline or process.poll() is not None:
                raise RuntimeError((folder / "log").read_text(encoding="utf-8"))
            if own_root.exists():
                roots.load_verify_locations(own_root)
            time.sleep(0.02)  # there is nothing to wait for but an answer
        yield Proxy(name, port, roots)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def free_port() -> int:
    for port in random.sample(PORTS, 100):
        with socket.socket() as tried_socket:
            if tried_socket.connect_ex(("127.0.0.1", port)):
                return port
    raise RuntimeError("no port is free")


def _answers(port: int, roots: ssl.SSLContext) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port)) as connection:
            roots.wrap_socket(connection, server_hostname=HOST).close()
    except OSError:
        return False
    return True
