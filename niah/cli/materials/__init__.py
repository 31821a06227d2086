"""Commands about what runs are made of: haystacks, needles, cases, models."""
