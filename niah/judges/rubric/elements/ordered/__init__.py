"""In which order an answer gives the elements that were asked for in one."""
