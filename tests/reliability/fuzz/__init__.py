"""Whatever reads something that somebody else wrote is given what nobody should write."""
