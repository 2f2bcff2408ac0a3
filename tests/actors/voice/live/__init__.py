"""The live voice link against a whole Discord on this machine."""
