"""A rehearsal's captain does what the play says, each line of it once, and what is not in it by the rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from actors.captain.outcomes import in_words
from actors.captain.rules import Call, Came, Decided, Heard, Said, decide


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedTurn:
    """What he does, once, when a request or what was really said contains the words `heard`.

    He uses the tools of `calls` side by side, then says `text`, in which "{outcome}" becomes what came of
    each in a word (as joined, or not_in_voice) and "{result}" the same in sentences. `delay` seconds pass
    before anything of it.
    """

    heard: str
    calls: tuple[Call, ...] = ()
    text: str = ""
    delay: float | None = None


class CaptainScript:
    """The turns that are still unplayed, in their order; `says` tells whether words are in a text."""

    def __init__(self, turns: Sequence[ScriptedTurn], says: Callable[[str, str], bool]) -> None:
        self._unplayed, self._says = list(turns), says

    @property
    def unplayed(self) -> int:
        """How many turns nobody has asked for yet."""
        return len(self._unplayed)

    def take(self, said: Said) -> ScriptedTurn | None:
        """The first unplayed turn for this request, which is played now; or None."""
        for place, turn in enumerate(self._unplayed):
            if any(self._says(text, turn.heard) for text in (*said.texts, *said.original)):
                return self._unplayed.pop(place)
        return None


def direct(turn: Heard, scripted: Sequence[ScriptedTurn]) -> Decided:
    """What to do next in a turn of which some requests are scripted; `turn.asked` are the others."""
    own = decide(turn) if turn.asked else Decided()
    came = {one.call: one for one in turn.came}
    calls = dict.fromkeys(call for one in scripted for call in one.calls if call not in came)
    if calls or own.calls:
        return Decided(calls=(*calls, *(call for call in own.calls if call not in calls)))
    texts = (*(_told(one, came) for one in scripted), own.text)
    return replace(own, text=" ".join(text for text in texts if text))


def _told(scripted: ScriptedTurn, came: dict[Call, Came]) -> str:
    outcomes = [came[call] for call in scripted.calls]
    codes = ", ".join(one.outcome.code for one in outcomes)
    results = " ".join(in_words(one.call.tool, one.outcome) for one in outcomes)
    return scripted.text.replace("{outcome}", codes).replace("{result}", results)
