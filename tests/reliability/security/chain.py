"""From a voice state to a decoder: the real gateway, stay, link and media process, on one thread."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

from actors.gateway import core as gateway_core
from actors.gateway.decisions import Begin, TellStay
from actors.gateway.state import State as GatewayState
from actors.stay import core as stay_core
from actors.stay import decisions as of_stay
from actors.stay.settings import StaySettings
from actors.stay.state import State as StayState
from actors.voice import core as voice_core
from actors.voice import decisions as of_voice
from actors.voice.live.books import Microphones
from actors.voice.media.cipher import AES_GCM
from actors.voice.media.listening import Listening
from actors.voice.settings import VoiceSettings
from actors.voice.state import State as VoiceState
from messages.audio import Frame
from messages.floor import AwaitQuiet, RosterChange, RosterTold
from messages.gateway import GatewayMessage, OwnVoiceMoved, StayEnded, StayOpened
from messages.ids import CaptureId, LineId, PersonId, RoomId, StayId
from messages.lifecycle import Close, Ending, Open
from messages.stay import (
    ConversationOpened,
    EarClosed,
    EarOpened,
    EarsOpened,
    FloorOpened,
    FloorQuiet,
    LinkOpened,
    StayMessage,
)
from messages.voice import LinkDown, LinkShut, LinkUp, ReopenDue, VoiceMessage
from tests.actors.gateway.scene import HOME, NOW, ONLINE
from tests.actors.voice.media.hearing import CountingCipher, CountingDecoder, Keys, opus
from tests.actors.voice.media.packets import KEY, Envelope, Sender
from tests.probe import Probe

HIS_SSRC: Final = 99
FRAME: Final = opus()[0]


class Sink:
    """Where the frames of one consent go."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []

    def put(self, frame: Frame, /) -> None:
        self.frames.append(frame)


class Link:
    """One life of the voice room, and the media process that it has."""

    def __init__(self, stay: StayId) -> None:
        self.state = VoiceState(settings=VoiceSettings(), stay=stay)
        self.microphones = Microphones()
        self.decoders: list[CountingDecoder] = []
        self.cipher, self.server, self.keys = CountingCipher(AES_GCM, KEY), Sender(), Keys()
        self.be_born()

    def be_born(self) -> None:
        """A new media process is told whom it may hear."""
        self.listening = Listening(lambda: CountingDecoder(self.decoders), self.microphones.put)
        for order in self.microphones.orders():
            self.listening.microphone(order.user, order.open)

    def line(self) -> None:
        """A new line: nobody's stream is known on it."""
        self.listening.line(self.cipher, self.keys, HIS_SSRC)


