"""The account's own line: Discord asks him to connect again, or knows his session no more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.reliability.chaos.faults.effect import Effect, Ending, at_once, shows

if TYPE_CHECKING:
    from tests.reliability.chaos.plan import Happening
    from tests.reliability.night import Evening


def asked_to_reconnect(_: Happening, evening: Evening) -> Ending:
    """Op 7; he comes back to the same session."""
    gateway = evening.discord.gateway
    if not gateway.connected:
        return at_once(0, "he was not connected")

    def logins() -> int:
        return gateway.resumed + len(gateway.identified)

    before = logins()
    gateway.reconnect()
    return lambda: Effect(hits=int(shows(lambda: logins() > before)), why="he did not come back")


def session_invalid(_: Happening, evening: Evening) -> Ending:
    """Op 9; he has to log in anew."""
    gateway = evening.discord.gateway
    if not gateway.connected:
        return at_once(0, "he was not connected")
    before = len(gateway.identified)
    gateway.invalid_session()
    # A client waits for one to five seconds before it does so, as Discord demands.
    return lambda: Effect(
        hits=int(shows(lambda: len(gateway.identified) > before, 8.0)), why="he did not log in anew"
    )
