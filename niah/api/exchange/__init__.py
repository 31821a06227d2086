"""Cases to other projects."""
