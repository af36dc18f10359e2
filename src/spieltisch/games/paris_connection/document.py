"""The JSON document of a state of Paris Connection, in the terms of the game."""

from collections.abc import Mapping
from typing import Any

from spieltisch.core import bit_sets, twin
from spieltisch.core.documents import (
    Codec,
    bit_set,
    choice,
    conditional,
    field_at,
    list_of,
    mapping,
    named_list,
    number,
    one_based,
    optional,
)
from spieltisch.core.errors import DocumentError
from spieltisch.core.setup import Setup
from spieltisch.games.paris_connection import rules
from spieltisch.games.paris_connection.rules import network
from spieltisch.games.paris_connection.state import COMPANIES, NOBODY, Phase, State, Work

ENDINGS = {rule: rules.RULES[rule] for rule in (rules.P14, rules.P15, rules.T6)}


def form(setup: Setup) -> Codec:
    """Return the codec of a state with these components."""
    c, companies = setup.plain_params, [company.id for company in setup.board.companies]
    locomotives = named_list(companies, number(maximum=999))
    building = mapping(company=choice(companies), placed=field_at(number(1, c.most_built - 1), "built"))
    player = mapping(portfolio=field_at(locomotives, "shares"), taken=locomotives, given=locomotives, owed=locomotives)
    return mapping(
        phase=choice(Phase),
        seat=optional(one_based(setup.seats)),
        building=conditional(lambda s: s.phase == Phase.BUILDING, building),
        trades_in_a_row=field_at(number(0, c.idle_limit), "idle"),
        ended_by=conditional(lambda s: s.phase == Phase.OVER, choice(ENDINGS)),
        depots=field_at(locomotives, "depot"),
        map=field_at(named_list(companies, bit_set([hexagon.move_name for hexagon in setup.board.hexes])), "net"),
        players=list_of(player, setup.seats),
    )


def restore(setup: Setup, document: Mapping[str, Any]) -> Any:
    """Return the plain twin of the state that a position document describes, with all derived fields recomputed.

    Raise DocumentError, which names the field.
    """
    c, s = setup.plain_params, twin.new(State)
    s.seats, s.company = setup.seats, NOBODY
    setup.document_form.restore(s, document)
    _place_locomotives(setup, s)
    for p, player in enumerate(s.players[: setup.seats]):
        player.held = sum(player.shares)
        dealt = [player.shares[k] - player.taken[k] + player.given[k] for k in range(COMPANIES)]
        if sum(dealt) != c.portfolio or any(n < player.owed[k] for k, n in enumerate(dealt)):
            raise DocumentError(f"players.{p + 1}: no deal and these trades lead to this portfolio")
    for k, company in enumerate(setup.board.companies):
        count = s.depot[k] + bit_sets.count(s.net[k]) + sum(player.shares[k] for player in s.players)
        if count != (box := c.bag + 1):
            raise DocumentError(f"depots.{company.id}: {count} locomotives where the box has {box} besides the marker")
    _require_consistent_end(s, c)
    network.update_paths(s, c, twin.new(Work), NOBODY, NOBODY)
    return s


def _place_locomotives(setup: Setup, s: Any) -> None:
    """Place the locomotives on the map, one after the other."""
    c, networks, s.net = setup.plain_params, s.net, twin.new(State).net
    bit_sets.add(s.full, c.tower)
    for k, lines in enumerate(networks):
        hexes = [setup.board.hexes[h] for h in bit_sets.members(lines)]
        path = f"map.{setup.board.companies[k].id}"
        for hexagon in hexes:
            if bit_sets.has(s.full, hexagon.number):
                raise DocumentError(f"{path}: no room in {hexagon.move_name!r}")
            network.place_locomotive(s, c, k, hexagon.number)
            s.value[k] += c.value[hexagon.number]
        stations = sum(hexagon.kind == "station" for hexagon in hexes)
        if stations == 0 or (stations > 1 and any(c.stations)):
            raise DocumentError(f"{path}: a company stands on one station")


def _require_consistent_end(s: Any, c: Any) -> None:
    """Raise DocumentError if phase, seat and the rule that ends the game contradict each other."""
    rule = 0
    if any(c.ends[h] for net in s.net for h in bit_sets.members(net)):
        rule = rules.P15
    elif rules.depots_left(s) <= 1:
        rule = rules.P14
    elif s.idle == c.idle_limit and not c.goes_on:
        rule = rules.T6
    if rule != s.ended_by:
        over = f"it is over by {rules.RULES[rule]}" if rule else "it is not over"
        raise DocumentError(f"phase: with this map, these depots and trades in a row, {over}")
    if (s.seat == NOBODY) != (s.phase == Phase.OVER):
        raise DocumentError("seat: it does not fit the phase")
