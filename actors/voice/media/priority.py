"""A voice that is late is no voice: the scheduler is asked for precedence, and told how far it goes."""

from __future__ import annotations

import os
import resource
from typing import Final

PRIORITY: Final = 10
NICE: Final = -15
LONGEST_RUN: Final = 200_000
"""Microseconds without a wait after which the kernel ends a real-time process that has run away."""


def rise() -> str:
    """Take the best precedence that is granted: fifo, nice or none."""
    try:
        resource.setrlimit(resource.RLIMIT_RTTIME, (LONGEST_RUN, LONGEST_RUN))
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
    except (AttributeError, OSError, ValueError):
        return _be_less_nice()
    return "fifo"


def _be_less_nice() -> str:
    try:
        os.setpriority(os.PRIO_PROCESS, 0, NICE)
    except OSError:
        return "none"
    return "nice"
