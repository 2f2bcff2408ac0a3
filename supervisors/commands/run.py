"""`clankie run`: open until somebody says otherwise; once is in good order, twice is at once."""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import NoReturn

from loguru import logger

from actors.gateway.settings import AuthoritySettings
from actors.realtime.script import Script
from messages.evidence import BridgeReady, PrivateWords, Recorded, Watch
from messages.gateway import AskedBy, JoinAnswer, JoinRefused, JoinVoice
from supervisors import tree
from supervisors.broom import Broom
from supervisors.claims import claimed
from supervisors.commands.invitation import Invitation
from supervisors.commands.tools import A_MODEL, NO_MODEL
from supervisors.exposure import check_collector, check_exposure
from supervisors.house import House, HouseNeverOpened
from supervisors.live import discord_house
from supervisors.local import HOSPITABLE, ROOM, local_house
from supervisors.logs import configure
from supervisors.preflight import check, check_discord
from supervisors.providers import Providers
from supervisors.record import Losses, claimed_record, lost_consents
from supervisors.rehearsal.prompt_box import PromptBox
from supervisors.secrets import Keys, all_keys, discord_token
from supervisors.service_manager import ServiceManager
from supervisors.settings import BadConfig, Settings, configured
from supervisors.speech import LocalSpeech
from supervisors.theatre import captained, scripted

GAVE_UP_EXIT, AT_ONCE_EXIT = 1, 130


class Online:
    """Writes down that the account is online: before that nobody can call him."""

    def tell(self, message: Recorded | PrivateWords, /) -> None:
        if not isinstance(message, Recorded) or not isinstance(message.receipt, BridgeReady):
            return
        if rooms := message.receipt.rooms:
            logger.info("the account is online; in one of the {} voice channels, say: /clankie join", rooms)
        else:
            logger.warning("the account is online and sees no voice channel; clankie invite is the way in")


class _Told:
    """Writes down what became of the order to join."""

    def tell(self, answer: JoinAnswer, /) -> None:
        if isinstance(answer, JoinRefused):
            logger.warning("he did not come into room {}: {} {}", ROOM, answer.reason.value, answer.detail)
        else:
            logger.info("he is in room {}", answer.room)


def keep_open(config: Path | None, prompter: int | None = None) -> int:
    """Open the house and wait; return 0 after an order to stop, 1 if it could not be opened or kept open.

    With a token he goes to Discord, without one into a local room; `prompter` is a socket's descriptor, over
    which a rehearsal has its say. Raises BadConfig, ModelMissing or NoOpus before anything is opened that
    could not work.
    """
    settings = configured(config)
    check_exposure(config, settings)
    check_collector(settings, os.environ)
    token = discord_token(settings.discord.token_file, os.environ)
    if token is None:
        settings = configured(config, HOSPITABLE)
    keys = all_keys(settings, os.environ)
    check(settings, keys)
    if token is not None:
        check_discord()
    configure(settings.log)
    with (
        claimed_record(settings.evidence) as bereft,
        claimed("[captain] directory", settings.captain.directory),
    ):
        losses = lost_consents(bereft, may_write=settings.stay.text_allowed)
        Providers.warm(settings)
        try:
            if prompter is None:
                in_order = _open(settings, token, keys, config, losses)
            else:
                in_order = _rehearsed(settings, token, keys, prompter, losses)
        except HouseNeverOpened as error:
            logger.error("{}", error)
            in_order = False
    return 0 if in_order else GAVE_UP_EXIT


def leave(code: int) -> NoReturn:
    """End the process now that all is closed; raises nothing and returns never.

    A thread that is still loading a model cannot be stopped, and its library aborts a program that tidies up
    around it.
    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def _open(settings: Settings, token: str | None, keys: Keys, config: Path | None, losses: Losses) -> bool:
    """Whether it was closed by order."""
    if settings.captain.mcp and settings.captain.provider == "local":
        logger.warning("{}; {}", NO_MODEL, A_MODEL)
    if token is None:
        seats = Invitation(settings.console, config, has_seats=True)
        return _kept(local_house(settings, keys), seats, _sit_alone, losses)
    warn_who_cannot_be_called(settings.authority)
    house = discord_house(settings, token, LocalSpeech(settings), keys=keys)
    # The account may be online before the house is open.
    house.evidence.tell(Watch(watcher=Online(), may_see_words=False))
    return _kept(house, Invitation(settings.console, config), _wait_to_be_called, losses)


def warn_who_cannot_be_called(authority: AuthoritySettings) -> None:
    """Say in the log why nobody will ever have him come, if that is so."""
    if not authority.guilds:
        logger.warning("[authority] guilds is empty: he can join no server's rooms (see: clankie doctor)")
    elif authority.is_nobodys():
        logger.warning("[authority] lets nobody have him come and go (see: clankie doctor)")


def _wait_to_be_called(_house: House) -> None:
    """Somebody will come."""


def _sit_alone(house: House) -> None:
    logger.info("no bot token: he sits in a local room")
    house.gateway.tell(JoinVoice(room=ROOM, asked_by=AskedBy.OPERATOR, reply_to=_Told()))


def _rehearsed(settings: Settings, token: str | None, keys: Keys, descriptor: int, losses: Losses) -> bool:
    if token is None:
        raise BadConfig("a rehearsal in a process of its own is one on Discord; give it a token")
    box = PromptBox(socket.socket(fileno=descriptor))
    try:
        speech = LocalSpeech(settings)
        replies = box.script()
        script = Script(scripted(replies))
        house = discord_house(settings, token, speech, script, keys, captained(replies))
        box.watch(house)
        for part in speech.load():
            logger.info("loading {}", part)
        return _kept(house, Invitation(settings.console), box.serve, losses)
    finally:
        box.close()


def _kept(house: House, invitation: Invitation, begin: Callable[[House], None], losses: Losses) -> bool:
    """Open it, say what a crash has cost, let it `begin`, and wait for its end."""
    _on_signals(house)
    manager, broom = ServiceManager(), Broom()

    def pulse() -> None:
        if manager.due():
            house.ask(manager)
        if invitation.due():
            house.ask(invitation)
            invitation.show()
        if broom.due():
            broom.sweep()

    with house:
        for loss in losses:
            house.gateway.tell(loss)
        begin(house)
        logger.info("the house is open; Ctrl-C closes it, a second one at once")
        manager.ready()
        tree.warm()
        broom.settle()
        in_order = house.wait(pulse)
        manager.stopping()
        logger.info("closing" if in_order else "the root supervisor gave up; see the warnings above")
    logger.info("closed")
    return in_order


def _on_signals(house: House) -> None:
    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, lambda *_: os._exit(AT_ONCE_EXIT))
        # A terminal that closes may say so twice.
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        house.interrupt()

    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, stop)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signal.signal(signal.SIGHUP, stop)
