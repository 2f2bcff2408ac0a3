"""Where the account and the voice link meet on Discord: `switchboard.py` calls, `core.py` decides."""

from actors.switchboard.switchboard import ANSWER_SECONDS, Caller, Switchboard

__all__ = ["ANSWER_SECONDS", "Caller", "Switchboard"]
