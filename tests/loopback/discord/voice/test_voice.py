"""People talk to each other through the loopback Discord: encrypted, in time, and whatever the line does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.loopback.discord.ground import DEADLINE_SECONDS
from tests.loopback.discord.guild import Guild
from tests.loopback.discord.participant import Participant
from tests.loopback.discord.rooms import VoiceRoom
from tests.loopback.discord.server import Discord
from tests.loopback.discord.voice.faults import Moment, Weather
from tests.loopback.discord.voice.group import Group
from tests.loopback.discord.voice.record import Kind
from tests.loopback.discord.voice.tones import packets, pitch, tone
from tests.loopback.discord.voice.wire import AES, XCHACHA, Body, Op


@dataclass
class House:
    """One guild with one room."""

    discord: Discord
    guild: Guild
    room: VoiceRoom

    def person(self, name: str, modes: tuple[str, ...] = (AES, XCHACHA)) -> Participant:
        """Somebody who sits in the room, with or without others."""
        person = Participant(self.discord.voice, self.guild.member(name), modes=modes)
        person.join(self.room)
        return person

    def people(self, *names: str, modes: tuple[str, ...] = (AES, XCHACHA)) -> list[Participant]:
        """All of them in one group."""
        made = [self.person(name, modes) for name in names]
        together(*made)
        return made


def together(*people: Participant) -> str:
    """Wait until exactly these are in one group, a crowd longer than a couple; its privacy code."""
    seconds = max(DEADLINE_SECONDS, len(people))
    codes = {one.wait_for_group(*(other.id for other in people), seconds=seconds) for one in people}
    assert len(codes) == 1
    return codes.pop()


@pytest.fixture
def house() -> Iterator[House]:
    with Discord() as discord:
        guild = discord.guild("Home")
        yield House(discord, guild, guild.voice("General"))


@pytest.mark.parametrize("mode", [AES, XCHACHA])
def test_two_people_hear_each_other_and_the_server_hears_neither(house: House, mode: str) -> None:
    ada, bert = house.people("Ada", "Bert", modes=(mode,))

    said = ada.speak(tone(440, 0.4)), bert.speak(tone(660, 0.4))

    assert [one.result(5) for one in said] == [0, 0]
    bert.wait_for_sound(ada.id, 20)
    ada.wait_for_sound(bert.id, 20)
    assert pitch(bert.pcm(ada.id)) == pytest.approx(440, abs=5)
    assert pitch(ada.pcm(bert.id)) == pytest.approx(660, abs=5)
    for one in (ada, bert):
        assert one.record.mode == mode
        assert (one.record.count(Kind.DAVE), one.record.count(Kind.SILENCE)) == (20, 5)
        assert one.record.leaked() == []
        assert one.record.repeated_counters() == one.record.repeated_sequences() == 0
        assert set(one.record.steps()) == {(1, 960)}
        assert not one.unreadable
        assert not one.group_errors


def test_who_comes_is_given_new_keys_and_who_goes_has_none_of_the_next(house: House) -> None:
    ada, bert = house.people("Ada", "Bert")
    first = together(ada, bert)

    cleo = house.person("Cleo")
    second = together(ada, bert, cleo)
    assert cleo.speak(tone(440, 0.1)).result(5) == 0
    for one in (ada, bert):
        one.wait_for_sound(cleo.id, 5)
    bert.leave()
    third = together(ada, cleo)

    assert len({first, second, third}) == 3
    assert not ada.group_errors + bert.group_errors + cleo.group_errors


def test_a_lossy_line_loses_repeats_and_swaps_what_the_dice_say(house: House) -> None:
    ada, bert = house.people("Ada", "Bert")
    weather = house.discord.voice.faults.downstream = Weather(loss=0.1, duplicate=0.1, reorder=0.1, seed=3)
    spoken = packets(440, 4.0)

    for packet in spoken:
        ada.send_packet(packet)
    bert.wait(lambda: len(bert.heard) + weather.happened["lost"] >= 199)

    assert all(weather.happened[kind] > 5 for kind in ("lost", "duplicated", "reordered"))
    order = [one.sequence for one in bert.heard]
    assert order != sorted(order)
    # A copy is a replay to the encryption, so it is heard once.
    assert bert.unreadable == {"NoValidCryptorFound": weather.happened["duplicated"]}
    assert pitch(bert.pcm(ada.id)) == pytest.approx(440, abs=5)


def test_noise_on_the_line_is_no_sound(house: House) -> None:
    ada, bert = house.people("Ada", "Bert")
    faults = house.discord.voice.faults
    faults.csrcs, faults.padding_every, faults.rtcp_every, faults.garbage_every = 3, 2, 2, 3

    spoken = packets(440, 0.4)
    for packet in spoken:
        ada.send_packet(packet)
    ada.throw(b"nothing at all")
    ada.send_plain(spoken[0])
    bert.wait(lambda: bert.plain_frames)

    assert [one.opus for one in bert.heard_from(ada.id)] == spoken
    assert ada.record.unfit == {"no_packet": 1}
    assert len(ada.record.leaked()) == 1


def test_a_broken_connection_resumes_and_hears_what_it_missed(house: House) -> None:
    ada, bert = house.people("Ada", "Bert")
    voice = house.discord.voice

    said = ada.speak(tone(440, 0.5))
    bert.wait_for_sound(ada.id, 5)
    voice.half_open(ada.id)
    cleo = house.person("Cleo")
    ada.abort()
    together(ada, bert, cleo)

    assert said.result(5) == 0
    bert.wait_for_sound(ada.id, 25)
    assert ada.resumed == 1
    assert ada.record.lines == 2
    assert ada.record.closed == [1006]
    assert ada.client.known == {bert.id, cleo.id}


@pytest.mark.parametrize("code", [1001, 4015, 1006])
def test_a_session_outlives_the_codes_that_say_so(house: House, code: int) -> None:
    ada, bert = house.people("Ada", "Bert")

    house.discord.voice.drop(ada.id, code)
    ada.wait(lambda: ada.resumed == 1)

    assert together(ada, bert)
    assert ada.record.closed == [code]
    assert Op.CLIENT_DISCONNECT not in bert.record.from_server()


def test_a_session_that_is_no_longer_valid_is_gone_for_everybody(house: House) -> None:
    ada, bert = house.people("Ada", "Bert")
    voice = house.discord.voice
    voice.faults.refuse_resume.append(4006)

    voice.drop(ada.id, 4015)
    bert.wait(lambda: Op.CLIENT_DISCONNECT in bert.record.from_server())

    ada.wait(lambda: not ada.connected)
    assert ada.client.closed_with == 4006
    assert voice.desk.refused == [4006]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"token": "another"}, 4004),
        ({"session_id": "another"}, 4006),
        ({"user_id": "1"}, 4011),
        ({"max_dave_protocol_version": 0}, 4017),
    ],
)
def test_a_wrong_identify_is_refused_with_its_code(house: House, change: Body, code: int) -> None:
    ada = Participant(house.discord.voice, house.guild.member("Ada"))
    ada.identify_with = change

    ada.join(house.room, wait=False)

    ada.wait(lambda: ada.client.closed_with == code)


def test_whoever_is_moved_or_whose_server_moves_meets_the_others_there(house: House) -> None:
    ada, bert = house.people("Ada", "Bert")
    first, there = together(ada, bert), house.guild.voice("Upstairs")

    for one in (ada, bert):
        one.member.move(there)
    ada.wait(lambda: shared_code(ada, bert) not in {first, ""})
    second = together(ada, bert)
    house.discord.voice.move(house.guild.id)
    ada.wait(lambda: shared_code(ada, bert) not in {first, second, ""})

    assert ada.speak(tone(440, 0.1)).result(5) == 0
    bert.wait_for_sound(ada.id, 5)


def shared_code(ada: Participant, bert: Participant) -> str:
    """The code if both have the same one."""
    return ada.privacy_code if ada.privacy_code == bert.privacy_code else ""


def test_the_group_can_be_taken_back_and_made_again(house: House) -> None:
    ada, bert = house.people("Ada", "Bert")
    voice, where = house.discord.voice, (house.guild.id, house.room.id)

    voice.in_group(*where, Group.downgrade)
    ada.wait(lambda: not ada.client.member.version and not bert.client.member.version)
    ada.send_packet(packets(440, 0.02)[0])
    bert.wait_for_sound(ada.id, 1)
    voice.in_group(*where, Group.upgrade)
    together(ada, bert)

    assert ada.record.count(Kind.PLAIN) == 1
    assert ada.record.leaked() == []
    assert bert.plain_frames == 0


def test_what_spoils_a_group_is_mended_by_starting_again(house: House) -> None:
    ada, bert = house.people("Ada", "Bert")
    voice, where = house.discord.voice, (house.guild.id, house.room.id)

    voice.in_group(*where, lambda group: group.stray(ada.id))
    ada.wait(lambda: ada.group_errors)
    together(ada, bert)

    assert list(ada.group_errors) == ["27:WrongEpoch"]


def test_frames_in_odd_places_change_nothing_for_a_good_client(house: House) -> None:
    faults = house.discord.voice.faults
    faults.early_sender, faults.lose_discoveries = True, 2
    faults.inject = {
        Moment.AFTER_HELLO: ["[]", "7", b"", b"\0"],
        Moment.AFTER_READY: [(15, {"any": 100}), (77, b"unheard of")],
        Moment.BEFORE_DESCRIPTION: [(18, {"user_id": "1", "flags": 0}), (Op.SPEAKING, {})],
        Moment.AFTER_DESCRIPTION: ["null", b"\0\0"],
    }

    ada, bert = house.people("Ada", "Bert")

    assert not faults.inject
    assert len(ada.record.discoveries) == 3
    assert not ada.group_errors + bert.group_errors


def test_ports_can_close_and_datagrams_vanish_and_both_come_back(house: House) -> None:
    ada, bert = house.people("Ada", "Bert")
    voice, sound = house.discord.voice, packets(440, 0.02)[0]

    voice.close_udp()
    for _ in range(2):
        ada.send_plain(sound)
    ada.wait(lambda: ada.unreadable["refused"])
    voice.open_udp()
    voice.black_hole(0.05)
    ada.send_packet(sound)
    ada.wait(lambda: voice.endpoints[0].sfu.dropped["hole"] == 1)
    assert ada.speak(tone(440, 0.1)).result(5) == 0
    bert.wait_for_sound(ada.id, 2)

    voice.refuse_connections()
    voice.drop(ada.id, 1006)
    ada.wait(lambda: ada.client.closed_with == 1006)
    voice.accept_connections()
    ada.wait(lambda: ada.resumed == 1)


def test_twenty_five_people_find_one_group(house: House) -> None:
    crowd = [Participant(house.discord.voice, house.guild.member(f"P{n}")) for n in range(25)]
    for one in crowd:
        one.commits = one is crowd[0]
        one.join(house.room, wait=False)

    code = together(*crowd)

    assert code
    assert crowd[7].speak(tone(440, 0.1)).result(5) == 0
    for one in crowd[8:]:
        one.wait_for_sound(crowd[7].id, 5)