class Chain:
    """`late` is what others still have to say: a listener that opens, a quiet floor, a link that is up."""

    def __init__(self, gateway: GatewayState, settings: StaySettings) -> None:
        self._gateway, self._settings = gateway, settings
        self._stay: StayState | None = None
        self.link: Link | None = None
        self.sinks: dict[CaptureId, Sink] = {}
        self.late: deque[Callable[[], None]] = deque()
        self._begun: tuple[StayId, RoomId] | None = None
        self._mailbox = Probe[StayMessage]()
        self._stays = 0
        self._mail: deque[Callable[[], None]] = deque()
        self._reading = False
        for event in ONLINE[:1]:
            self.gateway(event)

    # --- orders and news from outside

    def gateway(self, event: GatewayMessage) -> None:
        """Something that Discord, or a person, tells the account."""
        self._post(lambda: self._gateway_reads(event))

    def _gateway_reads(self, event: GatewayMessage) -> None:
        self._stays += 1
        self._gateway, decisions = gateway_core.step(self._gateway, event, NOW, StayId(f"s{self._stays}"))
        for one in decisions:
            if isinstance(one, TellStay) and one.mailbox is self._mailbox:
                self.stay(one.message)
            elif isinstance(one, Begin):
                self._begun = one.stay.stay, one.stay.room

    def begins(self) -> None:
        """The family opens, and the account is seen in the room."""
        assert self._begun is not None
        name, room = self._begun
        self._stay = stay_core.begin(StayState(stay_id=name, room=room, settings=self._settings))[0]
        self._mailbox, self._begun = Probe[StayMessage](), None
        for opened in (FloorOpened(), ConversationOpened(), EarsOpened()):
            self.stay(opened)
        self.voice_begins()
        self.gateway(StayOpened(stay=name, room=room, mailbox=self._mailbox))
        self.gateway(OwnVoiceMoved(guild=HOME, room=room))

    def voice_begins(self) -> None:
        """Another life of the voice room, with a media process of its own."""
        assert self._stay is not None
        self.link = Link(self._stay.stay_id)
        self.stay(LinkOpened())

    def process_dies(self) -> None:
        """The media process goes, and another one comes."""
        if self.link is None:
            return
        state = self.link.state
        self.link.be_born()
        self.voice(LinkDown(connection=state.connection, reason="media_process", terminal=False))
        self.voice(ReopenDue(token=self.link.state.token))

    def ear_crashes(self, person: PersonId) -> None:
        """The listener of somebody is gone."""
        ear = None if self._stay is None else self._stay.ear(person)
        if ear is not None:
            self.stay(EarClosed(person=person, capture=ear.capture, ending=Ending.CRASHED))

    def crashes(self) -> None:
        """The whole family is gone."""
        if self._stay is not None:
            name, self._stay, self.link = self._stay.stay_id, None, None
            self.late.clear()
            self.gateway(StayEnded(stay=name, failed="crashed"))

    def settle(self) -> None:
        """Let everybody say what he has to say."""
        while self.late:
            self.late.popleft()()

    # --- what is heard

    def permitted(self) -> set[str]:
        """Whose packets would be decoded, and whose frames would go anywhere."""
        if self.link is None:
            return set()
        people = {str(one.user) for one in self.link.listening._owners if one.permitted}
        assert {str(order.user) for order in self.link.microphones.orders()} == people
        return people

    def capture_of(self, person: PersonId) -> CaptureId | None:
        """The consent of his that counts."""
        ear = None if self._stay is None else self._stay.ear(person)
        return None if ear is None else ear.capture

    def packet(self, user: int, ssrc: int, place: int, at: float) -> int:
        """A packet of a user's arrives; how often anything was decrypted for it."""
        if self.link is None:
            return 0
        before = self.link.cipher.calls
        sealed = self.link.keys.seal(FRAME, user, 1)
        datagram = self.link.server.packet(Envelope(ssrc=ssrc).after(place), sealed)
        self.link.listening.datagram(datagram, at)
        return self.link.cipher.calls - before

    # --- inside

    def _post(self, letter: Callable[[], None]) -> None:
        """Letters are read one after the other, in the order in which they were written."""
        self._mail.append(letter)
        if self._reading:
            return
        self._reading = True
        try:
            while self._mail:
                self._mail.popleft()()
        finally:
            self._reading = False

    def stay(self, event: StayMessage) -> None:
        """Something that the stay is told."""
        self._post(lambda: self._stay_reads(event))

    def _stay_reads(self, event: StayMessage) -> None:
        if self._stay is None:
            return
        self._stay, decisions = stay_core.step(self._stay, event, NOW, LineId("l1"))
        for one in decisions:
            self._done_by_stay(one)

    def voice(self, event: VoiceMessage) -> None:
        """Something that the voice room is told."""
        self._post(lambda: self._voice_reads(event))

    def _voice_reads(self, event: VoiceMessage) -> None:
        if self.link is None:
            return
        self.link.state, decisions = voice_core.step(self.link.state, event, NOW)
        for one in decisions:
            self._done_by_voice(one)

    def _done_by_stay(self, decision: of_stay.Decision) -> None:
        match decision:
            case of_stay.TellVoice(message=message):
                self.voice(message)
            case of_stay.TellEars(message=Open(request=request)):
                capture, person = request.capture, request.person.id
                sink = self.sinks[capture] = Sink()
                opened = EarOpened(person=person, capture=capture, sink=sink)
                self.late.append(lambda: self.stay(opened))
            case of_stay.TellEars(message=Close()):
                pass  # that it has closed is no news to whoever has closed it
            case of_stay.TellFloor(message=RosterTold(change=RosterChange.MOVED) | AwaitQuiet()):
                self.late.append(lambda: self.stay(FloorQuiet()))
            case of_stay.TellGateway(message=message):
                self.gateway(message)
                if isinstance(message, StayEnded):
                    self._stay = self.link = None
            case _:
                pass

    def _done_by_voice(self, decision: of_voice.Decision) -> None:
        link = self.link
        assert link is not None
        match decision:
            case of_voice.Connect(connection=connection):
                link.line()
                self.late.append(lambda: self.voice(LinkUp(connection=connection, encryption="dave")))
            case of_voice.Disconnect(connection=connection):
                self.voice(LinkShut(connection=connection, counts=()))
            case of_voice.Listen(microphone=microphone, open=is_open):
                sink = microphone.sink if is_open else None
                order = link.microphones.set(microphone.person, microphone.capture, sink)
                assert order is not None
                link.listening.microphone(order.user, order.open)
            case of_voice.TellStay(message=message):
                self.stay(message)
            case _:
                pass
