"""Rigid jobs whose processes leave part of their processors idle: a second tier uses it."""
