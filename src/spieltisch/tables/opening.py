"""Opening a table: its seats, its options and its spectators."""

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import msgspec

from spieltisch.bots import BOTS
from spieltisch.core.chance import commitment
from spieltisch.core.components import Components
from spieltisch.core.errors import OptionError
from spieltisch.core.game import Game
from spieltisch.core.options import Option
from spieltisch.core.position import Position
from spieltisch.core.words import message
from spieltisch.tables import events, refusals
from spieltisch.tables.bot_characters import pick_name, style_of
from spieltisch.tables.names import Participant, clean_name, hot_seat_id, require_distinct
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.tables.refusals import TableRefusal
from spieltisch.tables.table_settings import DEFAULT_SETTINGS, TableSettings


class NewTable(msgspec.Struct, frozen=True):
    """A table to open.

    `seats` has an entry for each seat: `me` (the person who opens the table; at most once), `here:NAME` (another player
    on the same device), `open`, `link`, `bot:NAME`, `reserved` (for a rematch) and `guest` (for people who have asked
    for a seat at such a table). `options` are the game's, as values
    or as the text of a form; `watch` is `open`, `link` or `off`; `components` is the digest of a stored component file,
    "" for the one that comes with the game; `charter` holds the settings of the table. `keeps_seats`: see `Opened`.
    """

    game: str
    seats: tuple[str, ...]
    options: dict[str, events.OptionValue] = {}
    watch: str = "open"
    components: str = ""
    charter: TableSettings = DEFAULT_SETTINGS
    keeps_seats: bool = False


def open_table(
    plan: NewTable,
    game: Game,
    components: Components[Any],
    host: Participant,
    secret: bytes,
    *,
    rules: str = "",
    reserved: Mapping[int, events.SeatOffer] = MappingProxyType({}),
    what_if: events.WhatIf | None = None,
    duplicate: events.Duplicate | None = None,
    other_names: Collection[str] = (),
    bots: Collection[str] = BOTS,
    guests: Sequence[Participant] = (),
) -> tuple[events.Event, ...]:
    """Return the first events of a table; if all seats are taken, it starts immediately.

    - `reserved`: the seat offers of the seats that are reserved for people.
    - `what_if`: the position that a what-if game starts from.
    - `duplicate`: the duplicate that the table belongs to, if its deal is also played at other tables.
    - `other_names`: names that bots must not have, in addition to those at this table.
    - `bots`: the bots that may be seated.
    - `guests`: the people who take the seats for guests, in this order.

    Raise `TableRefusal` seats, options, bot, watch, name.
    """
    if len(plan.seats) not in game.seats:
        words = message("This game is for {fewest} to {most} players.", fewest=game.seats[0], most=game.seats[-1])
        raise TableRefusal(RefusalCode.SEATS, words)
    watch = _parse_spectator_policy(plan.watch)
    options = parse_options(game, plan.options)
    offers: list[events.SeatOffer] = []
    seated: list[events.Event] = []
    taken = [
        host.name,
        *other_names,
        *(entry.removeprefix("here:") for entry in plan.seats),
        *(offer.name for offer in reserved.values()),
        *(guest.name for guest in guests),
    ]
    remaining_guests = list(guests)
    for number, entry in enumerate(plan.seats):
        kind, _, argument = entry.partition(":")
        if kind == "me" and not argument and plan.seats.index("me") == number:
            seated.append(events.Seated(seat=number, person=host.id, name=host.name))
            offers.append(events.SeatOffer("link"))
        elif kind == "here" and argument:
            name = clean_name(argument)
            require_distinct(name, (host.name, *(event.name for event in seated if isinstance(event, events.Seated))))
            seated.append(events.Seated(seat=number, person=hot_seat_id(host.id, number), name=name))
            offers.append(events.SeatOffer("link"))
        elif kind == "guest" and remaining_guests:
            guest = remaining_guests.pop(0)
            require_distinct(guest.name, (event.name for event in seated if isinstance(event, events.Seated)))
            seated.append(events.Seated(seat=number, person=guest.id, name=guest.name))
            offers.append(events.SeatOffer("link"))
        elif kind in ("open", "link") and not argument:
            offers.append(events.SeatOffer("open" if kind == "open" else "link"))
        elif kind == "reserved" and number in reserved:
            offers.append(reserved[number])
        elif kind == "bot":
            taken.append(pick_name(require_bot(argument, bots), number, taken))
            seated.append(events.BotSeated(seat=number, bot=argument, name=taken[-1], style=style_of(argument, number)))
            offers.append(events.SeatOffer("open"))
        else:
            raise TableRefusal(RefusalCode.SEATS, message("“{word}” is not a valid seat setting.", word=entry[:40]))
    opened = events.Opened(
        game=game.key,
        options=options,
        components=components.digest,
        seat_offers=tuple(offers),
        commitment=commitment(secret),
        host=host.id,
        spectators=watch,
        rules_version=rules,
        settings=plan.charter,
        what_if=what_if,
        duplicate=duplicate,
        keeps_seats=plan.keeps_seats,
    )
    try:
        setup = game.setup(len(offers), components, **options)
    except OptionError as error:
        raise TableRefusal(RefusalCode.OPTIONS, message("{problem}", problem=str(error))) from error
    first: tuple[events.Event, ...] = (opened, *seated)
    if len(seated) == len(offers):
        state = None if what_if is None else what_if.state
        first = (*first, events.Started(setup_draws=Position.start(setup, secret=secret, state=state).setup_draws))
    return first


def _parse_spectator_policy(text: str) -> events.SpectatorPolicy:
    for known in ("open", "link", "off"):
        if text == known:
            return known
    raise TableRefusal(RefusalCode.WATCH, message("“{word}” is not a valid spectator setting.", word=text[:40]))


def parse_options(game: Game, values: Mapping[str, events.OptionValue]) -> dict[str, events.OptionValue]:
    """Return the game's options with the given values, which may be the text of a form.

    Raise `TableRefusal` options for an unknown option or value.
    """
    options = {option.name: option for option in game.options}
    for name in values:
        if name not in options:
            raise TableRefusal(RefusalCode.OPTIONS, message("This game has no option “{name}”.", name=name[:40]))
    return {name: _parse_option(option, values.get(name, option.default)) for name, option in options.items()}


def _parse_option(option: Option, chosen: events.OptionValue) -> events.OptionValue:
    for value, _ in option.choices:
        if (type(chosen) is type(value) and chosen == value) or (isinstance(chosen, str) and chosen == str(value)):
            return value
    words = message("“{value}” is not a valid choice for “{option}”.", value=str(chosen)[:40], option=option.label)
    raise TableRefusal(RefusalCode.OPTIONS, words)


def require_bot(name: str, bots: Collection[str]) -> str:
    """Return the name of a bot that may be seated. Raise `TableRefusal` bot for any other."""
    if name not in bots:
        raise refusals.no_bot()
    return name
