"""Signing out a person's other devices, with what their sessions may have made to sign in, to report or to play."""

from collections.abc import Container

from sqlalchemy import Connection, delete, insert, select

from spieltisch.store.alert_subscriptions import delete_in
from spieltisch.store.errors import SignedOut
from spieltisch.store.people import has_session, on_device_of, token_hash
from spieltisch.store.schema import ALERT_SUBSCRIPTIONS, PASSKEYS, PLANS, RECOVERY_CODES, SESSIONS
from spieltisch.store.store import Store


async def log_out_others(
    store: Store, person_id: str, token: str, new_token: str, kept: Container[str] = frozenset()
) -> None:
    """End all sessions of a person; the browser with this token goes on with the new one.

    The old token ends too, so a copy of it is worthless. All planned turns end, so that none is played that somebody
    else has planned. The recovery code, passkeys and alert subscriptions end as well, except those `kept`: by id, the
    code by the time at which it was made. Repeating it changes nothing: a browser that has not got the answer can ask
    again. Raise `SignedOut` if neither token has a session, or the new one has another person's.
    """
    old, new = has_session(person_id, token_hash(token)), SESSIONS.c.token_hash == token_hash(new_token)

    def job(connection: Connection) -> None:
        owner = connection.execute(select(SESSIONS.c.person).where(new)).scalar()
        if owner == person_id:
            return
        created = connection.execute(select(SESSIONS.c.created).where(old)).scalar()
        if created is None or owner is not None:
            raise SignedOut("the session has ended")
        connection.execute(delete(SESSIONS).where(SESSIONS.c.person == person_id))
        row = {"token_hash": token_hash(new_token), "person": person_id, "created": created}
        connection.execute(insert(SESSIONS), row)
        connection.execute(delete(PLANS).where(on_device_of(PLANS.c.person, person_id)))
        for column in (RECOVERY_CODES.c.made, PASSKEYS.c.id, ALERT_SUBSCRIPTIONS.c.id):
            own = connection.execute(select(column).where(column.table.c.person == person_id)).scalars().all()
            ended = column.in_([each for each in own if str(each) not in kept]) & (column.table.c.person == person_id)
            if column.table is ALERT_SUBSCRIPTIONS:
                delete_in(connection, ended)
            else:
                connection.execute(delete(column.table).where(ended))

    await store.write(job)
