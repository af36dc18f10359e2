"""The reasons why a move of Legendary Inventors is refused, each with its rule and its sentence."""

from typing import Any

from spieltisch.core.moves import Move
from spieltisch.core.observation import Observation
from spieltisch.core.reasons import Reasons, name_of
from spieltisch.core.words import Name, sentence, sentences

# Inventor and invention, or inventor and field, are the last parts of a move; a token is the first.
REASONS = Reasons(
    inventor=name_of("inventors", -2),
    invention=name_of("inventions", -1),
    field=name_of("fields", -1),
    token=name_of("tokens"),
    value=lambda observation, move: _knowledge(observation, move) + 1,
    count=lambda observation, move: observation.view.players[observation.view.seat].cubes,
)


def _knowledge(observation: Observation, move: Move) -> int:
    """Return the value of the player's inventor in the field that the move names."""
    inventor, field = move.args[-2:]
    place = observation.setup.plain_params.place_of[inventor]
    return int(observation.view.players[observation.view.seat].knowledge[place][field])


def _completed_invention(observation: Observation, move: Move) -> Name:
    """Return the invention whose rewards are being chosen."""
    name: Name = observation.setup.board.inventions[observation.view.slots[observation.view.slot].card].name
    return name


def _working_inventor(observation: Observation, move: Move) -> Name:
    """Return the inventor whose cubes are being placed."""
    view: Any = observation.view
    team = observation.setup.board.teams[view.players[view.seat].team]
    name: Name = observation.setup.board.inventors[team.inventors[view.inventor]].name
    return name


# --- Another action comes first. ---

TEAMS_FIRST = REASONS("S7", sentence("All players must choose a team first."))
CUBES_FIRST = REASONS("L6", sentence("First place the cubes of the inventor you are sending to work."))
REWARDS_FIRST = REASONS(
    "L11", sentence("The rewards for {invention} must be chosen first."), invention=_completed_invention
)
NO_MORE_TURNS = REASONS("L17", sentence("The last age is over; there are no more turns."))

# --- Sending an inventor; three reasons for the three modes. ---

NO_CUBE_LEFT = REASONS("S6", sentence("You have no cubes left, so no inventor can work."))
NO_GENIUS = REASONS("L22", sentence("You have no stroke of genius."))
ALL_EXHAUSTED = REASONS("L6", sentence("All your inventors are exhausted; ready them first."))
NOT_IN_TEAM = REASONS("L6", sentence("{inventor} is not in your team."))
IS_EXHAUSTED = REASONS("L6", sentence("{inventor} is exhausted."))
NOT_FACE_UP = REASONS("L6", sentence("{invention} is not face up."))
NOBODY_WORKS = (
    REASONS("L7", sentence("None of your active inventors can place a cube.")),
    REASONS("S9", sentence("None of your active inventors has room for two cubes.")),
    REASONS("S11", sentence("None of your active inventors can place an additional cube.")),
)
NOBODY_WORKS_ON = (
    REASONS("L7", sentence("{invention}: none of your active inventors can place a cube there.")),
    REASONS("S9", sentence("{invention}: none of your active inventors can place two cubes there.")),
    REASONS("S11", sentence("{invention}: none of your active inventors can place an additional cube there.")),
)
WORKS_ON_NOTHING = (
    REASONS("L7", sentence("{inventor} can’t place a cube on any invention.")),
    REASONS("S9", sentence("{inventor} can’t place two cubes on any invention.")),
    REASONS("S11", sentence("{inventor} can’t place an additional cube on any invention.")),
)
DOES_NOT_FIT = (
    REASONS("L7", sentence("{invention}: no free space fits {inventor}’s knowledge.")),
    REASONS("S9", sentence("{invention}: {inventor} can’t place two cubes there.")),
    REASONS("S11", sentence("{invention}: no free space for an additional cube from {inventor}.")),
)

# --- Placing cubes. ---

NOBODY_IS_SENT = REASONS("L6", sentence("You haven’t sent an inventor to work."))
NO_SPACE = REASONS("L8", sentence("Too many cubes in one field: not enough free spaces."))
NO_CUBE_PLACED = REASONS("L7", sentence("Place at least one cube."))
NOT_KNOWN = REASONS(
    "L6", sentence("Too many cubes in one field: {inventor} doesn’t have enough knowledge."), inventor=_working_inventor
)
TOO_MANY = REASONS("S6", sentences("You have only {count} cube left.", "You have only {count} cubes left."))
CUBES_KEPT = REASONS(
    "S6",
    sentences("You have {count} cube left and must place it.", "You have {count} cubes left and must place them all."),
)
NOT_FEWER = REASONS("S9", sentence("You chose to send with fewer cubes: leave out at least one."))
NOT_BY_GENIUS = REASONS(
    "L22", sentence("Place at least one additional cube, but no more than your strokes of genius allow.")
)

# --- Tokens. ---

NO_UPGRADE_TOKEN = REASONS("L19", sentence("You have no upgrade token."))
NO_UPGRADE_FITS = REASONS(
    "L19", sentence("None of your upgrade tokens is exactly 1 higher than a value of your inventors.")
)
NOT_YOURS_TO_UPGRADE = REASONS("L19", sentence("{inventor} is not in your team."))
HIGHEST_VALUE = REASONS("L19", sentence("{inventor} already has the highest value in {field}."))
NO_SUCH_UPGRADE = REASONS(
    "L19", sentence("To upgrade {inventor} in {field} you need an upgrade token of exactly {value}.")
)
NOTHING_TO_TURN_OVER = REASONS("L20", sentence("You have no token to turn over."))
NO_SUCH_TOKEN = REASONS("L20", sentence("You don’t have this token ({token})."))
FIELD_NOT_EMPTY = REASONS(
    "L20", sentence("{inventor} already has a value in {field}; a turned-over token needs an empty field.")
)
NO_REFRESH_TOKEN = REASONS("L21", sentence("You have no refresh token."))
NOBODY_TO_REFRESH = REASONS("L21", sentence("All your inventors are active."))

# --- Ready, pass, done. ---

NOBODY_EXHAUSTED = REASONS("L9", sentence("All your inventors are active."))
NO_NEED_TO_PASS = REASONS(
    "S2", sentence("You may pass only if none of your inventors is exhausted and none can place a cube without tokens.")
)
NOT_BEFORE_SCORING = REASONS("S1", sentence("This is only possible during the last upgrades before scoring."))

# --- Rewards and teams. ---

NOTHING_COMPLETE = REASONS("L10", sentence("You can’t choose a reward now: no invention is complete."))
REWARD_TAKEN = REASONS("L13", sentence("This reward isn’t offered here or has already been taken."))
NOT_THE_BEGINNING = REASONS("S7", sentence("You can choose a team only at the start."))
TEAM_TAKEN = REASONS("L1", sentence("This team is already taken."))
