"""Tables of jobs with a header, one line a job, whose columns are chosen by name: CSV, TSV and Parquet."""
