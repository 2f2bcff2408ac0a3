"""Every answer to a command says what is so now, and what to do if that is not what was wanted."""

from __future__ import annotations

import re
from dataclasses import dataclass

from actors.gateway.live.phrases import (
    ENCRYPTION,
    FAILED,
    HINDRANCE,
    JOIN_REFUSED,
    LEAVE_REFUSED,
    NO_ANSWER,
    PHASE,
    REMAINS,
    WATCH_REFUSED,
)
from messages.gateway import (
    ConsentAnswered,
    ConsentOutcome,
    ForgetAnswered,
    JoinAnswer,
    Joined,
    JoinRefused,
    LeaveAnswered,
    NotesAnswered,
    RefusedJoin,
    StatusAnswered,
    StayFacts,
    WatchAnswered,
)
from messages.ids import RoomId
from messages.reasons import in_words

MOST_CHARACTERS = 2_000
MOST_NAMED = 20
_OPT_IN = " (`/clankie voice-consent opt-in` changes that)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Disclosure:
    """What people must know before he hears them: who gets sound or text of it, and what is kept."""

    providers: tuple[str, ...] = ()
    """Names of companies; none if all is done on this machine."""
    transcripts_kept: bool = False
    everybody: bool = False
    """Whether everybody in the room is heard who has not opted out."""
    kept_days: int = 30
    """How long the captain's lanes are kept."""


def disclosed(disclosure: Disclosure, facts: StayFacts | None) -> str:
    """Return the disclosure as a list."""
    if disclosure.everybody:
        heard = "I hear everybody in the channel who has not opted out."
    else:
        heard = "I hear only those who opted in with `/clankie voice-consent opt-in`."
    providers = ", ".join(disclosure.providers)
    where = f"goes as sound or text to {providers}" if providers else "stays on the machine that I run on"
    kept = "Transcripts of it are kept." if disclosure.transcripts_kept else "No transcript of it is kept."
    secrecy = _encryption(facts)
    lines = (
        f"{secrecy[:1].upper()}{secrecy[1:]}.",
        heard,
        f"What I hear {where}. {kept}",
        f"What is asked of me in writing goes the same way. {_remembered(disclosure)}",
        "I may speak without being asked.",
        "Nothing that is said aloud approves anything privileged.",
        "To be heard no longer: `/clankie voice-consent opt-out`; to be forgotten: `/clankie forget-me`.",
    )
    return "\n".join(f"- {line}" for line in lines)


def _remembered(disclosure: Disclosure) -> str:
    return (
        "What I am asked to do, and what came of it, is kept on the machine that I run on for"
        f" {disclosure.kept_days} days, and my notes until they are deleted: `/clankie memories`."
    )


def join(answer: JoinAnswer | None, known: StatusAnswered | None, disclosure: Disclosure) -> str:
    """Answer `join`; `known` is how he found himself and the asker afterwards."""
    match answer:
        case None:
            return NO_ANSWER
        case Joined():
            heard = answer.opted_in or (known is not None and known.asker_heard)
            you = "and hear **you** from now on" if heard else "but do not hear you"
            how = "" if heard else _OPT_IN
            facts = None if known is None else known.facts
            return _fit(f"I am in {_room(answer.room)} {you}{how}.\n{disclosed(disclosure, facts)}")
        case JoinRefused():
            return _refused(answer)


def _refused(answer: JoinRefused) -> str:
    if answer.detail in FAILED:
        return FAILED[answer.detail]
    if answer.reason is RefusedJoin.FAILED and answer.detail:
        return f"I tried, but it did not work ({answer.detail}). Try again in a minute."
    return JOIN_REFUSED[answer.reason]


def leave(answer: LeaveAnswered | None) -> str:
    """Answer `leave`."""
    if answer is None:
        return NO_ANSWER
    if answer.refused is not None:
        return LEAVE_REFUSED[answer.refused]
    return "Goodbye." if answer.room is None else f"I am leaving {_room(answer.room)}."


def consent(answer: ConsentAnswered | None, facts: StayFacts | None, disclosure: Disclosure) -> str:
    """Answer `voice-consent`."""
    if answer is None:
        return NO_ANSWER
    where = "here" if answer.room is None else f"in {_room(answer.room)}"
    match answer.outcome:
        case ConsentOutcome.GRANTED:
            return _fit(f"I hear you {where} from now on.\n{disclosed(disclosure, facts)}")
        case ConsentOutcome.WITHDRAWN:
            return "I do not hear you any more, and will not until you opt in again."
        case ConsentOutcome.NOT_IN_ROOM:
            return f"I don't see you {where}. Join that voice channel and opt in again."
        case ConsentOutcome.NO_STAY:
            return "I am in no voice channel of this server, so I hear nobody. `/clankie join` calls me."


