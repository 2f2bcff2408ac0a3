"""What discord.py's own voice client says on the wire is the measure for ours."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Protocol

import pytest

from tests.loopback.discord.account import Account, discord, logged_in
from tests.loopback.discord.child import media_process
from tests.loopback.discord.ground import DEADLINE_SECONDS
from tests.loopback.discord.guild import Guild
from tests.loopback.discord.mls.codec import IN_A_KEY_PACKAGE, Reader, read_commit
from tests.loopback.discord.participant import Participant
from tests.loopback.discord.rooms import VoiceRoom
from tests.loopback.discord.server import Discord
from tests.loopback.discord.voice import wire
from tests.loopback.discord.voice.library import hang_up, join
from tests.loopback.discord.voice.record import Arrival, Record
from tests.loopback.discord.voice.wire import AES, UNNUMBERED, XCHACHA, Op, number

OPUS = bytes.fromhex("fc") + bytes(range(40))
"""A packet that means nothing: nobody here decodes it."""


class Voice(Protocol):
    """A client that plays the bot's part; every method returns when the client thinks it is done."""

    def enter(self, room: int) -> None:
        """Go and sit in a voice channel."""
        ...

    def say(self, packets: int) -> None:
        """Send so many packets of sound, one each 20 ms, and fall silent as a client should."""
        ...

    def leave(self) -> None:
        """Leave voice."""
        ...


Player = Callable[[Discord], AbstractContextManager[Voice]]
"""Logs a client in that plays the bot, and out again."""


class Packets(discord.AudioSource):
    """So many packets that are Opus already."""

    def __init__(self, count: int) -> None:
        self._left = count

    def read(self) -> bytes:
        self._left -= 1
        return OPUS if self._left >= 0 else b""

    def is_opus(self) -> bool:
        return True


class Library:
    """discord.py's own VoiceClient, not changed in anything."""

    def __init__(self, server: Discord, account: Account) -> None:
        self._server = server
        self._account = account

    def enter(self, room: int) -> None:
        join(self._account, room)

    def say(self, packets: int) -> None:
        over = threading.Event()
        self._voice.play(Packets(packets), after=lambda _error: over.set())
        assert over.wait(DEADLINE_SECONDS)

    def leave(self) -> None:
        hang_up(self._server, self._account, self._voice)

    @property
    def _voice(self) -> discord.VoiceClient:
        (voice,) = self._account.client.voice_clients
        assert isinstance(voice, discord.VoiceClient)
        return voice


@contextmanager
def discord_py(server: Discord) -> Generator[Voice]:
    with logged_in(server) as account:
        yield Library(server, account)


def shape(body: object) -> object:
    """A JSON body with every value replaced by its kind: a number, an id in decimal, or other text."""
    match body:
        case Mapping():
            return {key: shape(value) for key, value in body.items()}
        case str():
            return "id" if body.isdecimal() else "text"
        case int():
            return "number"
        case _:
            return type(body).__name__


def skeleton(package: bytes) -> bytes:
    """A key package without identity, keys and signatures: version, suite, capabilities, lifetime."""
    reader, kept = Reader(package), list[bytes]()

    def skip() -> None:
        reader.vector()

    def keep(take: Callable[[], object]) -> None:
        start = reader.at
        take()
        kept.append(package[start : reader.at])

    keep(lambda: reader.take(4))
    for _ in range(3):  # init_key, encryption_key, signature_key
        skip()
    keep(lambda: reader.expect(2, 1, "the kind of credential"))
    skip()  # the identity: whoever he is this time
    for _ in range(5):  # capabilities
        keep(reader.vector)
    keep(lambda: reader.expect(1, IN_A_KEY_PACKAGE, "the source of a leaf"))
    keep(lambda: reader.take(16))
    keep(reader.vector)
    skip()
    keep(reader.vector)
    skip()
    reader.end()
    return b"".join(kept)


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """What a client said from one IDENTIFY to the end of that session, with everything by chance left out."""

    ops: tuple[int, ...]
    """In order, without heartbeats and op 5, whose places among the others are chance."""
    speaking: tuple[int, ...]
    """The flags of each op 5 that changed anything; discord.py's last one comes once or twice."""
    shapes: Mapping[int, object]
    """How the JSON body of each op but the heartbeat looks, the first time."""
    dave: int
    """The highest version that he says he speaks."""
    discoveries: int
    """How often he asked for his address."""
    packages: tuple[bytes, ...]
    """The skeletons of his key packages."""
    removals: int
    """How many of his commits welcome nobody."""
    confirmed: tuple[int, ...]
    """The transitions that he said he was ready for."""
    sound: tuple[tuple[str, int], ...]
    """What he sent over UDP, runs of one kind counted."""


