"""Spieltisch: board games of the age of invention, at a table on the web and as a fast simulator."""
