"""Whose packet it is stands on the outside; only if that person may be heard does anybody look inside."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from actors.voice.media.cipher import Cipher
from actors.voice.media.group import DaveTrouble, Group
from actors.voice.media.owners import Owners, Person, Sealed
from actors.voice.media.rtp import Packet, Unfit, parse, strip
from actors.voice.media.stream import Deliver, MakeDecoder, Stream, Tally
from actors.voice.media.window import Slots

MOST_KEPT: Final = 64
"""Packets that wait for the group to learn how to open them."""
KEPT_SECONDS: Final = 0.040


class _Line(NamedTuple):
    """What opens the packets of one voice server, and his own stream there."""

    cipher: Cipher
    group: Group
    ssrc: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """A packet whose place in its stream's window is kept until the group can open its frame."""

    stream: Stream
    packet: Packet
    frame: bytes = field(repr=False)
    at: float
    kind: str


class Listening:
    """Datagrams in, 20 ms frames of permitted people out. For one thread; `deliver` must not call back.

    `tick` is to be called at `due`, `retry` when the group has done some work.
    """

    def __init__(self, make_decoder: MakeDecoder, deliver: Deliver) -> None:
        self._make_decoder = make_decoder
        self._deliver = deliver
        self._line: _Line | None = None
        self._owners = Owners()
        self._sealed = Sealed()
        self._kept: deque[_Kept] = deque()
        self._gaps: set[Stream] = set()
        self._group_waiting = False
        self.tally = Tally()

    # --- who is who

    def line(self, cipher: Cipher, group: Group, ssrc: int) -> None:
        """Another voice server: its key, its group, his own stream there; nobody else's is known yet."""
        for person in self._owners:
            self._end(person)
        self._owners.forget_streams()
        self._drop("unknown_ssrc", self._sealed.clear())
        self._line = _Line(cipher, group, ssrc)
        self._group_waiting = False

    def rekey(self, cipher: Cipher) -> None:
        """A new key on the same line, if there is one; everybody's stream stays his."""
        if self._line is not None:
            self._line = self._line._replace(cipher=cipher)

    def microphone(self, user: int, permitted: bool) -> None:
        """Whether a user may be heard, from this call on, on every line. If not, all of his is let go."""
        person = self._owners.person(user)
        person.permitted = permitted
        if not permitted:
            self._end(person)

    def speaker(self, ssrc: int, user: int) -> None:
        """On this line that stream is that user's; what waited for its owner is read if he may be heard."""
        person, line = self._owners.person(user), self._line
        owner = self._owners.owner(ssrc)
        if line is None or owner is person or ssrc == line.ssrc:
            return
        if owner is not None:
            self._part(owner)
        self._part(person)
        self._owners.give(ssrc, person)
        for at, datagram in self._sealed.take(ssrc):
            self._sort(line, datagram, at)

    def departed(self, user: int) -> None:
        """A user has left the call: his stream is nobody's until somebody else is named for it."""
        if self._owners.knows(user):
            self._part(self._owners.person(user))

    def group_waiting(self, waiting: bool) -> None:
        """Whether there is work of the group that has not been done: until then its failures may be cured."""
        self._group_waiting = waiting

    def counts(self) -> dict[int, tuple[int, int]]:
        """Packets decoded, and packets dropped unread, of every user of whom any came."""
        return {
            person.user: (person.decoded, person.unread)
            for person in self._owners
            if person.decoded or person.unread
        }

    # --- packets

    def datagram(self, datagram: bytes, now: float) -> None:
        """One datagram of the voice server, whatever it is, at monotonic second `now`."""
        if self._line is None:
            self._drop("no_line")
        else:
            self._sort(self._line, datagram, now)

    @property
    def due(self) -> float | None:
        """When `tick` has to be called, in monotonic seconds."""
        times = [stream.window.due for stream in self._gaps]
        times.append(self._sealed.due)
        if self._kept:
            times.append(self._kept[0].at + KEPT_SECONDS)
        return min((time for time in times if time is not None), default=None)

    def tick(self, now: float) -> None:
        """Let go of whatever has waited long enough."""
        while self._kept and now >= self._kept[0].at + KEPT_SECONDS:
            self._give_up(self._kept.popleft(), now)
        for stream in tuple(self._gaps):
            self._play(stream, stream.window.tick(now))
        self._drop("unknown_ssrc", self._sealed.expire(now))

    def retry(self, now: float) -> None:
        """The group has done some work: put through again, in order, what it could not open before."""
        kept, self._kept = self._kept, deque()
        for one in kept:
            try:
                opus = one.stream.opened(one.frame)
            except DaveTrouble:
                if self._group_waiting and now < one.at + KEPT_SECONDS:
                    self._kept.append(one)
                else:
                    self._give_up(one, now)
            else:
                packet = one.packet
                self._play(one.stream, one.stream.window.put(packet.sequence, packet.timestamp, opus, one.at))

    def _sort(self, line: _Line, datagram: bytes, at: float) -> None:
        packet = parse(datagram)
        if isinstance(packet, Unfit):
            self._drop(packet)
            return
        person = self._owners.owner(packet.ssrc)
        if person is None:
            self._wait_for_owner(line, packet, datagram, at)
        elif not person.owns(packet):
            self._drop("former_owner")
        else:
            person.last = packet
            if person.permitted:
                self._read(line, person, packet, datagram, at)
            else:
                person.unread += 1

    def _wait_for_owner(self, line: _Line, packet: Packet, datagram: bytes, at: float) -> None:
        if packet.ssrc == line.ssrc:
            self._drop("own")
        elif self._owners.is_late(packet):
            self._drop("former_owner")
        else:
            self._drop("unknown_ssrc", self._sealed.keep(packet.ssrc, datagram, at))

    def _read(self, line: _Line, person: Person, packet: Packet, datagram: bytes, at: float) -> None:
        """Nothing is decrypted that the window has no use for."""
        stream = person.stream
        if stream is not None and (reason := stream.window.refuses(packet.sequence)):
            self._drop(reason)
            return
        self.tally.transport_calls += 1
        plaintext = line.cipher.open(packet, datagram)
        frame = Unfit.SEALED if plaintext is None else strip(packet, plaintext)
        if isinstance(frame, Unfit):
            self._drop(frame)
            return
        if stream is None:
            decoder = self._make_decoder()
            stream = Stream(person.user, packet.sequence, decoder, line.group, self._deliver, self.tally)
            person.stream = stream
        try:
            opus = stream.opened(frame)
        except DaveTrouble as trouble:
            self._not_opened(_Kept(stream=stream, packet=packet, frame=frame, at=at, kind=trouble.kind))
        else:
            self._play(stream, stream.window.put(packet.sequence, packet.timestamp, opus, at))

    def _not_opened(self, one: _Kept) -> None:
        """Lost, unless the group is about to learn more: then its place is kept."""
        if self._group_waiting and len(self._kept) < MOST_KEPT:
            self._kept.append(one)
            slots = one.stream.window.keep(one.packet.sequence, one.packet.timestamp, one.at)
            self._play(one.stream, slots)
        else:
            self._drop(one.kind)

    def _give_up(self, kept: _Kept, now: float) -> None:
        self._drop(kept.kind)
        self._play(kept.stream, kept.stream.window.give_up(kept.packet.sequence, now))

    def _play(self, stream: Stream, slots: Slots) -> None:
        stream.play(slots)
        if stream.window.due is None:
            self._gaps.discard(stream)
        else:
            self._gaps.add(stream)

    def _drop(self, reason: str, packets: int = 1) -> None:
        if packets:
            self.tally.dropped[reason] += packets

    # --- beginnings and ends

    def _part(self, person: Person) -> None:
        self._end(person)
        self._owners.part(person)

    def _end(self, person: Person) -> None:
        """Let go of all that is kept of a person's sound."""
        stream = person.stream
        if stream is None:
            return
        person.ended, person.stream = person.decoded, None
        self._gaps.discard(stream)
        for_others = deque(kept for kept in self._kept if kept.stream is not stream)
        self._drop("closed", len(self._kept) - len(for_others))
        self._kept = for_others
        stream.close()
