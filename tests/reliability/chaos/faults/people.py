"""People come and go, look elsewhere, change their minds; strangers talk, and numbers are handed on."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from tests.loopback.discord.participant import Participant
from tests.reliability.chaos.faults.effect import Again, Effect, Ending, at_once, shows
from tests.reliability.voices import Kind as Line
from tests.reliability.voices import of_kind

if TYPE_CHECKING:
    from tests.reliability.chaos.plan import Happening
    from tests.reliability.guests import Guest
    from tests.reliability.night import Evening

FLAPS_EVERY: Final = 0.5
AWAY: Final = "he was not there"
STRANGER: Final = "Gus"


def flapping(happening: Happening, evening: Evening) -> Ending:
    """In and out, again and again."""
    guest = evening.guests[happening.target]
    consented = guest.consenting

    def flap(place: int) -> None:
        if place % 2:
            guest.participant.join(guest.room, wait=False)
        elif guest.here:
            guest.leave()

    again = Again(flap, FLAPS_EVERY)

    def end() -> Effect:
        times = again.stop()
        if not guest.here:
            guest.arrive()
        _consent_again(guest, consented, evening)
        return Effect(hits=times)

    return end


def leaves(happening: Happening, evening: Evening) -> Ending:
    """Gone for a while; whoever comes back has to consent anew."""
    guest = evening.guests[happening.target]
    consented = guest.consenting
    if not guest.here:
        return at_once(0, AWAY)
    guest.leave()

    def end() -> Effect:
        guest.arrive()
        _consent_again(guest, consented, evening)
        return Effect(hits=1)

    return end


def elsewhere(happening: Happening, evening: Evening) -> Ending:
    """Moved to the other room, and back."""
    guest = evening.guests[happening.target]
    consented, home = guest.consenting, guest.room
    if not guest.here:
        return at_once(0, AWAY)
    guest.consenting = False
    guest.move(evening.rooms[1])

    def end() -> Effect:
        guest.move(home)
        shows(lambda: guest.participant.connected)
        _consent_again(guest, consented, evening)
        return Effect(hits=1)

    return end


def consent_flips(happening: Happening, evening: Evening) -> Ending:
    """He withdraws his consent, and gives it again."""
    guest = evening.guests[happening.target]
    if not (guest.consenting and guest.here):
        return at_once(0, "he had not consented")
    guest.consent(False)

    def end() -> Effect:
        guest.consent()
        return Effect(hits=1)

    return end


def stranger(_: Happening, evening: Evening) -> Ending:
    """Somebody whom nobody asked comes in and talks to him; he is not to be heard."""
    return _talking_stranger(evening)


def stream_reused(happening: Happening, evening: Evening) -> Ending:
    """Somebody who consented goes, and a stranger speaks under his number."""
    guest = evening.guests[happening.target]
    if not guest.here or not guest.participant.connected:
        return at_once(0, AWAY)
    consented, ssrc = guest.consenting, guest.participant.client.ssrc
    guest.leave()
    evening.discord.voice.faults.next_ssrc.append(ssrc)
    gone = _talking_stranger(evening, ssrc)

    def end() -> Effect:
        effect = gone()
        guest.arrive()
        _consent_again(guest, consented, evening)
        return effect

    return end


def second_device(happening: Happening, evening: Evening) -> Ending:
    """He joins from a telephone as well, which takes the place of his computer, and goes back."""
    guest = evening.guests[happening.target]
    if not guest.here:
        return at_once(0, AWAY)
    dial = guest.participant.dial
    evening.discord.ground.run(dial)

    def end() -> Effect:
        evening.discord.ground.run(dial)
        again = shows(lambda: guest.participant.connected)
        return Effect(hits=int(again), why="he did not get in again")

    return end


def _talking_stranger(evening: Evening, ssrc: int = 0) -> Ending:
    member = evening.guild.member(STRANGER)
    visitor = Participant(evening.discord.voice, member)
    visitor.commits = False
    visitor.join(evening.rooms[0])
    said = visitor.say(of_kind(Line.ADDRESS)[0].packets)
    got = visitor.client.ssrc

    def end() -> Effect:
        said.cancel()
        visitor.leave()
        evening.discord.voice.visitors.remove(visitor)
        evening.guild.remove(member)
        wrong = bool(ssrc) and got != ssrc
        return Effect(hits=int(not wrong), why="somebody else was given the number")

    return end


def _consent_again(guest: Guest, consented: bool, evening: Evening) -> None:
    if consented and evening.guild.bot.room == guest.member.room:
        with suppress(AssertionError):
            guest.consent()
