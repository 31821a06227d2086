"""The run file: written, read, merged, exported."""
