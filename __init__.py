"""Shadowtime: simulate parallel-job schedulers, measure their schedules and bound them from below."""
