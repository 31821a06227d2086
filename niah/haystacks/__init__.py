"""Haystacks: documents of sentences, tokenised once."""
