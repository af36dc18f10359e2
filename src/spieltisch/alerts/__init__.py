"""Turn alerts: their texts, and the channels that deliver them.

`texts.py` describes a table as its person may know it; `alert.py` is the message; `channels.py` sends it by mail
(`mail.py`), to a browser (`push.py`), or to a webhook of the person's own or of a service (`webhooks.py`). All requests
to addresses that people entered go through `ssrf_guard.py`.
"""
