"""Whoever can write a word that he reads may try to give him orders, and here all of them try."""
