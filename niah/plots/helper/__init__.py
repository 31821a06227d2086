"""The second process that draws figures of a large run."""
