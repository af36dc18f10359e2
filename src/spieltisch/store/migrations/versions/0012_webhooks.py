"""Where services are asked is kept as the address of a webhook, no longer in Apprise's grammar. What goes to a service
that is not sent to any more is closed, and says so to its owner.
"""

import json
import re
import time
from base64 import b64encode, urlsafe_b64encode
from urllib.parse import parse_qs, quote, unquote, urlsplit

import msgspec
import sqlalchemy as sa
from alembic import op

from spieltisch.core.words import message

revision = "0012"
down_revision = "0011"

PRIORITIES = {"1", "2", "3", "4", "5", "min", "low", "default", "high", "max", "urgent"}


def upgrade() -> None:
    ways = sa.table("ways", *map(sa.column, ("id", "person", "kind", "address", "state", "added", "failed", "reason")))
    outbox = sa.table("outbox", sa.column("way"))
    connection = op.get_bind()
    for way in connection.execute(sa.select(ways).where(ways.c.kind == "service")).all():
        kept = json.loads(way.address)
        try:
            kind, found = _webhooks(kept["service"], kept["address"])
        except ValueError:  # an address that was never whole
            kind, found = "service", []
        this = sa.update(ways).where(ways.c.id == way.id)
        if not found:
            service = "Slack (bot, workflow)" if kept["service"] == "Slack" else kept["service"]
            words = message("{service} is no longer supported. Choose another way.", service=service)
            reason = msgspec.json.encode(words)
            connection.execute(this.values(state="gone", failed=time.time(), reason=reason))
            connection.execute(sa.delete(outbox).where(outbox.c.way == way.id))
            continue
        for number, address in enumerate(found):
            service = {"service": kept["service"]} if kind == "service" else {}
            told = msgspec.json.encode({"address": address, **service})
            if number:
                one_more = {**way._mapping, "id": f"{way.id}-{number}", "kind": kind, "address": told}
                connection.execute(sa.insert(ways).values(one_more))
            else:
                connection.execute(this.values(kind=kind, address=told))


def _webhooks(service: str, address: str) -> tuple[str, list[str]]:
    """The kind and the addresses of what an address in Apprise's grammar leads to; none where nothing is sent now."""
    parts = urlsplit(address.replace("#", "%23"))
    user, _, host = parts.netloc.rpartition("@")
    asked = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    mode = asked.get("mode", "")
    path = [unquote(one) for one in parts.path.split("/") if one]
    targets = [one for one in re.split(r"[\s,]+", asked.get("to", "")) if one]
    native = parts.scheme in ("http", "https")
    if service == "Discord":
        keys = path[2:] if native else [host, *path]
        thread = f"?thread_id={quote(asked['thread'])}" if "thread" in asked else ""
        return "service", [f"https://discord.com/api/webhooks/{keys[0]}/{keys[1]}{thread}"] if len(keys) > 1 else []
    if service == "Slack":
        if host.startswith("xo") or mode.startswith(("w", "t", "b")) or (native and path[0] != "services"):
            return "service", []  # not what Slack calls an incoming webhook
        keys = path[1:] if native else [host, *path]
        site = host if native else "hooks.slack-gov.com" if "gov" in mode else "hooks.slack.com"
        base = f"https://{site}/services/{'/'.join(keys[:3])}"
        channels = [re.sub(r"^(?=\w)", "#", one).removeprefix("+").partition(":")[0] for one in [*keys[3:], *targets]]
        return "service", [f"{base}#{quote(one, safe='')}" for one in channels] or [base]
    if service == "ntfy":
        topics = [*path, *targets]
        cloud = host.lower() == "ntfy.sh" or mode == "cloud" or not topics
        if cloud and host.lower() != "ntfy.sh":
            topics.insert(0, host)
        site = "https://ntfy.sh" if cloud else f"{'https' if parts.scheme == 'ntfys' else 'http'}://{host}"
        query = [f"priority={asked['priority']}"] if asked.get("priority") in PRIORITIES else []
        if user and not cloud:
            query.append(f"auth={_authorization(unquote(user))}")
        return "service", [f"{site}/{quote(topic)}{'?' * bool(query)}{'&'.join(query)}" for topic in topics]
    if parts.scheme in ("json", "jsons"):
        return "webhook", [f"http{parts.scheme.removeprefix('json')}{address[len(parts.scheme) :]}"]
    return "service", []


def _authorization(user: str) -> str:
    """How ntfy takes a name and a password, or a token, behind a question mark."""
    if ":" not in user and user.startswith("tk_"):
        given = f"Bearer {user}"
    else:
        given = f"Basic {b64encode((user if ':' in user else f'{user}:').encode()).decode()}"
    return urlsafe_b64encode(given.encode()).decode().rstrip("=")
