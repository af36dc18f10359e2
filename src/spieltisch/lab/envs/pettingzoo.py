"""PettingZoo: a game as an environment with one agent for each seat.

Agents are named `player_0`, `player_1` and so on, by seat.
"""

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from spieltisch.core.options import OptionValue
from spieltisch.core.position import Position
from spieltisch.games import game
from spieltisch.lab.envs import MAX_MOVES, rewards_of, setup_of


def env(key: str, **settings: Any) -> AECEnv:
    """Return the environment of a game with PettingZoo's usual wrappers; `settings` are those of `GameEnv`.

    An action that is not a legal move ends the game, and its agent gets -1. `GameEnv` itself raises an error instead.
    """
    wrapped: AECEnv = wrappers.TerminateIllegalWrapper(GameEnv(key, **settings), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class GameEnv(AECEnv):
    """A game as a PettingZoo environment, in which agents act in turn.

    There are `seats` agents, or as few as can play.

    An observation is `Observation.vector` with the mask of the legal moves, all 0 for agents that are not to move.
    Rewards come at the end: each agent's part of the win, ties decided as in the game. After `max_moves` moves the game
    is truncated, and all share it. Raise OptionError for other seats or options than the game has.
    """

    def __init__(
        self,
        key: str,
        *,
        seats: int | None = None,
        max_moves: int = MAX_MOVES,
        render_mode: str | None = None,
        **options: OptionValue,
    ) -> None:
        super().__init__()
        self.metadata = {
            "name": f"spieltisch_{key.replace('-', '_')}_v0",
            "render_modes": ["html"],
            "is_parallelizable": False,
        }
        self.setup = setup_of(game(key), seats, **options)
        self.max_moves, self.render_mode = max_moves, render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(self.setup.seats)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        spec, moves = self.setup.game.observation_spec, self.setup.game.action_spec.size
        self.observation_spaces = {
            agent: Dict(
                {"observation": Box(spec.low, spec.high, dtype=spec.dtype), "action_mask": Box(0, 1, (moves,), np.int8)}
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(moves) for agent in self.possible_agents}
        self._chance, _ = seeding.np_random()

    def observation_space(self, agent: str) -> Dict:
        """Return the bounds of what an agent sees, the same object at each call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Return the space of the actions of an agent: the numbers of moves."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game. `seed` determines it and the games after it; there are no `options`."""
        if seed is not None:
            self._chance, _ = seeding.np_random(seed)
        self.position = Position.start(self.setup, seed=self._chance.integers(2**63))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = f"player_{self.position.seat}"

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent sees, and the mask of its legal moves."""
        position, seat = self.position, self._seats[agent]
        mask = np.zeros(self.action_spaces[agent].n, np.int8)
        if position.seat == seat and not self._is_over:  # the same moves as the observation's, which imagines the rest
            mask[list(position.legal_moves.numbers)] = 1
        return {"observation": position.observe(seat).vector, "action_mask": mask}

    @property
    def _is_over(self) -> bool:
        return self.position.is_over or self.position.number >= self.max_moves

    def step(self, action: int | None) -> None:
        """Play the move with this number; None for an agent whose game is over.

        Raise UnknownMove or IllegalMove, with nothing played, for any other number.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} must choose a move")
        self.position.play(action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self._is_over:
            self.rewards = dict(zip(self.agents, rewards_of(self.position), strict=True))
            ended = self.terminations if self.position.is_over else self.truncations
            ended.update(dict.fromkeys(self.agents, True))
        else:
            self.agent_selection = f"player_{self.position.seat}"
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Return the boards that the agent to move sees as HTML, in the mode "html"."""
        return self.position._repr_html_() if self.render_mode == "html" else None

    def close(self) -> None:
        """Do nothing: the environment holds nothing open."""
