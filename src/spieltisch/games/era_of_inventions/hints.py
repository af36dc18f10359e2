"""Hints about moves before they are played, and summaries of turns, both made from events."""

from collections.abc import Iterator, Sequence
from typing import Any

from spieltisch.core.events import GameEvent
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.words import Message, Name, SeatName, message, messages
from spieltisch.games.era_of_inventions.board import Board, Card, FactoryTile
from spieltisch.games.era_of_inventions.changes import Change, change_of
from spieltisch.games.era_of_inventions.goods_text import (
    amount,
    amounts,
    card_label,
    card_name,
    factory_label,
    listed,
    plus,
)
from spieltisch.games.era_of_inventions.moves import (
    DEVELOP_FIELD,
    EXCHANGE_LINE,
    EXCHANGE_TWO,
    SPACE,
    TAKE_STONE,
    kind_of,
    part,
)
from spieltisch.games.era_of_inventions.rules.entry_points import carry_out, list_steps
from spieltisch.games.era_of_inventions.rules.goods import available_from_supply
from spieltisch.games.era_of_inventions.rules.inventing import check_field_free, check_gold_first, check_step_left
from spieltisch.games.era_of_inventions.rules.turns import begin
from spieltisch.games.era_of_inventions.state import (
    BONUS_DISC,
    COIN,
    FIRST_OFFICIAL,
    GOODS,
    INFLUENCE,
    INVENTIONS,
    STONE,
    Action,
    Phase,
)

NOT_NOW = message("not now")
MAX_NAMED_ITEMS = 4
"""The largest number of items that a hint names; of further ones it gives the number."""


def hint(observation: Observation, move: Move, events: Sequence[GameEvent]) -> Message | None:
    """Return the hint for a move; see `Game.hint`."""
    if move.kind in ("place", "use"):
        return _possible_steps_text(observation, move.args[0])
    if move.kind in ("take back", "done", "keep"):
        return None
    return _join_sentences(list(_step(observation, move, events)))


def word_hint(observation: Observation, moves: Sequence[Move]) -> Message | None:
    """Return what one use of a bonus disc may bring and cost, for the first word that the moves share."""
    view, board, c = observation.view, observation.setup.board, observation.setup.plain_params
    verb = moves[0].text.partition(" ")[0]
    if view.phase != Phase.BONUS or len(moves) < sum(move.text.startswith(verb) for move in observation.legal_moves):
        return None
    firsts = sorted({move.args[0] for move in moves if move.args})
    if verb == "build":
        return _one_factory([board.works[factory] for factory in firsts], board)
    if verb == "run":
        goods = _first_names([amounts(board, board.works[n].output) for n in firsts])
        return message("You receive {goods}.", goods=goods).with_short(goods)
    if verb == "buy":
        largest: dict[int, int] = {}
        for store in firsts:
            largest[c.store_good[store]] = max(largest.get(c.store_good[store], 0), view.load[store])
        loads = [amount(board, good, load) for good, load in largest.items()]
        price = amount(board, COIN, c.load_price)
        return message("{cost} for {goods}.", cost=price, goods=_first_names(loads)).with_short(price)
    if verb == "produce":
        return _one_card([board.cards[card] for card in firsts], board)
    if verb == "exchange":
        things = _received_goods(board, [move.number for move in moves])
        hint = message("For: {things}.", things=listed(things))
        return hint.with_short(message("{thing} or other", thing=things[0]) if things[1:] else things[0])
    if verb == "patent":
        step = view.players[view.seat].steps
        coins, points = amount(board, COIN, c.step_price[step]), amount(board, INFLUENCE, c.step_influence[step])
        return message("{cost} for {goods}.", cost=coins, goods=points).with_short(coins)
    cost = amount(board, STONE, min(c.price[move.args[0]][move.args[1]] for move in moves))
    hint = messages("{count} open field: {cost}.", "{count} open fields, from {cost}.", len(moves), cost=cost)
    return hint.with_short(_lowest(cost, len(moves)))


