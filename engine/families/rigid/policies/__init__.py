"""Space sharing in submission order: FCFS and EASY backfilling, on exclusive processors."""
