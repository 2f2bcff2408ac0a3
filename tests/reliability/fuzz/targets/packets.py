"""What comes over UDP: packets, control packets, junk, sealed frames, and the answer to IP discovery."""

from __future__ import annotations

from typing import Final

import davey

from actors.audio.opus import OpusDecoder
from actors.voice.media.cipher import AES_GCM, Cipher
from actors.voice.media.dave import DaveGroup
from actors.voice.media.discovery import Discovery
from actors.voice.media.group import DaveTrouble
from actors.voice.media.listening import Listening
from actors.voice.media.mail import Heard
from actors.voice.media.rtp import Unfit, parse, strip
from actors.voice.media.window import MOST_HELD, Window
from messages.audio import FRAME_BYTES
from tests.actors.voice.media.hearing import opus
from tests.actors.voice.media.line import ANSWER, SSRC
from tests.actors.voice.media.packets import KEY, Envelope, Sender
from tests.loopback.discord.mls.members import CHANNEL, Channel
from tests.reliability.fuzz.target import Broken, Target, pack, unpack

ADA, BERT, HIMSELF = 11, 22, 14
_MEDIA: Final = "actors/voice/media/"
_ENVELOPES: Final = (
    Envelope(),
    Envelope(extension=2),
    Envelope(csrc=3, extension=1, padding=4),
    Envelope(padding=255, marker=True),
    Envelope(sequence=65_535, timestamp=2**32 - 1),
)
CONTROL: Final = (
    bytes.fromhex("80c8000600000007") + bytes(24),  # a sender's report
    bytes.fromhex("81c9000700000007") + bytes(28),  # a receiver's
    bytes.fromhex("80cb000100000007") + bytes(20),  # goodbye
    bytes.fromhex("80cc000300000007") + bytes(20),
)


def _listening(group: object, heard: list[Heard]) -> Listening:
    listening = Listening(OpusDecoder, heard.append)
    listening.line(Cipher(AES_GCM, KEY), group, 99)  # type: ignore[arg-type]
    listening.speaker(7, ADA)
    listening.microphone(ADA, True)
    return listening


class Plain:
    """A call without end-to-end encryption."""

    def open(self, user: int, frame: bytes) -> bytes:
        """As it came."""
        return frame


def _counted(listening: Listening, heard: list[Heard], packets: int) -> None:
    """All that was heard is whole frames, and nothing is kept for ever."""
    if any(len(one.pcm) != FRAME_BYTES for one in heard):
        raise Broken("a frame that is not 20 ms")
    if len(heard) > 10 * packets + 10:
        raise Broken("more was heard than was said")
    for _ in range(200):
        due = listening.due
        if due is None:
            return
        listening.tick(due + 0.001)
    raise Broken("something is kept for ever")


# --- RTP ------------------------------------------------------------------------------------------


def _rtp_seeds() -> list[bytes]:
    server, frame = Sender(), opus()[0]
    whole = [server.packet(envelope.after(place), frame) for envelope in _ENVELOPES for place in range(2)]
    return [pack(whole), *(pack([one]) for one in whole), pack(CONTROL), pack([b"", b"\x80\x78"])]


def _rtp(data: bytes) -> None:
    heard: list[Heard] = []
    listening = _listening(Plain(), heard)
    packets = unpack(data)
    for place, datagram in enumerate(packets):
        listening.datagram(datagram, 50.0 + place * 0.02)
        packet = parse(datagram)
        if not isinstance(packet, Unfit):
            strip(packet, datagram[packet.header :])
    _counted(listening, heard, len(packets))


def _control(data: bytes) -> None:
    heard: list[Heard] = []
    listening = _listening(Plain(), heard)
    for datagram in unpack(data):
        listening.datagram(b"\x80" + bytes([192 + len(datagram) % 32]) + datagram[2:], 50.0)
    if heard or listening.due is not None:
        raise Broken("a control packet was heard")


# --- what was sealed for the way -----------------------------------------------------------------------


def _transport_seeds() -> list[bytes]:
    frame = opus()[0]
    return [
        pack([envelope.plaintext(frame) for envelope in _ENVELOPES]),
        pack([frame, b"\xf8\xff\xfe", b"", b"\0"]),
        pack([opus(milliseconds=ms)[0] for ms in (20, 40, 60)]),
    ]


def _transport(data: bytes) -> None:
    """The key is right, and what it opens is junk: each part is one plaintext, under every header."""
    heard: list[Heard] = []
    listening, server = _listening(Plain(), heard), Sender()
    parts = unpack(data)
    for place, plaintext in enumerate(parts):
        envelope = _ENVELOPES[(len(plaintext) + place) % len(_ENVELOPES)]
        header = envelope.after(place).header()
        listening.datagram(server.cipher.seal(header, plaintext), 50.0 + place * 0.02)
    _counted(listening, heard, len(parts))


# --- what was sealed from end to end ----------------------------------------------------------------


class _Sealed:
    """Ada and he in one group, made once: what is opened wrongly changes none of it."""

    def __init__(self) -> None:
        self.channel = Channel()
        for user in (ADA, HIMSELF):
            self.channel.join(user)
            self.channel.settle()
        self.group = DaveGroup(user=HIMSELF, channel=CHANNEL)
        self.group.agree(1)
        self.group._session = self.session(HIMSELF)
        self.frame = opus()[0]

    def session(self, user: int) -> davey.DaveSession:
        """That of one of the two."""
        session = self.channel.members[user].session
        if session is None:
            raise Broken("no group")
        return session

    def sealed(self) -> bytes:
        """The next frame of Ada's."""
        return self.session(ADA).encrypt_opus(self.frame)


