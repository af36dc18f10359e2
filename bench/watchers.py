"""Many watchers of one table in one process: streams held open on plain sockets, and when each state arrived.

`python -m bench.watchers HOST PORT TOPIC MANY LANGUAGES` prints "ready" when every watcher has the first state, and
when its input ends, one line of JSON: for each version the nanoseconds of its arrivals, the bytes of the last event,
how many streams were lost, and the seconds of processor time this took.
"""

from __future__ import annotations

import json
import re
import selectors
import socket
import sys
import time
from collections import defaultdict

STATE = re.compile(rb"^id: \S+@(\d+)$", re.MULTILINE)
ROOM = 1 << 20


class Watcher:
    """One stream. `waiting` holds what has arrived of an event that is not whole yet."""

    def __init__(self, host: str, port: int, topic: str, language: str) -> None:
        self.line = socket.create_connection((host, port))
        lines = (
            f"GET /stream?watch={topic}@0 HTTP/1.1",
            f"Host: {host}:{port}",
            "Accept: text/event-stream",
            f"Accept-Language: {language}",
        )
        self.line.sendall("".join(f"{line}\r\n" for line in (*lines, "")).encode())
        self.line.setblocking(False)
        self.waiting = b""


def watch(host: str, port: int, topic: str, many: int, languages: list[str]) -> None:
    """Hold the streams until the input ends."""
    arrivals: dict[int, list[int]] = defaultdict(list)
    size, room = 0, bytearray(ROOM)
    selector = selectors.DefaultSelector()
    for n in range(many):
        watcher = Watcher(host, port, topic, languages[n % len(languages)])
        selector.register(watcher.line, selectors.EVENT_READ, watcher)
    selector.register(sys.stdin, selectors.EVENT_READ, None)
    ready, lost = set(), 0
    while True:
        for key, _ in selector.select():
            watcher = key.data
            if watcher is None:
                used = time.process_time()
                print(json.dumps({"arrivals": arrivals, "bytes": size, "lost": lost, "seconds": used}), flush=True)
                return
            many_bytes = watcher.line.recv_into(room)
            now = time.monotonic_ns()
            if not many_bytes:
                lost += 1
                selector.unregister(watcher.line)
                continue
            watcher.waiting += room[:many_bytes]
            if not watcher.waiting.endswith(b"\n\n\r\n"):
                continue
            for found in STATE.findall(watcher.waiting):
                arrivals[int(found)].append(now)
                size = len(watcher.waiting)
                if watcher not in ready:
                    ready.add(watcher)
                    if len(ready) == many:
                        print("ready", flush=True)
            watcher.waiting = b""


if __name__ == "__main__":
    at, number, subject, count, spoken = sys.argv[1:]
    watch(at, int(number), subject, int(count), spoken.split(","))
