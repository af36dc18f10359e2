"""Opening a table: its seats, its options, who may look on."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from spieltisch.bots import BOTS
from spieltisch.core.chance import SCHEME, commitment
from spieltisch.core.components import Components
from spieltisch.core.errors import OptionError
from spieltisch.core.game import Game, Option
from spieltisch.core.position import Position
from spieltisch.core.words import message
from spieltisch.tables import refusals
from spieltisch.tables.bot_characters import pick_name
from spieltisch.tables.events import (
    BotSeated,
    Duplicate,
    Event,
    Opened,
    OptionValue,
    Seated,
    SeatOffer,
    SpectatorPolicy,
    Started,
    WhatIf,
)
from spieltisch.tables.names import Participant, clean_name, hot_seat_id, require_distinct
from spieltisch.tables.refusal_codes import RefusalCode
from spieltisch.tables.refusals import TableRefusal
from spieltisch.tables.table_settings import DEFAULT_SETTINGS, TableSettings


class NewTable(msgspec.Struct, frozen=True):
    """A table to be opened.

    `seats` has a word for each seat: `me` (whoever opens the table; at most once), `here:NAME` (somebody else on the
    same device), `open`, `link`, `bot:NAME`, and `kept` (for a rematch). `options` are the game's, as values or as
    their text in a form; `watch` is `open`, `link` or `off`; `components` the digest of a stored component file, ""
    for the one that comes with the game; `charter` what people have agreed on.
    """

    game: str
    seats: tuple[str, ...]
    options: dict[str, OptionValue] = {}
    watch: str = "open"
    components: str = ""
    charter: TableSettings = DEFAULT_SETTINGS


def open_table(
    plan: NewTable,
    game: Game,
    components: Components[Any],
    host: Participant,
    secret: bytes,
    *,
    rules: str = "",
    kept: Mapping[int, SeatOffer] = MappingProxyType({}),
    study: WhatIf | None = None,
    deal: Duplicate | None = None,
    apart: Collection[str] = (),
    bots: Collection[str] = BOTS,
) -> tuple[Event, ...]:
    """The first events of a table; with all seats taken it starts at once. `kept` says for whom seats are kept, `study`
    what a study goes on from, `deal` what is played at other tables, too, `apart` what bots are not called beside the
    names at this table, `bots` which may sit down.

    Raises `TableRefusal` seats, options, bot, watch, name.
    """
    if len(plan.seats) not in game.seats:
        words = message("This game is for {fewest} to {most} players.", fewest=game.seats[0], most=game.seats[-1])
        raise TableRefusal(RefusalCode.SEATS, words)
    watch = _watch(plan.watch)
    options = parse_options(game, plan.options)
    places: list[SeatOffer] = []
    seated: list[Event] = []
    taken = [
        host.name,
        *apart,
        *(word.removeprefix("here:") for word in plan.seats),
        *(one.name for one in kept.values()),
    ]
    for number, word in enumerate(plan.seats):
        kind, _, what = word.partition(":")
        if kind == "me" and not what and plan.seats.index("me") == number:
            seated.append(Seated(seat=number, person=host.id, name=host.name))
            places.append(SeatOffer("link"))
        elif kind == "here" and what:
            name = clean_name(what)
            require_distinct(name, (host.name, *(one.name for one in seated if isinstance(one, Seated))))
            seated.append(Seated(seat=number, person=hot_seat_id(host.id, number), name=name))
            places.append(SeatOffer("link"))
        elif kind in ("open", "link") and not what:
            places.append(SeatOffer("open" if kind == "open" else "link"))
        elif kind == "kept" and number in kept:
            places.append(kept[number])
        elif kind == "bot":
            taken.append(pick_name(require_bot(what, bots), number, taken))
            seated.append(BotSeated(seat=number, bot=what, name=taken[-1]))
            places.append(SeatOffer("open"))
        else:
            raise TableRefusal(RefusalCode.SEATS, message("“{word}” is no way to fill a seat.", word=word[:40]))
    opened = Opened(
        game=game.key,
        options=options,
        components=components.digest,
        seat_offers=tuple(places),
        commitment=commitment(secret),
        host=host.id,
        spectators=watch,
        rules_version=rules,
        chance_scheme=SCHEME,
        settings=plan.charter,
        what_if=study,
        duplicate=deal,
    )
    try:
        setup = game.setup(len(places), components, **options)
    except OptionError as problem:
        raise TableRefusal(RefusalCode.OPTIONS, message("{problem}", problem=str(problem))) from problem
    events: tuple[Event, ...] = (opened, *seated)
    if len(seated) == len(places):
        state = None if study is None else study.state
        events = (*events, Started(setup_draws=Position.start(setup, secret=secret, state=state).setup_draws))
    return events


def _watch(text: str) -> SpectatorPolicy:
    for known in ("open", "link", "off"):
        if text == known:
            return known
    raise TableRefusal(RefusalCode.WATCH, message("“{word}” is no way to admit spectators.", word=text[:40]))


def parse_options(game: Game, given: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """The game's options with the values given, which may be the text a form sends. Raises `TableRefusal` options."""
    known = {option.name: option for option in game.options}
    for name in given:
        if name not in known:
            raise TableRefusal(RefusalCode.OPTIONS, message("This game has no option “{name}”.", name=name[:40]))
    return {name: _choice(option, given.get(name, option.default)) for name, option in known.items()}


def _choice(option: Option, given: OptionValue) -> OptionValue:
    for value, _ in option.choices:
        if (type(given) is type(value) and given == value) or (isinstance(given, str) and given == str(value)):
            return value
    words = message("“{value}” is no choice for “{option}”.", value=str(given)[:40], option=option.label)
    raise TableRefusal(RefusalCode.OPTIONS, words)


def require_bot(name: str, bots: Collection[str]) -> str:
    """The name of a bot, if it may sit down. Raises `TableRefusal` bot."""
    if name not in bots:
        raise refusals.no_bot()
    return name
