"""What a run has to say, in sentences: on the page's first screen and at the end of a command."""
