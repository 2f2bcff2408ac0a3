"""The listener of one person."""
