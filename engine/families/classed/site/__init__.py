"""What a heterogeneous site is: machines, clusters, and what it knows from experience of how long jobs take."""
