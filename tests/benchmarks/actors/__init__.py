"""What the actors cost: a hop, an ear behind a busy interpreter, a new life, a cold start, and growth."""
