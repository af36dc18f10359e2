"""Many watchers of one topic in one process: streams on plain sockets, and the arrival of each state.

`python -m bench.spectators HOST PORT TOPIC COUNT LANGUAGES COOKIES` prints "ready" when every watcher has the first
state, and at the end of its input one line of JSON: for each version the nanoseconds of its arrivals, the largest
number of bytes that arrived at a time, the number of lost streams, and the processor seconds used. COOKIES is a JSON
list; watchers beyond its end are anonymous.
"""

from __future__ import annotations

import json
import selectors
import socket
import sys
import time
from collections import defaultdict

ID, END = b"\nid: ", b"\n\n\r\n"
"""The start of an event's number, and the end of an event."""
BUFFER_BYTES = 1 << 20
"""The size of the buffer."""


class Watcher:
    """One stream. `version` is that of the event that is arriving, `last` its last bytes so far."""

    def __init__(self, host: str, port: int, topic: str, language: str, cookie: str) -> None:
        self.line = socket.create_connection((host, port))
        lines = (
            f"GET /stream?watch={topic}@0 HTTP/1.1",
            f"Host: {host}:{port}",
            "Accept: text/event-stream",
            f"Accept-Language: {language}",
            *([f"Cookie: {cookie}"] if cookie else []),
        )
        self.line.sendall("".join(f"{line}\r\n" for line in (*lines, "")).encode())
        self.line.setblocking(False)
        self.version, self.last = 0, b""

    def read(self, buffer: bytearray, count: int) -> list[int]:
        """Return the versions that these bytes complete. It inspects few of them, to keep its own cost low."""
        versions = []
        at = buffer.find(ID, 0, count)
        while at >= 0:
            end = buffer.find(b"\n", at + 1, count)
            if end < 0:
                raise SystemExit("an event's number came in two pieces")  # it is in the first hundred bytes
            if self.version:
                versions.append(self.version)
            self.version = int(buffer[at:end].rpartition(b"@")[2])
            at = buffer.find(ID, end, count)
        self.last = (self.last + buffer[max(0, count - len(END)) : count])[-len(END) :]
        if self.version and self.last == END:
            versions.append(self.version)
            self.version = 0
        return versions


def watch(host: str, port: int, topic: str, count: int, languages: list[str], cookies: list[str]) -> None:
    """Hold the streams until the input ends."""
    arrivals: dict[int, list[int]] = defaultdict(list)
    size, lost, buffer = 0, 0, bytearray(BUFFER_BYTES)
    selector = selectors.DefaultSelector()
    for n in range(count):
        cookie = cookies[n] if n < len(cookies) else ""
        watcher = Watcher(host, port, topic, languages[n % len(languages)], cookie)
        selector.register(watcher.line, selectors.EVENT_READ, watcher)
    selector.register(sys.stdin, selectors.EVENT_READ, None)
    ready: set[Watcher] = set()
    while True:
        for key, _ in selector.select():
            watcher = key.data
            if watcher is None:
                processor_seconds = time.process_time()
                print(
                    json.dumps({"arrivals": arrivals, "bytes": size, "lost": lost, "seconds": processor_seconds}),
                    flush=True,
                )
                return
            received = watcher.line.recv_into(buffer)
            now = time.monotonic_ns()
            if not received:
                lost += 1
                selector.unregister(watcher.line)
                continue
            size = max(size, received)
            for version in watcher.read(buffer, received):
                arrivals[version].append(now)
                if len(ready) < count:
                    ready.add(watcher)
                    if len(ready) == count:
                        print("ready", flush=True)


if __name__ == "__main__":
    at, number, subject, count, spoken, known = sys.argv[1:]
    watch(at, int(number), subject, int(count), spoken.split(","), json.loads(known))
