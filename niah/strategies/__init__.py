"""How a prompt is made from a context."""
