"""The JSON document of a state of Legendary Inventors, in the terms of the game."""

from collections.abc import Mapping
from typing import Any

from spieltisch.core import twin
from spieltisch.core.documents import (
    Codec,
    Context,
    boolean,
    choice,
    conditional,
    deferred,
    field_at,
    items_at,
    list_of,
    mapping,
    named_list,
    number,
    one_based,
    optional,
)
from spieltisch.core.errors import DocumentError
from spieltisch.core.setup import Setup
from spieltisch.games.legendary_inventors import state
from spieltisch.games.legendary_inventors.rules.runs import best_runs
from spieltisch.games.legendary_inventors.state import GONE, NOBODY, OPEN, PATENT, RULES, Phase

ENDINGS = {n: rule for n, rule in RULES.items() if rule in ("L17", "S2")}
SOURCES = ("patents", "runs", "tokens", "goals")
MODES = {state.ALL: "all", state.FEWER: "fewer", state.GENIUS: "genius"}


def form(setup: Setup) -> Codec:
    """Return the codec of a state with these components."""
    board, seats, seat, slot = setup.board, setup.seats, one_based(setup.seats), one_based(state.MAX_OPEN)
    kinds, cards = [token.id for token in board.tokens], [card.id for card in board.inventions]
    members = [[board.inventors[i].id for i in team.inventors] for team in board.teams]
    tokens = named_list(kinds, number(1, 99), sparse=True)
    fields = list_of(number(0, state.MAX_KNOWLEDGE), state.FIELDS)
    placing = mapping(
        how=field_at(choice(MODES), "mode"),
        inventor=field_at(deferred(lambda at: choice(members[at.state.players[at.state.seat].team])), "inventor"),
        slot=slot,
    )
    rewards = mapping(
        slot=slot,
        order=field_at(list_of(seat, state.REWARDED, minimum=1), "queue"),
        chosen=field_at(deferred(lambda at: number(0, sum(p != NOBODY for p in at.state.queue) - 1)), "given"),
    )
    invention = mapping(
        invention=field_at(choice(cards), "card"),
        tokens=list_of(optional(choice(kinds)), state.TOKENS),
        cubes=list_of(list_of(number(0, 9), state.FIELDS), seats),
    )

    def inventor(i: int) -> Codec:
        return mapping(knowledge=field_at(fields, "knowledge", i), exhausted=field_at(boolean(), "exhausted", i))

    inventors = [
        mapping(**{inventor_id: inventor(i) for i, inventor_id in enumerate(ids)}) for ids in (*members, ())
    ]  # index -1: no team
    teams = choice([team.id for team in board.teams])
    player = mapping(
        team=deferred(lambda at: optional(teams) if at.state.phase == Phase.TEAMS else teams),
        inventors=deferred(lambda at: inventors[at.record.team], whole=True),
        tokens=tokens,
        patents=items_at(cards, "whereabouts", lambda p: PATENT + p),
    )
    return mapping(
        *("phase", "seat", "players"),
        phase=choice(Phase),
        seat=conditional(lambda s: s.phase != Phase.OVER, seat),
        age=deferred(lambda at: number(0 if at.state.phase == Phase.TEAMS else 1, state.AGES)),
        leonardo=conditional(lambda s: s.phase != Phase.TEAMS, seat),
        passes_in_a_row=field_at(number(0, seats - 1), "passes"),
        ended_by=conditional(lambda s: s.phase in (Phase.LAST_UPGRADES, Phase.OVER), choice(ENDINGS)),
        placing=conditional(lambda s: s.phase == Phase.PLACING, placing),
        rewards=conditional(lambda s: s.phase == Phase.REWARDS, rewards),
        asked=field_at(
            conditional(lambda s: s.phase == Phase.LAST_UPGRADES, number(0, seats - 1), otherwise=0), "given"
        ),
        inventions=field_at(_in_slots(invention), "slots"),
        gone=items_at(cards, "whereabouts", lambda _: GONE),
        tokens_drawn=field_at(tokens, "drawn"),
        tokens_gone=field_at(tokens, "gone"),
        players=list_of(player, seats),
    )


