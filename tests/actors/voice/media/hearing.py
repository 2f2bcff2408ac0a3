"""A Listening with everything around it that counts: keys, decoders, and what was delivered."""

from actors.audio.opus import OpusDecoder, OpusEncoder
from actors.voice.media.cipher import AES_GCM, Cipher
from actors.voice.media.group import SILENCE, DaveTrouble
from actors.voice.media.listening import Listening
from actors.voice.media.mail import Heard
from actors.voice.media.rtp import Packet
from messages.audio import FRAME_BYTES
from tests.actors.voice.media.packets import KEY, Envelope, Sender

ADA, BERT, HIMSELF = 11, 22, 1


class Keys:
    """A group whose encryption is the user's number and the epoch in front of a frame; version 0 has none."""

    def __init__(self, version: int = 1) -> None:
        self.version = version
        self.ready = True
        self.epoch: int | None = 1
        self.privacy_code = ""
        self.asked: list[int] = []
        self.members: frozenset[int] = frozenset()

    def agree(self, version: int) -> None:
        self.version = version

    def begin(self) -> bytes:
        return b"key package"

    def external_sender(self, body: bytes) -> None:
        """Nobody proposes anything here."""

    def proposals(self, append: bool, body: bytes, known: frozenset[int]) -> bytes | None:
        return None

    def commit(self, body: bytes) -> None:
        """The test sets `epoch`."""

    welcome = commit

    def allow_plain(self, allowed: bool) -> None:
        """Never."""

    def seal(self, frame: bytes, user: int = HIMSELF, epoch: int = 1) -> bytes:
        return frame if frame == SILENCE or not self.version else bytes([user, epoch]) + frame

    def open(self, user: int, frame: bytes) -> bytes:
        self.asked.append(user)
        if frame == SILENCE or not self.version:
            return frame
        if frame[0] != user or self.epoch is None or not 0 <= self.epoch - frame[1] <= 1:
            raise DaveTrouble("NoValidCryptorFound")
        return frame[2:]


class CountingDecoder(OpusDecoder):
    """The real decoder, and what each was given."""

    def __init__(self, made: list["CountingDecoder"]) -> None:
        super().__init__()
        self.packets: list[bytes | None] = []
        self.resets = 0
        self.closed = False
        made.append(self)

    def decode(self, packet: bytes | None) -> bytes:
        self.packets.append(packet)
        return super().decode(packet)

    def reset(self) -> None:
        self.resets += 1
        super().reset()

    def close(self) -> None:
        self.closed = True
        super().close()


class CountingCipher(Cipher):
    """The real cipher, and how often it was asked."""

    calls = 0

    def open(self, packet: Packet, datagram: bytes) -> bytes | None:
        self.calls += 1
        return super().open(packet, datagram)


def opus(frames: int = 1, milliseconds: int = 20) -> list[bytes]:
    encoder = OpusEncoder()
    pcm = bytes(range(240)) * (FRAME_BYTES * milliseconds // 20 // 240)
    return [encoder.encode(pcm) for _ in range(frames)]


class Hearing:
    """A Listening on a line; `send` lets a packet of somebody arrive, by its place in its stream."""

    def __init__(self, *, version: int = 1, permitted: tuple[int, ...] = (ADA,)) -> None:
        self.keys = Keys(version)
        self.decoders: list[CountingDecoder] = []
        self.heard: list[Heard] = []
        self.listening = Listening(lambda: CountingDecoder(self.decoders), self.heard.append)
        self.server = Sender()
        self.cipher = CountingCipher(AES_GCM, KEY)
        self.now = 50.0
        self.frame = opus()[0]
        self.listening.line(self.cipher, self.keys, 99)
        for user in permitted:
            self.listening.microphone(user, True)

    def send(
        self,
        user: int,
        ssrc: int,
        *places: int,
        frame: bytes | None = None,
        epoch: int = 1,
        envelope: Envelope | None = None,
    ) -> None:
        """These packets of a user arrive now."""
        for place in places:
            header = (envelope or Envelope(ssrc=ssrc)).after(place)
            sealed = self.keys.seal(self.frame if frame is None else frame, user, epoch)
            self.listening.datagram(self.server.packet(header, sealed), self.now)

    def wait(self, seconds: float) -> None:
        """Time goes by, as the loop notices it."""
        end = self.now + seconds
        while (due := self.listening.due) is not None and due <= end:
            assert due > self.now - 1e-9
            self.now = due
            self.listening.tick(due)
        self.now = end
        self.listening.tick(end)

    @property
    def dropped(self) -> dict[str, int]:
        return dict(self.listening.tally.dropped)

    def users(self) -> list[int]:
        return [frame.user for frame in self.heard]
