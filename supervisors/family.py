"""Who may speak to whom in one stay: its rooms are made here, each with its neighbours and its port."""

from __future__ import annotations

from dataclasses import dataclass

from actors.base import Life
from actors.capture.actor import Capture
from actors.floor.actor import Floor
from actors.playback.actor import Playback
from actors.realtime.actor import Realtime
from actors.stay.actor import Stay
from actors.tts.actor import Tts
from actors.voice.actor import Voice
from messages.stay import BeginStay, OpenEar
from supervisors.doors import FamilyDoors, HouseDoors
from supervisors.wiring import Equipment


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyRooms:
    """The rooms of one stay."""

    kit: Equipment
    at: HouseDoors
    own: FamilyDoors
    asked: BeginStay

    def stay(self, life: Life) -> Stay:
        """One stay: hears from everybody in it, and decides who may be heard and when it is over."""
        return Stay(
            life,
            stay_id=self.asked.stay,
            room=self.asked.room,
            gateway=self.at.gateway,
            voice=self.own.voice,
            ears=self.own.ears,
            floor=self.own.floor,
            realtime=self.own.realtime,
            captain=self.at.captain,
            evidence=self.at.evidence,
            clock=self.kit.clock,
            settings=self.kit.settings.stay,
        )

    def voice(self, life: Life) -> Voice:
        """The link; tells playback what was really sent."""
        return Voice(
            life,
            stay_id=self.asked.stay,
            stay=self.own.stay,
            playback=self.own.playback,
            evidence=self.at.evidence,
            clock=self.kit.clock,
            port=self.kit.ports.voice(),
            settings=self.kit.settings.voice,
        )

    def playback(self, life: Life) -> Playback:
        """Feeds the link, pulls from tts, and tells everybody what was heard."""
        return Playback(
            life,
            stay_id=self.asked.stay,
            voice=self.own.voice,
            tts=self.own.tts,
            floor=self.own.floor,
            realtime=self.own.realtime,
            stay=self.own.stay,
            evidence=self.at.evidence,
            clock=self.kit.clock,
            settings=self.kit.settings.playback,
        )

    def tts(self, life: Life) -> Tts:
        """Sound for playback."""
        return Tts(
            life,
            stay_id=self.asked.stay,
            playback=self.own.playback,
            evidence=self.at.evidence,
            clock=self.kit.clock,
            port=self.kit.ports.tts(),
            settings=self.kit.settings.tts,
        )

    def floor(self, life: Life) -> Floor:
        """Whose turn it is, and whether he is cut off."""
        return Floor(
            life,
            stay_id=self.asked.stay,
            stay=self.own.stay,
            playback=self.own.playback,
            tts=self.own.tts,
            realtime=self.own.realtime,
            evidence=self.at.evidence,
            clock=self.kit.clock,
            words=self.kit.words,
            settings=self.kit.settings.floor,
        )

    def realtime(self, life: Life) -> Realtime:
        """The conversation; speaks through tts, asks the captain, may end the stay."""
        return Realtime(
            life,
            stay_id=self.asked.stay,
            room=self.asked.room,
            floor=self.own.floor,
            tts=self.own.tts,
            stay=self.own.stay,
            captain=self.at.captain,
            returns=self.own.realtime,
            evidence=self.at.evidence,
            clock=self.kit.clock,
            port=self.kit.ports.realtime(),
            settings=self.kit.settings.realtime,
        )

    def capture(self, life: Life, wanted: OpenEar) -> Capture:
        """One listener; tells the floor."""
        return Capture(
            life,
            stay_id=self.asked.stay,
            person=wanted.person,
            capture_id=wanted.capture,
            stay=self.own.stay,
            floor=self.own.floor,
            evidence=self.at.evidence,
            clock=self.kit.clock,
            activity=self.kit.ports.activity(),
            port=self.kit.ports.transcriber(),
            settings=self.kit.settings.capture,
        )
