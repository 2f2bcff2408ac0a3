"""The conversation: what he remembers, what he is asked, and what he says to it."""
