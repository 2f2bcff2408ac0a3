"""What it costs to hear people, beside bare C and what else a bot would hear them with."""
