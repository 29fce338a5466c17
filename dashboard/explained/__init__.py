"""Explanations of the algorithms: idea, pseudo-code whose lines name the events that they cause, and an example."""
