"""Numbers in words: which words say them, and how one is read from a text's words."""
