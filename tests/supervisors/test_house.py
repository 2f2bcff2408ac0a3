"""A house opens in order, closes in order, and says who may be crashed."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from actors.audio.models import ModelMissing
from actors.audio.opus import NoOpus, OpusEncoder
from actors.audio.pcm import SILENCE
from actors.evidence.reader import read, receipt_files
from actors.evidence.wire import Entry
from actors.local_room import LocalRoom
from messages.evidence import BridgeStopped, Consent, Joined, Left, PrivateWords, Receipt, Recorded, Watch
from messages.gateway import AskedBy, JoinAnswer, JoinRefused, JoinVoice
from messages.gateway import Joined as CameIn
from messages.ids import PersonId, RoomId
from messages.lifecycle import LifeState
from messages.people import Person
from supervisors.house import HouseNeverOpened, NobodyOfThatName
from supervisors.live import signed
from supervisors.local import ROOM, local_house
from supervisors.paths import kept_in
from supervisors.settings import BadConfig, Settings, load
from supervisors.speech import LocalSpeech
from supervisors.supervisor import Supervisor
from supervisors.theatre import LocalTheatre
from tests.probe import Probe


def settings(folder: Path) -> Settings:
    return load(None, kept_in(folder))


def expect(told: Probe[Recorded | PrivateWords], kind: type[Receipt]) -> Receipt:
    """Wait until a receipt of this kind is on record."""
    while not isinstance(one := told.expect(Recorded).receipt, kind):
        pass
    return one


def test_a_house_opens_every_actor_and_closes_them_all(tmp_path: Path) -> None:
    with local_house(settings(tmp_path)) as house:
        root = house.tree()
        assert [child.path for child in root.children] == [
            "root/evidence",
            "root/captain",
            "root/meter",
            "root/body",
            "root/console",
        ]
        assert all(child.state is LifeState.OPEN for child in root.children)
        assert house.trouble() == ""
    assert house.tree().state is LifeState.GONE
    assert house.trouble() == "the root supervisor gave up (shutdown)"


@pytest.mark.parametrize(
    ("proxy", "ca_file", "origin"),
    [
        (None, None, "discord"),
        ("http://127.0.0.1:3128", None, "discord"),
        ("http://proxy.example:3128", "/ca.pem", "discord"),
        ("http://127.0.0.1:3128", "/ca.pem", "loopback"),
        ("http://[::1]:3128", "/ca.pem", "loopback"),
        ("http://localhost:3128", "/ca.pem", "loopback"),
    ],
)
def test_receipts_say_discord_only_of_discord(proxy: str | None, ca_file: str | None, origin: str) -> None:
    settings = load(None, {"discord": {"proxy": proxy, "ca_file": ca_file}})
    assert settings.evidence.signature == "local"
    assert signed(settings).evidence.signature == origin
    assert signed(settings, rehearsed=True).evidence.signature == "loopback"


def test_a_house_may_say_less_of_where_it_is_and_never_more(tmp_path: Path) -> None:
    for less in ("local", "loopback"):
        assert signed(load(None, {"evidence": {"origin": less}})).evidence.signature == less
    assert signed(load(None, kept_in(tmp_path))).evidence.signature == "loopback"
    for more in ("discord", "den"):
        with pytest.raises(BadConfig, match="leave it out"):
            load(None, {"evidence": {"origin": more}})


def test_he_joins_and_a_closing_house_leaves_one_left(tmp_path: Path) -> None:
    told: Probe[Recorded | PrivateWords] = Probe()
    answered: Probe[JoinAnswer] = Probe()
    with local_house(settings(tmp_path)) as house:
        house.evidence.tell(Watch(watcher=told, may_see_words=False))
        house.gateway.tell(JoinVoice(room=ROOM, asked_by=AskedBy.OPERATOR, reply_to=answered))
        assert answered.expect(CameIn).room == ROOM
    kinds = [type(one.receipt) for one in told.received() if isinstance(one, Recorded)]
    assert kinds.count(Joined) == kinds.count(Left) == 1


def test_a_closing_house_puts_on_disk_what_came_of_each_persons_packets_and_then_the_left(
    tmp_path: Path,
) -> None:
    told: Probe[Recorded | PrivateWords] = Probe()
    room, theatre = LocalRoom(RoomId("den")), LocalTheatre()
    for name in ("anna", "bert"):
        room.arrive(Person(id=PersonId(name), label=name.title()))
    encoder = OpusEncoder()
    packet = encoder.encode(SILENCE)
    encoder.close()
    with closing(theatre), theatre.open(settings={}, room=room, replies=(), state=tmp_path) as house:
        house.evidence.tell(Watch(watcher=told, may_see_words=False))
        house.gateway.tell(JoinVoice(room=room.id, asked_by=AskedBy.OPERATOR, reply_to=Probe()))
        expect(told, Joined)
        room.consent(PersonId("anna"), True)
        # Her microphone opens once her ear has; until then her packets are unread as well.
        expect(told, Consent)
        for _ in range(40):
            room.send(PersonId("anna"), packet)
            room.send(PersonId("bert"), packet)
    entries = [line for line in read(receipt_files(tmp_path / "evidence")) if isinstance(line, Entry)]
    assert isinstance(entries[-1].receipt, BridgeStopped)
    lines = entries[:-1]
    assert not any(b"Anna" in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    *_, anna, bert, left = sorted(lines[-3:], key=lambda line: str(getattr(line.receipt, "person_id", "~")))
    assert left is lines[-1]
    assert isinstance(left.receipt, Left)
    assert isinstance(anna.receipt, Consent)
    assert (anna.receipt.decoded or 0) + (anna.receipt.unread or 0) == 40
    stay = left.receipt.stay_id
    assert bert.receipt == Consent(
        stay_id=stay, person_id=PersonId("bert"), phase="counted", decoded=0, unread=40
    )


def test_a_crashed_gateway_comes_back_and_can_still_be_asked(tmp_path: Path) -> None:
    answered: Probe[JoinAnswer] = Probe()
    told: Probe[Recorded | PrivateWords] = Probe()
    with local_house(settings(tmp_path)) as house:
        house.evidence.tell(Watch(watcher=told, may_see_words=False))
        house.gateway.tell(JoinVoice(room=ROOM, asked_by=AskedBy.OPERATOR, reply_to=answered))
        answered.expect(CameIn)
        house.crash("gateway")
        left = expect(told, Left)
        assert isinstance(left, Left)
        assert left.reason == "gateway_lost"


def test_who_is_to_crash_must_be_named_unmistakably(tmp_path: Path) -> None:
    with local_house(settings(tmp_path)) as house:
        with pytest.raises(NobodyOfThatName, match="root/captain"):
            house.crash("cook")
        with pytest.raises(NobodyOfThatName):
            house.crash("")


def test_a_house_that_cannot_open_says_which_exception_was_in_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(_self: Supervisor) -> None:
        raise RuntimeError("secret words")

    monkeypatch.setattr(Supervisor, "opened", no_room)
    with pytest.raises(HouseNeverOpened, match="RuntimeError") as told, local_house(settings(tmp_path)):
        pass
    assert "secret" not in str(told.value)


def test_a_wrong_setting_of_a_scenario_is_told_in_words(tmp_path: Path) -> None:
    theatre = LocalTheatre()
    room, wrong = LocalRoom(RoomId("den")), {"captain": {"speed": 3}}
    with (
        pytest.raises(ValueError, match=r"\[captain\] speed is not a setting"),
        theatre.open(settings=wrong, room=room, replies=(), state=tmp_path),
    ):
        pass
    theatre.close()


def test_the_codec_is_looked_for_where_the_configuration_says(tmp_path: Path) -> None:
    answered: Probe[JoinAnswer] = Probe()
    room, theatre = LocalRoom(RoomId("den")), LocalTheatre()
    nowhere = {"speech": {"opus_library": str(tmp_path / "libopus.so")}}
    theatre.speech.close()
    theatre.speech = LocalSpeech(load(None, nowhere))
    with theatre.open(settings={}, room=room, replies=(), state=tmp_path) as house:
        house.gateway.tell(JoinVoice(room=room.id, asked_by=AskedBy.OPERATOR, reply_to=answered))
        answered.expect(JoinRefused)
    with pytest.raises(NoOpus, match=r"libopus\.so is not a loadable libopus"):
        tuple(theatre.speech.load())
    theatre.close()


def test_a_missing_model_is_found_before_anybody_is_kept_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLANKIE_SPEECH__WHISPER_FOLDER", str(tmp_path))
    theatre = LocalTheatre()
    with pytest.raises(ModelMissing, match=r"model\.bin"):
        tuple(theatre.speech.load())
    theatre.close()
