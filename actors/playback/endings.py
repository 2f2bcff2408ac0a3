"""An utterance ends once: drained, cut or failed; and then everybody hears what was really heard of it."""

from __future__ import annotations

from dataclasses import replace

from actors.playback.decisions import Decision, Record, Step, TellFloor, TellRealtime, TellStay, TellTts
from actors.playback.heard import divide
from actors.playback.state import Speech, State
from messages.audio import FRAME_BYTES
from messages.evidence import Failed, Playback, SpokenWords
from messages.floor import SpeechCut, SpeechDrained, SpeechFailed
from messages.ids import UtteranceId
from messages.realtime import SpeechWasHeard
from messages.stay import SayInChat
from messages.tts import DropSpeech

REMEMBERED = 64
"""How many utterances that are over are remembered by name."""


def receipt(state: State, speech: Speech, phase: str, at: float, reason: str | None = None) -> Playback:
    """What goes on record of an utterance that reached this phase at monotonic second `at`."""
    return Playback(
        stay_id=state.stay,
        utterance_id=speech.utterance,
        turn_id=speech.turn,
        phase=phase,
        at_ms=_milliseconds(at - speech.queued_at),
        frames=speech.sent,
        reason=reason,
    )


def drained(state: State, speech: Speech, now: float) -> Step:
    """All of its sound was sent."""
    if speech.broken is not None:
        return failed(state, speech, speech.broken, now)
    text = _heard(speech)
    told = SpeechDrained(utterance=speech.utterance, turn=speech.turn, started=speech.started, text=text)
    entry = Record(receipt=receipt(state, speech, "drained", now))
    return forgotten(state, speech.utterance), (
        TellFloor(message=told),
        entry,
        *_was_heard(state, speech, text, whole=speech.started),
    )


def cut(state: State, speech: Speech, at: float | None, now: float) -> Step:
    """It was silenced, at monotonic second `at` if the voice link has said so."""
    text = _heard(speech)
    entry = receipt(state, speech, "cut", now, speech.cut_because)
    if at is not None and speech.cut_at is not None:
        entry = replace(entry, decision_to_silence_ms=_milliseconds(at - speech.cut_at))
    told = SpeechCut(utterance=speech.utterance, turn=speech.turn, started=speech.started, text=text)
    return forgotten(state, speech.utterance), (
        TellFloor(message=told),
        Record(receipt=entry),
        *_was_heard(state, speech, text, whole=False),
    )


def failed(state: State, speech: Speech, reason: str, now: float) -> Step:
    """It will not be heard, or not to its end. What is known to the last word is posted instead."""
    if speech.cut_at is not None:
        return cut(state, speech, None, now)
    text = _heard(speech)
    told = SpeechFailed(utterance=speech.utterance, turn=speech.turn, started=speech.started, reason=reason)
    decisions: list[Decision] = [
        TellFloor(message=told),
        Record(receipt=receipt(state, speech, "failed", now, reason)),
        *_was_heard(state, speech, text, whole=False),
    ]
    if speech.broken is None:
        stage = Failed(
            stay_id=state.stay,
            stage="playback",
            reason=reason,
            utterance_id=speech.utterance,
            turn_id=speech.turn,
        )
        decisions.append(Record(receipt=stage))
    return forgotten(state, speech.utterance), (*decisions, *_instead(speech))


def forgotten(state: State, utterance: UtteranceId) -> State:
    """The same without it; letters about it are old from now on."""
    others = tuple(speech for speech in state.speeches if speech.utterance != utterance)
    return replace(state, speeches=others, gone=(*state.gone, utterance)[-REMEMBERED:])


def _instead(speech: Speech) -> tuple[Decision, ...]:
    """Half an answer is not posted: while text may still come, the rest of it is dropped."""
    if not speech.ended:
        return (TellTts(message=DropSpeech(utterance=speech.utterance)),)
    unheard = divide(speech.aligned, speech.sent * FRAME_BYTES if speech.started else 0)[1]
    text = f"{unheard} {speech.unheard}".strip()
    return (TellStay(message=SayInChat(text=text)),) if text else ()


def _was_heard(state: State, speech: Speech, text: str, whole: bool) -> tuple[Decision, ...]:
    heard = TellRealtime(message=SpeechWasHeard(utterance=speech.utterance, text=text, whole=whole))
    if not text:
        return (heard,)
    words = SpokenWords(stay_id=state.stay, utterance_id=speech.utterance, text=text, whole=whole)
    return heard, Record(receipt=words)


def _heard(speech: Speech) -> str:
    return divide(speech.aligned, speech.sent * FRAME_BYTES)[0] if speech.started else ""


def _milliseconds(seconds: float) -> int:
    return max(0, round(seconds * 1000))
