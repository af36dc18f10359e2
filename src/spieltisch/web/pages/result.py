"""The result page of a game: the winner, the viewer's rank and margin, the chart, the final account."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from spieltisch.core.observation import Observation
from spieltisch.core.setup import Setup
from spieltisch.core.words import Message, SeatName, Value, message, messages
from spieltisch.live import Live
from spieltisch.live.client_threads import run_in_thread
from spieltisch.live.game_history import LevelRecord
from spieltisch.tables import ScoreHistory, Table
from spieltisch.tables.bot_levels import next_level, suggested_step
from spieltisch.tables.results import GameResult
from spieltisch.web.http.sessions import Visitor
from spieltisch.web.http.stream import END
from spieltisch.web.pages.boards import render_account
from spieltisch.web.pages.chart import score_chart
from spieltisch.web.pages.perspectives import Perspective, topic
from spieltisch.web.pages.renderer import Renderer
from spieltisch.web.pages.topics import TopicState


class PersonalResult(NamedTuple):
    """The meaning of a result for its viewer.

    `step` is the one to offer (see `suggested_step`), `next_level` the level above that of all bots, "" if they differ,
    `surpassed` are the viewer's best points before, None if this game is not their best, and `gap` says from what the
    winner got most more points. `record` is that against bots of this level. `real_game`, of a what-if game, says how
    the game that it continues ended.
    """

    step: int = 0
    next_level: str = ""
    surpassed: int | None = None
    gap: Message | None = None
    record: LevelRecord | None = None
    real_game: Message | None = None


NOTHING_PERSONAL: Final = PersonalResult()


class ResultPages:
    """Renders the live part of the pages of finished games, which changes when a rematch is requested."""

    def __init__(self, live: Live, pages: Renderer) -> None:
        self._live = live
        self._pages = pages

    async def state(self, table: Table, perspective: Perspective, visitor: Visitor, known: int) -> TopicState | None:
        """Return the live part; it is empty, and changes no page, while the game is not over."""
        if table.version <= known:
            return None
        return TopicState(table.version, await self.html(table, perspective, visitor))

    async def html(self, table: Table, perspective: Perspective, visitor: Visitor) -> str:
        """Return the part of the page of a result that is pushed; "" for a table whose game is not over."""
        personal, person, history = NOTHING_PERSONAL, visitor.person_id, self._live.game_history
        if table.status == "finished":
            if person and perspective.seat is not None and (study := table.what_if) is not None:
                real = await history.find_result(person, study.table)
                personal = PersonalResult(real_game=None if real is None else real_result(real, study.seat, person))
            result = await history.find_result(person, table.id) if person and perspective.seat is not None else None
            if person and result is not None and table.setup is not None:
                surpassed = await history.surpassed_best(person, result)
                gap = largest_gap(result, perspective.seat or 0, table.setup) if table.is_revealed else None
                step, above = suggested_step(result, person), next_level(result, person)
                record = await history.record_against(person, result)
                personal = PersonalResult(step, above, surpassed, gap, record)
            await run_in_thread(lambda: table.score_history)  # it replays the game
        return render_result(self._pages, table, perspective, visitor.language, personal)


def render_result(
    pages: Renderer,
    table: Table,
    perspective: Perspective,
    language: str,
    personal: PersonalResult = NOTHING_PERSONAL,
) -> str:
    """Return the live part of the page for a table whose game is over; "" for any other."""
    if table.status != "finished" or table.position is None:
        return ""
    words = pages.words(language, table.game)
    observation = table.position.observe(perspective.seat)
    end, rows = render_account(pages, table.game, table.names, observation, words)
    own = own_rank(perspective, observation, rows)
    bonuses = {row["seat"]: row.get("at_end", 0) for row in rows}
    tip = observation.setup.game.result_tip(observation) if own else None
    return pages.render(
        "result_live.html",
        language,
        table.game,
        table.names,
        table=table,
        perspective=perspective,
        topic=END + topic(table, perspective),
        own=own,
        headline=own or points_sentence(winners(table), observation),
        personal=personal,
        end=end,
        highlights=(
            *(() if own is None or personal.real_game is None else (personal.real_game,)),
            *(
                ()
                if own is None or personal.surpassed is None
                else (personal_best(len(table.seats), personal.surpassed),)
            ),
            *highlights(table.score_history, perspective.seat if own else None, winners(table), bonuses),
            *(() if own is None or personal.gap is None else (personal.gap, *((tip,) if tip else ()))),
        ),
        chart=score_chart(table.score_history, is_large=True),
    )


def winners(table: Table) -> tuple[int, ...]:
    """Return the seats of the winners; empty while the game is in progress, and if it has none."""
    outcome = table.position.outcome if table.status == "finished" and table.position is not None else None
    return () if outcome is None else outcome.winners


def winners_sentence(table: Table, seat: int | None) -> Message:
    """Return one sentence that says who won, for a seat or (None) a spectator."""
    seats = winners(table)
    if not seats:
        return message("The game is over.")
    if seats == (seat,):
        return message("You won!")
    return messages("{player} won.", "{player} won.", len(seats), player=name_list(seats))


def points_sentence(seats: Sequence[int], observation: Observation) -> Message:
    """Return one sentence that says which seats won and with how many points, for spectators."""
    if not seats:
        return message("The game is over.")
    points = observation.scores[seats[0]] or 0
    return messages(
        "{player} won with {count} point.", "{player} won with {count} points.", points, player=name_list(seats)
    )


def personal_best(seats: int, surpassed: int) -> Message:
    """Return the sentence that a game was the viewer's best with so many players, after these points."""
    return messages(
        "Your best result with {count} player so far; before, it was {points}.",
        "Your best result with {count} players so far; before, it was {points}.",
        seats,
        points=surpassed,
    )


