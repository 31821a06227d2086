"""What the rubric knows of languages: their words for conclusions, corrections, denials, refusals, doubts."""
