"""Tasks packed onto machines by size: SynchPack and its rivals, all as plans that the kernel executes and checks."""
