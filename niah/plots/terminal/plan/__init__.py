"""What a run will take: a table, its notes, and the same for machines."""
