"""What the house costs, measured by commands; the suite only sees that they run and nothing is far off."""
