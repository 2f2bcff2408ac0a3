"""The letters about end-to-end encryption: in order, when there is time, repaired within bounds."""

import pytest

from actors.voice.media.acts import Abort, GroupChanged, GroupTrouble
from actors.voice.media.close_codes import Plan
from actors.voice.media.grouping import BACKLOG
from actors.voice.media.transitions import PENDING
from tests.actors.voice.media.line import (
    ADA,
    ANSWER,
    BEA,
    HELLO,
    READY,
    USER,
    Line,
    description,
    in_a_group,
    lost,
    news,
    numbered,
    others,
    said,
    up,
)


def test_letters_before_the_session_are_kept_in_order_behind_its_beginning() -> None:
    line = Line()
    line.connected()
    line.text(HELLO)
    line.binary(25, b"who")
    line.text(READY)
    assert line.op(21, {"transition_id": 4, "protocol_version": 1}) == ()
    line.binary(27, b"\x00change")
    line.datagram(ANSWER)
    line.binary(30, numbered(6, b"in"))
    assert not line.link.work_waiting
    line.text(description())
    sent = said(line.all_work())
    assert line.group.heard == ["begin", "sender who", "append change", "welcome in"]
    ready = [(23, {"transition_id": transition}) for transition in (4, 6)]
    assert sent == [(26, b"package"), ready[0], (28, b"commit"), ready[1]]


def test_each_piece_of_work_is_done_alone() -> None:
    line = up()
    line.binary(25, b"who")
    line.binary(27, b"\x00one")
    line.binary(27, b"\x01two")
    for done in range(2, 5):
        line.work()
        assert len(line.group.heard) == done
    assert not line.link.work_waiting


def test_a_group_that_changes_is_told_once() -> None:
    line = up()
    line.binary(30, numbered(0, b"in"))
    changed = GroupChanged(version=1, ready=True, epoch=1, privacy_code="code 1")
    assert line.all_work() == (changed,)
    assert line.link.tick(line.now) == ()
    line.binary(29, numbered(0, b"on"))
    assert line.all_work() == (GroupChanged(version=1, ready=True, epoch=2, privacy_code="code 2"),)


def test_a_commit_with_a_number_is_confirmed_and_the_first_is_not() -> None:
    line = up()
    line.binary(30, numbered(0, b"in"))
    assert said(line.all_work()) == []
    line.binary(29, numbered(9, b"on"))
    assert said(line.all_work()) == [(23, {"transition_id": 9})]
    assert line.op(22, {"transition_id": 9}) == ()
    assert line.group.version == 1


def test_only_those_whom_the_server_named_and_himself_may_be_added() -> None:
    line = up()
    line.op(11, {"user_ids": [str(ADA), str(BEA)]})
    line.op(13, {"user_id": str(BEA)})
    line.binary(27, b"\x00change")
    line.all_work()
    assert line.group.known == {USER, ADA}


def test_who_left_while_the_proposal_waited_was_known_when_it_came() -> None:
    line = up()
    line.op(11, {"user_ids": [str(ADA)]})
    line.binary(27, b"\x00change")
    line.op(13, {"user_id": str(ADA)})
    line.all_work()
    assert line.group.known == {USER, ADA}


@pytest.mark.parametrize(
    ("op", "body", "transition"),
    [
        (25, b"wrongSender", 0),
        (27, b"\x00wrongSender", 0),
        (27, b"\x01wrongSender", 0),
        (29, numbered(5, b"wrongSender"), 5),
        (30, numbered(6, b"wrongSender"), 6),
    ],
)
def test_a_letter_that_is_of_no_use_is_refused_and_he_begins_anew(
    op: int, body: bytes, transition: int
) -> None:
    line = in_a_group()
    line.binary(op, body)
    acts = line.work()
    assert others(acts) == [GroupTrouble(op=op, kind="Sender")]
    assert said(acts) == [(31, {"transition_id": transition})]
    acts = line.work()
    assert said(acts) == [(26, b"package")]
    assert news(acts) == [GroupChanged(version=1, ready=False, epoch=None, privacy_code="")]


def test_what_waits_behind_a_refused_letter_belongs_to_the_group_that_is_left() -> None:
    line = in_a_group()
    line.binary(27, b"\x00wrong")
    line.binary(29, numbered(5, b"old"))
    line.binary(25, b"who")
    line.binary(30, numbered(5, b"old"))
    line.op(24, {"protocol_version": 1, "epoch": 1})
    line.binary(30, numbered(0, b"new"))
    line.all_work()
    assert line.group.heard[2:] == ["begin", "sender who", "begin", "welcome new"]


@pytest.mark.parametrize("kind", [b"PendingGroup", b"NoGroup"])
def test_an_old_commit_right_after_a_repair_needs_none(kind: bytes) -> None:
    line = in_a_group()
    line.binary(27, b"\x00wrong")
    line.all_work()
    line.binary(29, numbered(5, b"wrong" + kind))
    assert line.all_work() == (GroupTrouble(op=29, kind=kind.decode()),)
    line.now += 1.0
    line.binary(29, numbered(5, b"wrong" + kind))
    assert [op for op, _ in said(line.all_work())] == [31, 26]


def test_the_external_sender_of_an_active_group_is_no_trouble_to_repair() -> None:
    line = in_a_group()
    line.binary(25, b"wrongAlreadyInGroup")
    assert line.all_work() == (GroupTrouble(op=25, kind="AlreadyInGroup"),)