def turn_summary(begun: Observation, events: Sequence[GameEvent]) -> list[Message]:
    """Return the summary of a turn; see `Game.turn_summary`."""
    board, seat = begun.setup.board, begun.view.viewer
    summary = []
    mine = change_of(events, seat)
    if any(mine.paid):
        summary.append(message("Spent: {goods}.", goods=amounts(board, mine.paid)))
    if any(mine.got):
        summary.append(message("Received: {goods}.", goods=amounts(board, mine.got)))
    if mine.row[INFLUENCE]:
        summary.append(_pawn_text(begun, mine.row[INFLUENCE]))
    output = _output(begun, events, seat)
    if output is not None:
        summary.append(message("Your factories now yield {goods}.", goods=amounts(board, output)))
    return [*summary, *_received_by_others(begun, events, seat)]


def gains(begun: Observation, events: Sequence[GameEvent]) -> list[Message]:
    """Return the reasons for a sequence of moves; see `Game.advice_reasons`.

    The reasons are what the seat gains, the most lasting first, the bonus discs that it keeps for later, and then what
    the others gain. What it pays is none.
    """
    board, seat = begun.setup.board, begun.view.viewer
    reasons, mine = list[Message](), change_of(events, seat)
    output = _output(begun, events, seat)
    if output is not None:
        reasons.append(message("Your factories will then yield {goods}.", goods=amounts(board, output)))
    if mine.row[INFLUENCE]:
        reasons.append(_pawn_text(begun, mine.row[INFLUENCE]))
    if any(mine.got):
        reasons.append(message("You receive {goods}.", goods=amounts(board, mine.got)))
    if any(event.kind == "keeps bonus disc" and event.seat == seat for event in events):
        kept = amount(board, BONUS_DISC, begun.view.players[seat].bonus + mine.row[BONUS_DISC])
        reasons.append(message("You keep {goods} for later turns.", goods=kept))
    return [*reasons, *_received_by_others(begun, events, seat)]


def _received_by_others(begun: Observation, events: Sequence[GameEvent], seat: int) -> Iterator[Message]:
    for p in range(begun.setup.seats):
        if p != seat:
            yield from _receipt_texts(begun.setup.board, p, change_of(events, p))


# --- The effects of a step. ---


def _step(observation: Observation, move: Move, events: Sequence[GameEvent]) -> Iterator[Message]:
    board, seat = observation.setup.board, observation.view.seat
    whole = change_of(events, seat)
    mine = whole.step
    if move.kind == "run":
        goods_got = amounts(board, mine.got)
        yield message("You receive {goods}.", goods=goods_got).with_short(goods_got)
    elif move.kind == "buy":
        cost, load = amounts(board, mine.paid), amounts(board, mine.got)
        yield message("{cost} for {goods}.", cost=cost, goods=load).with_short(
            message("{cost} → {goods}", cost=cost, goods=load)
        )
    elif move.kind in ("exchange", "exchange two", "take stone"):
        goods = plus(observation.view.players[seat].goods, whole.row)
        holdings = [count if number > 0 else 0 for count, number in zip(goods, mine.got[:GOODS], strict=True)]
        gained = whole.row[BONUS_DISC]
        discs = observation.view.players[seat].bonus + gained if gained > 0 else 0
        if any(holdings) or discs:
            held = amounts(board, [*holdings, 0, discs])
            yield message("You’ll then have {goods}.", goods=held).with_short(message("then {goods}", goods=held))
    elif move.kind in ("develop", "patent", "patent nothing"):
        paid = amounts(board, mine.paid)
        yield message("Costs {cost}.", cost=paid).with_short(paid)
    if mine.row[INFLUENCE]:
        pawn = _pawn_text(observation, mine.row[INFLUENCE], mine.track)
        is_in_label = move.kind.startswith("produce")  # what a card brings is in its label
        yield pawn if is_in_label else pawn.with_short(message("influence +{count}", count=mine.row[INFLUENCE]))
    output = _output(observation, events, seat)
    if output is not None:
        yields = amounts(board, output)
        yield message("Your factories will then yield {goods}.", goods=yields).with_short(
            message("then {goods}", goods=yields)
        )
    if move.kind in ("produce", "produce counterfeit") and move.args[0] >= FIRST_OFFICIAL:
        yield from [*_received_by_others(observation, events, seat)] or [message("No other player is paid.")]


