"""The meter, tried without a house."""
