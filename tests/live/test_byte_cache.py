"""Values are kept by their size and released with time."""

from __future__ import annotations

from spieltisch.live.byte_cache import IDLE_SECONDS, ByteCache


def test_a_value_that_grows_while_it_is_used_is_counted_as_it_is() -> None:
    cache: ByteCache[str, bytearray] = ByteCache(10, len)
    for key in "abc":
        cache.put(key, bytearray(1))
    grown = cache.get("b")
    assert grown is not None
    grown.extend(bytes(8))
    cache.put("d", bytearray(1))
    assert (cache.get("a"), cache.get("c")) == (None, None)
    assert (cache.get("b"), cache.total_bytes, len(cache)) == (bytearray(9), 10, 2)


def test_one_value_that_is_too_big_alone_is_kept() -> None:
    cache: ByteCache[str, str] = ByteCache(2, len)
    cache.put("a", "1")
    cache.put("b", "12345")
    assert (cache.get("a"), cache.get("b"), cache.total_bytes) == (None, "12345", 5)
    cache.put("b", "1")
    assert cache.total_bytes == 1
    assert cache.pop("b") == "1"
    assert cache.pop("b") is None
    assert (cache.total_bytes, len(cache)) == (0, 0)


def test_what_nobody_asked_for_in_some_minutes_is_released() -> None:
    now = 0.0
    cache: ByteCache[str, str] = ByteCache(99, len, clock=lambda: now)
    cache.put("a", "1")
    cache.put("b", "22")
    now = IDLE_SECONDS
    assert cache.get("a") == "1"
    assert not cache.release()
    assert len(cache) == 2
    now += 1
    assert cache.release()
    assert (cache.get("b"), cache.get("a"), cache.total_bytes) == (None, "1", 1)
