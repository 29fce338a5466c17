"""The routes for scripts and for the pages' own code: one file a subject, one blueprint a file."""
