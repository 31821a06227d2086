"""What a run will take, before anything is asked: tokens, calls, money, time."""