_GROUP: list[_Sealed] = []


def _sealed() -> _Sealed:
    if not _GROUP:
        _GROUP.append(_Sealed())
    return _GROUP[0]


def _dave_seeds() -> list[bytes]:
    group = _sealed()
    trailer = bytes(8) + b"\x00\x10\xfa\xfa"
    return [pack([group.sealed(), group.sealed()]), pack([b"\xf8\xff\xfe"]), pack([b"x" * 20 + trailer])]


def _dave(data: bytes) -> None:
    group, heard = _sealed(), list[Heard]()
    listening, server = _listening(group.group, heard), Sender()
    parts = unpack(data)
    for place, frame in enumerate(parts):
        for user in (ADA, BERT):
            try:
                group.group.open(user, frame)
            except DaveTrouble as trouble:
                if len(trouble.kind) > 64:
                    raise Broken("a kind of trouble that has no bound") from None
        listening.group_waiting(place % 2 == 0)
        listening.datagram(server.packet(Envelope().after(place), frame), 50.0 + place * 0.02)
    listening.retry(52.0)
    _counted(listening, heard, len(parts))
    if group.group.open(ADA, group.sealed()) != group.frame:
        raise Broken("an honest frame is not opened any more")


# --- IP discovery, and the order of packets ---------------------------------------------------------


def _discovery(data: bytes) -> None:
    for ssrc in (SSRC, int.from_bytes(data[4:8], "big")):
        found = Discovery(ssrc, AES_GCM).answer(data)
        if found is not None and len(found.text) > 256:
            raise Broken("an address that has no bound")


def _window_seeds() -> list[bytes]:
    steps = [bytes([act, *number.to_bytes(2, "big"), pause]) for act, number, pause in (
        (0, 65_534, 0), (0, 65_535, 0), (0, 1, 0), (0, 0, 0), (1, 3, 0), (0, 4, 20), (2, 3, 0), (3, 0, 61),
        (0, 60_000, 0), (0, 5, 255),
    )]  # fmt: skip
    return [b"".join(steps), b"".join(steps[::-1]), b"".join(steps * 8)]


def _window(data: bytes) -> None:
    """Four bytes a step: what happens, to which packet, how much later."""
    window, now, given = Window(65_534), 100.0, set[bytes]()
    for at in range(0, min(len(data), 4_000) - 3, 4):
        act, sequence, pause = data[at] % 4, int.from_bytes(data[at + 1 : at + 3], "big"), data[at + 3]
        now += pause / 1000
        body = at.to_bytes(4, "big")
        if act == 0:
            slots = () if window.refuses(sequence) else window.put(sequence, sequence * 960, body, now)
        elif act == 1:
            slots = window.keep(sequence, sequence * 960, now)
        elif act == 2:
            slots = window.give_up(sequence, now)
        else:
            slots = window.tick(now)
        for slot in slots:
            if slot.frame is not None and slot.frame in given:
                raise Broken("a packet was given out twice")
            given |= {slot.frame} if slot.frame is not None else set()
        if len(window._held) > MOST_HELD + 1:
            raise Broken("a window holds more than it may")
    if window.due is not None:
        window.tick(window.due)


TARGETS: Final = (
    Target(
        name="rtp",
        of="RTP",
        feed=_rtp,
        seeds=_rtp_seeds,
        readers=(f"{_MEDIA}rtp.py", f"{_MEDIA}listening.py", f"{_MEDIA}owners.py", f"{_MEDIA}stream.py"),
        sequence=True,
    ),
    Target(
        name="rtcp",
        of="RTCP",
        feed=_control,
        seeds=lambda: [pack(CONTROL), *(pack([one]) for one in CONTROL)],
        readers=(f"{_MEDIA}rtp.py", f"{_MEDIA}listening.py"),
        sequence=True,
    ),
    Target(
        name="transport",
        of="RTP",
        feed=_transport,
        seeds=_transport_seeds,
        readers=(f"{_MEDIA}rtp.py", f"{_MEDIA}cipher.py", f"{_MEDIA}stream.py", "actors/audio/opus.py"),
        sequence=True,
    ),
    Target(
        name="dave",
        of="DAVE frames",
        beside="sound",
        feed=_dave,
        seeds=_dave_seeds,
        readers=(f"{_MEDIA}dave.py", f"{_MEDIA}listening.py", f"{_MEDIA}window.py"),
        sequence=True,
    ),
    Target(
        name="discovery",
        of="IP discovery",
        feed=_discovery,
        seeds=lambda: [ANSWER, ANSWER[:-1], ANSWER.replace(b"192.0.2.1", b"::1" + bytes(6))],
        readers=(f"{_MEDIA}discovery.py", f"{_MEDIA}opening.py"),
    ),
    Target(
        name="window",
        of="jitter window",
        beside="sound",
        feed=_window,
        seeds=_window_seeds,
        readers=(f"{_MEDIA}window.py",),
    ),
)
