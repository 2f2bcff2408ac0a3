"""An evening in which everything goes wrong, drawn from a seed, and what must be true of it all the same."""
