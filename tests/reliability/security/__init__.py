"""Models of who may be heard and who may have what done, and what holds him to them."""
