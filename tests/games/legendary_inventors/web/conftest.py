"""Tests of the game's pages use what all tests of pages use."""

from tests.web.conftest import ada, device, laid, longest, own_server, person, quick_server, server  # noqa: F401 - fixtures
