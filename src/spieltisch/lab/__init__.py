"""The laboratory: bots against each other by the thousand, games written down, and how fast it all is.

It uses the kernel, the games and the bots, and nothing of the table on the web.
"""
