"""What he has to reach: words go both ways, whole and encrypted, and only of those who consented."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from actors.audio.pcm import RATE, read_wav, seconds
from actors.realtime.script import ScriptedReply
from messages.evidence import Consent, Degraded, HeardWords, Playback
from supervisors.speech import LocalSpeech
from tests.actors.voice.media.hearing import Hearing
from tests.actors.voice.media.packets import Envelope
from tests.loopback.discord.evening import PATIENCE_SECONDS, Evening, evening
from tests.loopback.discord.participant import Participant
from tests.loopback.discord.voice.record import Kind
from tests.loopback.discord.voice.tones import tone
from tests.models import whisper
from tests.speech.clips import HUMAN, Clip, error_rate, normal

SPEECH = (
    "Good evening to everybody in this room. The library on the hill is open until nine o'clock tonight. "
    "Tomorrow morning there will be bread and coffee for all of us in the garden behind the house."
)
"""Ten seconds of his voice."""
NOVEL = HUMAN[:2]
"""Ten seconds of a person's."""
PAUSE = bytes(RATE)
"""Half a second of an open microphone."""
CHANGES = 20
MOST_LOST = 5
"""Packets for each change; those that a busy machine sends late, or not at all, are not counted."""
LONGEST_UNHEARD_SECONDS = 10.0
"""How long we are willing to fail."""


def test_ten_seconds_of_speech_each_way_are_understood_and_nothing_lies_open(tmp_path: Path) -> None:
    greeting = ScriptedReply(when="greeting", text=SPEECH)
    with evening(tmp_path, greeting, speech=LocalSpeech) as night:
        ada, bert, cy = (night.person(name) for name in ("Ada", "Bert", "Cy"))
        night.come()
        night.consent(ada)
        codes = {one.wait_for_group(ada.id, bert.id, cy.id, night.bot) for one in (ada, bert, cy)}
        unheard = cy.speak(tone(440, 9.0))
        for clip in NOVEL:
            ada.speak(read_wav(clip.path) + PAUSE).result(PATIENCE_SECONDS)
        understood = understood_of(night, NOVEL)
        night.record.expect(Playback, lambda one: one.phase == "drained")
        unheard.result(PATIENCE_SECONDS)
        assert codes == {night.fact("privacy_code")}
        sent, said = night.discord.voice.record(night.bot), bert.pcm(night.bot)
        her_sound = b"".join(frame.pcm for frame in night.ears.of(ada.id))
        arrived = {one.id: len(one.record.arrivals) for one in (ada, cy)}
    assert seconds(said) > 9.0
    heard = whisper().transcribe(said).text
    assert error_rate([(SPEECH, heard)]) < 0.1
    assert normal(heard)[0] == normal(SPEECH)[0]
    wanted, came = " ".join(clip.words for clip in NOVEL), whisper().transcribe(her_sound).text
    assert error_rate([(wanted, came)]) < 0.2
    assert normal(came)[0] == normal(wanted)[0]
    # Where packets come late because the machine is busy, he hears a pause in the middle of a word.
    assert error_rate([(wanted, understood)]) < 0.4
    assert sent.count(Kind.DAVE) > 400
    assert sent.count(Kind.PLAIN) == sent.repeated_counters() == ada.plain_frames == bert.plain_frames == 0
    assert counted(night) == {ada.id: (arrived[ada.id], 0), cy.id: (0, arrived[cy.id])}


def understood_of(night: Evening, clips: Sequence[Clip]) -> str:
    """The words that he understood, in however many lines: a busy machine takes breaths that nobody took."""
    text, wanted = "", sum(len(normal(clip.words)) for clip in clips)
    while len(normal(text)) < 0.9 * wanted:
        text += f" {night.record.expect(HeardWords).text}"
    return text


def counted(night: Evening) -> dict[int, tuple[int | None, int | None]]:
    """How many packets of each were decoded, and how many stayed unread, as the record says."""
    ends = (one for one in night.record.all(Consent) if one.phase == "counted")
    return {int(one.person_id): (one.decoded, one.unread) for one in ends}


def not_understood(*people: Participant) -> list[int]:
    """How many packets came to each of these people for which they had no key, so far."""
    return [sum(one.unreadable.values()) for one in people]


def test_whoever_comes_and_goes_ten_times_costs_the_others_no_more_than_five_frames(tmp_path: Path) -> None:
    """Twenty new keys in some ten seconds, which is harder than in a minute."""
    with evening(tmp_path) as night:
        ada, bert = night.person("Ada"), night.person("Bert")
        night.come()
        night.consent(ada, bert)
        speeches = ada.speak(tone(440, 60.0)), bert.speak(tone(660, 60.0))
        for one in (ada, bert):
            night.ears.wait_for_more(one.id, 10)
            night.wait_until_heard(one)
        cy = Participant(night.discord.voice, night.guild.member("Cy"))
        before = not_understood(ada, bert)
        for place in range(CHANGES):
            if place % 2:
                cy.leave()
                ada.wait_for_group(bert.id, night.bot)
            else:
                cy.join(night.room)
                night.wait_until_heard(cy, 1)
            night.ears.wait_for_more(bert.id, 6)
            night.wait_until_heard(ada, 6)
            now = not_understood(ada, bert)
            assert all(new - old <= MOST_LOST for new, old in zip(now, before, strict=True)), (before, now)
            before = now
        for one in (ada, bert):
            times = [heard.at for heard in one.heard_from(night.bot)]
            assert max(b - a for a, b in pairwise(times)) < LONGEST_UNHEARD_SECONDS
            assert night.ears.longest_gap(one.id) < LONGEST_UNHEARD_SECONDS
        assert night.record.all(Degraded) == []
        for speech in speeches:
            speech.cancel()
        records = {one.id: one.record for one in (ada, bert)}
    read = counted(night)
    assert set(read) == set(records)
    for person, (decoded, unread) in read.items():
        assert unread == 0
        assert 0 <= len(records[person].arrivals) - (decoded or 0) <= CHANGES * MOST_LOST


def test_of_twenty_five_people_only_the_three_who_consented_are_opened() -> None:
    """What the others cost is a small part of what it costs to open a packet, sockets aside."""
    people, permitted = range(100, 125), (103, 111, 120)
    hearing, opened, passed = Hearing(permitted=permitted), list[float](), list[float]()
    for user in people:
        hearing.listening.speaker(1_000 + user, user)
    sealed = {user: hearing.keys.seal(hearing.frame, user) for user in people}
    for place in range(200):
        for user in people:
            datagram = hearing.server.packet(Envelope(ssrc=1_000 + user).after(place), sealed[user])
            began = time.perf_counter()
            hearing.listening.datagram(datagram, hearing.now)
            (opened if user in permitted else passed).append(time.perf_counter() - began)
    assert statistics.median(passed) < statistics.median(opened) / 4
    assert hearing.cipher.calls == hearing.listening.tally.transport_calls == 600
    assert len(hearing.keys.asked) == len(hearing.heard) == 600
    assert set(hearing.keys.asked) == set(hearing.users()) == set(permitted)
    assert hearing.listening.counts() == {
        user: (200, 0) if user in permitted else (0, 200) for user in people
    }
