"""What the tables of a run file hold, as values: a module for each."""
