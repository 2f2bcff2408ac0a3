"""The mind behind a network: how the house reads to a language model, and what its answers mean."""