def real_result(result: GameResult, seat: int, person: str) -> Message:
    """Return the sentence that says how a seat ended the game that a what-if game continues, to one of its players.

    >>> from spieltisch.tables.results import ResultPlayer
    >>> ada = ResultPlayer("person", "Ada", points=9, place=2, person="a")
    >>> ben = ResultPlayer("bot", "Ben", points=1, place=1)
    >>> result = GameResult("paris-connection", 0.0, (ada, ben), is_rated=True)
    >>> str(real_result(result, 0, "a")), str(real_result(result, 1, "a"))
    ('In the real game you had 9 points: rank 2 of 2.', 'In the real game Ben had 1 point: rank 1 of 2.')
    """
    player = result.players[seat]
    if player.kind == "person" and player.person == person:
        return messages(
            "In the real game you had {count} point: rank {place} of {seats}.",
            "In the real game you had {count} points: rank {place} of {seats}.",
            player.points,
            place=player.place,
            seats=len(result.players),
        )
    return messages(
        "In the real game {name} had {count} point: rank {place} of {seats}.",
        "In the real game {name} had {count} points: rank {place} of {seats}.",
        player.points,
        name=player.name,
        place=player.place,
        seats=len(result.players),
    )


def largest_gap(result: GameResult, seat: int, setup: Setup) -> Message | None:
    """Return the sentence about the source of points that kept a player most behind the winner; None for a winner.

    >>> from spieltisch.games import game
    >>> from spieltisch.tables.results import ResultPlayer
    >>> ada = ResultPlayer("person", "Ada", points=9, place=2, sources=((0, 4), (1, 5)))
    >>> ben = ResultPlayer("person", "Ben", points=12, place=1, sources=((0, 9), (1, 3)))
    >>> result = GameResult("paris-connection", 0.0, (ada, ben), is_rated=True)
    >>> str(largest_gap(result, 0, game("paris-connection").setup(3)))
    'The largest gap to Player 2: Amethyst, 5 points.'
    """
    winner = next((n for n, player in enumerate(result.players) if player.place == 1), seat)
    if result.players[seat].place == 1 or winner == seat:
        return None
    own, best = dict(result.players[seat].sources), dict(result.players[winner].sources)
    gaps = {source: best.get(source, 0) - own.get(source, 0) for source in {*own, *best}}
    for source, gap in sorted(gaps.items(), key=lambda item: (-item[1], item[0])):
        if gap > 0 and (name := setup.game.point_source_name(setup, source)) is not None:
            return messages(
                "The largest gap to {player}: {source}, {count} point.",
                "The largest gap to {player}: {source}, {count} points.",
                gap,
                player=SeatName(winner),
                source=name,
            )
    return None


