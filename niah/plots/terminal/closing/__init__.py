"""What a run says at its end, line by line, where there is something to say."""
