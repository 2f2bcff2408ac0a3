"""The ear that is lent."""
