"""Output of a run beyond its columns: sentences of events, lists of lanes, series, order of rows."""
