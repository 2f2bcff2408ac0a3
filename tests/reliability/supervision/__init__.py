"""Crashes every actor of the tree, and takes the time until he serves again and down what the room heard."""
