"""Send notices when runs and sweeps end: webhooks and e-mail."""
