"""The reader that runs on this machine's CPU."""
