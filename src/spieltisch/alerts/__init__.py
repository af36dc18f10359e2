"""Turn alerts: their texts, and the channels that deliver them.

Belongs here: what an alert says, how it is sent, and which addresses it may not be sent to. Does not belong here: when
an alert is due and for whom (`store`, `live`), and the pages to choose alerts on (`web`).

`texts.py` describes a table as its person may know it; `alert.py` is the message; `channels.py` sends it by mail
(`mail.py`), to a browser (`push.py`), or to a webhook of the person's own or of a service (`webhooks.py`). All requests
to addresses that people entered go through `ssrf_guard.py`.
"""
