"""Whatever is taken from him in the middle of a stay, he comes back in time or leaves once and says why."""

from __future__ import annotations

import os
import signal
import time
from itertools import pairwise
from pathlib import Path

from actors.voice.settings import VoiceSettings
from messages.evidence import (
    BridgeReady,
    BridgeStopped,
    Consent,
    Degraded,
    Failed,
    Joined,
    Left,
)
from tests.loopback.discord.evening import Evening, evening
from tests.loopback.discord.participant import Participant
from tests.loopback.discord.voice.tones import tone

UNNOTICED_SECONDS = VoiceSettings().mute_seconds
"""The shortest deadline of a link: who finds a way back by himself, in some 40 ms, needs none of them."""
LONGEST_PAUSE_SECONDS = 10.0
"""How long we are willing to fail; how soon a new process is heard is a line of the budget table."""
SWALLOWED_SECONDS = 5.0


def stays(night: Evening) -> list[str]:
    """Why each stay ended; there are as many as began."""
    reasons = [one.reason for one in night.record.all(Left)]
    assert len(reasons) == len(night.record.all(Joined))
    return reasons


def longest_pause(listener: Participant, night: Evening) -> float:
    """How long somebody did not hear him in the middle of a sentence, in seconds."""
    times = [one.at for one in listener.heard_from(night.bot)]
    return max(later - earlier for earlier, later in pairwise(times))


def speaking_to(night: Evening, name: str = "Ada") -> Participant:
    """Somebody in the room, who hears him speak."""
    listener = night.person(name)
    night.come()
    night.wait_until_heard(listener)
    return listener


def expect_left(night: Evening, reason: str) -> None:
    """The stay ends by itself, and for this reason."""
    assert night.record.expect(Left).reason == reason


def test_a_killed_voice_websocket_is_resumed_and_nobody_hears_of_it(tmp_path: Path) -> None:
    with evening(tmp_path) as night:
        ada = speaking_to(night)
        night.discord.voice.abort(night.bot)
        night.discord.wait(lambda: night.discord.voice.record(night.bot).lines == 2, what="another line")
        night.wait_until_heard(ada, 25)
        assert longest_pause(ada, night) < UNNOTICED_SECONDS
        assert night.fact("resumed") == 1
        assert night.record.all(Degraded) == []
    assert stays(night) == ["shutdown"]


def test_a_voice_server_that_moves_away_is_followed_in_mid_sentence(tmp_path: Path) -> None:
    with evening(tmp_path) as night:
        ada = speaking_to(night)
        night.discord.voice.move(night.guild.id)
        night.guild.bot.new_server()
        old = night.discord.voice.record(night.bot)
        night.discord.wait(lambda: night.discord.voice.record(night.bot) is not old, what="another line")
        night.wait_until_heard(ada, 25)
        assert longest_pause(ada, night) < UNNOTICED_SECONDS
        assert night.record.all(Degraded) == []
    assert stays(night) == ["shutdown"]


def test_sound_that_is_swallowed_for_five_seconds_comes_back_by_itself(tmp_path: Path) -> None:
    with evening(tmp_path) as night:
        ada = speaking_to(night)
        night.consent(ada)
        speech = ada.speak(tone(440, 10.0))
        night.ears.wait_for_more(ada.id, 10)
        swallowed = time.monotonic()
        night.discord.voice.black_hole(SWALLOWED_SECONDS)
        back = night.wait_until_heard(ada, after=swallowed + 1.0)
        assert back - swallowed < SWALLOWED_SECONDS + LONGEST_PAUSE_SECONDS
        night.ears.wait_for_more(ada.id, 10)
        gap = night.ears.longest_gap(ada.id)
        assert SWALLOWED_SECONDS / 2 < gap < SWALLOWED_SECONDS + LONGEST_PAUSE_SECONDS
        assert night.record.all(Degraded) == []
        speech.cancel()
    assert stays(night) == ["shutdown"]


def test_a_new_login_of_the_account_costs_the_room_nothing(tmp_path: Path) -> None:
    with evening(tmp_path) as night:
        ada = speaking_to(night)
        night.discord.gateway.re_identify()
        night.record.expect(BridgeReady)
        night.wait_until_heard(ada, 25)
        assert longest_pause(ada, night) < UNNOTICED_SECONDS
        assert night.record.all(Degraded) == []
        night.consent(ada)
    assert stays(night) == ["shutdown"]


def test_a_revoked_token_ends_the_stay_and_says_so(tmp_path: Path) -> None:
    with evening(tmp_path) as night:
        speaking_to(night)
        night.discord.rest.token = "another"
        night.discord.gateway.refuse(4004)
        night.discord.gateway.re_identify()
        expect_left(night, "gateway_lost")
        assert night.record.expect(BridgeStopped).reason == "token_refused"
        logins = len(night.discord.gateway.identified)
    assert stays(night) == ["gateway_lost"]
    assert len(night.discord.gateway.identified) == logins == 1


def test_who_is_put_out_stays_out(tmp_path: Path) -> None:
    with evening(tmp_path) as night:
        speaking_to(night)
        asked = len(night.discord.calls.requests)
        night.discord.kick_bot(night.guild)
        expect_left(night, "kicked")
    assert stays(night) == ["kicked"]
    assert {room for _, room in night.discord.calls.requests[asked:]} <= {None}


