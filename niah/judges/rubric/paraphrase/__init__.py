"""Facts in other words: "her brother had rowed the boat" is "it was her brother who had done the rowing"."""
