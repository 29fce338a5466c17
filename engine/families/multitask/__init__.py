"""Jobs of tasks that are packed on machines by size and placed by data."""
