"""A house opens in order, closes in order, and says who may be crashed."""

from __future__ import annotations

from pathlib import Path

import pytest

from actors.audio.models import ModelMissing
from actors.local_room import LocalRoom
from messages.evidence import Joined, Left, PrivateWords, Recorded, Watch
from messages.gateway import AskedBy, JoinAnswer, JoinVoice
from messages.gateway import Joined as CameIn
from messages.ids import RoomId
from messages.lifecycle import LifeState
from supervisors.house import HouseNeverOpened, NobodyOfThatName
from supervisors.local import ROOM, LocalTheatre, local_house
from supervisors.settings import Settings, load
from supervisors.supervisor import Supervisor
from tests.probe import Probe


def settings(folder: Path) -> Settings:
    return load(None, {"evidence": {"directory": str(folder / "evidence")}, "console": {"port": 0}})


def test_a_house_opens_every_actor_and_closes_them_all(tmp_path: Path) -> None:
    with local_house(settings(tmp_path)) as house:
        root = house.tree()
        assert [child.path for child in root.children] == [
            "root/evidence",
            "root/captain",
            "root/body",
            "root/console",
        ]
        assert all(child.state is LifeState.OPEN for child in root.children)
    assert house.tree().state is LifeState.GONE


def test_he_joins_and_a_closing_house_leaves_one_left(tmp_path: Path) -> None:
    told: Probe[Recorded | PrivateWords] = Probe()
    answered: Probe[JoinAnswer] = Probe()
    with local_house(settings(tmp_path)) as house:
        house.evidence.tell(Watch(watcher=told, may_see_words=False))
        house.gateway.tell(JoinVoice(room=ROOM, asked_by=AskedBy.OPERATOR, reply_to=answered))
        assert answered.expect(CameIn, timeout=5.0).room == ROOM
    kinds = [type(one.receipt) for one in told.received() if isinstance(one, Recorded)]
    assert kinds.count(Joined) == kinds.count(Left) == 1


def test_a_crashed_gateway_comes_back_and_can_still_be_asked(tmp_path: Path) -> None:
    answered: Probe[JoinAnswer] = Probe()
    told: Probe[Recorded | PrivateWords] = Probe()
    with local_house(settings(tmp_path)) as house:
        house.evidence.tell(Watch(watcher=told, may_see_words=False))
        house.gateway.tell(JoinVoice(room=ROOM, asked_by=AskedBy.OPERATOR, reply_to=answered))
        answered.expect(CameIn, timeout=5.0)
        house.crash("gateway")
        left = told.expect(Recorded, timeout=5.0)
        while not isinstance(left.receipt, Left):
            left = told.expect(Recorded, timeout=5.0)
        assert left.receipt.reason == "gateway_lost"


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
    with pytest.raises(ValueError, match=r"\[captain\] speed is not a setting"):
        theatre.open(
            settings={"captain": {"speed": 3}}, room=LocalRoom(RoomId("den")), replies=(), state=tmp_path
        )
    theatre.close()


def test_a_missing_model_is_found_before_anybody_is_kept_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLANKIE_SPEECH__WHISPER_FOLDER", str(tmp_path))
    theatre = LocalTheatre()
    with pytest.raises(ModelMissing, match=r"model\.bin"):
        tuple(theatre.speech.load())
    theatre.close()
