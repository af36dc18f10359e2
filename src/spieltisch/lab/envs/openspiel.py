"""OpenSpiel: games with a chance node for each draw and with information states.

Importing this module registers each installed game, such as `spieltisch_paris_connection`; `pyspiel.load_game` takes
the number of `players` and the options of the game.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import pyspiel

from spieltisch.core.chance import MAX_DRAWS
from spieltisch.core.game import Game
from spieltisch.core.position import Position
from spieltisch.core.setup import Setup
from spieltisch.games import game, game_modules
from spieltisch.lab.envs import MAX_MOVES, rewards_of

PLAYERS = "players"
"""The parameter for the number of seats, as OpenSpiel's own games name it."""


def game_type(rules: Game) -> pyspiel.GameType:
    """Return what OpenSpiel asks about a game before it is set up."""
    hidden = rules.has_hidden_information
    information = pyspiel.GameType.Information
    return pyspiel.GameType(
        short_name=f"spieltisch_{rules.key.replace('-', '_')}",
        long_name=rules.title.en,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information.IMPERFECT_INFORMATION if hidden else information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.CONSTANT_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=rules.seats.stop - 1,
        min_num_players=rules.seats.start,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={PLAYERS: rules.seats.start}
        | {option.name: option.default for option in rules.options},
    )


class SpielGame(pyspiel.Game):
    """A game for OpenSpiel; each has a subclass. Raise OptionError for other players or options than the game has."""

    key: ClassVar[str]

    def __init__(self, parameters: dict[str, Any] | None = None) -> None:
        chosen = dict(parameters or {})
        rules = game(self.key)
        self.setup = rules.setup(chosen.pop(PLAYERS, rules.seats.start), **chosen)
        self.draws = tuple(rules.draw_texts(self.setup))
        """The text of each outcome of chance, by its number."""
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.action_spec.size,
            max_chance_outcomes=len(self.draws),
            num_players=self.setup.seats,
            min_utility=0.0,
            max_utility=1.0,
            utility_sum=1.0,
            max_game_length=MAX_MOVES,
        )
        super().__init__(game_type(rules), info, parameters or {})

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_game, (self.get_type().short_name, self.get_parameters())

    def new_initial_state(self) -> SpielState:
        """Return the state before the draws of the setup."""
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return a bound for the number of draws."""
        return MAX_DRAWS * (MAX_MOVES + 1)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict[str, Any] | None = None
    ) -> SpielObserver:
        """Return an observer: what a player sees now, or with perfect recall all that it has seen."""
        if params:
            raise ValueError(f"observers have no parameters: {params}")
        return SpielObserver(self.setup, iig_obs_type is not None and iig_obs_type.perfect_recall)


class SpielState(pyspiel.State):
    """A state: a position, or the draws so far of a setup or move that is still drawing.

    A copy gets a copy of each attribute that is set here, so these are positions, texts and numbers.
    """

    def __init__(self, spiel_game: SpielGame) -> None:
        super().__init__(spiel_game)
        self.position: Position | None = None
        self._move: int | None = None
        self._drew: tuple[str, ...] = ()
        self._odds: dict[str, float] = {}
        self._advance(spiel_game.setup)

    def _setup(self) -> Setup:
        setup: Setup = self.get_game().setup
        return setup

    def _advance(self, setup: Setup) -> None:
        """Find the next draw of the setup or move; if there is none, play it."""
        position, move, drew = self.position, self._move, self._drew
        if position is None or move is None:
            odds = Position.setup_odds(setup, drew)
        else:
            odds = position.odds(move, drew)
        self._odds = {text: float(share) for text, share in (odds or {}).items()}
        if odds is not None:
            return
        if position is None or move is None:
            self.position = Position.start(setup, seed=0, drew=drew)
        else:
            position.play(move, drew)
        self._move, self._drew = None, ()

    def current_player(self) -> int:
        """Return the seat to move, or OpenSpiel's numbers for chance and for the end."""
        position, player = self.position, pyspiel.PlayerId.CHANCE
        if not self._odds and position is not None:
            player = pyspiel.PlayerId.TERMINAL if self.is_terminal() else position.seat
        return int(player)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """Return a state that the player cannot tell from this one: what it does not know is drawn again.

        `sampler` returns random numbers from 0 to 1. Raise ValueError at a chance node.
        """
        if self._odds or self.position is None:
            raise ValueError("a state is not resampled between its draws")
        state: SpielState = self.clone()
        state.position = self.position.resample(player, int(sampler() * 2**53))
        return state

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.position.legal_moves.numbers) if self.position is not None else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return each possible draw and its probability."""
        codes = self._setup().draw_codes
        return sorted((codes[text], share) for text, share in self._odds.items())

    def _apply_action(self, action: int) -> None:
        game = self.get_game()
        if self._odds:
            self._drew += (game.draws[action],)
        else:
            self._move = action
        self._advance(game.setup)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"draw {self.get_game().draws[action]}"
        return self._setup().move(action).text

    def is_terminal(self) -> bool:
        """Return True if the game is over, or was stopped after `MAX_MOVES` moves."""
        position = self.position
        return position is not None and not self._odds and (position.is_over or position.number >= MAX_MOVES)

    def returns(self) -> list[float]:
        """Return the part of the win of each seat; 0 while the game runs."""
        if self.position is None or not self.is_terminal():
            return [0.0] * self._setup().seats
        return rewards_of(self.position)

    def __str__(self) -> str:
        state = self.position.document()["state"] if self.position is not None else {}
        return json.dumps({"move": self._move, "drew": self._drew, "state": state})


class SpielObserver:
    """The knowledge of a player, as a vector or, with perfect recall, as text alone.

    While a move draws, players know what they knew before it, and the move if they made it or may know it afterwards.
    """

    def __init__(self, setup: Setup, has_perfect_recall: bool) -> None:
        self._has_perfect_recall = has_perfect_recall
        self.tensor = None if has_perfect_recall else np.zeros(setup.game.observation_spec.size, np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a player sees to the tensor; zeros before the setup is complete."""
        if self.tensor is not None:
            position = state.position
            self.tensor[:] = 0 if position is None else position.observe(player).vector

    def string_from(self, state: SpielState, player: int) -> str:
        """Return what a player sees, or has seen, as text."""
        if state.position is None:
            return f"seat {player}, before the setup"
        seen = state.position.observe(player)
        return "\n".join(seen.information) if self._has_perfect_recall else seen.data.hex()


def _restore_game(short_name: str, parameters: dict[str, Any]) -> pyspiel.Game:
    """Return a game that was pickled."""
    return pyspiel.load_game(short_name, parameters)


# A class for each, not a function: OpenSpiel lets go of it when Python has ended already, and a class outlives that.
for _key in game_modules():
    pyspiel.register_game(game_type(game(_key)), type("SpielGame", (SpielGame,), {"key": _key}))
