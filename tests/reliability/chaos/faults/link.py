"""The call itself: the voice server moves, refuses, closes; he is put out, moved, or no longer answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.reliability.chaos.faults.effect import Effect, Ending, at_once, shows
from tests.reliability.chaos.faults.recall import consent_anew, in_voice, recalled
from tests.reliability.chaos.faults.stirring import set_talking

if TYPE_CHECKING:
    from tests.reliability.chaos.plan import Happening
    from tests.reliability.night import Evening

NOT_THERE: Final = "he was in no call"
HEARTBEAT: Final = 3
TOLD_AFTERWARDS: Final = frozenset((4014, 4022))
"""With these codes Discord says where to go next, or that there is nowhere to go."""


def server_moves(_: Happening, evening: Evening) -> Ending:
    """Twice: at once, and again at its end."""
    if not in_voice(evening):
        return at_once(0, NOT_THERE)
    set_talking(evening)
    moves = [_moved(evening)]

    def end() -> Effect:
        if evening.guild.bot.voice:
            moves.append(_moved(evening))
        endpoint = evening.discord.voice.endpoints[-1]
        return Effect(hits=len(moves) * shows(lambda: endpoint.attempts > 0), why="he did not follow")

    return end


def resume_refused(_: Happening, evening: Evening) -> Ending:
    """His line breaks, and the session is over when he comes back to it."""
    if not in_voice(evening):
        return at_once(0, NOT_THERE)
    refusals = evening.discord.voice.faults.refuse_resume
    refusals.append(4006)
    evening.discord.voice.abort(evening.bot)

    def end() -> Effect:
        hit = shows(lambda: not refusals)
        refusals.clear()
        return Effect(hits=int(hit), why="he did not try to resume")

    return end


def closed(happening: Happening, evening: Evening) -> Ending:
    """With one of the codes that Discord has for it."""
    if not in_voice(evening):
        return at_once(0, NOT_THERE)
    code = int(happening.target)
    record = evening.discord.voice.record(evening.bot)
    evening.discord.voice.drop(evening.bot, code)
    if code in TOLD_AFTERWARDS and evening.guild.bot.voice:
        evening.guild.bot.new_server()

    def end() -> Effect:
        again = shows(lambda: in_voice(evening))
        return Effect(hits=1, why="") if again or record.closed else Effect(hits=0, why="nobody closed it")

    return end


def kicked(_: Happening, evening: Evening) -> Ending:
    """Put out by a moderator; in the end an operator has him come again."""
    if evening.guild.bot.voice is None:
        return at_once(0, NOT_THERE)
    evening.guild.bot.kick()

    def end() -> Effect:
        gone = shows(lambda: not in_voice(evening))
        recalled(evening)
        return Effect(hits=int(gone), why="he stayed all the same")

    return end


def moved(_: Happening, evening: Evening) -> Ending:
    """Into another room, and back; whoever consented does so anew, as he asks them to."""
    if evening.guild.bot.voice is None:
        return at_once(0, NOT_THERE)
    evening.guild.bot.move(evening.rooms[1])

    def end() -> Effect:
        followed = shows(lambda: in_voice(evening) and evening.guild.bot.room == evening.rooms[1].id)
        if evening.guild.bot.voice is None:
            recalled(evening)
            return Effect(hits=1)
        evening.guild.bot.move(evening.rooms[0])
        shows(lambda: in_voice(evening))
        consent_anew(evening)
        return Effect(hits=int(followed), why="he did not follow")

    return end


def no_heartbeat(happening: Happening, evening: Evening) -> Ending:
    """The gateway or the voice server hears him and does not answer."""
    gateway, faults = evening.discord.gateway, evening.discord.voice.faults
    if happening.target == "gateway":
        before, gateway.answers_heartbeats = gateway.heartbeats, False

        def answered() -> Effect:
            gateway.answers_heartbeats = True
            return Effect(hits=gateway.heartbeats - before, why="no heartbeat came meanwhile")

        return answered
    if not in_voice(evening):
        return at_once(0, NOT_THERE)
    record = evening.discord.voice.record(evening.bot)
    beats = record.from_client().count(HEARTBEAT)
    faults.heartbeats_unanswered.add(evening.bot)

    def end() -> Effect:
        faults.heartbeats_unanswered.discard(evening.bot)
        return Effect(hits=record.from_client().count(HEARTBEAT) - beats, why="no heartbeat came meanwhile")

    return end


def _moved(evening: Evening) -> int:
    evening.discord.voice.move(evening.guild.id)
    evening.guild.bot.new_server()
    return 1
