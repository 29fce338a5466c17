"""What leaves the engine beside columns: sentences of events, lanes in words, series, order of rows."""
