"""Ways in which an answer may write a name: by script, number words, dates, inflection, a slip of the pen."""
