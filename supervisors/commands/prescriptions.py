"""What a provider's answer means: from a code and a stopwatch to a finding, with what would mend it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from actors.floor.text import tokens
from actors.gateway.port import Finding
from actors.net.checkup.answers import Refusal
from actors.net.reasons import (
    CERTIFICATE_REFUSED,
    FORBIDDEN,
    NOT_FOUND,
    PROVIDER_DOWN,
    PROXY_UNREACHABLE,
    QUOTA,
    RATE_LIMITED,
    TIMEOUT,
    UNAUTHORIZED,
    UNREACHABLE,
)
from actors.net.sdk import ABORTED, BAD_FRAME, NOT_INSTALLED
from supervisors.packages import run_setup

ENOUGH: Final = 0.6
"""The share of the sample's words that must come back; a small model mishears one or two."""
LONGEST_NAME: Final = 40
MOST_OTHERS: Final = 5
SHORTEST_SENTENCE: Final = 0.5
"""Seconds; the sentence takes about two."""
QUIETEST: Final = -50.0
"""dBFS; whoever speaks is louder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Company:
    """Whom a key belongs to, and where its owner would go to mend something."""

    name: str
    base_url: str
    setting: str
    """The line of the configuration with the address."""
    variable: str
    key_setting: str
    keys_page: str = ""
    money_page: str = ""
    status_page: str = ""
    has_default: bool = True
    """Whether he has a model in mind where none is named."""


def openai(base_url: str) -> Company:
    """OpenAI, or whoever stands in for it."""
    return Company(
        name="OpenAI",
        base_url=base_url,
        setting="[openai] base_url",
        variable="CLANKIE_OPENAI_API_KEY",
        key_setting="[openai] key_file",
        keys_page="https://platform.openai.com/api-keys",
        money_page="https://platform.openai.com/settings/organization/billing",
        status_page="https://status.openai.com",
    )


def elevenlabs(base_url: str) -> Company:
    """ElevenLabs, or one of its regions."""
    return Company(
        name="ElevenLabs",
        base_url=base_url,
        setting="[elevenlabs] base_url",
        variable="CLANKIE_ELEVENLABS_API_KEY",
        key_setting="[elevenlabs] key_file",
        keys_page="https://elevenlabs.io/app/settings/api-keys",
        money_page="https://elevenlabs.io/app/subscription",
        status_page="https://status.elevenlabs.io",
    )


def chat(base_url: str) -> Company:
    """Whoever answers chat completions."""
    return Company(
        name="the chat server",
        base_url=base_url,
        setting="[realtime] base_url",
        variable="CLANKIE_CHAT_API_KEY",
        key_setting="[realtime] key_file",
        has_default=False,
    )


def responses(base_url: str) -> Company:
    """Whoever answers the captain, where that is not OpenAI."""
    return Company(
        name="the captain's server",
        base_url=base_url,
        setting="[captain] base_url",
        variable="CLANKIE_CAPTAIN_API_KEY",
        key_setting="[captain] key_file",
        has_default=False,
    )


# --- keys and refusals ----------------------------------------------------------------------------

INSTALL: Final = run_setup("cloud")
_NOT_THEM: Final = ("something else seems to answer in the place of {who}", "see what stands at {address}")
_REFUSALS: Final = {
    UNAUTHORIZED: ("{who} does not know this key", "make a new one{keys}, for {variable} or {key_setting}"),
    FORBIDDEN: ("{who} forbids this key to do that", "give it that permission{keys}, or use another"),
    QUOTA: ("the account's quota is used up", "buy more, or raise its limit{money}"),
    RATE_LIMITED: ("{who} wants this machine to wait", "ask again in some minutes"),
    PROVIDER_DOWN: ("{who} has a problem of its own", "ask again later{status}"),
    TIMEOUT: ("no answer in {seconds:.0f} s", "look at the network and {address}, and ask once more"),
    CERTIFICATE_REFUSED: (
        "the certificate of {who} is not trusted here",
        "name a file with its authority's in SSL_CERT_FILE, or look at the clock and {address}",
    ),
    PROXY_UNREACHABLE: (
        "the proxy on the way to {who} lets nobody through",
        "look at the variable HTTPS_PROXY (or HTTP_PROXY, or ALL_PROXY), or name the host in NO_PROXY",
    ),
    UNREACHABLE: ("{who} cannot be reached", "look at the network and {address}"),
    NOT_FOUND: ("{who} has nothing of that name", "look at {address}"),
    ABORTED: (
        "{who} broke off in the midst of it",
        "ask again; if it stays so, see what stands at {address}",
    ),
    BAD_FRAME: _NOT_THEM,
    "http_200": _NOT_THEM,
    NOT_INSTALLED: ("its library is not installed", INSTALL),
}


def well(name: str, says: str, seconds: float | None = None, advice: str = "") -> Finding:
    """What is as it should be, with how long it took to find out; `advice` is for what might be better."""
    took = "" if seconds is None else f" ({milliseconds(seconds)})"
    return Finding(name=name, ok=True, says=f"{says}{took}", remedy=advice)


def milliseconds(seconds: float) -> str:
    """A time for people."""
    return f"{seconds * 1000:.0f} ms"


def no_key(name: str, company: Company) -> Finding:
    """There is no key."""
    remedy = f"set {company.variable}, or {company.key_setting} to a file of mode 600"
    return Finding(name=name, ok=False, says=f"there is no key for {company.name}", remedy=remedy)


def refused(name: str, refusal: Refusal, company: Company, table: str) -> Finding:
    """Nothing came of a question that a table of the configuration led to; nobody's words are repeated."""
    otherwise = (f"{{who}} refused it ({refusal.reason})", "see [{table}] in the output of: clankie config")
    says, remedy = _REFUSALS.get(refusal.reason, otherwise)
    words = {
        "who": company.name,
        "address": f"{company.setting} ({company.base_url})",
        "variable": company.variable,
        "key_setting": company.key_setting,
        "keys": f" at {company.keys_page}" if company.keys_page else "",
        "money": f" at {company.money_page}" if company.money_page else "",
        "status": f", and look at {company.status_page}" if company.status_page else "",
        "table": table,
        "seconds": refusal.seconds,
    }
    return Finding(name=name, ok=False, says=says.format(**words), remedy=remedy.format(**words))


