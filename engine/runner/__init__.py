"""One way to a schedule: plans, how they are made, and how the kernel executes them."""
