"""`--hypothesis-profile long` lets the machines of this folder run for minutes."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "long",
    max_examples=4_000,
    stateful_step_count=80,
    deadline=None,
    suppress_health_check=(HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large),
)
