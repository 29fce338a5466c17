"""Backfilling in any order, with predictions: one policy file per way to hold reservations."""
