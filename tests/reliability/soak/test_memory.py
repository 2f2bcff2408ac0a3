"""What somebody holds is counted, whoever gave it; what davey keeps is told from what the loopback does."""

from __future__ import annotations

from tests.reliability.soak import group, memory

MEBIBYTE = 1 << 20


def test_large_and_small_things_are_in_use_as_long_as_somebody_holds_them() -> None:
    before = memory.in_use()
    held: list[object] = [bytes(4 * MEBIBYTE)]
    assert 4 * MEBIBYTE <= memory.in_use() - before < 5 * MEBIBYTE
    held.extend(bytes(64) for _ in range(20_000))
    assert 5.5 * MEBIBYTE <= memory.in_use() - before < 8 * MEBIBYTE
    held.clear()
    assert memory.in_use() - before < MEBIBYTE
    assert memory.resident() > before


def test_a_session_keeps_of_whoever_came_and_went_what_the_loopback_does_not() -> None:
    kept = group.kept(4)
    assert 1_000 < kept.session < 10_000
    assert abs(kept.delivery) < 100
