"""The history of a run's nights: figures, tables and one page."""
