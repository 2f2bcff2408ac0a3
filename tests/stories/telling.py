"""How a story is told: once for each seed, and afterwards everything that must be true of any story is."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable

from messages.evidence import Handoff, Interrupted, Joined, Left, ModelResponse, Playback
from tests.stories.staged import Staged

SEEDS = int(os.environ.get("STORY_SEEDS", "20"))
ENDS: dict[type[Playback | Handoff], tuple[str, set[str]]] = {
    Playback: ("utterance_id", {"drained", "cut", "failed"}),
    Handoff: ("handoff_id", {"returned", "failed", "posted", "not_submitted"}),
}


def tell(story: Callable[[int], Staged], seeds: int = SEEDS) -> None:
    """Play the story with so many seeds; a failure names the seed that plays it again.

    Fewer are enough where one test tells the same story of many actors.
    """
    for seed in range(min(seeds, SEEDS)):
        try:
            world = story(seed)
            check(world)
        except BaseException as failure:
            failure.add_note(f"seed {seed}")
            raise


def check(world: Staged) -> None:
    """Assert what holds whatever happened: one `left` a `joined`, one end a beginning, one cut a playback."""
    joined = [one.stay_id for one in world.receipts(Joined)]
    left = [one.stay_id for one in world.receipts(Left)]
    assert sorted(joined) == sorted(left)
    assert len(set(joined)) == len(joined)
    for kind, (name, endings) in ENDS.items():
        phases = [one for one in world.all_receipts() if isinstance(one, kind)]
        ended = Counter(getattr(one, name) for one in phases if one.phase in endings)
        assert all(times == 1 for times in ended.values()), (kind.__name__, ended)
    asked = {one.turn_id for one in world.receipts(ModelResponse, phase="requested")}
    answered = Counter(one.turn_id for one in world.receipts(ModelResponse) if one.phase != "requested")
    assert all(times == 1 for times in answered.values()), answered
    assert asked <= set(answered), asked - set(answered)
    cuts = Counter(one.utterance_id for one in world.receipts(Interrupted))
    assert all(times == 1 for times in cuts.values()), cuts
