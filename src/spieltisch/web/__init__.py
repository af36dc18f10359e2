"""The web server: pages, boards, server-sent events.

Belongs here: requests, who sends them, and what the pages and streams show. Does not belong here: what is allowed
(`tables`), what outlives a request (`live`), and boards (`drawing`, `games`).
"""
