"""A mind without a model reads the outputs of tools as models do: as JSON that it did not write."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, ValidationError

from actors.captain.outcomes import Outcome, Someone


class _Told(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class _Person(_Told):
    name: str
    heard: bool = False
    bot: bool = False


class _Note(_Told):
    note: str


class _Output(_Told):
    outcome: str
    reason: str = ""
    channel: str = ""
    your_channel: str = ""
    opted_in: bool = False
    transcripts_kept: bool = False
    url: str = ""
    people: tuple[_Person, ...] = ()
    humans: int = 0
    notes: tuple[_Note, ...] = ()
    text: str = ""
    files: tuple[str, ...] = ()


def outcome_of(text: str) -> Outcome:
    """What an output says; one that cannot be read says that something failed."""
    try:
        output = _Output.model_validate_json(text)
    except ValidationError:
        return Outcome(outcome="failed", reason="bad_output")
    return Outcome(
        outcome=output.outcome,
        reason=output.reason,
        channel=output.channel,
        own_channel=output.your_channel,
        opted_in=output.opted_in,
        transcripts_kept=output.transcripts_kept,
        url=output.url,
        people=tuple(Someone(name=one.name, heard=one.heard, bot=one.bot) for one in output.people),
        humans=output.humans,
        notes=tuple(one.note for one in output.notes),
        text=output.text,
        files=output.files,
    )
