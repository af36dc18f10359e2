"""Limits on what one visitor may request of the server.

Friends never reach them; they keep a careless script from disturbing the others.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Final, Self, TypeVar

from spieltisch.tables import MAX_NAME_LENGTH

T = TypeVar("T")


class BadLimit(ValueError):
    """An invalid option that sets numbers, such as `--limit`."""


def read_numbers(kind: type[T], option: str, noun: str, settings: Iterable[str]) -> T:
    """Return an object of a dataclass of whole numbers, with settings such as "total_tables=600".

    Raise `BadLimit`, which names the option, if a setting is invalid.
    """
    known = {field.name: field.default for field in fields(kind)}  # type: ignore[arg-type]  # a dataclass
    values: dict[str, int] = {}
    for setting in settings:
        name, _, number = setting.partition("=")
        if name not in known:
            raise BadLimit(f"{option} {setting}: unknown {noun}; choose from {', '.join(sorted(known))}")
        if not (number.isascii() and number.isdecimal()) or len(number) > 9:
            raise BadLimit(f"{option} {setting}: give a number, such as {name}={known[name]}; 0 is no limit")
        values[name] = int(number)
    return kind(**values)


@dataclass(frozen=True)
class Limits:
    """The limits; 0 means no limit (`away_hours`: people are always asked; `automatic_analyses_per_hour`: none)."""

    requests_per_minute: int = 1200
    """Requests per minute from one address."""
    waiting_requests_per_address: int = 200
    """Requests of one address that wait for others to be answered."""
    connections_per_address: int = 250
    """Open connections from one address."""
    total_connections: int = 4000
    """Open connections in total."""
    streams_per_address: int = 200
    """Open streams to one address (a browser has one, however many tabs are open)."""
    away_hours: int = 24
    """Hours without a person after which their seat in a running game may be given to another one without asking."""
    new_names_per_hour: int = 120
    """New names per hour from one address."""
    seats_per_person: int = 100
    """Seats of one person at unfinished tables."""
    tables_per_host: int = 40
    """Unfinished tables opened by one person."""
    tables_per_address: int = 100
    """Unfinished tables opened from one address."""
    total_tables: int = 2000
    """Unfinished tables in total."""
    new_tables_per_hour: int = 120
    """New tables per hour from one address."""
    waiting_days: int = 7
    """Days for which a table waits for its game to begin, counted from its last event."""
    name_length: int = 40
    """Characters of a name; see `longest_name`."""
    messages_per_minute: int = 30
    """Messages and reactions of one person per minute."""
    message_length: int = 500
    """Characters of a message."""
    messages_per_table: int = 1000
    """Messages of one person at one table."""
    plans_per_table: int = 6
    """Plans of one person at one table for the next turn."""
    plan_pages_per_minute: int = 120
    """Pages of planning for one person per minute."""
    component_files: int = 50
    """Component files stored for one person."""
    component_files_per_address: int = 100
    """Component files stored for the people who uploaded them from one address."""
    uploaded_records: int = 50
    """Games stored for one person from uploaded records."""
    uploaded_records_per_address: int = 100
    """Games stored from records uploaded from one address."""
    alert_subscriptions: int = 8
    """Alert subscriptions of one person."""
    alert_subscriptions_per_address: int = 30
    """Alert subscriptions added from one address."""
    passkeys: int = 12
    """Passkeys of one person."""
    test_alerts_per_hour: int = 12
    """Test messages per hour that one person sends to themselves, and in total from one address."""
    invitations_per_hour: int = 60
    """Invitations per hour that one person sends, and in total from one address."""
    groups_per_person: int = 20
    """Groups of which one person is a member."""
    group_members: int = 60
    """Members of a group."""
    confirmation_mails_per_day: int = 3
    """Mails, or messages to an ntfy server, per day that ask one recipient for confirmation, whoever requests them."""
    confirmation_mails_per_domain: int = 50
    """The same, to all recipients in one domain."""
    analysis_seconds: int = 110
    """Approximate processor seconds, of two processors at a time, for one analysis; a long game gets fewer playouts."""
    automatic_analyses_per_hour: int = 30
    """Games per hour that are analysed when they end, without being asked; 0 for none."""
    form_kilobytes: int = 64
    """Kilobytes of one submitted form."""
    upload_kilobytes: int = 1024
    """Kilobytes of the form with a component file, where characters may take three bytes each."""

    @property
    def longest_name(self) -> int:
        """The maximum length of a name: `name_length`, or `MAX_NAME_LENGTH`, for which the pages are made, if lower."""
        return min(self.name_length or MAX_NAME_LENGTH, MAX_NAME_LENGTH)

    @classmethod
    def read(cls, settings: Iterable[str]) -> Self:
        """Return the limits with settings such as "total_tables=600". Raise `BadLimit` if a setting is invalid.

        >>> Limits.read(["streams_per_address=0", "total_tables=10"]).total_tables
        10
        """
        return read_numbers(cls, "--limit", "limit", settings)


DEFAULT: Final = Limits()
"""The limits of a server without `--limit` options."""
UNLIMITED: Final = Limits(**{field.name: 0 for field in fields(Limits)})
"""Limits that allow everything."""
KILOBYTE: Final = 1024
"""Bytes of a kilobyte."""
DAY: Final = 86_400
"""Seconds of a day."""
