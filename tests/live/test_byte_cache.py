"""Check that cached values are limited by size and released with time."""

from __future__ import annotations

from spieltisch.live.byte_cache import IDLE_SECONDS, ByteCache


def test_a_replaced_cached_value_counts_with_its_new_size() -> None:
    cache: ByteCache[str, bytearray] = ByteCache(10, len)
    for key in "abc":
        cache.put(key, bytearray(1))
    grown = cache.get("b")
    assert grown is not None
    grown.extend(bytes(8))
    cache.put("d", bytearray(1))
    assert (cache.get("a"), cache.get("c")) == (None, None)
    assert (cache.get("b"), cache.total_bytes, len(cache)) == (bytearray(9), 10, 2)


def test_a_single_cached_value_above_the_limit_is_kept() -> None:
    cache: ByteCache[str, str] = ByteCache(2, len)
    cache.put("a", "1")
    cache.put("b", "12345")
    assert (cache.get("a"), cache.get("b"), cache.total_bytes) == (None, "12345", 5)
    cache.put("b", "1")
    assert cache.total_bytes == 1
    assert cache.pop("b") == "1"
    assert cache.pop("b") is None
    assert (cache.total_bytes, len(cache)) == (0, 0)


def test_cached_values_unused_for_some_minutes_are_released() -> None:
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
