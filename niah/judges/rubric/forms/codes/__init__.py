"""Codes in other spellings: other separators, digits said aloud, a beginning that a list writes once."""
