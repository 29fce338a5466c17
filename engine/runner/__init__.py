"""The runners: a compiled policy, a planner or a Python policy advances a run, slice by slice."""
