"""What each provider is asked before he relies on it, in the order in which the answers matter."""

from __future__ import annotations

from collections.abc import Coroutine, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol

from actors.gateway.port import Finding
from actors.net.checkup.answers import Account, Completed, Got, LookedUp, Refusal
from actors.net.checkup.asking import Asking
from actors.net.checkup.knock import Door
from actors.net.reasons import FORBIDDEN, NOT_FOUND, PROVIDER_DOWN
from supervisors.commands.prescriptions import (
    Company,
    lost,
    milliseconds,
    no_model,
    no_voice,
    printable,
    refused,
    shut_out,
    unlisted,
    well,
)

if TYPE_CHECKING:
    from actors.net.checkup.elevenlabs import ElevenLabsDesk
    from actors.net.checkup.openai import OpenAiDesk

WITHOUT_TOOLS: Final = ("http_400", "http_422", PROVIDER_DOWN)
"""How servers refuse a tool that a model cannot call."""
NO_SUCH_VOICE: Final = ("http_400", "http_422", NOT_FOUND)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A model that a table of the configuration names, and the socket at which it is spoken to, if any."""

    table: str
    model: str
    door: Door | None = None


def of_openai(
    asking: Asking, desk: OpenAiDesk, company: Company, wanted: Sequence[Wanted]
) -> Generator[Finding, None, tuple[str, ...] | None]:
    """Ask for the models that are wanted, and at their sockets.

    Returns the tables whose model may be there; None where the key may not be used at all.
    """
    shows, is_silent = True, False
    there: list[str] = []
    for place, want in enumerate(wanted):
        if shows:
            asking.tell(f"{company.name}: the model of [{want.table}]")
            answer = asking.ask(partial(desk.look_up, want.model), desk.reason_of)
            shows = not (isinstance(answer, Refusal) and answer.reason == FORBIDDEN)
            if not shows:
                advice = f"to have models looked up, let it read models at {company.keys_page}"
                yield well("openai key", "OpenAI knows it, but shows it no models", answer.seconds, advice)
            elif isinstance(answer, Refusal):
                yield refused(f"{want.table} model" if place else "openai key", answer, company, want.table)
                return None
            else:
                if not place:
                    yield well("openai key", "OpenAI accepts it", answer.seconds)
                took, is_silent = answer.seconds if place else None, answer.value.has is None
                yield _model(f"{want.table} model", want.model, answer.value, company, took)
                if answer.value.has is False:
                    continue
        there.append(want.table)
        yield from _socket(asking, company, want, is_silent=is_silent)
    return tuple(there)


def _socket(
    asking: Asking, company: Company, wanted: Wanted, *, is_silent: bool = False
) -> Iterator[Finding]:
    """Knock where he will: a model, or what is wished of it, may be refused there alone.

    `is_silent` is for a server that did not say whether it has the model.
    """
    if wanted.door is None:
        return
    asking.tell(f"{company.name}: the socket of [{wanted.table}]")
    name, answer = f"{wanted.table} socket", asking.knock(wanted.door)
    if isinstance(answer, Got):
        yield well(name, f"{company.name} lets him in", answer.value)
    elif answer.reason == NOT_FOUND:
        yield lost(name, company) if is_silent else no_model(name, wanted.model, company)
    elif answer.reason == FORBIDDEN:
        yield shut_out(name, wanted.model, company)
    else:
        yield refused(name, answer, company, wanted.table)


def _model(name: str, model: str, found: LookedUp, company: Company, seconds: float | None) -> Finding:
    match found.has:
        case True:
            return well(name, f"{company.name} has {printable(model)}", seconds)
        case False:
            return no_model(name, model, company, found.others)
        case None:
            return well(name, f"{company.name} does not say whether it has {printable(model)}", seconds)


# --- a chat server --------------------------------------------------------------------------------


class Complete(Protocol):
    """One of the ways in which a desk has a model answer."""

    def __call__(self, model: str, /, *, with_tool: bool) -> Coroutine[None, None, Completed]:
        """Have it call a tool, or say a word."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Mind:
    """A model of one table at a server, and what is lost if it calls no tools."""

    company: Company
    table: str
    model: str
    complete: Complete
    without: str


def of_server(asking: Asking, desk: OpenAiDesk, mind: Mind) -> Iterator[Finding]:
    """Look the model up, then have it call a tool; a server may have no list, or other names in it."""
    company, model, name = mind.company, mind.model, mind.company.name.removeprefix("the ")
    asking.tell(f"{company.name}: its models")
    answer = asking.ask(partial(desk.look_up, model), desk.reason_of)
    if isinstance(answer, Refusal) and answer.reason != FORBIDDEN:
        yield refused(name, answer, company, mind.table)
        return
    found = LookedUp(has=None) if isinstance(answer, Refusal) else answer.value
    judged = completed(asking, desk, mind)
    if judged is None and isinstance(answer, Got) and found.has is None:
        yield lost(name, company)
        return
    yield _listed(name, mind, found, answer.seconds)
    yield judged or no_model(f"{mind.table} model", model, company, found.others)


