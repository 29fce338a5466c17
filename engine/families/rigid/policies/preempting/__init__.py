"""Time sharing of rigid jobs, which pause and resume on the same processors."""
