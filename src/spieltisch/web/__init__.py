"""The web server: pages, boards, server-sent events."""
