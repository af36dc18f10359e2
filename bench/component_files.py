"""The time for which the worst component files of the maximum size block the server and its visitors.

`python -m bench.component_files` uploads each of `FILES` to a server with default limits, then eight copies of the
slowest one at the same time from eight people, while it keeps requesting the lobby. It prints the seconds until each
response, the size of the response, the slowest lobby in the meantime, and the peak memory of the process that read the
files.
"""

from __future__ import annotations

import re
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import httpx

from bench.local_server import GAME, SERVE, server_process
from spieltisch.core.toml_limits import MAX_FILE_BYTES
from spieltisch.games import game
from tests.process_tree import children_of

PARALLEL_UPLOADS: Final = 8
"""The number of parallel uploads."""
LOBBY_INTERVAL_SECONDS: Final = 0.1
"""The seconds between two requests of the lobby."""


def _filled(line: Callable[[int], str], head: str = "", maximum: int = MAX_FILE_BYTES) -> str:
    """Return as many of the lines as a file may have."""
    text, size = [head], len(head.encode())
    while (size := size + len(added := line(len(text)))) <= maximum:
        text.append(added)
    return "".join(text)


def _files() -> Iterator[tuple[str, str]]:
    honest = game(GAME).components.text
    city = "[[cities]]" + honest.split("\n[[cities]]", 2)[1] + "\n"
    known = re.search(r'id = "(.*)"', city)
    assert known is not None
    values, sources = honest.split("\n[[provenance]]", 1)
    room = MAX_FILE_BYTES - len(f"\n[[provenance]]{sources}".encode())
    yield "dotted keys, as deep as a line is long", _filled(lambda n: f"k{n}.{'.'.join('a' * 480)} = 1\n")
    yield "dotted keys, as deep as they may be", _filled(lambda n: f"k{n}.a.a.a.a.a.a.a = 1\n")
    yield "unknown keys", _filled(lambda n: f"k{n}=1\n")
    yield "keys in quotes", _filled(lambda n: f"'{n}'=1\n")
    yield "a table again and again", _filled(lambda n: "[[provenance]]\nof='a'\nmark='printed'\n")
    yield (
        "sources of nothing",
        _filled(lambda n: f"[[provenance]]\nof='*.*.{n}'\nmark='printed'\nevidence='x'\n", honest),
    )
    yield "tables of two letters", _filled(lambda n: "[[a]]\n")
    yield "tables with long names", _filled(lambda n: f"[[cities]]\nid='''{'a' * 900}\\\n{'b.' * 450}{n}'''\nname=1\n")
    yield (
        "tables in one list",
        _filled(lambda n: "{id='a',x={y={z=[[1]]}}},\n", "cities=[\n", MAX_FILE_BYTES - 2) + "]\n",
    )
    yield "lists in lists", _filled(lambda n: f"a{n}=[[[[[[[1]]]]]]]\n")
    yield "a list of numbers", _filled(lambda n: "1,\n", "depth=[\n", MAX_FILE_BYTES - 2) + "]\n"
    yield "brackets without end", "depth=" + "[\n" * (MAX_FILE_BYTES // 2 - 10)
    yield "strings without end", "'''\\\n\"\"\"\\" * (MAX_FILE_BYTES // 9)
    yield "escapes", _filled(lambda n: 'x{}="{}"\n'.format(n, "\\n" * 480))
    yield "headers", _filled(lambda n: f"[a.b.c.d.e.f.g{n}]\n")
    cities = _filled(lambda n: city.replace(known[1], f"{known[1]}{n}"), f"{values}\n", room)
    yield "cities that fit", f"{cities}\n[[provenance]]{sources}"
    yield "nothing but lines", "\n" * MAX_FILE_BYTES


FILES: Final = dict(_files())
"""The files of the maximum size, by what is wrong with them."""


class Person:
    """A named person, who may upload."""

    def __init__(self, address: str) -> None:
        self._client = httpx.Client(base_url=address, headers={"Origin": address}, timeout=120)
        seats = {"seat-0": "me", "seat-1": "open", "seat-2": "open"}
        self._post(f"/new/{GAME}", name="Ada", **seats)

    def _post(self, path: str, **fields: str) -> httpx.Response:
        token = re.search(r'name="token" value="([0-9a-f]+)"', self._client.get("/preferences").text)
        assert token is not None
        return self._client.post(path, data={"token": token[1], **fields})

    def upload(self, text: str) -> tuple[float, httpx.Response]:
        """Upload a file; return the seconds until the response, and the response."""
        start = time.perf_counter()
        response = self._post(f"/games/{GAME}/components", text=text)
        return time.perf_counter() - start, response

    def lobby(self) -> float:
        """Return the seconds until the lobby is loaded."""
        start = time.perf_counter()
        assert self._client.get("/").status_code == 200
        return time.perf_counter() - start


def _slowest_lobby(visitor: Person, work: Callable[[], None]) -> float:
    """Return the time of the slowest lobby while `work` runs in a thread."""
    thread = threading.Thread(target=work)
    thread.start()
    slowest = 0.0
    while thread.is_alive():
        slowest = max(slowest, visitor.lobby())
        thread.join(LOBBY_INTERVAL_SECONDS)
    return slowest


def main() -> None:
    """Run the benchmark."""
    with (
        tempfile.TemporaryDirectory() as folder,
        server_process(*SERVE, "--port", "0", "--data", folder) as (process, address),
    ):
        people = [Person(address) for _ in range(PARALLEL_UPLOADS)]
        visitor = Person(address)
        people[0].upload("")  # starts the process that reads files
        times: dict[str, float] = {}
        for name, text in FILES.items():

            def work(name: str = name, text: str = text) -> None:
                times[name], answer = people[0].upload(text)
                print(f"{name}: {times[name]:.2f} s, {answer.status_code}, {len(answer.content):,} bytes", end="; ")

            print(f"the lobby within {1000 * _slowest_lobby(visitor, work):.0f} ms")
        worst = FILES[max(times, key=lambda name: times[name])]

        def crowd() -> None:
            with ThreadPoolExecutor(PARALLEL_UPLOADS) as threads:
                seconds = [elapsed for elapsed, _ in threads.map(lambda person: person.upload(worst), people)]
            print(f"{PARALLEL_UPLOADS} at once: {min(seconds):.2f} to {max(seconds):.2f} s", end="; ")

        print(f"the lobby within {1000 * _slowest_lobby(visitor, crowd):.0f} ms")
        for pid in children_of(process.pid):
            peak = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
            print(f"process {pid}: {int(peak[1]) // 1024 if peak else 0} MB at most")


if __name__ == "__main__":
    main()
