"""Whoever watches the record goes on watching, and there is room for so many and no more."""

from __future__ import annotations

from messages.evidence import EvidenceOpened, PrivateWords, Recorded, Watch
from supervisors.doors import MOST_WATCHERS, Audience
from tests.probe import Probe


def watch() -> Watch:
    watcher: Probe[Recorded | PrivateWords] = Probe()
    return Watch(watcher=watcher, may_see_words=False)


def test_every_record_learns_of_everybody_who_watches_and_the_first_gives_way() -> None:
    audience, first, second = Audience(), Probe[Watch](), Probe[Watch]()
    watches = [watch() for _ in range(MOST_WATCHERS)]
    for one in watches:
        audience.tell(one)
    audience.tell(EvidenceOpened(record=first))
    assert first.received() == watches
    late = watch()
    audience.tell(late)
    assert first.received() == [*watches, late]
    audience.tell(EvidenceOpened(record=second))
    assert second.received() == [*watches[1:], late]
