"""Alembic environment of the database."""