def test_who_is_moved_to_where_he_may_be_goes_on_there_and_hears_only_who_consents_there(
    tmp_path: Path,
) -> None:
    with evening(tmp_path) as night:
        ada = speaking_to(night)
        night.consent(ada)
        night.room = night.guild.voice("Parlour")
        bert = night.person("Bert")
        night.discord.move_bot(night.guild, night.room)
        assert night.record.expect(Degraded, lambda one: one.phase == "lost").reason == "moved"
        night.record.expect(Degraded, lambda one: one.phase == "restored")
        assert night.record.expect(Consent, lambda one: one.phase == "moved").person_id == str(ada.id)
        night.ask(bert)
        night.wait_until_heard(bert)
        ada.member.move(night.room)
        ada.wait_for_group(bert.id, night.bot)
        assert night.fact("microphones") == 0
        night.consent(bert)
        speeches = ada.speak(tone(440, 5.0)), bert.speak(tone(660, 5.0))
        before = len(night.ears.of(ada.id))
        night.ears.wait_for_more(bert.id, 25)
        assert len(night.ears.of(ada.id)) == before
        for speech in speeches:
            speech.cancel()
    assert stays(night) == ["shutdown"]


def test_who_is_moved_to_where_he_may_not_be_leaves(tmp_path: Path) -> None:
    with evening(tmp_path, confined=True) as night:
        speaking_to(night)
        cellar = night.guild.voice("Cellar")
        night.discord.move_bot(night.guild, cellar)
        expect_left(night, "moved")
        night.discord.wait(lambda: night.guild.bot.room is None, what="an empty seat")
    assert stays(night) == ["moved"]


def test_a_call_that_demands_more_than_he_can_ends_the_stay_with_its_reason(tmp_path: Path) -> None:
    with evening(tmp_path) as night:
        speaking_to(night)
        night.discord.voice.drop(night.bot, 4017)
        expect_left(night, "media_lost")
        assert night.record.expect(Failed, lambda one: one.stage == "voice_link").reason == "dave_required"
    assert stays(night) == ["media_lost"]


def test_who_is_muted_by_the_server_says_so_as_long_as_it_lasts(tmp_path: Path) -> None:
    with evening(tmp_path) as night:
        night.come()
        for on, phase in ((True, "hindered"), (False, "freed")):
            night.discord.mute_bot(night.guild, on=on)
            told = night.record.expect(Degraded)
            assert (told.phase, told.reason) == (phase, "server_muted")
    assert stays(night) == ["shutdown"]


def test_a_media_process_that_is_killed_in_mid_sentence_costs_a_pause_and_no_consent(tmp_path: Path) -> None:
    with evening(tmp_path) as night:
        ada = speaking_to(night)
        night.consent(ada)
        consents = night.record.all(Consent)
        speech = ada.speak(tone(440, 2 * LONGEST_PAUSE_SECONDS))
        night.ears.wait_for_more(ada.id, 10)
        pid = night.fact("media_process")
        assert isinstance(pid, int)
        killed = time.monotonic()
        os.kill(pid, signal.SIGKILL)
        assert night.record.expect(Degraded, lambda one: one.phase == "lost").reason == "media_process"
        night.record.expect(Degraded, lambda one: one.phase == "restored")
        restored = time.monotonic()
        assert night.fact("media_process") != pid
        night.ears.wait_for_more(ada.id, 10)
        assert night.ears.longest_gap(ada.id) < LONGEST_PAUSE_SECONDS
        assert [one.phase for one in night.record.all(Degraded)] == ["lost", "restored"]
        night.ask(ada)
        assert night.wait_until_heard(ada, after=restored) - killed < LONGEST_PAUSE_SECONDS
        assert night.record.all(Consent) == consents
        speech.cancel()
    assert stays(night) == ["shutdown"]


def test_a_move_of_the_voice_server_that_he_never_heard_of_is_noticed_and_he_follows(tmp_path: Path) -> None:
    with evening(tmp_path) as night:
        ada = speaking_to(night)
        night.consent(ada)
        night.discord.voice.move(night.guild.id)
        assert night.record.expect(Failed, lambda one: one.stage == "voice_link").reason == "astray"
        night.record.expect(Degraded, lambda one: one.phase == "restored")
        ada.wait_for_group(night.bot)
        night.ask(ada)
        night.wait_until_heard(ada, after=time.monotonic())
        assert [one.reason for one in night.record.all(Degraded)][:1] == ["astray"]
    assert stays(night) == ["shutdown"]


def test_what_he_says_while_the_link_is_away_is_heard_when_it_is_back(tmp_path: Path) -> None:
    with evening(tmp_path) as night:
        ada = speaking_to(night)
        pid = night.fact("media_process")
        assert isinstance(pid, int)
        os.kill(pid, signal.SIGKILL)
        night.record.expect(Degraded, lambda one: one.phase == "lost")
        night.ask(ada)
        night.record.expect(Degraded, lambda one: one.phase == "restored")
        night.wait_until_heard(ada)
    assert stays(night) == ["shutdown"]
