"""What lives while a server runs, and knows nothing of the web: tables in play, people, invitations, components, bots.

`live.py` is the whole of it, `Live`. Its parts: `live_tables.py` has the tables in memory and changes them one command
at a time (`deciding.py`: at once, or confirmed first); `people.py` has those who come in, `device_codes.py` the codes
for their other devices, `recovery.py` those to find back by, `invitations.py` the links, `component_library.py` the
games and component files in use. `quotas.py` says how much of this one person, and one address, may have (`limits.py`);
`expiry.py` closes tables that nobody begins; `removal.py` lets a person be forgotten, `person_data.py` does so while
the server runs, and exports what is stored of them; `history.py` has what was. `bot_turns.py` lets bots move, with what
`bot_libraries.py` makes for them, and those too that the host lets in (`outside_bots.py`); they think, and uploaded
files are read, in the processes of `spieltisch.workers`. `records.py` brings finished games in and out.
"""

from spieltisch.live.bot_turns import BotTurns
from spieltisch.live.invitations import Invitation
from spieltisch.live.live import Live
from spieltisch.live.live_tables import LiveTables
from spieltisch.live.people import People
from spieltisch.live.search_compiler import SearchCompiler

__all__ = ["BotTurns", "Invitation", "Live", "LiveTables", "People", "SearchCompiler"]
