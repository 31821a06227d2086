"""Commands that set up a machine, a shell and an editor."""