# --- models and voices ----------------------------------------------------------------------------


def printable(name: str) -> str:
    """A name that somebody else gave, without anything that a terminal would take for an order."""
    return "".join(letter for letter in name if letter.isprintable())[:LONGEST_NAME]


def no_model(name: str, model: str, company: Company, others: Sequence[str] = ()) -> Finding:
    """A model that was chosen does not exist; `others` do."""
    there = ", ".join(filter(None, map(printable, others[:MOST_OTHERS])))
    table = name.partition(" ")[0]
    rest = " that the account has, or take it out for the default" if company.has_default else " that it has"
    named = f" (it has {there})" if there else rest
    says = f"{company.name} has no model {printable(model)}"
    return Finding(name=name, ok=False, says=says, remedy=f"[{table}] model: name one{named}")


def unlisted(name: str, model: str, seconds: float, others: Sequence[str], table: str) -> Finding:
    """A server answers and names other models; it may know this one all the same."""
    there = ", ".join(filter(None, map(printable, others[:MOST_OTHERS]))) or "nothing"
    advice = f"[{table}] model: see whether {printable(model)} is in its list ({there})"
    return well(name, "it answers, and does not list the model", seconds, advice)


def lost(name: str, company: Company) -> Finding:
    """Whatever is asked for there, there is nothing."""
    says = "404 at that address: is /v1 missing, or too much, in base_url?"
    remedy = f"look at {company.setting} ({company.base_url}); if it is right, at the name of the model"
    return Finding(name=name, ok=False, says=says, remedy=remedy)


def shut_out(name: str, model: str, company: Company) -> Finding:
    """A socket is closed to a model that exists."""
    table = name.partition(" ")[0]
    remedy = f"[{table}] model: name another, or see what the key may do at {company.keys_page}"
    says = f"{company.name} does not let this key speak to {printable(model)} there"
    return Finding(name=name, ok=False, says=says, remedy=remedy)


def no_voice(voice: str, company: Company) -> Finding:
    """A voice that was chosen does not exist."""
    copy = "copy the id of one of My Voices at https://elevenlabs.io/app/voice-lab"
    name = "write the name of one, such as marin"
    remedy = f"[tts] voice: {copy if company.name == 'ElevenLabs' else name}, or take it out for the default"
    says = f"{company.name} has no voice {printable(voice)}"
    return Finding(name="voice", ok=False, says=says, remedy=remedy)


# --- the sample -----------------------------------------------------------------------------------


def spoken(seconds: float, loudest: float, first: float, whole: float) -> Finding:
    """Judge a sentence that was spoken: its length, its loudest part in dBFS, and when its sound came."""
    took = f"its first sound after {milliseconds(first)}, all of it after {milliseconds(whole)}"
    if seconds < SHORTEST_SENTENCE or loudest < QUIETEST:
        says = f"{seconds:.1f} s of sound came, and nobody can be heard in it"
        remedy = "[tts] voice: choose another, or take it out for the default"
        return Finding(name="voice sample", ok=False, says=says, remedy=remedy)
    return well("voice sample", f"{seconds:.1f} s of speech; {took}")


def understood(said: str, heard: str, listener: str, seconds: float) -> Finding:
    """Judge what came back of a sentence; neither of the two is repeated."""
    wanted, found = tokens(said), list(tokens(heard))
    back = 0
    for word in wanted:
        if word in found:
            found.remove(word)
            back += 1
    says = f"{back} of {len(wanted)} words came back through {listener}"
    if back >= ENOUGH * len(wanted):
        return well("sample heard", says, seconds)
    remedy = "try another [tts] voice, and see whether [tts] language and [capture] languages are the same"
    return Finding(name="sample heard", ok=False, says=f"only {says}", remedy=remedy)
