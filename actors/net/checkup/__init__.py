"""A look at the providers from outside, over HTTP alone: is the key good, and does what was chosen exist."""