def _pawn_text(begun: Observation, influence: int, track: Sequence[int] = ()) -> Message:
    """Return the space where the viewer's pawn stops, and what the track gives there."""
    before = begun.view.players[begun.view.viewer].influence
    after = before + influence
    if not any(track):
        return message("Influence {before} → {after}.", before=before, after=after)
    goods = amounts(begun.setup.board, track)
    return message("Influence {before} → {after}, plus {goods}.", before=before, after=after, goods=goods)


def _output(begun: Observation, events: Sequence[GameEvent], seat: int) -> list[int] | None:
    """Return the yield of the seat's factories after it has built others; None if it has built none."""
    built = [event.numbers[0] for event in events if event.kind == "builds" and event.seat == seat]
    row = begun.view.players[seat].output
    for factory in built:
        row = plus(row, begun.setup.board.works[factory].output)
    return row if built else None


def _receipt_texts(board: Board, p: int, change: Change) -> Iterator[Message]:
    if any(change.row):
        yield message("{player} receives {goods}.", player=SeatName(p), goods=amounts(board, change.row))


# --- The possible steps of an action field. ---


def _possible_steps_text(observation: Observation, action: int) -> Message | None:
    """Return the possible steps of the seat in this action, so briefly that a phone has room for it on one line."""
    setup = observation.setup
    s, c = observation.imagine(0).state, setup.plain_params
    if action == Action.YIELD:
        goods = [available_from_supply(s, c, kind, number) for kind, number in enumerate(s.players[s.seat].output)]
        output = amounts(setup.board, goods)
        return message("Your factories yield {goods}.", goods=output).with_short(output)
    begin(s, action)
    if action == Action.BUY:
        return _loads_text(s, c, setup.work)
    steps = _steps(s, c, action)
    if action == Action.BUILD:
        return _factories(setup.board, c, steps)
    if action == Action.PRODUCE:
        return _cards(setup.board, c, steps)
    if action == Action.MARKET:
        return _market(setup.board, steps)
    return _fields_text(setup.board, s, c, steps)


def _steps(s: Any, c: Any, action: int) -> list[int]:
    """Return the numbers of the legal steps of an action."""
    out = [0] * SPACE.size
    return out[: list_steps(s, c, action, out, 0)]


def _factories(board: Board, c: Any, steps: Sequence[int]) -> Message:
    """Return the factories that the seat can pay for, each on its own.

    Paying for one may leave too little for the others.
    """
    names = [board.works[part(number, 0)].name for number in steps]
    if not names:
        return message("You can’t afford any factory now.").with_short(NOT_NOW)
    short = message("{count} affordable", count=len(names))
    if len(names) == 1:
        return message("You can afford {factory}.", factory=names[0]).with_short(short)
    many = message("Affordable: {count} factories (at most {most}).", count=len(names), most=c.most_factories)
    return many.with_short(short)


def _one_factory(factories: Sequence[FactoryTile], board: Board) -> Message:
    """Return the number of factories of which one can be built, and the cheapest."""
    if len(factories) == 1:
        return factory_label(board, factories[0]).with_short(factories[0].name)
    cost = amounts(board, min((factory.cost for factory in factories), key=sum))
    return message("{count} factories, from {cost}.", count=len(factories), cost=cost).with_short(
        message("from {cost}", cost=cost)
    )


def _one_card(cards: Sequence[Card], board: Board) -> Message:
    """Return the number of cards of which one can be produced, and the most influence it may bring."""
    if len(cards) == 1:
        return card_label(board, cards[0]).with_short(_card_count(1))
    most = max(card.gain[INFLUENCE] for card in cards)
    hint = message("{count} cards, up to {gain}.", count=len(cards), gain=amount(board, INFLUENCE, most))
    return hint.with_short(_card_count(len(cards)))


def _card_count(count: int) -> Message:
    return messages("{count} card", "{count} cards", count)


def _lowest(cost: Message | Name, count: int) -> Message | Name:
    """Return the lowest of so many prices in a few words."""
    return message("from {cost}", cost=cost) if count > 1 else cost


