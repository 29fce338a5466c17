"""Two tiers per processor: KEASY, REASY and MEASY.

Source: X. Liu et al., Scheduling Parallel Jobs Using Migration and Consolidation in the Cloud, Mathematical
Problems in Engineering 2012, article 695757.
"""
