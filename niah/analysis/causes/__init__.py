"""Why answers went wrong, and how often each cause holds."""
