"""Models of rigid workloads: uniform, Lublin and Feitelson 2003, Feitelson 1996, Jann et al. 1997."""
