"""The record: what happened, without a word of what was said."""
