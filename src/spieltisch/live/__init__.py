"""State and services of a running server, independent of the web: tables, people, invitations, components and bots.

Belongs here: what a running server holds in memory or does by itself: tables in play, deadlines, bot turns, quotas.
Does not belong here: what a table allows (`tables`), SQL (`store`), requests and pages (`web`).

`live.py` has `Live`, which holds all parts, and `services.py` what they have in common that run by themselves:

- Tables: `loaded_tables.py` has the tables in memory and changes them one command at a time (`player_commands.py`:
  immediately, or after confirmation); `live_tables.py` opens tables and fills seats; `table_loading.py` loads them;
  `timekeeper.py` enforces deadlines and closes tables whose game never begins.
- People: `people.py` has the visitors, `device_codes.py` the codes for their other devices, `recovery_codes.py` and
  `passkeys.py` further ways to sign in, `invitations.py` the links. `person_removal.py` deletes a person;
  `person_data.py` does so while the server runs, and exports what is stored of them. `quotas.py` checks what one person
  and one address may have (`limits.py`).
- Several processes on one database: `leases.py` has the work that one of them does alone.
- Threads: `client_threads.py` and `fair_queue.py` share them between addresses.
- Games: `component_library.py` has the games and component files in use, `records.py` exports and imports finished
  games, `game_history.py` has their results.
- Bots: `bot_turns.py` lets bots move, with the libraries compiled by `search_compiler.py`, including the bots admitted
  by the host (`external_bots.py`). They think, and uploaded files are read, in the processes of `spieltisch.workers`.
"""

from spieltisch.live.bot_turns import BotTurns
from spieltisch.live.live import Live
from spieltisch.live.people import People
from spieltisch.live.search_compiler import SearchCompiler

__all__ = ["BotTurns", "Live", "People", "SearchCompiler"]
