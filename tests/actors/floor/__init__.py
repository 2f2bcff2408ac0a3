"""The floor, thought through without a thread."""
