"""Providers who refuse, who want another key or money, who take their time, or who have no room left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.loopback.elevenlabs.place import detail
from tests.loopback.openai.faults import Fault as Trouble
from tests.loopback.openai.refusals import PROSE
from tests.loopback.providers import NEVER, Frame, Refusal, Refusing
from tests.reliability.chaos.faults.captain import asked, with_trouble
from tests.reliability.chaos.faults.effect import Effect, Ending, at_once, chance, shows
from tests.reliability.chaos.faults.lines import NO_LINE, live
from tests.reliability.chaos.faults.stirring import LONG, stir

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.loopback.providers import Ground
    from tests.reliability.chaos.plan import Happening
    from tests.reliability.night import Evening

ADDRESSES: Final = {
    "conversation": "/v1/realtime?model",
    "transcription": "intent=transcription",
    "tts": "multi-stream-input",
    "captain": "/v1/responses",
}
"""By what a request for each of them is known."""
UNASKED: Final = "nobody asked meanwhile"
SLOW_SECONDS: Final = 2.0


def too_many(happening: Happening, evening: Evening) -> Ending:
    """429, with the seconds to wait or without."""
    headers = {"Retry-After": "1"} if chance(happening).random() < 0.5 else {}
    return _refused(happening, evening, 429, "rate_limit_exceeded", headers)


def key_refused(happening: Happening, evening: Evening) -> Ending:
    """401; afterwards the same key is right again."""
    return _refused(happening, evening, 401, "invalid_api_key")


def server_error(happening: Happening, evening: Evening) -> Ending:
    """500 or 503."""
    return _refused(happening, evening, chance(happening).choice((500, 503)), "server_error")


def quota(happening: Happening, evening: Evening) -> Ending:
    """There is no money left for it; afterwards there is."""
    if happening.target == "tts":
        manners = evening.elevenlabs.manners
        before, manners.character_limit = manners.character_limit, 0
        spoken = evening.elevenlabs.characters
        stir(evening)

        def paid() -> Effect:
            manners.character_limit = before
            return Effect(hits=int(evening.elevenlabs.characters == spoken), why="it was spoken all the same")

        return paid
    if happening.target == "transcription":
        evening.openai.habits.failing_transcripts.extend(["insufficient_quota"] * 20)

        def end() -> Effect:
            left = len(evening.openai.habits.failing_transcripts)
            evening.openai.habits.failing_transcripts.clear()
            return Effect(hits=20 - left, why="nobody spoke meanwhile")

        return end
    return _refused(happening, evening, 429, "insufficient_quota")


def no_handshake(happening: Happening, evening: Evening) -> Ending:
    """Whoever calls hears nothing at all."""
    return _refused(happening, evening, NEVER, "")


def session_expires(happening: Happening, evening: Evening) -> Ending:
    """At the worst moment that can be had: while he is being answered."""
    if happening.target == "transcription":
        listeners = [one for one in evening.openai.listeners if not one.over]
        for listener in listeners:
            listener.expire()
        return at_once(len(listeners), NO_LINE)
    stir(evening, LONG)

    def answering() -> bool:
        return any(one.active for one in evening.openai.conversations if not one.over)

    shows(answering, 2.0)
    conversations = [one for one in evening.openai.conversations if not one.over]
    for conversation in conversations:
        conversation.expire()
    return at_once(len(conversations), NO_LINE)


def slow(happening: Happening, evening: Evening) -> Ending:
    """Two seconds pass before anything comes."""
    match happening.target:
        case "captain":
            return with_trouble(evening, Trouble(first_seconds=SLOW_SECONDS))
        case "tts":
            manners = evening.elevenlabs.manners
            manners.first_chunk_seconds = SLOW_SECONDS
            chunks = _chunks(evening)
            stir(evening)

            def spoken() -> Effect:
                manners.first_chunk_seconds = 0.0
                return Effect(hits=_chunks(evening) - chunks, why="he said nothing meanwhile")

            return spoken
        case "conversation":
            evening.mind.pause = SLOW_SECONDS / 4
            answers = len(evening.mind.answers)
            stir(evening)

            def answered() -> Effect:
                evening.mind.pause = 0.0
                return Effect(hits=len(evening.mind.answers) - answers, why="nobody asked him meanwhile")

            return answered
        case _:
            evening.openai.habits.lag = SLOW_SECONDS
            lines = len(live(evening, "transcription"))

            def end() -> Effect:
                evening.openai.habits.lag = 0.0
                return Effect(hits=lines, why=NO_LINE)

            return end


def context_cap(_: Happening, evening: Evening) -> Ending:
    """What was said keeps its place, until all places are taken."""
    manners = evening.elevenlabs.manners
    manners.hold_finals = True
    chunks = _chunks(evening)
    stir(evening, LONG)

    def end() -> Effect:
        manners.hold_finals = False
        for session in evening.elevenlabs.sessions:
            if not session.over:
                session.release_finals()
        return Effect(hits=_chunks(evening) - chunks, why="he said nothing meanwhile")

    return end


def _refused(
    happening: Happening, evening: Evening, status: int, code: str, headers: Mapping[str, str] | None = None
) -> Ending:
    """Whoever has a line to it loses that, and gets no other for a while."""
    target = happening.target
    ground: Ground = evening.elevenlabs.ground if target == "tts" else evening.openai.ground
    refusal = Refusal(status=status, body=_body(target, code), headers=headers or {})
    refusing = Refusing(address=ADDRESSES[target], refusal=refusal)
    ground.refusing.append(refusing)
    if target == "captain":
        hit = asked(evening, lambda: refusing.times > 0)
    else:
        hit = False
        for socket in live(evening, target):
            socket.abort()
        stir(evening)

    def end() -> Effect:
        ground.refusing.remove(refusing)
        return Effect(hits=refusing.times or int(hit), why=UNASKED)

    return end


def _body(target: str, code: str) -> Frame:
    if target == "tts":
        return detail(code, PROSE)
    return {"error": {"message": PROSE, "type": code, "param": None, "code": code}}


def _chunks(evening: Evening) -> int:
    return sum(session.chunks for session in evening.elevenlabs.sessions)
