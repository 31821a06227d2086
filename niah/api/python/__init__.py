"""What ``import niah`` offers: runs as objects, for scripts and notebooks (docs/python-and-plugins.md)."""
