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
    value=lambda seen, move: _knowledge(seen, move) + 1,
    count=lambda seen, move: seen.view.players[seen.view.seat].cubes,
)


def _knowledge(seen: Observation, move: Move) -> int:
    """Return the value of the player's inventor in the field that the move names."""
    inventor, field = move.args[-2:]
    place = seen.setup.plain_params.place_of[inventor]
    return int(seen.view.players[seen.view.seat].knowledge[place][field])


def _completed(seen: Observation, move: Move) -> Name:
    """Return the invention whose rewards are being chosen."""
    name: Name = seen.setup.board.inventions[seen.view.slots[seen.view.slot].card].name
    return name


def _working(seen: Observation, move: Move) -> Name:
    """Return the inventor whose cubes are being placed."""
    view: Any = seen.view
    team = seen.setup.board.teams[view.players[view.seat].team]
    name: Name = seen.setup.board.inventors[team.inventors[view.inventor]].name
    return name


# --- Another action comes first. ---

TEAMS_FIRST = REASONS("S7", sentence("First everybody chooses a team."))
CUBES_FIRST = REASONS("L6", sentence("First place the cubes of the inventor you are sending."))
REWARDS_FIRST = REASONS("L11", sentence("First the rewards for {invention} are chosen."), invention=_completed)
NO_MORE_TURNS = REASONS("L17", sentence("The last age is over: nobody takes another turn."))

# --- Sending an inventor; three reasons for the three modes. ---

NO_CUBE_LEFT = REASONS("S6", sentence("You have no cube left: no inventor can work."))
NO_GENIUS = REASONS("L22", sentence("You have no stroke of genius."))
ALL_EXHAUSTED = REASONS("L6", sentence("All your inventors are exhausted."))
NOT_IN_TEAM = REASONS("L6", sentence("{inventor} is not in your team."))
IS_EXHAUSTED = REASONS("L6", sentence("{inventor} is exhausted."))
NOT_FACE_UP = REASONS("L6", sentence("Not face up: {invention}."))
NOBODY_WORKS = (
    REASONS("L7", sentence("None of your active inventors can place a cube.")),
    REASONS("S9", sentence("None of your active inventors can place two cubes; fewer is none at all.")),
    REASONS("S11", sentence("None of your active inventors can place an additional cube.")),
)
NOBODY_WORKS_ON = (
    REASONS("L7", sentence("{invention}: none of your active inventors can place a cube there.")),
    REASONS(
        "S9", sentence("{invention}: none of your active inventors can place two cubes there; fewer is none at all.")
    ),
    REASONS("S11", sentence("{invention}: none of your active inventors can place an additional cube there.")),
)
WORKS_ON_NOTHING = (
    REASONS("L7", sentence("{inventor} can place a cube on no invention.")),
    REASONS("S9", sentence("{inventor} can place two cubes on no invention; fewer is none at all.")),
    REASONS("S11", sentence("{inventor} can place an additional cube on no invention.")),
)
DOES_NOT_FIT = (
    REASONS("L7", sentence("None of the knowledge of {inventor} fits a free space of {invention}.")),
    REASONS("S9", sentence("{inventor} has no two cubes that fit {invention}; fewer is none at all.")),
    REASONS("S11", sentence("An additional cube of {inventor} finds no free space of {invention}.")),
)

# --- Placing cubes. ---

NOBODY_IS_SENT = REASONS("L6", sentence("You are not sending an inventor."))
NO_SPACE = REASONS("L8", sentence("In one field there are not so many free spaces."))
NO_CUBE_PLACED = REASONS("L7", sentence("At least one cube must be placed."))
NOT_KNOWN = REASONS("L6", sentence("In one field the knowledge of {inventor} is not enough."), inventor=_working)
TOO_MANY = REASONS("S6", sentences("You have only {count} cube left.", "You have only {count} cubes left."))
CUBES_KEPT = REASONS(
    "S6",
    sentences(
        "You have {count} cube left, and it must be placed.", "You have {count} cubes left, and as many must be placed."
    ),
)
NOT_FEWER = REASONS("S9", sentence("These are not fewer cubes than fit."))
NOT_BY_GENIUS = REASONS(
    "L22", sentence("Your strokes of genius do not allow exactly these cubes: at least one must be additional.")
)

# --- Tokens. ---

NO_UPGRADE_TOKEN = REASONS("L19", sentence("You have no upgrade token."))
NO_UPGRADE_FITS = REASONS(
    "L19", sentence("None of your inventors has a value exactly one lower than one of your upgrade tokens.")
)
NOT_YOURS_TO_UPGRADE = REASONS("L19", sentence("{inventor} is not in your team."))
HIGHEST_VALUE = REASONS("L19", sentence("{inventor} has the highest value in {field}."))
NO_SUCH_UPGRADE = REASONS(
    "L19", sentence("To upgrade {inventor} in {field} you need an upgrade token of exactly {value}.")
)
NOTHING_TO_TURN_OVER = REASONS("L20", sentence("You have no token to turn over."))
NO_SUCH_TOKEN = REASONS("L20", sentence("You have no such token ({token})."))
FIELD_NOT_EMPTY = REASONS(
    "L20", sentence("The back of a token is a 1 and goes on an empty field; {inventor} has a value in {field} already.")
)
NO_REFRESH_TOKEN = REASONS("L21", sentence("You have no refresh token."))
NOBODY_TO_REFRESH = REASONS("L21", sentence("All your inventors are active."))

# --- Ready, pass, done. ---

NOBODY_EXHAUSTED = REASONS("L9", sentence("All your inventors are active."))
NO_NEED_TO_PASS = REASONS(
    "S2", sentence("You pass only when none of your inventors is exhausted and none can place a cube without tokens.")
)
NOT_BEFORE_SCORING = REASONS("S1", sentence("Only the last upgrades before the scoring are ended like this."))

# --- Rewards and teams. ---

NOTHING_COMPLETE = REASONS("L10", sentence("No invention has just been completed."))
REWARD_TAKEN = REASONS("L13", sentence("This reward is not there, or somebody has taken it."))
NOT_THE_BEGINNING = REASONS("S7", sentence("Teams are chosen only at the beginning."))
TEAM_TAKEN = REASONS("L1", sentence("Somebody has this team already."))
