"""Messages for the seat to move: the prompt, the effect of a move on values and points, and the summary of a turn."""

from collections.abc import Sequence

from spieltisch.core.events import GameEvent
from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.words import Message, message, messages
from spieltisch.games.paris_connection.state import Phase


def prompt(observation: Observation) -> Message:
    """Return the request to the seat to move."""
    view, board = observation.view, observation.setup.board
    if view.phase == Phase.BUILDING:
        left = min(board.turn.most_locomotives - view.built, view.depot[view.company])
        return messages(
            "Build {company}: place {count} more locomotive, or stop.",
            "Build {company}: place up to {count} more locomotives, or stop.",
            left,
            company=board.companies[view.company].name,
        )
    return message("Your turn: build track or trade a share.")


def hint(observation: Observation, events: Sequence[GameEvent]) -> Message | None:
    """Return the hint for a move; see `Game.hint`.

    Only a city changes a value, so only cities and trades that change points have a hint.
    """
    before = observation.scores[observation.view.seat]
    assert before is not None  # noqa: S101 - a seat knows its own points
    after = before + _points_gained(events, observation.view.seat)
    changes = _value_changes(observation, events)
    if not changes:
        return message("Your points {before} → {after}.", before=before, after=after) if before != after else None
    ((old_value, value),) = changes.values()
    if before == after:
        return message("Value {value} → {rises}.", value=old_value, rises=value)
    return message(
        "Value {value} → {rises}. Your points {before} → {after}.",
        value=old_value,
        rises=value,
        before=before,
        after=after,
    ).with_short(message("points {before} → {after}", before=before, after=after))


def word_hint(observation: Observation, moves: Sequence[Move]) -> Message | None:
    """Return what a company is worth and how many of its shares the seat holds, before the first locomotive.

    Where only one company can be built, nothing else names it.
    """
    view = observation.view
    companies = {move.args[0] for move in moves if move.kind == "build"}
    if view.phase == Phase.BUILDING or len(companies) != 1 or any(move.kind != "build" for move in moves):
        return None
    (k,) = companies
    if {move.args[0] for move in observation.legal_moves if move.kind == "build"} == companies:
        return message(
            "{company}: value {value}, you hold {count}",
            company=observation.setup.board.companies[k].name,
            value=view.value[k],
            count=view.players[view.viewer].shares[k],
        )
    return messages(
        "Value {value}. You hold {count} share.",
        "Value {value}. You hold {count} shares.",
        view.players[view.viewer].shares[k],
        value=view.value[k],
    ).with_short(
        messages(
            "value {value}, {count} share",
            "value {value}, {count} shares",
            view.players[view.viewer].shares[k],
            value=view.value[k],
        )
    )


def turn_summary(begun: Observation, events: Sequence[GameEvent]) -> list[Message]:
    """Return the values that have risen, and the change of the viewer's own points; see `Game.turn_summary`."""
    summary = [
        message(
            "{company} {before} → {after}.", company=begun.setup.board.companies[k].name, before=old_value, after=value
        )
        for k, (old_value, value) in sorted(_value_changes(begun, events).items())
    ]
    before = begun.scores[begun.seat] if begun.seat is not None else None
    gained = _points_gained(events, begun.seat)
    if before is not None and gained:
        summary.append(message("Your points {before} → {after}.", before=before, after=before + gained))
    return summary


def gains(observation: Observation, events: Sequence[GameEvent]) -> list[Message]:
    """Return the reasons for a move; see `Game.advice_reasons`.

    The reasons are the cities that it opens and the company's shares that the seat holds, then the resulting values and
    points; or the shares and points that a trade changes, in one sentence.
    """
    setup, me = observation.setup, observation.view.players[observation.view.viewer]
    reasons: list[Message] = []
    opened = set[int]()
    for event in events:
        if event.kind == "built city":
            k, city, *_ = event.numbers
            place, company = setup.board.hexes[city].name, setup.board.companies[k].name
            if k in opened:
                reasons.append(message("Also reaches {city}.", city=place))
            elif me.shares[k]:
                reasons.append(
                    messages(
                        "Reaches {city} for {company}; you hold {count} share.",
                        "Reaches {city} for {company}; you hold {count} shares.",
                        me.shares[k],
                        city=place,
                        company=company,
                    )
                )
            else:
                reasons.append(
                    message("Reaches {city} for {company}; you hold no shares.", city=place, company=company)
                )
            opened.add(k)
        elif event.kind == "traded":
            _, k, count, *_ = event.numbers
            return [_trade_text(observation, k, count, _points_gained(events, observation.view.viewer))]
    built = [event.numbers[0] for event in events if event.kind == "built"]
    if not reasons and built:
        reasons.append(_extension_text(observation, built[0], len(built)))
    return [*reasons, *turn_summary(observation, events)]


def result_tip(observation: Observation) -> Message | None:
    """Return what one more share of the most valuable company that had one left would have brought the viewer.

    None for a player with as many shares as the limit or more, and if no share left was worth anything.
    """
    view, setup = observation.view, observation.setup
    held, limit = view.players[view.viewer].held, setup.plain_params.limit
    left = [(view.value[k], -k) for k in range(len(setup.board.companies)) if view.depot[k]]
    value, best = max(left, default=(0, 0))
    if held >= limit or not value:
        return None
    return messages(
        "You held {held} shares; the limit is {limit}. One more {company} share would have brought {count} point.",
        "You held {held} shares; the limit is {limit}. One more {company} share would have brought {count} points.",
        value,
        held=held,
        limit=limit,
        company=setup.board.companies[-best].name,
    )


def _trade_text(observation: Observation, k: int, count: int, points: int) -> Message:
    """Return the change of the shares in the company that a trade takes, and of the points.

    A trade that costs points is made for what the company may still gain, so its locomotives come first.
    """
    before = observation.view.players[observation.view.viewer].shares[k]
    shares = {"company": observation.setup.board.companies[k].name, "before": before, "after": before + count}
    if points > 0:
        return messages(
            "Your {company} shares {before} → {after}: +{count} point.",
            "Your {company} shares {before} → {after}: +{count} points.",
            points,
            **shares,
        )
    if points < 0:
        return messages(
            "Your {company} shares {before} → {after}; locomotives in the depot: {left}. Costs {count} point now.",
            "Your {company} shares {before} → {after}; locomotives in the depot: {left}. Costs {count} points now.",
            -points,
            left=observation.view.depot[k],
            **shares,
        )
    return message("Your {company} shares {before} → {after}.", **shares)


def _extension_text(observation: Observation, k: int, built: int) -> Message:
    """Return a message about a company that is extended but reaches no city: its depot and the viewer's shares."""
    return messages(
        "Extends {company} (your shares: {held}); {count} locomotive left in the depot.",
        "Extends {company} (your shares: {held}); {count} locomotives left in the depot.",
        observation.view.depot[k] - built,
        company=observation.setup.board.companies[k].name,
        held=observation.view.players[observation.view.viewer].shares[k] or message("none"),
    )


def _value_changes(begun: Observation, events: Sequence[GameEvent]) -> dict[int, tuple[int, int]]:
    """Return the companies whose value has risen, with the value before and after."""
    cities = (event.numbers for event in events if event.kind == "built city")
    return {company: (begun.view.value[company], value) for company, _, value, *_ in cities}


def _points_gained(events: Sequence[GameEvent], seat: int | None) -> int:
    return sum(event.numbers[0] for event in events if event.kind == "points" and event.seat == seat)
