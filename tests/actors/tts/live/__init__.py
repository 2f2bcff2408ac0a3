"""What the cloud's voices promise."""
