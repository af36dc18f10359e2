"""Many watchers of one topic in one process: streams held open on plain sockets, and when each state arrived.

`python -m bench.spectators HOST PORT TOPIC MANY LANGUAGES COOKIES` prints "ready" when every watcher has the first
state,
and when its input ends, one line of JSON: for each version the nanoseconds of its arrivals, the most bytes that came at
once, how many streams were lost, the seconds of processor time this took. COOKIES is a JSON list; the watchers after
its last are unknown.
"""

from __future__ import annotations

import json
import selectors
import socket
import sys
import time
from collections import defaultdict

ID, END = b"\nid: ", b"\n\n\r\n"
ROOM = 1 << 20


class Watcher:
    """One stream. `version` is that of the event which is arriving, `last` its last bytes until now."""

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

    def read(self, room: bytearray, many: int) -> list[int]:
        """The versions of which all has come with these bytes. It looks at few of them, not to measure itself."""
        whole = []
        at = room.find(ID, 0, many)
        while at >= 0:
            end = room.find(b"\n", at + 1, many)
            if end < 0:
                raise SystemExit("an event's number came in two pieces")  # it stands among its first hundred bytes
            if self.version:
                whole.append(self.version)
            self.version = int(room[at:end].rpartition(b"@")[2])
            at = room.find(ID, end, many)
        self.last = (self.last + room[max(0, many - len(END)) : many])[-len(END) :]
        if self.version and self.last == END:
            whole.append(self.version)
            self.version = 0
        return whole


def watch(host: str, port: int, topic: str, many: int, languages: list[str], cookies: list[str]) -> None:
    """Hold the streams until the input ends."""
    arrivals: dict[int, list[int]] = defaultdict(list)
    size, lost, room = 0, 0, bytearray(ROOM)
    selector = selectors.DefaultSelector()
    for n in range(many):
        cookie = cookies[n] if n < len(cookies) else ""
        watcher = Watcher(host, port, topic, languages[n % len(languages)], cookie)
        selector.register(watcher.line, selectors.EVENT_READ, watcher)
    selector.register(sys.stdin, selectors.EVENT_READ, None)
    ready: set[Watcher] = set()
    while True:
        for key, _ in selector.select():
            watcher = key.data
            if watcher is None:
                used = time.process_time()
                print(json.dumps({"arrivals": arrivals, "bytes": size, "lost": lost, "seconds": used}), flush=True)
                return
            came = watcher.line.recv_into(room)
            now = time.monotonic_ns()
            if not came:
                lost += 1
                selector.unregister(watcher.line)
                continue
            size = max(size, came)
            for version in watcher.read(room, came):
                arrivals[version].append(now)
                if len(ready) < many:
                    ready.add(watcher)
                    if len(ready) == many:
                        print("ready", flush=True)


if __name__ == "__main__":
    at, number, subject, count, spoken, known = sys.argv[1:]
    watch(at, int(number), subject, int(count), spoken.split(","), json.loads(known))
