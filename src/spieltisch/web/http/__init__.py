"""Requests and responses: who asks, what they may send, how often, and what every response carries."""
