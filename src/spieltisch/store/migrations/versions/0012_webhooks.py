"""Store services as webhook URLs instead of Apprise's grammar.

Subscriptions to services that are no longer supported are closed, with a reason for their owner.
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
    """Convert the addresses of all services."""
    subscriptions = sa.table(
        "ways", *map(sa.column, ("id", "person", "kind", "address", "state", "added", "failed", "reason"))
    )
    outbox = sa.table("outbox", sa.column("way"))
    connection = op.get_bind()
    for subscription in connection.execute(sa.select(subscriptions).where(subscriptions.c.kind == "service")).all():
        earlier = json.loads(subscription.address)
        try:
            kind, urls = _webhooks(earlier["service"], earlier["address"])
        except ValueError:  # an incomplete address
            kind, urls = "service", []
        statement = sa.update(subscriptions).where(subscriptions.c.id == subscription.id)
        if not urls:
            service = "Slack (bot, workflow)" if earlier["service"] == "Slack" else earlier["service"]
            text = message("{service} is no longer supported. Choose another way.", service=service)
            reason = msgspec.json.encode(text)
            connection.execute(statement.values(state="gone", failed=time.time(), reason=reason))
            connection.execute(sa.delete(outbox).where(outbox.c.way == subscription.id))
            continue
        for number, address in enumerate(urls):
            service = {"service": earlier["service"]} if kind == "service" else {}
            new_address = msgspec.json.encode({"address": address, **service})
            if number:
                row = {
                    **subscription._mapping,
                    "id": f"{subscription.id}-{number}",
                    "kind": kind,
                    "address": new_address,
                }
                connection.execute(sa.insert(subscriptions).values(row))
            else:
                connection.execute(statement.values(kind=kind, address=new_address))


def _webhooks(service: str, address: str) -> tuple[str, list[str]]:
    """Return the kind and the URLs of an address in Apprise's grammar; none if the service is no longer supported."""
    parts = urlsplit(address.replace("#", "%23"))
    user, _, host = parts.netloc.rpartition("@")
    query_values = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    mode = query_values.get("mode", "")
    path = [unquote(part) for part in parts.path.split("/") if part]
    targets = [part for part in re.split(r"[\s,]+", query_values.get("to", "")) if part]
    native = parts.scheme in ("http", "https")
    if service == "Discord":
        keys = path[2:] if native else [host, *path]
        thread = f"?thread_id={quote(query_values['thread'])}" if "thread" in query_values else ""
        return "service", [f"https://discord.com/api/webhooks/{keys[0]}/{keys[1]}{thread}"] if len(keys) > 1 else []
    if service == "Slack":
        if host.startswith("xo") or mode.startswith(("w", "t", "b")) or (native and path[0] != "services"):
            return "service", []  # not what Slack calls an incoming webhook
        keys = path[1:] if native else [host, *path]
        site = host if native else "hooks.slack-gov.com" if "gov" in mode else "hooks.slack.com"
        base = f"https://{site}/services/{'/'.join(keys[:3])}"
        channels = [re.sub(r"^(?=\w)", "#", part).removeprefix("+").partition(":")[0] for part in [*keys[3:], *targets]]
        return "service", [f"{base}#{quote(part, safe='')}" for part in channels] or [base]
    if service == "ntfy":
        topics = [*path, *targets]
        cloud = host.lower() == "ntfy.sh" or mode == "cloud" or not topics
        if cloud and host.lower() != "ntfy.sh":
            topics.insert(0, host)
        site = "https://ntfy.sh" if cloud else f"{'https' if parts.scheme == 'ntfys' else 'http'}://{host}"
        query = [f"priority={query_values['priority']}"] if query_values.get("priority") in PRIORITIES else []
        if user and not cloud:
            query.append(f"auth={_authorization(unquote(user))}")
        return "service", [f"{site}/{quote(topic)}{'?' * bool(query)}{'&'.join(query)}" for topic in topics]
    if parts.scheme in ("json", "jsons"):
        return "webhook", [f"http{parts.scheme.removeprefix('json')}{address[len(parts.scheme) :]}"]
    return "service", []


def _authorization(user: str) -> str:
    """Return the query value by which ntfy takes a name and a password, or a token."""
    if ":" not in user and user.startswith("tk_"):
        header = f"Bearer {user}"
    else:
        header = f"Basic {b64encode((user if ':' in user else f'{user}:').encode()).decode()}"
    return urlsafe_b64encode(header.encode()).decode().rstrip("=")
