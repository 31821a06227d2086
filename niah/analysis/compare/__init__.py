"""Did anything get significantly worse, where, and could it have been seen? See docs/nightly.md."""
