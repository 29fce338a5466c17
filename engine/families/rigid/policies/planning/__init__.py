"""Plan-based scheduling: at each pass a plan for all waiting jobs, improved by simulated annealing."""