def highlights(
    history: ScoreHistory | None, seat: int | None, seats: Sequence[int], bonuses: Mapping[int, int]
) -> tuple[Message, ...]:
    """Return the best stage of a `seat` (None: of no one), and when the winner among `seats` took the lead for good.

    `bonuses`, the points that each seat got for the end of the game, count for no stage.

    >>> from spieltisch.tables import Stage
    >>> history = ScoreHistory((0, 0), tuple(Stage(None, points) for points in ((3, 4), (9, 6), (16, 20))))
    >>> [str(said) for said in highlights(history, 0, (1,), {0: 5, 1: 3})]
    ['Your best stage: Round 2, 6 points.', 'Turning point: Round 3. From then on Player 2 led.']
    >>> [str(said) for said in highlights(history, 1, (1,), {0: 5, 1: 3})][1]
    'Turning point: Round 3. From then on you led.'
    >>> highlights(history, None, (1,), {1: 10})
    ()
    """
    if history is None or not history.stages:
        return ()
    names = [stage.name or message("Round {round}", round=n) for n, stage in enumerate(history.stages, 1)]
    points = [history.dealt, *(stage.points for stage in history.stages)]
    points[-1] = tuple(total - bonuses.get(n, 0) for n, total in enumerate(points[-1]))
    sentences: list[Message] = []
    if seat is not None and len(names) > 1:
        gain, best = max((points[n + 1][seat] - points[n][seat], -n) for n in range(len(names)))
        if gain > 0:
            sentences.append(
                messages(
                    "Your best stage: {stage}, {count} point.",
                    "Your best stage: {stage}, {count} points.",
                    gain,
                    stage=names[-best],
                )
            )
    if len(seats) == 1:
        led = [all(row[seats[0]] > other for n, other in enumerate(row) if n != seats[0]) for row in points]
        since = next((n for n in range(len(led), 0, -1) if not led[n - 1]), 0)
        if 1 < since < len(points):
            player, stage = SeatName(seats[0]), names[since - 1]
            sentences.append(
                message("Turning point: {stage}. From then on you led.", stage=stage)
                if seats[0] == seat
                else message("Turning point: {stage}. From then on {player} led.", player=player, stage=stage)
            )
    return tuple(sentences)


def own_rank(perspective: Perspective, observation: Observation, rows: Sequence[Mapping[str, Any]]) -> Message | None:
    """Return the rank and margin of a player after the game, from the `rows` of the account; None for spectators."""
    if perspective.seat is None or perspective.is_shared_page or not observation.is_over:
        return None
    scores = [points or 0 for points in observation.scores]
    places = {row["seat"]: row["place"] for row in rows} or ranks_by_points(scores)
    return rank_sentence(perspective.seat, scores, places)


def ranks_by_points(scores: Sequence[int]) -> dict[int, int]:
    """Return the ranks by seat if points alone decide.

    >>> ranks_by_points([4, 9, 4])
    {0: 2, 1: 1, 2: 2}
    """
    return {seat: 1 + sum(other > points for other in scores) for seat, points in enumerate(scores)}


def rank_sentence(seat: int, scores: Sequence[int], places: Mapping[int, int]) -> Message:
    """Return a seat's rank and its margin: of a winner over the next rank, of others to the winners.

    >>> str(rank_sentence(0, [7, 9, 4], {0: 2, 1: 1, 2: 3})), str(rank_sentence(1, [7, 9, 4], {0: 2, 1: 1, 2: 3}))
    ('Rank 2 of 3, 2 points behind Player 2.', 'You won, 2 points ahead of Player 1!')
    >>> str(rank_sentence(0, [4, 9, 9], {0: 3, 1: 1, 2: 1}))
    'Rank 3 of 3, 5 points behind Player 2 and Player 3.'
    """
    next_place = min(place for other, place in places.items() if other != seat)
    others = [other for other, place in places.items() if other != seat and place == next_place]
    rivals, margin = name_list(others), scores[seat] - scores[others[0]]
    if places[seat] == 1:
        if next_place == 1:
            return message("You won together with {player}!", player=rivals)
        if not margin:
            return messages(
                "You won the tiebreak against {player}!",
                "You won the tiebreak against {player}!",
                len(others),
                player=rivals,
            )
        return messages(
            "You won, {count} point ahead of {player}!",
            "You won, {count} points ahead of {player}!",
            margin,
            player=rivals,
        )
    values: dict[str, Value] = {"place": places[seat], "seats": len(places), "player": rivals}
    if not margin:
        return message("Rank {place} of {seats}, level with {player}.", **values)
    return messages(
        "Rank {place} of {seats}, {count} point behind {player}.",
        "Rank {place} of {seats}, {count} points behind {player}.",
        -margin,
        **values,
    )


def name_list(seats: Sequence[int]) -> Message | SeatName:
    """Return the names of one or more seats as a list for a sentence.

    >>> str(name_list([2, 0, 1]))
    'Player 3, Player 1 and Player 2'
    """
    *rest, last = map(SeatName, seats)
    if not rest:
        return last
    names: Message | SeatName = rest[0]
    for name in rest[1:]:
        names = message("{names}, {name}", names=names, name=name)
    return message("{names} and {name}", names=names, name=last)