def _listed(name: str, mind: Mind, found: LookedUp, seconds: float) -> Finding:
    match found.has:
        case True:
            return well(name, "it answers, and lists the model", seconds)
        case False:
            return unlisted(name, mind.model, seconds, found.others, mind.table)
        case None:
            return well(name, "it answers, without a list of models", seconds)


def completed(asking: Asking, desk: OpenAiDesk, mind: Mind) -> Finding | None:
    """Have the model answer; None where there is no such thing."""
    company, model = mind.company, mind.model
    name, called = f"{mind.table} model", printable(model)
    asking.tell(f"{company.name}: an answer with a tool, while it loads {called}")
    answer = asking.ask(partial(mind.complete, model, with_tool=True), desk.reason_of)
    if isinstance(answer, Got):
        return _answered(name, called, answer)
    if answer.reason == NOT_FOUND:
        return None
    if answer.reason in WITHOUT_TOOLS:
        asking.tell(f"{company.name}: an answer without a tool")
        bare = asking.ask(partial(mind.complete, model, with_tool=False), desk.reason_of)
        if isinstance(bare, Got):
            remedy = f"[{mind.table}] model: choose one that can call tools, or {mind.without}"
            return Finding(name=name, ok=False, says=f"{called} answers, but takes no tools", remedy=remedy)
    return refused(name, answer, company, mind.table)


def _answered(name: str, called: str, answer: Got[Completed]) -> Finding:
    began = f"its answer began after {milliseconds(answer.value.first_seconds)}"
    if answer.value.called:
        return well(name, f"{called} calls tools; {began}")
    advice = "a bigger model, or one made for tools, hands over and leaves when it is asked to"
    return well(name, f"{called} did not call the tool that it was told to call; {began}", advice=advice)


# --- ElevenLabs -----------------------------------------------------------------------------------


def of_elevenlabs(
    asking: Asking, desk: ElevenLabsDesk, company: Company, voice: str, wanted: Wanted
) -> Generator[Finding, None, bool]:
    """Ask for the account, the voice and the model, and at its socket; returns whether the key may be used.

    A key may be allowed to speak and nothing else; then the sample says the rest.
    """
    asking.tell(f"{company.name}: the account")
    account = asking.ask(desk.account, desk.reason_of)
    if isinstance(account, Refusal) and account.reason != FORBIDDEN:
        yield refused("elevenlabs key", account, company, "elevenlabs")
        return False
    yield _account(account, company)
    named = _voice(asking, desk, company, voice)
    yield named
    offered = _offer(asking, desk, company, wanted.model)
    yield offered
    if named.ok and offered.ok:
        yield from _socket(asking, company, wanted)
    return True


def _account(answer: Got[Account] | Refusal, company: Company) -> Finding:
    name = "elevenlabs key"
    if isinstance(answer, Refusal):
        return well(name, "ElevenLabs knows it; it may not look at the account, and need not", answer.seconds)
    account = answer.value
    if account.left <= 0 and not account.may_exceed:
        remedy = f"wait for the next period, or choose a bigger plan at {company.money_page}"
        return Finding(name=name, ok=False, says="the account has no characters left", remedy=remedy)
    left = f"{max(account.left, 0):,} of {account.of:,} characters are left"
    return well(name, f"ElevenLabs accepts it; {left}", answer.seconds)


def _voice(asking: Asking, desk: ElevenLabsDesk, company: Company, voice: str) -> Finding:
    asking.tell(f"{company.name}: the voice")
    answer = asking.ask(partial(desk.name_of, voice), desk.reason_of)
    if isinstance(answer, Got):
        return well("voice", f"it is called {printable(answer.value) or 'nothing'}", answer.seconds)
    if answer.reason == FORBIDDEN:
        return well("voice", "the key may not look at voices", answer.seconds)
    if answer.reason in NO_SUCH_VOICE:
        return no_voice(voice, company)
    return refused("voice", answer, company, "tts")


def _offer(asking: Asking, desk: ElevenLabsDesk, company: Company, model: str) -> Finding:
    name, called = "tts model", printable(model)
    asking.tell(f"{company.name}: the model of [tts]")
    answer = asking.ask(partial(desk.offer, model), desk.reason_of)
    if isinstance(answer, Refusal):
        if answer.reason == FORBIDDEN:
            return well(name, "the key may not look at models", answer.seconds)
        return refused(name, answer, company, "tts")
    if answer.value.speaks is None:
        return no_model(name, model, company)
    if not answer.value.speaks:
        remedy = "[tts] model: name one that speaks, or take it out for the default"
        return Finding(name=name, ok=False, says=f"{called} does not speak", remedy=remedy)
    return well(name, f"{called} speaks", answer.seconds)
