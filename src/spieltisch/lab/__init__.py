"""The laboratory: thousands of games between bots, their records, and benchmarks.

It uses the kernel, the games and the bots, and nothing of the web server.
"""
