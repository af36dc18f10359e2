"""Check that training libraries accept the environments, and that the tutorial's training gives a bot."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import nbformat
import numpy as np
import pytest
import torch
from nbclient import NotebookClient
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecMonitor
from torchrl.envs import GymWrapper
from torchrl.envs.utils import check_env_specs

import spieltisch
from spieltisch.lab.envs import gymnasium as gymnasium_games  # noqa: F401  # registers
from spieltisch.lab.envs.stable_baselines3 import LearnerVecEnv
from spieltisch.vector import VectorEnv

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "self_play"
PAGE = ROOT / "docs" / "tutorials" / "train-rate-play.md"
FENCES = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder with the files of the tutorial page."""
    for _, title, block in FENCES.findall(PAGE.read_text(encoding="utf-8")):
        if title:
            (tmp_path / title).write_text(block, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("mine", "train"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path


def trained(file: Path, rounds: int) -> list[Any]:
    """Train some small rounds; return the tests."""
    train: Any = importlib.import_module("train")
    torch.manual_seed(1)
    train.TESTS, train.EVERY = 6, 1
    stages = (train.Stage(1, 4, 3, 0, (2e-3, 1e-3), 64, 0.01), train.Stage(rounds - 1, 2, 4, 3, (1e-3, 1e-4), 64, 0.0))
    return list(train.train(60, file, stages))


def test_a_few_updates_change_the_network_and_an_interrupted_training_resumes(folder: Path) -> None:
    file = folder / "policy.pt"
    first = trained(file, 2)
    assert [test.games for test in first] == [4, 9]
    weights = torch.load(file)["network"]
    fresh: Any = importlib.import_module("mine").Network().state_dict()
    assert all((weights[name] != fresh[name]).any() for name in fresh)
    assert all(torch.isfinite(weight).all() for weight in weights.values())
    (third,) = trained(file, 3)
    assert third.games == 14
    assert third.seconds > first[-1].seconds
    assert len(torch.load(file)["tests"]) == 3
    train: Any = importlib.import_module("train")
    curve = train.drawn([train.Measured(*row) for row in torch.load(file)["tests"]])
    assert len(re.search(r'<polyline points="([^"]+)"', curve)[1].split()) == 3  # type: ignore[index]  # it has a line


@pytest.mark.parametrize("rounds", [0, 1])
def test_a_training_stopped_by_ctrl_c_ends_without_a_traceback_and_draws_what_it_has(
    folder: Path, rounds: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    train: Any = importlib.import_module("train")

    def stopped(minutes: float) -> list[Any]:
        raise KeyboardInterrupt

    if rounds:
        trained(folder / "policy.pt", rounds)
    monkeypatch.setattr(train, "train", stopped)
    monkeypatch.setattr(sys, "argv", ["train.py"])
    train.main()
    assert "goes on" in capsys.readouterr().out
    assert (folder / "curve.svg").exists() == (folder / "policy.pt").exists() == bool(rounds)


def test_advantages_sum_the_rewards_of_each_seat_until_the_end(folder: Path) -> None:
    """Without decay, the advantage at the first move of a seat is all that the seat gained beyond its expectation."""
    train: Any = importlib.import_module("train")
    torch.manual_seed(2)
    network, train.DECAY = importlib.import_module("mine").Network(), 1
    steps, advantages = train.play(network, VectorEnv(train.setup(3), 2, reward="points"), seed=5)
    gained, rest = np.zeros((2, 3)), iter(advantages.tolist())
    first: dict[tuple[int, int], tuple[float, float]] = {}
    for running, seats, rewards, values, *_ in steps:
        for g, seat, value in zip(running.tolist(), seats.tolist(), values.tolist(), strict=True):
            first.setdefault((g, seat), (next(rest) + value, gained[g, seat]))
        gained[running] += rewards
    assert len(first) == 6
    for (g, seat), (expected, before) in first.items():
        assert expected == pytest.approx(gained[g, seat] - before, abs=1e-3)


def test_the_training_tutorial_shows_the_files_of_its_example() -> None:
    shown = {title: block for _, title, block in FENCES.findall(PAGE.read_text(encoding="utf-8")) if title}
    assert shown == {file.name: file.read_text("utf-8") for file in EXAMPLE.glob("*.py")}


def test_a_trained_checkpoint_is_a_bot_for_the_command_line_and_environments(folder: Path) -> None:
    trained(folder / "policy.pt", 1)
    name = f"{folder / 'mine.py'}:Policy"
    position = spieltisch.game("paris-connection").start(seats=3, seed=4)
    move = spieltisch.bots.choose(name, position.observe(position.seat), 1)
    assert position.why_not(move) is None
    env = VectorEnv("paris-connection", 2, seats=3, bots=(None, name, importlib.import_module("mine").Network().best))
    env.step([env.legal_moves(g)[0] for g in range(2)])
    spieltisch_command = str(Path(sys.executable).with_name("spieltisch"))
    call = [spieltisch_command, "rate", "paris-connection", "mine.py:Policy", "--against", "random-1", "--games", "2"]
    rated = subprocess.run(call, capture_output=True, text=True, check=True)
    assert re.search(r"mine\.py:Policy +\d+, -?\d+ to \d+; 2 games", rated.stdout)


# --- Other libraries. ---


def test_maskable_ppo_learns_on_many_games() -> None:
    envs = VecMonitor(LearnerVecEnv("paris-connection", 8, seats=3, bots="random", max_moves=60))
    model = MaskablePPO("MlpPolicy", envs, n_steps=32, batch_size=64, n_epochs=2, seed=1, device="cpu")
    before = [weight.clone() for weight in model.policy.parameters()]
    model.learn(3 * 8 * 32)
    assert len(model.ep_info_buffer) > 8
    assert any((old != new).any() for old, new in zip(before, model.policy.parameters(), strict=True))
    observations, masks = envs.reset(), np.stack(envs.env_method("action_masks"))
    actions, _ = model.predict(observations, action_masks=masks)
    assert masks[np.arange(8), actions].all()


class SharedLayers(torch.nn.Module):
    """A policy as in CleanRL's scripts: scores of all actions, and a value."""

    def __init__(self, envs: Any) -> None:
        super().__init__()
        self.body = torch.nn.Sequential(torch.nn.Linear(envs.single_observation_space.shape[0], 32), torch.nn.Tanh())
        self.actor, self.critic = torch.nn.Linear(32, envs.single_action_space.n), torch.nn.Linear(32, 1)

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> tuple[torch.distributions.Categorical, torch.Tensor]:
        hidden = self.body(seen)
        scores = self.actor(hidden).masked_fill(~mask, -1e8)
        return torch.distributions.Categorical(logits=scores), self.critic(hidden)[:, 0]


def test_a_cleanrl_style_script_learns_on_many_games() -> None:
    """The script has the loop of CleanRL's `ppo.py` with action masks."""
    torch.manual_seed(1)
    envs = gymnasium.make_vec("spieltisch/ParisConnection-v0", num_envs=8, seats=3, bots="random", max_moves=60)
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    agent = SharedLayers(envs)
    before = [weight.clone() for weight in agent.parameters()]
    optimizer = torch.optim.Adam(agent.parameters(), lr=2.5e-4, eps=1e-5)
    seen, infos = envs.reset(seed=1)
    episodes = 0
    for _ in range(3):
        rollout = []
        for _ in range(32):
            observation, mask = torch.tensor(seen, dtype=torch.float32), torch.tensor(infos["action_mask"]).bool()
            with torch.no_grad():
                chances, value = agent(observation, mask)
                action = chances.sample()
            seen, reward, terminated, truncated, infos = envs.step(action.numpy())
            done = torch.tensor(terminated | truncated)
            rollout.append((observation, mask, action, chances.log_prob(action), torch.tensor(reward), done, value))
            assert mask.gather(1, action[:, None]).all()
            episodes += int(infos["_episode"].sum()) if "_episode" in infos else 0
        observations, masks, actions, logs, rewards, dones, values = map(torch.stack, zip(*rollout, strict=True))
        advantage, following, advantages = torch.zeros(8), values[-1], []
        for t in reversed(range(32)):
            surprise = rewards[t] + 0.99 * following * ~dones[t] - values[t]
            advantage = surprise + 0.99 * 0.95 * advantage * ~dones[t]
            following = values[t]
            advantages.append(advantage)
        wanted = torch.stack(advantages[::-1]).float().flatten()
        for at in torch.randperm(256).split(64):
            chances, value = agent(observations.flatten(0, 1)[at], masks.flatten(0, 1)[at])
            ratio = (chances.log_prob(actions.flatten()[at]) - logs.flatten()[at]).exp()
            gain = torch.minimum(ratio * wanted[at], ratio.clamp(0.8, 1.2) * wanted[at]).mean()
            loss = (value - (wanted + values.flatten())[at]).square().mean() - gain - 0.01 * chances.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    assert episodes
    assert all((old != new).any() and new.isfinite().all() for old, new in zip(before, agent.parameters(), strict=True))


def test_torchrl_accepts_a_game_with_its_action_mask() -> None:
    env = GymWrapper(gymnasium.make("spieltisch/ParisConnection-v0", seats=3, bots="random"))
    assert env.rollout(1)["observation"].shape == (1, 1961)
    check_env_specs(env)


# --- The notebook. ---


def test_the_notebook_of_the_tutorial_runs_and_draws_the_boards() -> None:
    notebook = nbformat.read(ROOT / "examples" / "first_steps.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "outputs are not stored"
    NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    drawn = [
        cell for cell in notebook.cells for output in cell.get("outputs", ()) if "text/html" in output.get("data", {})
    ]
    assert len(drawn) == 2
