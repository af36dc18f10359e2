"""Signing out a person's other devices, with what their sessions may have made to sign in, to report or to play."""

from collections.abc import Container

from sqlalchemy import Connection, delete, exists, insert, select

from spieltisch.store.errors import SignedOut
from spieltisch.store.notices import ENDED
from spieltisch.store.people import keep_last_access_time, next_access_time
from spieltisch.store.person_rows import owned_by
from spieltisch.store.schema import SESSIONS
from spieltisch.store.sessions import has_session, token_hash
from spieltisch.store.store import Store


async def log_out_others(
    store: Store, person_id: str, token: str, new_token: str, at: float, kept: Container[str] = frozenset()
) -> None:
    """End all sessions of a person; the browser with this token goes on with the new one.

    That begins `at` a time in UTC seconds, or later (`next_access_time`). The old token ends too, so a copy of it is
    worthless. If it was a copied one that did this, the person is told of the new session when they sign in again: it
    began after their code was made. All planned turns end, so that none is played that somebody else has planned. The
    recovery code, passkeys and alert subscriptions end as well, except those `kept`: by id, the code by the time at
    which it was made. Repeating it changes nothing: a browser that has not got the answer can ask again. Raise
    `SignedOut` if neither token has a session, or the new one has another person's.
    """
    old, new = has_session(person_id, token_hash(token)), SESSIONS.c.token_hash == token_hash(new_token)

    def job(connection: Connection) -> None:
        created = next_access_time(connection, person_id, at)
        owner = connection.execute(select(SESSIONS.c.person).where(new)).scalar()
        if owner == person_id:
            return
        if owner is not None or not connection.execute(select(exists().where(old))).scalar():
            raise SignedOut("the session has ended")
        keep_last_access_time(connection, person_id)
        connection.execute(delete(SESSIONS).where(SESSIONS.c.person == person_id))
        row = {"token_hash": token_hash(new_token), "person": person_id, "created": created}
        connection.execute(insert(SESSIONS), row)
        for table in store.hooks.tables:
            if "ends_with_session" in table.info:
                column, own = table.c[table.info["ends_with_session"]], owned_by(table, person_id)
                values = connection.execute(select(column).where(own)).scalars()
                ended = [value for value in values if str(value) not in kept]
                connection.execute(delete(table).where(own, column.in_(ended)))

    await store.write(job, notices=[(ENDED, person_id)])
