"""What the packing of tasks rests on: instances, linear programs, orders of jobs. Bounds and policies both use it."""
