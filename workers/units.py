"""Units of memory and disk [bytes]."""

MEGABYTE = 10**6
GIGABYTE = 10**9
