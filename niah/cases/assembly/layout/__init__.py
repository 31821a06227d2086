"""Which haystack text and which inserts follow one another in a context, where joints may cost tokens."""
