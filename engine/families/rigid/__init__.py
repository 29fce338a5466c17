"""Rigid jobs: so many processors for so long, as logs have them."""
