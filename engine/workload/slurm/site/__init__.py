"""The files of a Slurm site: slurm.conf, and what sacctmgr, sshare and scontrol print."""
