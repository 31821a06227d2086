"""How users write strategies, those of their own among them, and the lines that say what can be written."""
