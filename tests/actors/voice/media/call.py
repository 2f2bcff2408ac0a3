"""A call of real lines with real keys: links, davey and a delivery service, with nothing between them."""

import json
from collections import deque
from collections.abc import Callable, Sequence

from actors.voice.media.acts import Acts, GroupTrouble, Lost, SendBinary, SendText
from actors.voice.media.cipher import usable_modes
from actors.voice.media.dave import DaveGroup
from actors.voice.media.link import Link
from tests.actors.voice.media.line import ANSWER, CHANNEL, HELLO, READY, description, frame, letter
from tests.loopback.discord.mls.delivery import Delivery, Send

SPEECH = bytes(range(60))


class Seat:
    """One person's line and group; what it says on the websocket goes to `hear`."""

    def __init__(self, user: int, hear: Callable[[int, int, object], None]) -> None:
        self.user = user
        self.group = DaveGroup(user=user, channel=CHANNEL)
        self.link = Link(
            user=user,
            guild=1,
            session="session",
            token="token",
            group=self.group,
            jitter=0.5,
            modes=usable_modes(),
        )
        self.inbox: deque[Send] = deque()
        self.troubles: list[GroupTrouble] = []
        self.lost: Lost | None = None
        self.before: Callable[[Send], None] = lambda _: None
        """Called with every letter before it is read."""
        self._hear = hear
        self._seq = 0

    def do(self, acts: Acts) -> None:
        for act in acts:
            if isinstance(act, SendText):
                said = json.loads(act.text)
                self._hear(self.user, said["op"], said["d"])
            elif isinstance(act, SendBinary):
                self._hear(self.user, act.body[0], act.body[1:])
            elif isinstance(act, GroupTrouble):
                self.troubles.append(act)
            elif isinstance(act, Lost):
                self.lost = act

    def receive(self, send: Send, now: float) -> None:
        self.before(send)
        self._seq += 1
        if isinstance(send.body, bytes):
            self.do(self.link.binary(letter(send.op, send.body, self._seq), now))
        else:
            self.do(self.link.text(frame(send.op, dict(send.body), self._seq), now))


class Call:
    """Everybody on one channel; `settle` goes on until nobody has anything to do."""

    def __init__(self, *, first_is_zero: bool = True) -> None:
        self.now = 0.0
        self.delivery = Delivery(CHANNEL, first_is_zero=first_is_zero)
        self.seats: dict[int, Seat] = {}
        self.names = True
        """Whether op 11 names newcomers to the others before anything else."""

    def join(self, *users: int) -> None:
        for user in users:
            seat = self.seats[user] = Seat(user, self._hear)
            seat.do(seat.link.connected(self.now))
            seat.do(seat.link.text(HELLO, self.now))
            seat.do(seat.link.text(READY, self.now))
            seat.do(seat.link.datagram(ANSWER, self.now))
            seat.do(seat.link.text(description(self.delivery.version_for(1)), self.now))
            if self.names:
                self.name(*self.seats)
            self._post(self.delivery.connected(user))
            self.settle()

    def name(self, *users: int) -> None:
        for seat in self.seats.values():
            seat.do(seat.link.text(frame(11, {"user_ids": [str(user) for user in users]}), self.now))

    def leave(self, user: int) -> None:
        del self.seats[user]
        for seat in self.seats.values():
            seat.do(seat.link.text(frame(13, {"user_id": str(user)}), self.now))
        self._post(self.delivery.leave(user))
        self.settle()

    def post(self, sends: Sequence[Send]) -> None:
        self._post(sends)
        self.settle()

    def settle(self) -> None:
        for _ in range(500):
            busy = [seat for seat in self.seats.values() if seat.inbox or seat.link.work_waiting]
            if not busy:
                return
            for seat in busy:
                if seat.inbox:
                    seat.receive(seat.inbox.popleft(), self.now)
                seat.do(seat.link.work(self.now))
        raise AssertionError("they never come to an end")

    def pass_time(self, seconds: float) -> None:
        """Time for the groups alone: nobody's heart stops meanwhile."""
        self.now += seconds
        for seat in self.seats.values():
            seat.do(seat.link.text('{"op":6}', self.now))
            seat.do(seat.link.tick(self.now))
        self.settle()

    def all_hear_all(self) -> None:
        seats = list(self.seats.values())
        for one in seats:
            sealed = one.group.seal(SPEECH)
            assert SPEECH not in sealed
            for other in seats:
                assert one is other or other.group.open(one.user, sealed) == SPEECH
        assert len({seat.group.privacy_code for seat in seats}) == 1
        assert len(seats[0].group.privacy_code) == 30

    def _post(self, sends: Sequence[Send]) -> None:
        for send in sends:
            if send.to in self.seats:
                self.seats[send.to].inbox.append(send)

    def _hear(self, user: int, op: int, body: object) -> None:
        match op, body:
            case 26, bytes():
                self._post(self.delivery.key_package(user, body))
            case 28, bytes():
                self._post(self.delivery.commit_welcome(user, body))
            case 23, {"transition_id": int(transition)}:
                self._post(self.delivery.ready(user, transition))
            case 31, _:
                self._post(self.delivery.invalid(user))
            case _:
                assert op in {0, 1, 3, 5, 7}
