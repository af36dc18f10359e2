"""The laboratory: thousands of games between bots, their records, and benchmarks.

Belongs here: games in large numbers, of bots or of programs that learn, what is counted in them, and the fuzzer. Does
not belong here: how a bot decides (`bots`), and anything about people, tables or the server.
"""
