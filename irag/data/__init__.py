"""Readers of published question sets and of our own question format; it downloads nothing."""
