"""Whole stays on one thread, with chance in the order of letters: a race is a seed."""
