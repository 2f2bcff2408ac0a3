"""A page about what is on record: when he spoke and when not, how quick he was, and why."""
