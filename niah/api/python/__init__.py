"""Where pytest finds niah's plugin."""
