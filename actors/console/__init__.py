"""The window of the house: who asks from this machine may see how things are, and why he is silent."""
