"""Migrations, one module each."""
