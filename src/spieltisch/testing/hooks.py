"""Checks that a game overrides the methods which its rules need."""

from spieltisch.core.game import Game
from spieltisch.testing.contract import ContractBroken, require


def check_hooks(game: Game) -> None:
    """Check that `features` fits the view, that draws have texts, and that secrets are imagined.

    Raise ContractBroken, which names what is missing.
    """
    try:
        _ = game.observation_spec
        game.start(game.seats.start, seed=1)
    except TypeError as error:
        raise ContractBroken(f"{error}") from error
    require(
        not game.has_hidden_information or type(game).imagine is not Game.imagine,
        f"{game.key}: `imagine` does not draw what a seat cannot know. Override it, or set `has_hidden_information` to "
        "False if there are no secrets",
    )