def _cards(board: Board, c: Any, steps: Sequence[int]) -> Message:
    """Return the cards that the seat can produce, each on its own."""
    cards = sorted({part(number, 0) for number in steps})
    if not cards:
        return message("You can’t produce any card now.").with_short(NOT_NOW)
    names = [card_name(board.cards[card]) for card in cards]
    if len(names) == 1:
        return message("You can produce {card}.", card=names[0]).with_short(_card_count(1))
    hint = message("Possible: {count} cards (at most {most}).", count=len(names), most=c.most_cards)
    return hint.with_short(_card_count(len(names)))


def _loads_text(s: Any, c: Any, w: Any) -> Message:
    """Return the number of loads that the seat can buy, in a sentence.

    All loads cost the same, so it is enough to buy any of them until no more can be bought.
    """
    while steps := _steps(s, c, Action.BUY):
        carry_out(s, c, w, steps[0])
        s.done_steps += 1
    if not s.done_steps:
        return message("You can’t buy any loads now.").with_short(NOT_NOW)
    hint = messages("You can buy {count} load.", "You can buy up to {count} loads.", s.done_steps)
    return hint.with_short(messages("{count} load", "up to {count} loads", s.done_steps))


def _market(board: Board, steps: Sequence[int]) -> Message:
    """Return whether the seat can exchange goods."""
    if all(kind_of(number) == TAKE_STONE for number in steps):
        return message("You can take a development stone.").with_short(amount(board, STONE, 1))
    return message("Take a development stone, or exchange goods.").with_short(
        message("{stone} or exchange", stone=amount(board, STONE, 1))
    )


def _received_goods(board: Board, steps: Sequence[int]) -> list[Message | Name]:
    """Return what exchanges bring, each thing once."""
    gets = dict.fromkeys(board.exchanges[part(n, 0)].get for n in steps if kind_of(n) == EXCHANGE_LINE)
    texts: list[Message | Name] = [amounts(board, get) for get in gets]
    if any(kind_of(n) == EXCHANGE_TWO for n in steps):
        texts.append(message("another cube or coin"))
    return texts


def _fields_text(board: Board, s: Any, c: Any, steps: Sequence[int]) -> Message | None:
    """Return the number of fields that the seat can develop, the lowest price, and the cost of the next patent.

    Each field counts on its own. It is None if there is nothing to say.
    """
    developable = sum(kind_of(number) == DEVELOP_FIELD for number in steps)
    prices = [
        c.price[invention][k]
        for invention in range(INVENTIONS)
        for k in range(2)
        if check_field_free(s, invention, k) == 0 and check_gold_first(s, invention, k) == 0
    ]
    sentences, short = list[Message](), list[Message | Name]()
    if developable:
        short.append(amount(board, STONE, min(prices)))
        sentences.append(
            messages(
                "{count} field for {cost}.",
                "{count} fields, from {cost}.",
                developable,
                cost=amount(board, STONE, min(prices)),
            )
        )
    elif prices:
        cost = amount(board, STONE, min(prices))
        sentences.append(message("Fields too dear: from {cost}.", cost=cost))
    if check_step_left(s, c) == 0:
        coins = amount(board, COIN, c.step_price[s.players[s.seat].steps])
        if any(kind_of(number) != DEVELOP_FIELD for number in steps):
            short.append(coins)
            sentences.append(message("Patent: {coins}.", coins=coins))
        else:
            sentences.append(message("Patent too dear: {coins}.", coins=coins))
    text = _join_sentences(sentences)
    return text.with_short(_first_names(short) if short else NOT_NOW) if text else None


def _first_names(names: Sequence[Message | Name]) -> Message | Name:
    """Return the first few of the names, separated by slashes because a card's name contains a comma."""
    first = names if len(names) <= MAX_NAMED_ITEMS + 1 else names[:MAX_NAMED_ITEMS]
    text = first[-1]
    for name in reversed(first[:-1]):
        text = message("{one} / {rest}", one=name, rest=text)
    if len(first) < len(names):
        return message("{names} and {count} more", names=text, count=len(names) - len(first))
    return text


def _join_sentences(parts: Sequence[Message]) -> Message | None:
    """Return the sentences one after the other, with their short forms in a list; None if there is none."""
    if not parts:
        return None
    text = parts[-1]
    for sentence in reversed(parts[:-1]):
        text = message("{sentence} {rest}", sentence=sentence, rest=text)
    short = [part.short for part in parts if part.short]
    return text.with_short(listed(short)) if short else text