def visit(record: Record) -> Visit:
    """What there is to compare in a voice server's record of one session."""
    said = [one for one in record.ops if not one.by_server]
    spoken = [(int(one.op), one.body) for one in said if isinstance(one.body, Mapping)]
    binary = [(int(one.op), one.body) for one in said if isinstance(one.body, bytes)]
    return Visit(
        ops=tuple(int(one.op) for one in said if one.op not in {Op.HEARTBEAT, Op.SPEAKING}),
        speaking=tuple(flag for flag, _ in groupby(flag for _, flag in flags(record))),
        shapes={op: shape(body) for op, body in reversed(spoken) if op != Op.HEARTBEAT},
        dave=max(number(body, "max_dave_protocol_version") for op, body in spoken if op == Op.IDENTIFY),
        discoveries=len(record.discoveries),
        packages=tuple(skeleton(body) for op, body in binary if op == Op.KEY_PACKAGE),
        removals=sum(read_commit(body).welcome is None for op, body in binary if op == Op.COMMIT_WELCOME),
        confirmed=tuple(number(body, "transition_id") for op, body in spoken if op == Op.TRANSITION_READY),
        sound=runs(list(record.arrivals)),
    )


def flags(record: Record) -> list[tuple[float, int]]:
    """When he sent op 5, and what he said he was doing."""
    said = [one for one in record.ops if one.op == Op.SPEAKING and not one.by_server]
    return [(one.at, number(one.body, "speaking")) for one in said if isinstance(one.body, Mapping)]


def runs(arrivals: list[Arrival]) -> tuple[tuple[str, int], ...]:
    kinds = groupby(arrival.kind.value for arrival in arrivals)
    return tuple((kind, len(list(run))) for kind, run in kinds)


def acknowledgements(record: Record) -> Iterator[tuple[int, int]]:
    """Each heartbeat's seq_ack, and the highest number that it could have been."""
    highest = -1
    for one in record.ops:
        if one.by_server:
            highest += one.op not in UNNUMBERED
        elif one.op == Op.HEARTBEAT and isinstance(one.body, Mapping):
            yield number(one.body, "seq_ack", -2), highest


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A guild with two rooms, three people and whoever plays the bot."""

    server: Discord
    guild: Guild
    rooms: tuple[VoiceRoom, VoiceRoom]
    ada: Participant
    bea: Participant
    cam: Participant

    def together(self, room: VoiceRoom, *people: Participant) -> None:
        """Wait until the bot and these people are one group, every transition executed."""
        users = {self.server.user, *(person.id for person in people)}

        def settled() -> bool:
            delivery = self.server.voice.group(self.guild.id, room.id).delivery
            return set(delivery.members) == users and delivery.settled

        self.server.wait(settled, what=f"a group of {len(users)}")
        # discord.py's reader lies in a select of 30 s on a silent line, and would keep a move waiting for it.
        people[0].send_packet(OPUS)

    def hear_out(self, bot: Voice, packets: int) -> None:
        """Let the bot speak, and wait until the silence after that has come, too."""
        bot.say(packets)
        record = self.server.voice.record(self.server.user)

        def over() -> bool:
            return runs(list(record.arrivals))[-1:] == (("silence", 5),) and flags(record)[-1][1] == 0

        self.server.wait(over, what="the end of his speech")


def set_stage(server: Discord) -> Stage:
    """Ada waits below, Cam above. Below the bot's commits win, above those of the others."""
    guild = server.guild("Home")
    ada, bea, cam = (Participant(server.voice, guild.member(name)) for name in ("Ada", "Bea", "Cam"))
    below, above = guild.voice("General"), guild.voice("Upstairs")
    for person, room, committer in ((ada, below, server.user), (cam, above, cam.id)):
        person.join(room)
        delivery = server.voice.group(guild.id, room.id).delivery
        # Numbered, it has to be confirmed: so the server knows when the bot can speak.
        delivery.first_is_zero, delivery.committers = False, frozenset({committer})
    return Stage(server=server, guild=guild, rooms=(below, above), ada=ada, bea=bea, cam=cam)


def play(stage: Stage, bot: Voice) -> None:
    """The course of one evening: he comes, speaks, sees two re-keys, is moved, speaks and leaves."""
    server, (below, above) = stage.server, stage.rooms
    bot.enter(below.id)
    stage.together(below, stage.ada)
    stage.hear_out(bot, 10)
    stage.bea.join(below)
    stage.together(below, stage.bea, stage.ada)
    stage.ada.leave()
    stage.together(below, stage.bea)
    stage.hear_out(bot, 5)
    server.wait(lambda: len(list(acknowledgements(server.voice.record(server.user)))) >= 3)
    stage.guild.bot.move(above)
    stage.together(above, stage.cam)
    stage.hear_out(bot, 5)
    bot.leave()
    server.wait(lambda: server.user not in server.voice.present(stage.guild.id, above.id))


@dataclass(frozen=True, slots=True, kw_only=True)
class Evening:
    """What the voice servers saw of the client that played the bot, and what the others heard of him."""

    records: tuple[Record, ...]
    discoveries: tuple[bytes, ...]
    """Every datagram that asked for an address, as it came."""
    heard: tuple[int, ...]
    """How many of his packets Ada, Bea and Cam could open."""

    @property
    def visits(self) -> tuple[Visit, ...]:
        return tuple(visit(record) for record in self.records)


