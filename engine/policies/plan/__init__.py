"""The policy that executes a plan: pieces begin when the plan says, and end because their work is done.

`memory` lays the plan out for compiled code, `run_plan` is the compiled run, `seats` finds lanes for a planner that
only chose how many.
"""
