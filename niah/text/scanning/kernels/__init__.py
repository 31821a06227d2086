"""The loops that see every byte of a text."""