def spend(player: Player) -> Evening:
    """One evening with one client in a Discord of its own."""
    asked: list[bytes] = []
    read = wire.read_discovery

    def tapped(datagram: bytes, kind: int) -> tuple[int, str, int] | None:
        if datagram[:2] == b"\0\1":
            asked.append(datagram)
        return read(datagram, kind)

    with pytest.MonkeyPatch.context() as patch, Discord() as server:
        patch.setattr(wire, "read_discovery", tapped)
        server.voice.faults.heartbeat_ms = 200
        stage = set_stage(server)
        asked.clear()  # those were Ada's and Cam's
        with player(server) as bot:
            play(stage, bot)
        records = tuple(record for record in server.voice.desk.records if record.user == server.user)
        ours = tuple(one for one in asked if int.from_bytes(one[4:8], "big") in {r.ssrc for r in records})
        heard = tuple(len(one.heard_from(server.user)) for one in (stage.ada, stage.bea, stage.cam))
        return Evening(records=records, discoveries=ours, heard=heard)


PLAYERS: dict[str, Player] = {
    "discord.py": discord_py,
    "discord.py once more": discord_py,
    "our media process": media_process,
}
"""Who plays the bot; the first is the measure, and has to be the same every evening."""


@pytest.fixture(scope="module")
def evenings() -> dict[str, Evening]:
    return {name: spend(player) for name, player in PLAYERS.items()}


@pytest.fixture(params=PLAYERS)
def evening(request: pytest.FixtureRequest, evenings: dict[str, Evening]) -> Evening:
    return evenings[str(request.param)]


@pytest.fixture
def measure(evenings: dict[str, Evening]) -> Evening:
    return next(iter(evenings.values()))


def test_both_visits_look_as_those_of_discord_py(evening: Evening, measure: Evening) -> None:
    assert len(evening.visits) == len(measure.visits) == 2
    for ours, theirs in zip(evening.visits, measure.visits, strict=True):
        assert ours == theirs


def test_the_measure_itself_is_what_the_protocol_asks_for(measure: Evening) -> None:
    below, above = measure.visits
    come = (Op.IDENTIFY, Op.SELECT_PROTOCOL, Op.KEY_PACKAGE)
    commit = (Op.COMMIT_WELCOME, Op.TRANSITION_READY)
    assert below.ops == (*come, *commit, *commit, *commit)
    assert below.confirmed == (1, 2, 3)
    assert below.removals == 1
    assert above.ops == (*come, *commit)


def test_the_address_is_asked_for_in_74_bytes(evening: Evening) -> None:
    assert list(evening.discoveries) == [wire.discovery_request(record.ssrc) for record in evening.records]


def test_every_sound_is_sealed_and_ends_in_five_silent_packets(evening: Evening) -> None:
    below, above = evening.visits
    assert below.sound == (("dave", 10), ("silence", 5), ("dave", 5), ("silence", 5))
    assert above.sound == (("dave", 5), ("silence", 5))
    assert evening.heard == (10, 5, 5)
    for record in evening.records:
        assert not record.unfit
        assert not record.leaked()
        assert record.repeated_counters() == 0
        assert {step[0] for step in record.steps()} == {1}


def test_he_says_that_he_speaks_and_in_the_end_that_he_stopped(evening: Evening) -> None:
    for spent in evening.visits:
        assert 1 in spent.speaking
        assert spent.speaking[-1] == 0


def test_heartbeats_acknowledge_what_was_heard_so_far(evening: Evening) -> None:
    for record in evening.records:
        beats = list(acknowledgements(record))
        shapes = [shape(one.body) for one in record.ops if one.op == Op.HEARTBEAT and not one.by_server]
        assert all(one == {"t": "number", "seq_ack": "number"} for one in shapes)
        assert all(-1 <= acknowledged <= highest for acknowledged, highest in beats)
        assert all(one[0] <= other[0] for one, other in pairwise(beats))
    assert max(acknowledged for acknowledged, _ in acknowledgements(evening.records[0])) > 0


def test_he_keeps_the_line_of_each_visit(evening: Evening) -> None:
    assert [record.lines for record in evening.records] == [1, 1]


def test_ours_differs_in_its_cipher_and_in_letting_time_pass_while_silent(
    evenings: dict[str, Evening], measure: Evening
) -> None:
    ours = evenings["our media process"]
    assert {record.mode for record in measure.records} == {XCHACHA}
    assert {record.mode for record in ours.records} == {AES}
    assert {step for _, step in measure.records[0].steps()} == {960}
    pauses = [step for _, step in ours.records[0].steps() if step != 960]
    assert len(pauses) == 1
    assert pauses[0] > 960
    assert pauses[0] % 960 == 0