def status(answer: StatusAnswered | None) -> str:
    """Answer `status`."""
    if answer is None:
        return NO_ANSWER
    facts = answer.facts
    if facts is None:
        return "I am in no voice channel of this server. `/clankie join` calls me into yours."
    phase = PHASE.get(facts.phase, f"I am {facts.phase} in")
    hindrance = HINDRANCE.get(facts.hindrance, f"Something is in my way: {facts.hindrance}.")
    people = "1 person" if facts.humans == 1 else f"{facts.humans} people"
    you = "you are among them" if answer.asker_heard else f"you are not among them{_OPT_IN}"
    return "\n".join(
        (
            f"{phase} {_room(facts.room)} with {people}; {_encryption(facts)}.",
            *((hindrance,) if facts.hindrance else ()),
            *((f"I cannot make out words: {in_words(facts.ear_trouble)}.",) if facts.ear_trouble else ()),
            f"I hear {len(facts.heard)} of them, and {you}.",
        )
    )


def voice_status(answer: StatusAnswered | None, disclosure: Disclosure) -> str:
    """Answer `voice-status`."""
    if answer is None or answer.facts is None:
        return status(answer)
    facts = answer.facts
    named = ", ".join(f"<@{person}>" for person in facts.heard[:MOST_NAMED])
    more = f" and {len(facts.heard) - MOST_NAMED} more" if len(facts.heard) > MOST_NAMED else ""
    you = "I hear you." if answer.asker_heard else "I do not hear you (`/clankie voice-consent opt-in`)."
    lines = [f"In {_room(facts.room)} I hear {named or 'nobody'}{more}. {you}"]
    if facts.privacy_code:
        code = " ".join(re.findall(".{1,5}", facts.privacy_code))  # as Discord's own client shows it
        lines.append(f"Voice privacy code: `{code}`. If yours is the same, so is our encrypted call.")
    return _fit("\n".join((*lines, disclosed(disclosure, facts))))


def memories(answer: NotesAnswered | None) -> str:
    """Answer `memories`."""
    if answer is None:
        return NO_ANSWER
    if not answer.notes:
        return "I have noted nothing about you."
    after = "`/clankie forget-me` deletes them."
    return _listed("What I have noted about you:", answer.notes, after)


def forget(answer: ForgetAnswered | None) -> str:
    """Answer `forget-me`."""
    if answer is None:
        return NO_ANSWER
    heard = "I do not hear you any more" if answer.was_heard else "I did not hear you"
    if answer.remains:
        return f"{heard}. {REMAINS}"
    said = f"{heard}, and remember nothing that you said."
    if not answer.notes:
        return f"{said} I had noted nothing for you."
    count = "1 note" if len(answer.notes) == 1 else f"{len(answer.notes)} notes"
    return _listed(f"{said} I deleted {count} that you had made:", answer.notes, "")


def _listed(before: str, notes: tuple[str, ...], after: str) -> str:
    """As many notes as fit, numbered; what a note says is shown as it stands and formats nothing."""
    lines, room = list[str](), MOST_CHARACTERS - len(before) - len(after) - len("\nand 10000 more") - 1
    for number, note in enumerate(notes, 1):
        line = f"{number}. `{_verbatim(note)}`"
        room -= len(line) + 1
        if room < 0:
            lines.append(f"and {len(notes) - number + 1} more")
            break
        lines.append(line)
    return "\n".join(filter(None, (before, *lines, after)))


def _verbatim(note: str) -> str:
    line = "".join(letter if letter.isprintable() else " " for letter in note)
    return " ".join(line.replace("`", "'").split()) or "(nothing)"


def watch(answer: WatchAnswered | None) -> str:
    """Answer `watch`."""
    if answer is None:
        return NO_ANSWER
    if answer.refused:
        return WATCH_REFUSED.get(
            answer.refused, f"That did not work ({answer.refused}). Try again in a minute."
        )
    return f"Here it is: {answer.url}" if answer.url else "It is closed."


def _encryption(facts: StayFacts | None) -> str:
    code = "" if facts is None else facts.encryption
    return ENCRYPTION.get(code, f"the call is encrypted ({code})")


def _room(room: RoomId) -> str:
    return f"<#{room}>"


def _fit(text: str) -> str:
    return text if len(text) <= MOST_CHARACTERS else f"{text[: MOST_CHARACTERS - 1]}…"
