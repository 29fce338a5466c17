"""The schedule that a log recorded."""
