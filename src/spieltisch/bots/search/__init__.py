"""Search: bots that look ahead, from one source for all games."""
