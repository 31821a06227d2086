"""The tables of u-niah as the paper arranges them, its numbers beside the run's."""
