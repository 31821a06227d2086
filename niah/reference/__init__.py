"""Numbers that papers print, as facts with their source."""
