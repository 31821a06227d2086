"""What matplotlib draws, drawn the same in less time."""
