"""Who starts first, who falls with whom, and who is given another life."""
