"""All that the screen knows, folded from what the window shows; every list in it has an end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, assert_never

from actors.console.report import StatusReport, WhyReport
from actors.console.wire_views import LogView, ReceiptOnRecord, ReceiptView, Shown, StatusView, WordsView
from messages.ids import StayId
from supervisors.terminal import house, tail
from supervisors.terminal.ink import Dated

MOST_RECEIPTS: Final = 200
MOST_LOGS: Final = 200
MOST_WORDS: Final = 100
MOST_LATENCIES: Final = 60
LONGEST_MS: Final = 86_400_000
"""More is a mistake, and would make nothing of all others beside it."""
_NOTHING: Final = WhyReport(lines=(), turns=())
_MEASURED: Final = {
    "response": (("after speech", "speechEndToFirstAudioMs"), ("first sound", "decisionToFirstAudioMs")),
    "transcription": (("transcript", "latencyMs"),),
    "playback": (("to silence", "decisionToSilenceMs"),),
}
"""By kind of receipt: what is measured, and the field that tells it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """What there is to draw."""

    trouble: str = "looking for the house"
    """Why nothing comes from the house; empty while something does."""
    report: StatusReport | None = None
    news: Mapping[str, int] = field(default_factory=dict[str, int])
    """Actors that changed a moment ago."""
    why: WhyReport = _NOTHING
    words: tuple[WordsView, ...] = ()
    receipts: tuple[Dated, ...] = ()
    logs: tuple[Dated, ...] = ()
    latencies: Mapping[tuple[StayId, str], tuple[float, ...]] = field(
        default_factory=dict[tuple[StayId, str], tuple[float, ...]]
    )
    chosen: StayId | None = None
    """The stay that orders are for, where there are several."""

    @property
    def stays(self) -> tuple[StayId, ...]:
        """Those that there are."""
        return tuple(stay.stay_id for stay in self.report.stays) if self.report is not None else ()


def after(picture: Picture, view: Shown) -> Picture:
    """The picture after one more thing was shown."""
    match view:
        case StatusView():
            return with_status(picture, view.status)
        case ReceiptView():
            return with_receipt(picture, view.receipt)
        case WordsView():
            return replace(picture, words=(*picture.words, view)[-MOST_WORDS:])
        case LogView():
            dated = tail.logged(view.at, view.level, view.text)
            return replace(picture, logs=(*picture.logs, dated)[-MOST_LOGS:])
        case _:
            assert_never(view)


def with_status(picture: Picture, report: StatusReport) -> Picture:
    """The house has said how it is."""
    before = picture.report.tree if picture.report is not None else None
    stays = [stay.stay_id for stay in report.stays]
    return replace(
        picture,
        trouble="",
        report=report,
        news=house.news(before, report.tree, picture.news),
        latencies={key: values for key, values in picture.latencies.items() if key[0] in stays},
        chosen=picture.chosen if picture.chosen in stays else next(iter(stays), None),
    )


def with_trouble(picture: Picture, trouble: str) -> Picture:
    """Nothing comes any more; what was last seen stays in sight."""
    return replace(picture, trouble=trouble)


def with_receipt(picture: Picture, receipt: ReceiptOnRecord) -> Picture:
    """Something was put on record; a time that is none is nobody's whom we know."""
    dated = tail.receipt(receipt)
    if dated is None:
        return picture
    latencies = dict(picture.latencies)
    stay = receipt.data.get("stayId")
    for name, key in _MEASURED.get(receipt.type.rpartition(".")[2], ()):
        ms = receipt.data.get(key)
        if isinstance(stay, str) and isinstance(ms, int | float) and 0 <= ms <= LONGEST_MS:
            at = (StayId(stay), name)
            latencies[at] = (*latencies.get(at, ()), float(ms))[-MOST_LATENCIES:]
    return replace(picture, receipts=(*picture.receipts, dated)[-MOST_RECEIPTS:], latencies=latencies)


def without_words(picture: Picture) -> Picture:
    """Nobody wants to see any."""
    return replace(picture, words=())


def with_why(picture: Picture, why: WhyReport) -> Picture:
    """Why he spoke, or not; what has been measured before anybody looked is taken from it once."""
    latencies = dict(picture.latencies)
    known = any(name in {"after speech", "first sound"} for _, name in latencies)
    for turn in why.turns if not known else ():
        for name, ms in (
            ("after speech", turn.speech_end_to_first_audio_ms),
            ("first sound", turn.first_audio_ms),
        ):
            if ms is not None:
                at = (turn.stay_id, name)
                latencies[at] = (*latencies.get(at, ()), float(ms))[-MOST_LATENCIES:]
    return replace(picture, why=why, latencies=latencies)


def with_next_stay(picture: Picture) -> Picture:
    """Orders are for the next stay from here on."""
    stays = picture.stays
    if not stays:
        return picture
    at = stays.index(picture.chosen) + 1 if picture.chosen in stays else 0
    return replace(picture, chosen=stays[at % len(stays)])


def is_of_a_turn(kind: str) -> bool:
    """Whether a receipt of this kind may change what /why says."""
    return kind.rpartition(".")[2] in _OF_A_TURN


_OF_A_TURN: Final = frozenset(
    ("floor_decision", "model_response", "response", "interrupted", "playback", "realtime_tool", "volition")
)
