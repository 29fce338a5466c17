"""Logs of sites: what batch systems and archives record of jobs that ran."""
