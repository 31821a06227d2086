"""Commands about judges and their verdicts."""
