"""What is being said, how much of it was sent, and what was therefore heard."""
