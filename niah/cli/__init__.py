"""The ``niah`` command: options, one call, print."""