def _in_slots(invention: Codec) -> Codec:
    """Return the codec of the open inventions, each with the number of its slot."""
    number = one_based(state.MAX_OPEN)

    def write(slots: Any, at: Context) -> list[dict[str, Any]]:
        return [{"slot": k + 1, **invention.write(slot, at)} for k, slot in enumerate(slots) if slot.card != NOBODY]

    def read(items: Any, slots: Any, at: Context) -> Any:
        for i, item in enumerate(at.checked(items, list), 1):
            context = at.inside(i)
            k = number.read(context.checked(item, Mapping).get("slot"), None, context.inside("slot"))
            if slots[k].card != NOBODY:
                raise context.inside("slot").wrong("{} is there twice", k + 1)
            invention.read({name: item[name] for name in item if name != "slot"}, slots[k], context)
        return slots

    return Codec(write, read)


def restore(setup: Setup, document: Mapping[str, Any]) -> Any:
    """Return the plain twin of the state that a position document describes, with all derived fields recomputed.

    Raise DocumentError, which names the field.
    """
    s = twin.new(state.State)
    s.seats = setup.seats
    s.seat = s.leonardo = s.inventor = s.slot = NOBODY
    s.queue[:] = [NOBODY] * state.REWARDED
    for slot in s.slots:
        slot.card, slot.tokens[:] = NOBODY, [NOBODY] * state.TOKENS
    for player in s.players:
        player.team = NOBODY
    setup.document_form.restore(s, document)
    _lay_out(setup, s)
    for p in range(setup.seats):
        _set_derived(setup, s, p)
    _require_consistent_tokens(setup, s)
    if s.phase in (Phase.PLACING, Phase.REWARDS) and s.slots[s.slot].card == NOBODY:
        raise DocumentError(f"{Phase(s.phase).name.lower()}.slot: nothing lies in {s.slot + 1}")
    return s


def _lay_out(setup: Setup, s: Any) -> None:
    """Lay out the open inventions: set their whereabouts and their free spaces."""
    for slot in s.slots:
        if slot.card == NOBODY:
            continue
        card, whereabouts = setup.board.inventions[slot.card], s.whereabouts[slot.card]
        if whereabouts == state.UNSEEN:
            s.whereabouts[slot.card] = OPEN
        elif whereabouts < PATENT or s.phase != Phase.REWARDS:  # during the rewards, a player may have the patent
            raise DocumentError(f"{'gone' if whereabouts == GONE else 'inventions'}: {card.id} is in two places")
        slot.free[:] = [n - sum(cubes[f] for cubes in slot.cubes) for f, n in enumerate(card.spaces)]
        if min(slot.free) < 0:
            raise DocumentError(f"inventions.cubes: more than there are spaces on {card.id}")


def _set_derived(setup: Setup, s: Any, p: int) -> None:
    """Set the fields that follow from a player's patents, tokens and cubes on inventions."""
    c, player = setup.plain_params, s.players[p]
    player.cubes = c.cubes - sum(sum(slot.cubes[p]) for slot in s.slots)
    if player.cubes < 0:
        raise DocumentError(f"players.{p + 1}: more than {c.cubes} cubes")
    for card, whereabouts in enumerate(s.whereabouts):
        if whereabouts == PATENT + p:
            player.printed += c.points_of[card]
            player.numbers[c.number_of[card]] += 1
    wild = player.tokens[c.number] if c.number != NOBODY else 0
    player.runs = best_runs(player.numbers, wild, c.patents_in_run, [0] * (state.MAX_WILD + 1))
    if player.team != NOBODY and any(other.team == player.team for other in s.players[:p]):
        raise DocumentError(f"players.{p + 1}.team: {setup.board.teams[player.team].id} is there twice")


def _require_consistent_tokens(setup: Setup, s: Any) -> None:
    """Raise DocumentError unless every drawn token is on an invention, with a player, or out of the game."""
    for kind, token in enumerate(setup.board.tokens):
        lying = sum(number == kind for slot in s.slots for number in slot.tokens)
        seen = lying + s.gone[kind] + sum(player.tokens[kind] for player in s.players)
        if seen != s.drawn[kind]:
            raise DocumentError(f"tokens_drawn.{token.id}: {s.drawn[kind]} drawn, {seen} to be seen")
        if seen > token.count:
            raise DocumentError(f"tokens_drawn.{token.id}: {seen} drawn, and there are {token.count}")
