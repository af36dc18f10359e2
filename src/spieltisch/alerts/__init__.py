"""Telling people that it is their turn: the words, and the ways on which they go out.

`wording.py` says of a table what its person may know; `alert.py` is what goes out; `channels.py` sends it by mail
(`mail.py`), to a browser (`push.py`), to a webhook of somebody's own or of a service (`webhooks.py`). Whatever goes to
an address that people have given goes through `ssrf_guard.py`.
"""