def test_a_storm_of_refused_letters_ends_the_line() -> None:
    line = in_a_group()
    for _ in range(3):
        line.binary(27, b"\x00wrong")
        assert lost(line.all_work()) is None
        line.now += 3.0
    line.binary(27, b"\x00wrong")
    acts = line.all_work()
    assert others(acts)[:2] == [GroupTrouble(op=27, kind="Wrong"), Abort()]
    assert lost(acts) == (None, Plan.FRESH, "dave_storm")


def test_refused_letters_far_apart_are_repaired_each_time() -> None:
    line = in_a_group()
    for _ in range(10):
        line.binary(27, b"\x00wrong")
        assert [op for op, _ in said(line.all_work())] == [31, 26]
        line.now += 3.4


def test_a_backlog_is_bounded() -> None:
    line = Line()
    line.connected()
    for _ in range(BACKLOG):
        assert line.binary(25, b"who") == ()
    assert lost(line.binary(25, b"who")) == (None, Plan.FRESH, "dave_backlog")


def test_a_version_that_nobody_here_speaks_ends_the_line() -> None:
    line = up()
    line.group.unavailable = True
    line.op(24, {"protocol_version": 2, "epoch": 1})
    acts = line.all_work()
    assert GroupTrouble(op=26, kind="UnsupportedProtocolVersion") in acts
    assert lost(acts) == (None, Plan.FRESH_ONCE, "dave_unavailable")


def test_the_first_epoch_is_a_new_group_and_no_other_is() -> None:
    line = in_a_group()
    line.op(24, {"protocol_version": 1, "epoch": 2})
    assert line.all_work() == ()
    line.op(24, {"protocol_version": 1, "epoch": 1})
    assert said(line.all_work()) == [(26, b"package")]
    assert not line.group.plain
    assert line.op(21, {"protocol_version": 1, "transition_id": 0}) == ()


def test_a_downgrade_counts_when_it_is_executed() -> None:
    line = in_a_group()
    acts = line.op(21, {"protocol_version": 0, "transition_id": 3})
    assert said(acts) == [(23, {"transition_id": 3})]
    assert (line.group.version, line.group.plain) == (1, True)
    acts = line.op(22, {"transition_id": 3})
    assert acts == (GroupChanged(version=0, ready=True, epoch=1, privacy_code="code 1"),)
    assert line.op(22, {"transition_id": 3}) == ()


def test_a_downgrade_that_never_comes_lets_nothing_plain_in_after_ten_seconds() -> None:
    line = in_a_group()
    line.op(21, {"protocol_version": 0, "transition_id": 3})
    line.wait(9.0)
    assert line.group.plain
    line.text('{"op":6}')
    line.wait(1.0)
    assert not line.group.plain


def test_a_downgrade_without_a_number_counts_at_once() -> None:
    line = in_a_group()
    line.op(21, {"protocol_version": 0, "transition_id": 0})
    assert line.group.version == 0


def test_the_first_epoch_of_version_0_is_a_downgrade() -> None:
    line = in_a_group()
    line.op(24, {"protocol_version": 0, "epoch": 1})
    assert said(line.all_work()) == []
    assert line.group.version == 0


def test_a_call_that_began_plain_is_encrypted_when_everybody_can() -> None:
    line = up(version=0)
    line.binary(29, numbered(1, b"nobody's"))
    assert line.all_work() == ()
    line.op(24, {"protocol_version": 1, "epoch": 1})
    line.binary(25, b"who")
    assert said(line.all_work()) == [(26, b"package")]
    assert (line.group.version, line.group.ready, line.group.plain) == (1, False, True)
    line.binary(30, numbered(2, b"in"))
    line.now += 5
    line.all_work()
    line.op(22, {"transition_id": 2})
    line.now += 9
    line.link.tick(line.now)
    assert line.group.plain
    line.now += 1
    line.link.tick(line.now)
    assert not line.group.plain
    assert line.group.heard == ["begin", "sender who", "welcome in"]


@pytest.mark.parametrize("transition", [0, 4])
def test_an_upgrade_that_is_only_announced_begins_a_group_too(transition: int) -> None:
    line = up(version=0)
    acts = line.op(21, {"protocol_version": 1, "transition_id": transition})
    acts += line.op(22, {"transition_id": transition})
    assert line.group.version == 1
    assert said(line.all_work()) == [(26, b"package")]


def test_an_announcement_behind_waiting_work_waits_with_it() -> None:
    line = in_a_group()
    line.binary(29, numbered(5, b"on"))
    assert line.op(22, {"transition_id": 5}) == ()
    assert line.op(21, {"protocol_version": 0, "transition_id": 6}) == ()
    assert [d for op, d in said(line.work()) if op == 23] == [{"transition_id": 5}, {"transition_id": 6}]


def test_announced_transitions_are_bounded() -> None:
    line = in_a_group()
    for transition in range(1, PENDING + 2):
        line.op(21, {"protocol_version": 0, "transition_id": transition})
    line.op(22, {"transition_id": 1})
    assert line.group.version == 1
    line.op(22, {"transition_id": 2})
    assert line.group.version == 0


def test_nothing_that_was_announced_survives_a_new_session() -> None:
    line = in_a_group()
    line.op(21, {"protocol_version": 0, "transition_id": 3})
    line.text(description())
    line.op(22, {"transition_id": 3})
    line.all_work()
    assert (line.group.version, line.group.plain) == (1, False)


def test_letters_before_a_second_session_are_of_the_first() -> None:
    line = in_a_group()
    line.binary(29, numbered(0, b"on"))
    line.text(description())
    line.all_work()
    assert line.group.heard[2:] == ["commit on", "begin"]
