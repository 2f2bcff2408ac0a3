"""Receipts of an evening that never was: as many as a test wants, and the same ones each time."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from actors.evidence.wire import to_line
from messages import evidence as say
from messages.ids import CallId, HandoffId, LineId, PersonId, RoomId, SegmentId, StayId, TurnId, UtteranceId

BEGAN = datetime(2026, 3, 1, 19, 0, tzinfo=UTC)
PEOPLE = tuple(PersonId(f"8123450000{number:04}") for number in range(1, 6))
ROOM = RoomId("9000000000000001")


@dataclass(slots=True, kw_only=True)
class Evening:
    """One stay, told second by second."""

    stay: StayId
    dice: random.Random
    now: float = 0.0
    turn: int = 0
    segment: int = 0
    told: list[tuple[float, say.Receipt]] = field(default_factory=list[tuple[float, say.Receipt]])

    def tell(self, receipt: say.Receipt, after: float = 0.0) -> None:
        """Put a receipt on record, so many seconds from now."""
        self.told.append((self.now + after, receipt))

    def opens(self) -> None:
        """He comes in, and everybody but the last lets himself be heard."""
        self.tell(say.Joined(stay_id=self.stay, room_id=ROOM, humans=len(PEOPLE), bots=0, encryption="dave"))
        for person in PEOPLE[:-1]:
            self.tell(say.Consent(stay_id=self.stay, person_id=person, phase="granted"))

    def closes(self) -> None:
        """He leaves, and every packet is accounted for."""
        for person in PEOPLE:
            heard = person != PEOPLE[-1]
            decoded, unread = (round(self.now * 3), 0) if heard else (0, round(self.now * 5))
            consent = say.Consent(
                stay_id=self.stay, person_id=person, phase="counted", decoded=decoded, unread=unread
            )
            self.tell(consent)
        self.tell(say.Left(stay_id=self.stay, reason="self_decided", duration_ms=round(self.now * 1000)))

    def speaks(self, person: PersonId) -> SegmentId:
        """Somebody says something; perhaps there are words in it."""
        self.segment += 1
        segment = SegmentId(f"{self.stay}-1.{self.segment}")
        lasts = round(self.dice.uniform(400, 6000))
        self.now += lasts / 1000 + 0.6
        self.tell(
            say.Utterance(
                stay_id=self.stay, person_id=person, segment_id=segment, duration_ms=lasts, voiced_ms=lasts
            )
        )
        empty = self.dice.random() < 0.2
        self.tell(
            say.Transcription(
                stay_id=self.stay,
                person_id=person,
                segment_id=segment,
                outcome="empty" if empty else "words",
                latency_ms=round(self.dice.gauss(640, 25)),
                characters=0 if empty else lasts // 60,
            )
        )
        return segment

    def judged(self, person: PersonId, segment: SegmentId, turn: TurnId | None) -> None:
        """The floor decides about a line."""
        heard, decision, rule = (
            ("addressed", "wake", "addressed") if turn else ("none", "listen", "other_talk")
        )
        self.tell(
            say.FloorDecision(
                stay_id=self.stay,
                person_id=person,
                line_id=LineId(segment),
                heard_as=heard,
                decision=decision,
                rule=rule,
                turn_id=turn,
            )
        )

    def answers(self, person: PersonId, segment: SegmentId) -> None:
        """A turn, from the decision to its end: silent, spoken, or cut off."""
        self.turn += 1
        turn, outcome = TurnId(f"life-{self.turn}"), self.dice.choice(["spoke", "spoke", "spoke", "silent"])
        self.judged(person, segment, turn)
        self.tell(say.Floor(stay_id=self.stay, state="engaged", holder_id=person, rule="addressed"))
        asked = say.ModelResponse(stay_id=self.stay, turn_id=turn, phase="requested", trigger="address")
        self.tell(asked)
        model = round(self.dice.lognormvariate(5.8, 0.4))
        done = say.ModelResponse(
            stay_id=self.stay,
            turn_id=turn,
            phase="completed",
            trigger="address",
            outcome=outcome,
            latency_ms=model,
            first_text_ms=model // 2,
        )
        self.tell(done, after=model / 1000)
        used = say.Usage(
            stay_id=self.stay,
            service="conversation",
            provider="openai",
            model="gpt-realtime-2.1",
            input_tokens=1200,
            cached_tokens=800,
            output_tokens=60,
        )
        self.tell(used, after=model / 1000)
        if outcome == "spoke":
            self.is_heard(person, turn, model)

    def is_heard(self, person: PersonId, turn: TurnId, model: int) -> None:
        """His voice, and sometimes somebody over it."""
        speech, first = UtteranceId(f"{turn}-speech"), model + 80
        over = self.dice.choice(["", "", "", "cough", "stop"])
        lasts = self.dice.uniform(1.5, 9)
        self.now += first / 1000
        self.sounds(speech, turn, "started", 80)
        self.now += lasts
        if over:
            self.talks_over(person, turn, speech, cut=over == "stop")
        silence = 15 if over == "stop" else None
        self.sounds(speech, turn, "cut" if silence else "drained", round(lasts * 1000), silence)
        self.tell(
            say.Response(
                stay_id=self.stay,
                turn_id=turn,
                utterance_id=speech,
                trigger="address",
                whole=not silence,
                decision_to_first_audio_ms=first,
                speech_end_to_first_audio_ms=first + 640,
            )
        )

    def sounds(
        self, speech: UtteranceId, turn: TurnId, phase: str, at_ms: int, silence: int | None = None
    ) -> None:
        """One phase of his voice."""
        self.tell(
            say.Playback(
                stay_id=self.stay,
                utterance_id=speech,
                turn_id=turn,
                phase=phase,
                at_ms=at_ms,
                decision_to_silence_ms=silence,
            )
        )

    def talks_over(self, person: PersonId, turn: TurnId, speech: UtteranceId, *, cut: bool) -> None:
        """Somebody does; he is quieter, and stops, or rises again."""
        segment = SegmentId(f"{speech}-over")

        def overlap(phase: str) -> say.Overlap:
            return say.Overlap(
                stay_id=self.stay,
                person_id=person,
                segment_id=segment,
                utterance_id=speech,
                phase=phase,
                reaction="duck",
            )

        self.tell(overlap("ducked"), after=-1.0)
        if not cut:
            self.tell(overlap("resumed"), after=-0.3)
            return
        self.tell(
            say.Interrupted(
                stay_id=self.stay,
                person_id=person,
                segment_id=segment,
                utterance_id=speech,
                turn_id=turn,
                rule="control",
                partial=True,
                word_end_to_cut_ms=60,
            ),
            after=-0.1,
        )

    def hands_over(self, person: PersonId) -> None:
        """The captain works for somebody, and something fails on the way."""
        name = HandoffId(f"h-{self.turn}")
        for phase, latency, after in (("began", None, 0.0), ("returned", 9000, 9.0)):
            handoff = say.Handoff(
                stay_id=self.stay, handoff_id=name, asker_id=person, phase=phase, latency_ms=latency
            )
            self.tell(handoff, after=after)
        called = CallId(f"c-{self.turn}")
        for phase, outcome in (("called", None), ("answered", "handed_off")):
            self.tell(
                say.RealtimeTool(
                    stay_id=self.stay,
                    turn_id=None,
                    call_id=called,
                    name="ask_clankie",
                    phase=phase,
                    outcome=outcome,
                )
            )
        tool = say.CaptainTool(
            handoff_id=name, name="machine", surface="voice", outcome="done", latency_ms=4000
        )
        self.tell(tool, after=6.0)
        self.tell(say.Failed(stay_id=self.stay, stage="speech_synthesis", reason="reset"), after=7.0)


def evening(receipts: int, name: str = "5f3a0c5d1b7e", seed: int = 7) -> list[tuple[float, say.Receipt]]:
    """About so many receipts of one stay, with their seconds since it began."""
    story = Evening(stay=StayId(name), dice=random.Random(seed))
    story.opens()
    while len(story.told) < receipts:
        person = story.dice.choice(PEOPLE[:-1])
        story.now += story.dice.expovariate(0.4)
        segment = story.speaks(person)
        if story.dice.random() < 0.35:
            story.answers(person, segment)
        else:
            story.judged(person, segment, None)
        if story.dice.random() < 0.01:
            story.hands_over(person)
    story.now += 10.0
    story.closes()
    return sorted(story.told, key=lambda one: one[0])


def lines(told: list[tuple[float, say.Receipt]], began: datetime = BEGAN) -> Iterator[str]:
    """The same as they stand on record."""
    for number, (at, receipt) in enumerate(told):
        moment = began + timedelta(seconds=at)
        line = to_line(receipt, entry_id=f"{began:%d}-{number}", occurred_at=moment, origin="bot")
        assert isinstance(line, str), line
        yield line


def write(path: Path, told: list[tuple[float, say.Receipt]], began: datetime = BEGAN) -> Path:
    """Put them into a file; returns its path."""
    path.write_text("".join(f"{line}\n" for line in lines(told, began)), encoding="utf-8")
    return path
